package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is something that the harness has started, and all that came of it.
type process struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	log  *os.File
}

// started holds every process that has been started and not yet ended.
var started struct {
	sync.Mutex
	all map[*process]bool
}

// startRole runs this program again, as a role that is talked to.
func startRole(r role) (*process, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(r.Name, r.Dir, nil, true, program, "-role", string(text))
}

// start runs a program in a process group of its own, so that ^C reaches it through the
// harness alone; if the harness is killed, so is it. Its log is a file in dir, to which
// one that does not talk writes everything.
func start(name, dir string, env []string, talks bool, program string, args ...string) (*process, error) {
	p := &process{name: name, cmd: exec.Command(program, args...)}
	p.cmd.Dir, p.cmd.Env = dir, append(os.Environ(), env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var err error
	if p.log, err = os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	p.cmd.Stderr = p.log
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if talks {
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		p.out = json.NewDecoder(out)
	} else {
		p.cmd.Stdout = p.log
	}
	started.Lock()
	defer started.Unlock()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	if started.all == nil {
		started.all = map[*process]bool{}
	}
	started.all[p] = true
	return p, nil
}

// kill ends a process and its children with SIGKILL, and waits until they are gone.
func (p *process) kill() {
	started.Lock()
	alive := started.all[p]
	delete(started.all, p)
	started.Unlock()
	if !alive {
		return
	}
	// The group at once, so that nothing is started meanwhile; then who has left the group.
	all := tree(p.cmd.Process.Pid)
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	for _, pid := range all {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	p.cmd.Wait()
	p.log.Close()
}

// killAll ends whatever is left.
func killAll() {
	started.Lock()
	var left []*process
	for p := range started.all {
		left = append(left, p)
	}
	started.Unlock()
	for _, p := range left {
		p.kill()
	}
}

// receive waits for one reply of a role.
func (p *process) receive(ctx context.Context) (reply, error) {
	var r reply
	got := make(chan error, 1)
	go func() { got <- p.out.Decode(&r) }()
	select {
	case err := <-got:
		if err == nil && r.Err != "" {
			err = errors.New(r.Err)
		}
		if err != nil {
			return reply{}, fmt.Errorf("%s: %w%s", p.name, err, p.lastWords())
		}
		return r, nil
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
}

// ask gives a role an order and waits for its reply.
func (p *process) ask(ctx context.Context, o order) (reply, error) {
	if err := p.tell(o); err != nil {
		return reply{}, err
	}
	return p.receive(ctx)
}

func (p *process) tell(o order) error {
	if err := json.NewEncoder(p.in).Encode(o); err != nil {
		return fmt.Errorf("%s: %w%s", p.name, err, p.lastWords())
	}
	return nil
}

// lastWords is the end of the log.
func (p *process) lastWords() string {
	text, err := os.ReadFile(p.log.Name())
	if err != nil || len(text) == 0 {
		return ""
	}
	return ": " + strings.TrimSpace(string(text[max(0, len(text)-300):]))
}

// tree gives a process and its descendants.
func tree(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		pid, parent, ok := parseStat(string(text))
		if ok {
			children[parent] = append(children[parent], pid)
		}
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// parseStat reads a process's id and that of its parent. Its name, which comes between,
// may hold anything.
func parseStat(text string) (pid, parent int, ok bool) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return 0, 0, false
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 2 {
		return 0, 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text[:open]))
	parent, err2 := strconv.Atoi(fields[1])
	return pid, parent, err == nil && err2 == nil
}

// rss is the resident memory of processes and their children, in bytes.
func rss(processes ...*process) int64 {
	var sum int64
	for _, p := range processes {
		if p == nil {
			continue
		}
		for _, pid := range tree(p.cmd.Process.Pid) {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
			if err != nil {
				continue
			}
			if fields := strings.Fields(string(text)); len(fields) > 1 {
				pages, _ := strconv.ParseInt(fields[1], 10, 64)
				sum += pages * int64(os.Getpagesize())
			}
		}
	}
	return sum
}

// waitFor asks again and again until try succeeds.
func waitFor(ctx context.Context, what string, most time.Duration, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return nil
		}
		if !pause(ctx, 50*time.Millisecond) {
			return fmt.Errorf("wait for %s: %w", what, err)
		}
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that was started here and is ended here.
type process struct {
	cmd  *exec.Cmd
	base string // http://127.0.0.1:port
	log  string // file of what it wrote
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start starts a program that serves on loopback and waits until it has said where.
func (b *bench) start(ctx context.Context, name string, args ...string) (*process, error) {
	log, err := os.CreateTemp(b.scratch, "log-")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Stderr = log
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, log: log.Name()}
	lines := bufio.NewReader(said)
	for p.base == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			cmd.Wait()
			text, _ := os.ReadFile(p.log)
			return nil, fmt.Errorf("%s ended before it served: %s", filepath.Base(name), bytes.TrimSpace(text))
		}
		p.base = address.FindString(line)
	}
	go io.Copy(io.Discard, lines)
	return p, nil
}

// end ends a program and waits until it has gone.
func (p *process) end() error {
	if p == nil || p.cmd.ProcessState != nil {
		return nil
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	err := p.cmd.Wait()
	os.Remove(p.log)
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 0 {
		err = nil
	}
	return err
}

// demo starts courtd on a file of its own; the clock, if given, stands still.
func (b *bench) demo(ctx context.Context, file, now string, more ...string) (*process, error) {
	args := []string{"demo", "--listen", "127.0.0.1:0", "--db", file, "--reconcile-every", "0"}
	if now != "" {
		args = append(args, "--now", now)
	}
	return b.start(ctx, b.courtd, append(args, more...)...)
}

// memory reads a figure of the process, such as VmRSS, in bytes.
func (p *process) memory(key string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if value, found := strings.CutPrefix(line, key+":"); found {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no %s", key)
}

// forgetPeak has the most that was resident counted from now on.
func (p *process) forgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0o600)
}

// load runs a load generator as a process of its own.
func (b *bench) load(ctx context.Context, job loadJob) (loadResult, error) {
	running, err := b.startLoad(ctx, job)
	if err != nil {
		return loadResult{}, err
	}
	return running()
}

// startLoad is load that goes on beside what follows; the result is had by calling
// what it gives.
func (b *bench) startLoad(ctx context.Context, job loadJob) (func() (loadResult, error), error) {
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	var out, trouble bytes.Buffer
	cmd := exec.CommandContext(ctx, b.self, "load")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &trouble
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() (result loadResult, err error) {
		if err := cmd.Wait(); err != nil {
			return result, fmt.Errorf("the load generator: %w: %s", err, trouble.Bytes())
		}
		return result, json.Unmarshal(out.Bytes(), &result)
	}, nil
}

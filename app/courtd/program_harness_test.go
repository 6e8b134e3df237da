package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// The test binary is courtd itself when these are set.
const (
	actAsProgram = "TEST_RUNS_COURTD"       // its command line follows
	mostFileSize = "TEST_COURTD_FILE_BYTES" // no file may grow beyond
)

// programPatience bounds every wait for the program; nothing waits that long if it works.
const programPatience = 60 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(actAsProgram) == "" {
		os.Exit(m.Run())
	}
	if most, err := strconv.ParseUint(os.Getenv(mostFileSize), 10, 64); err == nil {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			panic(err)
		}
	}
	go func() { // a program whose test has died must not stay behind
		io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	main()
}

// programText keeps what a program has said so far.
type programText struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *programText) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *programText) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// says waits until the program has written some words to its log: what it writes comes by a
// pipe, and later than an answer that was sent after it.
func (p *program) says(words string) bool {
	for until := time.Now().Add(programPatience / 4); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(p.stderr.String(), words) {
			return true
		}
	}
	return false
}

// program is a running courtd.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdout *programText
	stderr *programText
	base   string // http://127.0.0.1:port
	http   *http.Client
	ended  chan struct{}
	stdin  io.Closer
}

// programCommand prepares courtd in an environment without settings of its own.
func programCommand(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	for _, kept := range os.Environ() {
		if !strings.HasPrefix(kept, "COURTD_") {
			cmd.Env = append(cmd.Env, kept)
		}
	}
	cmd.Env = append(append(cmd.Env, actAsProgram+"=1"), env...)
	return cmd
}

// programRun runs a command that ends by itself.
func programRun(t *testing.T, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), programPatience)
	defer cancel()
	cmd := programCommand(ctx, env, args...)
	stdin, err := cmd.StdinPipe()
	programOK(t, err)
	defer stdin.Close()
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("courtd %s did not end: %s", strings.Join(args, " "), complaints.String())
	}
	return cmd.ProcessState.ExitCode(), out.String(), complaints.String()
}

var programAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// programStart starts a serving command and waits until it says where it serves.
func programStart(t *testing.T, env []string, args ...string) *program {
	t.Helper()
	cmd := programCommand(context.Background(), env, args...)
	stdin, err := cmd.StdinPipe()
	programOK(t, err)
	stdout, err := cmd.StdoutPipe()
	programOK(t, err)
	p := &program{t: t, cmd: cmd, stdout: &programText{}, stderr: &programText{}, ended: make(chan struct{}), stdin: stdin,
		http: &http.Client{Timeout: programPatience, Transport: &http.Transport{MaxIdleConnsPerHost: 256, ExpectContinueTimeout: programPatience},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	cmd.Stderr = p.stderr
	programOK(t, cmd.Start())
	t.Cleanup(p.kill)
	address := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			fmt.Fprintln(p.stdout, lines.Text())
			if found := programAddress.FindString(lines.Text()); found != "" {
				select {
				case address <- found:
				default:
				}
			}
		}
		cmd.Wait()
		close(p.ended)
	}()
	select {
	case p.base = <-address:
	case <-p.ended:
		t.Fatalf("courtd %s ended with status %d: %s", strings.Join(args, " "), cmd.ProcessState.ExitCode(), p.stderr)
	case <-time.After(programPatience):
		t.Fatalf("courtd %s does not say where it serves: %s", strings.Join(args, " "), p.stderr)
	}
	return p
}

// kill ends the program without asking, if it still runs.
func (p *program) kill() {
	p.http.CloseIdleConnections()
	p.cmd.Process.Kill()
	<-p.ended
	p.stdin.Close()
}

// stop asks the program to end and wants status 0.
func (p *program) stop() {
	p.t.Helper()
	programOK(p.t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.endsWell()
}

func (p *program) endsWell() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(programPatience):
		p.t.Fatalf("the program does not end: %s", p.stderr)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Fatalf("the program ended with status %d: %s", code, p.stderr)
	}
}

// programAsk is a request in the making.
type programAsk struct {
	method, path, token, key string
	body                     any // a text as it is, anything else as JSON
	header                   map[string]string
}

// programAnswer is what the program said.
type programAnswer struct {
	t      *testing.T
	status int
	header http.Header
	text   string
	json   map[string]any
}

func (p *program) request(a programAsk) (*http.Request, error) {
	var body io.Reader
	switch b := a.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	case io.Reader:
		body = b
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequest(a.method, p.base+a.path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	if a.key != "" {
		req.Header.Set("Idempotency-Key", a.key)
	}
	for name, value := range a.header {
		req.Header.Set(name, value)
	}
	return req, nil
}

// try sends a request; it may be called on any goroutine.
func (p *program) try(a programAsk) (programAnswer, error) {
	req, err := p.request(a)
	if err != nil {
		return programAnswer{}, err
	}
	return p.receive(req)
}

func (p *program) receive(req *http.Request) (programAnswer, error) {
	res, err := p.http.Do(req)
	if err != nil {
		return programAnswer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	out := programAnswer{t: p.t, status: res.StatusCode, header: res.Header, text: string(text)}
	if err == nil && strings.Contains(res.Header.Get("Content-Type"), "json") {
		err = json.Unmarshal(text, &out.json)
	}
	if out.status == http.StatusInternalServerError {
		err = errors.Join(err, fmt.Errorf("%s %s: %s", req.Method, req.URL.Path, text))
	}
	return out, err
}

func (p *program) send(a programAsk) programAnswer {
	p.t.Helper()
	out, err := p.try(a)
	programOK(p.t, err)
	return out
}

func (p *program) get(path, token string) programAnswer {
	p.t.Helper()
	return p.send(programAsk{method: http.MethodGet, path: path, token: token})
}

func (p *program) post(path, token string, body any) programAnswer {
	p.t.Helper()
	return p.send(programAsk{method: http.MethodPost, path: path, token: token, body: body})
}

// wants fails the test unless the answer has a status and, if given, a reason.
func (a programAnswer) wants(status int, reason ...string) programAnswer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.text)
	}
	if len(reason) > 0 && a.json["reason"] != reason[0] {
		a.t.Fatalf("reason %v, want %s: %s", a.json["reason"], reason[0], a.text)
	}
	if status >= 400 && a.header.Get("Content-Type") != "application/problem+json" {
		a.t.Fatalf("content type %q of a refusal: %s", a.header.Get("Content-Type"), a.text)
	}
	return a
}

// in gives what stands at a path of names and indexes in an answer, or nil.
func (a programAnswer) in(path ...any) any {
	var here any = a.json
	for _, step := range path {
		switch step := step.(type) {
		case string:
			here = programMap(here)[step]
		case int:
			list, _ := here.([]any)
			if step >= len(list) {
				return nil
			}
			here = list[step]
		}
	}
	return here
}

func programMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func (a programAnswer) str(path ...any) string {
	a.t.Helper()
	text, ok := a.in(path...).(string)
	if !ok {
		a.t.Fatalf("no text at %v: %s", path, a.text)
	}
	return text
}

// has fails the test unless the member at a path reads as given.
func (a programAnswer) has(value any, path ...any) programAnswer {
	a.t.Helper()
	if got := a.in(path...); fmt.Sprint(got) != fmt.Sprint(value) {
		a.t.Fatalf("%v is %v, want %v: %.2000s", path, got, value, a.text)
	}
	return a
}

// programFile opens a file beside the programs that serve it.
func programFile(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(path)+"?mode=ro&_busy_timeout=5000&_query_only=on")
	programOK(t, err)
	t.Cleanup(func() { programOK(t, db.Close()) })
	return db
}

func programOK(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

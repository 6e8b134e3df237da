package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestInitThenServe sets a real venue up and serves it.
func TestInitThenServe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "venue.db")
	password := filepath.Join(t.TempDir(), "password")
	programOK(t, os.WriteFile(password, []byte("a-long-password\nno part of it\n"), 0o600))
	initArgs := []string{"init", "--db", path, "--name", "晨光羽毛球馆", "--courts", "2", "--owner", "boss", "--password-file", password}
	status, out, complaints := programRun(t, nil, "serve", "--db", path)
	wantComplaint(t, status, 1, complaints, "venue.db")
	if status, out, complaints = programRun(t, nil, initArgs...); status != 0 || strings.Contains(out, "a-long-password") {
		t.Fatalf("init: status %d: %s%s", status, out, complaints)
	}
	status, _, complaints = programRun(t, nil, initArgs...)
	wantComplaint(t, status, 1, complaints, "holds a venue already")
	status, _, complaints = programRun(t, nil, "demo", "--db", path)
	wantComplaint(t, status, 1, complaints, "real venue")

	p := programStart(t, nil, "serve", "--db", path, "--listen", "127.0.0.1:0")
	p.get("/api/v1/venue", "").wants(200).has("晨光羽毛球馆", "name").has("2号场", "courts", 1, "name").has("[]", "payment_vias")
	for _, demo := range []string{"/demo", "/demo/clock"} {
		p.get(demo, "").wants(404)
	}
	owner := p.post("/api/v1/login/staff", "", programBody{"username": "boss", "password": "a-long-password"}).wants(200).str("token")
	p.get("/api/v1/owner/policy", owner).wants(200).has(10, "hold_minutes")
	if code := p.post("/api/v1/login/code", "", programBody{"phone": "13800000001"}).wants(200).has("log", "by"); code.in("code") != nil {
		t.Errorf("a real venue shows the login code: %s", code.text)
	}
	p.get("/healthz", "").wants(200).has("ok", "status")
	p.stop()

	made := filepath.Join(t.TempDir(), "made.db")
	status, out, _ = programRun(t, []string{"COURTD_DB=" + made, "COURTD_NAME=馆", "COURTD_COURT=甲,乙,丙"}, "init")
	shown := regexp.MustCompile(`password, shown this once: (\S{20,})`).FindStringSubmatch(out)
	if status != 0 || shown == nil || !strings.Contains(out, "3 courts") {
		t.Fatalf("init by the environment: status %d: %s", status, out)
	}
	p = programStart(t, []string{"COURTD_DB=" + made, "COURTD_LISTEN=127.0.0.1:0", "COURTD_RECONCILE_EVERY=0"}, "serve")
	p.post("/api/v1/login/staff", "", programBody{"username": "owner", "password": shown[1]}).wants(200)
	p.get("/api/v1/venue", "").wants(200).has("丙", "courts", 2, "name")
	p.stop()
}

// wantComplaint wants a status and one line that says what is wrong.
func wantComplaint(t *testing.T, status, want int, complaints, words string) {
	t.Helper()
	if status != want || strings.Count(complaints, "\n") != 1 || !strings.HasPrefix(complaints, "courtd: ") || !strings.Contains(complaints, words) {
		t.Fatalf("status %d, want %d and one line with %q: %s", status, want, words, complaints)
	}
}

// TestDemoIsNotServed: a demonstration is not taken for a real venue.
func TestDemoIsNotServed(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	status, _, complaints := programRun(t, nil, "serve", "--db", c.path)
	wantComplaint(t, status, 1, complaints, "demonstration")
	status, _, complaints = programRun(t, nil, "init", "--db", c.path, "--name", "馆")
	wantComplaint(t, status, 1, complaints, "holds a venue already")
	status, _, complaints = programRun(t, nil, "demo", "--db", c.path, "--listen", strings.TrimPrefix(c.base, "http://"))
	wantComplaint(t, status, 1, complaints, "listen")
}

// TestWrongCommandLines: one clear line each, and status 2.
func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	for words, args := range map[string][]string{
		"expected one of":               {},
		"unexpected argument sell":      {"sell"},
		"unknown flag --colour":         {"serve", "--colour", "red"},
		"missing flags: --name":         {"init"},
		"--courts":                      {"init", "--name", "馆", "--courts", "many"},
		"--now: want a time":            {"demo", "--now", "2026-12-10 12:00"},
		"--reconcile-every: want a dur": {"demo", "--reconcile-every=-5m"},
		"--reconcile-every: want a d":   {"serve", "--reconcile-every", "often"},
		"--trusted-proxy":               {"serve", "--trusted-proxy", "localhost"},
		"--log-level":                   {"serve", "--log-level", "loud"},
		"unexpected argument extra":     {"version", "extra"},
	} {
		status, out, complaints := programRun(t, nil, args...)
		if out != "" {
			t.Errorf("%q on the standard output: %s", args, out)
		}
		wantComplaint(t, status, 2, complaints, words)
	}
	folder := t.TempDir()
	for words, args := range map[string][]string{
		"there is no file":  {"serve", "--db", filepath.Join(folder, "none.db")},
		"there is no file ": {"reconcile", "--db", filepath.Join(folder, "none.db")},
		"make one with":     {"accept-clock", "--db", filepath.Join(folder, "none.db")},
		"time zone":         {"init", "--db", filepath.Join(folder, "a.db"), "--name", "馆", "--zone", "Mars/Base"},
		"from 1 to":         {"init", "--db", filepath.Join(folder, "a.db"), "--name", "馆", "--courts", "0"},
		"password":          {"init", "--db", filepath.Join(folder, "a.db"), "--name", "馆", "--password-file", filepath.Join(folder, "none")},
	} {
		status, _, complaints := programRun(t, nil, args...)
		wantComplaint(t, status, 1, complaints, words)
	}
	rubbish := filepath.Join(folder, "rubbish.db")
	programOK(t, os.WriteFile(rubbish, []byte(strings.Repeat("not a database. ", 1000)), 0o600))
	status, _, complaints := programRun(t, nil, "serve", "--db", rubbish)
	wantComplaint(t, status, 1, complaints, "not a database")
}

func TestVersionAndHelp(t *testing.T) {
	t.Parallel()
	status, out, complaints := programRun(t, nil, "version")
	if status != 0 || !regexp.MustCompile(`^courtd \S+.* go1\.\d+.*\n$`).MatchString(out) || complaints != "" {
		t.Errorf("version: status %d: %q %q", status, out, complaints)
	}
	commands := []string{"init", "serve", "demo", "check", "reconcile", "accept-clock", "version"}
	status, out, _ = programRun(t, nil, "--help")
	for _, command := range commands {
		if status != 0 || !strings.Contains(out, "\n  "+command) {
			t.Errorf("--help does not name %s (status %d): %s", command, status, out)
		}
	}
	if status, again, _ := programRun(t, nil, "help"); status != 0 || again != out {
		t.Errorf("help: status %d: %s", status, again)
	}
	flag := regexp.MustCompile(`^ +(?:-., )?--([a-z0-9-]+)`)
	seen := 0
	for _, command := range commands {
		status, out, _ := programRun(t, nil, command, "--help")
		if status != 0 {
			t.Errorf("%s --help: status %d", command, status)
		}
		_, flags, _ := strings.Cut(out, "\nFlags:\n")
		said := map[string]string{}
		name := ""
		for _, line := range strings.Split(flags, "\n") {
			if found := flag.FindStringSubmatch(line); found != nil {
				name = found[1]
			}
			said[name] += line
		}
		delete(said, "help")
		for name, text := range said {
			seen++
			if !regexp.MustCompile(`\(\$COURTD_[A-Z0-9_]+\)`).MatchString(text) {
				t.Errorf("%s --help does not say what in the environment sets --%s: %s", command, name, text)
			}
		}
	}
	if seen < 18 {
		t.Errorf("only %d flags", seen)
	}
}

// TestReconcileByHand: a dry run changes nothing, a round settles.
func TestReconcileByHand(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a := c.customer("13800000001")
	body := programGoods("g1", 2, "ONCE20")
	body["slots"] = programSlot("c1", "17:30")["slots"]
	id := c.book(a, body)
	c.clock("12:10")
	before := c.dump()
	status, out, complaints := programRun(t, nil, "reconcile", "--db", c.path, "--dry-run")
	var said struct {
		DryRun bool                             `json:"dry_run"`
		Would  []struct{ Order, Ending string } `json:"would_settle"`
	}
	if err := json.Unmarshal([]byte(out), &said); status != 0 || err != nil || !said.DryRun || len(said.Would) != 2 || said.Would[0].Order != id || said.Would[1].Ending != "lapsed" {
		t.Fatalf("dry run: status %d, %v: %s%s", status, err, out, complaints)
	}
	programSame(t, before, c.dump())
	status, out, complaints = programRun(t, []string{"COURTD_DB=" + c.path}, "reconcile")
	if status != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("reconcile: status %d: %s%s", status, out, complaints)
	}
	c.wantCount(0, "SELECT count(*) FROM reservations WHERE settled_at IS NULL")
	c.wantCount(1, "SELECT count(*) FROM stock_moves WHERE kind = 'restock'")
	c.wantCount(1, "SELECT count(*) FROM notices WHERE kind = 'lapsed' AND sent_at IS NOT NULL")
	c.get("/api/v1/owner/reconciler", c.owner).wants(200).has("idle", "state").has(true, "last_run_ok")
}

package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// setUpPage is a browser before the first set-up.
type setUpPage struct {
	t    *testing.T
	base string
	http *http.Client
}

func (b setUpPage) answer(res *http.Response, err error) (int, string, string) {
	b.t.Helper()
	programOK(b.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	programOK(b.t, err)
	return res.StatusCode, res.Header.Get("Location"), string(text)
}

func (b setUpPage) get(address string) (int, string, string) {
	b.t.Helper()
	return b.answer(b.http.Get(address))
}

var (
	setUpLink = regexp.MustCompile(`http://127\.0\.0\.1:\d+/setup\?token=\S{30,}`)
	csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
)

// link is what the program tells to open; it may come a moment after its address.
func (p *program) link() string {
	p.t.Helper()
	for end := time.Now().Add(programPatience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if link := setUpLink.FindString(p.stdout.String()); link != "" {
			return link
		}
	}
	p.t.Fatalf("the program gives no link: %s", p.stdout)
	return ""
}

// TestSetUpInABrowser makes a venue from nothing by HTTP, and starts it again.
func TestSetUpInABrowser(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	// Without the flag a name that was mistyped makes no file.
	status, _, complaints := programRun(t, nil, "serve", "--db", path)
	wantComplaint(t, status, 1, complaints, "serve --setup --db")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Fatalf("a file was made: %v", err)
	}

	p := programStart(t, nil, "serve", "--setup", "--db", path, "--listen", "127.0.0.1:0")
	link := p.link()
	p.get("/healthz", "").wants(200).has("ok", "status")
	p.get("/api/v1/venue", "").wants(503, "not_set_up")
	jar, err := cookiejar.New(nil)
	programOK(t, err)
	b := setUpPage{t, p.base, &http.Client{Timeout: programPatience, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if status, _, text := b.get(p.base + "/setup"); status != 403 || strings.Contains(text, "password") {
		t.Errorf("without the token: %d %s", status, text)
	}
	status, _, page := b.get(link)
	csrf := csrfField.FindStringSubmatch(page)
	if status != 200 || csrf == nil {
		t.Fatalf("the page: %d %s", status, page)
	}
	at, err := url.Parse(link)
	programOK(t, err)
	form := url.Values{"csrf": {csrf[1]}, "token": at.Query()["token"], "name": {"网上建的馆"}, "zone": {"Asia/Shanghai"}, "courts": {"2"}, "opens": {"08:00"}, "closes": {"22:00"},
		"slot_minutes": {"60"}, "day_price": {"40"}, "hold_minutes": {"10"}, "username": {"boss"}, "password": {"a-long-password"}, "again": {"a-long-password"}}
	status, to, page := b.answer(b.http.PostForm(p.base+"/setup", form))
	if status != 303 || to != "/owner/start?said=made" {
		t.Fatalf("setting up: %d to %q: %s", status, to, page)
	}
	if status, _, page = b.get(p.base + to); status != 200 || !strings.Contains(page, "场馆已建好") {
		t.Errorf("what comes next: %d %s", status, page)
	}
	if status, _, _ = b.get(link); status != 404 {
		t.Errorf("the link still leads somewhere: %d", status)
	}
	p.get("/api/v1/venue", "").wants(200).has("网上建的馆", "name").has("2号场", "courts", 1, "name")
	p.stop()
	if text := p.stderr.String(); strings.Contains(text, "level=ERROR") || strings.Contains(text, at.Query().Get("token")) {
		t.Errorf("the log: %s", text)
	}

	// Started again, with the flag or without it, it is a venue like any other.
	for _, args := range [][]string{{"serve", "--db", path}, {"serve", "--setup", "--db", path}} {
		p = programStart(t, nil, append(args, "--listen", "127.0.0.1:0")...)
		owner := p.post("/api/v1/login/staff", "", programBody{"username": "boss", "password": "a-long-password"}).wants(200).str("token")
		p.get("/api/v1/owner/policy", owner).wants(200)
		if res, err := http.Get(p.base + "/setup?token=" + at.Query().Get("token")); err != nil || res.StatusCode != 404 {
			t.Errorf("set-up of a venue: %v %v", res, err)
		} else {
			res.Body.Close()
		}
		if strings.Contains(p.stdout.String(), "setup") {
			t.Errorf("a link: %s", p.stdout)
		}
		p.stop()
	}
}

package web_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
)

// TestThePageBeforeTheSetUpLeadsNowhere: every other page says the same.
func TestThePageBeforeTheSetUpLeadsNowhere(t *testing.T) {
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "new.db"), Create: true})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	log := slog.New(slog.DiscardHandler)
	s := &site{t: t, db: db, app: app.New(app.Config{DB: db, Log: log}), contract: &contract{}}
	s.http, err = web.New(web.Config{App: s.app, Log: log, Version: "test", SetUpToken: "a-token"})
	must(t, err)
	a := s.person("GET", "/desk", "").wants(503)
	if !strings.Contains(a.text, "has not been set up") || strings.Contains(a.text, "<nav") || strings.Contains(a.text, `href="/login"`) {
		t.Errorf("the page leads somewhere:\n%s", a.text)
	}
}

// TestWhatIsNoRequestIsAnsweredLikeOne: the machinery below refuses it before anybody
// else sees it, and a browser is told the same of the answer.
func TestWhatIsNoRequestIsAnsweredLikeOne(t *testing.T) {
	s := serve(t, false)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go func() { _ = s.http.Listener(listener) }()
	t.Cleanup(func() { must(t, s.http.Shutdown()) })
	for name, row := range map[string]struct {
		text   string
		status int
	}{
		"malformed": {"GET / HTTP/1.1\r\nno header at all\r\n\r\n", 400},
		"long":      {"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 9<<10) + "\r\n\r\n", 431},
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		must(t, err)
		must(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
		_, err = conn.Write([]byte(row.text))
		must(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must(t, err)
		answer.Body.Close()
		conn.Close()
		if answer.StatusCode != row.status || answer.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src") {
			t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
		}
	}
}

// browser is somebody signed in on pages, with the token of their forms.
func (s *site) browser(username, password string) (cookie, csrf string) {
	s.t.Helper()
	page := s.person("GET", "/desk/login", "").wants(200)
	anonymous, _, _ := strings.Cut(page.header.Get("Set-Cookie"), ";")
	form := url.Values{"csrf": {tokenInForm.FindStringSubmatch(page.text)[1]}, "username": {username}, "password": {password}}
	in := s.fromForm("/desk/login", anonymous, form).wants(303)
	cookie, _, _ = strings.Cut(in.header.Get("Set-Cookie"), ";")
	mine := s.send(ask{method: "GET", path: "/desk", header: map[string]string{"Cookie": cookie, "Accept": "text/html"}}).wants(200)
	return cookie, tokenInForm.FindStringSubmatch(mine.text)[1]
}

func (s *site) fromForm(path, cookie string, form url.Values) answer {
	s.t.Helper()
	return s.send(ask{method: "POST", path: path, body: form.Encode(), header: map[string]string{
		"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
}

// TestAYearOfExceptionsIsSaved: the owner's longest form is more than anything else may be.
func TestAYearOfExceptionsIsSaved(t *testing.T) {
	s := serve(t, true)
	cookie, csrf := s.browser("owner", "owner-demo-2026")
	venue, _, _, err := s.app.Venue(t.Context())
	must(t, err)
	form := url.Values{"csrf": {csrf}, "act": {"save"}, "slot_minutes": {"90"}, "mark": {app.Mark(venue.Calendar.Hours)}}
	for day := range 7 {
		form.Set(fmt.Sprintf("weekly.%d.opens", day), "08:30")
		form.Set(fmt.Sprintf("weekly.%d.closes", day), "22:00")
	}
	first, err := domain.ParseDate("", "2027-01-01")
	must(t, err)
	for n := range 1000 {
		at := fmt.Sprintf("x.%d.", n)
		form.Add("xrow", fmt.Sprint(n))
		form.Set(at+"date", first.AddDays(n).String())
		form.Set(at+"closed", "on")
		form.Set(at+"note", "club day")
	}
	if size := len(form.Encode()); size <= domain.MaxBodyBytes {
		t.Fatalf("the form has %d bytes only", size)
	}
	s.fromForm("/owner/hours", cookie, form).wants(303)
	venue, _, _, err = s.app.Venue(t.Context())
	must(t, err)
	if n := len(venue.Calendar.Hours.Exceptions); n != 1000 {
		t.Errorf("%d exceptions", n)
	}
	s.fromForm("/desk/orders", cookie, form).wants(413)
	s.post("/api/v1/owner/hours", "", strings.Repeat(" ", domain.MaxBodyBytes+1)).wants(413, "body_too_large")
}

// deaf carries no message until it is mended.
type deaf struct {
	broken bool
	sent   int
}

func (d *deaf) Name() string { return "deaf" }

func (d *deaf) Send(context.Context, notify.Message) error {
	if d.broken {
		return fmt.Errorf("%w: no way out", notify.ErrRefused)
	}
	d.sent++
	return nil
}

// TestACodeThatWasNotSentIsInNoOnesWay: where it surely was not, the next may be asked for at once.
func TestACodeThatWasNotSentIsInNoOnesWay(t *testing.T) {
	s := serve(t, false)
	channel := &deaf{broken: true}
	a := app.New(app.Config{DB: s.db, Channel: channel, Log: slog.New(slog.DiscardHandler)})
	_, err := a.SendLoginCode(t.Context(), "13800000007", "")
	if !domain.IsReason(err, "code_not_sent") {
		t.Fatalf("%v", err)
	}
	channel.broken = false
	if _, err = a.SendLoginCode(t.Context(), "13800000007", ""); err != nil || channel.sent != 1 {
		t.Fatalf("%v, %d sent", err, channel.sent)
	}
	if _, err = a.SendLoginCode(t.Context(), "13800000007", ""); !domain.IsReason(err, "code_just_sent") {
		t.Errorf("%v", err)
	}
}

// TestTheOwnerAcceptsTheClock: set back by an hour, it lets the owner in, who accepts it,
// and after that the desk.
func TestTheOwnerAcceptsTheClock(t *testing.T) {
	s := serve(t, false)
	s.wall.Add(3600) // an hour later something is written
	s.browser("desk", "desk-demo-2026")
	s.wall.Add(-3600)
	page := s.person("GET", "/desk/login", "").wants(200)
	anonymous, _, _ := strings.Cut(page.header.Get("Set-Cookie"), ";")
	desk := url.Values{"csrf": {tokenInForm.FindStringSubmatch(page.text)[1]}, "username": {"desk"}, "password": {"desk-demo-2026"}}
	s.fromForm("/desk/login", anonymous, desk).wants(503)
	cookie, csrf := s.browser("owner", "owner-demo-2026")
	s.fromForm("/owner/clock/accept", cookie, url.Values{"csrf": {csrf}}).wants(303)
	s.fromForm("/desk/login", anonymous, desk).wants(303)
}

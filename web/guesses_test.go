package web_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/httpx"
)

var tokenInForm = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// guesser asks from any address that it likes.
func guesser(t *testing.T) (s *site, send func(from, path, kind, body string) answer) {
	s = serve(t, false, func(c *web.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")} })
	page := s.get("/desk/login", "").wants(200)
	token := tokenInForm.FindStringSubmatch(page.text)[1]
	cookie, _, _ := strings.Cut(page.header.Get("Set-Cookie"), ";")
	return s, func(from, path, kind, body string) answer {
		if kind == "" {
			kind, body = "application/x-www-form-urlencoded", body+"&csrf="+url.QueryEscape(token)
		}
		return s.send(ask{method: "POST", path: path, body: body, header: map[string]string{
			"X-Forwarded-For": from, "Content-Type": kind, "Cookie": cookie, "Accept": "text/html"}})
	}
}

// TestWhatIsTriedIsCounted: whatever else a guess carries or however its name is
// written, the account that is tried runs out of guesses.
func TestWhatIsTriedIsCounted(t *testing.T) {
	const asJSON = "application/json"
	for name, guess := range map[string]func(n int) (path, kind, body string){
		"blanks behind the name": func(n int) (string, string, string) {
			return "/desk/login", "", "username=owner" + strings.Repeat("+", n) + "&password=wrong"
		},
		"a phone beside the name": func(n int) (string, string, string) {
			return "/desk/login", "", fmt.Sprintf("username=owner&password=wrong&phone=138000%05d", n)
		},
		"blanks in JSON": func(n int) (string, string, string) {
			return "/api/v1/login/staff", asJSON, `{"username":"owner` + strings.Repeat(" ", n) + `","password":"wrong"}`
		},
		"page and API in turn": func(n int) (string, string, string) {
			if n%2 == 0 {
				return "/desk/login", "", "username=owner&password=wrong"
			}
			return "/api/v1/login/staff", asJSON, `{"username":"owner","password":"wrong"}`
		},
		"a phone otherwise written": func(n int) (string, string, string) {
			return "/login", "", "username=x" + fmt.Sprint(n) + "&phone=138" + strings.Repeat("+", n) + "00000001&code=000000"
		},
	} {
		_, send := guesser(t)
		for n := range httpx.MaxLoginsPerName {
			path, kind, body := guess(n)
			send("203.0.113.1", path, kind, body).wants(401)
		}
		path, kind, body := guess(httpx.MaxLoginsPerName)
		if a := send("203.0.113.1", path, kind, body); a.status != 429 || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q", name, a.status, a.header.Get("Retry-After"))
		}
	}
}

// TestLoginsComeFromTheForm: what stands in the address is nobody's password.
func TestLoginsComeFromTheForm(t *testing.T) {
	_, send := guesser(t)
	if a := send("203.0.113.1", "/desk/login?username=owner&password=owner-demo-2026", "", "x=1"); a.status == 303 {
		t.Error("an address signs in")
	}
	a := send("203.0.113.1", "/desk/login?username=owner&password=owner-demo-2026", "application/json", `{"username":"x"}`)
	if a.status == 303 {
		t.Error("an address beside JSON signs in")
	}
	in := send("203.0.113.1", "/desk/login?username=nobody&password=x&next=/rules", "", "username=owner&password=owner-demo-2026").wants(303)
	if to := in.header.Get("Location"); to != "/desk" {
		t.Errorf("the address leads on to %s", to)
	}
}

// TestStrangersDoNotLockTheOwnerOut: guesses from one address leave the account to
// the others; guesses from very many do not go on for ever.
func TestStrangersDoNotLockTheOwnerOut(t *testing.T) {
	_, send := guesser(t)
	// What is refused does not count: as many go on and on as would do it otherwise.
	for n := range (httpx.MaxLoginsAnyhow - 1) / httpx.MaxLoginsPerName {
		for tried := range httpx.MaxLogins {
			status := 401
			if tried >= httpx.MaxLoginsPerName {
				status = 429
			}
			send(fmt.Sprintf("203.0.113.%d", 10+n), "/desk/login", "", "username=owner&password=wrong").wants(status)
		}
	}
	send("203.0.113.2", "/desk/login", "", "username=owner&password=owner-demo-2026").wants(303)
	for n := range httpx.MaxLoginsAnyhow {
		send(fmt.Sprintf("198.51.100.%d", n/5), "/desk/login", "", "username=owner&password=wrong")
	}
	send("198.51.100.99", "/desk/login", "", "username=owner&password=wrong").wants(429)
	send("198.51.100.99", "/desk/login", "", "username=desk&password=desk-demo-2026").wants(303)
}

// TestTheClockIsBehind: who sees to it gets in, and whoever wants to go gets out.
func TestTheClockIsBehind(t *testing.T) {
	s := open(t)
	must(t, s.db.SetDemoClock(t.Context(), func(sqlite.ClockState) (domain.Instant, bool) { return at(t, noon) - 3600, true }))
	s.post("/api/v1/orders", s.customer, slot("c2", evening)).wants(503, "clock_behind")
	page := s.get("/desk/login", "").wants(200)
	cookie, _, _ := strings.Cut(page.header.Get("Set-Cookie"), ";")
	form := "csrf=" + url.QueryEscape(tokenInForm.FindStringSubmatch(page.text)[1])
	send := func(path, cookie, body string) answer {
		return s.send(ask{method: "POST", path: path, body: body, header: map[string]string{"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
	}
	if a := send("/desk/login", cookie, form+"&username=desk&password=desk-demo-2026").wants(503); a.header.Get("Retry-After") == "" {
		t.Error("the page does not say when to try again")
	}
	in := send("/desk/login", cookie, form+"&username=owner&password=owner-demo-2026").wants(303)
	session, _, _ := strings.Cut(in.header.Get("Set-Cookie"), ";")
	mine := s.send(ask{method: "GET", path: "/owner/reconciler", header: map[string]string{"Cookie": session, "Accept": "text/html"}}).wants(200)
	form = "csrf=" + url.QueryEscape(tokenInForm.FindStringSubmatch(mine.text)[1])
	out := send("/logout", session, form).wants(303)
	if !strings.HasPrefix(out.header.Get("Set-Cookie"), httpx.SessionCookie+"=;") {
		t.Errorf("the cookie stays: %q", out.header.Get("Set-Cookie"))
	}
	s.send(ask{method: "GET", path: "/owner/reconciler", header: map[string]string{"Cookie": session, "Accept": "text/html"}}).wants(303)
	s.post("/api/v1/logout", s.customer, "").wants(204)
	s.get("/api/v1/me", s.customer).wants(401)
}

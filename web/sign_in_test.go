package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web"
	"courtd/web/httpx"
)

// letters keeps the last message of each phone.
type letters struct{ last sync.Map }

func (l *letters) Name() string { return "letters" }

func (l *letters) Send(_ context.Context, m notify.Message) error {
	l.last.Store(m.Phone, m.Text)
	return nil
}

// code is the one that was sent last.
func (l *letters) code(phone string) string {
	text, _ := l.last.Load(phone)
	return regexp.MustCompile(`\d{6}`).FindString(fmt.Sprint(text))
}

// visitor asks from an address and keeps cookies.
type visitor struct {
	s       *site
	from    string
	cookies map[string]*http.Cookie
}

func (v *visitor) send(method, path, kind, body string) answer {
	v.s.t.Helper()
	var cookies []string
	for name, c := range v.cookies {
		cookies = append(cookies, name+"="+c.Value)
	}
	a := v.s.send(ask{method: method, path: path, body: body, header: map[string]string{
		"X-Forwarded-For": v.from, "Content-Type": kind, "Cookie": strings.Join(cookies, "; "), "Accept": "text/html"}})
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		if v.cookies[c.Name] = c; c.Value == "" {
			delete(v.cookies, c.Name)
		}
	}
	return a
}

// fill sends a form as a browser does that has seen it.
func (v *visitor) fill(page, path string, form url.Values) answer {
	v.s.t.Helper()
	form.Set("csrf", tokenInForm.FindStringSubmatch(v.send("GET", page, "", "").wants(200).text)[1])
	return v.send("POST", path, "application/x-www-form-urlencoded", form.Encode())
}

func (v *visitor) signIn(username, password string) answer {
	v.s.t.Helper()
	return v.fill("/desk/login", "/desk/login", url.Values{"username": {username}, "password": {password}})
}

func (v *visitor) json(path, body string) answer {
	v.s.t.Helper()
	return v.send("POST", path, "application/json", body)
}

// street is a venue in earnest with people who ask from where they are.
func street(t *testing.T) (*letters, func(from string) *visitor) {
	box := &letters{}
	s := serve(t, false, func(c *web.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")}
		c.App = app.New(app.Config{DB: c.App.DB(), Channel: box, Log: slog.New(slog.DiscardHandler)})
	})
	return box, func(from string) *visitor { return &visitor{s: s, from: from, cookies: map[string]*http.Cookie{}} }
}

// TestAStrangerEndsNobodysCode: guesses from an address, or from anywhere in an IPv6
// network, are that one's own, by the API and the page.
func TestAStrangerEndsNobodysCode(t *testing.T) {
	const phone = "13800000001"
	for name, address := range map[string]func(n int) string{
		"an address": func(int) string { return "203.0.113.1" },
		"a network":  func(n int) string { return fmt.Sprintf("2001:db8:1:2::%x", n+1) },
	} {
		box, at := street(t)
		enter := func(code string) string { return `{"phone":"` + phone + `","code":"` + code + `"}` }
		home := at("198.51.100.1")
		home.fill("/login", "/login/code", url.Values{"phone": {phone}}).wants(200)
		code := box.code(phone)
		for n := range domain.MaxLoginCodeTries {
			at(address(n)).json("/api/v1/login", enter("none")).wants(401)
		}
		at(address(98)).json("/api/v1/login", enter(code)).wants(401)
		at(address(99)).json("/api/v1/login/code", `{"phone":"`+phone+`"}`).wants(200) // at once
		if box.code(phone) == code {
			continue // one in a million
		}
		if in := home.fill("/login", "/login", url.Values{"phone": {phone}, "code": {code}}); in.status != 303 {
			t.Errorf("%s: the customer's own code: %d", name, in.status)
		}
	}
}

// TestAStrangerUsesUpNoDay: a phone gets codes for others when one has had enough.
func TestAStrangerUsesUpNoDay(t *testing.T) {
	box, at := street(t)
	const body = `{"phone":"13800000001"}`
	stranger, home := at("203.0.113.1"), at("198.51.100.1")
	for range domain.LoginCodesPerAddress {
		stranger.json("/api/v1/login/code", body).wants(200)
		stranger.s.wall.Add(app.CodePause)
	}
	if a := stranger.json("/api/v1/login/code", body).wants(429); !strings.Contains(a.text, "too_many_codes") && a.json["reason"] != "too_many_codes" {
		t.Errorf("%s", a.text)
	}
	home.json("/api/v1/login/code", body).wants(200)
	home.json("/api/v1/login", `{"phone":"13800000001","code":"`+box.code("13800000001")+`"}`).wants(200)
}

// besiege has so many strangers guess at an account that nobody may any more.
func besiege(at func(string) *visitor, username string) {
	for n := range httpx.MaxLoginsAnyhow {
		at(fmt.Sprintf("203.0.113.%d", n)).json("/api/v1/login/staff", `{"username":"`+username+`","password":"wrong"}`)
	}
	at("203.0.113.254").json("/api/v1/login/staff", `{"username":"`+username+`","password":"wrong"}`).wants(429)
}

// TestStrangersDoNotLockOutWhoWasThereBefore: a browser in which the owner has signed in
// does so again, whoever guesses meanwhile.
func TestStrangersDoNotLockOutWhoWasThereBefore(t *testing.T) {
	const password = "owner-demo-2026"
	_, at := street(t)
	office := at("198.51.100.1")
	in := office.signIn("owner", password).wants(303)
	cookie := office.cookies[httpx.BrowserCookie]
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 180*24*3600 || cookie.Secure {
		t.Fatalf("cookie %v of %v", cookie, in.header["Set-Cookie"])
	}
	office.fill("/desk", "/logout", url.Values{}).wants(303)
	if office.cookies[httpx.SessionCookie] != nil || office.cookies[httpx.BrowserCookie] == nil {
		t.Fatalf("after signing out: %v", office.cookies)
	}
	besiege(at, "owner")
	besiege(at, "desk")
	besiege(at, "nobody")
	at("198.51.100.2").signIn("owner", password).wants(429)
	office.from = "198.51.100.3" // wherever it is by now
	for _, name := range []string{"desk", "nobody"} {
		office.signIn(name, "wrong").wants(429) // it is known for the owner alone
	}
	office.signIn("owner", "wrong").wants(401)
	office.signIn(" owner", password).wants(303)
	// The API has no cookies.
	office.json("/api/v1/login/staff", `{"username":"owner","password":"`+password+`"}`).wants(429)
}

// TestAStolenCookieGuessesNoFaster: from however many addresses it has one count more
// than anybody, and using that up keeps out nobody, not even who was robbed.
func TestAStolenCookieGuessesNoFaster(t *testing.T) {
	const password = "owner-demo-2026"
	_, at := street(t)
	office := at("198.51.100.1")
	office.signIn("owner", password).wants(303)
	thief := func(n int) *visitor {
		v := at(fmt.Sprintf("203.0.113.%d", n))
		v.cookies[httpx.BrowserCookie] = office.cookies[httpx.BrowserCookie]
		return v
	}
	for n := range httpx.MaxLoginsPerName {
		thief(n).signIn("owner", "wrong").wants(401)
	}
	delete(office.cookies, httpx.SessionCookie)
	office.signIn("owner", password).wants(303)
	for range httpx.MaxLoginsPerName {
		thief(99).signIn("owner", "wrong").wants(401)
	}
	if a := thief(99).signIn("owner", password).wants(429); a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	at("198.51.100.2").signIn("owner", password).wants(303)
	// A colleague's cookie is nothing special for the owner's name.
	desk := at("198.51.100.4")
	desk.signIn("desk", "desk-demo-2026").wants(303)
	delete(desk.cookies, httpx.SessionCookie)
	for range httpx.MaxLoginsPerName {
		desk.signIn("owner", "wrong").wants(401)
	}
	desk.signIn("owner", "wrong").wants(429)
}

// TestTheBrowserCookieIsForHTTPSWhereTheSessionIs: one of the two is no weaker than the other.
func TestTheBrowserCookieIsForHTTPSWhereTheSessionIs(t *testing.T) {
	s := serve(t, true, func(c *web.Config) { c.SecureCookies = true })
	v := &visitor{s: s, from: "", cookies: map[string]*http.Cookie{}}
	v.signIn("desk", "desk-demo-2026").wants(303)
	for _, name := range []string{httpx.SessionCookie, httpx.BrowserCookie} {
		if c := v.cookies[name]; c == nil || !c.Secure {
			t.Errorf("%s: %v", name, c)
		}
	}
}

package web_test

import (
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/httpx"
)

// person asks as somebody in front of a browser does.
func (s *site) person(method, path, body string) answer {
	s.t.Helper()
	return s.send(ask{method: method, path: path, body: body, header: map[string]string{
		"Accept": "text/html,*/*;q=0.8", "Accept-Language": "en", "Content-Type": "application/x-www-form-urlencoded"}})
}

func isPage(t *testing.T, a answer, words string) {
	t.Helper()
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.text, words) || !strings.Contains(a.text, `<html lang="en">`) {
		t.Errorf("no page that says %q: %s\n%s", words, a.header.Get("Content-Type"), a.text)
	}
	if a.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(a.header.Get("Content-Security-Policy"), "default-src") {
		t.Errorf("headers %v", a.header)
	}
}

func TestPeopleAreRefusedInWords(t *testing.T) {
	s := serve(t, false)
	isPage(t, s.person("POST", "/orders", strings.Repeat("x", domain.MaxBodyBytes+1)).wants(413), "too")
	s.send(ask{method: "POST", path: "/api/v1/orders", body: strings.Repeat(" ", domain.MaxBodyBytes+1), header: map[string]string{"Accept": "text/html"}}).wants(413, "body_too_large")
	n := 0
	for s.get("/api/v1/venue", "").status == 200 {
		if n++; n > httpx.MaxPerAddress {
			t.Fatal("no limit for an address")
		}
	}
	a := s.person("GET", "/", "").wants(429)
	isPage(t, a, "<h1>")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.get("/api/v1/venue", "").wants(429, "too_many")
	// Assets are not what the address has asked too many of.
	if a := s.get("/static/nothing", ""); a.status != 404 {
		t.Errorf("an asset: %d", a.status)
	}
}

// TestTheOwnersFormsMayBeLonger: they have a bound of their own, and nothing else does.
func TestTheOwnersFormsMayBeLonger(t *testing.T) {
	s := serve(t, true)
	form := func(n int) string { return strings.Repeat("x", n) }
	s.person("POST", "/owner/hours", form(domain.MaxBodyBytes+1)).wants(403) // no token; it was read
	s.person("POST", "/owner/hours", form(1<<20)).wants(403)
	isPage(t, s.person("POST", "/owner/hours", form(1<<20+1)).wants(413), "too")
	for _, path := range []string{"/orders", "/desk/orders", "/owner", "/ownership", "/api/v1/owner/hours"} {
		s.person("POST", path, form(domain.MaxBodyBytes+1)).wants(413)
	}
}

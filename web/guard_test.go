package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"courtd/web"
	"courtd/web/httpx"
)

// TestLogTellsNothingPersonal: one line for each request, with what was asked and
// how it ended, and never a token, code, phone, password or name.
func TestLogTellsNothingPersonal(t *testing.T) {
	s := open(t)
	s.send(ask{method: http.MethodPut, path: "/api/v1/me", token: s.customer, body: `{"name":"李小明"}`}).wants(200)
	id := s.book(s.customer, slot("c1", evening))
	s.pay(s.customer, id)
	code := s.get("/api/v1/orders/"+id+"?secret=1", s.customer).wants(422).text
	code = s.get("/api/v1/orders/"+id, s.customer).wants(200).str("ticket", "code")
	s.post("/api/v1/desk/checkins", s.desk, `{"code":"`+code+`"}`).wants(200)
	log := s.log.String()
	for _, secret := range []string{s.customer, s.desk, s.owner, code, "13800000001", "李小明", "desk-demo-2026", id, "secret"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log says %s", secret)
		}
	}
	for _, want := range []string{"method=POST path=/api/v1/orders status=201", "path=/api/v1/orders/:id status=200", "request="} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "level=ERROR") {
		t.Errorf("errors without a fault:\n%s", log)
	}
}

// TestFaultsLeakNothing: what breaks on our side is a 500 that says nothing, and
// one line in the log that says all.
func TestFaultsLeakNothing(t *testing.T) {
	s := serve(t, true, func(c *web.Config) {
		c.Run = func(_ context.Context, _, retry bool) (any, error) {
			if retry {
				panic("secret panic")
			}
			return nil, fmt.Errorf("secret fault in /var/lib")
		}
	})
	owner := s.signInStaff("owner")
	for body, secret := range map[string]string{"": "secret fault", `{"retry_parked":true}`: "secret panic"} {
		a := s.post("/api/v1/owner/reconciler/run", owner, body).wants(500, "internal")
		if strings.Contains(a.text, "secret") {
			t.Errorf("it leaks: %s", a.text)
		}
		if n := strings.Count(s.log.String(), secret); n != 1 {
			t.Errorf("%q is %d times in the log", secret, n)
		}
		if !strings.Contains(s.log.String(), a.header.Get("X-Request-Id")) {
			t.Error("the log does not name the request")
		}
	}
	if !strings.Contains(s.log.String(), "guard_test.go") {
		t.Error("the panic's stack is not in the log")
	}
	s.get("/api/v1/venue", "").wants(200)
}

func TestStoreThatCannotBeRead(t *testing.T) {
	s := serve(t, true)
	must(t, s.db.Close())
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := s.get(path, "").wants(503); a.json["status"] != "unavailable" || a.json["reason"] != "unavailable" {
			t.Errorf("%s: %s", path, a.text)
		}
	}
	s.get(today, "").wants(503, "unavailable")
	s.send(ask{method: http.MethodGet, path: "/api/v1/me", token: "whatever"}).wants(503, "unavailable")
}

func TestRateLimits(t *testing.T) {
	s := serve(t, false)
	phone := `{"phone":"13800000001","code":"000000"}`
	for range httpx.MaxLoginsPerName {
		s.post("/api/v1/login", "", phone).wants(401, "code_invalid")
	}
	limited := s.post("/api/v1/login", "", phone).wants(429, "too_many")
	if limited.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	// The same phone otherwise written is the same phone; another is not.
	s.post("/api/v1/login/code", "", `{"phone":"+86 138-0000-0001"}`).wants(429, "too_many")
	s.post("/api/v1/login", "", `{"phone":"13800000002","code":"000000"}`).wants(401, "code_invalid")
	for s.post("/api/v1/login", "", `{"phone":"13800000003","code":"0"}`).status == 401 {
	}
	s.post("/api/v1/login", "", `{"phone":"13800000004","code":"000000"}`).wants(429, "too_many")
	n := 0
	for s.get("/api/v1/venue", "").status == 200 {
		if n++; n > httpx.MaxPerAddress {
			t.Fatal("no limit for an address")
		}
	}
	s.get("/api/v1/venue", "").wants(429, "too_many")
	s.get("/healthz", "").wants(200)
}

func TestNoRateLimitsInDemo(t *testing.T) {
	s := open(t)
	for range httpx.MaxPerAddress + 10 {
		s.get("/api/v1/me", s.customer).wants(200)
	}
	for range httpx.MaxLogins + 5 {
		s.post("/api/v1/login", "", `{"phone":"13800000001","code":"000000"}`).wants(401, "code_invalid")
	}
}

// TestProxies: X-Forwarded-For is believed only from a trusted proxy, and from the
// right. Test requests come from 0.0.0.0.
func TestProxies(t *testing.T) {
	limitedBy := func(forwarded func(i int) string, trusted ...string) bool {
		s := serve(t, false, func(c *web.Config) {
			for _, network := range trusted {
				c.TrustedProxies = append(c.TrustedProxies, netip.MustParsePrefix(network))
			}
		})
		for i := range httpx.MaxLogins + 1 {
			a := s.send(ask{method: http.MethodPost, path: "/api/v1/login", body: fmt.Sprintf(`{"phone":"138000%05d","code":"0"}`, i),
				header: map[string]string{"X-Forwarded-For": forwarded(i)}})
			if a.status == 429 {
				return true
			}
		}
		return false
	}
	changing := func(i int) string { return fmt.Sprintf("203.0.113.%d", i) }
	faked := func(i int) string { return fmt.Sprintf("203.0.113.%d, 198.51.100.7", i) }
	throughTwo := func(i int) string { return fmt.Sprintf("1.1.1.1, 203.0.113.%d, 10.0.0.2", i) }
	sixes := func(i int) string { return fmt.Sprintf("2001:db8:1:2::%x", i+1) }
	for _, c := range []struct {
		name      string
		forwarded func(int) string
		trusted   []string
		limited   bool
	}{
		{"nobody is trusted", changing, nil, true},
		{"the proxy is trusted", changing, []string{"0.0.0.0/32"}, false},
		{"the client writes the left of it", faked, []string{"0.0.0.0/32"}, true},
		{"two proxies", throughTwo, []string{"0.0.0.0/32", "10.0.0.0/8"}, false},
		{"two proxies of which one is not trusted", throughTwo, []string{"0.0.0.0/32"}, true},
		{"one IPv6 network", sixes, []string{"0.0.0.0/32"}, true},
		{"with a port", func(i int) string { return fmt.Sprintf("203.0.113.%d:%d", i, 40000+i) }, []string{"0.0.0.0/32"}, false},
		{"another port every time", func(i int) string { return fmt.Sprintf("203.0.113.7:%d", 40000+i) }, []string{"0.0.0.0/32"}, true},
		{"in brackets", func(i int) string { return fmt.Sprintf("[203.0.113.%d]", i) }, []string{"0.0.0.0/32"}, false},
		{"IPv6 with a port", func(i int) string { return fmt.Sprintf("[2001:db8:%x::1]:443", i+1) }, []string{"0.0.0.0/32"}, false},
		{"an empty element at the end", func(i int) string { return fmt.Sprintf("203.0.113.%d, ", i) }, []string{"0.0.0.0/32"}, false},
		{"nonsense", func(i int) string { return fmt.Sprint("unknown", i) }, []string{"0.0.0.0/32"}, true},
	} {
		if got := limitedBy(c.forwarded, c.trusted...); got != c.limited {
			t.Errorf("%s: limited %v", c.name, got)
		}
	}
}

func TestAnswersTellBrowsersTheirLimits(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/", "/docs", "/api/v1/venue", "/nowhere", "/healthz"} {
		a := s.get(path, "")
		policy := a.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'self'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") == "" {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	for _, path := range []string{"/", "/api/v1/orders", "/healthz"} {
		a := s.send(ask{method: "BREW", path: path}).wants(400, "malformed")
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("BREW %s: %v", path, a.header)
		}
	}
	if got := s.get("/api/v1/me", s.customer).header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("personal answers may be kept: %q", got)
	}
}

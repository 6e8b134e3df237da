package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestC45: a real venue counts requests by the address they come from, whatever
// they say, unless the one who says it is a known proxy.
func TestC45(t *testing.T) {
	t.Parallel()
	const most = 300 // requests of an address in a minute
	path := filepath.Join(t.TempDir(), "venue.db")
	if status, _, complaints := programRun(t, []string{"COURTD_OWNER_PASSWORD=a-long-password"}, "init", "--db", path, "--name", "馆"); status != 0 {
		t.Fatal(complaints)
	}
	from := func(p *program, forwarded string) int {
		t.Helper()
		return p.send(programAsk{method: http.MethodGet, path: "/api/v1/venue", header: map[string]string{"X-Forwarded-For": forwarded, "X-Real-IP": forwarded}}).status
	}
	p := programStart(t, nil, "serve", "--db", path, "--listen", "127.0.0.1:0", "--reconcile-every", "0")
	for i := range most {
		if status := from(p, fmt.Sprintf("10.0.%d.%d", i/250, i%250+1)); status != 200 {
			t.Fatalf("request %d: status %d", i, status)
		}
	}
	if status := from(p, "10.9.9.9"); status != 429 {
		t.Fatalf("a forged address is believed: status %d", status)
	}
	limited := p.get("/api/v1/venue", "").wants(429, "too_many")
	if limited.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	p.get("/healthz", "").wants(200)
	p.stop()

	p = programStart(t, nil, "serve", "--db", path, "--listen", "127.0.0.1:0", "--reconcile-every", "0", "--trusted-proxy", "127.0.0.1/32")
	for i := range most {
		if status := from(p, fmt.Sprintf("10.0.%d.%d, 192.0.2.7", i/250, i%250+1)); status != 200 {
			t.Fatalf("request %d behind the proxy: status %d", i, status)
		}
	}
	if status := from(p, "10.9.9.9, 192.0.2.7"); status != 429 {
		t.Fatalf("the forged part is believed: status %d", status)
	}
	for i := range 100 {
		if status := from(p, fmt.Sprintf("192.0.2.%d", i+8)); status != 200 {
			t.Fatalf("neighbour %d: status %d", i, status)
		}
	}
	p.stop()
}

// TestC46: bodies up to 64 KiB, whole or in chunks, and not a byte more.
func TestC46(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a := c.customer("13800000001")
	padded := func(text string, size int) string { return text + strings.Repeat(" ", size-len(text)) }
	order := `{"goods":[{"id":"g3","qty":1}]}`
	routes := []struct {
		path, token, body string
		status            int
	}{
		{"/api/v1/login/code", "", `{"phone":"13800000009"}`, 200},
		{"/api/v1/orders", a, order, 201},
		{"/api/v1/pay/sandbox/notify", "", `{}`, 401},
		{"/api/v1/desk/checkins", c.desk, `{"code":"x"}`, 200},
	}
	for _, r := range routes {
		for _, chunked := range []bool{false, true} {
			for _, size := range []int{64 << 10, 64<<10 + 1, 1 << 20} {
				var body any = padded(r.body, size)
				if chunked {
					body = io.MultiReader(strings.NewReader(body.(string))) // of unknown length
				}
				before := c.dump()
				got, err := c.try(programAsk{method: http.MethodPost, path: r.path, token: r.token, body: body})
				switch {
				case err != nil && size < 1<<20: // of far too much the server need not hear the end
					t.Fatalf("%s with %d bytes, chunked %v: %v", r.path, size, chunked, err)
				case size == 64<<10 && got.status != r.status && got.status != 200:
					t.Errorf("%s with %d bytes, chunked %v: status %d: %s", r.path, size, chunked, got.status, got.text)
				case size > 64<<10 && err == nil:
					got.wants(413, "body_too_large")
				}
				if size > 64<<10 {
					programSame(t, before, c.dump())
				}
			}
		}
	}
	// Bodies that never come keep nobody from being served.
	for range 64 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
		programOK(t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", a)
		programOK(t, err)
	}
	c.paid(c.customer("13800000002"), programSlot("c1", "17:30"))
}

// TestC51: another customer's things are not there, on any route that the contract
// has, and nobody's token opens what is for others.
func TestC51(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	order, _ := c.paid(a, programSlot("c1", "17:30"))
	held := c.book(a, programGoods("g1", 1, ""))
	number := c.open(a, held)
	contract := c.get("/openapi.json", "").wants(200)
	before := c.dump()
	tried, hidden := 0, 0
	for path, methods := range programMap(contract.in("paths")) {
		for method := range programMap(methods) {
			if !strings.Contains(path, "{") || strings.HasPrefix(path, "/demo") {
				continue
			}
			for _, id := range []string{order, held, number, order + "-1"} {
				var body any
				if strings.HasSuffix(path, "/payments") {
					body = programBody{"via": "sandbox"}
				}
				ask := programAsk{method: strings.ToUpper(method), path: regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, id), token: b, body: body}
				got := c.send(ask)
				tried++
				if strings.HasPrefix(path, "/api/v1/orders/") {
					got.wants(404, "not_found")
					hidden++
				} else {
					got.wants(403, "forbidden")
				}
				ask.token = ""
				c.send(ask).wants(401, "unauthenticated")
			}
		}
	}
	if hidden < 6*4 || tried < 20*4 {
		t.Fatalf("tried %d, hidden %d", tried, hidden)
	}
	for _, list := range []string{"/api/v1/orders", "/api/v1/notices"} {
		c.get(list, b).wants(200).has("[]", "items")
		c.get(list+"?customer="+order, b).wants(422, "invalid_field")
	}
	day := c.get("/api/v1/availability?date=2026-12-10", b).wants(200).text
	for _, private := range []string{"13800000001", order, held, "customer"} {
		if strings.Contains(day, private) {
			t.Errorf("the public list says %s", private)
		}
	}
	programSame(t, before, c.dump())
}

// browser is a visitor with cookies.
type programBrowser struct {
	*program
	cookies map[string]string
}

var programCSRF = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *programBrowser) do(method, path string, form url.Values, header map[string]string) programAnswer {
	b.t.Helper()
	ask := programAsk{method: method, path: path, header: map[string]string{}}
	if form != nil {
		ask.body = form.Encode()
		ask.header["Content-Type"] = "application/x-www-form-urlencoded"
	}
	maps.Copy(ask.header, header)
	var cookies []string
	for name, value := range b.cookies {
		cookies = append(cookies, name+"="+value)
	}
	if len(cookies) > 0 {
		slices.Sort(cookies)
		ask.header["Cookie"] = strings.Join(cookies, "; ")
	}
	got := b.send(ask)
	for _, cookie := range (&http.Response{Header: got.header}).Cookies() {
		b.cookies[cookie.Name] = cookie.Value
		if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode {
			b.t.Errorf("cookie %s may be read or sent by others: %v", cookie.Name, cookie)
		}
	}
	return got
}

// csrf is the token of the forms on a page.
func (b *programBrowser) csrf(path string) string {
	b.t.Helper()
	found := programCSRF.FindStringSubmatch(b.do(http.MethodGet, path, nil, nil).text)
	if found == nil {
		b.t.Fatalf("no form on %s", path)
	}
	return found[1]
}

func (p *program) browse(phone string) *programBrowser {
	p.t.Helper()
	b := &programBrowser{p, map[string]string{}}
	code := p.post("/api/v1/login/code", "", programBody{"phone": phone}).wants(200).str("code")
	form := url.Values{"csrf": {b.csrf("/login")}, "phone": {phone}, "code": {code}}
	if got := b.do(http.MethodPost, "/login", form, nil); got.status != http.StatusSeeOther {
		p.t.Fatalf("sign in: status %d: %s", got.status, got.text)
	}
	return b
}

// TestC53: a cookie alone opens no API, a form from elsewhere is refused, and a
// login code serves once.
func TestC53(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a, b := c.browse("13800000001"), c.browse("13800000002")
	order := url.Values{"date": {"2026-12-10"}, "slot": {"c1@1796895000"}, "nonce": {"n1"}}
	with := func(token string) url.Values {
		form := maps.Clone(order)
		form.Set("csrf", token)
		return form
	}
	own, other := a.csrf("/"), b.csrf("/")
	before := c.dump()
	json := map[string]string{"Content-Type": "application/json"}
	a.send(programAsk{method: http.MethodPost, path: "/api/v1/orders", body: programSlot("c1", "17:30"),
		header: map[string]string{"Cookie": "courtd_session=" + a.cookies["courtd_session"]}}).wants(401, "unauthenticated")
	for what, got := range map[string]programAnswer{
		"no token":              a.do(http.MethodPost, "/orders", order, nil),
		"another session":       a.do(http.MethodPost, "/orders", with(other), nil),
		"another site":          a.do(http.MethodPost, "/orders", with(own), map[string]string{"Origin": "https://evil.example"}),
		"no site":               a.do(http.MethodPost, "/orders", with(own), map[string]string{"Origin": "null"}),
		"a cross-site request":  a.do(http.MethodPost, "/orders", with(own), map[string]string{"Sec-Fetch-Site": "cross-site"}),
		"a same-site neighbour": a.do(http.MethodPost, "/orders", with(own), map[string]string{"Sec-Fetch-Site": "same-site"}),
		"a body that is JSON":   a.do(http.MethodPost, "/orders", with(own), json),
		"signing out":           a.do(http.MethodPost, "/logout", url.Values{}, nil),
	} {
		if got.status != http.StatusForbidden {
			t.Errorf("%s: status %d", what, got.status)
		}
	}
	programSame(t, before, c.dump())
	if got := a.do(http.MethodPost, "/orders", with(own), map[string]string{"Origin": c.base, "Sec-Fetch-Site": "same-origin"}); got.status != http.StatusSeeOther {
		t.Fatalf("the right form: status %d: %s", got.status, got.text)
	}
	id := programTexts(t, c.file, "SELECT id FROM orders")[0]
	for _, path := range []string{"/orders/" + id, "/orders/" + id + "/cancel"} {
		if got := b.do(http.MethodGet, path, nil, nil); got.status != http.StatusNotFound || strings.Contains(got.text, "1号场") {
			t.Errorf("%s for another customer: status %d", path, got.status)
		}
	}
	if got := b.do(http.MethodPost, "/orders/"+id+"/cancel", url.Values{"csrf": {b.csrf("/")}}, nil); got.status != http.StatusNotFound {
		t.Errorf("another customer cancels: status %d", got.status)
	}
	c.wantCount(1, "SELECT count(*) FROM reservations WHERE cancelled_at IS NULL")
	c.codeServesOnce(t)
	said := c.stderr.String()
	for _, private := range []string{"13800000001", a.cookies["courtd_session"], c.owner, own} {
		if strings.Contains(said, private) || !bytes.Contains([]byte(said), []byte("request")) {
			t.Errorf("the log says %q", private)
		}
	}
}

func (c *programClub) codeServesOnce(t *testing.T) {
	t.Helper()
	const phone = "13800000003"
	code := c.post("/api/v1/login/code", "", programBody{"phone": phone}).wants(200).str("code")
	statuses := make([]int, 8)
	programTogether(t, len(statuses), func(i int) error {
		got, err := c.try(programAsk{method: http.MethodPost, path: "/api/v1/login", body: programBody{"phone": phone, "code": code}})
		statuses[i] = got.status
		if err == nil && got.status != 200 && got.json["reason"] != "code_invalid" {
			err = fmt.Errorf("status %d: %s", got.status, got.text)
		}
		return err
	})
	slices.Sort(statuses)
	if statuses[0] != 200 || statuses[1] != 401 {
		t.Errorf("one code, used eight times: %v", statuses)
	}
	c.wantCount(1, "SELECT count(*) FROM sessions s JOIN customers c ON c.id = s.customer_id WHERE c.phone = ?", phone)
}

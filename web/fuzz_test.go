package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// kinds are the content types that a request can say it has.
var kinds = []string{"application/json", "application/x-www-form-urlencoded", "", "text/csv", "multipart/form-data; boundary=x", "application/json; charset=utf-8", "application/octet-stream"}

func openFuzzed(f *testing.F) *venues {
	f.Helper()
	vs := &venues{start: begin(f), now: map[bool]*fuzzed{}, dir: f.TempDir()}
	f.Cleanup(func() {
		for _, demo := range []bool{true, false} {
			vs.leave(f, demo)
		}
	})
	return vs
}

// FuzzAnything sends arbitrary bytes to every route that is registered, as everybody. No
// answer may be a fault of ours, say what is none of anybody's business, or leave the
// store in pieces.
func FuzzAnything(f *testing.F) {
	vs := openFuzzed(f)
	if n := len(vs.start.routes); n < 200 {
		f.Fatalf("only %d routes", n)
	}
	for i, route := range vs.start.routes {
		f.Add(route, uint8(i), uint8(i%3), "x", "", "", []byte("{}"))
	}
	f.Add("GET /api/v1/orders", uint8(1), uint8(0), "", "cursor=MQ&limit=0", "If-None-Match: *", []byte{})
	f.Add("GET /api/v1/availability", uint8(0), uint8(0), "", "date=2026-12-10", "If-None-Match: W/\"x\", \"y", []byte{})
	f.Add("GET /api/v1/orders/:id", uint8(1), uint8(0), "..%2f\xff%00", "", "Accept: text/html", []byte{})
	f.Add("POST /api/v1/orders", uint8(1), uint8(0), "", "", "Idempotency-Key: k", []byte(slot("c1", evening)))
	f.Add("POST /owner/bills/upload", uint8(3+4*5), uint8(0), "", "", "", []byte("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n`\r\n--x--"))
	f.Add("GET /login", uint8(1), uint8(0), "", "next=//evil.example/&lang=en", "Accept: text/html\nAccept-Encoding: br", []byte{})
	f.Fuzz(func(t *testing.T, route string, who, pick uint8, param, query, header string, body []byte) {
		v := vs.at(t, who < 200)
		method, path := vs.start.routeOf(route, nil)
		a := asked{method: method, path: vs.start.fill(path, pick, param), role: roles[int(who)%len(roles)], kind: kinds[int(who)/len(roles)%len(kinds)], body: body}
		if query != "" {
			a.path += "?" + escaped(query, "#")
		}
		if method != http.MethodGet && !strings.HasPrefix(path, "/api/") && kinds[1] == a.kind {
			a.body = append([]byte("csrf="+vs.start.csrf[a.role]+"&nonce=n&"), body...)
		}
		a.header = headers(header)
		if len(a.path) > 3<<10 || len(header) > 3<<10 {
			return // what the server's buffer does not take is its own affair
		}
		got := v.ask(a)
		v.judge(a, got)
		v.after(vs, a, got)
	})
}

// headers gives the lines of a text that can be headers; those that say where the
// request ends are not the fuzzer's to choose.
func headers(text string) (out []string) {
	for _, h := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		name, _, _ := strings.Cut(h, ":")
		if !slices.Contains([]string{"content-length", "transfer-encoding", "connection", "expect", "upgrade", "trailer", "host"}, strings.ToLower(strings.TrimSpace(name))) {
			if h != "" && strings.Contains(h, ":") {
				out = append(out, h)
			}
		}
	}
	return out
}

package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/api"
)

// A fuzzed venue is used for so many requests, and looked at more often: what one
// request leaves behind is what the next meets.
const (
	requestsOfOneVenue = 200
	requestsUntilLook  = 40
)

// fuzzed is the example venue, served to be asked anything.
type fuzzed struct {
	t      testing.TB // of the request that is being made
	demo   bool
	path   string
	db     *sqlite.DB
	http   *fiber.App
	log    *records
	start  *beginning
	done   int
	traces []string // of what was asked, the newest last
}

// records keeps what went wrong on our side, as the operator would read it.
type records struct{ bad []string }

func (r *records) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }
func (r *records) WithAttrs([]slog.Attr) slog.Handler               { return r }
func (r *records) WithGroup(string) slog.Handler                    { return r }
func (r *records) Handle(_ context.Context, record slog.Record) error {
	line := record.Message
	record.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	r.bad = append(r.bad, line)
	return nil
}

// beginning is what every fuzzed venue begins with: made once, since passwords are slow.
type beginning struct {
	file     []byte            // the database
	tokens   map[string]string // by role; "anyone" has none
	csrf     map[string]string // what forms carry, by role
	routes   []string          // "METHOD /path/:param" of all that is registered
	pool     map[string][]string
	contract *contract
	document map[string]any // of OpenAPI
}

var roles = []string{"anyone", "customer", "desk", "owner", "stranger"}

// kept is remembered by every target of this package.
var kept struct {
	sync.Mutex
	*beginning
}

// begin makes the beginning: a venue in which a little of everything has happened.
func begin(f *testing.F) *beginning {
	f.Helper()
	kept.Lock()
	defer kept.Unlock()
	if kept.beginning != nil {
		return kept.beginning
	}
	b := &beginning{tokens: map[string]string{"anyone": "", "stranger": "nobody"}, csrf: map[string]string{}, pool: map[string][]string{}, contract: &contract{}}
	path := filepath.Join(f.TempDir(), "club.db")
	v := b.serve(f, path, true)
	if err := app.SeedDemo(context.Background(), v.db); err != nil {
		f.Fatal(err)
	}
	v.mustGet("/openapi.json", "anyone", &b.document, b.contract)
	for _, r := range v.http.GetRoutes(true) {
		if line := r.Method + " " + r.Path; r.Method != http.MethodHead && !strings.HasPrefix(r.Path, "/static") && !slices.Contains(b.routes, line) {
			b.routes = append(b.routes, line)
		}
	}
	slices.Sort(b.routes)
	v.signIn()
	v.live()
	v.harvest()
	if err := v.db.Close(); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	b.file, kept.beginning = file, b
	return b
}

// ears is the venue's own software: it takes every event.
type ears struct{}

func (ears) Secret(domain.Webhook) string                                          { return "whsec_Zm9yIHRlc3RzIGFsb25l" }
func (ears) Send(context.Context, domain.Webhook, string, time.Time, []byte) error { return nil }

// fresh serves a venue as it was at the beginning, from a file of its own.
func (b *beginning) fresh(t testing.TB, path string, demo bool) *fuzzed {
	t.Helper()
	if err := os.WriteFile(path, b.file, 0o600); err != nil {
		t.Fatal(err)
	}
	return b.serve(t, path, demo)
}

func (b *beginning) serve(t testing.TB, path string, demo bool) *fuzzed {
	t.Helper()
	wall := new(atomic.Int64)
	noonAt, err := time.Parse(time.RFC3339, noon)
	if err != nil {
		t.Fatal(err)
	}
	wall.Store(noonAt.Unix())
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Wall: func() time.Time { return time.Unix(wall.Load(), 0) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SetDemoClock(ctx, func(state sqlite.ClockState) (domain.Instant, bool) { return state.Clock, demo }); err != nil {
		t.Fatal(err)
	}
	bank, err := sandbox.New(db)
	if err != nil {
		t.Fatal(err)
	}
	v := &fuzzed{t: t, demo: demo, path: path, db: db, start: b, log: &records{}}
	log := slog.New(v.log)
	a := app.New(app.Config{DB: db, Providers: []pay.Provider{bank}, Channel: notify.NewLog(slog.New(slog.NewTextHandler(io.Discard, nil))), Log: log, Demo: demo, Webhooks: ears{}})
	cfg := web.Config{App: a, Log: log, Version: "test", Run: func(_ context.Context, dryRun, retryParked bool) (any, error) {
		return map[string]any{"dry_run": dryRun, "retry_parked": retryParked}, nil
	}}
	if demo {
		cfg.Demo = &api.Demo{Info: app.Demo(), Sandbox: bank}
	}
	if v.http, err = web.New(cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := v.http.Test(&http.Request{Method: http.MethodGet, URL: mustURL("/readyz"), Header: http.Header{}, Body: http.NoBody}, -1); err != nil {
		t.Fatal(err) // it also readies the server
	}
	return v
}

// asked is one request.
type asked struct {
	method, path, role, kind string // kind is the content type
	header                   []string
	body                     []byte
	wellFormed               bool // whether nothing in it is the fuzzer's but the body
}

func (a asked) String() string {
	return fmt.Sprintf("%s %.300q as %s, %s %.200q, %.2000q", a.method, a.path, a.role, a.kind, a.header, a.body)
}

// line is a connection on which one request has been sent.
type line struct {
	io.Reader
	bytes.Buffer
	address string
}

func (l *line) Read(p []byte) (int, error)       { return l.Reader.Read(p) }
func (l *line) Write(p []byte) (int, error)      { return l.Buffer.Write(p) }
func (l *line) Close() error                     { return nil }
func (l *line) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (l *line) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.ParseIP(l.address), Port: 40000} }
func (l *line) SetDeadline(time.Time) error      { return nil }
func (l *line) SetReadDeadline(time.Time) error  { return nil }
func (l *line) SetWriteDeadline(time.Time) error { return nil }

// ask sends a request as bytes, so that nothing is made better on the way.
func (v *fuzzed) ask(a asked) answer {
	v.t.Helper()
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %s HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n", a.method, a.path)
	token := v.start.tokens[a.role]
	if token != "" {
		fmt.Fprintf(&text, "Authorization: Bearer %s\r\nCookie: courtd_session=%s\r\n", token, token)
	}
	if a.kind != "" {
		fmt.Fprintf(&text, "Content-Type: %s\r\n", a.kind)
	}
	for _, h := range a.header {
		text.WriteString(h + "\r\n")
	}
	if len(a.body) > 0 || a.method != http.MethodGet {
		fmt.Fprintf(&text, "Content-Length: %d\r\n", len(a.body))
	}
	text.WriteString("\r\n")
	text.Write(a.body)
	// Every request comes from another house, or the limits would answer before anybody else.
	conn := &line{Reader: &text, address: fmt.Sprintf("198.51.%d.%d", v.done/250%250, v.done%250)}
	if v.done++; true {
		v.traces = append(v.traces, a.String())
	}
	_ = v.http.Server().ServeConn(conn) // it ends with an error when the other side says no more
	res, err := http.ReadResponse(bufio.NewReader(&conn.Buffer), &http.Request{Method: a.method})
	if err != nil {
		v.t.Fatalf("no answer: %v\n%s", err, a)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatalf("half an answer: %v\n%s", err, a)
	}
	out := answer{status: res.StatusCode, header: res.Header, text: string(body)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") && a.method != http.MethodHead {
		if err := json.Unmarshal(body, &out.json); err != nil {
			v.t.Fatalf("the answer is no JSON: %v: %.300q\n%s", err, body, a)
		}
	}
	return out
}

var variable = regexp.MustCompile(`:[a-z_]+`)

// routeOf gives the route that a text names; any other text stands for one of them.
func (b *beginning) routeOf(name string, among func(string) bool) (method, path string) {
	var all []string
	for _, r := range b.routes {
		if among == nil || among(r) {
			all = append(all, r)
		}
	}
	chosen := name
	if !slices.Contains(all, name) {
		h := fnv.New32a()
		h.Write([]byte(name))
		chosen = all[int(h.Sum32()%uint32(len(all)))]
	}
	method, path, _ = strings.Cut(chosen, " ")
	return method, path
}

// fill puts a thing of the venue, or the fuzzer's own words, where a route has a variable.
func (b *beginning) fill(path string, pick uint8, own string) string {
	for {
		at := variable.FindStringIndex(path)
		if at == nil {
			return path
		}
		value := escaped(own, "/?#")
		if pick > 0 {
			before := strings.Split(strings.Trim(path[:at[0]], "/"), "/")
			known := b.pool[before[len(before)-1]]
			if len(known) == 0 {
				known = b.pool["="+path[at[0]+1:at[1]]]
			}
			if len(known) == 0 {
				known = b.pool[""]
			}
			value = escaped(known[int(pick-1)%len(known)], "/?#")
		}
		path = path[:at[0]] + value + path[at[1]:]
	}
}

// escaped writes bytes that would end the first line of a request, and some others, in
// hexadecimal; all others are sent as they are.
func escaped(text, also string) string {
	var out strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c == 0x7f || strings.IndexByte(also, c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

package web_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
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

// noon is where every test's clock starts, frozen: Thursday 10 December 2026,
// 12:00 in Shanghai.
const noon = "2026-12-10T12:00:00+08:00"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(t *testing.T, text string) domain.Instant {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	must(t, err)
	return domain.InstantOf(when)
}

// site is the demonstration venue served over HTTP.
type site struct {
	t        *testing.T
	wall     *atomic.Int64 // the machine's clock, unix seconds; a demonstration's own is frozen
	db       *sqlite.DB
	app      *app.App
	bank     *sandbox.Provider
	http     *fiber.App
	log      *strings.Builder
	customer string // tokens
	desk     string
	owner    string
	runs     []string // what the owner's "run now" was asked
	contract *contract
}

// open serves a demonstration with one customer, a desk and an owner signed in.
func open(t *testing.T) *site {
	t.Helper()
	s := serve(t, true)
	s.customer = s.signIn("13800000001")
	s.desk = s.signInStaff("desk")
	s.owner = s.signInStaff("owner")
	return s
}

// serve serves the example venue, as a demonstration or as a real one.
func serve(t *testing.T, demo bool, change ...func(*web.Config)) *site {
	t.Helper()
	ctx := context.Background()
	wall := new(atomic.Int64)
	wall.Store(int64(at(t, noon)))
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "club.db"), Wall: func() time.Time { return time.Unix(wall.Load(), 0) }})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	must(t, db.SetDemoClock(ctx, func(state sqlite.ClockState) (domain.Instant, bool) { return state.Clock, demo }))
	must(t, app.SeedDemo(ctx, db))
	bank, err := sandbox.New(db)
	must(t, err)
	s := &site{t: t, wall: wall, db: db, bank: bank, log: &strings.Builder{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	s.app = app.New(app.Config{DB: db, Providers: []pay.Provider{bank}, Channel: notify.NewLog(quiet), Log: quiet, Demo: demo})
	cfg := web.Config{App: s.app, Log: log, Version: "test", Run: func(_ context.Context, dryRun, retryParked bool) (any, error) {
		s.runs = append(s.runs, strings.TrimSpace(map[bool]string{true: "dry "}[dryRun]+map[bool]string{true: "retry"}[retryParked]))
		return map[string]any{"dry_run": dryRun}, nil
	}}
	if demo {
		cfg.Demo = &api.Demo{Info: app.Demo(), Sandbox: bank}
	}
	for _, c := range change {
		c(&cfg)
	}
	s.http, err = web.New(cfg)
	must(t, err)
	s.contract = &contract{}
	s.contract = readContract(t, s.get("/openapi.json", "").wants(200).text)
	return s
}

// answer is what the server said.
type answer struct {
	t      *testing.T
	status int
	header http.Header
	text   string
	json   map[string]any
}

// ask is a request in the making.
type ask struct {
	method, path, token, body string
	header                    map[string]string
}

func (s *site) send(a ask) answer {
	s.t.Helper()
	return s.sendRaw(a, "")
}

// sendRaw sends a request whose address, if given, is not looked at on the way.
func (s *site) sendRaw(a ask, address string) answer {
	s.t.Helper()
	var body io.Reader
	if a.body != "" {
		body = strings.NewReader(a.body)
	}
	req := httptest.NewRequest(a.method, a.path, body)
	if a.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	for name, value := range a.header {
		req.Header.Set(name, value)
	}
	if address != "" {
		req.RequestURI = address
	}
	res, err := s.http.Test(req, -1)
	must(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(s.t, err)
	out := answer{t: s.t, status: res.StatusCode, header: res.Header, text: string(text)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		must(s.t, json.Unmarshal(text, &out.json))
	}
	if err := s.contract.check(a.method, a.path, out); err != nil {
		s.t.Errorf("%v: %.300s", err, text)
	}
	return out
}

func (s *site) get(path, token string) answer {
	s.t.Helper()
	return s.send(ask{method: http.MethodGet, path: path, token: token})
}

func (s *site) post(path, token, body string) answer {
	s.t.Helper()
	return s.send(ask{method: http.MethodPost, path: path, token: token, body: body})
}

// wants fails the test unless the answer has a status and, if given, a reason.
func (a answer) wants(status int, reason ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %.500s", a.status, status, a.text)
	}
	if len(reason) > 0 {
		if a.json["reason"] != reason[0] {
			a.t.Fatalf("reason %v, want %s: %s", a.json["reason"], reason[0], a.text)
		}
		if got := a.header.Get("Content-Type"); got != "application/problem+json" {
			a.t.Fatalf("content type %q of a refusal", got)
		}
	}
	return a
}

// blames fails the test unless the refusal is about a field.
func (a answer) blames(field string) answer {
	a.t.Helper()
	list, _ := a.json["errors"].([]any)
	for _, e := range list {
		if e.(map[string]any)["field"] == field {
			return a
		}
	}
	a.t.Fatalf("no error about %q: %s", field, a.text)
	return a
}

// str gives a text inside the answer by its path.
func (a answer) str(path ...string) string {
	a.t.Helper()
	var here any = a.json
	for _, name := range path {
		switch in := here.(type) {
		case map[string]any:
			here = in[name]
		case []any:
			here = in[0].(map[string]any)[name]
		}
	}
	text, ok := here.(string)
	if !ok {
		a.t.Fatalf("no text at %v: %s", path, a.text)
	}
	return text
}

func (s *site) signIn(phone string) string {
	s.t.Helper()
	code := s.post("/api/v1/login/code", "", `{"phone":"`+phone+`"}`).wants(200).str("code")
	return s.post("/api/v1/login", "", `{"phone":"`+phone+`","code":"`+code+`"}`).wants(200).str("token")
}

func (s *site) signInStaff(role string) string {
	s.t.Helper()
	account := app.Demo().Accounts[role]
	return s.post("/api/v1/login/staff", "", `{"username":"`+account.Username+`","password":"`+account.Password+`"}`).wants(200).str("token")
}

// slot is the body of an order for one slot.
func slot(court, start string) string {
	return `{"slots":[{"court":"` + court + `","start":"` + start + `"}]}`
}

const evening = "2026-12-10T17:30:00+08:00"

// rows counts what is in the tables that a refused request must not touch.
func (s *site) rows() (n int) {
	s.t.Helper()
	must(s.t, s.db.Read(context.Background(), func(snap *sqlite.Snapshot) error {
		return snap.QueryRow(`SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM reservations) + (SELECT count(*) FROM payments)
			+ (SELECT count(*) FROM refunds) + (SELECT count(*) FROM stock_moves) + (SELECT count(*) FROM notices)
			+ (SELECT count(*) FROM audit) + (SELECT count(*) FROM closures) + (SELECT count(*) FROM coupons) + (SELECT sum(version) FROM venue)`).Scan(&n)
	}))
	return n
}

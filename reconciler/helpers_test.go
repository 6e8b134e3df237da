package reconciler_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

var ctx = context.Background()

// club is a venue whose clock is the bubble's: it stands still until everybody waits.
type club struct {
	t    *testing.T
	db   *sqlite.DB
	app  *app.App
	bank *bank
	mail *channel
	rec  *reconciler.Reconciler
	log  *lines
	desk app.Actor
}

// lines is a log that may be read while it is written.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// channel counts messages by kind and does what the test says with each.
type channel struct {
	mu   sync.Mutex
	sent map[string]int
	then func(context.Context, notify.Message) error
}

func (c *channel) Name() string { return "test" }

func (c *channel) Send(ctx context.Context, m notify.Message) error {
	c.mu.Lock()
	then := c.then
	c.mu.Unlock()
	if then != nil {
		if err := then(ctx, m); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[m.Kind]++
	return nil
}

func (c *channel) does(then func(context.Context, notify.Message) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.then = then
}

func (c *channel) count(kind string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[kind]
}

// bank is the sandbox with something that happens before each of its calls.
type bank struct {
	pay.Provider
	mu     sync.Mutex
	before func(ctx context.Context, op string) error
}

func (b *bank) does(before func(context.Context, string) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before = before
}

func (b *bank) meet(ctx context.Context, op string) error {
	b.mu.Lock()
	before := b.before
	b.mu.Unlock()
	if before == nil {
		return nil
	}
	return before(ctx, op)
}

func (b *bank) Close(ctx context.Context, no string) error {
	if err := b.meet(ctx, "close"); err != nil {
		return err
	}
	return b.Provider.Close(ctx, no)
}

func (b *bank) Query(ctx context.Context, no string) (pay.Result, error) {
	if err := b.meet(ctx, "query"); err != nil {
		return pay.Result{}, err
	}
	return b.Provider.Query(ctx, no)
}

func (b *bank) Refund(ctx context.Context, r pay.RefundRequest) (pay.RefundResult, error) {
	if err := b.meet(ctx, "refund"); err != nil {
		return pay.RefundResult{}, err
	}
	return b.Provider.Refund(ctx, r)
}

func newClub(t *testing.T) *club {
	t.Helper()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "club.db")})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	own, err := sandbox.New(db)
	must(t, err)
	c := &club{t: t, db: db, bank: &bank{Provider: own}, mail: &channel{sent: map[string]int{}}, log: &lines{}}
	log := slog.New(slog.NewTextHandler(c.log, nil))
	c.app = app.New(app.Config{DB: db, Providers: []pay.Provider{c.bank}, Channel: c.mail, Log: log, Demo: true})
	c.rec = reconciler.New(c.app, log)
	must(t, c.app.SetUpVenue(ctx, app.SetUp{Name: "测试球馆", Zone: "Asia/Shanghai", Courts: []string{"1号场", "2号场"},
		Owner: app.NewStaff{Username: "owner", Name: "馆主", Password: "owner-password"}}))
	c.desk = app.Actor{Role: app.RoleOwner, ID: c.texts("SELECT id FROM staff")[0], Name: "馆主", Session: "s"}
	good, err := c.app.AddGood(ctx, c.desk, sqlite.Good{Name: "球", PriceFen: 500, Active: true}, "")
	must(t, err)
	_, err = c.app.MoveStock(ctx, c.desk, good.ID, "receipt", 10_000, "", "")
	must(t, err)
	return c
}

// orders makes n orders of one ball each, unpaid for half an hour or paid in cash.
func (c *club) orders(n int, how string) {
	c.t.Helper()
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			_, _, errs[i] = c.app.DeskOrder(ctx, c.desk, app.OrderRequest{Goods: []app.GoodRef{{ID: "g1", Qty: 1}}},
				app.Caller{Name: fmt.Sprintf("客人%d", i)}, how, "")
		})
	}
	all.Wait()
	for _, err := range errs {
		must(c.t, err)
	}
}

func (c *club) start(every time.Duration) *reconciler.Schedule {
	c.t.Helper()
	s, err := c.rec.Start(ctx, every)
	must(c.t, err)
	synctest.Wait()
	return s
}

// pass lets the bubble's time go by and everybody do what is due.
func pass(d time.Duration) {
	timer := time.NewTimer(d)
	<-timer.C
	synctest.Wait()
}

func (c *club) count(query string, args ...any) (n int) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error { return s.QueryRow(query, args...).Scan(&n) }))
	return n
}

func (c *club) texts(query string) (out []string) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query(query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var v string
			if err := rows.Scan(&v); err != nil {
				return err
			}
			out = append(out, v)
		}
		return rows.Err()
	}))
	return out
}

func (c *club) alter(query string) {
	c.t.Helper()
	must(c.t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query)
		return err
	}))
}

func (c *club) runs() int { return c.count("SELECT count(*) FROM reconciler_runs") }

func (c *club) view() app.ReconcilerView {
	c.t.Helper()
	v, err := c.app.Reconciler(ctx)
	must(c.t, err)
	return v
}

func (c *club) now() domain.Instant {
	c.t.Helper()
	now, err := c.app.Now(ctx)
	must(c.t, err)
	return now
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

package app_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

// noon is where every test's clock starts: Thursday 10 December 2026, 12:00 in Shanghai.
var noon = at("2026-12-10T12:00:00+08:00")

func at(s string) domain.Instant {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return domain.InstantOf(t)
}

// wall is a machine's clock that a test moves.
type wall struct {
	mu  sync.Mutex
	now domain.Instant
}

func (w *wall) time() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Unix(int64(w.now), 0)
}

func (w *wall) set(i domain.Instant) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = i
}

// club is a venue under test: a real file, the sandbox bank, and a clock to move.
type club struct {
	t     *testing.T
	path  string
	wall  *wall
	db    *sqlite.DB
	app   *app.App
	bank  *sandbox.Provider
	rec   *reconciler.Reconciler
	mail  *postbox
	owner app.Actor
	desk  app.Actor
}

// postbox is a channel that keeps what it is given and fails when told to.
type postbox struct {
	mu   sync.Mutex
	got  []notify.Message
	fail func(notify.Message) error
}

func (p *postbox) Name() string { return "postbox" }

func (p *postbox) Send(_ context.Context, m notify.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		if err := p.fail(m); err != nil {
			return err
		}
	}
	p.got = append(p.got, m)
	return nil
}

// kinds counts what was delivered, by kind.
func (p *postbox) kinds() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]int{}
	for _, m := range p.got {
		out[m.Kind]++
	}
	return out
}

// newClub opens a venue of its own with six courts, three goods, an owner and a desk.
func newClub(t *testing.T) *club {
	t.Helper()
	path := filepath.Join(t.TempDir(), "club.db")
	must(t, os.WriteFile(path, venueFile(t), 0o600))
	c := openClub(t, path, &wall{now: noon})
	c.owner = app.Actor{Role: app.RoleOwner, ID: c.staffID("owner"), Name: "馆主", Session: "owner-session"}
	c.desk = app.Actor{Role: app.RoleDesk, ID: c.staffID("desk"), Name: "前台", Session: "desk-session"}
	return c
}

var venueOnce struct {
	sync.Once
	file []byte
}

// venueFile is the database of a venue that has just been set up. It is made once:
// passwords are dear to hash.
func venueFile(t *testing.T) []byte {
	t.Helper()
	venueOnce.Do(func() {
		path := filepath.Join(t.TempDir(), "venue.db")
		db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path, Wall: (&wall{now: noon}).time})
		must(t, err)
		c := &club{t: t, db: db, app: app.New(app.Config{DB: db, Log: slog.New(slog.DiscardHandler)})}
		c.setUp()
		must(t, db.Close()) // everything is in the one file now
		venueOnce.file, err = os.ReadFile(path)
		must(t, err)
	})
	if venueOnce.file == nil {
		t.Fatal("the venue could not be set up")
	}
	return venueOnce.file
}

func (c *club) setUp() {
	t, ctx := c.t, context.Background()
	must(t, c.app.SetUpVenue(ctx, app.SetUp{Name: "测试球馆", Zone: "Asia/Shanghai", Courts: []string{"1号场", "2号场", "3号场", "4号场", "5号场", "6号场"},
		Owner: app.NewStaff{Username: "owner", Name: "馆主", Password: "owner-password"}}))
	owner := app.Actor{Role: app.RoleOwner, ID: c.staffID("owner"), Name: "馆主"}
	_, err := c.app.AddStaff(ctx, owner, app.NewStaff{Username: "desk", Name: "前台", Password: "desk-password", Role: "desk"}, "")
	must(t, err)
	for _, g := range []sqlite.Good{{Name: "羽毛球 一筒", PriceFen: 3000, Active: true}, {Name: "球拍", PriceFen: 2000, Active: true}, {Name: "水", PriceFen: 300, Active: true}} {
		made, err := c.app.AddGood(ctx, owner, g, "")
		must(t, err)
		_, err = c.app.MoveStock(ctx, owner, made.ID, "receipt", 10, "", "")
		must(t, err)
	}
}

// openClub opens a file as one process would; a second call on the same path is a
// second process.
func openClub(t *testing.T, path string, w *wall) *club {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path, Wall: w.time})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	c := &club{t: t, path: path, wall: w, mail: &postbox{}}
	c.use(db)
	return c
}

// use puts the use cases on a database.
func (c *club) use(db *sqlite.DB) {
	c.t.Helper()
	bank, err := sandbox.New(db)
	must(c.t, err)
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	c.db, c.bank = db, bank
	c.app = app.New(app.Config{DB: db, Providers: nil, Channel: c.mail, Log: log, Demo: true})
	c.app.AddProvider(bank)
	c.rec = reconciler.New(c.app, log)
}

// second opens the same file once more, as another process with the same clock.
func (c *club) second() *club {
	other := openClub(c.t, c.path, c.wall)
	other.owner, other.desk = c.owner, c.desk
	return other
}

func (c *club) staffID(username string) (id string) {
	c.t.Helper()
	must(c.t, c.db.Read(context.Background(), func(s *sqlite.Snapshot) error {
		m, _, err := s.StaffByUsername(username)
		id = m.ID
		return err
	}))
	return id
}

// customer signs somebody up.
func (c *club) customer(phone string) app.Actor {
	c.t.Helper()
	ctx := context.Background()
	sent, err := c.app.SendLoginCode(ctx, phone, "")
	must(c.t, err)
	in, err := c.app.LogIn(ctx, phone, sent.Code, "")
	must(c.t, err)
	return app.Actor{Role: app.RoleCustomer, ID: in.Customer.ID, Session: "session-" + phone}
}

// slot names a slot of 10 December 2026 by court and wall clock.
func slot(court, clock string) app.SlotRef { return slotOn("2026-12-10", court, clock) }

func slotOn(date, court, clock string) app.SlotRef {
	return app.SlotRef{Court: court, Start: at(date + "T" + clock + ":00+08:00")}
}

func slots(refs ...app.SlotRef) app.OrderRequest { return app.OrderRequest{Slots: refs} }

// book makes an order that must succeed.
func (c *club) book(who app.Actor, req app.OrderRequest) app.OrderView {
	c.t.Helper()
	o, _, err := c.app.CreateOrder(context.Background(), who, req, "")
	must(c.t, err)
	return o
}

// refuse wants an order to be refused for a reason.
func (c *club) refuse(who app.Actor, req app.OrderRequest, reason string) {
	c.t.Helper()
	_, _, err := c.app.CreateOrder(context.Background(), who, req, "")
	wantReason(c.t, err, reason)
}

// open opens a sandbox payment.
func (c *club) open(who app.Actor, o app.OrderView) string {
	c.t.Helper()
	p, err := c.app.OpenPayment(context.Background(), who, o.ID, "sandbox", "", "")
	must(c.t, err)
	return p.OutTradeNo
}

// payFor opens a payment and lets the bank succeed and tell.
func (c *club) payFor(who app.Actor, o app.OrderView) app.OrderView {
	c.t.Helper()
	c.tell(c.succeed(c.open(who, o)))
	return c.order(who, o.ID)
}

// news is a signed notice that the bank has ready.
type news struct {
	headers map[string]string
	body    []byte
}

// succeed lets the bank take the money, without telling yet.
func (c *club) succeed(outTradeNo string) news {
	c.t.Helper()
	h, b, err := c.bank.Succeed(context.Background(), outTradeNo)
	must(c.t, err)
	return news{h, b}
}

// tell brings a notice to courtd by the ordinary path; it must be acknowledged.
func (c *club) tell(n news) {
	c.t.Helper()
	must(c.t, c.take(n))
}

func (c *club) take(n news) error {
	return c.app.TakeNotice(context.Background(), "sandbox", func(k string) string { return n.headers[k] }, n.body)
}

func (c *club) order(who app.Actor, id string) app.OrderView {
	c.t.Helper()
	o, err := c.app.Order(context.Background(), who, id)
	must(c.t, err)
	return o
}

func (c *club) cancel(who app.Actor, id string) app.OrderView {
	c.t.Helper()
	o, err := c.app.CancelOrder(context.Background(), who, id, "")
	must(c.t, err)
	return o
}

// round runs the reconciler once; it must succeed and change no answer.
func (c *club) round() reconciler.Report {
	c.t.Helper()
	rep, err := c.rec.RunOnce(context.Background())
	must(c.t, err)
	if rep.Settled.Differences != 0 {
		c.t.Fatalf("settling changed %d derived answers", rep.Settled.Differences)
	}
	return rep
}

// day is the availability of a date.
func (c *club) day(date string) app.DayView {
	c.t.Helper()
	d, err := domain.ParseDate("date", date)
	must(c.t, err)
	v, err := c.app.Availability(context.Background(), d)
	must(c.t, err)
	return v
}

// state is what the list says of a slot.
func (c *club) state(ref app.SlotRef) string {
	c.t.Helper()
	date := ref.Start.In(time.FixedZone("", 8*3600)).Format("2006-01-02")
	for _, court := range c.day(date).Courts {
		for _, s := range court.Slots {
			if court.ID == ref.Court && domain.InstantOf(s.Start) == ref.Start {
				return s.State
			}
		}
	}
	c.t.Fatalf("no slot %v in the list", ref)
	return ""
}

// stock is how many of a good can be bought now.
func (c *club) stock(good string) int {
	c.t.Helper()
	for _, g := range c.day("2026-12-10").Goods {
		if g.ID == good {
			return g.Available
		}
	}
	c.t.Fatalf("no good %s", good)
	return 0
}

// count runs a query that gives one number.
func (c *club) count(query string, args ...any) (n int) {
	c.t.Helper()
	must(c.t, c.db.Read(context.Background(), func(s *sqlite.Snapshot) error { return s.QueryRow(query, args...).Scan(&n) }))
	return n
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

func wantReason(t *testing.T, err error, reason string) {
	t.Helper()
	if !domain.IsReason(err, reason) {
		t.Fatalf("got error %v, want a refusal for %s", err, reason)
	}
}

package app_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

// world is a small club that is simulated: a real file that two processes share, and the
// oracle beside it.
type world struct {
	path  string
	wall  *wall
	procs [2]*process
	o     *oracle

	people      []app.Actor
	owner, desk app.Actor
	doors       [2]app.Actor // two sessions that scan

	trouble trouble        // what goes wrong at the bank or the channel during this step
	asked   string         // the attempt that the bank was last asked to open
	letters map[string]int // delivered, by id
	stale   *news          // a signed notice that somebody has kept
	staleNo string
	staleAt oTime
	scans   map[string]oKept
	uses    map[string]int
	untils  []oTime // instants that refusals have named
	refused int     // the customer who was told the last of them
	who     int     // the customer who books
	seen    map[string]int
	touched *oOrder
	line    string // what the step does, in words
	steps   int
}

type process struct {
	db   *sqlite.DB
	app  *app.App
	rec  *reconciler.Reconciler
	bank *simBank
}

// trouble is what goes wrong at one call outside, counted from the beginning of a step.
type trouble struct {
	at     int    // this call; 0 is none
	how    string // before, after, panic, cancel, abnormal
	calls  int
	cancel context.CancelFunc
	struck bool
}

var errTrouble = errors.New("the line is dead")

// strike counts a call and says what is wrong with it.
func (t *trouble) strike() string {
	if t.calls++; t.calls != t.at {
		return ""
	}
	t.struck = true
	switch t.how {
	case "panic":
		panic("killed in the middle")
	case "cancel":
		t.cancel()
		return ""
	}
	return t.how
}

// simBank is the sandbox with a spy, who tells the oracle what the club has heard, and
// with trouble.
type simBank struct {
	*sandbox.Provider
	w *world
}

func simCall[T any](w *world, call func() (T, error), heard func(T)) (out T, err error) {
	how := w.trouble.strike()
	if how == "before" {
		return out, errTrouble
	}
	if out, err = call(); err != nil {
		return out, err
	}
	if how == "after" {
		return out, errTrouble
	}
	heard(out)
	return out, nil
}

func (b *simBank) Open(ctx context.Context, r pay.Request) (pay.Opened, error) {
	b.w.asked = r.OutTradeNo
	return simCall(b.w, func() (pay.Opened, error) { return b.Provider.Open(ctx, r) }, func(pay.Opened) {})
}

func (b *simBank) Close(ctx context.Context, no string) error {
	_, err := simCall(b.w, func() (struct{}, error) { return struct{}{}, b.Provider.Close(ctx, no) }, func(struct{}) { b.w.closed(no) })
	return err
}

func (b *simBank) Query(ctx context.Context, no string) (pay.Result, error) {
	return simCall(b.w, func() (pay.Result, error) { return b.Provider.Query(ctx, no) }, func(r pay.Result) { b.w.heard(no) })
}

func (b *simBank) Refund(ctx context.Context, r pay.RefundRequest) (pay.RefundResult, error) {
	return simCall(b.w, func() (pay.RefundResult, error) { return b.Provider.Refund(ctx, r) }, func(pay.RefundResult) {})
}

func (b *simBank) QueryRefund(ctx context.Context, no string) (out pay.RefundResult, err error) {
	if out, err = simCall(b.w, func() (pay.RefundResult, error) { return b.Provider.QueryRefund(ctx, no) }, func(pay.RefundResult) {}); err == nil &&
		b.w.trouble.struck && b.w.trouble.how == "abnormal" {
		out.State = pay.RefundAbnormal
	}
	return out, err
}

// closed: the bank has closed an attempt and the club knows it.
func (w *world) closed(no string) {
	if _, p := w.o.attempt(no); p != nil && !w.o.behind() {
		if p.bank == "pending" {
			p.bank = "closed"
		}
		p.closed = p.closed || p.told == 0
	}
}

// came counts what money came to.
func (w *world) came(what string) { w.seen["money/"+strings.TrimPrefix(what, "refunded ")]++ }

// heard: the club has asked about an attempt and had an answer. What the bank never knew
// is as good as closed once nobody can pay it.
func (w *world) heard(no string) {
	order, p := w.o.attempt(no)
	if p == nil || w.o.behind() {
		return
	}
	if p.bank == "" {
		if order.state(w.o.now) != "held" && w.o.now-p.opened >= 2*oMinute {
			p.closed = true
		}
		return
	}
	if came := w.o.hear(no); came != "pending" && came != "duplicate" {
		w.came(came)
		w.seen["money/by_asking"]++
	}
}

// Name and Send make the world the channel of its notices.
func (w *world) Name() string { return "simulated" }

func (w *world) Send(_ context.Context, m notify.Message) error {
	if how := w.trouble.strike(); how != "" {
		return errTrouble
	}
	w.letters[m.ID]++
	return nil
}

const simPeople = 5

var (
	simCourts = []string{"c1", "c2", "c3"}
	simGrids  = []oGrid{{19 * oHour, 25*oHour + 30*oMinute, oHour}, {19 * oHour, 25*oHour + 30*oMinute, 90 * oMinute}}
	simPrices = [][]oPrice{
		{{"third", "c3", 0, 0, 3000}, {"night", "", 22 * oHour, 26 * oHour, 4001}, {"all", "", 0, 0, 6001}},
		{{"flat", "", 0, 0, 2999}},
		{{"free", "c1", 19 * oHour, 20 * oHour, 0}, {"dear", "", 0, 0, 7007}},
	}
	simLadder   = [][2]int64{{24, 100}, {12, 80}, {5, 50}}
	simPolicies = []oPolicy{
		{10 * oMinute, 30 * oMinute, 30 * oMinute, 0, 3 * oMinute, 0, simLadder, 2, 4, 2, 2, 3, 7 * oHour},
		{10 * oMinute, 15 * oMinute, 30 * oMinute, 15 * oMinute, 3 * oMinute, 50, simLadder, 2, 3, 2, 2, 2, 7 * oHour},
		{5 * oMinute, 5 * oMinute, 20 * oMinute, 15 * oMinute, 0, 33, [][2]int64{{6, 100}, {1, 30}}, 3, 4, 1, 0, 1, 8 * oHour},
		{15 * oMinute, 20 * oMinute, 10 * oMinute, 30 * oMinute, 10 * oMinute, 100, simLadder, 4, 6, 2, 3, 3, 0},
	}
	simCoupons = []oCoupon{
		{code: "ONCE", percent: 50, maxUses: 1, active: true},
		{code: "EACH", percent: 10, maxPerCustomer: 1, maxUses: 3, active: true},
		{code: "FREE", percent: 100, maxUses: 2, active: true},
		{code: "FLAT", amount: 3500, min: 3000, active: true},
		{code: "SOON", amount: 100, from: simStart + 20*oHour, active: true},
		{code: "OVER", amount: 100, until: simStart + 2*oHour, active: true},
	}
	simStart = at("2026-12-10T18:00:00+08:00")
)

// newOracle is the notebook on the first day of the simulated club.
func newOracle() *oracle {
	o := &oracle{now: simStart, last: simStart, clock: simStart, policy: simPolicies[0], grid: simGrids[0], prices: simPrices[0], kept: map[string]oKept{}}
	for _, c := range simCourts {
		o.courts = append(o.courts, oCourt{c, true})
	}
	o.goods = []*oGood{{"g1", 501, true, 4}, {"g2", 1200, true, 2}, {"g3", 0, true, 5}}
	for _, c := range simCoupons {
		o.coupons = append(o.coupons, &c)
	}
	for i := range simPeople {
		o.phones = append(o.phones, fmt.Sprintf("139%08d", i))
	}
	return o
}

func minutesOf(t oTime) int { return int(t / oMinute) }

func realPolicy(p oPolicy) domain.Policy {
	out := domain.Policy{HoldMinutes: minutesOf(p.hold), GoodsHoldMinutes: minutesOf(p.goodsHold), CheckInBeforeMinutes: minutesOf(p.doorBefore),
		ReleaseAfterMinutes: minutesOf(p.releaseAfter), SaleEndsBeforeMinutes: minutesOf(p.saleEnds), NoShowRefundPercent: int(p.noShowPercent),
		MaxLiveOrders: p.maxLive, MaxSlotsPerDay: p.maxSlots, DaysAhead: p.daysAhead, OpensAt: domain.Minute(minutesOf(p.opensAt)),
		Strikes: p.strikes, StrikeDays: p.strikeDays, ReminderBeforeMinutes: 120}
	for _, s := range p.ladder {
		out.RefundLadder = append(out.RefundLadder, domain.RefundStep{HoursBefore: int(s[0]), Percent: int(s[1])})
	}
	return out
}

func realHours(g oGrid) domain.Hours {
	h := domain.DefaultHours()
	h.SlotMinutes = minutesOf(g.length)
	for i := range h.Weekly {
		h.Weekly[i] = domain.DayHours{Opens: domain.Minute(minutesOf(g.opens)), Closes: domain.Minute(minutesOf(g.closes))}
	}
	return h
}

func realPrices(list []oPrice) (out domain.PriceRules) {
	for _, p := range list {
		r := domain.PriceRule{Name: p.name, PriceFen: p.fen, Band: domain.Band{From: domain.Minute(minutesOf(p.from)), To: domain.Minute(minutesOf(p.to))}}
		if p.court != "" {
			r.Courts = []string{p.court}
		}
		out = append(out, r)
	}
	return out
}

func realCoupon(c oCoupon) domain.Coupon {
	return domain.Coupon{Code: c.code, Name: c.code, Percent: int(c.percent), AmountFen: c.amount, MinTotalFen: c.min, ValidFrom: c.from, ValidUntil: c.until,
		MaxUses: c.maxUses, MaxUsesPerCustomer: c.maxPerCustomer, Active: c.active}
}

var simVenue struct {
	sync.Once
	file        []byte
	people      []app.Actor
	owner, desk app.Actor
}

// simFile makes the simulated club once; every episode starts from a copy.
func simFile(t testing.TB) {
	t.Helper()
	simVenue.Do(func() {
		path := filepath.Join(t.TempDir(), "venue.db")
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Wall: (&wall{now: simStart}).time})
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		check(err)
		a, o := app.New(app.Config{DB: db, Log: slog.New(slog.DiscardHandler)}), newOracle()
		policy, hours := realPolicy(o.policy), realHours(o.grid)
		check(a.SetUpVenue(ctx, app.SetUp{Name: "模拟馆", Zone: "Asia/Shanghai", Courts: []string{"一号", "二号", "三号"}, Hours: &hours, Policy: &policy, Prices: realPrices(o.prices),
			Owner: app.NewStaff{Username: "owner", Name: "馆主", Password: "owner-password"}}))
		owner := app.Actor{Role: app.RoleOwner, Session: "owner"}
		desk, err := a.AddStaff(ctx, owner, app.NewStaff{Username: "desk", Name: "前台", Password: "desk-password", Role: "desk"}, "")
		check(err)
		simVenue.desk = app.Actor{Role: app.RoleDesk, ID: desk.ID, Name: "前台", Session: "desk"}
		for _, g := range o.goods {
			made, err := a.AddGood(ctx, owner, sqlite.Good{Name: g.id, PriceFen: g.price, Active: true}, "")
			check(err)
			_, err = a.MoveStock(ctx, simVenue.desk, made.ID, "receipt", g.received, "", "")
			check(err)
		}
		for _, c := range o.coupons {
			_, err := a.AddCoupon(ctx, owner, realCoupon(*c), "")
			check(err)
		}
		check(db.Write(ctx, func(tx *sqlite.Tx) error {
			m, _, err := tx.StaffByUsername("owner")
			simVenue.owner = app.Actor{Role: app.RoleOwner, ID: m.ID, Name: "馆主", Session: "owner"}
			for _, phone := range o.phones {
				id := app.NewID()
				if err := tx.InsertCustomer(sqlite.Customer{ID: id, Phone: phone}); err != nil {
					return err
				}
				simVenue.people = append(simVenue.people, app.Actor{Role: app.RoleCustomer, ID: id, Session: "session-" + id})
			}
			return err
		}))
		_, err = sandbox.New(db)
		check(err)
		check(db.Close())
		simVenue.file, err = os.ReadFile(path)
		check(err)
	})
	if simVenue.file == nil {
		t.Fatal("the simulated club could not be set up")
	}
}

// newWorld opens a fresh copy of the club in a directory.
func newWorld(dir string) (*world, error) {
	w := &world{path: filepath.Join(dir, "club.db"), wall: &wall{now: simStart}, o: newOracle(), people: simVenue.people, owner: simVenue.owner, desk: simVenue.desk,
		letters: map[string]int{}, scans: map[string]oKept{}, uses: map[string]int{}, seen: map[string]int{}}
	w.doors = [2]app.Actor{w.desk, w.desk}
	w.doors[1].Session = "second phone"
	if err := os.WriteFile(w.path, simVenue.file, 0o600); err != nil {
		return nil, err
	}
	for i := range w.procs {
		if err := w.start(i); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// start starts one of the two processes.
func (w *world) start(i int) error {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: w.path, Wall: w.wall.time, MustExist: true, ReadConns: 1})
	if err != nil {
		return err
	}
	bank, err := sandbox.New(db)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	p := &process{db: db, bank: &simBank{bank, w}}
	log := slog.New(slog.DiscardHandler)
	p.app = app.New(app.Config{DB: db, Channel: w, Log: log, Demo: true})
	p.app.AddProvider(p.bank)
	p.rec = reconciler.New(p.app, log)
	w.procs[i] = p
	return nil
}

func (w *world) stop() error {
	var err error
	for _, p := range w.procs {
		if p != nil {
			err = errors.Join(err, p.db.Close())
		}
	}
	return err
}

// proc is the process that carries out a step.
func (w *world) proc(n uint32) *process { return w.procs[n%2] }

// order is one of the latest orders, or nil; half of the time one of the last three.
func (w *world) order(n uint32) *oOrder {
	all := w.o.orders
	if len(all) == 0 {
		return nil
	}
	if n%2 == 0 {
		return all[len(all)-1-int(n/2)%min(len(all), 3)]
	}
	return all[len(all)-1-int(n/2)%min(len(all), 16)]
}

// orderThat is the first of the latest orders, from one on, that is as wished; if there
// is none, or one time in eight, it is any.
func (w *world) orderThat(n uint32, is func(*oOrder) bool) *oOrder {
	first := w.order(n)
	if first == nil || n/64%8 == 0 {
		return first
	}
	for i := range min(16, len(w.o.orders)) {
		if order := w.o.orders[max(0, first.n-i)]; is(order) {
			return order
		}
	}
	return first
}

func (w *world) held(order *oOrder) bool { return order.state(w.o.now) == "held" }

// claim is one slot of one of the latest orders, also one that another has replaced.
func (w *world) claim(n uint32) *oClaim {
	order := w.order(n)
	if order == nil {
		return nil
	}
	var all []*oClaim
	for _, c := range order.claims {
		if c.slot {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[int(n/512)%len(all)]
}

// claimThat is a slot of one of the latest orders that is as wished, or any if there is none.
func (w *world) claimThat(n uint32, is func(*oClaim) bool) *oClaim {
	wished := func(c *oClaim) bool { return c.slot && is(c) }
	order := w.orderThat(n, func(order *oOrder) bool { return slices.ContainsFunc(order.claims, wished) })
	if order != nil {
		if i := slices.IndexFunc(order.claims, wished); i >= 0 {
			return order.claims[i]
		}
	}
	return w.claim(n)
}

// attemptOf is one of an order's attempts, or nil.
func attemptOf(order *oOrder, n uint32) *oPay {
	if order == nil {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(order.payments), func(p *oPay) bool { return p.cash })
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b *oPay) int { return cmp.Compare(a.id, b.id) })
	return all[len(all)-1-int(n)%len(all)]
}

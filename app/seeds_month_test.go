package app_test

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
)

const monthDays = 30

// TestSeed_AMonthWithoutReconciler: thirty days of customers, desk, money, moves,
// closures and no-shows, and nobody runs a round. Then one round, in two processes
// at once: no answer changes, and every effect has happened exactly once.
func TestSeed_AMonthWithoutReconciler(t *testing.T) {
	m := newMonth(t, 7)
	for day := range monthDays {
		m.live(day)
	}
	m.mustHaveSeen("book", "refused", "pay", "lost", "late", "cancel", "desk cancel", "move", "scan", "undo", "close", "goodwill", "cash", "arrival")
	c, other := m.c, m.c.second()
	want(t, "rounds so far", c.count("SELECT count(*) FROM reconciler_runs"), 0)
	if due := c.count("SELECT due FROM (SELECT count(*) AS due FROM reservations WHERE settled_at IS NULL AND release_at <= ?)", c.wall.time().Unix()); due < 50 {
		t.Fatalf("only %d reservations were left to settle", due)
	}
	c.sound()
	before := m.answers()
	both := []*club{c, other}
	together(t, 2, func(i int) error {
		rep, err := both[i].rec.RunOnce(ctx)
		if err == nil && rep.Settled.Differences+rep.Settled.Parked+rep.Refunds.Failed+rep.Asked.Failed > 0 {
			err = fmt.Errorf("the round says %+v", rep)
		}
		return err
	})
	m.same(before, m.answers())
	m.once(union(c.mail.ids(), other.mail.ids()))
	after := m.effects()
	must(t, func() error { _, err := other.rec.RunOnce(ctx); return err }())
	c.round()
	want(t, "effects of one more round", m.effects(), after)
	m.same(before, m.answers())
	c.sound()
}

// month is a club with customers who do as they like, by a seed.
type month struct {
	t      *testing.T
	c      *club
	rng    *rand.Rand
	people []app.Actor
	orders []app.OrderView   // as they were when made
	late   map[string]string // attempts whose money comes later, by order
	seen   map[string]int
	owed   map[string]int64 // what each order must get back
	day    int
}

func newMonth(t *testing.T, seed uint64) *month {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.NoShowRefundPercent = 50; p.Strikes = 4 })
	c.coupon("ONCE", 30, 1, 0)
	c.coupon("EACH", 10, 0, 1)
	c.coupon("MANY", 25, 40, 0)
	return &month{t: t, c: c, rng: rand.New(rand.NewPCG(seed, monthDays)), people: c.crowd(24), late: map[string]string{}, seen: map[string]int{}, owed: map[string]int64{}}
}

func (m *month) mustHaveSeen(what ...string) {
	m.t.Helper()
	for _, w := range what {
		if m.seen[w] < 5 {
			m.t.Errorf("the month saw %d of %q", m.seen[w], w)
		}
	}
}

func (m *month) date(plus int) string {
	return domain.Date{Year: 2026, Month: 12, Day: 10}.AddDays(m.day + plus).String()
}

// live is one day from seven in the morning on.
func (m *month) live(day int) {
	m.day = day
	now := at(m.date(0) + "T07:00:00+08:00")
	if day == 0 {
		now = noon
	}
	for now < at(m.date(0)+"T22:30:00+08:00") {
		m.c.wall.set(now)
		switch n := m.rng.IntN(100); {
		case n < 50:
			m.buy()
		case n < 56:
			m.desk()
		case n < 80:
			m.scan()
		case n < 85:
			m.cancel()
		case n < 89:
			m.move()
		case n < 93:
			m.moneyComes()
		case n < 95:
			m.close()
		case n < 97:
			m.undo()
		default:
			m.goodwill()
		}
		now += domain.Instant(120 + m.rng.IntN(2400))
	}
}

// tried counts what a use case came to; only refusals may go wrong.
func (m *month) tried(what string, err error) bool {
	m.t.Helper()
	if err == nil {
		m.seen[what]++
		return true
	}
	if e, ok := domain.AsError(err); !ok || (e.Kind != domain.Conflict && e.Kind != domain.Invalid) {
		m.t.Fatalf("%s: %v", what, err)
	}
	m.seen["refused"]++
	return false
}

func (m *month) wish() app.OrderRequest {
	var req app.OrderRequest
	starts := []string{"08:30", "10:00", "13:00", "16:00", "17:30", "19:00", "20:30"}
	for range m.rng.IntN(3) {
		req.Slots = append(req.Slots, slotOn(m.date(m.rng.IntN(3)), fmt.Sprintf("c%d", 1+m.rng.IntN(3)), starts[m.rng.IntN(len(starts))]))
	}
	if len(req.Slots) == 0 || m.rng.IntN(3) == 0 {
		req.Goods = goods(fmt.Sprintf("g%d", 1+m.rng.IntN(3)), 1+m.rng.IntN(3))
	}
	if m.rng.IntN(4) == 0 {
		req.Coupon = []string{"ONCE", "EACH", "MANY"}[m.rng.IntN(3)]
	}
	return req
}

func (m *month) somebody() app.Actor { return m.people[m.rng.IntN(len(m.people))] }

func (m *month) buy() {
	who := m.somebody()
	o, created, err := m.c.app.CreateOrder(ctx, who, m.wish(), "")
	if !m.tried("book", err) || !created {
		return
	}
	m.orders = append(m.orders, o)
	if o.State != "held" || m.rng.IntN(10) < 3 {
		return // a free one, or one that nobody will pay
	}
	no := m.c.open(who, o)
	switch n := m.rng.IntN(10); {
	case n < 7:
		m.c.tell(m.c.succeed(no))
		m.seen["pay"]++
	case n < 8 && m.day < monthDays-6 && len(o.Reservations) > 0:
		// Paid after the deadline, and no notice ever comes: found by asking, when the
		// slots are long over.
		m.owed[o.ID] += o.Total
		m.late[o.ID] = "lost:" + no
	default:
		m.late[o.ID] = no
	}
}

// moneyComes brings late money: revived or refunded.
func (m *month) moneyComes() {
	var ids []string
	for id := range m.late {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		no, lost := strings.CutPrefix(m.late[id], "lost:")
		o := m.c.order(m.c.desk, id)
		if lost && o.State != "lapsed" {
			if o.State == "cancelled" {
				delete(m.late, id)
				m.owed[id] -= o.Total
			}
			continue
		}
		delete(m.late, id)
		news := m.c.succeed(no)
		if lost {
			m.seen["lost"]++
			continue
		}
		m.c.tell(news)
		m.seen["late"]++
		m.judged(m.c.order(m.c.desk, id))
	}
}

// judged counts what late money must give back when it was refused: all of it.
func (m *month) judged(o app.OrderView) {
	for _, p := range o.Payments {
		if p.Verdict == "refunded" && p.Via == "sandbox" {
			m.owed[o.ID] += p.Amount
		}
	}
}

func (m *month) desk() {
	how := []string{"cash", "on_arrival", "online"}[m.rng.IntN(3)]
	o, _, err := m.c.app.DeskOrder(ctx, m.c.desk, m.wish(), app.Caller{Name: fmt.Sprintf("散客%d", m.rng.IntN(50))}, how, "")
	if m.tried(map[string]string{"cash": "cash", "on_arrival": "arrival", "online": "caller"}[how], err) {
		m.orders = append(m.orders, o)
	}
}

// some gives a recent order that satisfies a wish, or false.
func (m *month) some(ok func(app.OrderView) bool) (app.OrderView, bool) {
	recent := m.orders[max(0, len(m.orders)-40):]
	for range 6 {
		if len(recent) == 0 {
			break
		}
		if o := m.c.order(m.c.desk, recent[m.rng.IntN(len(recent))].ID); ok(o) {
			return o, true
		}
	}
	return app.OrderView{}, false
}

func (m *month) scan() {
	o, ok := m.some(func(o app.OrderView) bool { return o.Ticket != nil })
	if !ok {
		return
	}
	if m.c.scan(o.Ticket.Code).Result == "ok" {
		m.seen["scan"]++
	}
}

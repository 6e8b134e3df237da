package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"courtd/app"
	"courtd/domain"
)

func TestC23_RestockedOnce(t *testing.T) {
	t.Parallel()
	const rounds = 8
	for _, k := range []struct {
		name string
		at   domain.Instant
		end  string
		want map[string]int // outcomes of the cancellations
	}{
		{"before pay_by", noon + 599, "cancelled", map[string]int{"ok": 1, "already_cancelled": 3}},
		{"at pay_by", noon + 600, "lapsed", map[string]int{"hold_lapsed": 4}},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			c.coupon("ONCE", 10, 1, 0)
			other := c.second()
			for i, a := range c.crowd(rounds) {
				c.wall.set(noon + domain.Instant(i*3600))
				o := c.book(a, basket("ONCE", goods("g2", 2), slotOn("2026-12-12", "c1", "17:30")))
				c.wall.set(k.at + domain.Instant(i*3600))
				errs := race(6, func(j int) error {
					via := both(c, other, j)
					switch j {
					case 0, 1:
						_, err := via.rec.RunOnce(ctx)
						return err
					case 2, 3:
						_, err := via.app.CancelOrder(ctx, a, o.ID, "")
						return err
					}
					_, err := via.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", "rain", "")
					return err
				})
				for _, err := range errs[:2] {
					must(t, err)
				}
				wantTally(t, errs[2:], k.want)
				c.round()
				want(t, "state", c.order(a, o.ID).State, k.end)
				want(t, "stock", c.stock("g2"), 10)
				want(t, "ledger", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND good_id = 'g2'"), i+1)
				want(t, "uses", c.uses("ONCE"), 0)
				want(t, "notices", c.notices(o.ID, k.end), 1)
			}
			want(t, "sent", c.mail.kinds()[k.end]+other.mail.kinds()[k.end], rounds)
			c.sound()
		})
	}
}

// The file may fail after every statement of a lapse; what is done is done whole.
func TestC23_ACrashAfterEachStatement(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, basket("", append(goods("g1", 1), goods("g2", 2)...), slot("c1", "17:30")))
	c.wall.set(noon + 600)
	left := func() int {
		return c.count(`SELECT (SELECT count(*) FROM reservations WHERE settled_at IS NOT NULL) + (SELECT count(*) FROM baskets WHERE settled_at IS NOT NULL)
			+ (SELECT count(*) FROM stock_moves WHERE kind = 'restock') + (SELECT count(*) FROM notices WHERE kind = 'lapsed') + (SELECT count(*) FROM parked_effects)`)
	}
	for _, on := range []string{"UPDATE ON reservations", "UPDATE ON baskets", "INSERT ON stock_moves WHEN NEW.good_id = 'g1'",
		"INSERT ON stock_moves WHEN NEW.good_id = 'g2'", "INSERT ON notices"} {
		c.alter("CREATE TRIGGER crash AFTER " + on + " BEGIN SELECT RAISE(ROLLBACK, 'crash'); END")
		if _, err := c.rec.RunOnce(ctx); err == nil {
			t.Fatalf("%s failed and the round was good", on)
		}
		c.cure("crash")
		want(t, "left behind by "+on, left(), 0)
		want(t, "state", c.order(a, o.ID).State, "lapsed")
		want(t, "stock", c.stock("g2"), 10)
	}
	c.round()
	want(t, "settled, restocked, told", left(), 2+2+1)
	c.round()
	want(t, "once", left(), 2+2+1)
	c.sound()
}

// One effect that cannot be posted keeps neither the ending nor the others from
// being written down, and is posted once when it can be.
func TestC23_OneEffectFails(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	o := c.book(a, basket("", goods("g2", 2), s))
	c.wall.set(noon + 600)
	c.poison("stuck", "INSERT ON stock_moves WHEN NEW.kind = 'restock'")
	c.book(b, slots(s)) // on contact
	want(t, "told", c.notices(o.ID, "lapsed"), 1)
	want(t, "parked", c.count("SELECT count(*) FROM parked_effects WHERE effect = 'restock'"), 1)
	c.cure("stuck")
	c.round()
	c.round()
	want(t, "parked", c.count("SELECT count(*) FROM parked_effects"), 0)
	want(t, "restocked", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)
	c.sound()
}

// A long random life of a club: whatever order things happen in, nothing is lost.
func TestC24_ARandomLifeLosesNothing(t *testing.T) {
	t.Parallel()
	const steps = 320
	c := newClub(t)
	c.policy(func(p *domain.Policy) {
		p.MaxLiveOrders, p.MaxSlotsPerDay, p.Strikes, p.ReleaseAfterMinutes, p.NoShowRefundPercent, p.CheckInBeforeMinutes = 20, 96, 0, 15, 20, 180
	})
	c.coupon("TEN", 10, 3, 0)
	rng := rand.New(rand.NewPCG(20261210, 24))
	crowd := c.crowd(60)
	life := life{club: c, rng: rng, done: map[string]int{}}
	for i := range steps {
		life.step(crowd[rng.IntN(len(crowd))])
		if i%20 == 0 {
			c.sound()
		}
		if rng.IntN(12) == 0 {
			c.round()
		}
	}
	c.wall.set(c.wall.now + 7*86400)
	c.sound()
	c.round()
	c.sound()
	want(t, "unsettled", c.count("SELECT (SELECT count(*) FROM reservations WHERE settled_at IS NULL) + (SELECT count(*) FROM baskets WHERE settled_at IS NULL AND release_at <= ?)", int64(c.wall.now)), 0)
	for _, what := range []string{"book", "pay", "late", "cancel", "desk cancel", "closure", "move", "scan", "undo", "handover"} {
		if life.done[what] == 0 {
			t.Errorf("%q never succeeded in %v", what, life.done)
		}
	}
	for _, ending := range []string{"lapsed", "cancelled", "moved", "no_show", "completed"} {
		if c.count("SELECT count(*) FROM reservations WHERE ending = ?", ending) == 0 {
			t.Errorf("no reservation ended as %s", ending)
		}
	}
}

// life is a random sequence of what people do to a club.
type life struct {
	*club
	rng    *rand.Rand
	orders []life1
	done   map[string]int
}

type life1 struct {
	who app.Actor
	id  string
	no  string // out_trade_no, once opened
}

func (l *life) note(what string, err error) {
	l.t.Helper()
	if _, refused := domain.AsError(err); err != nil && !refused {
		l.t.Fatalf("%s: %v", what, err)
	}
	if err == nil {
		l.done[what]++
	}
}

// step lets one customer, the desk or time do one thing.
func (l *life) step(who app.Actor) {
	l.wall.set(l.wall.now + domain.Instant(l.rng.IntN(150)))
	if l.rng.IntN(15) == 0 {
		l.wall.set(l.wall.now + domain.Instant(l.rng.IntN(5400)))
	}
	roll := l.rng.IntN(13)
	if roll < 3 || len(l.orders) == 0 {
		l.bookSomething(who)
		return
	}
	k := &l.orders[max(0, len(l.orders)-1-l.rng.IntN(6))]
	o := l.order(l.desk, k.id)
	slot := func() (id string) {
		for _, r := range o.Reservations {
			if id = r.ID; r.State == "no_show" {
				break
			}
		}
		return id
	}
	switch roll {
	case 3, 4, 5, 6:
		l.payOrTell(k, o)
	case 7:
		_, err := l.app.CancelOrder(ctx, k.who, k.id, "")
		l.note("cancel", err)
	case 8:
		_, err := l.app.CancelAtDesk(ctx, l.desk, k.id, []string{"venue", "customer"}[l.rng.IntN(2)], "test", "")
		l.note("desk cancel", err)
	case 9:
		at := l.wall.now + domain.Instant(l.rng.IntN(7200))
		made, err := l.app.MakeClosure(ctx, l.owner, app.ClosureRequest{Courts: []string{fmt.Sprintf("c%d", 1+l.rng.IntN(6))}, From: at, To: at + 600, CancelBookings: true}, "")
		if err == nil && made.Cancelled > 0 {
			l.note("closure", nil)
		}
	case 10:
		_, err := l.move(slot(), l.someSlot())
		l.note("move", err)
		_, err = l.app.UndoNoShow(ctx, l.desk, slot(), "was here", "")
		l.note("undo", err)
	case 11, 12:
		if o.Ticket != nil && l.rng.IntN(2) == 0 {
			if l.scan(o.Ticket.Code).Result == "ok" {
				l.note("scan", nil)
			}
			return
		}
		_, err := l.app.HandOver(ctx, l.desk, k.id, "")
		l.note("handover", err)
	}
}

// someSlot is one of the next few slots on any court.
func (l *life) someSlot() app.SlotRef {
	venue, _, now, err := l.app.Venue(ctx)
	must(l.t, err)
	day := venue.Calendar.DayOf(now)
	all := append(venue.Calendar.Slots(day), venue.Calendar.Slots(day.AddDays(1))...)
	var ahead []domain.Slot
	for _, s := range all {
		if s.End > now {
			ahead = append(ahead, s)
		}
	}
	return app.SlotRef{Court: fmt.Sprintf("c%d", 1+l.rng.IntN(6)), Start: ahead[l.rng.IntN(4)].Start}
}

func (l *life) bookSomething(who app.Actor) {
	req := basket([]string{"", "TEN"}[l.rng.IntN(2)], nil, l.someSlot())
	if l.rng.IntN(2) == 0 {
		req.Goods = goods(fmt.Sprintf("g%d", 1+l.rng.IntN(3)), 1+l.rng.IntN(3))
	}
	if l.rng.IntN(6) == 0 && len(req.Goods) > 0 {
		req.Slots = nil
	}
	if next := l.someSlot(); l.rng.IntN(3) == 0 && len(req.Slots) > 0 && next != req.Slots[0] {
		req.Slots = append(req.Slots, next)
	}
	var o app.OrderView
	var err error
	if l.rng.IntN(4) == 0 {
		o, _, err = l.app.DeskOrder(ctx, l.desk, req, app.Caller{Name: "散客"}, []string{"cash", "on_arrival", "online"}[l.rng.IntN(3)], "")
		who = l.desk
	} else {
		o, _, err = l.app.CreateOrder(ctx, who, req, "")
	}
	l.note("book", err)
	if err == nil {
		l.orders = append(l.orders, life1{who: who, id: o.ID})
	}
}

// payOrTell opens a payment, and later lets the bank tell that it succeeded.
func (l *life) payOrTell(k *life1, o app.OrderView) {
	if k.no == "" {
		p, err := l.app.OpenPayment(ctx, l.desk, k.id, "sandbox", "", "")
		if l.note("open", err); err == nil {
			k.no = p.OutTradeNo
		}
		if l.rng.IntN(2) == 0 {
			return
		}
	}
	if k.no == "" {
		return
	}
	what := "pay"
	if o.State == "lapsed" || o.State == "cancelled" {
		what = "late"
	}
	l.tell(l.succeed(k.no))
	l.note(what, nil)
}

func TestC25_TheCouponOfADeadHoldIsFreeAtOnce(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string][2]int{"once in all": {1, 0}, "once per customer": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			c.coupon("ONCE", 50, limits[0], limits[1])
			a := c.customer("13800000001")
			o := c.book(a, basket("ONCE", nil, slot("c1", "17:30")))
			_, _, err := c.bank.Fail(ctx, c.open(a, o))
			must(t, err)
			other := basket("ONCE", nil, slot("c2", "17:30"))
			c.wall.set(noon + 599)
			c.refuse(a, other, "coupon_used")
			c.wall.set(noon + 600)
			o = c.book(a, other)
			want(t, "total", o.Total, 3000)
			c.cancel(a, o.ID)
			o = c.book(a, other) // at once again
			c.payFor(a, o)
			c.refuse(a, basket("ONCE", nil, slot("c3", "17:30")), "coupon_used")
			want(t, "uses", c.uses("ONCE"), 1)
			c.round()
			want(t, "uses", c.uses("ONCE"), 1)
			c.sound()
		})
	}
}

func TestC26_OneCouponManyHolds(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		name              string
		max, per, winners int
		oneCustomer       bool
	}{{"once in all", 1, 0, 1, false}, {"thrice in all", 3, 0, 3, false}, {"once per customer", 0, 1, 1, true}, {"both limits", 3, 1, 1, true}} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			const many = 8
			c := newClub(t)
			c.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.MaxSlotsPerDay = many, many })
			c.coupon("FEW", 10, k.max, k.per)
			other, crowd := c.second(), c.crowd(many)
			orders := make([]app.OrderView, many)
			errs := race(many, func(i int) (err error) {
				who := crowd[i]
				if k.oneCustomer {
					who = crowd[0]
				}
				ref := slotOn("2026-12-11", fmt.Sprintf("c%d", i%6+1), []string{"17:30", "19:00"}[i/6])
				orders[i], _, err = both(c, other, i).app.CreateOrder(ctx, who, basket("FEW", nil, ref), "")
				return err
			})
			wantTally(t, errs, map[string]int{"ok": k.winners, "coupon_used": many - k.winners})
			want(t, "uses", c.uses("FEW"), k.winners)
			for i, o := range orders {
				if errs[i] != nil {
					continue
				}
				want(t, "total", o.Total, 5400)
				who := crowd[i]
				if k.oneCustomer {
					who = crowd[0]
				}
				// The hold does not stand in its own way when it is paid.
				want(t, "paid", c.payFor(who, o).State, "paid")
			}
			want(t, "uses", c.uses("FEW"), k.winners)
			want(t, "refunds", c.count("SELECT count(*) FROM refunds"), 0)
			c.sound()
		})
	}
}

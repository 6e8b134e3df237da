package app_test

import (
	"errors"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func TestC11_NobodyWaitsForTheReconciler(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.coupon("ONCE", 10, 1, 0)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	lapsed := c.book(a, basket("ONCE", goods("g1", 10), s))
	c.wall.set(noon + 600)
	// Slot, every last piece and the coupon are there on the second.
	taken := c.payFor(b, c.book(b, basket("ONCE", goods("g1", 10), s)))
	want(t, "b", taken.State, "paid")
	want(t, "stock", c.stock("g1"), 0)
	c.wall.set(noon + 4200)
	c.round()
	c.round()
	want(t, "a", c.order(a, lapsed.ID).State, "lapsed")
	want(t, "b", c.order(b, taken.ID).State, "paid")
	want(t, "told once", c.mail.kinds()["lapsed"], 1)
	want(t, "restocked once", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)
	want(t, "uses", c.uses("ONCE"), 1)
	want(t, "settled", c.count("SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", lapsed.ID), 1)
	c.sound()
}

// With no round for a month, every answer is as right as with one every minute.
func TestC11_AMonthWithoutARound(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.Strikes = 0 })
	a := c.customer("13800000001")
	ids := []string{}
	for day := range 30 {
		start := noon + domain.Instant(day*86400)
		c.wall.set(start)
		ids = append(ids, c.book(a, basket("", goods("g1", 10), app.SlotRef{Court: "c1", Start: start + 5*3600 + 1800})).ID)
		paid := c.payFor(a, c.book(a, basket("", goods("g2", 10), app.SlotRef{Court: "c2", Start: start + 5*3600 + 1800})))
		ids = append(ids, paid.ID)
	}
	c.wall.set(noon + 30*86400)
	states := func() (out string) {
		for _, id := range ids {
			out += c.order(a, id).State + " "
		}
		return out
	}
	before := states()
	for _, id := range ids[:2] {
		want(t, "first", c.order(a, id).State, map[string]string{ids[0]: "lapsed", ids[1]: "no_show"}[id])
	}
	want(t, "g1", c.stock("g1"), 10)
	rep := c.round()
	if rep.Settled.Settled < 4 {
		t.Fatalf("the round had nothing to do: %+v", rep)
	}
	want(t, "all states", states(), before)
	want(t, "lapses told", c.mail.kinds()["lapsed"], 30)
	want(t, "no-shows told", c.mail.kinds()["no_show"], 30)
	c.sound()
}

func TestC12_NothingMovesTheDeadline(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, basket("", goods("g1", 1), slot("c1", "17:30")))
	goodsOnly := c.book(a, basket("", goods("g2", 1)))
	want(t, "goods alone", domain.InstantOf(*goodsOnly.PayBy), noon+1800)
	attempts := map[string]bool{}
	for i := range 5 {
		c.wall.set(noon + domain.Instant(60*(i+1)))
		no := c.open(a, o)
		attempts[no] = true
		h, b, err := c.bank.Fail(ctx, no)
		must(t, err)
		c.tell(news{h, b})
		c.order(a, o.ID)
		c.book(a, basket("", goods("g1", 1), slot("c1", "17:30")))
	}
	want(t, "attempts", len(attempts), 5)
	c.policy(func(p *domain.Policy) { p.HoldMinutes, p.GoodsHoldMinutes = 60, 60 })
	must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.NameCustomer(a.ID, "新名字") }))
	m, err := c.move(o.Reservations[0].ID, slot("c2", "19:00"))
	must(t, err)
	want(t, "pay_by", domain.InstantOf(*m.Order.PayBy), noon+600)
	want(t, "attempts that outlive the hold", c.count("SELECT count(*) FROM payments WHERE expires_at > ?", int64(noon+600)), 0)
	want(t, "goods share it", c.count("SELECT count(*) FROM baskets WHERE order_id = ? AND cancelled_at IS NULL AND pay_by = ?", o.ID, int64(noon+600)), 1)
	c.wall.set(noon + 600)
	want(t, "state", c.order(a, o.ID).State, "lapsed")
	want(t, "goods alone", c.order(a, goodsOnly.ID).State, "held")

	// The database keeps promises even against a statement by hand.
	err = c.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE reservations SET pay_by = pay_by + 1")
		return err
	})
	if err == nil {
		t.Fatal("a statement moved pay_by")
	}
}

func TestC13_ASecondTryStillHasToPay(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	s := slot("c1", "17:30")
	for i, leave := range []func(o app.OrderView){
		func(o app.OrderView) { c.open(a, o); c.wall.set(c.wall.now + 600) },
		func(o app.OrderView) {
			_, _, err := c.bank.Fail(ctx, c.open(a, o))
			must(t, err)
			c.cancel(a, o.ID)
		},
		func(o app.OrderView) { c.cancel(a, c.payFor(a, o).ID) },
	} {
		leave(c.book(a, slots(s)))
		again := c.book(a, slots(s))
		want(t, "state", again.State, "held")
		want(t, "to pay", again.Total-again.Paid, 6000)
		want(t, "ticket", again.Ticket == nil, true)
		want(t, "pay by", domain.InstantOf(*again.PayBy), c.wall.now+600)
		want(t, "list", c.state(s), "held")
		c.cancel(a, again.ID)
		c.round()
		if got := c.count("SELECT count(*) FROM orders"); got != 2*(i+1) {
			t.Fatalf("orders: %d", got)
		}
	}
	c.sound()
}

func TestC14_CancelBeforeAndAfterTheSuccess(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.coupon("ONCE", 10, 1, 0)
	a := c.customer("13800000001")
	req := basket("ONCE", goods("g1", 2), slot("c1", "17:30")) // 10800, 5.5 h ahead
	o := c.book(a, req)
	n := c.succeed(c.open(a, o))
	c.cancel(a, o.ID)
	c.wall.set(noon + 2)
	c.tell(n)
	c.tell(n)
	o = c.order(a, o.ID)
	want(t, "stays cancelled", o.State, "cancelled")
	want(t, "why", o.LateMoney.Reason, "already_cancelled")
	want(t, "all of it back", c.refunded(o.ID), 10800)
	want(t, "stock", c.stock("g1"), 10)
	want(t, "coupon", c.uses("ONCE"), 0)
	c.round()
	want(t, "restocked once", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)

	p := c.payFor(a, c.book(a, req))
	p = c.cancel(a, p.ID)
	want(t, "cancelled", p.State, "cancelled")
	// Slot 6000 less its share of the discount, 1200, is 4800; half of it, and the goods.
	want(t, "by the ladder", c.refunded(p.ID), 2400+6000)
	want(t, "coupon stays used", c.uses("ONCE"), 1)
	_, err := c.app.CancelOrder(ctx, a, p.ID, "")
	wantReason(t, err, "already_cancelled")
	c.round()
	c.sound()
}

func TestC14_CancelAndSuccessAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 100
	c := newClub(t)
	other := c.second()
	a := c.customer("13800000001")
	seen := map[string]int{}
	for i := range rounds {
		o := c.book(a, basket("", goods("g1", 2), slot("c1", "17:30")))
		n := c.succeed(c.open(a, o))
		errs := race(2, func(j int) error {
			if j == i/2%2 {
				return both(c, other, i).take(n)
			}
			_, err := both(c, other, i+1).app.CancelOrder(ctx, a, o.ID, "")
			return err
		})
		wantTally(t, errs, map[string]int{"ok": 2})
		o = c.order(a, o.ID)
		want(t, "state", o.State, "cancelled")
		want(t, "refunds", len(o.Refunds), 1)
		want(t, "stock", c.stock("g1"), 10)
		end := o.Refunds[0].Purpose
		seen[end]++
		want(t, "amount of "+end, o.RefundPending, map[string]int64{"late": 12000, "cancel": 3000 + 6000}[end])
	}
	t.Logf("ends: %v", seen)
	want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), rounds)
	c.sound()
}

// A payment that is opened as the hold ends can be paid no more: trying again would
// not help, booking again does.
func TestC12_AHoldEndsWhileItsPaymentIsOpened(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	bank := c.moody()
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	down := errors.New("the bank is down")
	for _, one := range []struct {
		at     domain.Instant
		reason string
	}{{noon + 599, "provider_unavailable"}, {noon + 600, "hold_lapsed"}} {
		bank.before = func(string, string) error {
			c.wall.set(one.at)
			return down
		}
		_, err := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "")
		wantReason(t, err, one.reason)
	}
}

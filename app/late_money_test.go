package app_test

import (
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
)

func TestLateMoney_SeveralSlots(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]bool{"all free": false, "one taken": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a, b := c.customer("13800000001"), c.customer("13800000002")
			o := c.book(a, basket("", goods("g1", 2), slot("c1", "17:30"), slot("c2", "17:30"), slot("c3", "19:00")))
			no := c.open(a, o)
			c.wall.set(noon + 600)
			if taken {
				c.book(b, slots(slot("c3", "19:00")))
			}
			c.tell(c.succeed(no))
			o = c.order(a, o.ID)
			if taken { // whole or not at all
				want(t, "state", o.State, "lapsed")
				want(t, "refund", c.refunded(o.ID), 24000)
				want(t, "others stay free", c.state(slot("c1", "17:30"))+c.state(slot("c2", "17:30")), "free"+"free")
				want(t, "revived", c.count("SELECT count(*) FROM reservations WHERE replaced_as = 'revived'"), 0)
			} else {
				want(t, "state", o.State, "paid")
				want(t, "revived", c.count("SELECT count(*) FROM reservations WHERE replaced_as = 'revived'"), 3)
				want(t, "slots", len(o.Reservations), 3)
				want(t, "no deadline any more", o.PayBy == nil, true)
			}
			c.sound()
		})
	}
}

func TestLateMoney_OnesOwnOrderInTheWay(t *testing.T) {
	t.Parallel()
	first := basket("ONCE", goods("g1", 6), slot("c1", "17:30"))
	for name, k := range map[string]struct {
		own   app.OrderRequest
		rival *app.OrderRequest
		state string
	}{
		"slot":                 {slots(slot("c1", "17:30")), nil, "paid"},
		"coupon":               {basket("ONCE", nil, slot("c2", "17:30")), nil, "paid"},
		"goods":                {basket("", goods("g1", 5)), nil, "paid"},
		"slot, goods, coupon":  {basket("ONCE", goods("g1", 10), slot("c1", "17:30")), nil, "paid"},
		"and somebody else":    {slots(slot("c1", "17:30")), &app.OrderRequest{Goods: goods("g1", 7)}, "lapsed"},
		"not in the way":       {basket("", goods("g2", 1), slot("c3", "17:30")), nil, "paid"},
		"own goods not enough": {basket("", goods("g1", 1)), &app.OrderRequest{Goods: goods("g1", 9)}, "lapsed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			c.coupon("ONCE", 10, 1, 0)
			a, b := c.customer("13800000001"), c.customer("13800000002")
			o := c.book(a, first)
			no := c.open(a, o)
			c.wall.set(noon + 600)
			own := c.book(a, k.own)
			if k.rival != nil {
				c.book(b, *k.rival)
			}
			c.tell(c.succeed(no))
			want(t, "the paid order", c.order(a, o.ID).State, k.state)
			wantOwn := "cancelled"
			if k.state == "lapsed" || name == "not in the way" {
				wantOwn = "held" // nothing is given up for nothing
			}
			want(t, "the order in the way", c.order(a, own.ID).State, wantOwn)
			want(t, "told of it", c.notices(own.ID, "cancelled"), map[string]int{"cancelled": 1, "held": 0}[wantOwn])
			c.round()
			c.sound()
		})
	}
}

// A paid order of one's own is not given up for another.
func TestLateMoney_OnesOwnPaidOrderStays(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	c.wall.set(noon + 600)
	own := c.paidAt(a, slot("c1", "17:30"))
	c.tell(c.succeed(no))
	want(t, "first", c.order(a, o.ID).State, "lapsed")
	want(t, "second", c.order(a, own.ID).State, "paid")
	want(t, "refund", c.refunded(o.ID), 6000)
	c.sound()
}

func TestLateMoney_LimitsDoNotCount(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay, p.MaxLiveOrders = 1, 1 })
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	c.wall.set(noon + 600)
	c.paidAt(a, slot("c2", "17:30"))
	c.book(a, slots(slotOn("2026-12-11", "c2", "17:30")))
	c.tell(c.succeed(no))
	want(t, "state", c.order(a, o.ID).State, "paid")
	// The sale has ended for new bookings, and the revived one still stands.
	c.sound()
}

func TestLateMoney_AClosureInBetween(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]domain.Instant{"still held": 0, "lapsed": 600} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			c.coupon("TEN", 10, 0, 0)
			a := c.customer("13800000001")
			o := c.book(a, basket("TEN", goods("g1", 1), slot("c1", "17:30"), slot("c2", "17:30"))) // 15000 less 1500, 750 from each slot
			no := c.open(a, o)
			_, err := c.close("17:30", "18:00", true, "c1")
			must(t, err)
			want(t, "left to pay", c.order(a, o.ID).State, "held")
			c.wall.set(noon + wait)
			c.tell(c.succeed(no))
			o = c.order(a, o.ID)
			want(t, "state", o.State, "paid")
			want(t, "paid", o.Paid, 13500)
			want(t, "the closed slot's part is back", c.refunded(o.ID), 5250)
			want(t, "stock", c.stock("g1"), 9)
			c.sound()
			c.cancel(a, o.ID) // 5.5 h ahead: half of 5250, and the goods
			want(t, "refunds", c.refunded(o.ID), 5250+2625+3000)
			c.sound()
		})
	}
}

func TestLateMoney_AMismatchIsForStaff(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"less":     {`"amount_fen":6000`, `"amount_fen":5999`},
		"more":     {`"amount_fen":6000`, `"amount_fen":6001`},
		"currency": {`"currency":"CNY"`, `"currency":"USD"`},
		"merchant": {`"sandbox-merchant"`, `"another-merchant"`},
		"app":      {`"sandbox-app"`, `"another-app"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			o := c.book(a, slots(slot("c1", "17:30")))
			n := c.succeed(c.open(a, o))
			body := []byte(strings.Replace(string(n.body), change[0], change[1], 1))
			want(t, "changed", string(body) == string(n.body), false)
			h, err := c.bank.Sign(ctx, body)
			must(t, err)
			for range 2 {
				c.tell(news{h, body})
				got := c.order(a, o.ID)
				want(t, "nothing is confirmed", got.State, "held")
				want(t, "shown", got.LateMoney.Verdict, "flagged")
				want(t, "paid", got.Paid, 0)
			}
			rec, err := c.app.Reconciler(ctx)
			must(t, err)
			want(t, "flagged", rec.Flagged, 1)
			c.wall.set(noon + 600)
			c.round()
			want(t, "state", c.order(a, o.ID).State, "lapsed")
			want(t, "refunds", c.refunded(o.ID), 0)
			c.sound()
		})
	}
}

func TestLateMoney_ManyAttempts(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"in order": {0, 1, 2}, "last first": {2, 1, 0}, "middle first": {1, 2, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			o := c.book(a, slots(slot("c1", "17:30")))
			var attempts []string
			for range 3 {
				attempts = append(attempts, c.open(a, o))
			}
			want(t, "attempts differ", attempts[0] != attempts[1] && attempts[1] != attempts[2], true)
			for i, k := range order {
				n := c.succeed(attempts[k])
				if i < 2 { // the third notice is lost
					c.tell(n)
					c.tell(n)
				}
			}
			want(t, "state", c.order(a, o.ID).State, "paid")
			c.round()
			got := c.order(a, o.ID)
			want(t, "paid", got.Paid, 18000)
			want(t, "back", got.Refunded, 12000)
			want(t, "the first success counts", c.count("SELECT count(*) FROM payments WHERE id = ? AND verdict = 'paid'", attempts[order[0]]), 1)
			want(t, "paid notices", c.notices(o.ID, "paid"), 1)
			want(t, "told of each refund", c.notices(o.ID, "late_money"), 2)
			c.sound()
		})
	}
}

// After a failure, a close or a cancellation money may still come.
func TestLateMoney_AfterEverythingIsOver(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		over  func(c *club, a app.Actor, o app.OrderView, no string)
		state string
		back  int
	}{
		"failed, still held": {func(c *club, _ app.Actor, _ app.OrderView, no string) {
			h, b, err := c.bank.Fail(ctx, no)
			must(c.t, err)
			c.tell(news{h, b})
		}, "paid", 0},
		"closed by a round": {func(c *club, _ app.Actor, _ app.OrderView, _ string) { c.wall.set(noon + 600); c.round() }, "paid", 0},
		"cancelled":         {func(c *club, a app.Actor, o app.OrderView, _ string) { c.cancel(a, o.ID); c.round() }, "cancelled", 6000},
		"paid in cash": {func(c *club, _ app.Actor, o app.OrderView, _ string) {
			_, err := c.app.MarkPaid(ctx, c.desk, o.ID, "")
			must(c.t, err)
			c.round()
		}, "paid", 6000},
		"paid, then cancelled": {func(c *club, a app.Actor, o app.OrderView, _ string) {
			c.payFor(a, o)
			c.cancel(a, o.ID) // half back
		}, "cancelled", 3000 + 6000},
		"the slot is over": {func(c *club, _ app.Actor, _ app.OrderView, _ string) { c.clock("19:00:00"); c.round() }, "lapsed", 6000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			o := c.book(a, slots(slot("c1", "17:30")))
			no := c.open(a, o)
			k.over(c, a, o, no)
			c.tell(c.succeed(no))
			want(t, "state", c.order(a, o.ID).State, k.state)
			want(t, "back", c.refunded(o.ID), k.back)
			c.round()
			c.round()
			want(t, "back", c.refunded(o.ID), k.back)
			c.sound()
		})
	}
}

// A hold that was moved to a dearer slot costs more than the payment under way.
func TestLateMoney_ThePriceChangedMeanwhile(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.prices(domain.PriceRule{Name: "晚间", Band: domain.Band{From: 19 * 60, To: 24 * 60}, PriceFen: 8000},
		domain.PriceRule{Name: "早场", Band: domain.Band{From: 0, To: 14 * 60}, PriceFen: 5000}, domain.PriceRule{Name: "标准价", PriceFen: 6000})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	n := c.succeed(c.open(a, o))
	m, err := c.move(o.Reservations[0].ID, slot("c1", "19:00"))
	must(t, err)
	c.tell(n)
	o = c.order(a, o.ID)
	want(t, "too little", o.State+o.LateMoney.Reason, "held"+"price_changed")
	want(t, "back", c.refunded(o.ID), 6000)
	n = c.succeed(c.open(a, o)) // 8000
	_, err = c.move(m.Order.Reservations[0].ID, slot("c1", "13:00"))
	must(t, err)
	c.tell(n)
	o = c.order(a, o.ID)
	want(t, "enough", o.State, "paid")
	want(t, "the rest is back too", c.refunded(o.ID), 6000+3000)
	c.sound()
}

package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

func TestC05_TheSameTapTwice(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.coupon("ONCE", 10, 1, 0)
	a, other := c.customer("13800000001"), c.second()
	req := basket("ONCE", goods("g1", 2), slot("c1", "17:30"))
	ids := make([]string, 8)
	errs := race(8, func(i int) error {
		o, _, err := both(c, other, i).app.CreateOrder(ctx, a, req, "key-1")
		ids[i] = o.ID
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 8})
	o, created, err := c.app.CreateOrder(ctx, a, req, "key-1") // the reply was lost
	must(t, err)
	want(t, "created again", created, false)
	for _, id := range ids {
		want(t, "id", id, o.ID)
	}
	want(t, "orders", c.count("SELECT count(*) FROM orders"), 1)
	want(t, "stock", c.stock("g1"), 8)
	want(t, "uses", c.uses("ONCE"), 1)
	want(t, "held notices", c.notices(o.ID, "held"), 1)

	// The same key keeps giving that order, whatever became of it.
	c.payFor(a, o)
	again, created, err := c.app.CreateOrder(ctx, a, req, "key-1")
	must(t, err)
	want(t, "state", again.State, "paid")
	want(t, "created", created, false)
	c.cancel(a, o.ID)
	again, _, err = c.app.CreateOrder(ctx, a, req, "key-1")
	must(t, err)
	want(t, "id and state", again.ID+again.State, o.ID+"cancelled")
	c.sound()
}

// idem is a command that takes an Idempotency-Key.
type idem struct {
	name string
	do   func(c *club, key app.Key) error
	diff func(c *club, key app.Key) error // the same command with another body
	rows string                           // what it must have written once
}

// idems gives every command that takes a key, each with something to do in the club.
func (c *club) idems() []idem {
	c.t.Helper()
	a := c.customer("13800000001")
	held := c.book(a, slots(slot("c1", "17:30")))
	cash, err := c.deskSale(slot("c3", "17:30"))
	must(c.t, err)
	o := c.payFor(a, c.book(a, slots(slot("c2", "17:30"))))
	twin, err := c.deskSale(slot("c2", "19:00"))
	must(c.t, err)
	closure := app.ClosureRequest{Courts: []string{"c6"}, From: at("2026-12-10T17:00:00+08:00"), To: at("2026-12-10T18:00:00+08:00")}
	return []idem{
		{"payment", func(c *club, key app.Key) error {
			_, err := c.app.OpenPayment(ctx, a, held.ID, "sandbox", "", key)
			return err
		},
			nil, "SELECT count(*) FROM payments WHERE order_id = '" + held.ID + "'"},
		{"desk order", func(c *club, key app.Key) error {
			_, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c4", "17:30")), app.Caller{Name: "李"}, "cash", key)
			return err
		}, func(c *club, key app.Key) error {
			_, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c4", "19:00")), app.Caller{Name: "李"}, "cash", key)
			return err
		}, "SELECT count(*) FROM orders WHERE contact = '李'"},
		{"move", func(c *club, key app.Key) error {
			_, err := c.app.MoveReservation(ctx, c.desk, cash.Reservations[0].ID, slot("c3", "19:00"), "", key)
			return err
		}, func(c *club, key app.Key) error {
			_, err := c.app.MoveReservation(ctx, c.desk, cash.Reservations[0].ID, slot("c3", "20:30"), "", key)
			return err
		}, "SELECT count(*) FROM reservations WHERE replaced_as = 'moved'"},
		{"goodwill", func(c *club, key app.Key) error {
			_, err := c.app.Goodwill(ctx, c.desk, twin.ID, 100, "sorry", key)
			return err
		}, func(c *club, key app.Key) error {
			_, err := c.app.Goodwill(ctx, c.desk, twin.ID, 200, "sorry", key)
			return err
		}, "SELECT count(*) FROM refunds WHERE purpose = 'goodwill'"},
		{"closure", func(c *club, key app.Key) error { _, err := c.app.MakeClosure(ctx, c.owner, closure, key); return err },
			func(c *club, key app.Key) error {
				more := closure
				more.CancelBookings = true
				_, err := c.app.MakeClosure(ctx, c.owner, more, key)
				return err
			}, "SELECT count(*) FROM closures"},
		{"receipt", func(c *club, key app.Key) error {
			_, err := c.app.MoveStock(ctx, c.owner, "g3", "receipt", 5, "", key)
			return err
		}, func(c *club, key app.Key) error {
			_, err := c.app.MoveStock(ctx, c.owner, "g3", "receipt", 6, "", key)
			return err
		}, "SELECT count(*) FROM stock_moves WHERE qty = 5"},
		{"cash", func(c *club, key app.Key) error { _, err := c.app.MarkPaid(ctx, c.desk, held.ID, key); return err },
			nil, "SELECT count(*) FROM payments WHERE via = 'cash' AND order_id = '" + held.ID + "'"},
		{"cancel", func(c *club, key app.Key) error { _, err := c.app.CancelOrder(ctx, a, o.ID, key); return err },
			func(c *club, key app.Key) error { _, err := c.app.CancelOrder(ctx, a, held.ID, key); return err },
			"SELECT count(*) FROM refunds WHERE purpose = 'cancel'"},
		{"desk cancel", func(c *club, key app.Key) error {
			_, err := c.app.CancelAtDesk(ctx, c.desk, twin.ID, "venue", "rain", key)
			return err
		}, func(c *club, key app.Key) error {
			_, err := c.app.CancelAtDesk(ctx, c.desk, twin.ID, "customer", "rain", key)
			return err
		}, "SELECT count(*) FROM audit WHERE action = 'cancel order'"},
	}
}

func TestC05_EveryCommandWithAKeyIsDoneOnce(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	for _, k := range c.idems() {
		t.Run(k.name, func(t *testing.T) {
			key := app.Key("key-" + k.name[:4] + k.name[len(k.name)-2:])
			other := c.second()
			wantTally(t, race(6, func(i int) error { return k.do(both(c, other, i), key) }), map[string]int{"ok": 6})
			want(t, "written", c.count(k.rows), 1)
			if k.diff != nil {
				wantReason(t, k.diff(c, key), "key_reused")
				want(t, "written", c.count(k.rows), 1)
			}
		})
	}
	c.sound()
}

func TestC06_BlockedByOnesOwnHold(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay, p.MaxLiveOrders = 2, 1 })
	c.coupon("TEN", 10, 0, 1)
	a := c.customer("13800000001")
	one, two := slot("c1", "17:30"), slot("c2", "17:30")
	o := c.book(a, basket("TEN", append(goods("g1", 2), goods("g2", 1)...), one, two))
	c.wall.set(noon + 180)
	again, created, err := c.app.CreateOrder(ctx, a, basket("ten", append(goods("g2", 1), goods("g1", 2)...), two, one), "")
	must(t, err)
	want(t, "the same order", again.ID, o.ID)
	want(t, "created", created, false)
	want(t, "pay_by", again.PayBy.Equal(*o.PayBy), true)
	want(t, "orders", c.count("SELECT count(*) FROM orders"), 1)
	want(t, "stock", c.stock("g1"), 8)

	// Whatever shares a slot and is otherwise different names the order in the way.
	for name, req := range map[string]app.OrderRequest{
		"one slot":       basket("TEN", append(goods("g1", 2), goods("g2", 1)...), one),
		"one slot more":  basket("TEN", append(goods("g1", 2), goods("g2", 1)...), one, two, slot("c3", "17:30")),
		"other goods":    basket("TEN", append(goods("g1", 3), goods("g2", 1)...), one, two),
		"fewer goods":    basket("TEN", goods("g1", 2), one, two),
		"without coupon": basket("", append(goods("g1", 2), goods("g2", 1)...), one, two),
	} {
		_, _, err := c.app.CreateOrder(ctx, a, req, "")
		wantReason(t, err, "slot_taken")
		e, _ := domain.AsError(err)
		want(t, name+": names the order", e.Detail["order"] == any(o.ID), true)
	}

	// The day limit counts the hold once: when it is gone there is room for two again.
	c.cancel(a, o.ID)
	o = c.book(a, slots(one, two))
	o = c.payFor(a, o)
	c.refuse(a, slots(slot("c3", "17:30")), "limit_reached")
	// A paid order is no hold: the same slots again are simply taken.
	c.refuse(a, slots(one, two), "slot_taken")
	c.sound()
}

func TestC06_AnOwnHoldEndsOnTheSecond(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	s := slot("c1", "17:30")
	o := c.book(a, slots(s))
	c.wall.set(noon + 599)
	want(t, "still the same", c.book(a, slots(s)).ID, o.ID)
	c.wall.set(noon + 600)
	fresh := c.book(a, slots(s))
	if fresh.ID == o.ID {
		t.Fatal("a lapsed hold was given back")
	}
	want(t, "pay_by", domain.InstantOf(*fresh.PayBy), noon+1200)
	c.sound()
}

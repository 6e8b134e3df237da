package app_test

import (
	"context"
	"testing"

	"courtd/app"
)

func TestABookingFromHoldToDoor(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	s := slot("c1", "17:30")
	o := c.book(a, app.OrderRequest{Slots: []app.SlotRef{s}, Goods: []app.GoodRef{{ID: "g1", Qty: 2}}})
	want(t, "state", o.State, "held")
	want(t, "total", o.Total, 12000)
	want(t, "slot", c.state(s), "held")
	want(t, "stock", c.stock("g1"), 8)
	o = c.payFor(a, o)
	want(t, "state", o.State, "paid")
	want(t, "slot", c.state(s), "taken")
	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	r, err := c.app.CheckIn(context.Background(), c.desk, o.Ticket.Code, "n1")
	must(t, err)
	want(t, "scan", r.Result, "ok")
	c.wall.set(at("2026-12-10T19:00:00+08:00"))
	want(t, "state", c.order(a, o.ID).State, "completed")
	c.round()
	want(t, "state", c.order(a, o.ID).State, "completed")
	want(t, "notices", c.mail.kinds()["paid"], 1)
}

func TestAHoldLapsesOnTheSecond(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	o := c.book(a, slots(s))
	c.wall.set(noon + 599)
	c.refuse(b, slots(s), "slot_taken")
	c.wall.set(noon + 600)
	want(t, "list", c.state(s), "free")
	c.book(b, slots(s))
	want(t, "a", c.order(a, o.ID).State, "lapsed")
	c.round()
	want(t, "lapsed notices", c.mail.kinds()["lapsed"], 1)
}

func TestLateMoney(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	o := c.book(a, app.OrderRequest{Slots: []app.SlotRef{s}, Goods: []app.GoodRef{{ID: "g1", Qty: 2}}})
	no := c.open(a, o)
	c.wall.set(noon + 600)
	n := c.succeed(no)
	c.tell(n)
	c.tell(n)
	o = c.order(a, o.ID)
	want(t, "revived", o.State, "paid")
	want(t, "stock", c.stock("g1"), 8)
	c.round()
	want(t, "late notices", c.mail.kinds()["late_money"], 1)
	o2 := c.book(b, slots(slot("c2", "17:30")))
	no2 := c.open(b, o2)
	c.wall.set(noon + 1200)
	c.book(a, slots(slot("c2", "17:30")))
	c.tell(c.succeed(no2))
	o2 = c.order(b, o2.ID)
	want(t, "refused", o2.State, "lapsed")
	want(t, "pending", o2.RefundPending, 6000)
	c.round()
	want(t, "refunded", c.order(b, o2.ID).Refunded, 6000)
}

func TestMoveAndNoShow(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, app.OrderRequest{Slots: []app.SlotRef{slot("c1", "17:30")}, Goods: []app.GoodRef{{ID: "g1", Qty: 2}}}))
	m, err := c.app.MoveReservation(context.Background(), c.desk, o.Reservations[0].ID, slot("c2", "19:00"), "rain", "")
	must(t, err)
	want(t, "old slot", c.state(slot("c1", "17:30")), "free")
	want(t, "stock", c.stock("g1"), 8)
	c.wall.set(at("2026-12-10T20:30:00+08:00"))
	want(t, "state", c.order(a, o.ID).State, "no_show")
	want(t, "stock", c.stock("g1"), 10)
	c.round()
	want(t, "stock", c.stock("g1"), 10)
	want(t, "notices", c.mail.kinds()["no_show"], 1)
	_, err = c.app.UndoNoShow(context.Background(), c.desk, m.Order.Reservations[0].ID, "was here", "")
	must(t, err)
	want(t, "state", c.order(a, o.ID).State, "completed")
}

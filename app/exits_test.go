package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

// exit is one way out of an order and what it gives back. The order has a slot on
// the 11th at 17:30 for 5557, two tubes for 6000 and a coupon of 10 %, which takes
// 1155 off, all of it from the slot: 4402 + 6000 = 10402.
type exit struct {
	name   string
	take   func(e *exiting)
	state  string
	refund int // fen
	stock  int // of ten
	uses   int // of the coupon
}

// exiting is a club in which one order is on its way out.
type exiting struct {
	*club
	a   app.Actor
	req app.OrderRequest
	o   app.OrderView
}

const evening = "2026-12-11T17:30:00+08:00"

func (e *exiting) hold() { e.o = e.book(e.a, e.req) }
func (e *exiting) pay()  { e.hold(); e.o = e.payFor(e.a, e.o) }

func (e *exiting) at(when string) { e.wall.set(at(when)) }

func (e *exiting) deskCancel(by string) {
	e.t.Helper()
	_, err := e.app.CancelAtDesk(ctx, e.desk, e.o.ID, by, "test", "")
	must(e.t, err)
}

// cancelAt pays and cancels at an instant.
func cancelAt(when string) func(*exiting) {
	return func(e *exiting) { e.pay(); e.at(when); e.cancel(e.a, e.o.ID) }
}

// What goes back of 10402 by the ladder: the share of the slot, and all of the goods.
const full, eighty, half = 10402, 3521 + 6000, 2201 + 6000

// unpaidExits are the ways out of a hold, with money that comes too late.
func unpaidExits() []exit {
	const held = 0
	return []exit{
		{"hold lapses", func(e *exiting) { e.hold(); e.wall.set(noon + 600) }, "lapsed", held, 10, 0},
		{"payment refused, then lapses", func(e *exiting) {
			e.hold()
			h, b, err := e.bank.Fail(ctx, e.open(e.a, e.o))
			must(e.t, err)
			e.tell(news{h, b})
			e.wall.set(noon + 600)
		}, "lapsed", held, 10, 0},
		{"customer cancels a hold", func(e *exiting) { e.hold(); e.cancel(e.a, e.o.ID) }, "cancelled", held, 10, 0},
		{"desk cancels a hold for the customer", func(e *exiting) { e.hold(); e.deskCancel("customer") }, "cancelled", held, 10, 0},
		{"venue cancels a hold", func(e *exiting) { e.hold(); e.deskCancel("venue") }, "cancelled", held, 10, 0},
		{"late money, slot sold", func(e *exiting) {
			e.hold()
			no := e.open(e.a, e.o)
			e.wall.set(noon + 600)
			e.book(e.customer("13800000002"), slots(e.req.Slots...))
			e.tell(e.succeed(no))
		}, "lapsed", full, 10, 0},
		{"late money, cancelled before", func(e *exiting) {
			e.hold()
			no := e.open(e.a, e.o)
			e.cancel(e.a, e.o.ID)
			e.tell(e.succeed(no))
		}, "cancelled", full, 10, 0},
	}
}

// paidExits are the ways out of a paid order.
func paidExits() []exit {
	return []exit{
		{"24 h before", cancelAt("2026-12-10T17:30:00+08:00"), "cancelled", full, 10, 0},
		{"a second less", cancelAt("2026-12-10T17:30:01+08:00"), "cancelled", eighty, 10, 1},
		{"12 h before", cancelAt("2026-12-11T05:30:00+08:00"), "cancelled", eighty, 10, 1},
		{"a second less", cancelAt("2026-12-11T05:30:01+08:00"), "cancelled", half, 10, 1},
		{"5 h before", cancelAt("2026-12-11T12:30:00+08:00"), "cancelled", half, 10, 1},
		{"a second less", cancelAt("2026-12-11T12:30:01+08:00"), "cancelled", 6000, 10, 1},
		{"a second before the start", cancelAt("2026-12-11T17:29:59+08:00"), "cancelled", 6000, 10, 1},
		{"customer cancels at the start, at the desk", func(e *exiting) {
			e.pay()
			e.at(evening)
			_, err := e.app.CancelOrder(ctx, e.a, e.o.ID, "")
			wantReason(e.t, err, "too_late")
			e.deskCancel("customer")
		}, "cancelled", 6000, 10, 1},
		{"venue cancels", func(e *exiting) { e.pay(); e.at("2026-12-11T17:00:00+08:00"); e.deskCancel("venue") }, "cancelled", full, 10, 0},
		{"venue cancels during play", func(e *exiting) {
			e.pay()
			e.at(evening)
			want(e.t, "scan", e.scan(e.o.Ticket.Code).Result, "ok")
			e.deskCancel("venue")
		}, "completed", 4402, 8, -1}, // the goods are gone and were paid
		{"closure", func(e *exiting) {
			e.pay()
			e.at("2026-12-11T17:00:00+08:00")
			_, err := e.app.MakeClosure(ctx, e.owner, app.ClosureRequest{Courts: []string{"c1"}, From: at(evening), To: at(evening) + 60, CancelBookings: true}, "")
			must(e.t, err)
		}, "cancelled", full, 10, 0},
		{"goods alone, paid, cancelled", func(e *exiting) {
			e.req.Slots = nil
			e.pay()
			e.wall.set(noon + 86400*30)
			e.cancel(e.a, e.o.ID)
		}, "cancelled", 5400, 10, 0},
		{"goods alone, handed over", func(e *exiting) {
			e.req.Slots = nil
			e.pay()
			want(e.t, "scan", e.scan(e.o.Ticket.Code).Result, "ok")
			_, err := e.app.CancelOrder(ctx, e.a, e.o.ID, "")
			wantReason(e.t, err, "too_late")
		}, "completed", 0, 8, 1},
		{"goods alone, waiting", func(e *exiting) { e.req.Slots = nil; e.pay(); e.wall.set(noon + 86400*365) }, "paid", 0, 8, 1},
		{"no-show", func(e *exiting) { e.pay(); e.at("2026-12-11T19:00:00+08:00") }, "no_show", 0, 10, 1},
		{"no-show, goods handed over", func(e *exiting) {
			e.pay()
			_, err := e.app.HandOver(ctx, e.desk, e.o.ID, "")
			must(e.t, err)
			e.at("2026-12-11T19:00:00+08:00")
		}, "no_show", 0, 8, 1},
		{"completed", func(e *exiting) {
			e.pay()
			e.at(evening)
			want(e.t, "scan", e.scan(e.o.Ticket.Code).Result, "ok")
			e.at("2026-12-11T19:00:00+08:00")
		}, "completed", 0, 8, 1},
		{"moved", func(e *exiting) {
			e.pay()
			_, err := e.move(e.o.Reservations[0].ID, slotOn("2026-12-12", "c2", "10:00"))
			must(e.t, err)
		}, "paid", 0, 8, 1},
		{"moved, then cancelled by the new start", func(e *exiting) {
			e.pay()
			_, err := e.move(e.o.Reservations[0].ID, slotOn("2026-12-10", "c2", "20:30")) // 8.5 h ahead
			must(e.t, err)
			e.cancel(e.a, e.o.ID)
		}, "cancelled", half, 10, 1},
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	for _, k := range append(unpaidExits(), paidExits()...) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			e := newExiting(t)
			k.take(e)
			e.wantExit(k)
			e.round() // writing it down changes nothing
			e.wantExit(k)
			want(t, "money that is back", int(e.order(e.a, e.o.ID).Refunded), k.refund)
		})
	}
}

func newExiting(t *testing.T) *exiting {
	t.Helper()
	e := &exiting{club: newClub(t)}
	e.price(5557)
	e.coupon("TEN", 10, 0, 0)
	e.a = e.customer("13800000001")
	e.req = basket("TEN", goods("g1", 2), slotOn("2026-12-11", "c1", "17:30"))
	return e
}

func (e *exiting) wantExit(k exit) {
	e.t.Helper()
	want(e.t, "state", e.order(e.a, e.o.ID).State, k.state)
	want(e.t, "refund", e.refunded(e.o.ID), k.refund)
	want(e.t, "stock", e.stock("g1"), k.stock)
	if k.uses >= 0 {
		want(e.t, "uses of the coupon", e.uses("TEN"), k.uses)
	}
	e.sound()
}

// The share of a no-show is what the order was booked under, not what is set later.
func TestExits_NoShowRefund(t *testing.T) {
	t.Parallel()
	for _, k := range []struct{ percent, later, refund int }{{20, 20, 880}, {0, 100, 0}, {100, 0, 4402}, {33, 50, 1452}} {
		e := newExiting(t)
		e.policy(func(p *domain.Policy) { p.NoShowRefundPercent = k.percent })
		e.pay()
		e.policy(func(p *domain.Policy) { p.NoShowRefundPercent = k.later })
		e.at("2026-12-11T19:00:00+08:00")
		for range 2 {
			e.round()
			e.wantExit(exit{state: "no_show", refund: k.refund, stock: 10, uses: 1})
		}
		want(t, "told", e.notices(e.o.ID, "no_show"), 1)
	}
}

// The ladder is a promise too: an order is cancelled by the one it was booked under.
func TestExits_ALadderThatChanges(t *testing.T) {
	t.Parallel()
	e := newExiting(t)
	e.pay()
	e.policy(func(p *domain.Policy) { p.RefundLadder = nil })
	preview, err := e.app.PreviewRefund(ctx, e.a, e.o.ID)
	must(t, err)
	want(t, "preview", preview, app.RefundPreview{Order: e.o.ID, State: "paid", Percent: 100, Slots: 4402, Goods: 6000, Amount: 10402, Paid: 10402, Coupon: true, Currency: "CNY"})
	e.cancel(e.a, e.o.ID)
	want(t, "refund", e.refunded(e.o.ID), 10402)
}

// Several slots: the share is of their sum, rounded once, and goes by the first start.
func TestExits_SeveralSlots(t *testing.T) {
	t.Parallel()
	e := newExiting(t)
	e.req.Slots = append(e.req.Slots, slotOn("2026-12-12", "c2", "17:30"), slotOn("2026-12-12", "c3", "17:30"))
	e.pay() // 3·5557 + 6000 = 22671, less 2267: 20404, of which slots 14404
	want(t, "total", e.o.Total, 20404)
	e.at("2026-12-11T12:00:00+08:00") // 5.5 h before the first
	e.cancel(e.a, e.o.ID)
	want(t, "refund", e.refunded(e.o.ID), 7202+6000)

	// What has begun takes no part any more; the desk cancels the rest.
	f := newExiting(t)
	f.req.Slots = append(f.req.Slots, slotOn("2026-12-11", "c2", "20:30"))
	f.pay() // 2·5557 + 6000 = 17114, less 1711: shares 855 and 856
	f.at("2026-12-11T19:00:00+08:00")
	want(t, "state", f.order(f.a, f.o.ID).State, "paid")
	f.deskCancel("venue")
	want(t, "refund", f.refunded(f.o.ID), (5557-856)+6000)
	f.sound()
}

// A coupon may cover everything: the order is paid at once and no bank hears of it.
func TestExits_TotalZero(t *testing.T) {
	t.Parallel()
	e := newExiting(t)
	e.coupon("ALL", 100, 1, 0)
	e.req.Coupon = "ALL"
	e.hold()
	want(t, "state", e.o.State, "paid")
	want(t, "total", e.o.Total, 0)
	want(t, "ticket", e.o.Ticket != nil, true)
	_, err := e.app.OpenPayment(ctx, e.a, e.o.ID, "sandbox", "", "")
	wantReason(t, err, "already_paid")
	e.wall.set(noon + 601)
	e.round()
	want(t, "state", e.order(e.a, e.o.ID).State, "paid")
	e.cancel(e.a, e.o.ID)
	want(t, "coupon", e.uses("ALL"), 0)
	want(t, "rows of money", e.count("SELECT (SELECT count(*) FROM payments) + (SELECT count(*) FROM refunds)"), 0)
	e.sound()
}

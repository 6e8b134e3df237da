package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

// eveningPrices makes slots from 19:00 dearer and those before 14:00 cheaper.
func (c *club) eveningPrices() {
	c.t.Helper()
	c.prices(domain.PriceRule{Name: "晚间", Band: domain.Band{From: 19 * 60, To: 24 * 60}, PriceFen: 8000},
		domain.PriceRule{Name: "早场", Band: domain.Band{From: 0, To: 14 * 60}, PriceFen: 5000}, domain.PriceRule{Name: "标准价", PriceFen: 6000})
}

func TestMove_TheDifferenceInPrice(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.eveningPrices()
	c.coupon("TEN", 10, 0, 0)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("TEN", goods("g1", 1), slot("c1", "17:30")))) // 6000 + 3000 less 900, from the slot
	old := o.Ticket.Code
	c.clock("12:01:00")
	m, err := c.move(o.Reservations[0].ID, slot("c2", "19:00"))
	must(t, err)
	want(t, "up", m.Difference, 2000)
	want(t, "total", m.Order.Total, 10100)
	want(t, "paid", m.Order.Paid, 10100)
	want(t, "the desk's cash", c.count("SELECT amount_fen FROM payments WHERE via = 'cash' AND purpose = 'move'"), 2000)
	want(t, "price rule", m.Order.Reservations[0].PriceRule, "晚间")
	want(t, "replaces", m.Order.Reservations[0].Replaces, o.Reservations[0].ID)

	m, err = c.move(m.Order.Reservations[0].ID, slot("c3", "13:00"))
	must(t, err)
	want(t, "down", m.Difference, -3000)
	want(t, "refund", c.refunded(o.ID), 3000)
	want(t, "still paid for", m.Order.Total, 7100)
	m, err = c.move(m.Order.Reservations[0].ID, slot("c4", "13:00"))
	must(t, err)
	want(t, "level", m.Difference, 0)

	want(t, "stock goes along", c.stock("g1"), 9)
	want(t, "coupon goes along", c.uses("TEN"), 1)
	want(t, "old slots", c.state(slot("c1", "17:30"))+c.state(slot("c2", "19:00"))+c.state(slot("c3", "13:00")), "freefreefree")
	want(t, "no cancel notice", c.notices(o.ID, "cancelled"), 0)
	want(t, "told of each move", c.notices(o.ID, "moved"), 3)
	want(t, "old ticket", c.scan(old).Result, "unknown")
	c.clock("12:30:00")
	want(t, "new ticket", c.scan(m.Order.Ticket.Code).Result, "ok")
	c.round()
	want(t, "nothing restocked", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 0)
	want(t, "refunded", c.order(a, o.ID).Refunded, 3000)
	c.clock("14:30:00")
	want(t, "state", c.order(a, o.ID).State, "completed")
	c.sound()
}

// Cancelling after moves gives back by what the slot costs now, from all payments.
func TestMove_ThenCancel(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.eveningPrices()
	a := c.customer("13800000001")
	o := c.paidAt(a, slotOn("2026-12-12", "c1", "17:30"))
	_, err := c.move(o.Reservations[0].ID, slotOn("2026-12-12", "c1", "19:00"))
	must(t, err)
	c.cancel(a, o.ID)
	want(t, "refund", c.refunded(o.ID), 8000)
	want(t, "to the bank", c.count("SELECT amount_fen FROM refunds f WHERE payment_id IN (SELECT id FROM payments WHERE via = 'sandbox')"), 6000)
	c.round()
	o = c.order(a, o.ID)
	want(t, "back", o.Refunded, 6000)
	want(t, "cash waits for the desk", o.RefundPending, 2000)
	waiting, err := c.app.RefundsForStaff(ctx, c.desk)
	must(t, err)
	want(t, "waiting", len(waiting.Items), 1)
	_, err = c.app.ConfirmRefund(ctx, c.desk, waiting.Items[0].ID)
	must(t, err)
	want(t, "back", c.order(a, o.ID).Refunded, 8000)
	c.sound()
}

func TestMove_OneOfSeveralSlots(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("", goods("g1", 2), slot("c1", "14:30"), slot("c2", "16:00"))))
	m, err := c.move(o.Reservations[0].ID, slot("c3", "19:00"))
	must(t, err)
	want(t, "slots", len(m.Order.Reservations), 2)
	// 16:00 is the first start now, and the goods wait until 20:30.
	c.clock("15:59:59")
	p, err := c.app.PreviewRefund(ctx, a, o.ID)
	must(t, err)
	want(t, "ladder", p.Percent, 0)
	c.clock("17:30:00")
	want(t, "one missed", c.order(a, o.ID).State, "paid")
	want(t, "goods wait", c.stock("g1"), 8)
	c.round()
	c.clock("19:10:00")
	r := c.scan(m.Order.Ticket.Code)
	want(t, "scan", r.Result, "ok")
	want(t, "one slot, with the goods", len(r.Reservations)*10+len(r.GoodsOut), 11)
	c.clock("20:30:00")
	want(t, "state", c.order(a, o.ID).State, "completed")
	c.sound()
}

func TestMove_AHold(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	c.clock("14:25:00")
	o := c.book(a, basket("", goods("g1", 1), slot("c1", "17:30"), slot("c2", "17:30")))
	want(t, "pay_by", o.PayBy.Format("15:04:05"), "14:35:00")
	m, err := c.move(o.Reservations[0].ID, slot("c1", "20:30"))
	must(t, err)
	want(t, "no money", m.Order.Paid, 0)
	want(t, "never later", m.Order.PayBy.Format("15:04:05"), "14:35:00")
	m, err = c.move(m.Order.Reservations[len(m.Order.Reservations)-1].ID, slot("c3", "14:30"))
	must(t, err)
	want(t, "the first start caps it for all", m.Order.PayBy.Format("15:04:05"), "14:30:00")
	want(t, "one deadline", c.count("SELECT count(DISTINCT pay_by) FROM (SELECT pay_by FROM reservations WHERE cancelled_at IS NULL UNION ALL SELECT pay_by FROM baskets WHERE cancelled_at IS NULL)"), 1)
	want(t, "stock", c.stock("g1"), 9)
	c.clock("14:30:00")
	want(t, "lapses whole", c.order(a, o.ID).State, "lapsed")
	want(t, "stock", c.stock("g1"), 10)
	c.round()
	want(t, "restocked once", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)
	_, err = c.move(m.Order.Reservations[0].ID, slot("c4", "19:00"))
	wantReason(t, err, "too_late")
	c.sound()
}

func TestMove_OnArrivalMeansTheNewStart(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	o, _, err := c.app.DeskOrder(ctx, c.desk, basket("", goods("g1", 1), slot("c1", "17:30")), app.Caller{Name: "王"}, "on_arrival", "")
	must(t, err)
	for _, k := range []struct{ court, clock string }{{"c2", "20:30"}, {"c3", "16:00"}, {"c4", "19:00"}} {
		m, err := c.move(o.Reservations[0].ID, slot(k.court, k.clock))
		must(t, err)
		o = m.Order
		want(t, "pay_by", o.PayBy.Format("15:04"), k.clock)
	}
	c.clock("18:59:59")
	o, err = c.app.MarkPaid(ctx, c.desk, o.ID, "")
	must(t, err)
	want(t, "state", o.State, "paid")
	want(t, "stock", c.stock("g1"), 9)
	c.sound()
}

func TestMove_WhereItCannotGo(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	paid := c.paidAt(a, slot("c1", "19:00"))
	held := c.book(a, slots(slot("c2", "19:00")))
	c.paidAt(b, slot("c3", "17:30"))
	_, err := c.close("17:00", "18:00", false, "c4")
	must(t, err)
	id := paid.Reservations[0].ID
	for _, k := range []struct {
		to     app.SlotRef
		reason string
	}{
		{slot("c1", "19:00"), "invalid_field"}, {slot("c3", "17:30"), "slot_taken"}, {slot("c4", "17:30"), "slot_closed"},
		{slot("c1", "10:00"), "slot_past"}, {slot("c9", "17:30"), "invalid_field"}, {slot("c1", "17:31"), "invalid_field"},
	} {
		_, err := c.move(id, k.to)
		wantReason(t, err, k.reason)
	}
	want(t, "nothing happened", c.count("SELECT count(*) FROM reservations WHERE moved = 1"), 0)

	c.wall.set(noon + 599)
	c.clock("12:09:59")
	_, err = c.move(held.Reservations[0].ID, slot("c5", "11:30"))
	wantReason(t, err, "slot_past") // unpaid and begun
	m, err := c.move(id, slot("c5", "11:30"))
	must(t, err)
	want(t, "paid and begun: walks in", m.Order.Reservations[0].State, "playing")
	_, err = c.move(m.Order.Reservations[0].ID, slot("c5", "20:30"))
	wantReason(t, err, "too_late") // playing
	_, err = c.move(id, slot("c5", "20:30"))
	wantReason(t, err, "too_late") // moved away
	c.sound()
}

func TestMove_TwoStaffMoveOneBooking(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other, a := c.second(), c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	errs := race(6, func(i int) error {
		_, err := both(c, other, i).move(o.Reservations[0].ID, slot([]string{"c2", "c3", "c4", "c5", "c6", "c1"}[i], "19:00"))
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 1, "too_late": 5})
	want(t, "live", c.count("SELECT count(*) FROM reservations WHERE cancelled_at IS NULL"), 1)
	c.sound()
}

func TestMove_OneReminderAtTheNewTime(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	c.clock("15:29:59")
	c.round()
	want(t, "too soon", c.notices(o.ID, "reminder"), 0)
	_, err := c.move(o.Reservations[0].ID, slot("c2", "20:30"))
	must(t, err)
	c.clock("15:30:00")
	c.round()
	c.clock("18:29:59")
	c.round()
	want(t, "none for the old time", c.notices(o.ID, "reminder"), 0)
	c.clock("18:30:00")
	c.round()
	c.round()
	want(t, "one", c.mail.kinds()["reminder"], 1)

	// Queued for the old time and not yet sent: it is judged again.
	p := c.paidAt(a, slotOn("2026-12-11", "c1", "17:30"))
	c.wall.set(at("2026-12-11T15:30:00+08:00"))
	queued, err := c.app.QueueReminders(ctx)
	must(t, err)
	want(t, "queued", queued, 1)
	_, err = c.move(p.Reservations[0].ID, slotOn("2026-12-12", "c1", "17:30"))
	must(t, err)
	c.round()
	want(t, "not sent", c.mail.kinds()["reminder"], 1)
	c.wall.set(at("2026-12-12T15:30:00+08:00"))
	c.round()
	want(t, "at the new time", c.mail.kinds()["reminder"], 2)
}

// A cheaper slot uses less of the coupon; the rest is not lost with it, so that
// undoing a move costs nothing.
func TestMove_ThereAndBackWithACoupon(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		percent        int
		first, therein int64 // paid at first, and what the cheaper slot gives back
	}{{100, 0, 0}, {99, 60, 60}, {33, 4020, 1000}} {
		c := newClub(t)
		c.eveningPrices() // 6000 at 17:30, 5000 at 13:00
		c.coupon("PART", one.percent, 0, 0)
		a := c.customer("13800000001")
		o := c.book(a, basket("PART", nil, slot("c1", "17:30")))
		if o.Total > 0 {
			o = c.payFor(a, o)
		}
		want(t, "paid", o.Paid, one.first)
		m, err := c.move(o.Reservations[0].ID, slot("c1", "13:00"))
		must(t, err)
		want(t, "down", m.Difference, -one.therein)
		m, err = c.move(m.Order.Reservations[0].ID, slot("c2", "13:00"))
		must(t, err)
		want(t, "level", m.Difference, 0)
		m, err = c.move(m.Order.Reservations[0].ID, slot("c1", "17:30"))
		must(t, err)
		want(t, "back up", m.Difference, one.therein)
		want(t, "total", m.Order.Total, one.first)
		want(t, "discount", m.Order.Discount, 6000-one.first)
		c.sound()
	}
}

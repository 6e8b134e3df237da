package app_test

import (
	"testing"

	"courtd/app"
)

// What was shown is what is done: the amount is compared in the act's own
// transaction, after the question whether the act has been done already.
func TestShownAmountIsComparedInTheAct(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.price(6000)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("", nil, slotOn("2026-12-12", "c1", "17:30"))))
	c.wall.set(at("2026-12-12T05:30:01+08:00"))
	preview, err := c.app.PreviewRefund(ctx, a, o.ID)
	must(t, err)
	other := preview
	other.Amount++
	_, err = c.app.CancelOrder(ctx, a, o.ID, "k1", other.Shown())
	wantReason(t, err, "refund_changed")
	_, err = c.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", "雨", "k2", preview.Shown())
	wantReason(t, err, "refund_changed")
	to := slotOn("2026-12-12", "c2", "19:00")
	_, err = c.app.MoveReservation(ctx, c.desk, o.Reservations[0].ID, to, "", "k3", app.ShownMove{Difference: 500})
	wantReason(t, err, "amount_changed")
	if n := c.count("SELECT count(*) FROM refunds"); n != 0 {
		t.Fatalf("%d refunds after acts that were refused", n)
	}
	for range 2 {
		_, err = c.app.CancelOrder(ctx, a, o.ID, "k1", preview.Shown())
		must(t, err)
		c.wall.set(at("2026-12-12T17:00:00+08:00")) // a retry is not compared again
	}
	if got := int64(c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds")); got != preview.Amount {
		t.Errorf("%d went back, %d was shown", got, preview.Amount)
	}
}

// Nothing goes back for an order that is not paid, and nothing for one that is paid and
// cancelled too late: who has agreed to the one has not agreed to the other. The same
// with the coupon of an order that cost nothing.
func TestNothingBackIsNotAlwaysTheSame(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.price(6000)
	c.coupon("FREE", 100, 0, 0)
	a := c.customer("13800000001")
	held := c.book(a, slots(slot("c1", "13:00")))
	unpaid, err := c.app.PreviewCancel(ctx, c.desk, held.ID)
	must(t, err)
	want(t, "state", unpaid.ByCustomer.State, "held")
	c.payFor(a, held)
	free := c.book(a, basket("FREE", nil, slotOn("2026-12-12", "c2", "17:30")))
	whole, err := c.app.PreviewRefund(ctx, a, free.ID)
	must(t, err)
	want(t, "the coupon comes back", whole.Coupon, true)
	_, err = c.app.CancelAtDesk(ctx, c.desk, held.ID, "customer", "不来了", "", unpaid.ByCustomer.Shown())
	wantReason(t, err, "refund_changed")
	_, err = c.app.CancelOrder(ctx, a, held.ID, "", unpaid.ByCustomer.Shown())
	wantReason(t, err, "refund_changed")
	c.wall.set(at("2026-12-12T12:30:01+08:00"))
	_, err = c.app.CancelOrder(ctx, a, free.ID, "", whole.Shown())
	wantReason(t, err, "refund_changed")
	now, err := c.app.PreviewRefund(ctx, a, free.ID)
	must(t, err)
	want(t, "what goes back of nothing", now.Amount, whole.Amount)
	_, err = c.app.CancelOrder(ctx, a, free.ID, "", now.Shown())
	must(t, err)
}

// What the desk takes in cash is what it was shown: a move of an order that is not paid
// yet makes it another amount. A retry is not compared again.
func TestCashIsTakenForWhatWasShown(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.eveningPrices()
	o := c.book(c.customer("13800000001"), slots(slot("c1", "17:30")))
	shown := app.Shown(o.Due)
	_, err := c.move(o.Reservations[0].ID, slot("c2", "19:00"))
	must(t, err)
	_, err = c.app.MarkPaid(ctx, c.desk, o.ID, "k1", shown)
	wantReason(t, err, "amount_changed")
	if o = c.order(c.desk, o.ID); o.State != "held" || o.Paid != 0 || c.count("SELECT count(*) FROM payments") != 0 {
		t.Fatalf("after a refusal it is %s, and %d are paid", o.State, o.Paid)
	}
	for range 2 {
		o, err = c.app.MarkPaid(ctx, c.desk, o.ID, "k1", app.Shown(8000))
		must(t, err)
		want(t, "taken", c.count("SELECT sum(amount_fen) FROM payments WHERE via = 'cash'"), 8000)
		want(t, "due", o.Due, 0)
	}
}

// A closure shows what goes back of an order whose money has gone back in part, and a
// refund between the preview and the closure makes it another.
func TestAClosureShowsWhatIsLeft(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.price(6000)
	o := c.paidAt(c.customer("13800000001"), slot("c1", "17:30"))
	req := app.ClosureRequest{Courts: []string{"c1"}, From: at("2026-12-10T17:30:00+08:00"), To: at("2026-12-10T19:00:00+08:00"), Reason: "漏水", CancelBookings: true}
	before, err := c.app.PreviewClosure(ctx, req)
	must(t, err)
	want(t, "whole", before.Hits[0].Refund, 6000)
	_, err = c.app.Goodwill(ctx, c.desk, o.ID, 1500, "等太久", "")
	must(t, err)
	req.Seen = before.Mark
	_, err = c.app.MakeClosure(ctx, c.owner, req, "")
	wantReason(t, err, "changed_meanwhile")
	after, err := c.app.PreviewClosure(ctx, req)
	must(t, err)
	want(t, "left", after.Hits[0].Refund, 4500)
	req.Seen = after.Mark
	_, err = c.app.MakeClosure(ctx, c.owner, req, "")
	must(t, err)
	want(t, "back", c.count("SELECT sum(amount_fen) FROM refunds WHERE purpose = 'closure'"), 4500)
}

// The button says an amount, and nothing else is asked for.
func TestAPaymentIsOpenedForWhatWasShown(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.eveningPrices()
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	_, err := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "", app.Shown(o.Due+1))
	wantReason(t, err, "amount_changed")
	want(t, "attempts", c.count("SELECT count(*) FROM payments"), 0)
	_, err = c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "", app.Shown(o.Due))
	must(t, err)
}

// What a payment brings beyond the price goes back for the reason there is: the slot is
// another and cheaper one by now, or it was closed.
func TestWhatIsTooMuchSaysWhy(t *testing.T) {
	t.Parallel()
	for reason, purpose := range map[string]string{"moved_cheaper": "move", "slot_closed": "closure"} {
		c := newClub(t)
		c.eveningPrices()
		a := c.customer("13800000001")
		o := c.book(a, slots(slot("c1", "17:30"), slot("c1", "19:00")))
		opened := c.open(a, o)
		if purpose == "move" {
			_, err := c.move(o.Reservations[1].ID, slot("c2", "13:00"))
			must(t, err)
		} else {
			_, err := c.close("19:00", "20:30", true, "c1")
			must(t, err)
		}
		due := c.order(a, o.ID).Due
		c.tell(c.succeed(opened))
		after := c.order(a, o.ID)
		want(t, reason+": state", after.State, "paid")
		if len(after.Refunds) != 1 {
			t.Fatalf("%s: refunds %+v", reason, after.Refunds)
		}
		want(t, "too much", after.Refunds[0].Amount, o.Due-due)
		want(t, "purpose", after.Refunds[0].Purpose, purpose)
		want(t, "reason", after.Refunds[0].Reason, reason)
	}
}

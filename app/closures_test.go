package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// on asks to close courts on 10 December between two wall-clock times.
func on(from, to string, courts ...string) app.ClosureRequest {
	return app.ClosureRequest{Courts: courts, From: at("2026-12-10T" + from + ":00+08:00"), To: at("2026-12-10T" + to + ":00+08:00"), Reason: "维修"}
}

func TestClosure_CancelsOnlyWhatItHits(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.coupon("THIRD", 33, 1, 0)
	a := c.customer("13800000001")
	// Three slots of 6000 and goods for 3300: 21300 less 7029. Shares of the slots are 2343 each.
	o := c.book(a, basket("THIRD", append(goods("g1", 1), goods("g3", 1)...), slot("c1", "17:30"), slot("c1", "19:00"), slot("c2", "17:30")))
	want(t, "total", o.Total, 14271)
	for i, share := range []int64{2343, 2343, 2343} {
		want(t, "share", o.Reservations[i].Discount, share)
	}
	o = c.payFor(a, o)
	preview, err := c.app.PreviewClosure(ctx, on("18:59", "19:01", "c1", "c3"))
	must(t, err)
	want(t, "hits", len(preview.Hits), 2)
	want(t, "refund of each", preview.Hits[0].Refund+preview.Hits[1].Refund, 2*3657)

	req := on("19:00", "20:00", "c1", "c3")
	req.CancelBookings = true
	made, err := c.app.MakeClosure(ctx, c.owner, req, "")
	must(t, err)
	want(t, "cancelled", made.Cancelled, 1)
	want(t, "refund", c.refunded(o.ID), 3657)
	got := c.order(a, o.ID)
	want(t, "state", got.State, "paid")
	want(t, "slots", got.Reservations[0].State+got.Reservations[1].State+got.Reservations[2].State, "confirmedcancelledconfirmed")
	want(t, "ticket stays", got.Ticket.Code, o.Ticket.Code)
	want(t, "stock", c.stock("g1"), 9)
	want(t, "coupon", c.uses("THIRD"), 1)

	// The last of them: now goods and coupon come back too.
	req = on("17:00", "17:31", "c1", "c2")
	req.CancelBookings = true
	_, err = c.app.MakeClosure(ctx, c.owner, req, "")
	must(t, err)
	want(t, "state", c.order(a, o.ID).State, "cancelled")
	want(t, "everything is back", c.refunded(o.ID), 14271)
	want(t, "stock", c.stock("g1"), 10)
	want(t, "coupon", c.uses("THIRD"), 0)
	want(t, "told of each closure", c.notices(o.ID, "closure"), 2)
	c.round()
	want(t, "refunded", c.order(a, o.ID).Refunded, 14271)
	want(t, "ticket", c.scan(o.Ticket.Code).Result, "cancelled")
	c.sound()
}

func TestClosure_OfAHold(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, basket("", goods("g1", 2), slot("c1", "17:30"), slot("c2", "17:30")))
	made, err := c.close("17:30", "19:00", true, "c1")
	must(t, err)
	want(t, "hits", len(made.Hits), 1)
	want(t, "state", c.order(a, o.ID).State, "held")
	p, err := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "")
	must(t, err)
	want(t, "left to pay", p.Amount, 12000)
	c.tell(c.succeed(p.OutTradeNo))
	want(t, "state", c.order(a, o.ID).State, "paid")
	want(t, "refunds", c.refunded(o.ID), 0)
	want(t, "stock", c.stock("g1"), 8)
	c.sound()
}

func TestClosure_WhilePeoplePlay(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("", goods("g1", 1), slot("c1", "17:30"))))
	c.clock("17:40:00")
	want(t, "scan", c.scan(o.Ticket.Code).Result, "ok")
	made, err := c.close("17:40", "18:00", true, "c1")
	must(t, err)
	want(t, "hits", len(made.Hits), 1)
	want(t, "refund of the slot", c.refunded(o.ID), 6000)
	want(t, "goods are gone", c.stock("g1"), 9)
	c.round()
	c.sound()
}

func TestClosure_LiftingPutsTheSlotsBack(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	made, err := c.close("17:30", "19:00", false, "c1")
	must(t, err)
	second, err := c.close("18:00", "20:00", false, "c1", "c2")
	must(t, err)
	list, _, err := c.app.Closures(ctx)
	must(t, err)
	want(t, "closures", len(list), 2)
	_, err = c.app.LiftClosure(ctx, c.owner, made.Closure.ID)
	must(t, err)
	want(t, "the other stands", c.state(slot("c1", "17:30")), "closed")
	c.refuse(a, slots(slot("c1", "17:30")), "slot_closed")
	c.wall.set(noon + 60)
	_, err = c.app.LiftClosure(ctx, c.owner, second.Closure.ID)
	must(t, err)
	want(t, "on sale", c.state(slot("c1", "17:30"))+c.state(slot("c2", "19:00")), "freefree")
	c.book(a, slots(slot("c1", "17:30"), slot("c2", "19:00")))
	_, err = c.app.LiftClosure(ctx, c.owner, "nobody")
	wantReason(t, err, "not_found")

	// As it was: the board of a minute ago still knows the closure.
	day, err := domain.ParseDate("date", "2026-12-10")
	must(t, err)
	for when, state := range map[domain.Instant]string{noon: "closed", noon + 59: "closed", noon + 60: "held"} {
		board, err := c.app.DeskDay(ctx, day, when)
		must(t, err)
		want(t, "as of then", board.Courts[0].Slots[6].State, state)
	}
}

func TestClosure_WhatCannotBe(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	for name, req := range map[string]app.ClosureRequest{
		"no court":     on("17:00", "18:00"),
		"no such":      on("17:00", "18:00", "c1", "c99"),
		"named twice":  on("17:00", "18:00", "c1", "c1"),
		"backwards":    on("18:00", "17:00", "c1"),
		"empty":        on("18:00", "18:00", "c1"),
		"over already": on("10:00", "12:00", "c1"),
	} {
		_, err := c.app.MakeClosure(ctx, c.owner, req, "")
		if !domain.IsReason(err, "invalid_field") {
			t.Errorf("%s: %v", name, err)
		}
	}
	want(t, "closures", c.count("SELECT count(*) FROM closures"), 0)
}

// One order that cannot be refunded in full does not keep a court from closing.
func TestClosure_SeveralOrders(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	crowd := c.crowd(6)
	var ids []string
	for i, court := range []string{"c1", "c2", "c3", "c4", "c5", "c6"} {
		ids = append(ids, c.paidAt(crowd[i], slot(court, "17:30")).ID)
	}
	_, err := c.app.Goodwill(ctx, c.desk, ids[2], 6000, "rain", "")
	must(t, err)
	_, err = c.app.Goodwill(ctx, c.desk, ids[3], 1, "rain", "")
	must(t, err)
	made, err := c.close("17:00", "19:00", true, "c1", "c2", "c3", "c4", "c5", "c6")
	must(t, err)
	want(t, "cancelled", made.Cancelled, 6)
	for _, id := range ids {
		want(t, "state", c.order(c.desk, id).State, "cancelled")
		want(t, "refund", c.refunded(id), 6000)
	}
	c.sound()
}

// TestClosure_OfWhatWasSeen: a closure that was decided on a preview is not made when
// it hits something else by now.
func TestClosure_OfWhatWasSeen(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.payFor(a, c.book(a, slots(slot("c1", "17:30"))))
	req := on("17:30", "19:00", "c1", "c2")
	req.CancelBookings = true
	see := func() string {
		t.Helper()
		preview, err := c.app.PreviewClosure(ctx, req)
		must(t, err)
		return preview.Mark
	}
	first := see()
	want(t, "the same as long as nothing changes", see(), first)
	o := c.book(b, slots(slot("c2", "17:30")))
	req.Seen = first
	_, err := c.app.MakeClosure(ctx, c.owner, req, "key")
	wantReason(t, err, "changed_meanwhile")
	want(t, "closures", c.count("SELECT count(*) FROM closures"), 0)
	second := see()
	c.payFor(b, o) // the same booking, now with money to give back
	req.Seen = second
	_, err = c.app.MakeClosure(ctx, c.owner, req, "key")
	wantReason(t, err, "changed_meanwhile")
	req.Seen = see()
	made, err := c.app.MakeClosure(ctx, c.owner, req, "key")
	must(t, err)
	want(t, "cancelled", made.Cancelled, 2)
	again, err := c.app.MakeClosure(ctx, c.owner, req, "key") // the hits are gone, the key is known
	must(t, err)
	want(t, "the same closure", again.Closure.ID, made.Closure.ID)
}

// TestClosure_IsRememberedWhenDone: what is over or lifted is listed with who lifted it.
func TestClosure_IsRememberedWhenDone(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	over, err := c.close("13:00", "14:00", false, "c1")
	must(t, err)
	c.clock("12:30:00")
	lifted, err := c.close("17:30", "19:00", false, "c2", "c1")
	must(t, err)
	_, err = c.close("17:30", "19:00", false, "c3")
	must(t, err)
	_, err = c.app.LiftClosure(ctx, c.desk, lifted.Closure.ID)
	must(t, err)
	done := func(skip, limit int) (out []domain.Closure) {
		must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
			out, err = s.ClosuresDone(skip, limit)
			return err
		}))
		return out
	}
	c.clock("13:59:59")
	want(t, "one second before its end", len(done(0, 9)), 1)
	want(t, "by", done(0, 9)[0].LiftedBy, c.desk.ID)
	c.clock("14:00:00")
	want(t, "at its end", len(done(0, 9)), 2)
	want(t, "the last made first", done(0, 9)[0].ID+done(0, 9)[1].ID, lifted.Closure.ID+over.Closure.ID)
	want(t, "a page", done(1, 1)[0].ID, over.Closure.ID)
}

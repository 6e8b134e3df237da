package app_test

import (
	"testing"
	"time"

	"courtd/app"
)

// Each count of the day changes at the second of its deadline, with nobody doing anything.
func TestTodayCountsWhatSlotsAre(t *testing.T) {
	c := newClubAt(t, "2026-12-10T08:00:00+08:00")
	a, b := c.customer("13800000001"), c.customer("13800000002")
	look := func() app.TodayView {
		t.Helper()
		v, err := c.app.Today(ctx)
		must(t, err)
		return v
	}
	want := func(clock string, toCome, in, noShows, heldToday, held int, changes string) {
		t.Helper()
		c.clock(clock)
		v := look()
		if v.ToCome != toCome || v.CheckedIn != in || v.NoShows != noShows || v.HeldToday != heldToday || v.Held != held {
			t.Errorf("at %s: %+v", clock, v)
		}
		next := ""
		if v.ChangesAt != nil {
			next = v.ChangesAt.Format("02 15:04:05")
		}
		if next != changes || v.Date.String() != "2026-12-10" {
			t.Errorf("at %s, of %s: it changes at %q, want %q", clock, v.Date, next, changes)
		}
	}
	c.clock("09:00:00")
	paid := c.payFor(a, c.book(a, slots(slot("c1", "10:00"), slot("c2", "10:00"))))
	missed := c.payFor(b, c.book(b, slots(slot("c3", "10:00"))))
	cancelled := c.payFor(b, c.book(b, slots(slot("c4", "10:00"))))
	c.cancel(b, cancelled.ID)
	want("09:00:00", 3, 0, 0, 0, 0, "10 11:30:00")
	c.book(b, slots(slot("c5", "17:30")))
	c.book(a, slots(app.SlotRef{Court: "c5", Start: at("2026-12-11T17:30:00+08:00")}))
	want("09:00:01", 3, 0, 0, 1, 2, "10 09:10:00")
	want("09:09:59", 3, 0, 0, 1, 2, "10 09:10:00")
	want("09:10:00", 3, 0, 0, 0, 0, "10 11:30:00")
	c.clock("09:50:00")
	c.scan(paid.Ticket.Code)
	want("11:29:59", 1, 2, 0, 0, 0, "10 11:30:00")
	want("11:30:00", 0, 2, 1, 0, 0, "")
	_, err := c.app.UndoNoShow(ctx, c.desk, missed.Reservations[0].ID, "was here", "")
	must(t, err)
	want("11:30:05", 0, 3, 0, 0, 0, "")
	c.wall.set(at("2026-12-11T09:00:00+08:00"))
	if v := look(); v.Date.String() != "2026-12-11" || v.CheckedIn+v.NoShows+v.ToCome != 0 || v.Now.Sub(time.Unix(0, 0)) <= 0 {
		t.Errorf("the day after: %+v", v)
	}
}

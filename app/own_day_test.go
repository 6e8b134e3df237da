package app_test

import (
	"fmt"
	"reflect"
	"testing"

	"courtd/app"
	"courtd/domain"
)

// A customer's own part of a day is theirs alone, and is derived: nothing has run.
func TestOwnDay(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	held := c.book(a, slots(slot("c1", "17:30")))
	paid := c.payFor(a, c.book(a, slots(slot("c2", "17:30"))))
	c.book(b, slots(slot("c3", "17:30")))
	gone := c.book(a, slots(slot("c4", "17:30")))
	c.cancel(a, gone.ID)
	day, err := domain.ParseDate("date", "2026-12-10")
	must(t, err)
	own := func(who app.Actor) app.OwnDay {
		t.Helper()
		out, err := c.app.OwnDay(ctx, who, day)
		must(t, err)
		return out
	}
	id := func(court string) string { return fmt.Sprintf("%s@%d", court, at("2026-12-10T17:30:00+08:00")) }
	got := own(a)
	want(t, "slots of one's own", len(got.Own), 2)
	want(t, "the held one", got.Own[id("c1")], app.OwnSlot{Order: held.ID, State: "held"})
	want(t, "the paid one", got.Own[id("c2")], app.OwnSlot{Order: paid.ID, State: "confirmed"})
	want(t, "had", got.Had, 2)
	if !reflect.DeepEqual(got.DayView, c.day("2026-12-10")) {
		t.Error("the day itself is not what everybody sees")
	}
	for _, who := range []app.Actor{{Role: app.Anyone}, c.desk, c.owner} {
		if seen := own(who); len(seen.Own) != 0 || seen.Had != 0 {
			t.Errorf("%s has %v", who.Role, seen.Own)
		}
	}
	// At pay_by the hold is nobody's, and counts no more.
	c.clock("12:09:59")
	want(t, "a second before", own(a).Had, 2)
	c.clock("12:10:00")
	got = own(a)
	want(t, "slots after the lapse", len(got.Own), 1)
	want(t, "had after the lapse", got.Had, 1)
	// After the end it is no slot that one has; it still counts for the day.
	c.clock("19:00:00")
	got = own(a)
	want(t, "slots after the end", len(got.Own), 0)
	want(t, "had after the end", got.Had, 1)
}

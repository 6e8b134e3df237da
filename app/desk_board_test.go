package app_test

import (
	"reflect"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
)

// From one change to the next to the end of the day: nothing is different before
// it, and something is from then on.
func TestBoardSaysWhenItChanges(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	a, b := c.customer("13800000001"), c.customer("13800000002")
	playing := c.paidAt(a, slot("c1", "13:00"), slot("c1", "14:30"))
	c.paidAt(b, slot("c2", "13:00"))
	_, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c4", "19:00")), app.Caller{Name: "电话"}, "on_arrival", "")
	must(t, err)
	_, err = c.close("19:00", "22:00", false, "c5")
	must(t, err)
	c.clock("12:50:00")
	want(t, "scan", c.scan(playing.Ticket.Code).Result, "ok")
	c.clock("12:52:00")
	c.book(b, slots(slot("c3", "17:30"))) // until 13:02

	day := domain.Date{Year: 2026, Month: 12, Day: 10}
	look := func(at domain.Instant) app.BoardView {
		t.Helper()
		v, err := c.app.DeskDay(ctx, day, at)
		must(t, err)
		return v
	}
	bare := func(v app.BoardView) app.BoardView {
		v.At, v.ChangesAt = time.Time{}, nil
		for _, court := range v.Courts {
			for _, slot := range court.Slots {
				for i := range slot.Bookings {
					slot.Bookings[i].Actions = nil // only the board of this very instant has any
				}
			}
		}
		return v
	}
	v, steps := look(at("2026-12-10T12:52:00+08:00")), 0
	for ; v.ChangesAt != nil; steps++ {
		next := domain.InstantOf(*v.ChangesAt)
		if next <= domain.InstantOf(v.At) {
			t.Fatalf("at %s the next change is at %s", v.At, v.ChangesAt)
		}
		if !reflect.DeepEqual(bare(look(next-1)), bare(v)) {
			t.Errorf("between %s and %s something has changed", v.At, v.ChangesAt)
		}
		after := look(next)
		if reflect.DeepEqual(bare(after), bare(v)) && !isBoundary(v, *v.ChangesAt) {
			t.Errorf("nothing changes at %s", v.ChangesAt)
		}
		v = after
	}
	// Seven times at which slots begin or end, the lapse, and the release of whoever did not come.
	want(t, "changes", steps, 9)
	want(t, "the last state", domain.InstantOf(v.At), at("2026-12-10T22:00:00+08:00"))
	early := look(at("2026-12-10T08:00:00+08:00"))
	want(t, "before anything was booked", early.Courts[0].Slots[3].State, "free")
}

func isBoundary(v app.BoardView, at time.Time) bool {
	for _, slot := range v.Courts[0].Slots {
		if slot.Start.Equal(at) || slot.End.Equal(at) {
			return true
		}
	}
	return false
}

// A day that customers may not book yet changes when they may.
func TestBoardChangesWhenTheDayOpens(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	v, err := c.app.DeskDay(ctx, domain.Date{Year: 2026, Month: 12, Day: 20}, 0)
	must(t, err)
	want(t, "state", v.Courts[0].Slots[0].State, "not_open")
	want(t, "changes", domain.InstantOf(*v.ChangesAt), at("2026-12-14T07:00:00+08:00"))
}

func TestBoardSaysHowItWasPaidAndWhoIsLate(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	c.coupon("FREE", 100, 0, 0)
	c.clock("12:01:00")
	c.paidAt(a, slot("c1", "13:00"))
	c.book(a, basket("FREE", nil, slot("c2", "13:00")))
	_, err := c.deskSale(slot("c3", "13:00"))
	must(t, err)
	o, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c4", "13:00")), app.Caller{Name: "电话"}, "on_arrival", "")
	must(t, err)
	c.clock("12:20:00")
	_, err = c.app.MarkPaid(ctx, c.desk, o.ID, "")
	must(t, err)
	for _, row := range []struct {
		at, court  string
		pay, via   string
		paid, late bool
	}{
		{"12:30:00", "c1", "online", "sandbox", true, false},
		{"12:30:00", "c2", "online", "", true, false},
		{"12:30:00", "c3", "cash", "cash", true, false},
		{"12:30:00", "c4", "on_arrival", "cash", true, false},
		{"12:19:59", "c4", "on_arrival", "", false, false},
		{"12:59:59", "c1", "online", "sandbox", true, false},
		{"13:00:00", "c1", "online", "sandbox", true, true},
		{"14:30:00", "c1", "online", "sandbox", true, false},
	} {
		why, err := c.app.Why(ctx, slot(row.court, "13:00"), at("2026-12-10T"+row.at+"+08:00"))
		must(t, err)
		day, err := c.app.DeskDay(ctx, domain.Date{Year: 2026, Month: 12, Day: 10}, at("2026-12-10T"+row.at+"+08:00"))
		must(t, err)
		for _, b := range []app.BookingView{why.Bookings[0], day.Courts[row.court[1]-'1'].Slots[3].Bookings[0]} {
			if b.Pay != row.pay || b.Via != row.via || (b.PaidAt != nil) != row.paid || b.Late != row.late {
				t.Errorf("%s at %s: pay %s via %q at %v, late %t", row.court, row.at, b.Pay, b.Via, b.PaidAt, b.Late)
			}
		}
	}
}

// What an order says of its parts is what the acts go by.
func TestOrderSaysWhatTheDeskMayDo(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.price(6000)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "13:00"), slot("c2", "13:00")))
	want(t, "due", o.Due, 12000)
	want(t, "customers are told nothing of the desk's acts", len(o.Reservations[0].Actions), 0)
	_, err := c.close("13:00", "14:30", true, "c1")
	must(t, err)
	o = c.order(c.desk, o.ID)
	want(t, "due for what is left", o.Due, 6000)
	want(t, "the closed one", len(o.Reservations[0].Actions), 0)
	want(t, "the other", o.Reservations[1].Actions[0], "move")
	o, err = c.app.MarkPaid(ctx, c.desk, o.ID, "")
	must(t, err)
	want(t, "paid", o.Paid, 6000)
	want(t, "nothing is due", o.Due, 0)
	c.clock("14:30:00")
	o = c.order(c.desk, o.ID)
	want(t, "no-show", o.Reservations[1].Actions[0], "undo_no_show")
	o, err = c.app.Goodwill(ctx, c.desk, o.ID, 1000, "等太久", "")
	must(t, err)
	want(t, "cash goes back by hand", o.Refunds[0].ByHand, true)
	_, err = c.app.ConfirmRefund(ctx, c.desk, o.Refunds[0].ID)
	must(t, err)
	want(t, "once", c.order(c.desk, o.ID).Refunds[0].ByHand, false)
}

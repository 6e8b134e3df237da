package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func instantOf(t *testing.T, c *club) domain.Instant {
	t.Helper()
	now, err := c.app.Now(ctx)
	must(t, err)
	return now
}

// TestClockTwoSecondsBehind: two processes, and one instant for both: a slow clock
// neither revives what ended nor pays what lapsed.
func TestClockTwoSecondsBehind(t *testing.T) {
	c := newClub(t)
	slow := &wall{now: noon - 2}
	other := openClub(t, c.path, slow)
	other.owner, other.desk = c.owner, c.desk
	people := c.crowd(2)
	a, b := people[0], people[1]
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	c.wall.set(noon + 599)
	slow.set(noon + 597)
	want(t, "held", other.state(slot("c1", "17:30")), "held")
	c.wall.set(noon + 600)
	slow.set(noon + 598)
	c.book(b, slots(slot("c1", "17:30"))) // the rival's write hands 600 out
	want(t, "the slow one's instant", instantOf(t, other), noon+600)
	want(t, "it lapsed there too", other.order(a, o.ID).State, "lapsed")
	other.tell(other.succeed(no))
	want(t, "late money", other.order(a, o.ID).LateMoney.Reason, "slot_taken")
	_, err := other.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "")
	wantReason(t, err, "hold_lapsed")
	c.sound()
}

// TestClockInstantsNeverGoBack: whatever the walls show, what was handed out grows.
func TestClockInstantsNeverGoBack(t *testing.T) {
	c := newClub(t)
	other := openClub(t, c.path, &wall{now: noon})
	both := []*club{c, other}
	last := domain.Instant(0)
	for i, jump := range []domain.Instant{0, 10, 7, 12, 8, 8, 20, 16, 15, 21, 300, 296, 295} {
		who := both[i%2]
		who.wall.set(noon + jump)
		must(t, who.db.Write(ctx, func(tx *sqlite.Tx) error {
			if tx.Now < last {
				t.Errorf("step %d: %d after %d", i, tx.Now, last)
			}
			last = tx.Now
			return tx.SetMeta("step", "x")
		}))
		for _, reader := range both {
			if now := instantOf(t, reader); now < last {
				t.Errorf("step %d: a read at %d after a write at %d", i, now, last)
			}
		}
	}
	want(t, "the last", last, noon+300)
}

// TestClockSixSecondsBehind is refused until the owner accepts it; reads go on, and
// what is committed stays.
func TestClockSixSecondsBehind(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	lapsed := c.book(a, basket("", goods("g1", 2), slot("c1", "17:30")))
	c.wall.set(noon + 600)
	c.round()
	paid := c.paidAt(a, slot("c2", "17:30"))
	c.wall.set(noon + 595)
	c.cancel(a, c.book(a, slots(slot("c3", "17:30"))).ID) // five seconds are borne
	c.wall.set(noon + 594)
	for name, call := range map[string]func() error{
		"book":   func() error { _, _, err := c.app.CreateOrder(ctx, a, slots(slot("c4", "17:30")), ""); return err },
		"cancel": func() error { _, err := c.app.CancelOrder(ctx, a, paid.ID, ""); return err },
		"scan":   func() error { _, err := c.app.CheckIn(ctx, c.desk, paid.Ticket.Code, ""); return err },
		"round":  func() error { _, err := c.rec.RunOnce(ctx); return err },
	} {
		if err := call(); !domain.IsReason(err, "clock_behind") {
			t.Errorf("%s: got %v, want clock_behind", name, err)
		}
	}
	want(t, "reads go on", c.order(a, lapsed.ID).State, "lapsed")
	state, err := c.db.ClockState(ctx)
	must(t, err)
	want(t, "behind", state.Behind, true)
	// Far enough back that the hold would live again and the paid order would not
	// have been made: no word of the owner's takes either back.
	for _, back := range []domain.Instant{noon + 300, noon + 594, noon - 86400*365} {
		c.wall.set(back)
		err := app.AcceptClock(ctx, c.db, c.owner)
		wantReason(t, err, "bookings_ahead")
		refusal, _ := domain.AsError(err)
		want(t, "until", refusal.Detail["until"].(domain.Instant), noon+600)
		want(t, "the instant", instantOf(t, c), noon+600)
		want(t, "a committed ending stays", c.order(a, lapsed.ID).State, "lapsed")
		want(t, "a paid order stays", c.order(a, paid.ID).State, "paid")
		want(t, "its slot", c.state(slot("c2", "17:30")), "taken")
		want(t, "stock", c.stock("g1"), 10)
	}
	want(t, "nothing is recorded", c.count("SELECT count(*) FROM audit WHERE action LIKE '%clock%'"), 0)
	// The clock catches up, and everything goes on where it was.
	c.wall.set(noon + 600)
	c.book(a, slots(slot("c4", "17:30")))
	want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)
	c.sound()
}

// TestClockAccepted: a clock that ran ahead while nothing was booked is corrected
// by the owner's word, and every fact that can lie ahead stands against it.
func TestClockAccepted(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	c.wall.set(noon + 86400*365)
	c.customer("13800000002") // a sign-in, and
	c.round()                 // a round: neither is a booking
	c.wall.set(noon)
	_, _, err := c.app.CreateOrder(ctx, a, slots(slot("c1", "17:30")), "")
	wantReason(t, err, "clock_behind")
	must(t, app.AcceptClock(ctx, c.db, c.owner))
	want(t, "the clock", instantOf(t, c), noon)
	want(t, "recorded", c.count("SELECT count(*) FROM audit WHERE action LIKE '%clock%' AND actor = ?", c.owner.ID), 1)
	var held app.OrderView
	now := noon
	for _, act := range []struct {
		what string
		do   func()
	}{
		{"a booking", func() { held = c.book(a, basket("", goods("g1", 1), slot("c1", "17:30"))) }},
		{"a payment opened", func() { c.open(a, held) }},
		{"a cancellation", func() { c.cancel(a, held.ID) }},
		{"a closure", func() {
			_, err := c.close("19:00", "20:30", false, "c5")
			must(t, err)
		}},
	} {
		now += 60
		c.wall.set(now)
		act.do()
		c.wall.set(now - 30)
		if err := app.AcceptClock(ctx, c.db, c.owner); !domain.IsReason(err, "bookings_ahead") {
			t.Errorf("%s lies ahead: got %v, want bookings_ahead", act.what, err)
		}
		c.wall.set(now)
		must(t, app.AcceptClock(ctx, c.db, c.owner)) // at the last of them it may be taken
	}
}

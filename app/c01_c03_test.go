package app_test

import (
	"slices"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// both gives the two processes in turn.
func both(a, b *club, i int) *club { return []*club{a, b}[i%2] }

func TestC01_ManyPeopleTakeOneSlot(t *testing.T) {
	t.Parallel()
	const people = 50
	s := slot("c1", "17:30")
	for name, before := range map[string]func(*club){
		"free":             func(*club) {},
		"lapsed unsettled": func(c *club) { c.book(c.customer("13800000001"), slots(s)); c.wall.set(noon + 600) },
		"cancelled": func(c *club) {
			a := c.customer("13800000001")
			c.cancel(a, c.payFor(a, c.book(a, slots(s))).ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			before(c)
			crowd, other := c.crowd(people), c.second()
			errs := race(people, func(i int) error {
				_, _, err := both(c, other, i).app.CreateOrder(ctx, crowd[i], slots(s), "")
				return err
			})
			wantTally(t, errs, map[string]int{"ok": 1, "slot_taken": people - 1})
			want(t, "live rows", c.count("SELECT count(*) FROM reservations WHERE release_at > ?", int64(c.wall.now)), 1)
			c.sound()
		})
	}
}

func TestC01_OrdersThatShareSomeOfTheirSlots(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay = 8 })
	crowd, other := c.crowd(24), c.second()
	starts := []string{"13:00", "14:30", "16:00", "17:30", "19:00"}
	errs := race(24, func(i int) error {
		a, b := slot("c1", starts[i%4]), slot("c1", starts[i%4+1])
		if i%3 == 0 { // named in any order
			a, b = b, a
		}
		_, _, err := both(c, other, i).app.CreateOrder(ctx, crowd[i], slots(a, b), "")
		return err
	})
	got := tally(errs)
	if got["ok"] < 1 || got["ok"] > 2 || got["ok"]+got["slot_taken"] != 24 {
		t.Fatalf("outcomes: %v", got)
	}
	want(t, "rows: all of an order or nothing", c.count("SELECT count(*) FROM reservations"), 2*got["ok"])
	c.sound()
}

func TestC01_TheDeskACustomerAndAMoveWantOneSlot(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other, crowd := c.second(), c.crowd(30)
	var moving []string
	for _, clock := range []string{"08:30", "10:00", "13:00", "14:30"} {
		o, err := c.deskSale(slotOn("2026-12-11", "c2", clock))
		must(t, err)
		moving = append(moving, o.Reservations[0].ID)
	}
	s := slot("c1", "17:30")
	errs := race(30, func(i int) error {
		via := both(c, other, i)
		switch i % 3 {
		case 0:
			_, err := via.deskSale(s)
			return err
		case 1:
			_, err := via.move(moving[i%len(moving)], s)
			return err
		}
		_, _, err := via.app.CreateOrder(ctx, crowd[i], slots(s), "")
		return err
	})
	got := tally(errs)
	// A row that has been moved once is no longer there to be moved again.
	if got["ok"] != 1 || got["ok"]+got["slot_taken"]+got["too_late"] != 30 {
		t.Fatalf("outcomes: %v", got)
	}
	c.sound()
}

// grid changes the length of slots; the day still begins at 08:30.
func (c *club) grid(minutes int) {
	c.t.Helper()
	_, err := c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
		v.Calendar.Hours.SlotMinutes = minutes
		return nil
	})
	must(c.t, err)
}

func TestC02_OverlapThatIsNotEquality(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay = 96 })
	taken, err := c.deskSale(slot("c1", "17:30")) // until 19:00
	must(t, err)
	aside, err := c.deskSale(slotOn("2026-12-11", "c6", "08:30"))
	must(t, err)
	want(t, "taken", taken.Reservations[0].State, "confirmed")
	crowd := c.crowd(20)
	for i, k := range []struct {
		what    string
		minutes int
		start   string
	}{
		{"the same", 90, "17:30"},
		{"its last half hour", 30, "18:30"},
		{"a part inside", 30, "18:00"},
		{"over its start", 120, "16:30"},
		{"over its end", 60, "18:30"},
		{"around it", 240, "16:30"},
	} {
		c.grid(k.minutes)
		s, free := slot("c1", k.start), slot("c2", k.start)
		if c.state(s) != "taken" || c.state(free) != "free" {
			t.Fatalf("%s: the list says %s on court 1 and %s on court 2", k.what, c.state(s), c.state(free))
		}
		c.refuse(crowd[i], slots(s), "slot_taken")
		_, err := c.deskSale(s)
		wantReason(t, err, "slot_taken")
		_, err = c.move(aside.Reservations[0].ID, s)
		wantReason(t, err, "slot_taken")
		c.cancel(crowd[i], c.book(crowd[i], slots(free)).ID)
	}
	c.sound()
}

// The database itself refuses what a use case might let through by mistake.
func TestC02_TheDatabaseRefusesAnOverlapToo(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	o, err := c.deskSale(slot("c1", "17:30"))
	must(t, err)
	for name, by := range map[string]domain.Instant{"same": 0, "earlier": -1800, "later": 1800, "a second": 5399, "next": 5400} {
		err := c.db.Write(ctx, func(tx *sqlite.Tx) error {
			r, err := tx.Reservation(o.Reservations[0].ID)
			if err != nil {
				return err
			}
			r.ID, r.Seq, r.BookedAt, r.PaidAt = "forced-"+name, 10+int(by%7)+7, tx.Now, tx.Now
			r.StartsAt, r.EndsAt, r.CheckInFrom, r.CheckInBy = r.StartsAt+by, r.EndsAt+by, r.CheckInFrom+by, r.CheckInBy+by
			return tx.InsertReservation(r)
		})
		if name == "next" {
			must(t, err)
			continue
		}
		wantReason(t, err, "slot_taken")
	}
}

func TestC03_BackToBack(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	_, err := c.deskSale(slot("c1", "16:00"))
	must(t, err)
	crowd := c.crowd(4)
	c.book(crowd[0], slots(slot("c1", "14:30")))
	c.book(crowd[1], slots(slot("c1", "17:30")))
	aside, err := c.deskSale(slot("c2", "16:00"))
	must(t, err)
	_, err = c.move(aside.Reservations[0].ID, slot("c1", "19:00"))
	must(t, err)
	_, err = c.deskSale(slot("c1", "13:00"))
	must(t, err)

	// A closure that ends where a slot begins does not touch it either.
	_, err = c.close("10:00", "13:00", false, "c3")
	must(t, err)
	_, err = c.close("14:30", "16:00", false, "c3")
	must(t, err)
	c.book(crowd[2], slots(slot("c3", "13:00"), slot("c3", "16:00")))
	c.refuse(crowd[3], slots(slot("c3", "14:30")), "slot_closed")
	var got []string
	for _, s := range c.day("2026-12-10").Courts[2].Slots {
		got = append(got, s.State)
	}
	want(t, "the list", slices.Equal(got, []string{"past", "past", "past", "held", "closed", "held", "free", "free", "free"}), true)
	c.sound()
}

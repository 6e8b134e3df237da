package app_test

import (
	"path/filepath"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// newBerlin is a venue in Berlin with hourly slots around the clock.
func newBerlin(t *testing.T, now string) *club {
	t.Helper()
	c := openClub(t, filepath.Join(t.TempDir(), "berlin.db"), &wall{now: at(now)})
	must(t, c.app.SetUpVenue(ctx, app.SetUp{Name: "Halle", Zone: "Europe/Berlin", Courts: []string{"1", "2"},
		Owner: app.NewStaff{Username: "owner", Name: "Chefin", Password: "owner-password"}}))
	c.owner = app.Actor{Role: app.RoleOwner, ID: c.staffID("owner"), Session: "owner-session"}
	c.desk = c.owner
	_, err := c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
		v.Calendar.Hours.SlotMinutes = 60
		for i := range v.Calendar.Hours.Weekly {
			v.Calendar.Hours.Weekly[i] = domain.DayHours{Opens: 0, Closes: 1440}
		}
		v.Policy.MaxSlotsPerDay, v.Policy.MaxLiveOrders = 96, 100
		v.Prices = domain.PriceRules{{Name: "night", Band: domain.Band{From: 0, To: 180}, PriceFen: 500}, {Name: "day", PriceFen: 1000}}
		return nil
	})
	must(t, err)
	return c
}

func TestC27_DaysOf23And25Hours(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		date     string
		slots    int
		night    int // slots that start before 03:00 on the wall
		doubled  string
		skipped  string
		bookable []string // the hours around the change, with their offsets
	}{
		{"2026-03-29", 23, 2, "", "02:00", []string{"2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"}},
		{"2026-10-25", 25, 4, "02:00", "", []string{"2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00"}},
		{"2026-10-26", 24, 3, "", "", []string{"2026-10-26T02:00:00+01:00"}},
	} {
		t.Run(k.date, func(t *testing.T) {
			t.Parallel()
			c := newBerlin(t, k.date[:8]+"24T12:00:00+00:00")
			list := c.day(k.date).Courts[0].Slots
			want(t, "slots", len(list), k.slots)
			labels, night := map[string]int{}, 0
			for i, s := range list {
				labels[s.Label]++
				want(t, "lasts an hour", s.End.Sub(s.Start), time.Hour)
				if s.PriceRule == "night" {
					want(t, "price", s.Price, 500)
					night++
				}
				if i > 0 && !s.Start.Equal(list[i-1].End) {
					t.Fatalf("a gap before %v", s.Start)
				}
			}
			want(t, "first", list[0].Label, "00:00")
			want(t, "last", list[len(list)-1].Label, "23:00")
			want(t, "night slots", night, k.night)
			if k.skipped != "" {
				want(t, "the missing hour", labels[k.skipped], 0)
			}
			if k.doubled != "" {
				want(t, "the repeated hour", labels[k.doubled], 2)
			}
			a := c.customer("13800000001")
			for _, start := range k.bookable {
				o := c.book(a, slots(app.SlotRef{Court: "c1", Start: at(start)}))
				want(t, "offset", o.Reservations[0].Start.Format(time.RFC3339), start)
				c.payFor(a, o)
			}
			c.refuse(c.customer("13800000002"), slots(app.SlotRef{Court: "c1", Start: at(k.bookable[0])}), "slot_taken")
			c.sound()
		})
	}
}

// The ladder and the door count hours that pass, not hours on the wall.
func TestC27_ElapsedHours(t *testing.T) {
	t.Parallel()
	// 25 October, 12:00 in winter time; 24 hours before is 24 October, 13:00 in summer time.
	start := at("2026-10-25T12:00:00+01:00")
	for _, k := range []struct {
		at      domain.Instant
		percent int
	}{{at("2026-10-24T13:00:00+02:00"), 100}, {at("2026-10-24T13:00:01+02:00"), 80}, {start - 12*3600, 80}, {start - 12*3600 + 1, 50}} {
		c := newBerlin(t, "2026-10-24T10:00:00+00:00")
		a := c.customer("13800000001")
		o := c.paidAt(a, app.SlotRef{Court: "c1", Start: start})
		c.wall.set(k.at)
		p, err := c.app.PreviewRefund(ctx, a, o.ID)
		must(t, err)
		want(t, "percent", p.Percent, k.percent)
	}
	c := newBerlin(t, "2026-10-24T10:00:00+00:00")
	a := c.customer("13800000001")
	o := c.paidAt(a, app.SlotRef{Court: "c1", Start: at("2026-10-25T03:00:00+01:00")})
	want(t, "door", domain.InstantOf(o.Reservations[0].CheckInFrom), at("2026-10-25T02:30:00+01:00"))
	c.wall.set(at("2026-10-25T02:30:00+02:00"))
	want(t, "the first 02:30", c.scan(o.Ticket.Code).Result, "too_early")
	c.wall.set(at("2026-10-25T02:30:00+01:00"))
	want(t, "the second 02:30", c.scan(o.Ticket.Code).Result, "ok")
	// The window opens at 07:00 on the wall, whatever the offset.
	ahead := c.day("2026-10-31")
	want(t, "not open", ahead.Courts[0].Slots[0].State, "not_open")
	want(t, "opens", domain.InstantOf(*ahead.Courts[0].Slots[0].OpensAt), at("2026-10-25T07:00:00+01:00"))
}

func TestC28_ClosingACourtWithBookings(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	lapsed := c.book(b, slots(slot("c1", "16:00")))
	c.wall.set(noon + 600)
	held := c.book(b, slots(slot("c1", "19:00")))
	paid := c.paidAt(a, slot("c1", "17:30"))
	cancelled := c.paidAt(a, slot("c1", "20:30"))
	c.cancel(a, cancelled.ID)
	req := app.ClosureRequest{Courts: []string{"c1"}, From: at("2026-12-10T16:00:00+08:00"), To: at("2026-12-10T22:00:00+08:00"), Reason: "漏水"}
	preview, err := c.app.PreviewClosure(ctx, req)
	must(t, err)
	want(t, "hits", len(preview.Hits), 2)
	want(t, "first", preview.Hits[0].Order, paid.ID)
	want(t, "its refund", preview.Hits[0].Refund, 6000)
	want(t, "second", preview.Hits[1].Order, held.ID)
	want(t, "its refund", preview.Hits[1].Refund, 0)
	want(t, "nothing changed", c.state(slot("c1", "17:30")), "taken")

	// Kept: they are shown and stay, while nothing new lands inside.
	made, err := c.app.MakeClosure(ctx, c.owner, req, "")
	must(t, err)
	want(t, "hits", len(made.Hits), 2)
	want(t, "kept", c.order(a, paid.ID).State+c.order(b, held.ID).State, "paid"+"held")
	want(t, "they may pay", c.payFor(b, held).State, "paid")
	for _, clock := range []string{"16:00", "20:30"} {
		c.refuse(a, slots(slot("c1", clock)), "slot_closed")
		_, err = c.deskSale(slot("c1", clock))
		wantReason(t, err, "slot_closed")
		_, err = c.move(paid.Reservations[0].ID, slot("c1", clock))
		wantReason(t, err, "slot_closed")
	}
	// Moved by choice.
	_, err = c.move(paid.Reservations[0].ID, slot("c2", "17:30"))
	must(t, err)

	// A longer closure is another one, and looks again.
	_, err = c.app.LiftClosure(ctx, c.owner, made.Closure.ID)
	must(t, err)
	_, err = c.app.LiftClosure(ctx, c.owner, made.Closure.ID) // twice is once
	must(t, err)
	want(t, "on sale again", c.state(slot("c1", "20:30")), "free")
	late := c.paidAt(a, slot("c1", "20:30"))
	req.CancelBookings = true
	made, err = c.app.MakeClosure(ctx, c.owner, req, "")
	must(t, err)
	want(t, "cancelled", made.Cancelled, 2)
	for _, o := range []app.OrderView{late, held} {
		want(t, "state", c.order(c.desk, o.ID).State, "cancelled")
		want(t, "refund", c.refunded(o.ID), 6000)
		want(t, "told", c.notices(o.ID, "closure"), 1)
	}
	want(t, "on the other court", c.order(a, paid.ID).State, "paid")
	want(t, "lapsed", c.order(b, lapsed.ID).State, "lapsed")
	want(t, "not told", c.notices(lapsed.ID, "closure")+c.notices(cancelled.ID, "closure"), 0)
	c.round()
	c.sound()
}

func TestC28_HoldsAndAClosureAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 12
	c := newClub(t)
	other, crowd := c.second(), c.crowd(rounds)
	for i := range rounds {
		s := slot("c1", []string{"13:00", "14:30", "16:00"}[i%3])
		var closure app.ClosureMade
		errs := race(3, func(j int) (err error) {
			switch j {
			case 0:
				closure, err = both(c, other, i).app.MakeClosure(ctx, c.owner, app.ClosureRequest{Courts: []string{"c1"}, From: s.Start, To: s.Start + 60, CancelBookings: true}, "")
			case 1:
				_, _, err = both(c, other, i+1).app.CreateOrder(ctx, crowd[i], slots(s), "")
			default:
				_, err = both(c, other, i+1).deskSale(s)
			}
			return err
		})
		must(t, errs[0])
		got := tally(errs[1:])
		if got["ok"] > 1 || got["ok"]+got["slot_closed"]+got["slot_taken"] != 2 {
			t.Fatalf("outcomes: %v", got)
		}
		want(t, "live inside", c.count("SELECT count(*) FROM reservations WHERE starts_at = ? AND release_at > ?", int64(s.Start), int64(noon)), 0)
		want(t, "hit", closure.Cancelled, got["ok"])
		_, err := c.app.LiftClosure(ctx, c.owner, closure.Closure.ID)
		must(t, err)
	}
	c.sound()
}

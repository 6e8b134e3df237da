package main

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// story is one and a half days in which every state comes up.
type story struct {
	*watch
	orders map[string]app.OrderView
	guests map[string]app.Actor
}

// who gives a guest by a letter, signing them up at first.
func (s *story) who(letter string) app.Actor {
	if _, known := s.guests[letter]; !known {
		s.guests[letter] = s.guest("客人"+letter, fmt.Sprintf("138000000%02d", letter[0]-'a'))
	}
	return s.guests[letter]
}

func (s *story) move(o app.OrderView, reservation int, to app.SlotRef) {
	s.t.Helper()
	m, err := s.app.MoveReservation(s.ctx, s.desk, o.Reservations[reservation].ID, to, "换场", "")
	s.then(err)
	s.orders["moved"] = m.Order
}

func (s *story) close(from, to string, courts ...string) app.ClosureMade {
	s.t.Helper()
	made, err := s.app.MakeClosure(s.ctx, s.owner, app.ClosureRequest{Courts: courts, From: s.slot("", from).Start, To: s.slot("", to).Start,
		Reason: "维修", CancelBookings: true}, "")
	s.then(err)
	return made
}

func (s *story) policy(change func(*sqlite.Venue)) {
	s.t.Helper()
	_, err := s.app.ChangeVenue(s.ctx, s.owner, "policy", func(v *sqlite.Venue) error {
		change(v)
		return nil
	})
	s.then(err)
}

func TestViewsSayWhatTheProgramSays(t *testing.T) {
	t.Parallel()
	s := &story{watch: newWatch(demoHall(t, "2026-12-10T08:00:00+08:00")), orders: map[string]app.OrderView{}, guests: map[string]app.Actor{}}
	s.then()
	s.holds()
	s.lateMoney()
	s.doors()
	s.closures()
	s.evening()
	s.nextDay()
	s.wantSeen("reservation_now held", "reservation_now confirmed", "reservation_now playing", "reservation_now lapsed",
		"reservation_now cancelled", "reservation_now moved", "reservation_now no_show", "reservation_now completed",
		"basket_now held", "basket_now confirmed", "basket_now lapsed", "basket_now cancelled", "basket_now no_show", "basket_now completed", "basket_now moved",
		"order_now held", "order_now lapsed", "order_now cancelled", "order_now paid", "order_now no_show", "order_now completed",
		"slot_now past", "slot_now closed", "slot_now not_open", "slot_now held", "slot_now taken", "slot_now free",
		"reconciler_now idle", "reconciler_now due", "reconciler_now parked", " counts", " replaced", "owed")
}

// holds: slots, goods and a coupon are held, and some of it is paid.
func (s *story) holds() {
	s.walk("12-10 09:00")
	s.orders["late"] = s.book(s.who("a"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c1", "2026-12-10 17:30")}, Goods: goods("g1", 2)})
	s.orders["late money"] = app.OrderView{ID: s.open(s.who("a"), s.orders["late"])}
	s.then()
	s.orders["b"] = s.buy(s.who("b"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c2", "2026-12-10 11:30")}, Goods: goods("g3", 1)})
	s.then()
	s.orders["c"] = s.buy(s.who("c"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c3", "2026-12-10 11:30")}, Goods: goods("g2", 1), Coupon: "NEW10"})
	s.then()
	s.sell(app.Caller{Name: "来电", Phone: "13900000001"}, "on_arrival", app.OrderRequest{Slots: []app.SlotRef{s.slot("c4", "2026-12-10 13:00")}, Goods: goods("g3", 4)})
	s.then()
	s.sell(app.Caller{Name: "散客"}, "cash", wantSlots(s.slot("c5", "2026-12-10 08:30")))
	s.then()
	s.guest("登记名", "13900000003") // known under one name, calls under another
	s.sell(app.Caller{Name: "来电名", Phone: "13900000003"}, "online", wantSlots(s.slot("c6", "2026-12-10 20:30")))
	s.then()
	s.book(s.who("d"), app.OrderRequest{Goods: goods("g3", 6)})
	s.orders["water"] = s.buy(s.who("e"), app.OrderRequest{Goods: goods("g3", 2)})
	s.then()
}

// lateMoney: one order comes back to life, another is refunded.
func (s *story) lateMoney() {
	o := s.book(s.who("f"), wantSlots(s.slot("c6", "2026-12-10 17:30")))
	no := s.open(s.who("f"), o)
	s.walk("12-10 09:12")
	s.wantStock("g1", "10|12")
	s.money(s.orders["late money"].ID)
	s.then()
	s.wantStock("g1", "10|10")
	s.buy(s.who("g"), wantSlots(s.slot("c6", "2026-12-10 17:30")))
	s.then()
	s.money(no)
	s.then()
	s.move(s.orders["b"], 0, s.slot("c2", "2026-12-10 13:00"))
	held := s.book(s.who("h"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c3", "2026-12-10 16:00")}, Goods: goods("g2", 2)})
	s.then()
	s.move(held, 0, s.slot("c3", "2026-12-10 17:30"))
	gone := s.book(s.who("i"), wantSlots(s.slot("c3", "2026-12-10 20:30")))
	s.cancel(s.who("i"), gone)
	s.then()
}

// doors: check-ins, no-shows, a resold rest, and two that are undone.
func (s *story) doors() {
	s.walk("12-10 10:00")
	s.policy(func(v *sqlite.Venue) { v.Policy.ReleaseAfterMinutes = 15 })
	s.orders["resold"] = s.buy(s.who("j"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c1", "2026-12-10 13:00")}, Goods: goods("g2", 1)})
	s.orders["undone"] = s.buy(s.who("k"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c3", "2026-12-10 13:00")}, Goods: goods("g2", 1)})
	s.orders["mended"] = s.buy(s.who("l"), wantSlots(s.slot("c4", "2026-12-10 14:30")))
	s.orders["m"] = s.buy(s.who("m"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c1", "2026-12-10 20:30")}, Goods: goods("g3", 1)})
	s.then()
	s.walk("12-10 11:05")
	_, err := s.app.CheckIn(s.ctx, s.desk, s.orders["c"].Ticket.Code, "")
	s.then(err)
	s.cancel(s.who("m"), s.orders["m"])
	s.then()
	s.walk("12-10 13:20")
	s.sell(app.Caller{Name: "散客"}, "cash", wantSlots(s.slot("c1", "2026-12-10 13:00")))
	s.then()
	if _, err := s.app.UndoNoShow(s.ctx, s.desk, s.orders["resold"].Reservations[0].ID, "来了", ""); !domain.IsReason(err, "slot_taken") {
		s.t.Fatalf("undo on a resold slot: %v", err)
	}
	_, err = s.app.UndoNoShow(s.ctx, s.desk, s.orders["undone"].Reservations[0].ID, "来了", "")
	s.then(err)
}

// closures: one cancels a part of an order and is lifted; a held order loses a
// slot and has the other moved.
func (s *story) closures() {
	s.buy(s.who("n"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c2", "2026-12-10 16:00"), s.slot("c5", "2026-12-10 16:00")}, Goods: goods("g1", 1)})
	call := s.sell(app.Caller{Name: "来电", Phone: "13900000002"}, "on_arrival", wantSlots(s.slot("c5", "2026-12-10 17:30"), s.slot("c4", "2026-12-10 19:00")))
	s.then()
	s.walk("12-10 13:40")
	made := s.close("2026-12-10 14:30", "2026-12-10 17:30", "c2")
	s.close("2026-12-10 17:30", "2026-12-10 19:00", "c5")
	s.move(call, 1, s.slot("c4", "2026-12-10 16:00"))
	moved, err := s.app.Order(s.ctx, s.desk, call.ID)
	s.must(err)
	if got := domain.InstantOf(*moved.PayBy); got != s.slot("", "2026-12-10 16:00").Start {
		s.t.Errorf("pay by %s, want the start of the slot that is left", s.local(got))
	}
	s.walk("12-10 14:00")
	// Of eight rackets one was handed over, one let in late, one waits for a no-show's
	// slot to end, and two of a lapsed hold are owed to the shelf.
	s.wantStock("g2", "3|5")
	s.round()
	s.then()
	s.wantStock("g2", "5|5")
	s.walk("12-10 15:00")
	_, err = s.app.LiftClosure(s.ctx, s.owner, made.Closure.ID)
	s.then(err)
}

// evening: a no-show whose record is mended after its end, and a hold at night.
func (s *story) evening() {
	s.walk("12-10 16:30")
	_, err := s.app.UndoNoShow(s.ctx, s.desk, s.orders["mended"].Reservations[0].ID, "忘了核销", "")
	s.then(err)
	s.book(s.who("o"), app.OrderRequest{Slots: []app.SlotRef{s.slot("c6", "2026-12-11 08:30"), s.slot("c6", "2026-12-11 10:00")}, Goods: goods("g1", 3)})
	s.buy(s.who("p"), wantSlots(s.slot("c1", "2026-12-11 10:00")))
	s.then()
	s.walk("12-10 23:59")
}

// nextDay: the window opens at 07:00, a court and a good are retired, the grid
// changes under a booking, and an effect is parked.
func (s *story) nextDay() {
	s.walk("12-11 08:00")
	_, err := s.app.ChangeCourt(s.ctx, s.owner, "c6", func(c *sqlite.Court) error { c.Active = false; return nil })
	s.then(err)
	_, err = s.app.ChangeGood(s.ctx, s.owner, "g2", func(g *sqlite.Good) error { g.Active = false; return nil })
	s.then(err)
	s.book(s.who("q"), wantSlots(s.slot("c1", "2026-12-11 11:30")))
	s.policy(func(v *sqlite.Venue) { v.Calendar.Hours.SlotMinutes = 60 })
	s.must(s.db.Write(s.ctx, func(tx *sqlite.Tx) error { return tx.ParkEffect("claim", "notice", "order", "no such order") }))
	s.then()
	s.cancel(s.who("e"), s.orders["water"])
	s.then()
	s.must(s.db.Write(s.ctx, func(tx *sqlite.Tx) error { return tx.UnparkEffect("claim", "notice") }))
	s.round()
	s.then()
	s.walk("12-11 12:00")
}

// The night of 25 October 2026 has 25 hours in Berlin: from 02:59:59 summer time
// the clock goes to 02:00:00.
func TestViewsOnTheNightOfTheClockChange(t *testing.T) {
	t.Parallel()
	w := newWatch(openHall(t, "Europe/Berlin", instant("2026-10-24T20:00:00+02:00")))
	w.must(w.app.SetUpVenue(w.ctx, app.SetUp{Name: "Halle", Zone: "Europe/Berlin", Courts: []string{"Platz 1", "Platz 2"},
		Owner: app.NewStaff{Username: "owner", Name: "Chefin", Password: "owner-password"}}))
	w.owner = w.staff("owner", app.RoleOwner)
	w.desk = w.owner
	_, err := w.app.ChangeVenue(w.ctx, w.owner, "hours", func(v *sqlite.Venue) error {
		v.Calendar.Hours.SlotMinutes = 60
		for i := range v.Calendar.Hours.Weekly {
			v.Calendar.Hours.Weekly[i] = domain.DayHours{Opens: 0, Closes: 24 * 60}
		}
		return nil
	})
	w.then(err)
	anna := w.guest("Anna", "13800000001")
	night := w.buy(anna, wantSlots(app.SlotRef{Court: "c1", Start: instant("2026-10-25T02:00:00+02:00")}, app.SlotRef{Court: "c1", Start: instant("2026-10-25T02:00:00+01:00")}))
	call := w.sell(app.Caller{Name: "Bernd", Phone: "13800000002"}, "on_arrival", wantSlots(app.SlotRef{Court: "c2", Start: instant("2026-10-25T10:00:00+01:00")}))
	w.round()
	w.then()
	w.freeze(instant("2026-10-25T02:55:00+02:00"))
	hold := w.book(anna, wantSlots(app.SlotRef{Court: "c2", Start: instant("2026-10-25T08:00:00+01:00")}))
	w.then()
	ask := func(want, query string) {
		t.Helper()
		if got := strings.TrimSpace(w.sqlite3("-readonly", "courtd.db", query)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
	ask("2026-10-25 02:00:00|2026-10-25 02:00:00\n2026-10-25 02:00:00|2026-10-25 03:00:00",
		"SELECT starts_local, ends_local FROM reservation_now WHERE order_id = '"+night.ID+"' ORDER BY starts_at")
	ask("2026-10-24 20:00:00|2026-10-25 10:00:00", "SELECT booked_local, pay_by_local FROM order_now WHERE id = '"+call.ID+"'")
	ask("2026-10-25 02:55:00|2026-10-25 02:05:00", "SELECT booked_local, pay_by_local FROM order_now WHERE id = '"+hold.ID+"'")
	ask("2026-10-25 02:05:00", "SELECT release_local FROM reservation_now WHERE order_id = '"+hold.ID+"'")
	ask("25", "SELECT count(*) FROM slot_now WHERE court_id = 'c1' AND day = '2026-10-25'")
	ask("2026-10-25 01:00:00|2026-10-25 02:00:00\n2026-10-25 02:00:00|2026-10-25 02:00:00\n2026-10-25 02:00:00|2026-10-25 03:00:00",
		"SELECT starts_local, ends_local FROM slot_now WHERE court_id = 'c1' AND day = '2026-10-25' LIMIT 3 OFFSET 1")
	for _, c := range []struct {
		at    string
		local string
	}{{"2026-10-25T00:59:59Z", "2026-10-25 02:59:59"}, {"2026-10-25T01:00:00Z", "2026-10-25 02:00:00"}, {"2026-10-25T01:00:01Z", "2026-10-25 02:00:01"}} {
		w.freeze(instant(c.at))
		w.then()
		ask(c.local+"|2026-10-25", "SELECT now_local, today FROM venue_now")
	}
	for _, i := range w.deadlines(instant("2026-10-25T10:00:01+01:00")) {
		w.freeze(i)
		w.compare()
	}
	w.freeze(instant("2026-10-25T23:59:59+01:00"))
	w.round()
	w.then()
	ask("2026-10-25 23:59:59", "SELECT last_good_run_local FROM reconciler_now")
	w.freeze(instant("2026-10-26T00:00:00+01:00"))
	w.then()
	w.wantSeen("order_now no_show", "order_now lapsed", "order_now held", "slot_now past", "slot_now free")
}

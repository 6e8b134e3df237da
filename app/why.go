package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// WhyView says what decided a slot's state at an instant: which row and which of
// its deadlines or facts.
type WhyView struct {
	Court     CourtRef      `json:"court"`
	Start     time.Time     `json:"start"`
	At        time.Time     `json:"at"`
	Now       time.Time     `json:"now"`
	State     string        `json:"state"`
	DecidedBy string        `json:"decided_by" enum:"start,closure,booking_window,reservation,nothing"`
	Deadline  string        `json:"deadline,omitempty" doc:"the fact or promise that decides when the state ends: pay_by, check_in_by, ends_at, cancelled_at, opens_at, starts_at"`
	Until     *time.Time    `json:"until,omitempty"`
	Closure   *ClosureView  `json:"closure,omitempty"`
	Bookings  []BookingView `json:"bookings" doc:"every row of the slot, replaced ones too, oldest first"`
	Happened  []EventView   `json:"happened" doc:"what had happened to these rows by that instant, each with its own, the earliest first"`
}

// EventView is one thing that happened to a booking of a slot.
type EventView struct {
	At          time.Time `json:"at"`
	What        string    `json:"what" enum:"booked,revived,moved_here,undone,paid,checked_in,moved_away,cancelled,lapsed,no_show,completed" doc:"revived: money that came too late took the slot again; undone: the desk undid a no-show and let the customer in"`
	Reason      string    `json:"reason,omitempty" doc:"of a cancellation, a move or an undone no-show"`
	Elsewhere   string    `json:"elsewhere,omitempty" doc:"of a move: the slot where it came from or went to"`
	ElsewhereEN string    `json:"elsewhere_en,omitempty"`
	Reservation string    `json:"reservation"`
	Order       string    `json:"order"`
	Number      string    `json:"number"`
	Customer    string    `json:"customer"`
}

// Why explains a slot's state at an instant.
func (a *App) Why(ctx context.Context, ref SlotRef, at domain.Instant) (WhyView, error) {
	var out WhyView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		if !at.IsSet() {
			at = s.Now
		}
		courts, err := s.Courts()
		if err != nil {
			return err
		}
		names, err := courtNames(s)
		if err != nil {
			return err
		}
		if !onSale(courts, ref.Court) {
			return domain.BadField("court", "there is no such court")
		}
		slot, day, ok := venue.Calendar.SlotAt(ref.Start)
		if !ok {
			return domain.BadField("start", "no slot starts then")
		}
		rows, err := s.ReservationsBetween(slot.Start, slot.End, 0)
		if err != nil {
			return err
		}
		closures, err := s.ClosuresBetween(slot.Start, slot.End)
		if err != nil {
			return err
		}
		cell := domain.Judge(ref.Court, slot, venue.Policy.BookingOpens(venue.Calendar, day), venue.Policy.SaleEnds(slot.Start), at, rows, closures)
		b := board{s: s, venue: venue, at: at, names: names}
		if err := b.readOrders(rows, slot); err != nil {
			return err
		}
		out, err = b.why(cell, rows)
		return err
	})
	return out, err
}

func (b board) why(cell domain.Cell, rows []domain.Reservation) (WhyView, error) {
	face := clockFace(b.venue)
	out := WhyView{Court: CourtRef{ID: cell.CourtID, Name: b.names[cell.CourtID]}, Start: face(cell.Slot.Start), At: face(b.at), Now: face(b.s.Now),
		State: string(cell.State()), DecidedBy: "nothing", Bookings: []BookingView{}, Happened: []EventView{}}
	switch cell.State() {
	case domain.SlotPast:
		out.DecidedBy, out.Deadline = "start", "starts_at"
	case domain.SlotClosed:
		closure := viewClosure(b.venue, *cell.Closure)
		out.DecidedBy, out.Closure = "closure", &closure
	case domain.SlotNotOpen:
		out.DecidedBy, out.Deadline, out.Until = "booking_window", "opens_at", maybe(b.venue, cell.OpensAt)
	case domain.SlotHeld, domain.SlotTaken:
		known := cell.Blocker.AsOf(b.at)
		out.DecidedBy, out.Deadline, out.Until = "reservation", deadlineOf(known), maybe(b.venue, known.ReleaseAt())
	}
	for _, r := range slices.SortedStableFunc(slices.Values(rows), func(a, b domain.Reservation) int { return cmp.Compare(a.BookedAt, b.BookedAt) }) {
		if r.CourtID != cell.CourtID || !r.Slot().Overlaps(cell.Slot) || b.at < r.BookedAt {
			continue
		}
		booking := b.booking(r)
		out.Bookings = append(out.Bookings, booking)
		events, err := b.events(r, booking)
		if err != nil {
			return out, err
		}
		out.Happened = append(out.Happened, events...)
	}
	slices.SortStableFunc(out.Happened, func(a, b EventView) int { return a.At.Compare(b.At) })
	return out, nil
}

// deadlineOf names the fact or promise that release_at is.
func deadlineOf(c domain.Claim) string {
	switch {
	case c.CancelledAt.IsSet():
		return "cancelled_at"
	case c.CheckedInAt.IsSet():
		return "ends_at"
	case c.PaidAt.IsSet():
		return "check_in_by"
	}
	return "pay_by"
}

// events are what had happened to a row by the instant. What a row took over from the
// one it replaces (that it is paid, or that somebody is in) did not happen to it.
func (b board) events(r domain.Reservation, booking BookingView) ([]EventView, error) {
	known := r.AsOf(b.at)
	var out []EventView
	add := func(at domain.Instant, what string) *EventView {
		out = append(out, EventView{At: at.In(b.venue.Calendar.Zone), What: what, Reservation: r.ID, Order: r.OrderID, Number: booking.Number, Customer: booking.Customer.Name})
		return &out[len(out)-1]
	}
	if err := b.began(r, add); err != nil {
		return nil, err
	}
	if known.PaidAt.IsSet() && (r.ReplacedAs == "" || known.PaidAt > r.BookedAt) {
		add(known.PaidAt, "paid")
	}
	if known.CheckedInAt.IsSet() && r.ReplacedAs != "undone" {
		add(known.CheckedInAt, "checked_in")
	}
	end := known.State(b.at)
	switch {
	case end == domain.Moved:
		return out, b.wentAway(r, add)
	case end == domain.Cancelled:
		add(known.CancelledAt, "cancelled").Reason = r.CancelReason
	case known.Ended(b.at) && known.ReleaseAt() >= r.BookedAt: // an undone no-show may begin after its end
		add(known.ReleaseAt(), string(end))
	}
	return out, nil
}

// began tells how a row came to be in the slot. A row that replaces one of the same
// slot with another time to pay began with that one.
func (b board) began(r domain.Reservation, add func(domain.Instant, string) *EventView) error {
	switch r.ReplacedAs {
	case "moved":
		from, err := b.s.Reservation(r.Replaces)
		if err != nil || sameSlot(from, r) {
			return err
		}
		return b.tellMove(add(r.BookedAt, "moved_here"), from, from.ID)
	case "undone":
		reason, err := b.s.ReasonFor("undo no-show", r.OrderID, r.Replaces)
		add(r.BookedAt, "undone").Reason = reason
		return err
	case "":
		add(r.BookedAt, "booked")
	default:
		add(r.BookedAt, r.ReplacedAs)
	}
	return nil
}

func (b board) wentAway(r domain.Reservation, add func(domain.Instant, string) *EventView) error {
	rows, err := b.s.ReservationsOfOrder(r.OrderID)
	if err != nil {
		return err
	}
	for _, to := range rows {
		if to.Replaces == r.ID && !sameSlot(to, r) {
			return b.tellMove(add(r.CancelledAt, "moved_away"), to, r.ID)
		}
	}
	return nil
}

// tellMove says where a move came from or went to, and why it was made.
func (b board) tellMove(e *EventView, elsewhere domain.Reservation, moved string) (err error) {
	e.Elsewhere, e.ElsewhereEN = slotWords(b.venue, elsewhere.Slot(), b.names[elsewhere.CourtID])
	e.Reason, err = b.s.ReasonFor("move", moved, "")
	return err
}

func sameSlot(a, b domain.Reservation) bool {
	return a.CourtID == b.CourtID && a.StartsAt == b.StartsAt
}

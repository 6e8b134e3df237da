package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// HappeningView is what the venue's own software is told. It names no customer: who wants
// to know more asks the API.
type HappeningView struct {
	ID     string      `json:"id"`
	Kind   string      `json:"type"`
	At     time.Time   `json:"timestamp"`
	Order  string      `json:"order,omitempty"`
	Number string      `json:"number,omitempty"`
	State  string      `json:"state,omitempty" doc:"of the order, when it happened"`
	Slots  []EventSlot `json:"slots,omitempty"`
	Amount int64       `json:"amount,omitempty" doc:"fen"`
	Refund int64       `json:"refund,omitempty" doc:"fen"`
	Reason string      `json:"reason,omitempty"`
}

// EventSlot is a slot that an event is about.
type EventSlot struct {
	Reservation string    `json:"reservation"`
	Court       string    `json:"court"`
	Start       time.Time `json:"start"`
	End         time.Time `json:"end"`
}

func eventSlot(venue sqlite.Venue, r domain.Reservation) EventSlot {
	return EventSlot{Reservation: r.ID, Court: r.CourtID, Start: r.StartsAt.In(venue.Calendar.Zone), End: r.EndsAt.In(venue.Calendar.Zone)}
}

// queueEvent writes down what a notice tells its customer, for the venue's own software.
func queueEvent(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, n notice) error {
	view := HappeningView{Order: o.ID, Number: o.Number, State: string(o.State(tx.Now)), Amount: n.amountFen, Refund: n.refundFen, Reason: n.reason}
	slots := o.Slots(tx.Now)
	about := o.ID
	if n.reservation != nil {
		slots, about = []domain.Reservation{*n.reservation}, n.reservation.ID
	}
	for _, r := range slots {
		view.Slots = append(view.Slots, eventSlot(venue, r))
	}
	return tell(tx, venue, domain.EventOf(n.kind), about, n.occasion, view)
}

// queueFreed writes down that the slot of an ended reservation can be had again before
// its end. It happens once, when the ending is written down, whoever does that.
func queueFreed(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, r domain.Reservation) error {
	view := HappeningView{Order: o.ID, Number: o.Number, State: string(r.Ending()), Slots: []EventSlot{eventSlot(venue, r)}}
	return tell(tx, venue, domain.EventSlotFreed, r.ID, "", view)
}

// tell writes an event down, once, with a delivery for each webhook that listens.
// Without any it is not kept.
func tell(tx *sqlite.Tx, venue sqlite.Venue, kind, about, occasion string, view HappeningView) error {
	listeners := venue.Messages.ListenersTo(kind)
	if kind == "" || len(listeners) == 0 {
		return nil
	}
	view.ID, view.Kind, view.At = hash(kind + "|" + about + "|" + occasion)[:32], kind, tx.Now.In(venue.Calendar.Zone)
	payload, err := json.Marshal(view)
	if err != nil {
		return fmt.Errorf("payload of %s: %w", kind, err)
	}
	first, err := tx.QueueEvent(sqlite.Event{ID: view.ID, Kind: kind, About: about, Payload: string(payload)})
	if err != nil || !first {
		return err
	}
	for _, w := range listeners {
		if err := tx.QueueDelivery("", view.ID, w.Channel()); err != nil {
			return err
		}
	}
	return nil
}

// whyEventStale says in a word why an event is told no more, or "". Only a free slot can
// be none any more; all else has happened for good.
func whyEventStale(s *sqlite.Snapshot, e sqlite.Event) (string, error) {
	if e.Kind != domain.EventSlotFreed {
		return "", nil
	}
	var view HappeningView
	if err := json.Unmarshal([]byte(e.Payload), &view); err != nil {
		return "", fmt.Errorf("payload of event %s: %w", e.ID, err)
	}
	for _, slot := range view.Slots {
		from, to := domain.InstantOf(slot.Start), domain.InstantOf(slot.End)
		if to <= s.Now {
			return domain.WhyTaken, nil
		}
		rows, err := s.ReservationsBetween(from, to, s.Now)
		if err != nil {
			return "", err
		}
		closures, err := s.ClosuresBetween(from, to)
		if err != nil {
			return "", err
		}
		cell := domain.Judge(slot.Court, domain.Slot{Start: from, End: to}, 0, domain.Never, s.Now, rows, closures)
		if cell.RefuseDesk() != nil {
			return domain.WhyTaken, nil
		}
	}
	return "", nil
}

// freesItsSlot reports whether an ended reservation gave its slot back before the end.
func freesItsSlot(r domain.Reservation) bool {
	return r.ReleaseAt() < r.EndsAt && slices.Contains([]domain.State{domain.Lapsed, domain.NoShow, domain.Cancelled, domain.Moved}, r.Ending())
}

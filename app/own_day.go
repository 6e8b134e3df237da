package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// OwnSlot is a slot that the customer who asks has now.
type OwnSlot struct {
	Order string
	State string // held, confirmed or playing
}

// OwnDay is a business day as one customer sees it: what anybody sees, and their
// own part in it. It is for that customer alone.
type OwnDay struct {
	DayView
	Own map[string]OwnSlot // by the slot's id
	Had int                // slots that count towards what one customer may have on the day
}

// OwnDay judges a business day for whoever asks, at one instant. For anybody who is
// no customer it is the public day.
func (a *App) OwnDay(ctx context.Context, actor Actor, day domain.Date) (OwnDay, error) {
	out := OwnDay{Own: map[string]OwnSlot{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		k, err := a.keptDay(s, venue, day)
		if err != nil {
			return err
		}
		if out.DayView = k.at(s.Now); actor.Role != RoleCustomer {
			return nil
		}
		rows, err := s.ReservationsOfCustomerOn(actor.ID, day.String())
		if err != nil {
			return err
		}
		out.Had = countOfDay(rows, s.Now)
		for _, r := range rows {
			if c := r.AsOf(s.Now); r.Counts(s.Now) && c.Live(s.Now) {
				out.Own[slotID(r.CourtID, r.StartsAt)] = OwnSlot{Order: r.OrderID, State: string(c.State(s.Now))}
			}
		}
		return nil
	})
	return out, err
}

// countOfDay counts those of a customer's rows of one business day that use up
// their share of it: what they have, and what they had and did not give back.
func countOfDay(rows []domain.Reservation, at domain.Instant) int {
	n := 0
	for _, r := range rows {
		if !r.Counts(at) {
			continue
		}
		switch r.AsOf(at).State(at) {
		case domain.Held, domain.Confirmed, domain.Playing, domain.Completed, domain.NoShow:
			n++
		}
	}
	return n
}

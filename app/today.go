package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// TodayView counts the slots of the business day that runs, as they are now.
type TodayView struct {
	Date      domain.Date
	Now       time.Time
	ChangesAt *time.Time // when a count changes with nobody doing anything
	ToCome    int        // paid, and nobody has checked in yet
	CheckedIn int        // playing or played
	NoShows   int
	HeldToday int // held and not paid, of today
	Held      int // the same of any day
}

// Today counts what became of today's slots.
func (a *App) Today(ctx context.Context) (TodayView, error) {
	var out TodayView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		day := venue.Calendar.DayOf(s.Now)
		out = TodayView{Date: day, Now: s.Now.In(venue.Calendar.Zone)}
		bounds := venue.Calendar.Bounds(domain.DateSpan{From: day, Until: day})
		// The hours may have changed since a slot was booked, so the row's own day decides.
		rows, err := s.ReservationsBetween(bounds[0].Add(-24*time.Hour), bounds[1].Add(24*time.Hour), 0)
		if err != nil {
			return err
		}
		held, next, err := s.SlotsHeld()
		if err != nil {
			return err
		}
		out.Held = held
		for _, r := range rows {
			if r.Day != day.String() || !r.Counts(s.Now) {
				continue
			}
			out.count(r.State(s.Now))
			if r.Live(s.Now) && (!next.IsSet() || r.ReleaseAt() < next) {
				next = r.ReleaseAt()
			}
		}
		out.ChangesAt = maybe(venue, next)
		return nil
	})
	return out, err
}

func (v *TodayView) count(state domain.State) {
	switch state {
	case domain.Held:
		v.HeldToday++
	case domain.Confirmed:
		v.ToCome++
	case domain.Playing, domain.Completed:
		v.CheckedIn++
	case domain.NoShow:
		v.NoShows++
	}
}

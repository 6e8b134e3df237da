package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// Misfit is a booking that fits the grid as it is and would not fit the one that new
// hours make. It stands all the same.
type Misfit struct {
	Reservation string
	Court       CourtRef
	Start, End  time.Time
}

// Misfits are the bookings that new hours leave beside the grid. Their mark says which
// they are, so that one agrees to them and to no others.
type Misfits struct {
	Bookings []Misfit
	Mark     string
}

// MisfitsOf says which bookings new hours would leave beside the grid now.
func (a *App) MisfitsOf(ctx context.Context, hours domain.Hours) (Misfits, error) {
	var out Misfits
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) (err error) {
		out, err = misfitsOf(s, venue, hours)
		return err
	})
	return out, err
}

func misfitsOf(s *sqlite.Snapshot, venue sqlite.Venue, hours domain.Hours) (Misfits, error) {
	var out Misfits
	upcoming, err := s.Upcoming()
	if err != nil {
		return out, err
	}
	names, err := courtNames(s)
	if err != nil {
		return out, err
	}
	at, becomes := clockFace(venue), domain.Calendar{Zone: venue.Calendar.Zone, Hours: hours}
	var ids []string
	for _, u := range upcoming {
		if fits(venue.Calendar, u) && !fits(becomes, u) {
			out.Bookings = append(out.Bookings, Misfit{Reservation: u.ID, Court: CourtRef{ID: u.CourtID, Name: names[u.CourtID]}, Start: at(u.StartsAt), End: at(u.EndsAt)})
			ids = append(ids, u.ID)
		}
	}
	out.Mark = Mark(ids)
	return out, nil
}

func fits(cal domain.Calendar, u sqlite.Upcoming) bool {
	slot, _, ok := cal.SlotAt(u.StartsAt)
	return ok && slot.End == u.EndsAt
}

// ChangeHours sets the opening hours, unless somebody has changed them since the form
// with this mark was filled. Bookings that do not fit the new ones are agreed to by the
// mark of those that were seen; when they are others by now, or were not seen yet,
// nothing is changed and they come back to be looked at.
func (a *App) ChangeHours(ctx context.Context, actor Actor, hours domain.Hours, mark, seen string) (unseen *Misfits, err error) {
	if err := hours.Validate(); err != nil {
		return nil, err
	}
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		unseen = nil
		misfits, err := misfitsOf(&tx.Snapshot, venue, hours)
		if err != nil {
			return err
		}
		before, settings := Mark(venue.Calendar.Hours), settingsOf(venue)
		if err := Change(&venue.Calendar.Hours, hours, mark); err != nil || Mark(hours) == before {
			return err
		}
		if len(misfits.Bookings) > 0 && misfits.Mark != seen {
			unseen = &misfits
			return nil
		}
		if err := tx.PutVenue(venue); err != nil {
			return err
		}
		return tx.Audit(actor.audit("change hours", "venue", "", settingsOf(venue).since(settings)))
	})
	return unseen, err
}

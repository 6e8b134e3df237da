package sqlite

import (
	"fmt"

	"courtd/domain"
)

// slotsOfDays finds the rows of business days ?1 to ?2 that no other row has
// replaced. A day may begin on the date before or end on the one after in UTC, and
// the hours may have changed since; the starts only narrow the search.
const slotsOfDays = ` FROM reservations r
	WHERE r.starts_at >= unixepoch(?1) - 2 * 86400 AND r.starts_at < unixepoch(?2) + 4 * 86400 AND r.day BETWEEN ?1 AND ?2
	AND NOT EXISTS (SELECT 1 FROM reservations x WHERE x.replaces = r.id)`

// UsedSlot is a slot of a court that somebody has, or had, the use of.
type UsedSlot struct {
	CourtID  string
	StartsAt domain.Instant
}

// UsedSlots gives the slots of a run of days that were paid and not given up, each
// once, however often it was sold again after a no-show.
func (s *Snapshot) UsedSlots(span domain.DateSpan) ([]UsedSlot, error) {
	rows, err := s.Query(`SELECT DISTINCT r.court_id, r.starts_at`+slotsOfDays+` AND r.ending IN ('no_show', 'completed')`,
		span.From.String(), span.Until.String())
	if err != nil {
		return nil, fmt.Errorf("read used slots: %w", err)
	}
	defer rows.Close()
	var out []UsedSlot
	for rows.Next() {
		var u UsedSlot
		if err := rows.Scan(&u.CourtID, &u.StartsAt); err != nil {
			return nil, fmt.Errorf("scan used slot: %w", err)
		}
		out = append(out, u)
	}
	return out, rows.Err()
}

// SlotCount counts the slots of a day that came, or will come, to the same.
type SlotCount struct {
	Day         string
	Live        bool         // not ended yet
	Ending      domain.State // what it became, or will become if nothing else happens
	Over        bool         // the slot's own end is past
	CancelledBy string
	Count       int
}

// SlotCounts counts what became of the slots of a run of days, rows that were
// replaced left out.
func (s *Snapshot) SlotCounts(span domain.DateSpan) ([]SlotCount, error) {
	rows, err := s.Query(`SELECT r.day, r.release_at > ?3, r.ending, r.ends_at <= ?3, coalesce(r.cancelled_by, ''), count(*)`+slotsOfDays+`
		GROUP BY 1, 2, 3, 4, 5`, span.From.String(), span.Until.String(), int64(s.Now))
	if err != nil {
		return nil, fmt.Errorf("count slots: %w", err)
	}
	defer rows.Close()
	var out []SlotCount
	for rows.Next() {
		var c SlotCount
		if err := rows.Scan(&c.Day, &c.Live, &c.Ending, &c.Over, &c.CancelledBy, &c.Count); err != nil {
			return nil, fmt.Errorf("scan slot count: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

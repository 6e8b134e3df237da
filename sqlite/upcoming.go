package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Upcoming is the reservation of a slot that is held or taken and has not begun.
type Upcoming struct {
	ID, CourtID      string
	StartsAt, EndsAt domain.Instant
}

// Upcoming gives every slot that is held or taken now and has not begun, in order.
func (s *Snapshot) Upcoming() ([]Upcoming, error) {
	rows, err := s.Query("SELECT id, court_id, starts_at, ends_at FROM reservations WHERE starts_at > ?1 AND release_at > ?1 AND booked_at <= ?1 ORDER BY starts_at, court_id, id",
		s.Now)
	if err != nil {
		return nil, fmt.Errorf("read upcoming slots: %w", err)
	}
	defer rows.Close()
	var out []Upcoming
	for rows.Next() {
		var u Upcoming
		if err := rows.Scan(&u.ID, &u.CourtID, &u.StartsAt, &u.EndsAt); err != nil {
			return nil, fmt.Errorf("scan upcoming slot: %w", err)
		}
		out = append(out, u)
	}
	return out, rows.Err()
}

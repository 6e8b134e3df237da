package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"courtd/domain"
)

// RefundsUnderWay gives refunds that are not done, whoever they wait for, oldest first.
func (s *Snapshot) RefundsUnderWay(limit int) ([]Refund, error) {
	return s.refunds("WHERE f.done_at IS NULL ORDER BY f.created_at, f.id LIMIT ?", limit)
}

// waitsToBeSeenTo says of a payment p that its money cannot be counted for its order, and
// that nobody has said what was done about it, here or on the page of bills.
const waitsToBeSeenTo = "p.verdict = 'flagged' AND NOT EXISTS (SELECT 1 FROM explanations e WHERE e.about = 'payment:' || p.id || ':flagged')"

// FlaggedPayments gives payments that do not match their attempt and that nobody has seen
// to, oldest first.
func (s *Snapshot) FlaggedPayments(limit int) ([]Payment, error) {
	return s.payments("WHERE "+waitsToBeSeenTo+" ORDER BY p.opened_at, p.id LIMIT ?", limit)
}

// Releases gives when claims end, by their ids; unknown ids are left out.
func (s *Snapshot) Releases(claimIDs []string) (map[string]domain.Instant, error) {
	return byID[domain.Instant](s, "ends of claims", `SELECT id, release_at FROM reservations WHERE id IN (SELECT value FROM json_each(?1))
		UNION ALL SELECT id, release_at FROM baskets WHERE id IN (SELECT value FROM json_each(?1))`, claimIDs)
}

// byID asks one question about many ids at once.
func byID[T any](s *Snapshot, what, query string, ids []string) (map[string]T, error) {
	out := map[string]T{}
	err := s.each(what, query, ids, func(rows *sql.Rows) error {
		var id string
		var value T
		err := rows.Scan(&id, &value)
		out[id] = value
		return err
	})
	return out, err
}

// each asks one question about many ids at once and shows each row of the answer.
func (s *Snapshot) each(what, query string, ids []string, row func(*sql.Rows) error) error {
	if len(ids) == 0 {
		return nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	rows, err := s.Query(query, string(list))
	if err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return fmt.Errorf("scan %s: %w", what, err)
		}
	}
	return rows.Err()
}

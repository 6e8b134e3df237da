package sqlite

import (
	"fmt"

	"courtd/domain"
)

// FactsAhead counts the rows of the club on which something stands that happened
// later than now, and gives the latest such instant. Only a clock that was taken
// back can make any. Records whose time no rule reads (sign-ins, the ledger, the
// audit, rounds) do not count.
func (s *Snapshot) FactsAhead() (rows int, latest domain.Instant, err error) {
	err = s.QueryRow(`WITH facts (at) AS (
		SELECT booked_at FROM orders
		UNION ALL SELECT max(booked_at, coalesce(paid_at, 0), coalesce(checked_in_at, 0), coalesce(cancelled_at, 0), coalesce(settled_at, 0)) FROM reservations
		UNION ALL SELECT max(booked_at, coalesce(paid_at, 0), coalesce(handed_over_at, 0), coalesce(cancelled_at, 0), coalesce(settled_at, 0)) FROM baskets
		UNION ALL SELECT max(opened_at, coalesce(closed_at, 0), coalesce(succeeded_at, 0)) FROM payments
		UNION ALL SELECT max(created_at, coalesce(sent_at, 0), coalesce(done_at, 0)) FROM refunds
		UNION ALL SELECT max(made_at, coalesce(lifted_at, 0)) FROM closures)
		SELECT count(*), max(at) FROM facts WHERE at > ?`, int64(s.Now)).Scan(&rows, &latest)
	if err != nil {
		return 0, 0, fmt.Errorf("look for rows ahead of the clock: %w", err)
	}
	return rows, latest, nil
}

package sqlite

import (
	"database/sql"
	"fmt"

	"courtd/domain"
)

// SlotsHeld counts the slots of any day that are held now and not paid, and gives
// the instant at which the first of them comes free; not set when there are none.
func (s *Snapshot) SlotsHeld() (count int, firstFree domain.Instant, err error) {
	var first sql.NullInt64
	err = s.QueryRow("SELECT count(*), min(release_at) FROM reservations WHERE settled_at IS NULL AND release_at > ?1 AND paid_at IS NULL",
		int64(s.Now)).Scan(&count, &first)
	if err != nil {
		return 0, 0, fmt.Errorf("count held slots: %w", err)
	}
	return count, domain.Instant(first.Int64), nil
}

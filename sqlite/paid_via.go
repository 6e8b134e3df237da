package sqlite

import (
	"fmt"

	"courtd/domain"
)

// PaidVias says in which way the orders with a slot that overlaps [from, to) had
// been paid by an instant, by order. Orders that were not paid then, or that cost
// nothing, are left out.
func (s *Snapshot) PaidVias(from, to, by domain.Instant) (map[string]string, error) {
	earliest := from - domain.MaxSlotMinutes*60
	rows, err := s.Query(`SELECT p.order_id, p.via FROM payments p
		WHERE p.purpose = 'order' AND p.verdict IN ('paid', 'revived') AND p.succeeded_at <= ?
		AND p.order_id IN (SELECT r.order_id FROM reservations r WHERE r.starts_at >= ? AND r.starts_at < ? AND r.ends_at > ?)`,
		int64(by), int64(earliest), int64(to), int64(from))
	if err != nil {
		return nil, fmt.Errorf("read ways of paying: %w", err)
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var order, via string
		if err := rows.Scan(&order, &via); err != nil {
			return nil, fmt.Errorf("scan way of paying: %w", err)
		}
		out[order] = via
	}
	return out, rows.Err()
}

package sqlite

import (
	"fmt"

	"courtd/domain"
)

// OrderCount counts the orders made on a day whose claims add up to the same.
type OrderCount struct {
	Day         int // counted from the report's first day
	Tally       domain.Tally
	CancelledBy string // who ended the last of what was cancelled
	Count       int
}

// OrderCounts tallies the claims of each order made on each day as they are now,
// and counts the orders with the same tally. What the tally makes of an order is
// the domain's to say.
func (s *Snapshot) OrderCounts(bounds []domain.Instant) ([]OrderCount, error) {
	days, err := spans(bounds)
	if err != nil {
		return nil, err
	}
	// Where max() stands alone, SQLite takes cancelled_by from the row of the maximum.
	rows, err := s.Query(`WITH `+reportDays+`, made AS (
			SELECT d.n, o.id FROM days d CROSS JOIN orders o ON o.booked_at >= d.from_at AND o.booked_at < d.until_at
		), parts AS (
			SELECT m.n, m.id, 1 AS is_slot, r.paid_at IS NOT NULL AS paid, r.release_at > ?2 AS live, r.ending, r.cancelled_at, r.cancelled_by
			FROM made m CROSS JOIN reservations r ON r.order_id = m.id
			WHERE NOT EXISTS (SELECT 1 FROM reservations x WHERE x.replaces = r.id)
			UNION ALL
			SELECT m.n, m.id, 0, b.paid_at IS NOT NULL, b.release_at > ?2, b.ending, b.cancelled_at, b.cancelled_by
			FROM made m CROSS JOIN baskets b ON b.order_id = m.id
			WHERE b.has_goods = 1 AND NOT EXISTS (SELECT 1 FROM baskets x WHERE x.replaces = b.id)
		), tallies AS (
			SELECT n, id, sum(paid) > 0 AS paid, count(*) AS parts,
				sum(live OR ending <> 'cancelled') AS standing, sum(live) AS open_parts,
				sum(is_slot AND (live OR ending <> 'cancelled')) AS slots,
				sum(is_slot AND NOT live AND ending = 'no_show') AS no_shows,
				max(cancelled_at) AS last_at, cancelled_by
			FROM parts GROUP BY n, id
		)
		SELECT n, paid, parts, standing, open_parts, slots, no_shows, CASE WHEN last_at IS NULL THEN '' ELSE cancelled_by END, count(*) FROM tallies GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
		days, int64(s.Now))
	if err != nil {
		return nil, fmt.Errorf("count orders: %w", err)
	}
	defer rows.Close()
	var out []OrderCount
	for rows.Next() {
		var c OrderCount
		t := &c.Tally
		if err := rows.Scan(&c.Day, &t.Paid, &t.Parts, &t.Standing, &t.Open, &t.Slots, &t.NoShows, &c.CancelledBy, &c.Count); err != nil {
			return nil, fmt.Errorf("scan order count: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// OrderNumbers gives the numbers of orders by their ids; unknown ids are left out.
func (s *Snapshot) OrderNumbers(ids []string) (map[string]string, error) {
	return byID[string](s, "numbers of orders", "SELECT id, number FROM orders WHERE id IN (SELECT value FROM json_each(?))", ids)
}

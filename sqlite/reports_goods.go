package sqlite

import (
	"fmt"

	"courtd/domain"
)

// GoodsCount adds up the pieces of a good whose baskets came, or will come, to the same.
type GoodsCount struct {
	GoodID string
	Paid   bool
	Live   bool         // the basket has not ended yet
	Ending domain.State // what it became, or will become if nothing else happens
	Qty    int
	NetFen int64 // price less the lines' shares of the discount
}

// GoodsCounts adds up the goods of the orders made in [from, until), baskets that
// were replaced left out. A basket's discount is spread over its lines by running
// sums, so that the shares add up to it.
func (s *Snapshot) GoodsCounts(from, until domain.Instant) ([]GoodsCount, error) {
	rows, err := s.Query(`WITH lines AS (
			SELECT l.good_id, b.paid_at IS NOT NULL AS paid, b.release_at > ?3 AS live, b.ending, l.qty, l.qty * l.price_fen AS fen, b.discount_fen,
				sum(l.qty * l.price_fen) OVER (PARTITION BY b.id ORDER BY l.good_id) AS so_far,
				sum(l.qty * l.price_fen) OVER (PARTITION BY b.id) AS total
			FROM orders o CROSS JOIN baskets b ON b.order_id = o.id CROSS JOIN basket_lines l ON l.basket_id = b.id
			WHERE o.booked_at >= ?1 AND o.booked_at < ?2 AND b.has_goods = 1
			AND NOT EXISTS (SELECT 1 FROM baskets x WHERE x.replaces = b.id)
		)
		SELECT good_id, paid, live, ending, sum(qty),
			sum(fen - coalesce(discount_fen * so_far / total - discount_fen * (so_far - fen) / total, 0))
		FROM lines GROUP BY 1, 2, 3, 4`, int64(from), int64(until), int64(s.Now))
	if err != nil {
		return nil, fmt.Errorf("add up goods: %w", err)
	}
	defer rows.Close()
	var out []GoodsCount
	for rows.Next() {
		var c GoodsCount
		if err := rows.Scan(&c.GoodID, &c.Paid, &c.Live, &c.Ending, &c.Qty, &c.NetFen); err != nil {
			return nil, fmt.Errorf("scan goods: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

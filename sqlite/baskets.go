package sqlite

import (
	"database/sql"
	"fmt"

	"courtd/domain"
)

const basketColumns = `b.id, b.order_id, b.customer_id, b.seq, coalesce(b.coupon_code, ''), b.coupon_kept, b.discount_fen,
 b.booked_at, b.pay_by, b.check_in_by, b.paid_at, b.handed_over_at, b.cancelled_at, b.moved,
 coalesce(b.cancelled_by, ''), b.cancel_reason, coalesce(b.replaces, ''), b.settled_at,
 (SELECT x.booked_at FROM baskets x WHERE x.replaces = b.id), b.release_at, b.ending
 FROM baskets b `

func (s *Snapshot) baskets(where string, args ...any) ([]domain.Basket, error) {
	rows, err := s.Query("SELECT "+basketColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read baskets: %w", err)
	}
	defer rows.Close()
	var out []domain.Basket
	for rows.Next() {
		var b domain.Basket
		var release domain.Instant
		var ending string
		if err := rows.Scan(&b.ID, &b.OrderID, &b.CustomerID, &b.Seq, &b.Coupon, &b.CouponKept, &b.DiscountFen,
			&b.BookedAt, &b.PayBy, &b.CheckInBy, &b.PaidAt, &b.CheckedInAt, &b.CancelledAt, &b.Moved,
			&b.CancelledBy, &b.CancelReason, &b.Replaces, &b.SettledAt,
			&b.ReplacedAt, &release, &ending); err != nil {
			return nil, fmt.Errorf("scan basket: %w", err)
		}
		b.EndsAt = b.CheckedInAt // being handed over ends a basket then and there
		if err := agree("basket", b.ID, b.Claim, release, ending); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, rows.Err()
}

// withLines fills in the goods of baskets.
func (s *Snapshot) withLines(baskets []domain.Basket) ([]domain.Basket, error) {
	ids, at := make([]string, len(baskets)), map[string]int{}
	for i, b := range baskets {
		ids[i], at[b.ID] = b.ID, i
	}
	err := s.each("basket lines", `SELECT l.basket_id, l.good_id, l.name, l.qty, l.price_fen FROM basket_lines l JOIN goods g ON g.id = l.good_id
		WHERE l.basket_id IN (SELECT value FROM json_each(?)) ORDER BY g.position, l.good_id`, ids, func(rows *sql.Rows) error {
		var id string
		var l domain.BasketLine
		err := rows.Scan(&id, &l.GoodID, &l.Name, &l.Qty, &l.PriceFen)
		if i, ok := at[id]; ok {
			baskets[i].Lines = append(baskets[i].Lines, l)
		}
		return err
	})
	return baskets, err
}

// BasketsOfOrder gives every basket ever made for an order, with its goods.
func (s *Snapshot) BasketsOfOrder(orderID string) ([]domain.Basket, error) {
	baskets, err := s.baskets("WHERE b.order_id = ? ORDER BY b.seq", orderID)
	if err != nil {
		return nil, err
	}
	return s.withLines(baskets)
}

// BasketsReleased gives a customer's baskets released in (after, until], without their goods.
func (s *Snapshot) BasketsReleased(customerID string, after, until domain.Instant) ([]domain.Basket, error) {
	return s.baskets("WHERE b.customer_id = ? AND b.release_at > ? AND b.release_at <= ? ORDER BY b.release_at",
		customerID, int64(after), int64(until))
}

// BasketsWithCoupon gives every basket that carries a coupon, without its goods.
func (s *Snapshot) BasketsWithCoupon(code string) ([]domain.Basket, error) {
	return s.baskets("WHERE b.coupon_code = ?", code)
}

// EndedBasketsOwing gives unsettled baskets that hold a good and have ended, oldest first.
func (s *Snapshot) EndedBasketsOwing(goodID string) ([]domain.Basket, error) {
	return s.baskets(`CROSS JOIN basket_lines l ON l.basket_id = b.id
		WHERE l.good_id = ? AND b.settled_at IS NULL AND b.release_at <= ? ORDER BY b.release_at, b.id`, goodID, int64(s.Now))
}

// InsertBasket writes a new basket with its goods.
func (t *Tx) InsertBasket(b domain.Basket) error {
	_, err := t.Exec(`INSERT INTO baskets (id, order_id, seq, customer_id, coupon_code, has_goods, discount_fen,
		booked_at, pay_by, check_in_by, paid_at, handed_over_at, replaces) VALUES (?,?,?,?,?,?,?, ?,?,?,?,?,?)`,
		b.ID, b.OrderID, b.Seq, b.CustomerID, orNull(b.Coupon), len(b.Lines) > 0, b.DiscountFen,
		b.BookedAt, b.PayBy, b.CheckInBy, b.PaidAt, b.CheckedInAt, orNull(b.Replaces))
	if err != nil {
		return fmt.Errorf("insert basket %s: %w", b.ID, err)
	}
	for _, l := range b.Lines {
		if _, err := t.Exec("INSERT INTO basket_lines (basket_id, good_id, qty, price_fen, name) VALUES (?,?,?,?,?)",
			b.ID, l.GoodID, l.Qty, l.PriceFen, l.Name); err != nil {
			return fmt.Errorf("insert basket line %s: %w", l.GoodID, err)
		}
	}
	return nil
}

// HandOverBasket records that the goods were handed over now.
func (t *Tx) HandOverBasket(id string) error {
	return t.one("hand over basket "+id,
		"UPDATE baskets SET handed_over_at = ? WHERE id = ? AND handed_over_at IS NULL", t.Now, id)
}

// CancelBasket ends a live basket now. keepCoupon leaves its coupon used.
func (t *Tx) CancelBasket(id, by, reason string, keepCoupon, moved bool) error {
	return t.one("cancel basket "+id,
		`UPDATE baskets SET cancelled_at = ?, moved = ?, cancelled_by = ?, cancel_reason = ?, coupon_kept = ?
		 WHERE id = ? AND cancelled_at IS NULL`, t.Now, moved, by, reason, keepCoupon, id)
}

// SettleBasket writes down that a basket has ended, once.
func (t *Tx) SettleBasket(id string) (bool, error) { return t.settle("baskets", id) }

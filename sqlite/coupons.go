package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Coupons gives all coupons, newest first.
func (s *Snapshot) Coupons() ([]domain.Coupon, error) {
	return s.coupons("ORDER BY created_at DESC, code")
}

// Coupon gives one coupon and whether it exists.
func (s *Snapshot) Coupon(code string) (domain.Coupon, bool, error) {
	found, err := s.coupons("WHERE code = ?", code)
	if err != nil || len(found) == 0 {
		return domain.Coupon{}, false, err
	}
	return found[0], true, nil
}

func (s *Snapshot) coupons(where string, args ...any) ([]domain.Coupon, error) {
	rows, err := s.Query(`SELECT code, name, percent, amount_fen, min_total_fen, valid_from, valid_until,
		max_uses, max_uses_per_customer, active FROM coupons `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read coupons: %w", err)
	}
	defer rows.Close()
	var out []domain.Coupon
	for rows.Next() {
		var c domain.Coupon
		if err := rows.Scan(&c.Code, &c.Name, &c.Percent, &c.AmountFen, &c.MinTotalFen, &c.ValidFrom, &c.ValidUntil,
			&c.MaxUses, &c.MaxUsesPerCustomer, &c.Active); err != nil {
			return nil, fmt.Errorf("scan coupon: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// PutCoupon adds a coupon or changes it; uses already made are not touched.
func (t *Tx) PutCoupon(c domain.Coupon) error {
	_, err := t.Exec(`INSERT INTO coupons (code, name, percent, amount_fen, min_total_fen, valid_from, valid_until,
		max_uses, max_uses_per_customer, active, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT (code) DO UPDATE SET name = excluded.name, percent = excluded.percent, amount_fen = excluded.amount_fen,
		min_total_fen = excluded.min_total_fen, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
		max_uses = excluded.max_uses, max_uses_per_customer = excluded.max_uses_per_customer, active = excluded.active`,
		c.Code, c.Name, c.Percent, c.AmountFen, c.MinTotalFen, c.ValidFrom, c.ValidUntil,
		c.MaxUses, c.MaxUsesPerCustomer, c.Active, t.Now)
	if err != nil {
		return fmt.Errorf("put coupon: %w", err)
	}
	return nil
}

package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Wanted is what an order is looked for by: any of it will do, and what is empty
// finds nothing.
type Wanted struct {
	Seq    int    // its place among the orders of its day
	Number string // the end of its number, digits only
	Phone  string // a part of the customer's phone
	Name   string // a part of the customer's name, or of the one given for the order
}

// FindOrders looks through the newest orders, among of them, and gives those that
// are wanted, newest first.
func (s *Snapshot) FindOrders(w Wanted, among, limit int) ([]domain.Order, error) {
	return s.orders(`JOIN customers c ON c.id = o.customer_id
		WHERE o.booked_at >= coalesce((SELECT n.booked_at FROM orders n ORDER BY n.booked_at DESC LIMIT 1 OFFSET ?1), 0)
		AND ((?2 > 0 AND o.number_seq = ?2)
		  OR (?3 <> '' AND replace(o.number, '-', '') LIKE '%' || ?3)
		  OR (?4 <> '' AND instr(coalesce(c.phone, ''), ?4) > 0)
		  OR (?5 <> '' AND (instr(lower(c.name), lower(?5)) > 0 OR instr(lower(o.contact), lower(?5)) > 0)))
		ORDER BY o.booked_at DESC, o.id DESC LIMIT ?6`, among, w.Seq, w.Number, w.Phone, w.Name, limit)
}

// OrdersNumbered gives the orders with one number of several days, newest first. A
// number has its year only by its day.
func (s *Snapshot) OrdersNumbered(days []domain.Date, seq int) ([]domain.Order, error) {
	var out []domain.Order
	for _, day := range days {
		found, err := s.orders("WHERE o.number_day = ? AND o.number_seq = ?", day.String(), seq)
		if err != nil {
			return nil, fmt.Errorf("order %d of %s: %w", seq, day, err)
		}
		out = append(out, found...)
	}
	return out, nil
}

package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"courtd/domain"
)

const orderColumns = `o.id, o.number, o.customer_id, o.contact, o.channel, o.pay, coalesce(o.booked_by, ''), o.booked_at,
 o.terms, o.ticket_code, o.forgiven_at FROM orders o `

func (s *Snapshot) orders(where string, args ...any) ([]domain.Order, error) {
	rows, err := s.Query("SELECT "+orderColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read orders: %w", err)
	}
	defer rows.Close()
	var out []domain.Order
	for rows.Next() {
		var o domain.Order
		var terms []byte
		if err := rows.Scan(&o.ID, &o.Number, &o.CustomerID, &o.Contact, &o.Channel, &o.Pay, &o.BookedBy, &o.BookedAt,
			&terms, &o.TicketCode, &o.ForgivenAt); err != nil {
			return nil, fmt.Errorf("scan order: %w", err)
		}
		if err := json.Unmarshal(terms, &o.Terms); err != nil {
			return nil, fmt.Errorf("terms of order %s: %w", o.ID, err)
		}
		out = append(out, o)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read orders: %w", err)
	}
	rows.Close()
	for i := range out {
		if out[i].Reservations, err = s.ReservationsOfOrder(out[i].ID); err != nil {
			return nil, err
		}
		if out[i].Baskets, err = s.BasketsOfOrder(out[i].ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Snapshot) order(where string, args ...any) (domain.Order, error) {
	found, err := s.orders(where, args...)
	if err != nil {
		return domain.Order{}, err
	}
	if len(found) == 0 {
		return domain.Order{}, domain.Refuse(domain.NotFound, "not_found", "no such order")
	}
	return found[0], nil
}

// Order gives one order with every claim ever made for it, or a NotFound refusal.
func (s *Snapshot) Order(id string) (domain.Order, error) { return s.order("WHERE o.id = ?", id) }

// OrderHead is who an order is for and how it is paid, without its claims.
type OrderHead struct {
	ID, Number, Pay         string
	CustomerID, Name, Phone string // Name is the one given for this order, else the customer's
}

// OrderHead gives an order without its claims, or a NotFound refusal.
func (s *Snapshot) OrderHead(id string) (OrderHead, error) {
	heads, err := s.OrderHeads([]string{id})
	if err != nil {
		return OrderHead{ID: id}, err
	}
	h, ok := heads[id]
	if !ok {
		return OrderHead{ID: id}, domain.Refuse(domain.NotFound, "not_found", "no such order")
	}
	return h, nil
}

// OrderHeads gives many orders without their claims at once, by their ids; unknown ids
// are left out.
func (s *Snapshot) OrderHeads(ids []string) (map[string]OrderHead, error) {
	out := map[string]OrderHead{}
	err := s.each("heads of orders", `SELECT o.id, o.number, o.pay, o.customer_id, CASE o.contact WHEN '' THEN c.name ELSE o.contact END, coalesce(c.phone, '')
		FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id IN (SELECT value FROM json_each(?))`, ids, func(rows *sql.Rows) error {
		var h OrderHead
		err := rows.Scan(&h.ID, &h.Number, &h.Pay, &h.CustomerID, &h.Name, &h.Phone)
		out[h.ID] = h
		return err
	})
	return out, err
}

// OrderByTicket finds the order whose ticket code was scanned, or a NotFound refusal.
func (s *Snapshot) OrderByTicket(code string) (domain.Order, error) {
	return s.order("WHERE o.ticket_code = ?", code)
}

// OrdersOf pages through a customer's orders, newest first, from before (at, id).
func (s *Snapshot) OrdersOf(customerID string, until domain.Instant, before Cursor, limit int) ([]domain.Order, error) {
	return s.orders(`WHERE o.customer_id = ? AND o.booked_at <= ? AND (o.booked_at, o.id) < (?, ?)
		ORDER BY o.booked_at DESC, o.id DESC LIMIT ?`, customerID, int64(until), int64(before.At), before.ID, limit)
}

// UnendedOrdersOf is OrdersOf for those orders of which some claim has not ended by an
// instant: all that are open then, whatever has happened since, and hardly any other.
func (s *Snapshot) UnendedOrdersOf(customerID string, until domain.Instant, before Cursor, limit int) ([]domain.Order, error) {
	return s.orders(`WHERE o.id IN (
		SELECT order_id FROM reservations WHERE customer_id = ?1 AND release_at > ?2
		UNION SELECT order_id FROM baskets WHERE customer_id = ?1 AND release_at > ?2)
		AND o.booked_at <= ?2 AND (o.booked_at, o.id) < (?3, ?4)
		ORDER BY o.booked_at DESC, o.id DESC LIMIT ?5`, customerID, int64(until), int64(before.At), before.ID, limit)
}

// Cursor is a place in a list that is ordered by (time, id), newest first.
type Cursor struct {
	At domain.Instant
	ID string
}

// FromNewest is the cursor before everything.
var FromNewest = Cursor{At: domain.Never, ID: "~"}

// LiveUnpaidOrders gives a customer's orders that are held now.
func (s *Snapshot) LiveUnpaidOrders(customerID string) ([]domain.Order, error) {
	return s.orders(`WHERE o.id IN (
		SELECT order_id FROM reservations WHERE customer_id = ?1 AND release_at > ?2 AND paid_at IS NULL
		UNION SELECT order_id FROM baskets WHERE customer_id = ?1 AND release_at > ?2 AND paid_at IS NULL)
		ORDER BY o.booked_at, o.id`, customerID, int64(s.Now))
}

// NextNumber gives the next free order number of a day: its sequence and how it is printed.
func (s *Snapshot) NextNumber(day string) (seq int, number string, err error) {
	err = s.QueryRow("SELECT coalesce(max(number_seq), 0) + 1 FROM orders WHERE number_day = ?", day).Scan(&seq)
	if err != nil {
		return 0, "", fmt.Errorf("next order number: %w", err)
	}
	return seq, fmt.Sprintf("%s%s-%04d", day[5:7], day[8:10], seq), nil
}

// InsertOrder writes the order itself; its claims are rows of their own.
func (t *Tx) InsertOrder(o domain.Order, numberDay string, numberSeq int) error {
	terms, err := json.Marshal(o.Terms)
	if err != nil {
		return fmt.Errorf("terms of order %s: %w", o.ID, err)
	}
	if _, err := t.Exec(`INSERT INTO orders (id, number_day, number_seq, number, customer_id, contact, channel, pay, booked_by,
		booked_at, terms, ticket_code) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
		o.ID, numberDay, numberSeq, o.Number, o.CustomerID, o.Contact, o.Channel, o.Pay, orNull(o.BookedBy),
		o.BookedAt, string(terms), o.TicketCode); err != nil {
		return fmt.Errorf("insert order: %w", err)
	}
	return nil
}

// PayClaims records that all live unpaid claims of an order are paid now, and
// says how many there were.
func (t *Tx) PayClaims(orderID string) (int64, error) {
	var paid int64
	for _, table := range []string{"reservations", "baskets"} {
		n, err := t.Affected("UPDATE "+table+" SET paid_at = ? WHERE order_id = ? AND paid_at IS NULL AND booked_at <= ? AND release_at > ?",
			t.Now, orderID, int64(t.Now), int64(t.Now))
		if err != nil {
			return 0, fmt.Errorf("pay %s of order %s: %w", table, orderID, err)
		}
		paid += n
	}
	return paid, nil
}

// NewTicket gives an order a new ticket code; the old one is unknown from now on.
func (t *Tx) NewTicket(orderID, code string) error {
	return t.one("new ticket", "UPDATE orders SET ticket_code = ? WHERE id = ?", code, orderID)
}

// ForgiveOrder takes an order's no-show out of the strikes. It reports false when it already was.
func (t *Tx) ForgiveOrder(orderID string) (bool, error) {
	n, err := t.Affected("UPDATE orders SET forgiven_at = ? WHERE id = ? AND forgiven_at IS NULL", t.Now, orderID)
	return n == 1, err
}

// BookedAt is when an order was made, however often its claims have been replaced since.
func (s *Snapshot) BookedAt(orderID string) (at domain.Instant, err error) {
	if err := s.QueryRow("SELECT booked_at FROM orders WHERE id = ?", orderID).Scan(&at); err != nil {
		return 0, fmt.Errorf("when order %s was made: %w", orderID, err)
	}
	return at, nil
}

// IsForgiven reports whether the desk has forgiven an order's no-show.
func (s *Snapshot) IsForgiven(orderID string) (bool, error) {
	var at domain.Instant
	err := s.QueryRow("SELECT forgiven_at FROM orders WHERE id = ?", orderID).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return at.IsSet(), err
}

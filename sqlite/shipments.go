package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Shipment is what WeChat must be told of a payment after its customer has come.
type Shipment struct {
	PaymentID     string
	TransactionID string
	Merchant      string
	OpenID        string // of who paid
	OrderNumber   string
	CreatedAt     domain.Instant
	Tries         int
}

// QueueShipments notes, once for each payment that an order was paid with by ways that
// begin with a prefix, that its customer has come.
func (t *Tx) QueueShipments(orderID, viaPrefix string) error {
	_, err := t.Exec(`INSERT INTO shipments (payment_id, created_at, next_try_at)
		SELECT p.id, ?2, ?2 FROM payments p WHERE p.order_id = ?1 AND substr(p.via, 1, length(?3)) = ?3 AND p.verdict IN ('paid', 'revived')
		ON CONFLICT DO NOTHING`, orderID, t.Now, viaPrefix)
	if err != nil {
		return fmt.Errorf("queue shipments: %w", err)
	}
	return nil
}

// ShipmentsDue gives shipments that are due now and whose payment's id is after a given
// one, in id order.
func (s *Snapshot) ShipmentsDue(after string, limit int) ([]Shipment, error) {
	rows, err := s.Query(`SELECT h.payment_id, coalesce(p.transaction_id, ''), p.merchant, coalesce(p.payer_openid, json_extract(p.request, '$.payer_openid'), c.openid, ''), o.number, h.created_at, h.tries
		FROM shipments h JOIN payments p ON p.id = h.payment_id JOIN orders o ON o.id = p.order_id JOIN customers c ON c.id = o.customer_id
		WHERE h.done_at IS NULL AND h.gave_up_at IS NULL AND h.next_try_at <= ? AND +h.payment_id > ? ORDER BY +h.payment_id LIMIT ?`, int64(s.Now), after, limit)
	if err != nil {
		return nil, fmt.Errorf("read shipments: %w", err)
	}
	defer rows.Close()
	var out []Shipment
	for rows.Next() {
		var h Shipment
		if err := rows.Scan(&h.PaymentID, &h.TransactionID, &h.Merchant, &h.OpenID, &h.OrderNumber, &h.CreatedAt, &h.Tries); err != nil {
			return nil, fmt.Errorf("scan shipment: %w", err)
		}
		out = append(out, h)
	}
	return out, rows.Err()
}

// LeaseShipment takes a waiting shipment for one try: nobody else tries it before until.
// It reports false when somebody else was first.
func (t *Tx) LeaseShipment(paymentID string, until domain.Instant) (bool, error) {
	n, err := t.Affected("UPDATE shipments SET next_try_at = ? WHERE payment_id = ? AND done_at IS NULL AND gave_up_at IS NULL AND next_try_at <= ?",
		until, paymentID, int64(t.Now))
	if err != nil {
		return false, fmt.Errorf("lease shipment: %w", err)
	}
	return n == 1, nil
}

// ShipmentDone records that WeChat knows.
func (t *Tx) ShipmentDone(paymentID string) error {
	_, err := t.Exec("UPDATE shipments SET done_at = ?, last_error = '' WHERE payment_id = ? AND done_at IS NULL", t.Now, paymentID)
	if err != nil {
		return fmt.Errorf("shipment done: %w", err)
	}
	return nil
}

// ShipmentFailed records that so many tries have failed, and when the next one is or that
// it was the last.
func (t *Tx) ShipmentFailed(paymentID, problem string, tries int, next domain.Instant, last bool) error {
	var gaveUp domain.Instant
	if last {
		gaveUp = t.Now
	}
	_, err := t.Exec("UPDATE shipments SET tries = max(tries, ?), next_try_at = ?, gave_up_at = ?, last_error = ? WHERE payment_id = ? AND done_at IS NULL",
		tries, next, gaveUp, problem, paymentID)
	if err != nil {
		return fmt.Errorf("shipment failed: %w", err)
	}
	return nil
}

// ShipmentLater records that WeChat wants to be left alone until an instant. It is no
// try of this shipment's.
func (t *Tx) ShipmentLater(paymentID, problem string, next domain.Instant) error {
	_, err := t.Exec("UPDATE shipments SET next_try_at = ?, last_error = ? WHERE payment_id = ? AND done_at IS NULL", next, problem, paymentID)
	if err != nil {
		return fmt.Errorf("shipment later: %w", err)
	}
	return nil
}

// WakeShipments makes all that wait due now, but for those that somebody has just taken.
func (t *Tx) WakeShipments() error {
	_, err := t.Exec("UPDATE shipments SET next_try_at = ?1 WHERE done_at IS NULL AND gave_up_at IS NULL AND next_try_at > ?2", t.Now, t.Now.Add(domain.NoticeLease))
	if err != nil {
		return fmt.Errorf("wake shipments: %w", err)
	}
	return nil
}

// ShipmentByHand records that somebody has told WeChat of a shipment that was given up,
// and says whether there was one.
func (t *Tx) ShipmentByHand(paymentID, staffID string) (bool, error) {
	result, err := t.Exec("UPDATE shipments SET done_at = ?, by_hand = ? WHERE payment_id = ? AND done_at IS NULL AND gave_up_at IS NOT NULL", t.Now, staffID, paymentID)
	if err != nil {
		return false, fmt.Errorf("shipment by hand: %w", err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// LostShipment is one that was given up.
type LostShipment struct {
	PaymentID, OrderID, OrderNumber string
	AmountFen                       int64
	CreatedAt, GaveUpAt             domain.Instant
	DoneAt                          domain.Instant // set once somebody has done it by hand
	Tries                           int
	Error                           string
}

const lostShipments = `SELECT h.payment_id, o.id, o.number, p.amount_fen, h.created_at, h.gave_up_at, h.done_at, h.tries, h.last_error
	FROM shipments h JOIN payments p ON p.id = h.payment_id JOIN orders o ON o.id = p.order_id `

func (s *Snapshot) lostShipments(where string, args ...any) ([]LostShipment, error) {
	rows, err := s.Query(lostShipments+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read lost shipments: %w", err)
	}
	defer rows.Close()
	var out []LostShipment
	for rows.Next() {
		var h LostShipment
		if err := rows.Scan(&h.PaymentID, &h.OrderID, &h.OrderNumber, &h.AmountFen, &h.CreatedAt, &h.GaveUpAt, &h.DoneAt, &h.Tries, &h.Error); err != nil {
			return nil, fmt.Errorf("scan lost shipment: %w", err)
		}
		out = append(out, h)
	}
	return out, rows.Err()
}

// LostShipments lists what was given up and nobody has done by hand, the oldest first.
func (s *Snapshot) LostShipments(limit int) ([]LostShipment, error) {
	return s.lostShipments("WHERE h.done_at IS NULL AND h.gave_up_at IS NOT NULL ORDER BY h.gave_up_at, h.payment_id LIMIT ?", limit)
}

// LostShipment gives one that was given up, done by hand since or not.
func (s *Snapshot) LostShipment(paymentID string) (LostShipment, bool, error) {
	found, err := s.lostShipments("WHERE h.payment_id = ? AND h.gave_up_at IS NOT NULL", paymentID)
	if err != nil || len(found) == 0 {
		return LostShipment{}, false, err
	}
	return found[0], true, nil
}

// CountShipments gives how many shipments wait and how many were given up.
func (s *Snapshot) CountShipments() (waiting, gaveUp int, err error) {
	err = s.QueryRow(`SELECT (SELECT count(*) FROM shipments INDEXED BY shipments_open WHERE done_at IS NULL AND gave_up_at IS NULL),
		(SELECT count(*) FROM shipments INDEXED BY shipments_given_up WHERE done_at IS NULL AND gave_up_at IS NOT NULL)`).Scan(&waiting, &gaveUp)
	if err != nil {
		return 0, 0, fmt.Errorf("count shipments: %w", err)
	}
	return waiting, gaveUp, nil
}

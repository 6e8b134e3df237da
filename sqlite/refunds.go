package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Refund is money on its way back. ID is the out_refund_no; it follows from
// payment, purpose and cause, so that a repeated attempt is the same refund.
type Refund struct {
	ID, PaymentID, OrderID string
	Via                    string // of the payment it goes back to
	PaymentFen             int64
	Currency               string
	Purpose                string // cancel, closure, late, duplicate, no_show, move, goodwill
	Cause                  string
	AmountFen              int64
	Reason                 string
	CreatedAt              domain.Instant
	SentAt                 domain.Instant // the provider accepted it
	DoneAt                 domain.Instant // the provider (or the desk) says the money is back
	AbnormalAt             domain.Instant // the provider gave up; staff must act
	Tries                  int
	NextTryAt              domain.Instant
	LastError              string
}

// State is pending, processing, done or abnormal.
func (r Refund) State() string {
	switch {
	case r.DoneAt.IsSet():
		return "done"
	case r.AbnormalAt.IsSet():
		return "abnormal"
	case r.SentAt.IsSet():
		return "processing"
	}
	return "pending"
}

const refundColumns = `SELECT f.id, f.payment_id, f.order_id, p.via, p.amount_fen, p.currency, f.purpose, f.cause, f.amount_fen, f.reason,
 f.created_at, f.sent_at, f.done_at, f.abnormal_at, f.tries, f.next_try_at, f.last_error
 FROM refunds f JOIN payments p ON p.id = f.payment_id `

func (s *Snapshot) refunds(where string, args ...any) ([]Refund, error) {
	rows, err := s.Query(refundColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read refunds: %w", err)
	}
	defer rows.Close()
	var out []Refund
	for rows.Next() {
		var r Refund
		if err := rows.Scan(&r.ID, &r.PaymentID, &r.OrderID, &r.Via, &r.PaymentFen, &r.Currency, &r.Purpose, &r.Cause, &r.AmountFen, &r.Reason,
			&r.CreatedAt, &r.SentAt, &r.DoneAt, &r.AbnormalAt, &r.Tries, &r.NextTryAt, &r.LastError); err != nil {
			return nil, fmt.Errorf("scan refund: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Refund gives one refund, or a NotFound refusal.
func (s *Snapshot) Refund(id string) (Refund, error) {
	found, err := s.refunds("WHERE f.id = ?", id)
	if err != nil {
		return Refund{}, err
	}
	if len(found) == 0 {
		return Refund{}, domain.Refuse(domain.NotFound, "not_found", "no such refund")
	}
	return found[0], nil
}

// RefundsOfOrder gives an order's refunds, oldest first.
func (s *Snapshot) RefundsOfOrder(orderID string) ([]Refund, error) {
	return s.refunds("WHERE f.order_id = ? ORDER BY f.created_at, f.id", orderID)
}

// RefundsToDrive gives refunds that are not done, whose next try is due and
// whose id is after a given one. Cash is the desk's to hand back.
func (s *Snapshot) RefundsToDrive(after string, limit int) ([]Refund, error) {
	return s.refunds(`WHERE f.done_at IS NULL AND f.abnormal_at IS NULL AND p.via <> 'cash'
		AND coalesce(f.next_try_at, 0) <= ? AND +f.id > ? ORDER BY +f.id LIMIT ?`, int64(s.Now), after, limit)
}

// waitsForStaff says of a refund f of a payment p that a person has to see to it: cash
// to hand back, or one that the provider gave up on.
const waitsForStaff = "f.done_at IS NULL AND (p.via = 'cash' OR f.abnormal_at IS NOT NULL)"

// RefundsForStaff gives refunds that wait for a person, the oldest first.
func (s *Snapshot) RefundsForStaff(limit int) ([]Refund, error) {
	return s.refunds("WHERE "+waitsForStaff+`
		ORDER BY f.created_at, f.id LIMIT ?`, limit)
}

// CountRefundsForStaff says how many of those there are.
func (s *Snapshot) CountRefundsForStaff() (int, error) {
	var n int
	err := s.QueryRow("SELECT count(*) FROM refunds f JOIN payments p ON p.id = f.payment_id WHERE " + waitsForStaff).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count refunds for staff: %w", err)
	}
	return n, nil
}

// Refundable is what is left of a payment after all refunds made for it.
func (s *Snapshot) Refundable(paymentID string) (int64, error) {
	var left int64
	err := s.QueryRow(`SELECT CASE WHEN p.succeeded_at IS NULL THEN 0 ELSE p.amount_fen END
		- coalesce((SELECT sum(amount_fen) FROM refunds WHERE payment_id = p.id), 0) FROM payments p WHERE p.id = ?`, paymentID).Scan(&left)
	if err != nil {
		return 0, fmt.Errorf("what is left of payment %s: %w", paymentID, err)
	}
	return left, nil
}

// InsertRefund writes a refund before anybody is asked to make it. It reports
// false when the same refund (payment, purpose, cause) is there already.
func (t *Tx) InsertRefund(r Refund) (bool, error) {
	n, err := t.Affected(`INSERT INTO refunds (id, payment_id, order_id, purpose, cause, amount_fen, reason, created_at)
		SELECT ?1,?2,?3,?4,?5,?6,?7,?8
		WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE payment_id = ?2 AND purpose = ?4 AND cause = ?5)`,
		r.ID, r.PaymentID, r.OrderID, r.Purpose, r.Cause, r.AmountFen, r.Reason, t.Now)
	if err != nil {
		return false, fmt.Errorf("insert refund: %w", err)
	}
	return n == 1, nil
}

// RefundSent records that the provider accepted a refund and when to follow it
// up. One that another process has brought to its end stays as it is.
func (t *Tx) RefundSent(id string, next domain.Instant) error {
	_, err := t.Exec(`UPDATE refunds SET sent_at = coalesce(sent_at, ?), next_try_at = ?, last_error = ''
		WHERE id = ? AND done_at IS NULL`, t.Now, next, id)
	if err != nil {
		return fmt.Errorf("refund sent: %w", err)
	}
	return nil
}

// RefundTryAgain records a failed try and when to try again.
func (t *Tx) RefundTryAgain(id string, next domain.Instant, problem string) error {
	_, err := t.Exec("UPDATE refunds SET tries = tries + 1, next_try_at = ?, last_error = ? WHERE id = ? AND done_at IS NULL", next, problem, id)
	if err != nil {
		return fmt.Errorf("refund try: %w", err)
	}
	return nil
}

// RefundLost records that the provider knows nothing of a refund it was sent, and
// when to send it again under the same number.
func (t *Tx) RefundLost(id string, next domain.Instant, problem string) error {
	_, err := t.Exec(`UPDATE refunds SET sent_at = NULL, tries = tries + 1, next_try_at = ?, last_error = ?
		WHERE id = ? AND done_at IS NULL`, next, problem, id)
	if err != nil {
		return fmt.Errorf("refund lost: %w", err)
	}
	return nil
}

// RefundDone records that the money is back. It reports false when that was known.
func (t *Tx) RefundDone(id string) (bool, error) {
	n, err := t.Affected("UPDATE refunds SET done_at = ?, sent_at = coalesce(sent_at, ?) WHERE id = ? AND done_at IS NULL", t.Now, t.Now, id)
	if err != nil {
		return false, fmt.Errorf("refund done: %w", err)
	}
	return n == 1, nil
}

// RefundAbnormal hands a refund that the provider gave up on to the staff.
func (t *Tx) RefundAbnormal(id, problem string) error {
	_, err := t.Exec("UPDATE refunds SET abnormal_at = coalesce(abnormal_at, ?), last_error = ? WHERE id = ? AND done_at IS NULL", t.Now, problem, id)
	if err != nil {
		return fmt.Errorf("refund abnormal: %w", err)
	}
	return nil
}

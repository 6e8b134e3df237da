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
	Merchant               string         // of the payment
	Handed                 string         // why it was handed to the desk: one of the Handed words; empty before
	FailingSince           domain.Instant // since when nothing has come of it
	CallsUntil             domain.Instant // somebody sends it, or asks about it before it is handed over
	ConfirmedBy            string         // who said that it was handed back by hand
	TwiceAt                domain.Instant // it was handed back by hand, and the provider says that it arrived, too
}

// Why a refund was handed to the desk.
const (
	HandedAbnormal = "abnormal" // the provider gave up on it
	HandedAmount   = "amount"   // the provider gave back another sum
	HandedRefused  = "refused"  // the provider refuses it for good
	HandedFailing  = "failing"  // nothing has come of it for too long
)

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
 f.created_at, f.sent_at, f.done_at, f.abnormal_at, f.tries, f.next_try_at, f.last_error,
 p.merchant, f.handed, f.failing_since, coalesce(f.confirmed_by, ''), f.twice_at, f.calls_until
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
			&r.CreatedAt, &r.SentAt, &r.DoneAt, &r.AbnormalAt, &r.Tries, &r.NextTryAt, &r.LastError,
			&r.Merchant, &r.Handed, &r.FailingSince, &r.ConfirmedBy, &r.TwiceAt, &r.CallsUntil); err != nil {
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

// RefundsToDrive gives refunds that are not done, whose next try is due and whose id is
// after a given one, those among them that were handed to the desk. Cash is the desk's
// alone to hand back.
func (s *Snapshot) RefundsToDrive(after string, limit int) ([]Refund, error) {
	return s.refunds(`WHERE f.done_at IS NULL AND p.via <> 'cash'
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

// wentTwice says of a refund f that its money went back by hand and by the provider, and
// that nobody has said what was done about it.
const wentTwice = "f.twice_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM explanations e WHERE e.about = 'refund:' || f.id || ':twice')"

// RefundsTwice gives refunds whose money went back twice, the oldest first.
func (s *Snapshot) RefundsTwice(limit int) ([]Refund, error) {
	return s.refunds("WHERE "+wentTwice+" ORDER BY f.twice_at, f.id LIMIT ?", limit)
}

// Refundable is what is left of a payment after all refunds made for it. Money that is
// flagged is for a person to look at: nothing of it is given back from here.
func (s *Snapshot) Refundable(paymentID string) (int64, error) {
	var left int64
	err := s.QueryRow(`SELECT CASE WHEN p.succeeded_at IS NULL OR p.verdict IS 'flagged' THEN 0 ELSE p.amount_fen END
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

// ClaimRefund takes a refund until an instant for a call that sends it, or for the question
// before it is handed over: whoever hands money over must know that nobody sends it in the
// same moment. It reports false when somebody else has it; but two may send one at once
// that is not the desk's, under the same number.
func (t *Tx) ClaimRefund(id string, until domain.Instant, toHand bool) (bool, error) {
	n, err := t.Affected(`UPDATE refunds SET calls_until = ?1 WHERE id = ?2 AND done_at IS NULL
		AND (coalesce(calls_until, 0) <= ?4 OR (abnormal_at IS NULL AND NOT ?3))`, until, id, toHand, t.Now)
	if err != nil {
		return false, fmt.Errorf("claim refund: %w", err)
	}
	return n == 1, nil
}

// ReleaseRefund ends such a claim.
func (t *Tx) ReleaseRefund(id string) error {
	return t.onRefund("release refund", "calls_until = NULL", id)
}

// RefundSent records that the provider accepted a refund and when to follow it up: if it
// was handed to the desk before, it is no more. One that another process has brought to
// its end stays as it is.
func (t *Tx) RefundSent(id string, next domain.Instant) error {
	return t.onRefund("refund sent", `sent_at = coalesce(sent_at, ?), next_try_at = ?, last_error = '', abnormal_at = NULL, handed = '',
		failing_since = NULL, calls_until = NULL`, id, t.Now, next)
}

// RefundTryAgain records a failed try and when to try again.
func (t *Tx) RefundTryAgain(id string, next domain.Instant, problem string) error {
	return t.onRefund("refund try", `tries = tries + 1, next_try_at = ?, last_error = ?, failing_since = coalesce(failing_since, ?),
		calls_until = NULL`, id, next, problem, t.Now)
}

// RefundLeft records that nobody here can be asked to make a refund: no try is counted.
func (t *Tx) RefundLeft(id string) error {
	return t.onRefund("refund left", "failing_since = coalesce(failing_since, ?)", id, t.Now)
}

// RefundLost records that the provider knows nothing of a refund it was sent, and
// when to send it again under the same number.
func (t *Tx) RefundLost(id string, next domain.Instant, problem string) error {
	return t.onRefund("refund lost", `sent_at = NULL, tries = tries + 1, next_try_at = ?, last_error = ?,
		failing_since = coalesce(failing_since, ?)`, id, next, problem, t.Now)
}

func (t *Tx) onRefund(what, change, id string, args ...any) error {
	if _, err := t.Exec("UPDATE refunds SET "+change+" WHERE id = ? AND done_at IS NULL", append(args, id)...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// RefundDone records that the money is back, and who handed it back if somebody did, and
// then when the provider is asked whether it has sent it as well; zero is never. It
// reports false when that was known.
func (t *Tx) RefundDone(id, byStaff string, look domain.Instant) (bool, error) {
	n, err := t.Affected(`UPDATE refunds SET done_at = ?1, sent_at = coalesce(sent_at, ?1), confirmed_by = ?2, next_try_at = ?4
		WHERE id = ?3 AND done_at IS NULL`, t.Now, orNull(byStaff), id, look)
	if err != nil {
		return false, fmt.Errorf("refund done: %w", err)
	}
	return n == 1, nil
}

// RefundsToLookAt gives refunds that were handed back by hand, of which it is time to ask
// the provider whether it has sent them as well, with an id after a given one.
func (s *Snapshot) RefundsToLookAt(after string, limit int) ([]Refund, error) {
	return s.refunds(`WHERE f.confirmed_by IS NOT NULL AND f.twice_at IS NULL AND f.next_try_at <= ? AND +f.id > ?
		ORDER BY +f.id LIMIT ?`, int64(s.Now), after, limit)
}

// LookAtRefund says when the provider is asked about such a refund again; zero is never.
func (t *Tx) LookAtRefund(id string, next domain.Instant) error {
	if _, err := t.Exec("UPDATE refunds SET next_try_at = ? WHERE id = ? AND confirmed_by IS NOT NULL", next, id); err != nil {
		return fmt.Errorf("look at a refund: %w", err)
	}
	return nil
}

// RefundTwice records that money which was handed back by hand has arrived by the
// provider, too. It reports false when that was known.
func (t *Tx) RefundTwice(id string) (bool, error) {
	n, err := t.Affected("UPDATE refunds SET twice_at = ? WHERE id = ? AND confirmed_by IS NOT NULL AND twice_at IS NULL", t.Now, id)
	if err != nil {
		return false, fmt.Errorf("refund twice: %w", err)
	}
	return n == 1, nil
}

// HandRefundOver hands a refund to the staff and says why, whether that is the provider's
// answer, and when it is asked about it again. A why that it had before stays, unless
// another sum has arrived.
func (t *Tx) HandRefundOver(id, why, problem string, answered bool, next domain.Instant) error {
	return t.onRefund("hand a refund over", `abnormal_at = coalesce(abnormal_at, ?1), handed = CASE WHEN handed = '' OR ?2 = 'amount' THEN ?2 ELSE handed END,
		last_error = ?3, next_try_at = ?4, failing_since = CASE WHEN ?5 THEN NULL ELSE coalesce(failing_since, ?1) END, calls_until = NULL`,
		id, t.Now, why, problem, next, answered)
}

package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Payment is one attempt to pay, or one sum of cash at the desk. ID is the
// out_trade_no by which the provider knows it.
type Payment struct {
	ID, OrderID, Via string
	Purpose          string // order, or move for the difference of a move
	AmountFen        int64
	Currency         string
	Merchant, App    string
	Request          string // the exact request, as JSON, so that it can be replayed
	OpenedAt         domain.Instant
	ExpiresAt        domain.Instant
	ClosedAt         domain.Instant // the provider's final no
	SucceededAt      domain.Instant // when courtd recorded the money
	SuccessTime      domain.Instant // when the provider says it came; evidence only
	TransactionID    string
	Verdict          string // paid, revived, refunded or flagged
	VerdictReason    string
	Asks             int
	NextAskAt        domain.Instant
	LastError        string
	CalledAt         domain.Instant // when the provider was last asked to open it
	Opened           string         // what it gave then to pay with, as JSON
	LookAgainAt      domain.Instant // when it is asked about although it is closed
}

// Open reports whether the provider has not given its final answer yet.
func (p Payment) Open() bool {
	return !p.SucceededAt.IsSet() && !p.ClosedAt.IsSet() && p.Verdict == ""
}

const paymentColumns = `SELECT p.id, p.order_id, p.via, p.purpose, p.amount_fen, p.currency, p.merchant, p.app, p.request,
 p.opened_at, p.expires_at, p.closed_at, p.succeeded_at, p.success_time, coalesce(p.transaction_id, ''),
 coalesce(p.verdict, ''), coalesce(p.verdict_reason, ''), p.asks, p.next_ask_at, p.last_error,
 p.called_at, p.look_again_at, p.opened FROM payments p `

func (s *Snapshot) payments(where string, args ...any) ([]Payment, error) {
	rows, err := s.Query(paymentColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	defer rows.Close()
	var out []Payment
	for rows.Next() {
		var p Payment
		if err := rows.Scan(&p.ID, &p.OrderID, &p.Via, &p.Purpose, &p.AmountFen, &p.Currency, &p.Merchant, &p.App, &p.Request,
			&p.OpenedAt, &p.ExpiresAt, &p.ClosedAt, &p.SucceededAt, &p.SuccessTime, &p.TransactionID,
			&p.Verdict, &p.VerdictReason, &p.Asks, &p.NextAskAt, &p.LastError, &p.CalledAt, &p.LookAgainAt, &p.Opened); err != nil {
			return nil, fmt.Errorf("scan payment: %w", err)
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// Payment gives one payment and whether it exists.
func (s *Snapshot) Payment(id string) (Payment, bool, error) {
	found, err := s.payments("WHERE p.id = ?", id)
	if err != nil || len(found) == 0 {
		return Payment{}, false, err
	}
	return found[0], true, nil
}

// PaymentsOfOrder gives an order's payments, oldest first.
func (s *Snapshot) PaymentsOfOrder(orderID string) ([]Payment, error) {
	return s.payments("WHERE p.order_id = ? ORDER BY p.opened_at, p.id", orderID)
}

// AttemptsToAsk gives attempts without a final answer whose next question is
// due now and whose id is after a given one, in id order. The desk's own cash
// is not the provider's to answer.
func (s *Snapshot) AttemptsToAsk(after string, limit int) ([]Payment, error) {
	return s.payments(`WHERE p.succeeded_at IS NULL AND p.closed_at IS NULL AND p.verdict IS NULL
		AND p.via <> 'cash' AND coalesce(p.next_ask_at, 0) <= ? AND +p.id > ? ORDER BY +p.id LIMIT ?`, int64(s.Now), after, limit)
}

// AttemptsToLookAt gives closed attempts that are due to be asked about once more and
// whose id is after a given one, in id order.
func (s *Snapshot) AttemptsToLookAt(after string, limit int) ([]Payment, error) {
	return s.payments(`WHERE p.look_again_at IS NOT NULL AND p.succeeded_at IS NULL AND p.look_again_at <= ? AND +p.id > ?
		ORDER BY +p.id LIMIT ?`, int64(s.Now), after, limit)
}

// LookAgain says when an attempt that has not succeeded is asked about although it may
// be closed; zero is never again.
func (t *Tx) LookAgain(id string, at domain.Instant) error {
	_, err := t.Exec("UPDATE payments SET look_again_at = ? WHERE id = ? AND succeeded_at IS NULL", at, id)
	if err != nil {
		return fmt.Errorf("look again at a payment: %w", err)
	}
	return nil
}

// PaymentCalled records that the provider is about to be asked to open an attempt.
func (t *Tx) PaymentCalled(id string) error {
	_, err := t.Exec("UPDATE payments SET called_at = ? WHERE id = ?", t.Now, id)
	if err != nil {
		return fmt.Errorf("payment called: %w", err)
	}
	return nil
}

// PaymentOpened keeps what the provider gave to pay an attempt with.
func (t *Tx) PaymentOpened(id, opened string) error {
	_, err := t.Exec("UPDATE payments SET opened = ? WHERE id = ?", opened, id)
	if err != nil {
		return fmt.Errorf("payment opened: %w", err)
	}
	return nil
}

// InsertPayment writes an attempt before the provider hears of it, or cash.
func (t *Tx) InsertPayment(p Payment) error {
	_, err := t.Exec(`INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, merchant, app, request, opened_at, expires_at,
		succeeded_at, verdict, verdict_reason) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		p.ID, p.OrderID, p.Via, p.Purpose, p.AmountFen, p.Currency, p.Merchant, p.App, p.Request, p.OpenedAt, p.ExpiresAt,
		p.SucceededAt, orNull(p.Verdict), orNull(p.VerdictReason))
	if err != nil {
		return fmt.Errorf("insert payment: %w", err)
	}
	return nil
}

// RecordSuccess writes down, once, that the provider has the money and what became of it.
func (t *Tx) RecordSuccess(id string, successTime domain.Instant, transactionID, payer, verdict, reason string) error {
	return t.one("record success of "+id,
		`UPDATE payments SET succeeded_at = ?, success_time = ?, transaction_id = ?, payer_openid = ?, verdict = ?, verdict_reason = ?
		 WHERE id = ? AND succeeded_at IS NULL`, t.Now, successTime, orNull(transactionID), orNull(payer), verdict, orNull(reason), id)
}

// FlagPayment hands a success that does not match its attempt to the staff.
func (t *Tx) FlagPayment(id, reason string) error {
	return t.one("flag "+id, "UPDATE payments SET verdict = 'flagged', verdict_reason = ? WHERE id = ? AND succeeded_at IS NULL", reason, id)
}

// ClosePayment records the provider's no, and when to ask about it once more.
func (t *Tx) ClosePayment(id string, lookAgainAt domain.Instant) error {
	_, err := t.Exec("UPDATE payments SET closed_at = ?, look_again_at = ? WHERE id = ? AND closed_at IS NULL AND succeeded_at IS NULL",
		t.Now, lookAgainAt, id)
	if err != nil {
		return fmt.Errorf("close payment: %w", err)
	}
	return nil
}

// AskAgain records a question the provider could not answer and when to ask again.
func (t *Tx) AskAgain(id string, next domain.Instant, problem string) error {
	return t.one("ask again about "+id,
		"UPDATE payments SET asks = asks + 1, next_ask_at = ?, last_error = ? WHERE id = ?", next, problem, id)
}

// EventIn is what a provider told courtd, to be kept word for word.
type EventIn struct {
	Provider, NoticeID string
	Body               []byte
	About, Outcome     string
}

// RecordEvent keeps a provider's notice.
func (t *Tx) RecordEvent(e EventIn) error {
	_, err := t.Exec("INSERT INTO provider_events (provider, notice_id, received_at, body, about, outcome) VALUES (?,?,?,?,?,?)",
		e.Provider, e.NoticeID, t.Now, e.Body, e.About, e.Outcome)
	if err != nil {
		return fmt.Errorf("record provider event: %w", err)
	}
	return nil
}

// HeardOf reports whether a provider has told courtd before what it tells now: the same
// notice by its id or its bytes, about the same payment or refund.
func (s *Snapshot) HeardOf(e EventIn) (heard bool, err error) {
	err = s.QueryRow("SELECT EXISTS (SELECT 1 FROM provider_events WHERE about = ? AND provider = ? AND (notice_id = ? OR body = ?))",
		e.About, e.Provider, e.NoticeID, e.Body).Scan(&heard)
	if err != nil {
		return false, fmt.Errorf("look for a provider's notice: %w", err)
	}
	return heard, nil
}

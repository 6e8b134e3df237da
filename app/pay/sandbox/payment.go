package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// The states of a payment in the sandbox's books. The bank's "failed" is told
// to the club as closed: either way this number takes no money any more and
// the customer may try again under a new one.
const (
	statePending   = "pending"
	stateSucceeded = "succeeded"
	stateFailed    = "failed"
	stateClosed    = "closed"
)

type payment struct {
	outTradeNo    string
	amountFen     int64
	currency      string
	request       string
	expiresAt     domain.Instant
	state         string
	successTime   domain.Instant
	transactionID sql.NullString
}

// Open registers a payment. The identical request gives the same answer again
// while the payment can still be made; a request that differs in anything, or
// comes after expiry, close or failure, is an error, and after success
// pay.ErrAlreadyPaid.
func (p *Provider) Open(ctx context.Context, request pay.Request) (pay.Opened, error) {
	if err := request.Validate(); err != nil {
		return pay.Opened{}, err
	}
	stored, err := json.Marshal(request)
	if err != nil {
		return pay.Opened{}, fmt.Errorf("sandbox: encoding payment %s: %w", request.OutTradeNo, err)
	}
	err = p.db.Write(ctx, func(tx *sqlite.Tx) error { return open(tx, request, string(stored)) })
	if err != nil {
		return pay.Opened{}, fmt.Errorf("sandbox: opening payment %s: %w", request.OutTradeNo, err)
	}
	return pay.Opened{Params: map[string]any{
		"out_trade_no": request.OutTradeNo,
		"amount":       request.AmountFen,
		"currency":     request.Currency,
	}}, nil
}

func open(tx *sqlite.Tx, request pay.Request, stored string) error {
	known, found, err := findPayment(&tx.Snapshot, request.OutTradeNo)
	switch {
	case err != nil:
		return err
	case found && known.request != stored:
		return errors.New("its number belongs to a different request")
	case found && known.state == stateSucceeded:
		return pay.ErrAlreadyPaid
	case found && known.state != statePending:
		return fmt.Errorf("it is %s, a new number is needed", known.state)
	case tx.Now >= request.ExpiresAt:
		return errors.New("it has expired, a new number is needed")
	case found:
		return nil
	}
	_, err = tx.Exec(`INSERT INTO sandbox_payments (out_trade_no, amount_fen, currency, request, expires_at, state)
		VALUES (?, ?, ?, ?, ?, ?)`,
		request.OutTradeNo, request.AmountFen, request.Currency, stored, request.ExpiresAt, statePending)
	return err
}

// Close ends a payment that has not been made; a second close changes nothing.
func (p *Provider) Close(ctx context.Context, outTradeNo string) error {
	err := p.db.Write(ctx, func(tx *sqlite.Tx) error {
		known, found, err := findPayment(&tx.Snapshot, outTradeNo)
		switch {
		case err != nil:
			return err
		case !found:
			return pay.ErrUnknownPayment
		case known.state == stateSucceeded:
			return pay.ErrAlreadyPaid
		case known.state != statePending:
			return nil
		}
		_, err = tx.Exec(`UPDATE sandbox_payments SET state = ? WHERE out_trade_no = ?`, stateClosed, outTradeNo)
		return err
	})
	if err != nil {
		return fmt.Errorf("sandbox: closing payment %s: %w", outTradeNo, err)
	}
	return nil
}

// Query tells what has become of a payment.
func (p *Provider) Query(ctx context.Context, outTradeNo string) (pay.Result, error) {
	result := pay.Result{OutTradeNo: outTradeNo, State: pay.Unknown}
	err := p.db.Read(ctx, func(snap *sqlite.Snapshot) error {
		known, found, err := findPayment(snap, outTradeNo)
		if err == nil && found {
			result = known.result()
		}
		return err
	})
	if err != nil {
		return pay.Result{}, fmt.Errorf("sandbox: querying payment %s: %w", outTradeNo, err)
	}
	return result, nil
}

func findPayment(snap *sqlite.Snapshot, outTradeNo string) (known payment, found bool, err error) {
	row := snap.QueryRow(`SELECT out_trade_no, amount_fen, currency, request, expires_at, state, success_time, transaction_id
		FROM sandbox_payments WHERE out_trade_no = ?`, outTradeNo)
	err = row.Scan(&known.outTradeNo, &known.amountFen, &known.currency, &known.request, &known.expiresAt,
		&known.state, &known.successTime, &known.transactionID)
	if errors.Is(err, sql.ErrNoRows) {
		return payment{}, false, nil
	}
	if err != nil {
		return payment{}, false, fmt.Errorf("reading payment %s: %w", outTradeNo, err)
	}
	return known, true, nil
}

func (known payment) result() pay.Result {
	result := pay.Result{
		OutTradeNo:    known.outTradeNo,
		AmountFen:     known.amountFen,
		Currency:      known.currency,
		Merchant:      merchant,
		App:           app,
		TransactionID: known.transactionID.String,
		SuccessTime:   known.successTime,
	}
	switch known.state {
	case statePending:
		result.State = pay.Pending
	case stateSucceeded:
		result.State = pay.Succeeded
	case stateFailed, stateClosed:
		result.State = pay.Closed
	default:
		panic("sandbox: payment in state " + known.state)
	}
	return result
}

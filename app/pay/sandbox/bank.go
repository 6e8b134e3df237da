package sandbox

import (
	"context"
	"fmt"

	"courtd/app/pay"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// Succeed is the customer's bank paying, and gives the notice that the sandbox
// would send. It works after expiry, close and failure too: real money does
// not always wait for the club to agree. Paying twice is paying once, with a
// second notice. An unknown number is a NotFound refusal.
func (p *Provider) Succeed(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error) {
	transactionID := "sandbox-" + secret.NewID()
	err = p.db.Write(ctx, func(tx *sqlite.Tx) error {
		known, found, err := findPayment(&tx.Snapshot, outTradeNo)
		switch {
		case err != nil:
			return err
		case !found:
			return errNotFound("payment", outTradeNo)
		case known.state == stateSucceeded:
			return nil
		}
		_, err = tx.Exec(`UPDATE sandbox_payments SET state = ?, success_time = ?, transaction_id = ? WHERE out_trade_no = ?`,
			stateSucceeded, tx.Now, transactionID, outTradeNo)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: paying %s: %w", outTradeNo, err)
	}
	return p.SignNotice(ctx, outTradeNo)
}

// Fail is the customer's bank refusing, and gives the notice of it. What has
// been paid cannot fail any more: Conflict already_paid. An unknown number is a
// NotFound refusal.
func (p *Provider) Fail(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error) {
	err = p.db.Write(ctx, func(tx *sqlite.Tx) error {
		known, found, err := findPayment(&tx.Snapshot, outTradeNo)
		switch {
		case err != nil:
			return err
		case !found:
			return errNotFound("payment", outTradeNo)
		case known.state == stateSucceeded:
			return domain.Refuse(domain.Conflict, "already_paid", "payment %s has succeeded and cannot fail", outTradeNo).
				Because(pay.ErrAlreadyPaid)
		case known.state != statePending:
			return nil
		}
		_, err = tx.Exec(`UPDATE sandbox_payments SET state = ? WHERE out_trade_no = ?`, stateFailed, outTradeNo)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: failing %s: %w", outTradeNo, err)
	}
	return p.SignNotice(ctx, outTradeNo)
}

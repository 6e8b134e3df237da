package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"courtd/app/pay"
	"courtd/sqlite"
)

type refund struct {
	outRefundNo string
	outTradeNo  string
	amountFen   int64
	state       string
}

// Refund accepts a refund as processing. The same number with the same payment
// and amount tells how far it has come; with others it is an error. So is a
// refund of what was not paid, or of more than is left of it.
func (p *Provider) Refund(ctx context.Context, request pay.RefundRequest) (pay.RefundResult, error) {
	if err := request.Validate(); err != nil {
		return pay.RefundResult{}, err
	}
	var result pay.RefundResult
	err := p.db.Write(ctx, func(tx *sqlite.Tx) error {
		accepted, err := acceptRefund(tx, request)
		result = accepted.result()
		return err
	})
	if err != nil {
		return pay.RefundResult{}, fmt.Errorf("sandbox: refund %s: %w", request.OutRefundNo, err)
	}
	return result, nil
}

func acceptRefund(tx *sqlite.Tx, request pay.RefundRequest) (refund, error) {
	paid, found, err := findPayment(&tx.Snapshot, request.OutTradeNo)
	switch {
	case err != nil:
		return refund{}, err
	case !found:
		return refund{}, pay.ErrUnknownPayment
	case paid.state != stateSucceeded:
		return refund{}, fmt.Errorf("payment %s is %s, not paid", request.OutTradeNo, paid.state)
	case request.PaymentFen != paid.amountFen || request.Currency != paid.currency:
		return refund{}, fmt.Errorf("payment %s was %d fen %s, the request says %d fen %s", request.OutTradeNo,
			paid.amountFen, paid.currency, request.PaymentFen, request.Currency)
	}
	known, found, err := findRefund(&tx.Snapshot, request.OutRefundNo)
	if err != nil {
		return refund{}, err
	}
	if found {
		if known.outTradeNo != request.OutTradeNo || known.amountFen != request.AmountFen {
			return refund{}, errors.New("its number belongs to a different request")
		}
		return known, nil
	}
	var refundedFen int64
	err = tx.QueryRow(`SELECT coalesce(sum(amount_fen), 0) FROM sandbox_refunds WHERE out_trade_no = ? AND state <> ?`,
		request.OutTradeNo, string(pay.RefundAbnormal)).Scan(&refundedFen)
	if err != nil {
		return refund{}, fmt.Errorf("adding up the refunds of payment %s: %w", request.OutTradeNo, err)
	}
	if leftFen := paid.amountFen - refundedFen; request.AmountFen > leftFen {
		return refund{}, fmt.Errorf("payment %s has %d fen left, not %d", request.OutTradeNo, leftFen, request.AmountFen)
	}
	known = refund{outRefundNo: request.OutRefundNo, outTradeNo: request.OutTradeNo,
		amountFen: request.AmountFen, state: string(pay.RefundProcessing)}
	_, err = tx.Exec(`INSERT INTO sandbox_refunds (out_refund_no, out_trade_no, amount_fen, state, asked) VALUES (?, ?, ?, ?, 0)`,
		known.outRefundNo, known.outTradeNo, known.amountFen, known.state)
	return known, err
}

// QueryRefund tells what has become of a refund. The first question about one
// that is processing finds it succeeded.
func (p *Provider) QueryRefund(ctx context.Context, outRefundNo string) (pay.RefundResult, error) {
	result := pay.RefundResult{OutRefundNo: outRefundNo, State: pay.RefundUnknown}
	err := p.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`UPDATE sandbox_refunds
			SET asked = asked + 1, state = CASE state WHEN 'processing' THEN 'succeeded' ELSE state END
			WHERE out_refund_no = ?`, outRefundNo)
		if err != nil {
			return err
		}
		known, found, err := findRefund(&tx.Snapshot, outRefundNo)
		if err == nil && found {
			result = known.result()
		}
		return err
	})
	if err != nil {
		return pay.RefundResult{}, fmt.Errorf("sandbox: querying refund %s: %w", outRefundNo, err)
	}
	return result, nil
}

func findRefund(snap *sqlite.Snapshot, outRefundNo string) (known refund, found bool, err error) {
	row := snap.QueryRow(`SELECT out_refund_no, out_trade_no, amount_fen, state FROM sandbox_refunds WHERE out_refund_no = ?`,
		outRefundNo)
	err = row.Scan(&known.outRefundNo, &known.outTradeNo, &known.amountFen, &known.state)
	if errors.Is(err, sql.ErrNoRows) {
		return refund{}, false, nil
	}
	if err != nil {
		return refund{}, false, fmt.Errorf("reading refund %s: %w", outRefundNo, err)
	}
	return known, true, nil
}

func (known refund) result() pay.RefundResult {
	return pay.RefundResult{OutRefundNo: known.outRefundNo, State: pay.RefundState(known.state), AmountFen: known.amountFen}
}

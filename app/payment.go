package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"courtd/app/pay"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// PaymentOpened is what a client needs to let the customer pay.
type PaymentOpened struct {
	OutTradeNo string         `json:"out_trade_no"`
	Via        string         `json:"via"`
	ExpiresAt  time.Time      `json:"expires_at"`
	Now        time.Time      `json:"now"`
	Amount     int64          `json:"amount" doc:"fen"`
	Params     map[string]any `json:"params"`
}

// OpenPayment opens a payment of an order that is held. The attempt is a row
// before the provider hears of it; the same key gives the same attempt again.
// Nothing here moves the order's deadline.
func (a *App) OpenPayment(ctx context.Context, actor Actor, orderID, via, clientIP string, key Key, shown ...Shown) (PaymentOpened, error) {
	if !a.offers(via) {
		return PaymentOpened{}, domain.BadField("via", "cannot be used here")
	}
	provider := a.providers[via]
	o := opening{provider: provider, rules: provider.Rules(via), via: via, clientIP: clientIP, shown: shown}
	opened, attempt, err := a.openAttempt(ctx, actor, orderID, key, o)
	if err != nil {
		return PaymentOpened{}, err
	}
	at, err := a.callOpen(ctx, via, attempt)
	if errors.Is(err, pay.ErrNeedsNewNumber) {
		// Its number takes no money any more; the order still does.
		if err := a.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.ClosePayment(attempt.ID, tx.Now.Add(domain.FirstSecondLook)) }); err != nil {
			return PaymentOpened{}, err
		}
		if opened, attempt, err = a.openAttempt(ctx, actor, orderID, key, o); err != nil {
			return PaymentOpened{}, err
		}
		at, err = a.callOpen(ctx, via, attempt)
	}
	if errors.Is(err, pay.ErrAlreadyPaid) {
		return PaymentOpened{}, a.paidMeanwhile(ctx, attempt, err)
	}
	if now, nowErr := a.Now(ctx); err != nil && nowErr == nil && attempt.ExpiresAt <= now {
		return PaymentOpened{}, errHoldLapsed() // it ended while the provider was being asked
	}
	if err != nil {
		return PaymentOpened{}, errNotOpened(err)
	}
	opened.Params = at.Params
	return opened, a.keepOpened(ctx, attempt, o, at)
}

// keepOpened keeps what an attempt can be paid with, for a page that is loaded again;
// what names the payer is not kept.
func (a *App) keepOpened(ctx context.Context, attempt sqlite.Payment, o opening, at pay.Opened) error {
	if !o.rules.Replays || o.rules.NeedsOpenID {
		return nil
	}
	params, err := json.Marshal(at.Params)
	if err != nil {
		return fmt.Errorf("parameters of payment %s: %w", attempt.ID, err)
	}
	return a.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.PaymentOpened(attempt.ID, string(params)) })
}

func errNotOpened(err error) error {
	return domain.Refuse(domain.Unavailable, "provider_unavailable", "the payment could not be opened; try again").Because(err)
}

// paidMeanwhile asks about an attempt that its provider says is paid, judges the money,
// and says what that came to.
func (a *App) paidMeanwhile(ctx context.Context, attempt sqlite.Payment, said error) error {
	var rep AskReport
	err := a.ask(ctx, question{payment: attempt, held: true}, &rep, map[string]bool{})
	if errors.Is(err, errStopped) { // whoever asked has gone away
		return errNotOpened(err)
	}
	if err != nil {
		return err
	}
	if rep.Paid == 0 {
		return errNotOpened(said)
	}
	return domain.Refuse(domain.Conflict, "already_paid", "this order has been paid")
}

// opening is how an attempt is to be made.
type opening struct {
	provider pay.Provider
	rules    pay.Rules
	via      string
	clientIP string
	shown    []Shown
}

// openAttempt writes the attempt, or finds the one that is to be opened again.
func (a *App) openAttempt(ctx context.Context, actor Actor, orderID string, key Key, o opening) (opened PaymentOpened, attempt sqlite.Payment, err error) {
	id := secret.NewID()
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		order, err := tx.Order(orderID)
		if err != nil {
			return err
		}
		if err := mayActNow(&tx.Snapshot, actor, order); err != nil {
			return err
		}
		if err := refuseUnlessHeld(order, tx.Now); err != nil {
			return err
		}
		if order.PayBy(tx.Now).Sub(tx.Now) < o.rules.AtLeast {
			return domain.Refuse(domain.Conflict, "too_late", "less than a minute is left to pay; please book again").With("limit", "pay_at_least")
		}
		paymentID, _, err := once(tx, actor, key, "open payment", []string{orderID, o.via}, func() (string, error) {
			if err := agreed(o.shown, payable(order, tx.Now)); err != nil {
				return "", err
			}
			return a.writeAttempt(tx, venue, order, o, id)
		})
		if err != nil {
			return err
		}
		if attempt, _, err = tx.Payment(paymentID); err != nil {
			return err
		}
		if o.rules.Replays && !attempt.Open() { // what the key named takes no money any more
			if paymentID, err = a.writeAttempt(tx, venue, order, o, id); err != nil {
				return err
			}
			if attempt, _, err = tx.Payment(paymentID); err != nil {
				return err
			}
		}
		opened = PaymentOpened{OutTradeNo: attempt.ID, Via: o.via, ExpiresAt: attempt.ExpiresAt.In(venue.Calendar.Zone),
			Now: tx.Now.In(venue.Calendar.Zone), Amount: attempt.AmountFen}
		return tx.PaymentCalled(attempt.ID)
	})
	return opened, attempt, err
}

// callOpen has the provider open an attempt by the request that was written down.
func (a *App) callOpen(ctx context.Context, via string, attempt sqlite.Payment) (pay.Opened, error) {
	var request pay.Request
	if err := json.Unmarshal([]byte(attempt.Request), &request); err != nil {
		return pay.Opened{}, fmt.Errorf("request of payment %s: %w", attempt.ID, err)
	}
	return callProvider(ctx, a, via, CallOpen, func(ctx context.Context, p pay.Provider) (pay.Opened, error) { return p.Open(ctx, request) })
}

// refuseUnlessHeld says why an order cannot be paid now, or nil.
func refuseUnlessHeld(o domain.Order, at domain.Instant) error {
	switch state := o.State(at); {
	case state == domain.Held:
		return nil
	case anyPaid(o, at):
		return domain.Refuse(domain.Conflict, "already_paid", "this order has been paid")
	case state == domain.Cancelled:
		return domain.Refuse(domain.Conflict, "already_cancelled", "this order was cancelled")
	}
	return errHoldLapsed()
}

func errHoldLapsed() error {
	return domain.Refuse(domain.Conflict, "hold_lapsed", "the time to pay is over; please book again")
}

// writeAttempt writes a new attempt at what is to be paid now, or gives one that can be
// opened again. Several may be open at once, and any success counts; past a limit the
// newest one is given again.
func (a *App) writeAttempt(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, o opening, id string) (string, error) {
	merchant, appID := o.provider.Merchant()
	request := pay.Request{Via: o.via, OutTradeNo: id, OrderID: order.ID, OrderNumber: order.Number, Description: forBank(venue.Name, order.Number),
		AmountFen: payable(order, tx.Now), Currency: venue.Currency, ExpiresAt: order.PayBy(tx.Now)}
	if o.rules.NeedsClientIP { // else a phone that changes its network would seem to ask for something else
		request.ClientIP = o.clientIP
	}
	if o.rules.NeedsOpenID {
		customer, err := tx.Customer(order.CustomerID)
		if err != nil {
			return "", err
		}
		if request.PayerOpenID = customer.OpenID; request.PayerOpenID == "" {
			return "", domain.Refuse(domain.Conflict, "wechat_sign_in_needed", "sign in with WeChat first to pay this way")
		}
	}
	payments, err := tx.PaymentsOfOrder(order.ID)
	if err != nil {
		return "", err
	}
	open, newest := 0, ""
	for _, p := range payments {
		if p.Via != o.via || !p.Open() || p.AmountFen != request.AmountFen {
			continue
		}
		open, newest = open+1, p.ID
		if o.rules.Replays && sameRequest(p, request) {
			return p.ID, nil
		}
	}
	if open >= domain.MaxOpenAttempts {
		return newest, nil
	}
	stored, err := json.Marshal(request)
	if err != nil {
		return "", fmt.Errorf("payment request: %w", err)
	}
	return id, tx.InsertPayment(sqlite.Payment{ID: id, OrderID: order.ID, Via: o.via, Purpose: "order", AmountFen: request.AmountFen, Currency: venue.Currency,
		Merchant: merchant, App: appID, Request: string(stored), OpenedAt: tx.Now, ExpiresAt: request.ExpiresAt})
}

// sameRequest reports whether an attempt asked for the very same but for its number.
func sameRequest(p sqlite.Payment, request pay.Request) bool {
	var asked pay.Request
	if json.Unmarshal([]byte(p.Request), &asked) != nil {
		return false
	}
	request.OutTradeNo = asked.OutTradeNo
	return asked == request
}

// forBank is what the customer's bank shows of an order: whose it is and its number,
// within what providers take.
func forBank(venue, number string) string {
	for len(venue)+1+len(number) > pay.MaxDescriptionBytes {
		_, size := utf8.DecodeLastRuneInString(venue)
		venue = venue[:len(venue)-size]
	}
	return venue + " " + number
}

// TakeNotice takes a provider's notice as it came: verified on the raw bytes,
// recorded, and judged, in that order. Whatever is not an acknowledgement makes
// the provider send it again.
func (a *App) TakeNotice(ctx context.Context, name string, header func(string) string, body []byte) error {
	provider, ok := a.byName[name]
	if !ok {
		return domain.Refuse(domain.NotFound, "not_found", "no such provider")
	}
	n, err := parseNotice(provider, header, body)
	a.noteNotice(ctx, name, n, body, err)
	if errors.Is(err, pay.ErrBadSignature) {
		return domain.Refuse(domain.Unauthenticated, "bad_signature", "the notice has no valid signature").Because(err)
	}
	if err != nil {
		return domain.Refuse(domain.Malformed, "bad_notice", "the notice cannot be read").Because(err)
	}
	var unknown bool
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		event := sqlite.EventIn{Provider: name, NoticeID: n.ID, Body: body}
		var err error
		switch {
		case n.Payment != nil:
			event.About = n.Payment.OutTradeNo
			event.Outcome, err = a.applyResult(tx, venue, *n.Payment)
		case n.Refund != nil:
			event.About = n.Refund.OutRefundNo
			event.Outcome, err = a.applyRefundNotice(tx, venue, *n.Refund)
		default:
			event.Outcome = "ignored"
		}
		if err != nil {
			return err
		}
		unknown = event.Outcome == "unknown"
		return tx.RecordEvent(event)
	})
	if err == nil && unknown {
		return domain.Refuse(domain.NotFound, "unknown_payment", "no payment has this number")
	}
	return err
}

// applyResult writes down what a provider says about a payment, whoever asked. Who paid
// is kept and not compared with the customer: anybody may pay for anybody, and does, by a
// code that is shown to a friend.
func (a *App) applyResult(tx *sqlite.Tx, venue sqlite.Venue, r pay.Result) (string, error) {
	p, found, err := tx.Payment(r.OutTradeNo)
	if err != nil {
		return "", err
	}
	if !found {
		return "unknown", nil
	}
	switch r.State {
	case pay.Succeeded:
		return a.judgeMoney(tx, venue, p, r)
	case pay.Closed:
		return "closed", tx.ClosePayment(p.ID, tx.Now.Add(domain.FirstSecondLook))
	}
	return "pending", nil
}

func (a *App) applyRefundNotice(tx *sqlite.Tx, venue sqlite.Venue, r pay.RefundResult) (string, error) {
	row, err := tx.Refund(r.OutRefundNo)
	if domain.IsReason(err, "not_found") {
		return "unknown", nil
	}
	if err != nil {
		return "", err
	}
	return a.judgeRefund(tx, venue, row, r)
}

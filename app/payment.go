package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
	provider, ok := a.providers[via]
	if !ok {
		return PaymentOpened{}, domain.BadField("via", "cannot be used here")
	}
	id := secret.NewID()
	var attempt sqlite.Payment
	var opened PaymentOpened
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		order, err := tx.Order(orderID)
		if err != nil {
			return err
		}
		if err := actor.mayActOn(order); err != nil {
			return err
		}
		if err := refuseUnlessHeld(order, tx.Now); err != nil {
			return err
		}
		paymentID, _, err := once(tx, actor, key, "open payment", []string{orderID, via}, func() (string, error) {
			if err := agreed(shown, payable(order, tx.Now)); err != nil {
				return "", err
			}
			return a.writeAttempt(tx, venue, order, provider, id, via, clientIP)
		})
		if err != nil {
			return err
		}
		attempt, _, err = tx.Payment(paymentID)
		opened = PaymentOpened{OutTradeNo: attempt.ID, Via: via, ExpiresAt: attempt.ExpiresAt.In(venue.Calendar.Zone),
			Now: tx.Now.In(venue.Calendar.Zone), Amount: attempt.AmountFen}
		return err
	})
	if err != nil {
		return PaymentOpened{}, err
	}
	var request pay.Request
	if err := json.Unmarshal([]byte(attempt.Request), &request); err != nil {
		return PaymentOpened{}, fmt.Errorf("request of payment %s: %w", attempt.ID, err)
	}
	at, err := callProvider(ctx, a, via, func(ctx context.Context, p pay.Provider) (pay.Opened, error) { return p.Open(ctx, request) })
	if now, nowErr := a.Now(ctx); err != nil && nowErr == nil && request.ExpiresAt <= now {
		return PaymentOpened{}, errHoldLapsed() // it ended while the provider was being asked
	}
	if err != nil {
		return PaymentOpened{}, domain.Refuse(domain.Unavailable, "provider_unavailable", "the payment could not be opened; try again").Because(err)
	}
	opened.Params = at.Params
	return opened, nil
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

// writeAttempt writes a new attempt at what is to be paid now. Several may be open
// at once, and any success counts; past a limit the newest one is given again.
func (a *App) writeAttempt(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, provider pay.Provider, id, via, clientIP string) (string, error) {
	amount := payable(order, tx.Now)
	payments, err := tx.PaymentsOfOrder(order.ID)
	if err != nil {
		return "", err
	}
	open, newest := 0, ""
	for _, p := range payments {
		if p.Via == via && p.Open() && p.AmountFen == amount {
			open, newest = open+1, p.ID
		}
	}
	if open >= domain.MaxOpenAttempts {
		return newest, nil
	}
	merchant, appID := provider.Merchant()
	request, err := json.Marshal(pay.Request{Via: via, OutTradeNo: id, OrderID: order.ID, OrderNumber: order.Number,
		Description: "courtd " + order.Number, AmountFen: amount, Currency: venue.Currency, ExpiresAt: order.PayBy(tx.Now), ClientIP: clientIP})
	if err != nil {
		return "", fmt.Errorf("payment request: %w", err)
	}
	return id, tx.InsertPayment(sqlite.Payment{ID: id, OrderID: order.ID, Via: via, Purpose: "order", AmountFen: amount, Currency: venue.Currency,
		Merchant: merchant, App: appID, Request: string(request), OpenedAt: tx.Now, ExpiresAt: order.PayBy(tx.Now)})
}

// TakeNotice takes a provider's notice as it came: verified on the raw bytes,
// recorded, and judged, in that order. Whatever is not an acknowledgement makes
// the provider send it again.
func (a *App) TakeNotice(ctx context.Context, via string, header func(string) string, body []byte) error {
	provider, ok := a.providers[via]
	if !ok {
		return domain.Refuse(domain.NotFound, "not_found", "no such provider")
	}
	n, err := provider.ParseNotice(header, body)
	if errors.Is(err, pay.ErrBadSignature) {
		return domain.Refuse(domain.Unauthenticated, "bad_signature", "the notice has no valid signature").Because(err)
	}
	if err != nil {
		return domain.Refuse(domain.Malformed, "bad_notice", "the notice cannot be read").Because(err)
	}
	var unknown bool
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		event := sqlite.EventIn{Provider: via, NoticeID: n.ID, Body: body}
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

// applyResult writes down what a provider says about a payment, whoever asked.
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
		return "closed", tx.ClosePayment(p.ID)
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

// AskReport counts what one pass over the open attempts did.
type AskReport struct {
	Asked  int `json:"asked"`
	Closed int `json:"closed"`
	Paid   int `json:"paid"`
	Failed int `json:"failed"`
}

// AskProviders asks about every open attempt: one whose order can no longer be
// paid is closed at the provider, or queried if that is refused; one that still
// can be paid is queried, in case its notice was lost. It returns the orders
// about which there is no answer yet.
func (a *App) AskProviders(ctx context.Context) (AskReport, map[string]bool, error) {
	var rep AskReport
	unanswered := map[string]bool{}
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Payment
		held := map[string]bool{}
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			if batch, err = s.AttemptsToAsk(after, domain.MaxPageItems); err != nil {
				return err
			}
			for _, p := range batch {
				// What is wrong with an order shows when the answer is judged.
				order, err := s.Order(p.OrderID)
				held[p.ID] = err == nil && order.State(s.Now) == domain.Held
			}
			return nil
		})
		if err != nil || len(batch) == 0 {
			return rep, unanswered, err
		}
		for _, p := range batch {
			after = p.ID
			if err := ctx.Err(); err != nil {
				return rep, unanswered, err
			}
			if err := a.ask(ctx, p, held[p.ID], &rep, unanswered); err != nil {
				return rep, unanswered, err
			}
		}
	}
	return rep, unanswered, ctx.Err()
}

func (a *App) ask(ctx context.Context, p sqlite.Payment, held bool, rep *AskReport, unanswered map[string]bool) error {
	rep.Asked++
	result, err := a.closeOrQuery(ctx, p, held)
	var outcome string
	if err == nil {
		err = a.write(context.WithoutCancel(ctx), func(tx *sqlite.Tx, venue sqlite.Venue) (err error) {
			outcome, err = a.applyResult(tx, venue, result)
			return err
		})
	}
	if isUnavailable(err) || errors.Is(err, errStopped) {
		return err
	}
	if err != nil {
		rep.Failed++
		unanswered[p.OrderID] = true
		a.log.Warn("no answer about a payment", "payment", p.ID, "order", p.OrderID, "error", err)
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
			return tx.AskAgain(p.ID, tx.Now.Add(backoff(p.Asks+1)), firstLine(err))
		})
	}
	switch outcome {
	case "closed":
		rep.Closed++
	case verdictPaid, verdictRevived, verdictRefunded:
		rep.Paid++
	}
	return nil
}

// closeOrQuery gets the provider's answer about one attempt. A close that is
// refused says nothing yet: the query decides.
func (a *App) closeOrQuery(ctx context.Context, p sqlite.Payment, held bool) (pay.Result, error) {
	query := func() (pay.Result, error) {
		return callProvider(ctx, a, p.Via, func(ctx context.Context, pr pay.Provider) (pay.Result, error) { return pr.Query(ctx, p.ID) })
	}
	if held {
		return query()
	}
	_, err := callProvider(ctx, a, p.Via, func(ctx context.Context, pr pay.Provider) (struct{}, error) {
		return struct{}{}, pr.Close(ctx, p.ID)
	})
	if err == nil {
		return pay.Result{OutTradeNo: p.ID, State: pay.Closed}, nil
	}
	result, err := query()
	if err != nil {
		return result, err
	}
	switch result.State {
	case pay.Unknown:
		// It never reached the provider, and its number is used by nobody else.
		result.State = pay.Closed
	case pay.Pending:
		return result, errors.New("the provider neither closed nor finished this payment")
	}
	result.OutTradeNo = p.ID
	return result, nil
}

// CheckPayments asks the provider about an order's open attempts because
// somebody wants to know now, and gives the order as it is then.
func (a *App) CheckPayments(ctx context.Context, actor Actor, orderID string) (OrderView, error) {
	var open []sqlite.Payment
	var held bool
	err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		order, err := s.Order(orderID)
		if err != nil {
			return err
		}
		if err := actor.mayActOn(order); err != nil {
			return err
		}
		held = order.State(s.Now) == domain.Held
		payments, err := s.PaymentsOfOrder(orderID)
		for _, p := range payments {
			if p.Open() && p.Via != payCash {
				open = append(open, p)
			}
		}
		return err
	})
	if err != nil {
		return OrderView{}, err
	}
	var rep AskReport
	for _, p := range open {
		if err := a.ask(ctx, p, held, &rep, map[string]bool{}); err != nil {
			return OrderView{}, err
		}
	}
	return a.Order(ctx, actor, orderID)
}

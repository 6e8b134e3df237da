package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// giving is money that goes back: why, and which row caused it.
type giving struct {
	purpose string // cancel, closure, late, duplicate, no_show, move or goodwill
	cause   string
	reason  string
	payment string // only from this payment; empty: from whatever the order was paid with
}

// giveBack writes the refunds of one sum, spread over the order's payments, the
// oldest first, before anybody is asked to send them. The same giving twice is
// one giving. Never more goes back than is left after earlier refunds; it returns
// what does, in fen. Flagged money has nothing left (Refundable): what has become of it at
// the provider is for a person to find out.
func (a *App) giveBack(tx *sqlite.Tx, orderID string, amountFen int64, g giving) (int64, error) {
	if amountFen <= 0 {
		return 0, nil
	}
	given, found, err := givenFen(tx, orderID, g)
	if err != nil || found {
		return given, err
	}
	payments, err := tx.PaymentsOfOrder(orderID)
	if err != nil {
		return 0, err
	}
	for _, p := range payments {
		if given == amountFen || (g.payment != "" && p.ID != g.payment) {
			continue
		}
		left, err := tx.Refundable(p.ID)
		if err != nil {
			return 0, err
		}
		part := min(left, amountFen-given)
		if part <= 0 {
			continue
		}
		if _, err := tx.InsertRefund(sqlite.Refund{ID: refundID(p.ID, g), PaymentID: p.ID, OrderID: orderID,
			Purpose: g.purpose, Cause: g.cause, AmountFen: part, Reason: g.reason}); err != nil {
			return 0, err
		}
		given += part
	}
	return given, nil
}

// givenFen is what one giving has sent back before, and whether there was one.
func givenFen(tx *sqlite.Tx, orderID string, g giving) (sumFen int64, found bool, err error) {
	refunds, err := tx.RefundsOfOrder(orderID)
	for _, r := range refunds {
		if r.Purpose == g.purpose && r.Cause == g.cause && (g.payment == "" || r.PaymentID == g.payment) {
			sumFen, found = sumFen+r.AmountFen, true
		}
	}
	return sumFen, found, err
}

// refundID is the out_refund_no: it follows from payment, purpose and cause, so
// that a try after a crash is the same refund to the provider.
func refundID(paymentID string, g giving) string {
	return hash(paymentID + "|" + g.purpose + "|" + g.cause)[:32]
}

// RefundReport counts what one pass over the refunds did.
type RefundReport struct {
	Sent     int `json:"sent"`
	Done     int `json:"done"`
	Abnormal int `json:"abnormal"`
	Failed   int `json:"failed"`
	Twice    int `json:"twice" doc:"handed back by hand, and found to have arrived as well"`
	Left     int `json:"left" doc:"not tried: their way to pay is not set up in this process"`
}

// DriveRefunds sends refunds and follows up those under way, until nothing is
// due. One that fails is tried again later under the same number. One whose provider is
// not set up here is left to a process in which it is.
func (a *App) DriveRefunds(ctx context.Context) (rep RefundReport, err error) {
	if err := a.driveDue(ctx, &rep); err != nil {
		return rep, err
	}
	rep.Twice, err = a.lookAtHandedBack(ctx)
	return rep, err
}

func (a *App) driveDue(ctx context.Context, rep *RefundReport) error {
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Refund
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			batch, err = s.RefundsToDrive(after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, r := range batch {
			after = r.ID
			err := ctx.Err()
			if err == nil {
				err = a.driveRefund(ctx, r, rep)
			}
			if err != nil && !stops(ctx, err) {
				err = a.refundTryAgain(ctx, r, err, rep)
			}
			if err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// lookAtHandedBack asks about refunds that the desk has handed back whether the provider
// has sent them as well: its notice may be lost, and a call that nobody heard the end of
// may have been carried out. It asks for a month, and sends nothing.
func (a *App) lookAtHandedBack(ctx context.Context) (twice int, err error) {
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Refund
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			batch, err = s.RefundsToLookAt(after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return twice, err
		}
		for _, r := range batch {
			after = r.ID
			if !a.canAsk(r) {
				continue
			}
			said, unheard := a.askRefund(ctx, r)
			if stops(ctx, unheard) {
				return twice, unheard
			}
			err := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
				next := tx.Now.Add(domain.RefundAskAgain)
				if tx.Now.Sub(r.DoneAt) >= domain.HandedBackLooks {
					next = 0
				}
				if unheard != nil {
					return tx.LookAtRefund(r.ID, next)
				}
				now, err := tx.Refund(r.ID)
				if err != nil {
					return err
				}
				outcome, err := a.judgeDone(tx, now, said)
				if outcome == "twice" {
					twice++
				}
				return errors.Join(err, tx.LookAtRefund(r.ID, next))
			})
			if err != nil {
				return twice, err
			}
		}
	}
	return twice, ctx.Err()
}

func (a *App) driveRefund(ctx context.Context, r sqlite.Refund, rep *RefundReport) error {
	if !a.canAsk(r) {
		rep.Left++
		return a.leaveRefund(ctx, r)
	}
	if !r.SentAt.IsSet() {
		accepted, err := a.sendRefund(ctx, r, rep)
		// Where nobody has to wait, the same pass asks how it went.
		if err != nil || !accepted || a.followUp > 0 {
			return err
		}
	}
	result, err := a.askRefund(ctx, r)
	if err != nil {
		return a.refundTryAgain(ctx, r, err, rep)
	}
	return a.recordRefund(ctx, r, result, rep)
}

// refundClaim is for how long whoever sends a refund keeps others from handing it over.
const refundClaim = 2 * domain.CommandTimeout

// sendRefund asks the provider to make a refund; accepted is not yet done.
func (a *App) sendRefund(ctx context.Context, r sqlite.Refund, rep *RefundReport) (accepted bool, err error) {
	var claimed bool
	err = a.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
		claimed, err = tx.ClaimRefund(r.ID, tx.Now.Add(refundClaim), false)
		return err
	})
	if err != nil || !claimed { // it is done by now, or somebody is about to hand it over
		return false, err
	}
	result, err := callProvider(ctx, a, r.Via, CallRefund, func(ctx context.Context, p pay.Provider) (pay.RefundResult, error) {
		return p.Refund(ctx, pay.RefundRequest{OutRefundNo: r.ID, OutTradeNo: r.PaymentID, AmountFen: r.AmountFen,
			PaymentFen: r.PaymentFen, Currency: r.Currency, Reason: r.Reason})
	})
	if err != nil {
		return false, a.refundTryAgain(ctx, r, err, rep)
	}
	rep.Sent++
	err = a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.RefundSent(r.ID, tx.Now.Add(a.followUp)) })
	if err != nil || result.State == pay.RefundProcessing {
		return err == nil, err
	}
	return false, a.recordRefund(ctx, r, result, rep)
}

func (a *App) askRefund(ctx context.Context, r sqlite.Refund) (pay.RefundResult, error) {
	return callProvider(ctx, a, r.Via, CallRefund, func(ctx context.Context, p pay.Provider) (pay.RefundResult, error) {
		return p.QueryRefund(ctx, r.ID)
	})
}

// recordRefund writes down what the provider says about a refund.
func (a *App) recordRefund(ctx context.Context, r sqlite.Refund, result pay.RefundResult, rep *RefundReport) error {
	var outcome string
	err := a.write(context.WithoutCancel(ctx), func(tx *sqlite.Tx, venue sqlite.Venue) (err error) {
		outcome, err = a.judgeRefund(tx, venue, r, result)
		return err
	})
	switch outcome {
	case refundedOutcome:
		rep.Done++
	case "abnormal":
		rep.Abnormal++
	}
	return err
}

const refundedOutcome = "refunded"

// judgeRefund is the one function that decides about what a provider says of a
// refund, asked or unasked. It returns the outcome in a word.
func (a *App) judgeRefund(tx *sqlite.Tx, venue sqlite.Venue, about sqlite.Refund, said pay.RefundResult) (string, error) {
	r, err := tx.Refund(about.ID) // as it is now: somebody may have handed it over since it was asked about
	if err != nil {
		return "", err
	}
	again := tx.Now.Add(domain.RefundAskAgain)
	switch {
	case r.DoneAt.IsSet():
		return a.judgeDone(tx, r, said)
	case said.State == pay.RefundProcessing:
		return "processing", tx.RefundSent(r.ID, tx.Now.Add(max(a.followUp, time.Second)))
	case said.State == pay.RefundUnknown:
		return "unknown", tx.RefundLost(r.ID, tx.Now.Add(backoff(r.Tries+1)), "the provider does not know this refund; it is sent again")
	case said.State != pay.RefundSucceeded:
		return "abnormal", tx.HandRefundOver(r.ID, sqlite.HandedAbnormal, "the provider says "+string(said.State)+": hand the money back yourself and confirm", true, again)
	case said.AmountFen != r.AmountFen:
		return "abnormal", tx.HandRefundOver(r.ID, sqlite.HandedAmount,
			fmt.Sprintf("the provider gave back %d fen instead of %d: settle the rest yourself and confirm", said.AmountFen, r.AmountFen), true, again)
	}
	return refundedOutcome, a.refundDone(tx, venue, r, "")
}

// judgeDone judges what is said of a refund that is done. If the desk had handed its
// money back and the provider says that it arrived, it went back twice.
func (a *App) judgeDone(tx *sqlite.Tx, r sqlite.Refund, said pay.RefundResult) (string, error) {
	if r.ConfirmedBy == "" || said.State != pay.RefundSucceeded || said.AmountFen != r.AmountFen {
		return refundedOutcome, nil
	}
	first, err := tx.RefundTwice(r.ID)
	if first {
		a.log.Error("money went back twice: by hand and by the provider", "refund", r.ID, "order", r.OrderID, "fen", r.AmountFen)
	}
	return "twice", err
}

// refundDone is the end of every refund: the money is back, and the customer is told once.
// byStaff says who handed it back, if somebody did.
func (a *App) refundDone(tx *sqlite.Tx, venue sqlite.Venue, r sqlite.Refund, byStaff string) error {
	var look domain.Instant
	if byStaff != "" && r.Via != payCash {
		look = tx.Now.Add(domain.HandedBackFirstLook)
	}
	first, err := tx.RefundDone(r.ID, byStaff, look)
	if err != nil || !first {
		return err
	}
	order, err := tx.Order(r.OrderID)
	if err != nil {
		return err
	}
	return a.queue(tx, venue, order, notice{kind: notify.KindRefunded, occasion: r.ID, refundFen: r.AmountFen, reason: r.Reason})
}

// refundTryAgain notes a try of which nothing came: it is tried again later, or handed to
// the desk if there is no more hope in that.
func (a *App) refundTryAgain(ctx context.Context, r sqlite.Refund, problem error, rep *RefundReport) error {
	if errors.Is(problem, errStopped) {
		return problem
	}
	rep.Failed++
	a.log.Warn("refund not sent", "refund", r.ID, "order", r.OrderID, "error", problem)
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		now, err := tx.Refund(r.ID)
		if err != nil {
			return err
		}
		if why := whyHanded(now, problem, tx.Now); why != "" {
			return tx.HandRefundOver(r.ID, why, firstLine(problem), refusedForGood(problem), tx.Now.Add(domain.RefundAskAgain))
		}
		return tx.RefundTryAgain(r.ID, tx.Now.Add(backoff(now.Tries+1)), firstLine(problem))
	})
}

var (
	errNoProvider = errors.New("no provider is set up for this way to pay")
	errStopped    = errors.New("stopped before the provider was called")
)

// callProvider makes one call to the provider of a way to pay, outside any
// transaction, with a time limit; a panic in a provider is an error. A call that
// has begun is not broken off when ctx ends: nobody would know what became of it.
func callProvider[T any](ctx context.Context, a *App, via, what string, call func(context.Context, pay.Provider) (T, error)) (out T, err error) {
	return callWithin(ctx, context.WithoutCancel(ctx), a, via, what, call)
}

// callWithin is callProvider for a call that ends with within at the latest.
func callWithin[T any](ctx, within context.Context, a *App, via, what string, call func(context.Context, pay.Provider) (T, error)) (out T, err error) {
	p, ok := a.providers[via]
	if !ok {
		return out, fmt.Errorf("%s: %w", via, errNoProvider)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in provider of %s: %v", via, r)
		}
		if !errors.Is(err, errStopped) {
			a.noteCall(ctx, p.Name(), what, err)
		}
	}()
	if err := ctx.Err(); err != nil {
		return out, errors.Join(errStopped, err)
	}
	within, cancel := context.WithTimeout(within, domain.CommandTimeout)
	defer cancel()
	return call(within, p)
}

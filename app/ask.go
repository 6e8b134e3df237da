package app

import (
	"context"
	"errors"
	"fmt"

	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// AskReport counts what one pass over the open attempts did.
type AskReport struct {
	Asked  int `json:"asked"`
	Closed int `json:"closed"`
	Paid   int `json:"paid"`
	Failed int `json:"failed"`
	Left   int `json:"left" doc:"not asked: their way to pay is not set up in this process"`
}

// AskProviders asks about every open attempt: one whose order can no longer be
// paid is closed at the provider, or queried if that is refused; one that still
// can be paid is queried, in case its notice was lost. One whose provider is not set up
// here is left as it is. It returns the orders about which there is no answer yet.
func (a *App) AskProviders(ctx context.Context) (AskReport, map[string]bool, error) {
	var rep AskReport
	unanswered := map[string]bool{}
	after := ""
	for ctx.Err() == nil {
		var batch []question
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
			batch = nil
			open, err := s.AttemptsToAsk(after, domain.MaxPageItems)
			for _, p := range open {
				batch = append(batch, questionAbout(s, p))
			}
			return err
		})
		if err != nil {
			return rep, unanswered, err
		}
		if len(batch) == 0 {
			return rep, unanswered, a.lookAgain(ctx, &rep)
		}
		for _, q := range batch {
			after = q.payment.ID
			if err := ctx.Err(); err != nil {
				return rep, unanswered, err
			}
			if a.providers[q.payment.Via] == nil {
				rep.Left++
				unanswered[q.payment.OrderID] = true
				continue
			}
			if err := a.ask(ctx, q, &rep, unanswered); err != nil {
				return rep, unanswered, err
			}
		}
	}
	return rep, unanswered, ctx.Err()
}

// question is one attempt about which its provider is asked.
type question struct {
	payment sqlite.Payment
	held    bool // its order can still be paid
	fresh   bool // a call that opens it may not have arrived yet
	closed  bool // it has been closed before: only whether money came is of interest
	// within ends a call that somebody waits for; nil: a call that has begun is not broken off
	within context.Context
}

func questionAbout(s *sqlite.Snapshot, p sqlite.Payment) question {
	// What is wrong with an order shows when the answer is judged.
	order, err := s.Order(p.OrderID)
	return question{payment: p, held: err == nil && order.State(s.Now) == domain.Held,
		fresh: s.Now.Sub(p.CalledAt) < domain.PrepaySettles, closed: p.ClosedAt.IsSet()}
}

// lookAgain asks about closed attempts once more: money can come after everything, and
// its notice can be lost too.
func (a *App) lookAgain(ctx context.Context, rep *AskReport) error {
	after := ""
	for ctx.Err() == nil {
		var batch []question
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
			batch = nil
			due, err := s.AttemptsToLookAt(after, domain.MaxPageItems)
			for _, p := range due {
				batch = append(batch, questionAbout(s, p))
			}
			return err
		})
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, q := range batch {
			after = q.payment.ID
			if err := ctx.Err(); err != nil {
				return err
			}
			if a.providers[q.payment.Via] == nil {
				rep.Left++
				continue
			}
			unanswered := map[string]bool{}
			if err := a.ask(ctx, q, rep, unanswered); err != nil {
				return err
			}
			err := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
				p, _, err := tx.Payment(q.payment.ID) // as it is by now: the question may have closed it
				if err != nil {
					return err
				}
				next := nextLook(p, tx.Now)
				if len(unanswered) > 0 { // a look that saw nothing is none
					next = tx.Now.Add(domain.FirstSecondLook)
				}
				return tx.LookAgain(q.payment.ID, next)
			})
			if err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// nextLook is when a closed attempt is asked about once more; zero is never.
func nextLook(p sqlite.Payment, now domain.Instant) domain.Instant {
	for _, after := range domain.SecondLooks {
		if at := p.ClosedAt.Add(after); now < at {
			return at
		}
	}
	return 0
}

func (a *App) ask(ctx context.Context, q question, rep *AskReport, unanswered map[string]bool) error {
	rep.Asked++
	p := q.payment
	result, err := a.closeOrQuery(ctx, q)
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

// errUndecided is an answer that decides nothing yet.
var errUndecided = errors.New("undecided")

// closeOrQuery gets the provider's answer about one attempt. A close that is
// refused says nothing yet: the query decides.
func (a *App) closeOrQuery(ctx context.Context, q question) (pay.Result, error) {
	p := q.payment
	within := q.within
	if within == nil {
		within = context.WithoutCancel(ctx)
	}
	query := func() (pay.Result, error) {
		return callWithin(ctx, within, a, p.Via, CallAsk, func(ctx context.Context, pr pay.Provider) (pay.Result, error) { return pr.Query(ctx, p.ID) })
	}
	if q.held || q.closed {
		return query()
	}
	_, err := callWithin(ctx, within, a, p.Via, CallAsk, func(ctx context.Context, pr pay.Provider) (struct{}, error) {
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
		if q.fresh {
			return result, fmt.Errorf("%w: the provider does not know this payment yet", errUndecided)
		}
		// It never reached the provider, and its number is used by nobody else.
		result.State = pay.Closed
	case pay.Pending:
		return result, fmt.Errorf("%w: the provider neither closed nor finished this payment", errUndecided)
	}
	result.OutTradeNo = p.ID
	return result, nil
}

package app

import (
	"context"
	"errors"

	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// canAsk reports whether a refund's provider is set up in this process, for the merchant
// that has the money: another merchant knows nothing of it, which says nothing.
func (a *App) canAsk(r sqlite.Refund) bool {
	p, ok := a.providers[r.Via]
	if !ok {
		return false
	}
	merchant, _ := p.Merchant()
	return r.Merchant == "" || r.Merchant == merchant
}

// leaveRefund leaves a refund that nobody here can be asked to make as it is, for a
// process in which it can. If none comes for too long, the desk sees to it.
func (a *App) leaveRefund(ctx context.Context, r sqlite.Refund) error {
	return a.db.Write(ctx, func(tx *sqlite.Tx) error {
		now, err := tx.Refund(r.ID)
		if err != nil {
			return err
		}
		if why := whyHanded(now, errNoProvider, tx.Now); why != "" && !now.AbnormalAt.IsSet() {
			return tx.HandRefundOver(r.ID, why, firstLine(errNoProvider), false, now.NextTryAt)
		}
		return tx.RefundLeft(r.ID)
	})
}

// whyHanded says why a refund of which nothing came once more is the desk's from now on,
// or "". What the provider once took on is not refused any more: it is asked about.
func whyHanded(r sqlite.Refund, problem error, now domain.Instant) string {
	switch {
	case r.Handed != "" || r.AbnormalAt.IsSet():
		return orElse(r.Handed, sqlite.HandedAbnormal)
	case !r.SentAt.IsSet() && refusedForGood(problem):
		return sqlite.HandedRefused
	case hopeless(r, now):
		return sqlite.HandedFailing
	}
	return ""
}

func refusedForGood(problem error) bool {
	return errors.Is(problem, pay.ErrRefused) || errors.Is(problem, pay.ErrUnknownPayment)
}

// hopeless reports whether nothing has come of a refund for so long that a person has to
// see to it, whatever the reason is.
func hopeless(r sqlite.Refund, now domain.Instant) bool {
	return r.FailingSince.IsSet() && now.Sub(r.FailingSince) >= domain.RefundFailsFor
}

// ConfirmRefund records that the desk hands back the money of a refund that waits for a
// person. Whatever the provider might still send is asked about first, outside any
// transaction: what has arrived, or is on its way, nobody hands out once more. After it
// the refund's number is never sent again.
func (a *App) ConfirmRefund(ctx context.Context, actor Actor, refundID string) (RefundView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return RefundView{}, err
	}
	var view RefundView
	claim, err := a.askBeforeHanding(ctx, refundID)
	if err != nil {
		return view, err
	}
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		r, err := tx.Refund(refundID)
		if err != nil {
			return err
		}
		switch {
		case !r.DoneAt.IsSet():
			if !byHand(r) || r.CallsUntil != claim { // somebody has sent it, or heard of it, since it was asked about
				return errRefundUnderWay()
			}
			if err := a.refundDone(tx, venue, r, actor.ID); err != nil {
				return err
			}
			if err := tx.Audit(actor.audit("confirm refund", refundID, r.Reason, map[string]any{"amount": r.AmountFen, "order": r.OrderID})); err != nil {
				return err
			}
		case r.Via != payCash && r.ConfirmedBy == "":
			return errRefundArrived()
		}
		if r, err = tx.Refund(refundID); err != nil {
			return err
		}
		view = viewRefund(venue, r, actor)
		return nil
	})
	return view, err
}

// askBeforeHanding asks the provider about a refund that the desk is about to hand over,
// while nobody sends it, and refuses if the money is back or on its way. An answer that
// the number is not known there, that the refund was given up or that the call is refused
// for good lets it be handed over; so does silence, once the refund has failed for so long
// that it could not be ended otherwise. Cash is in nobody else's hands.
func (a *App) askBeforeHanding(ctx context.Context, refundID string) (claim domain.Instant, err error) {
	var r sqlite.Refund
	err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
		r, err = s.Refund(refundID)
		return err
	})
	if err != nil || r.DoneAt.IsSet() || r.Via == payCash {
		return r.CallsUntil, err
	}
	if !byHand(r) {
		return 0, errRefundUnderWay()
	}
	claimed, overdue := false, false
	err = a.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
		claim, overdue = tx.Now.Add(refundClaim), hopeless(r, tx.Now)
		claimed, err = tx.ClaimRefund(r.ID, claim, true)
		return err
	})
	if err == nil && !claimed {
		err = errRefundUnderWay()
	}
	if err != nil {
		return 0, err
	}
	refusal := a.mayHand(ctx, r, overdue)
	if refusal == nil {
		return claim, nil
	}
	if err := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.ReleaseRefund(r.ID) }); err != nil {
		return 0, err
	}
	return 0, refusal
}

// mayHand asks about a refund, writes down what is said, and says why its money must not
// be handed over, or nil.
func (a *App) mayHand(ctx context.Context, r sqlite.Refund, overdue bool) error {
	var said pay.RefundResult
	err := errNoProvider // of another merchant a program here is told nothing, which says nothing
	if a.canAsk(r) {
		said, err = a.askRefund(ctx, r)
	}
	switch {
	case err != nil && (overdue || refusedForGood(err)):
		return nil
	case err != nil:
		return domain.Refuse(domain.Unavailable, "refund_unheard", "the provider did not say whether this refund has arrived; do not hand the money over yet").Because(err)
	case said.State != pay.RefundProcessing && said.State != pay.RefundSucceeded:
		return nil
	case said.State == pay.RefundSucceeded && said.AmountFen != r.AmountFen && r.Handed == sqlite.HandedAmount:
		return nil // they know, and settle the rest
	}
	if err := a.recordRefund(ctx, r, said, &RefundReport{}); err != nil {
		return err
	}
	switch {
	case said.State == pay.RefundProcessing:
		return errRefundUnderWay()
	case said.AmountFen != r.AmountFen:
		return domain.Refuse(domain.Conflict, "refund_partly_arrived", "the provider has given back another amount; settle the rest and confirm").With("amount", said.AmountFen)
	}
	return errRefundArrived()
}

func errRefundUnderWay() error {
	return domain.Refuse(domain.Conflict, "refund_under_way", "the provider is sending this refund")
}

func errRefundArrived() error {
	return domain.Refuse(domain.Conflict, "refund_arrived", "the provider has given this money back already; do not hand it over again")
}

// byHand reports whether a refund waits for a person: it is cash, or the provider
// could not send it.
func byHand(r sqlite.Refund) bool {
	return !r.DoneAt.IsSet() && (r.Via == payCash || r.AbnormalAt.IsSet())
}

// handWhy says in a word why one that does is by hand.
func handWhy(r sqlite.Refund) string {
	if r.Via == payCash {
		return payCash
	}
	return orElse(r.Handed, sqlite.HandedAbnormal)
}

package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// Whoever sees to money that courtd cannot account for says what was done about it. That
// is kept as the explanation of the difference that it is in the day close, so that it is
// said once, and leaves the to-do. Saying something else is the owner's, on that page.

// SeeToPayment takes flagged money off the to-do.
func (a *App) SeeToPayment(ctx context.Context, actor Actor, paymentID, text string, key Key) error {
	return a.seeTo(ctx, actor, "payment:"+paymentID+":flagged", text, key, func(tx *sqlite.Tx) (map[string]any, error) {
		p, found, err := tx.Payment(paymentID)
		switch {
		case err != nil:
			return nil, err
		case !found:
			return nil, domain.Refuse(domain.NotFound, "not_found", "no such payment")
		case p.Verdict != verdictFlagged:
			return nil, errNothingToSeeTo()
		}
		return map[string]any{"order": p.OrderID, "amount": p.AmountFen, "payment": p.ID}, nil
	})
}

// SeeToRefund takes a refund whose money went back twice off the to-do.
func (a *App) SeeToRefund(ctx context.Context, actor Actor, refundID, text string, key Key) error {
	return a.seeTo(ctx, actor, "refund:"+refundID+":twice", text, key, func(tx *sqlite.Tx) (map[string]any, error) {
		r, err := tx.Refund(refundID)
		if err == nil && !r.TwiceAt.IsSet() {
			err = errNothingToSeeTo()
		}
		return map[string]any{"order": r.OrderID, "amount": r.AmountFen, "payment": r.PaymentID}, err
	})
}

func errNothingToSeeTo() error {
	return domain.Refuse(domain.Conflict, "nothing_to_see_to", "there is nothing to see to about this money")
}

func (a *App) seeTo(ctx context.Context, actor Actor, about, text string, key Key, detail func(*sqlite.Tx) (map[string]any, error)) error {
	if !actor.IsStaff() { // by name: the program has nothing to say here
		return domain.Refuse(domain.Forbidden, "forbidden", "this is for the people who work here")
	}
	text, err := domain.ParseNote("text", text)
	if err == nil && text == "" {
		err = domain.BadField("text", "is required")
	}
	if err != nil {
		return err
	}
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		_, _, err := once(tx, actor, key, "see to money", []string{about, text}, func() (string, error) {
			what, err := detail(tx)
			if err != nil {
				return "", err
			}
			said, found, err := tx.Explanation(about)
			switch {
			case err != nil:
				return "", err
			case found && said != text:
				return "", domain.Refuse(domain.Conflict, "already_seen_to", "somebody has seen to this money already").With("text", said)
			case found:
				return about, nil
			}
			if err := tx.Explain(about, text, actor.ID); err != nil {
				return "", err
			}
			return about, tx.Audit(actor.audit("see to money", about, text, what))
		})
		return err
	})
	if err == nil {
		a.counts.forget()
	}
	return err
}

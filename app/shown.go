package app

import "courtd/domain"

// Shown is an amount in fen that somebody was shown and agreed to. An act on a page
// carries it, and compares it in its own transaction: what was looked at a moment
// before may have become another amount. An act without one is done for whatever the
// amount is.
type Shown int64

// ShownMove is what somebody was shown of a move, in fen: the difference in price, and
// what of it changes hands. Whether the booking is paid decides about that.
type ShownMove struct{ Difference, Take, Back int64 }

// ShownRefund is the mark of all that somebody was shown of a cancellation: what the
// order is, what was paid, which part of it goes back, and what becomes of the coupon.
// An amount alone would not do: nothing goes back for an order that is not paid, and
// nothing for one that was paid meanwhile and is cancelled too late.
type ShownRefund string

// Shown is the mark of a preview, for the form that asks whether to go on.
func (r RefundPreview) Shown() ShownRefund { return ShownRefund(Mark(r)) }

// agreedRefund refuses a cancellation that comes to something else than was shown.
func agreedRefund(shown []ShownRefund, now RefundPreview) error {
	for _, s := range shown {
		if s != now.Shown() {
			return domain.Refuse(domain.Conflict, "refund_changed", "cancelling comes to something else by now").With("amount", now.Amount)
		}
	}
	return nil
}

// agreed refuses an act whose amount is not the one that was shown.
func agreed(shown []Shown, nowFen int64) error {
	for _, s := range shown {
		if int64(s) != nowFen {
			return domain.Refuse(domain.Conflict, "amount_changed", "the amount is %d fen by now", nowFen).With("amount", nowFen)
		}
	}
	return nil
}

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

// agreed refuses an act whose amount is not the one that was shown.
func agreed(shown []Shown, nowFen int64) error {
	for _, s := range shown {
		if int64(s) != nowFen {
			return domain.Refuse(domain.Conflict, "amount_changed", "the amount is %d fen by now", nowFen).With("amount", nowFen)
		}
	}
	return nil
}

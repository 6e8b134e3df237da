package app

import (
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// What has ended stays ended: whatever comes back (late money, a move, an undone
// no-show) comes back as a new row that names the row it replaces.

// replaceReservation writes a row in place of another. It starts as a copy that is
// booked now with no facts but those that change gives it.
func replaceReservation(tx *sqlite.Tx, o domain.Order, old domain.Reservation, change func(*domain.Reservation)) error {
	n, err := old, error(nil)
	if n.Seq, err = tx.NextReservationSeq(o.ID); err != nil {
		return err
	}
	n.ID = fmt.Sprintf("%s-%d", o.ID, n.Seq)
	n.Replaces, n.ReplacedAt, n.SettledAt, n.OutOfWindow = old.ID, 0, 0, false
	n.BookedAt, n.PaidAt, n.CheckedInAt, n.CancelledAt, n.Moved = tx.Now, 0, 0, 0, false
	n.CancelledBy, n.CancelReason = "", ""
	change(&n)
	return tx.InsertReservation(n)
}

// replaceBasket writes a basket in place of another. With sell its goods are taken
// off the shelf again; without, they go along from the old one.
func replaceBasket(tx *sqlite.Tx, o domain.Order, old domain.Basket, sell bool, change func(*domain.Basket)) error {
	n := old
	n.Seq = 0
	for _, b := range o.Baskets {
		n.Seq = max(n.Seq, b.Seq)
	}
	n.Seq++
	n.ID = fmt.Sprintf("%s-b%d", o.ID, n.Seq)
	n.Replaces, n.ReplacedAt, n.SettledAt, n.CouponKept = old.ID, 0, 0, false
	n.BookedAt, n.PaidAt, n.CheckedInAt, n.CancelledAt, n.Moved = tx.Now, 0, 0, 0, false
	n.CancelledBy, n.CancelReason = "", ""
	change(&n)
	if err := tx.InsertBasket(n); err != nil || !sell {
		return err
	}
	return sellLines(tx, n)
}

package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// AcceptClock makes the machine's clock the one that counts, although it is behind
// instants that have been handed out. It is an act of the owner, and recorded. It
// is refused while anything booked, paid, ended or closed lies ahead of that
// clock: what is committed would be undone by going back before it.
func AcceptClock(ctx context.Context, db *sqlite.DB, actor Actor) error {
	return db.AcceptClock(ctx, func(tx *sqlite.Tx) error {
		rows, latest, err := tx.FactsAhead()
		if err != nil {
			return err
		}
		if rows > 0 {
			return domain.Refuse(domain.Conflict, "bookings_ahead",
				"%d rows were written on the clock as it was; it can be accepted from the last of them on", rows).
				With("rows", rows).With("until", latest)
		}
		return tx.Audit(actor.audit("accept clock", "clock", "", nil))
	})
}

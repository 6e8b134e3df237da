package app

import (
	"context"

	"courtd/sqlite"
)

// AcceptClock makes the machine's clock the one that counts, although it is behind
// instants that have been handed out. It is an act of the owner, and recorded.
func AcceptClock(ctx context.Context, db *sqlite.DB, actor Actor) error {
	return db.AcceptClock(ctx, func(tx *sqlite.Tx) error {
		return tx.Audit(actor.audit("accept clock", "clock", "", nil))
	})
}

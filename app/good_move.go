package app

import (
	"context"
	"slices"

	"courtd/sqlite"
)

// MoveGood moves a good to a place in the list, counted from 1; places beyond the ends
// are the ends. Because it names the place, it may come twice.
func (a *App) MoveGood(ctx context.Context, actor Actor, id string, place int) error {
	return a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		good, err := tx.Good(id)
		if err != nil {
			return err
		}
		goods, err := tx.Goods()
		if err != nil {
			return err
		}
		from := slices.IndexFunc(goods, func(g sqlite.Good) bool { return g.ID == id })
		to := min(max(place-1, 0), len(goods)-1)
		if to == from {
			return nil
		}
		goods = slices.Insert(slices.Delete(goods, from, from+1), to, good)
		for i, g := range goods {
			if g.Position == i+1 {
				continue
			}
			g.Position = i + 1
			if err := tx.PutGood(g); err != nil {
				return err
			}
		}
		return tx.Audit(actor.audit("move good", id, "", map[string]any{"from": from + 1, "to": to + 1}))
	})
}

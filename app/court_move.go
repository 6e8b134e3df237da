package app

import (
	"context"
	"slices"

	"courtd/sqlite"
)

// MoveCourt moves a court to a place in the list, counted from 1; places beyond the ends
// are the ends. Because it names the place, it may come twice.
func (a *App) MoveCourt(ctx context.Context, actor Actor, id string, place int) error {
	return a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		court, courts, err := findCourt(tx, id)
		if err != nil {
			return err
		}
		from := slices.Index(courts, court)
		to := min(max(place-1, 0), len(courts)-1)
		if to == from {
			return nil
		}
		courts = slices.Insert(slices.Delete(courts, from, from+1), to, court)
		// Positions need neither be dense nor differ; those that are as they should be stay.
		for i, c := range courts {
			if c.Position == i+1 {
				continue
			}
			c.Position = i + 1
			if err := tx.PutCourt(c); err != nil {
				return err
			}
		}
		return tx.Audit(actor.audit("move court", id, "", map[string]any{"from": from + 1, "to": to + 1}))
	})
}

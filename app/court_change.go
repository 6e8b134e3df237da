package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// ChangeCourt changes a court by a function that gets a copy of it as it is.
func (a *App) ChangeCourt(ctx context.Context, actor Actor, id string, change func(*sqlite.Court) error) (sqlite.Court, error) {
	var out sqlite.Court
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		c, _, err := findCourt(tx, id)
		if err != nil {
			return err
		}
		before := c
		if err := change(&c); err != nil {
			return err
		}
		c.ID = id
		if c.Name, err = domain.ParseName("name", c.Name); err != nil {
			return err
		}
		if out = c; c == before {
			return nil
		}
		if err := domain.CheckPosition(c.Position); err != nil {
			return err
		}
		if err := tx.PutCourt(c); err != nil {
			return err
		}
		return tx.Audit(actor.audit("change court", c.ID, "", map[string]any{"name": c.Name, "active": c.Active}))
	})
	return out, err
}

package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// AddCourt puts a new court at the end of the list. The same key is one court.
func (a *App) AddCourt(ctx context.Context, actor Actor, name string, key Key) (sqlite.Court, error) {
	return a.PlaceCourt(ctx, actor, sqlite.Court{Name: name, Active: true}, key)
}

// PlaceCourt adds a court that need not be on sale yet; without a position it stands
// at the end of the list.
func (a *App) PlaceCourt(ctx context.Context, actor Actor, c sqlite.Court, key Key) (sqlite.Court, error) {
	name, err := domain.ParseName("name", c.Name)
	if err != nil {
		return sqlite.Court{}, err
	}
	var out sqlite.Court
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		id, _, err := once(tx, actor, key, "add court", c, func() (string, error) {
			courts, err := tx.Courts()
			if err != nil {
				return "", err
			}
			if len(courts) >= domain.MaxCourts {
				return "", domain.BadField("name", "a venue has at most %d courts", domain.MaxCourts)
			}
			c := sqlite.Court{ID: courtID(len(courts)), Name: name, Position: c.Position, Active: c.Active}
			if c.Position == 0 {
				c.Position = 1
				for _, other := range courts {
					c.Position = max(c.Position, other.Position+1)
				}
			}
			if err := domain.CheckPosition(c.Position); err != nil {
				return "", err
			}
			if err := tx.PutCourt(c); err != nil {
				return "", err
			}
			return c.ID, tx.Audit(actor.audit("change court", c.ID, "", map[string]any{"name": c.Name, "active": c.Active}))
		})
		if err != nil {
			return err
		}
		out, _, err = findCourt(tx, id)
		return err
	})
	return out, err
}

// findCourt gives a court and all of them in their order.
func findCourt(tx *sqlite.Tx, id string) (sqlite.Court, []sqlite.Court, error) {
	courts, err := tx.Courts()
	if err != nil {
		return sqlite.Court{}, nil, err
	}
	for _, c := range courts {
		if c.ID == id {
			return c, courts, nil
		}
	}
	return sqlite.Court{}, nil, domain.Refuse(domain.NotFound, "not_found", "no such court")
}

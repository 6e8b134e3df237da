package app

import (
	"context"
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// AddCourt adds a court; without a position it comes last. The same key again gives
// the court that was added.
func (a *App) AddCourt(ctx context.Context, actor Actor, c sqlite.Court, key Key) (sqlite.Court, error) {
	var out sqlite.Court
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		id, _, err := once(tx, actor, key, "add court", c, func() (string, error) {
			courts, err := tx.Courts()
			if err != nil {
				return "", err
			}
			if len(courts) >= domain.MaxCourts {
				return "", domain.BadField("name", "a venue has at most %d courts", domain.MaxCourts)
			}
			added := c
			added.ID = fmt.Sprintf("c%d", len(courts)+1)
			if added.Position == 0 {
				added.Position = len(courts) + 1
			}
			return added.ID, putCourt(tx, actor, added)
		})
		if err != nil {
			return err
		}
		out, err = court(&tx.Snapshot, id)
		return err
	})
	return out, err
}

// ChangeCourt changes a court by a function that gets it as it is now. A court that
// is no longer active is no longer sold; its bookings stand.
func (a *App) ChangeCourt(ctx context.Context, actor Actor, id string, change func(*sqlite.Court) error) (sqlite.Court, error) {
	var out sqlite.Court
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		c, err := court(&tx.Snapshot, id)
		if err != nil {
			return err
		}
		if err := change(&c); err != nil {
			return err
		}
		c.ID = id
		if err := putCourt(tx, actor, c); err != nil {
			return err
		}
		out, err = court(&tx.Snapshot, id)
		return err
	})
	return out, err
}

func court(s *sqlite.Snapshot, id string) (sqlite.Court, error) {
	courts, err := s.Courts()
	if err != nil {
		return sqlite.Court{}, err
	}
	for _, c := range courts {
		if c.ID == id {
			return c, nil
		}
	}
	return sqlite.Court{}, domain.Refuse(domain.NotFound, "not_found", "no such court")
}

func putCourt(tx *sqlite.Tx, actor Actor, c sqlite.Court) (err error) {
	if c.Name, err = domain.ParseName("name", c.Name); err != nil {
		return err
	}
	if err := checkPosition(c.Position); err != nil {
		return err
	}
	if err := tx.PutCourt(c); err != nil {
		return err
	}
	return tx.Audit(actor.audit("change court", c.ID, "", map[string]any{"name": c.Name, "active": c.Active}))
}

// checkPosition holds the place of a court or good in its list within bounds.
func checkPosition(position int) error {
	if position < 1 || position > domain.MaxPosition {
		return domain.BadField("position", "must be from 1 to %d", domain.MaxPosition)
	}
	return nil
}

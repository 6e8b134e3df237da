package app

import (
	"context"
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// AddGood adds a good; without a position it comes last. The same key again gives
// the good that was added.
func (a *App) AddGood(ctx context.Context, actor Actor, g sqlite.Good, key Key) (sqlite.Good, error) {
	var out sqlite.Good
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		id, _, err := once(tx, actor, key, "add good", g, func() (string, error) {
			goods, err := tx.Goods()
			if err != nil {
				return "", err
			}
			added := g
			added.ID = fmt.Sprintf("g%d", len(goods)+1)
			if added.Position == 0 {
				added.Position = 1
				for _, other := range goods {
					added.Position = max(added.Position, other.Position+1)
				}
			}
			return added.ID, putGood(tx, actor, added)
		})
		if err != nil {
			return err
		}
		out, err = tx.Good(id)
		return err
	})
	return out, err
}

// ChangeGood changes a good by a function that gets it as it is now. Orders keep the
// price they were made at.
func (a *App) ChangeGood(ctx context.Context, actor Actor, id string, change func(*sqlite.Good) error) (sqlite.Good, error) {
	var out sqlite.Good
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		g, err := tx.Good(id)
		if err != nil {
			return err
		}
		before := g
		if err := change(&g); err != nil {
			return err
		}
		g.ID = id
		if !same(g, before) {
			if err := putGood(tx, actor, g); err != nil {
				return err
			}
		}
		out, err = tx.Good(id)
		return err
	})
	return out, err
}

func putGood(tx *sqlite.Tx, actor Actor, g sqlite.Good) (err error) {
	if g.Name, err = domain.ParseName("name", g.Name); err != nil {
		return err
	}
	if g.PriceFen < 0 || g.PriceFen > domain.MaxPriceFen {
		return domain.BadField("price", "must be from 0 to %d fen", domain.MaxPriceFen)
	}
	if err := domain.CheckPosition(g.Position); err != nil {
		return err
	}
	if err := tx.PutGood(g); err != nil {
		return err
	}
	return tx.Audit(actor.audit("change good", g.ID, "", map[string]any{"name": g.Name, "price": g.PriceFen, "active": g.Active}))
}

// MoveStock books a receipt (more on the shelf) or an adjustment (a count that
// came out different) with a note.
func (a *App) MoveStock(ctx context.Context, actor Actor, goodID, kind string, qty int, note string, key Key) (sqlite.Good, error) {
	note, err := domain.ParseNote("note", note)
	if err != nil {
		return sqlite.Good{}, err
	}
	const most = 1_000_000
	if qty == 0 || qty > most || qty < -most || (kind == "receipt" && qty < 0) {
		return sqlite.Good{}, domain.BadField("qty", "must be a positive number of pieces, at most %d", most)
	}
	if kind == "adjust" && note == "" {
		return sqlite.Good{}, domain.BadField("note", "is required for an adjustment")
	}
	var out sqlite.Good
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		if _, err := tx.Good(goodID); err != nil {
			return err
		}
		_, _, err := once(tx, actor, key, "stock", []any{goodID, kind, qty, note}, func() (string, error) {
			if qty < 0 {
				// What ended orders still owe the shelf lies on it.
				if err := a.settleGood(tx, goodID, -qty); err != nil {
					return "", err
				}
			}
			if _, err := tx.MoveStock(sqlite.StockMove{GoodID: goodID, Kind: kind, Qty: qty, StaffID: actor.ID, Note: note}); err != nil {
				return "", err
			}
			return goodID, tx.Audit(actor.audit("stock "+kind, goodID, note, map[string]any{"qty": qty}))
		})
		if err != nil {
			return err
		}
		out, err = tx.Good(goodID)
		return err
	})
	return out, err
}

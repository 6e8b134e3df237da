package api

import (
	"context"
	"net/http"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// StockView is a good as the owner sees it.
type StockView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Price     int64  `json:"price" doc:"fen"`
	Position  int    `json:"position"`
	Active    bool   `json:"active"`
	Balance   int    `json:"balance" doc:"what the ledger says"`
	Available int    `json:"available" doc:"balance and what ended orders have yet to put back"`
}

// LedgerView is one row of a good's ledger.
type LedgerView struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Kind    string    `json:"kind" enum:"receipt,sold,restock,adjust"`
	Qty     int       `json:"qty" doc:"what it adds to the shelf"`
	Balance int       `json:"balance" doc:"after it"`
	Basket  string    `json:"basket,omitempty" doc:"of sold and restock"`
	Staff   string    `json:"staff,omitempty"`
	Note    string    `json:"note,omitempty"`
}

type newGoodInput struct {
	Body struct {
		Name     string `json:"name" doc:"1 to 40 characters"`
		Price    int64  `json:"price" doc:"fen"`
		Position *int   `json:"position,omitempty" minimum:"1" maximum:"100000"`
		Active   *bool  `json:"active,omitempty" doc:"whether it is sold; without it, it is"`
	} `nameHint:"NewGoodBody"`
}

type goodInput struct {
	ByID
	Body struct {
		Name     *string `json:"name,omitempty" doc:"1 to 40 characters"`
		Price    *int64  `json:"price,omitempty" doc:"fen; orders keep the price they were made at"`
		Position *int    `json:"position,omitempty" minimum:"1" maximum:"100000"`
		Active   *bool   `json:"active,omitempty"`
	} `nameHint:"GoodChangeBody"`
}

type stockInput struct {
	Keyed
	ByID
	Body struct {
		Qty  int    `json:"qty" doc:"pieces; an adjustment may be negative"`
		Note string `json:"note,omitempty" doc:"up to 200 characters; an adjustment needs one"`
	} `nameHint:"StockBody"`
}

func viewStock(g sqlite.Good) StockView {
	return StockView{ID: g.ID, Name: g.Name, Price: g.PriceFen, Position: g.Position, Active: g.Active, Balance: g.Balance, Available: g.Available()}
}

func (s *server) goodCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/goods", id: "list-goods", tag: tagOwner, who: owner,
		summary: "All goods and their stock, in order"}, s.goods)
	register(s, call{method: http.MethodPost, path: base + "/owner/goods", id: "add-good", tag: tagOwner, who: owner, status: http.StatusCreated,
		summary: "Add a good"},
		func(ctx context.Context, actor app.Actor, in *newGoodInput) (*made[StockView], error) {
			g := sqlite.Good{Name: in.Body.Name, PriceFen: in.Body.Price, Active: true}
			set(&g.Position, in.Body.Position)
			set(&g.Active, in.Body.Active)
			g, err := s.app.AddGood(ctx, actor, g, "")
			if err != nil {
				return nil, err
			}
			return madeAt("/owner/goods/"+g.ID, viewStock(g)), nil
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/goods/{id}", id: "put-good", tag: tagOwner, who: owner,
		summary: "Change a good", about: "What is left out stays."}, s.putGood)
	s.stockCall("receipts", "receipt", "receive-good", "Goods have come in")
	s.stockCall("adjustments", "adjust", "adjust-good", "A count came out different")
	register(s, call{method: http.MethodGet, path: base + "/owner/goods/{id}/ledger", id: "get-ledger", tag: tagOwner, who: owner,
		summary: "The newest rows of a good's ledger"}, s.ledger)
}

// stockCall adds a call that posts a row to the ledger.
func (s *server) stockCall(path, kind, id, summary string) {
	register(s, call{method: http.MethodPost, path: base + "/owner/goods/{id}/" + path, id: id, tag: tagOwner, who: owner, conflicts: true, summary: summary},
		func(ctx context.Context, actor app.Actor, in *stockInput) (*reply[StockView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			g, err := s.app.MoveStock(ctx, actor, in.ID, kind, in.Body.Qty, in.Body.Note, key)
			return replied(viewStock(g), err)
		})
}

func (s *server) goods(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[StockView]], error) {
	var out []StockView
	var now domain.Instant
	err := s.app.DB().Read(ctx, func(snap *sqlite.Snapshot) error {
		now = snap.Now
		goods, err := snap.Goods()
		for _, g := range goods {
			out = append(out, viewStock(g))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, out, now), nil
}

func (s *server) putGood(ctx context.Context, actor app.Actor, in *goodInput) (*reply[StockView], error) {
	g, err := s.app.ChangeGood(ctx, actor, in.ID, func(g *sqlite.Good) error {
		set(&g.Name, in.Body.Name)
		set(&g.PriceFen, in.Body.Price)
		set(&g.Position, in.Body.Position)
		set(&g.Active, in.Body.Active)
		return nil
	})
	return replied(viewStock(g), err)
}

func (s *server) ledger(ctx context.Context, _ app.Actor, in *ByID) (*reply[app.List[LedgerView]], error) {
	var out []LedgerView
	var now domain.Instant
	zone := httpx.Zone(ctx, s.app)
	err := s.app.DB().Read(ctx, func(snap *sqlite.Snapshot) error {
		now = snap.Now
		if _, err := snap.Good(in.ID); err != nil {
			return err
		}
		rows, err := snap.Ledger(in.ID, 0, domain.MaxPageItems)
		for _, r := range rows {
			out = append(out, LedgerView{ID: r.ID, At: r.At.In(zone), Kind: r.Kind, Qty: r.Qty, Balance: r.Balance, Basket: r.BasketID, Staff: r.StaffID, Note: r.Note})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, out, now), nil
}

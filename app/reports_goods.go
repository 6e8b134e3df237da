package app

import (
	"cmp"
	"context"
	"slices"

	"courtd/domain"
	"courtd/sqlite"
)

// GoodsFigures are pieces and what they were sold for.
type GoodsFigures struct {
	Sold             int   `json:"sold" doc:"pieces that were paid and did not go back on the shelf"`
	Revenue          int64 `json:"revenue" doc:"fen for the pieces sold, less their share of discounts"`
	Uncollected      int   `json:"uncollected" doc:"pieces that were paid and not fetched by the end of the last slot; they are back on the shelf"`
	UncollectedMoney int64 `json:"uncollected_money" doc:"fen kept for those"`
}

func (f *GoodsFigures) add(c sqlite.GoodsCount) {
	switch {
	case !c.Paid:
	case c.Live || c.Ending == domain.Completed:
		f.Sold, f.Revenue = f.Sold+c.Qty, f.Revenue+c.NetFen
	case c.Ending == domain.NoShow:
		f.Uncollected, f.UncollectedMoney = f.Uncollected+c.Qty, f.UncollectedMoney+c.NetFen
	}
}

// GoodsRow is one good.
type GoodsRow struct {
	ID   string `json:"id"`
	Name string `json:"name" doc:"as it is called now"`
	GoodsFigures
}

// GoodsReport is what was sold besides the courts.
type GoodsReport struct {
	ReportHead
	Goods []GoodsRow   `json:"goods" doc:"the most revenue first; goods on sale that nobody bought too"`
	Total GoodsFigures `json:"total"`
}

// TopGoods adds up the goods of the orders made on a run of business days. An order
// stays on the day it was made, however it is moved later.
func (a *App) TopGoods(ctx context.Context, span domain.DateSpan) (GoodsReport, error) {
	var out GoodsReport
	err := a.report(ctx, span, &out.ReportHead, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		bounds := venue.Calendar.Bounds(span)
		counts, err := s.GoodsCounts(bounds[0], bounds[len(bounds)-1])
		if err != nil {
			return err
		}
		goods, err := s.Goods()
		if err != nil {
			return err
		}
		figures := map[string]GoodsFigures{}
		out.Goods, out.Total = []GoodsRow{}, GoodsFigures{}
		for _, c := range counts {
			f := figures[c.GoodID]
			f.add(c)
			figures[c.GoodID] = f
			out.Total.add(c)
		}
		for _, g := range goods {
			if f := figures[g.ID]; g.Active || f != (GoodsFigures{}) {
				out.Goods = append(out.Goods, GoodsRow{ID: g.ID, Name: g.Name, GoodsFigures: f})
			}
		}
		slices.SortStableFunc(out.Goods, func(a, b GoodsRow) int {
			return cmp.Or(cmp.Compare(b.Revenue, a.Revenue), cmp.Compare(b.Sold, a.Sold))
		})
		return nil
	})
	return out, err
}

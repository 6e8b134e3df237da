package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// QuoteView is what an order would cost now, and by which rule.
type QuoteView struct {
	Now      time.Time   `json:"now"`
	Slots    []QuoteSlot `json:"slots"`
	Goods    []LineView  `json:"goods"`
	Coupon   *string     `json:"coupon"`
	Discount int64       `json:"discount" doc:"fen"`
	Total    int64       `json:"total" doc:"fen"`
	Currency string      `json:"currency"`
	PayBy    time.Time   `json:"pay_by" doc:"the deadline if it were ordered now"`
}

// QuoteSlot is one slot of a quote.
type QuoteSlot struct {
	Court     CourtRef  `json:"court"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Label     string    `json:"label"`
	Price     int64     `json:"price" doc:"fen"`
	PriceRule string    `json:"price_rule"`
	Discount  int64     `json:"discount" doc:"fen: this slot's share of the coupon"`
}

// Quote works an order out without making it, and refuses what the order itself
// would refuse for its slots, goods or coupon. One's own live hold on the same
// choice does not stand in the way.
func (a *App) Quote(ctx context.Context, actor Actor, req OrderRequest) (QuoteView, error) {
	var out QuoteView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		if err := req.check(); err != nil {
			return err
		}
		live, err := s.LiveUnpaidOrders(actor.ID)
		if err != nil {
			return err
		}
		for _, o := range live {
			if sameChoice(o, req, s.Now) {
				out, err = quoteOf(s, venue, o)
				return err
			}
		}
		p, err := planOrder(s, venue, req, actor.ID)
		if err != nil {
			return err
		}
		if err := p.judgeSlots(false); err != nil {
			return err
		}
		if err := p.judgeGoods(s); err != nil {
			return err
		}
		out, err = p.quote(s, venue)
		return err
	})
	return out, err
}

func (p plan) quote(s *sqlite.Snapshot, venue sqlite.Venue) (QuoteView, error) {
	at := clockFace(venue)
	names, err := courtNames(s)
	out := QuoteView{Now: at(s.Now), Slots: []QuoteSlot{}, Goods: []LineView{}, Discount: p.discountFen, Total: p.totalFen,
		Currency: venue.Currency, PayBy: at(venue.Policy.PayBy(s.Now, p.firstStart()))}
	if p.coupon != nil {
		out.Coupon = &p.coupon.Code
	}
	for _, slot := range p.slots {
		out.Slots = append(out.Slots, QuoteSlot{Court: CourtRef{ID: slot.cell.CourtID, Name: names[slot.cell.CourtID]},
			Start: at(slot.cell.Slot.Start), End: at(slot.cell.Slot.End), Label: venue.Calendar.Label(slot.cell.Slot.Start),
			Price: slot.rule.PriceFen, PriceRule: slot.rule.Name, Discount: slot.discountFen})
	}
	for _, l := range p.lines {
		out.Goods = append(out.Goods, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
	}
	return out, err
}

// quoteOf repeats what a live order of one's own was booked at.
func quoteOf(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order) (QuoteView, error) {
	p := plan{discountFen: o.DiscountFen(s.Now), totalFen: o.TotalFen(s.Now)}
	for _, r := range o.Slots(s.Now) {
		p.slots = append(p.slots, plannedSlot{cell: domain.Cell{CourtID: r.CourtID, Slot: r.Slot()},
			rule: domain.PriceRule{Name: r.PriceRule, PriceFen: r.PriceFen}, discountFen: r.DiscountFen})
	}
	if b, ok := o.Basket(s.Now); ok {
		p.lines = b.Lines
		if b.Coupon != "" {
			p.coupon = &domain.Coupon{Code: b.Coupon}
		}
	}
	out, err := p.quote(s, venue)
	out.PayBy = o.PayBy(s.Now).In(venue.Calendar.Zone)
	return out, err
}

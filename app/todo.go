package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// TodoView is what waits for a person at the desk.
type TodoView struct {
	Now     time.Time
	Refunds []RefundToHand
	Flagged []FlaggedMoney
	Twice   []RefundTwice
	Goods   []GoodsToHand
}

// OrderRef says which order something is about and whose it is.
type OrderRef struct{ ID, Number, Customer, Phone string }

// RefundToHand is money that a person has to give back: cash, or what the provider
// could not send.
type RefundToHand struct {
	RefundView
	Order OrderRef
	Since time.Time
}

// FlaggedMoney is a payment whose success does not match what was asked for, or whose
// money had gone back at the provider before anybody here knew of it. Amount
// is what was asked for, in fen; Reason says in what it differs.
type FlaggedMoney struct {
	ID     string
	Order  OrderRef
	Via    string
	Amount int64
	Reason string
	At     time.Time // the payment was opened
}

// RefundTwice is money that went back twice: the desk handed it back, and then the
// provider said that it arrived.
type RefundTwice struct {
	ID     string
	Order  OrderRef
	Via    string
	Amount int64     // went back once too often, in fen
	By     time.Time // the desk handed it back
	At     time.Time // the provider said so
}

// GoodsToHand are paid goods that nobody has collected yet.
type GoodsToHand struct {
	Order OrderRef
	Lines []LineView
	By    time.Time // then they go back on the shelf
}

// Todo lists what waits for a person: refunds, flagged money and what went back twice,
// the oldest first,
// and the goods that should be handed over on this business day.
func (a *App) Todo(ctx context.Context, actor Actor) (TodoView, error) {
	var out TodoView
	if err := actor.mustWorkHere(); err != nil {
		return out, err
	}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out = TodoView{Now: s.Now.In(venue.Calendar.Zone)}
		for _, add := range []func(*sqlite.Snapshot, sqlite.Venue, Actor) error{out.addRefunds, out.addFlagged, out.addTwice, out.addGoods} {
			if err := add(s, venue, actor); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (t *TodoView) addRefunds(s *sqlite.Snapshot, venue sqlite.Venue, actor Actor) error {
	rows, err := s.RefundsForStaff(domain.MaxPageItems)
	if err != nil {
		return err
	}
	orders, err := refsOf(s, rows, func(r sqlite.Refund) string { return r.OrderID })
	if err != nil {
		return err
	}
	for _, r := range rows {
		t.Refunds = append(t.Refunds, RefundToHand{RefundView: viewRefund(venue, r, actor), Order: orders[r.OrderID], Since: r.CreatedAt.In(venue.Calendar.Zone)})
	}
	return nil
}

func (t *TodoView) addFlagged(s *sqlite.Snapshot, venue sqlite.Venue, _ Actor) error {
	rows, err := s.FlaggedPayments(domain.MaxPageItems)
	if err != nil {
		return err
	}
	orders, err := refsOf(s, rows, func(p sqlite.Payment) string { return p.OrderID })
	if err != nil {
		return err
	}
	for _, p := range rows {
		t.Flagged = append(t.Flagged, FlaggedMoney{ID: p.ID, Order: orders[p.OrderID], Via: p.Via, Amount: p.AmountFen, Reason: p.VerdictReason,
			At: p.OpenedAt.In(venue.Calendar.Zone)})
	}
	return nil
}

func (t *TodoView) addTwice(s *sqlite.Snapshot, venue sqlite.Venue, _ Actor) error {
	rows, err := s.RefundsTwice(domain.MaxPageItems)
	if err != nil {
		return err
	}
	orders, err := refsOf(s, rows, func(r sqlite.Refund) string { return r.OrderID })
	if err != nil {
		return err
	}
	for _, r := range rows {
		t.Twice = append(t.Twice, RefundTwice{ID: r.ID, Order: orders[r.OrderID], Via: r.Via, Amount: r.AmountFen,
			By: r.DoneAt.In(venue.Calendar.Zone), At: r.TwiceAt.In(venue.Calendar.Zone)})
	}
	return nil
}

func (t *TodoView) addGoods(s *sqlite.Snapshot, venue sqlite.Venue, _ Actor) error {
	today := venue.Calendar.DayOf(s.Now)
	baskets, err := s.BasketsToHandOver(today.String(), venue.Calendar.DayStart(today.AddDays(1)), domain.MaxPageItems)
	if err != nil {
		return err
	}
	orders, err := refsOf(s, baskets, func(b domain.Basket) string { return b.OrderID })
	if err != nil {
		return err
	}
	for _, b := range baskets {
		goods := GoodsToHand{Order: orders[b.OrderID], By: b.CheckInBy.In(venue.Calendar.Zone)}
		for _, l := range b.Lines {
			goods.Lines = append(goods.Lines, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
		}
		t.Goods = append(t.Goods, goods)
	}
	return nil
}

// refsOf says which orders some rows are about, by the orders' ids: the list is asked
// for again every few seconds, so all are read at once.
func refsOf[T any](s *sqlite.Snapshot, rows []T, order func(T) string) (map[string]OrderRef, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = order(row)
	}
	heads, err := s.OrderHeads(ids)
	if err != nil {
		return nil, err
	}
	out := map[string]OrderRef{}
	for id, head := range heads {
		out[id] = OrderRef{ID: id, Number: head.Number, Customer: head.Name, Phone: head.Phone}
	}
	return out, nil
}

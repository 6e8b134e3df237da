package app

import (
	"context"
	"slices"

	"courtd/domain"
	"courtd/sqlite"
)

// WhichOrders chooses from a customer's orders.
type WhichOrders string

// The ways to choose. An order that is held or paid is open: something is still to
// come. All others are past.
const (
	EveryOrder WhichOrders = ""
	OpenOrders WhichOrders = "open"
	PastOrders WhichOrders = "past"
)

func (w WhichOrders) takes(state domain.State) bool {
	open := state == domain.Held || state == domain.Paid
	return w == EveryOrder || (w == OpenOrders) == open
}

// Orders lists a customer's own orders, newest first.
func (a *App) Orders(ctx context.Context, actor Actor, page Page) (List[OrderView], error) {
	return a.OrdersBy(ctx, actor, EveryOrder, page)
}

// OrdersBy lists some of a customer's own orders, newest first. Which of them is
// judged by their state at the instant of the walk, so that no page repeats or skips
// an order that changes meanwhile.
func (a *App) OrdersBy(ctx context.Context, actor Actor, which WhichOrders, page Page) (List[OrderView], error) {
	out := List[OrderView]{Items: []OrderView{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		at, err := page.place(s.Now)
		if err != nil {
			return err
		}
		out.Now = at.walkAt.In(venue.Calendar.Zone)
		found, err := ordersBy(s, actor.ID, which, at, page.limit()+1)
		if err != nil {
			return err
		}
		if len(found) > page.limit() {
			found = found[:page.limit()]
			last := found[len(found)-1]
			out.Next = at.next(last.BookedAt, last.ID)
		}
		s.Now = at.walkAt // every page is judged at the instant of the first
		for _, o := range found {
			view, err := a.viewOrder(s, venue, o, actor)
			if err != nil {
				return err
			}
			out.Items = append(out.Items, view)
		}
		return nil
	})
	return out, err
}

// ordersBy reads on until it has found enough. A state follows from the claims as
// they were at the instant of the walk, which no index knows; but what is open then has
// a claim that ends later, and those are few however long somebody has been a customer.
func ordersBy(s *sqlite.Snapshot, customerID string, which WhichOrders, at place, enough int) ([]domain.Order, error) {
	read := s.OrdersOf
	if which == OpenOrders {
		read = s.UnendedOrdersOf
	}
	var out []domain.Order
	for before := at.before; ; {
		orders, err := read(customerID, at.walkAt, before, enough)
		if err != nil {
			return nil, err
		}
		more := len(orders) == enough
		if more {
			last := orders[len(orders)-1]
			before = sqlite.Cursor{At: last.BookedAt, ID: last.ID}
		}
		out = append(out, slices.DeleteFunc(orders, func(o domain.Order) bool { return !which.takes(o.State(at.walkAt)) })...)
		if len(out) >= enough {
			return out[:enough], nil
		}
		if !more {
			return out, nil
		}
	}
}

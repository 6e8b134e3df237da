package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

// walk reads a list of a customer's orders to its end and gives their numbers.
func (c *club) walk(who app.Actor, which app.WhichOrders, limit int, between func()) []string {
	c.t.Helper()
	var out []string
	for cursor := ""; ; between() {
		list, err := c.app.OrdersBy(ctx, who, which, app.Page{Cursor: cursor, Limit: limit})
		must(c.t, err)
		if len(list.Items) > limit {
			c.t.Fatalf("a page has %d items, more than %d", len(list.Items), limit)
		}
		for _, o := range list.Items {
			out = append(out, o.Number)
			if open := o.State == "held" || o.State == "paid"; which != app.EveryOrder && open != (which == app.OpenOrders) {
				c.t.Errorf("%s is shown as %s among the %s orders", o.Number, o.State, which)
			}
		}
		if list.Next == nil {
			return out
		}
		cursor = *list.Next
	}
}

// Open and past orders are two lists that together are all of them, whatever the
// length of a page and although orders change between two pages.
func TestOrdersByWhetherSomethingIsToCome(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.MaxSlotsPerDay = 50, 50 })
	a, other := c.customer("13800000001"), c.customer("13800000002")
	var made []app.OrderView
	for _, clock := range []string{"13:00", "14:30", "16:00", "17:30", "19:00", "20:30"} {
		made = append(made, c.book(a, slots(slot("c1", clock))))
		c.book(other, slots(slot("c2", clock)))
	}
	c.payFor(a, made[0])
	c.payFor(a, made[3])
	c.cancel(a, made[1].ID)
	c.cancel(a, made[4].ID)
	number := func(places ...int) (out []string) {
		for _, i := range places {
			out = append(out, made[i].Number)
		}
		return out
	}
	for limit := 1; limit <= 7; limit++ {
		for which, places := range map[app.WhichOrders][]int{app.OpenOrders: {5, 3, 2, 0}, app.PastOrders: {4, 1}, app.EveryOrder: {5, 4, 3, 2, 1, 0}} {
			wantSame(t, "orders "+string(which), c.walk(a, which, limit, func() {}), number(places...))
		}
	}
	// What lapses during a walk stays where the walk found it.
	lapse := func() { c.clock("12:30:00") }
	wantSame(t, "open during a lapse", c.walk(a, app.OpenOrders, 1, lapse), number(5, 3, 2, 0))
	wantSame(t, "open afterwards", c.walk(a, app.OpenOrders, 1, func() {}), number(3, 0))
	wantSame(t, "past afterwards", c.walk(a, app.PastOrders, 2, func() {}), number(5, 4, 2, 1))
}

// The open list is what the states say, at every instant and whatever happens to an
// order while somebody turns its pages.
func TestOpenOrdersAreThoseWhoseStateSaysSo(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.MaxSlotsPerDay, p.ReleaseAfterMinutes = 50, 50, 30 })
	a := c.customer("13800000001")
	c.payFor(a, c.book(a, slots(slot("c1", "20:30"))))
	shop := c.payFor(a, c.book(a, basket("", goods("g1", 1))))
	c.payFor(a, c.book(a, basket("", goods("g2", 1), slot("c3", "13:00"))))
	late := c.payFor(a, c.book(a, slots(slot("c5", "13:00"))))
	c.payFor(a, c.book(a, slots(slot("c4", "20:30"))))
	c.book(a, slots(slot("c6", "19:00")))
	open := func() (out []string) {
		list, err := c.app.OrdersBy(ctx, a, app.EveryOrder, app.Page{})
		must(t, err)
		for _, o := range list.Items {
			if o.State == "held" || o.State == "paid" {
				out = append(out, o.Number)
			}
		}
		return out
	}
	same := func(what string, between func()) {
		before := open()
		if len(before) < 2 {
			t.Fatalf("%s: %v is no list to walk", what, before)
		}
		wantSame(t, what, c.walk(a, app.OpenOrders, 1, between), before)
		wantSame(t, what+", afterwards", c.walk(a, app.OpenOrders, 1, func() {}), open())
	}
	same("at once", func() {})
	same("while something lapses", func() { c.clock("12:10:00") })
	same("while doors shut", func() { c.clock("13:30:00") })
	same("while a no-show turns out to be there", func() {
		c.clock("13:31:00")
		_, err := c.app.UndoNoShow(ctx, c.desk, late.Reservations[0].ID, "他在场", "undo") // once, whatever the pages
		must(t, err)
	})
	same("while goods are handed over", func() {
		c.clock("13:31:01") // what happens within the second of the walk belongs to it
		_, err := c.app.HandOver(ctx, c.desk, shop.ID, "hand over")
		must(t, err)
	})
}

func wantSame(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: got %v, want %v", what, got, want)
		}
	}
}

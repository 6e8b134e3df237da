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

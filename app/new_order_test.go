package app_test

import (
	"reflect"
	"testing"

	"courtd/app"
)

// TestANewOrderIsShownAsItIs: what is answered to a booking is what asking for the order
// answers in the same second, whatever the order is made of.
func TestANewOrderIsShownAsItIs(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.coupon("PART", 30, 0, 0)
	c.coupon("ALL", 100, 0, 0)
	people := c.crowd(9)
	states := map[string]int{}
	for i, req := range []app.OrderRequest{
		slots(slot("c1", "17:30")),
		slots(slot("c2", "17:30"), slot("c2", "19:00")),
		basket("", goods("g1", 2)),
		basket("", goods("g1", 1), slot("c3", "17:30")),
		basket("PART", goods("g2", 1), slot("c4", "17:30"), slot("c5", "17:30")),
		basket("PART", nil, slot("c6", "17:30")),
		basket("ALL", goods("g2", 1), slot("c1", "19:00")),
		basket("ALL", goods("g3", 1)),
		basket("", append(goods("g3", 1), goods("g1", 2)...)),
	} {
		made := c.book(people[i], req)
		if asked := c.order(people[i], made.ID); !reflect.DeepEqual(made, asked) {
			t.Errorf("order %d\nmade  %+v\nasked %+v", i, made, asked)
		}
		states[made.State]++
	}
	if states["held"] != 7 || states["paid"] != 2 {
		t.Errorf("states %v", states)
	}
}

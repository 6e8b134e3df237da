package app_test

import (
	"fmt"
	"testing"
)

// A hold that was kept and then cancelled counts towards the cool-down, also when the
// desk had moved it a moment before.
func TestAMovedHoldThatIsCancelledLateIsALapse(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13900000001")
	for i := range 3 {
		c.clock(fmt.Sprintf("12:%d0:00", 2*i))
		req := slots(slot("c1", "17:30"))
		req.Goods = goods("g1", 1)
		o := c.book(a, req)
		c.clock(fmt.Sprintf("12:%d5:00", 2*i))
		_, err := c.move(o.Reservations[0].ID, slot("c2", "19:00"))
		must(t, err)
		c.cancel(a, o.ID)
	}
	c.refuse(a, slots(slot("c1", "17:30")), "cooling_down")
}

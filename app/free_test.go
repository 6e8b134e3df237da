package app_test

import (
	"testing"

	"courtd/domain"
)

// freeNow makes the slots of a court at 19:00 cost nothing.
func (c *club) freeNow() {
	c.t.Helper()
	c.prices(domain.PriceRule{Name: "free", PriceFen: 0, Courts: []string{"c2"}, Band: domain.Band{From: 19 * 60, To: 20 * 60}},
		domain.PriceRule{Name: "all", PriceFen: 6000})
}

// An order of which all that is left costs nothing is paid: no provider takes 0 fen.
func TestWhatCostsNothingAnyMoreIsPaid(t *testing.T) {
	t.Parallel()
	t.Run("moved", func(t *testing.T) {
		c := newClub(t)
		c.freeNow()
		a := c.customer("13900000001")
		o := c.book(a, slots(slot("c1", "17:30")))
		_, err := c.move(o.Reservations[0].ID, slot("c2", "19:00"))
		must(t, err)
		want(t, "state", c.order(a, o.ID).State, "paid")
		want(t, "notices of it", c.notices(o.ID, "paid"), 1)
		_, err = c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "")
		wantReason(t, err, "already_paid")
	})
	t.Run("closed", func(t *testing.T) {
		c := newClub(t)
		c.freeNow()
		a := c.customer("13900000001")
		o := c.book(a, slots(slot("c1", "17:30"), slot("c2", "19:00")))
		late := c.open(a, o)
		_, err := c.close("17:30", "19:00", true, "c1")
		must(t, err)
		want(t, "state", c.order(a, o.ID).State, "paid")
		c.tell(c.succeed(late))
		want(t, "given back", c.refunded(o.ID), 6000)
	})
}

// What a no-show gets back is owed from its deadline on, whether or not a round has
// written it down: the desk cannot give the same money away before.
func TestGoodwillComesAfterWhatANoShowIsOwed(t *testing.T) {
	t.Parallel()
	for _, rounds := range []bool{true, false} {
		c := newClub(t)
		c.policy(func(p *domain.Policy) { p.NoShowRefundPercent = 100 })
		a := c.customer("13900000001")
		o := c.payFor(a, c.book(a, slots(slot("c1", "17:30"))))
		c.clock("19:00:00")
		if rounds {
			c.round()
		}
		_, err := c.app.Goodwill(ctx, c.desk, o.ID, 1, "sorry", "")
		wantReason(t, err, "refund_exceeds_paid")
	}
}

// A code that is none is a mistake, and not the same choice as without a coupon: whoever
// typed it would believe that it had been taken off.
func TestAMistypedCouponIsNotTheSameChoice(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13900000001")
	c.book(a, slots(slot("c1", "17:30")))
	req := slots(slot("c1", "17:30"))
	req.Coupon = "NOT A CODE"
	c.refuse(a, req, "slot_taken")
	onlyGoods := basket("", goods("g1", 1))
	c.book(a, onlyGoods)
	onlyGoods.Coupon = "NOT A CODE"
	c.refuse(a, onlyGoods, "invalid_field")
}

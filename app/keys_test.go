package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

func TestKey_AnotherBodyIsRefused(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	req := basket("", goods("g1", 1), slot("c1", "17:30"))
	o, _, err := c.app.CreateOrder(ctx, a, req, "k")
	must(t, err)
	for _, other := range []app.OrderRequest{slots(slot("c1", "17:30")), basket("", goods("g1", 2), slot("c1", "17:30")),
		basket("", goods("g1", 1), slot("c2", "17:30")), basket("TEN", goods("g1", 1), slot("c1", "17:30"))} {
		_, _, err := c.app.CreateOrder(ctx, a, other, "k")
		wantReason(t, err, "key_reused")
		e, _ := domain.AsError(err)
		want(t, "kind", e.Kind, domain.Invalid)
	}
	// Another command under the same key is another body too.
	_, err = c.app.CancelOrder(ctx, a, o.ID, "k")
	wantReason(t, err, "key_reused")
	_, err = c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "k")
	wantReason(t, err, "key_reused")
	want(t, "orders", c.count("SELECT count(*) FROM orders"), 1)
	want(t, "state", c.order(a, o.ID).State, "held")
}

func TestKey_ARefusalIsNotKept(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	c.book(b, slots(s))
	_, _, err := c.app.CreateOrder(ctx, a, slots(s), "k")
	wantReason(t, err, "slot_taken")
	c.wall.set(noon + 600)
	o, created, err := c.app.CreateOrder(ctx, a, slots(s), "k") // the same key, and now it can be had
	must(t, err)
	want(t, "created", created, true)
	_, err = c.app.MarkPaid(ctx, c.desk, o.ID, "pay")
	must(t, err)
	_, err = c.app.Goodwill(ctx, c.desk, o.ID, 7000, "rain", "give")
	wantReason(t, err, "refund_exceeds_paid")
	_, err = c.app.Goodwill(ctx, c.desk, o.ID, 6000, "rain", "give")
	must(t, err)
}

func TestKey_ItBelongsToOneAccount(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	one, _, err := c.app.CreateOrder(ctx, a, slots(slot("c1", "17:30")), "k")
	must(t, err)
	two, created, err := c.app.CreateOrder(ctx, b, slots(slot("c2", "17:30")), "k")
	must(t, err)
	want(t, "created", created && one.ID != two.ID, true)
	_, _, err = c.app.CreateOrder(ctx, b, slots(slot("c1", "17:30")), "k")
	wantReason(t, err, "key_reused")
	// One account from two phones is one account.
	phone := a
	phone.Session = "another-session"
	again, created, err := c.app.CreateOrder(ctx, phone, slots(slot("c1", "17:30")), "k")
	must(t, err)
	want(t, "the same", again.ID, one.ID)
	want(t, "created", created, false)
}

func TestKey_KeptFor48Hours(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	req := slots(slotOn("2026-12-16", "c1", "17:30"))
	o, _, err := c.app.CreateOrder(ctx, a, req, "k")
	must(t, err)
	c.cancel(a, o.ID)
	for _, round := range []bool{false, true} {
		if round {
			c.round()
		}
		c.wall.set(noon + 48*3600 - 1)
		again, created, err := c.app.CreateOrder(ctx, a, req, "k")
		must(t, err)
		want(t, "kept", again.ID+again.State, o.ID+"cancelled")
		want(t, "created", created, false)
	}
	c.wall.set(noon + 48*3600)
	fresh, created, err := c.app.CreateOrder(ctx, a, req, "k")
	must(t, err)
	want(t, "forgotten", fresh.ID != o.ID && created, true)
	again, created, err := c.app.CreateOrder(ctx, a, req, "k")
	must(t, err)
	want(t, "and kept anew", again.ID == fresh.ID && !created, true)
}

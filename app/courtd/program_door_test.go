package main

import "testing"

// TestNobodyComes: paid for 17:30 to 19:00, and the door shuts at 19:00.
func TestNobodyComes(t *testing.T) {
	t.Parallel()
	for _, percent := range []int{0, 50} {
		c := programDemo(t)
		a := c.customer("13800000001")
		c.policy(programBody{"no_show_refund_percent": percent})
		id, code := c.paid(a, programSlot("c1", "17:30"))
		c.policy(programBody{"no_show_refund_percent": 100}) // is too late for this order
		c.clock("18:59:59")
		c.order(a, id).has("paid", "state").has("confirmed", "reservations", 0, "state")
		c.clock("19:00")
		c.order(a, id).has("no_show", "state").has("no_show", "reservations", 0, "state").has(nil, "ticket")
		c.scan(code).has("too_late", "result")
		c.wantCount(0, "SELECT count(*) FROM notices WHERE kind = 'no_show'")
		c.round()
		c.round()
		c.order(a, id).has("no_show", "state").has(6000*percent/100, "refunded").has(0, "refund_pending")
		if n := c.notices(a, id, "no_show"); n != 1 {
			t.Errorf("told %d times", n)
		}
		c.scan(code).has("too_late", "result")
		c.sound()
	}
}

// TestSomebodyComes: with the same code a minute earlier, all is well.
func TestSomebodyComes(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a := c.customer("13800000001")
	id, code := c.paid(a, programSlot("c1", "17:30"))
	c.clock("16:59:59")
	c.scan(code).has("too_early", "result").has(programAt("17:00"), "opens_at")
	c.clock("18:59:59")
	c.scan(code).has("ok", "result").has("playing", "reservations", 0, "state")
	c.scan(code).has("already_in", "result").has(programAt("18:59:59"), "checked_in_at")
	c.clock("19:00")
	c.round()
	c.order(a, id).has("completed", "state").has(0, "refunded")
	if n := c.notices(a, id, "no_show"); n != 0 {
		t.Errorf("told %d times", n)
	}
	c.scan("0000-0000-0000").has("unknown", "result")
}

// TestReleasedAfterAQuarter: who has not come by 17:45 has lost the court, and the
// desk sells it again at that second.
func TestReleasedAfterAQuarter(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	a := one.customer("13800000001")
	one.policy(programBody{"release_after_minutes": 15})
	id, code := one.paid(a, programSlot("c1", "17:30"))
	one.policy(programBody{"release_after_minutes": 0}) // moves no promise
	one.clock("17:44:59")
	two.deskSells("c1", "17:30").wants(409, "slot_taken")
	one.order(a, id).has("paid", "state").has(programAt("17:45"), "reservations", 0, "check_in_by")
	one.clock("17:45")
	one.order(a, id).has("no_show", "state")
	one.scan(code).has("too_late", "result")
	two.deskSells("c1", "17:30").wants(201).has("paid", "state").has("playing", "reservations", 0, "state")
	two.deskSells("c1", "17:30").wants(409, "slot_taken")
	one.round()
	two.round()
	if n := one.notices(a, id, "no_show"); n != 1 {
		t.Errorf("told %d times", n)
	}
	undo := "/api/v1/desk/reservations/" + one.order(a, id).str("reservations", 0, "id") + "/undo-no-show"
	one.post(undo, one.desk, programBody{"reason": "来晚了"}).wants(409, "slot_taken")
	one.wantCount(0, "SELECT count(*) FROM reconciler_runs WHERE NOT ok")
}

package main

import (
	"net/http"
	"testing"
)

// TestC16 loses the notice of a payment.
func TestC16(t *testing.T) {
	t.Parallel()
	t.Run("the customer looks again", func(t *testing.T) {
		c := programDemo(t)
		a := c.customer("13800000001")
		id := c.book(a, programSlot("c1", "17:30"))
		c.pays(c.open(a, id), "?notify=false")
		c.order(a, id).has("held", "state").has(nil, "ticket")
		for range 2 {
			c.post("/api/v1/orders/"+id+"/payments/check", a, nil).wants(200).has("paid", "state").has(6000, "paid")
		}
		c.round()
		if n := c.notices(a, id, "paid"); n != 1 {
			t.Fatalf("told %d times", n)
		}
	})
	t.Run("a rival settles the hold first", func(t *testing.T) {
		c := programDemo(t)
		a, b := c.customer("13800000001"), c.customer("13800000002")
		id := c.book(a, programSlot("c1", "17:30"))
		no := c.open(a, id)
		c.clock("12:09:59")
		c.pays(no, "?notify=false")
		c.clock("12:10")
		rival, _ := c.paid(b, programSlot("c1", "17:30"))
		c.wantCount(1, "SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", id)
		c.order(a, id).has("lapsed", "state").has(0, "paid")
		c.round()
		c.order(a, id).has("lapsed", "state").has(6000, "paid").has(6000, "refunded").
			has("refunded", "late_money", "verdict").has("slot_taken", "late_money", "reason")
		c.order(b, rival).has("paid", "state").has(nil, "late_money")
		c.round()
		c.wantCount(1, "SELECT count(*) FROM refunds WHERE done_at IS NOT NULL")
		if n := c.notices(a, id, "late_money"); n != 1 {
			t.Fatalf("told %d times", n)
		}
	})
	t.Run("nobody else wants it", func(t *testing.T) {
		c := programDemo(t)
		a := c.customer("13800000001")
		id := c.book(a, programSlot("c1", "17:30"))
		c.pays(c.open(a, id), "?notify=false")
		c.clock("12:30")
		c.round()
		c.order(a, id).has("paid", "state").has("revived", "late_money", "verdict")
		if lapsed := c.notices(a, id, "lapsed"); lapsed != 0 {
			t.Fatalf("told %d times of a lapse that was none", lapsed)
		}
	})
}

// TestLateMoneyByOneSecond has the bank succeed at the second the hold ends: the
// order stands again if all of it can still be had, and the money goes back if not.
func TestLateMoneyByOneSecond(t *testing.T) {
	t.Parallel()
	for _, rival := range []string{"nobody", "another customer", "the reconciler", "another customer and the reconciler"} {
		t.Run(rival, func(t *testing.T) {
			c := programDemo(t)
			a, b := c.customer("13800000001"), c.customer("13800000002")
			body := programGoods("g1", 12, "ONCE20")
			body["slots"] = programSlot("c1", "17:30")["slots"]
			id := c.book(a, body)
			no := c.open(a, id)
			c.clock("12:10")
			taken := rival == "another customer" || rival == "another customer and the reconciler"
			if taken {
				c.paid(b, programSlot("c1", "17:30"))
			}
			if rival == "the reconciler" || rival == "another customer and the reconciler" {
				c.round() // closes the attempt at the bank, and the bank succeeds all the same
			}
			c.pays(no, "")
			c.post("/demo/payments/"+no+"/succeed", "", nil) // and says so twice, if it may
			c.round()
			left, told := 0, "lapsed"
			got := c.order(a, id).has(6000+12*3000-2000, "paid")
			if taken {
				got.has("lapsed", "state").has(40000, "refunded").has("refunded", "late_money", "verdict").has("slot_taken", "late_money", "reason")
				left = 12
			} else {
				got.has("paid", "state").has(0, "refunded").has("revived", "late_money", "verdict")
				told = "late_money"
			}
			if n := c.available("g1"); n != left {
				t.Errorf("%d pieces left, want %d", n, left)
			}
			if n := c.notices(a, id, told); n != 1 {
				t.Errorf("told %d times: %s", n, told)
			}
			if n := c.notices(a, id, "late_money"); n != 1 {
				t.Errorf("told %d times of the money", n)
			}
			// The coupon that can be used once is used, or is not.
			want := map[bool]int{true: 201, false: 409}[taken]
			if got := c.orders(b, programGoods("g3", 10, "ONCE20")); got.status != want {
				t.Errorf("the coupon: %s", got.text)
			}
		})
	}
}

// TestUnpaidHoldEndsByItself: no reconciler runs, and at the second the next
// customer has the slot, in either process.
func TestUnpaidHoldEndsByItself(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	a, b := one.customer("13800000001"), one.customer("13800000002")
	id := one.book(a, programSlot("c1", "17:30"))
	one.clock("12:09:59")
	if state := two.slotState("c1", "17:30"); state != "held" {
		t.Fatalf("a second before: %s", state)
	}
	two.orders(b, programSlot("c1", "17:30")).wants(409, "slot_taken").has("c1", "slot", "court")
	one.clock("12:10")
	if state := two.slotState("c1", "17:30"); state != "free" {
		t.Fatalf("at the second: %s", state)
	}
	one.post("/api/v1/orders/"+id+"/payments", a, programBody{"via": "sandbox"}).wants(409, "hold_lapsed")
	rival := two.book(b, programSlot("c1", "17:30"))
	one.order(a, id).has("lapsed", "state")
	two.order(b, rival).has("held", "state").has(programAt("12:20"), "pay_by")
	one.wantCount(0, "SELECT count(*) FROM reconciler_runs")
}

// TestUnpaidGoodsGoBack: at the second the pieces and the coupon are anybody's,
// the last ones too, and the ledger has them back once however many rounds run.
func TestUnpaidGoodsGoBack(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	a, b, d := one.customer("13800000001"), one.customer("13800000002"), one.customer("13800000003")
	body := programBody{"goods": []programBody{{"id": "g1", "qty": 10}, {"id": "g2", "qty": 8}}, "coupon": "ONCE20"}
	id := one.book(a, body)
	two.book(d, programGoods("g1", 2, "")) // the last two pieces, until 12:30 as well
	one.clock("12:29:59")
	two.orders(b, programGoods("g1", 1, "")).wants(409, "out_of_stock").has("g1", "good", "id").has(0, "good", "available")
	two.orders(b, programGoods("g3", 10, "ONCE20")).wants(409, "coupon_used").has("ONCE20", "coupon")
	one.clock("12:30")
	if left := two.available("g1"); left != 12 {
		t.Fatalf("%d pieces at the second", left)
	}
	again := two.book(b, programBody{"goods": []programBody{{"id": "g1", "qty": 12}, {"id": "g2", "qty": 8}}, "coupon": "ONCE20"})
	two.pays(two.open(b, again), "")
	if left := one.available("g1"); left != 0 {
		t.Fatalf("%d pieces after the next customer", left)
	}
	programTogether(t, 6, func(i int) error {
		_, err := []*program{one.program, two.program}[i%2].try(programAsk{method: http.MethodPost,
			path: "/api/v1/owner/reconciler/run", token: one.owner, body: programBody{}})
		return err
	})
	one.wantCount(1, "SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND good_id = 'g1' AND basket_id = ? || '-b1'", id)
	one.wantCount(1, "SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND good_id = 'g2' AND basket_id = ? || '-b1'", id)
	one.wantCount(3, "SELECT count(*) FROM stock_moves WHERE kind = 'restock'")
	one.wantCount(1, "SELECT count(*) FROM notices WHERE kind = 'lapsed' AND order_id = ?", id)
	one.order(a, id).has("lapsed", "state")
	one.order(b, again).has("paid", "state").has(10*3000+2*3000+8*2000-2000, "total")
}

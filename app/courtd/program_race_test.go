package main

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// TestC01 has 50 customers want one slot at the same moment, half of them through
// a second process; the second time the slot is one that nobody has settled.
func TestC01(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	programs := []*program{one.program, one.second().program}
	people := one.crowd(50)
	for _, clock := range []string{"12:00", "12:10"} {
		one.clock(clock)
		statuses := make([]int, len(people))
		programTogether(t, len(people), func(i int) error {
			got, err := programs[i%2].try(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: people[i], body: programSlot("c1", "17:30")})
			if err == nil && got.status != 201 && (got.status != 409 || got.json["reason"] != "slot_taken") {
				err = fmt.Errorf("customer %d: status %d: %s", i, got.status, got.text)
			}
			statuses[i] = got.status
			return err
		})
		made := 0
		for _, status := range statuses {
			if status == 201 {
				made++
			}
		}
		if made != 1 {
			t.Fatalf("at %s %d customers were given the slot", clock, made)
		}
		one.wantCount(1, "SELECT count(*) FROM reservations WHERE settled_at IS NULL")
	}
	one.wantCount(2, "SELECT count(*) FROM reservations")
}

// TestC05 sends one command by two ways at once, and again when its answer was lost.
func TestC05(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	programs := []*program{one.program, one.second().program}
	a := one.customer("13800000001")
	body := programGoods("g1", 2, "ONCE20")
	body["slots"] = programSlot("c1", "17:30")["slots"]
	ask := programAsk{method: http.MethodPost, path: "/api/v1/orders", token: a, key: "tap", body: body}
	answers := make([]programAnswer, 8)
	programTogether(t, len(answers), func(i int) (err error) {
		answers[i], err = programs[i%2].try(ask)
		return err
	})
	answers = append(answers, one.send(ask))
	made := 0
	for _, got := range answers {
		if got.status == 201 {
			made++
		} else {
			got.wants(200)
		}
		got.has(answers[0].str("id"), "id").has(10000, "total")
	}
	if made != 1 {
		t.Fatalf("the order was made %d times", made)
	}
	one.wantCount(1, "SELECT count(*) FROM orders")
	one.wantCount(1, "SELECT count(*) FROM baskets WHERE coupon_code = 'ONCE20'")
	if left := one.available("g1"); left != 10 {
		t.Fatalf("%d pieces left", left)
	}
	ask.body = programSlot("c2", "17:30")
	one.send(ask).wants(422, "key_reused")
	one.wantCount(1, "SELECT count(*) FROM orders")
	b := one.customer("13800000002") // a key belongs to one account
	one.send(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: b, key: "tap", body: ask.body}).wants(201)
}

// TestC06 has a customer come back to their own hold.
func TestC06(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	c.policy(programBody{"max_slots_per_day": 1})
	a := c.customer("13800000001")
	first := c.orders(a, programSlot("c1", "17:30")).wants(201).has(programAt("12:10"), "pay_by")
	c.clock("12:03")
	c.orders(a, programSlot("c1", "17:30")).wants(200).has(first.str("id"), "id").has(programAt("12:10"), "pay_by")
	other := programGoods("g3", 1, "")
	other["slots"] = programSlot("c1", "17:30")["slots"]
	c.orders(a, other).wants(409, "slot_taken").has(first.str("id"), "order").has("c1", "slot", "court")
	c.orders(c.customer("13800000002"), programSlot("c1", "17:30")).wants(409, "slot_taken").has(nil, "order")
	c.wantCount(1, "SELECT count(*) FROM orders")
	c.pays(c.open(a, first.str("id")), "")
	c.order(a, first.str("id")).has("paid", "state")
}

// TestC41 has rounds run in two processes at once over everything that can end.
func TestC41(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	one.policy(programBody{"no_show_refund_percent": 50})
	people := one.crowd(20)
	var lapsed, late, absent []string
	for i, person := range people {
		court := fmt.Sprintf("c%d", i%5+1)
		switch i / 5 {
		case 0: // never paid: a slot, goods
			body := programGoods("g1", 1, "")
			body["slots"] = programSlot(court, "17:30")["slots"]
			lapsed = append(lapsed, two.book(person, body))
		case 1: // paid, and nobody comes
			id, _ := one.paid(person, programSlot(court, "13:00"))
			absent = append(absent, id)
		case 2: // paid, the notice is lost, the slot was sold again
			id := one.book(person, programSlot(court, "14:30"))
			two.pays(two.open(person, id), "?notify=false")
			late = append(late, id)
		}
	}
	one.clock("12:10")
	if state := two.slotState("c1", "17:30"); state != "free" {
		t.Fatalf("the other process sees the slot %s", state)
	}
	for i := range 5 {
		two.paid(people[15+i], programSlot(fmt.Sprintf("c%d", i+1), "14:30"))
	}
	rounds := func() {
		programTogether(t, 6, func(i int) error {
			got, err := []*program{one.program, two.program}[i%2].try(programAsk{method: http.MethodPost,
				path: "/api/v1/owner/reconciler/run", token: one.owner, body: programBody{}})
			if err == nil && got.status != 200 {
				err = fmt.Errorf("round %d: %s", i, got.text)
			}
			return err
		})
	}
	rounds()
	two.clock("14:30")
	rounds()
	rounds()
	once := func(what string, orders []string, query string) {
		t.Helper()
		for _, id := range orders {
			if n := one.count(query, id); n != 1 {
				t.Errorf("%s: %d times", what, n)
			}
		}
	}
	once("restock", lapsed, "SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND basket_id = ? || '-b1'")
	once("lapse notice", lapsed, "SELECT count(*) FROM notices WHERE order_id = ? AND kind = 'lapsed' AND sent_at IS NOT NULL AND tries = 1")
	once("no-show notice", absent, "SELECT count(*) FROM notices WHERE order_id = ? AND kind = 'no_show' AND sent_at IS NOT NULL AND tries = 1")
	once("half of the money back", absent, "SELECT count(*) FROM refunds WHERE order_id = ? AND amount_fen = 2000 AND done_at IS NOT NULL")
	once("late money back", late, "SELECT count(*) FROM refunds WHERE order_id = ? AND amount_fen = 4000 AND done_at IS NOT NULL")
	once("late money told", late, "SELECT count(*) FROM notices WHERE order_id = ? AND kind = 'late_money' AND sent_at IS NOT NULL AND tries = 1")
	one.wantCount(10, "SELECT count(*) FROM refunds")
	one.wantCount(10, "SELECT count(*) FROM sandbox_refunds WHERE state = 'succeeded'")
	one.get("/api/v1/owner/reconciler", one.owner).wants(200).has("idle", "state").has(0, "due").has(0, "outbox").has(0, "differences")
	if left := one.available("g1"); left != 12 {
		t.Errorf("%d pieces on the shelf", left)
	}
	two.sound()
}

// TestC44 has 200 clients talk at once; each must find what it said itself.
func TestC44(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	people := c.crowd(200)
	ids := make([]string, len(people))
	programTogether(t, len(people), func(i int) error {
		name := fmt.Sprintf("客人 %03d of many", i)
		renamed, err := c.try(programAsk{method: http.MethodPut, path: "/api/v1/me", token: people[i], body: programBody{"name": name}})
		if err != nil {
			return err
		}
		// From 11 December on, 54 slots a day.
		court, start := fmt.Sprintf("c%d", i%6+1), fmt.Sprintf("+%d %s", 1+i/54, programStarts[i/6%9])
		ask := programAsk{method: http.MethodPost, path: "/api/v1/orders", token: people[i], key: fmt.Sprintf("key-%03d", i), body: programSlot(court, start)}
		made, err := c.try(ask)
		if err != nil || made.status != 201 || renamed.status != 200 {
			return fmt.Errorf("client %d: %v %s %s", i, err, renamed.text, made.text)
		}
		ids[i] = made.str("id")
		if made.str("reservations", 0, "start") != programAt(start) || made.str("reservations", 0, "court", "id") != court {
			return fmt.Errorf("client %d asked for %s %s: %s", i, court, start, made.text)
		}
		return nil
	})
	programTogether(t, len(people), func(i int) error {
		name, phone := fmt.Sprintf("客人 %03d of many", i), fmt.Sprintf("139%08d", i)
		court, start := fmt.Sprintf("c%d", i%6+1), fmt.Sprintf("+%d %s", 1+i/54, programStarts[i/6%9])
		me, err1 := c.try(programAsk{method: http.MethodGet, path: "/api/v1/me", token: people[i]})
		again, err2 := c.try(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: people[i], key: fmt.Sprintf("key-%03d", i), body: programSlot(court, start)})
		told, err3 := c.try(programAsk{method: http.MethodGet, path: "/api/v1/notices", token: people[i]})
		seen, err4 := c.try(programAsk{method: http.MethodGet, path: "/api/v1/desk/orders/" + ids[i], token: c.desk})
		got := []any{err1, err2, err3, err4, me.in("customer", "name"), me.in("customer", "phone"), again.status, again.in("id"),
			len(told.in("items").([]any)), told.in("items", 0, "order"), told.in("items", 0, "kind"),
			seen.in("customer", "name"), seen.in("customer", "phone"), seen.in("reservations", 0, "start")}
		want := []any{nil, nil, nil, nil, name, phone, 200, ids[i], 1, ids[i], "held", name, phone, programAt(start)}
		if !slices.Equal(got, want) {
			return fmt.Errorf("client %d finds %v, said %v", i, got, want)
		}
		return nil
	})
	c.wantCount(200, "SELECT count(*) FROM commands")
}

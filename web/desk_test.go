package web_test

import (
	"strings"
	"testing"
)

func TestDeskBooksForCallers(t *testing.T) {
	s := open(t)
	body := func(court, start, pay string) string {
		return `{"slots":[{"court":"` + court + `","start":"` + start + `"}],"customer":{"name":"王先生","phone":"138 0000 0007"},"pay":"` + pay + `"}`
	}
	cash := s.post("/api/v1/desk/orders", s.desk, body("c1", evening, "cash")).wants(201)
	if cash.json["state"] != "paid" || cash.str("customer", "phone") != "13800000007" || cash.header.Get("Location") != "/api/v1/desk/orders/"+cash.str("id") {
		t.Errorf("cash %s", cash.text)
	}
	arrival := s.post("/api/v1/desk/orders", s.desk, body("c2", evening, "on_arrival")).wants(201)
	if arrival.json["state"] != "held" || arrival.str("pay_by") != evening {
		t.Errorf("on arrival %s", arrival.text)
	}
	if got := s.post("/api/v1/desk/orders/"+arrival.str("id")+"/paid", s.desk, "{}").wants(200); got.json["state"] != "paid" {
		t.Errorf("paid %s", got.text)
	}
	s.post("/api/v1/desk/orders/"+arrival.str("id")+"/paid", s.desk, "").wants(409, "already_paid")
	// A slot that has begun is the desk's to sell.
	s.post("/api/v1/orders", s.customer, slot("c1", "2026-12-10T11:30:00+08:00")).wants(409, "slot_past")
	if got := s.post("/api/v1/desk/orders", s.desk, body("c1", "2026-12-10T11:30:00+08:00", "cash")).wants(201); got.str("reservations", "state") != "playing" {
		t.Errorf("sold while it runs: %s", got.text)
	}
	// The customer finds what the desk booked for them.
	mine := s.get("/api/v1/orders", s.signIn("13800000007")).wants(200)
	if len(mine.json["items"].([]any)) != 3 || strings.Contains(mine.text, `"customer"`) {
		t.Errorf("the caller's own list: %s", mine.text)
	}
}

func TestDeskMovesCancelsAndRefunds(t *testing.T) {
	s := open(t)
	id := s.book(s.customer, slot("c1", evening))
	s.pay(s.customer, id)
	paid := s.get("/api/v1/desk/orders/"+id, s.desk).wants(200)
	reservation, code := paid.str("reservations", "id"), paid.str("ticket", "code")
	s.post("/api/v1/desk/reservations/"+reservation+"/move", s.desk, `{"court":"c9","start":"`+evening+`"}`).wants(422, "invalid_field").blames("court")
	moved := s.post("/api/v1/desk/reservations/"+reservation+"/move", s.desk, `{"court":"c2","start":"2026-12-10T14:30:00+08:00","reason":"灯坏"}`).wants(200)
	if moved.json["difference"] != -2000.0 || moved.str("order", "reservations", "replaces") != reservation || moved.str("order", "ticket", "code") == code {
		t.Errorf("moved %s", moved.text)
	}
	if got := s.post("/api/v1/desk/checkins", s.desk, `{"code":"`+code+`"}`).wants(200); got.json["result"] != "unknown" {
		t.Errorf("the old ticket: %s", got.text)
	}
	why := s.get("/api/v1/desk/why?court=c1&start=2026-12-10T17:30:00%2B08:00", s.desk).wants(200)
	if why.str("state") != "free" || why.str("bookings", "state") != "moved" {
		t.Errorf("why %s", why.text)
	}
	cancelled := s.post("/api/v1/desk/orders/"+id+"/cancel", s.desk, `{"by":"venue","reason":"停电"}`).wants(200)
	if cancelled.json["state"] != "cancelled" || cancelled.json["refund_pending"] != 6000.0 {
		t.Errorf("cancelled %s", cancelled.text)
	}
	s.post("/api/v1/desk/orders/"+id+"/cancel", s.desk, `{"by":"venue","reason":"停电"}`).wants(409, "already_cancelled")
	notices := s.get("/api/v1/desk/notices", s.desk).wants(200)
	s.post("/api/v1/desk/notices/"+notices.str("items", "id")+"/resend", s.desk, "").wants(204)
	s.get("/api/v1/desk/refunds", s.desk).wants(200)
	refund := cancelled.str("refunds", "id")
	s.post("/api/v1/desk/refunds/"+refund+"/confirm", s.desk, "").wants(409, "refund_under_way")
}

func TestDeskCashRefunds(t *testing.T) {
	s := open(t)
	order := s.post("/api/v1/desk/orders", s.desk, `{"slots":[{"court":"c1","start":"`+evening+`"}],"goods":[{"id":"g1","qty":1}],"customer":{"name":"王"},"pay":"cash"}`).wants(201)
	if got := s.post("/api/v1/desk/orders/"+order.str("id")+"/handover", s.desk, "").wants(200); got.str("goods_state") != "completed" {
		t.Errorf("handed over: %s", got.text)
	}
	s.post("/api/v1/desk/orders/"+order.str("id")+"/handover", s.desk, "").wants(409, "already_handed_over")
	s.post("/api/v1/desk/orders/"+order.str("id")+"/refunds", s.desk, `{"amount":500,"reason":"等太久"}`).wants(200)
	waiting := s.get("/api/v1/desk/refunds", s.desk).wants(200)
	done := s.post("/api/v1/desk/refunds/"+waiting.str("items", "id")+"/confirm", s.desk, "").wants(200)
	if done.str("state") != "done" {
		t.Errorf("confirmed: %s", done.text)
	}
}

func TestDeskSeesTheDayAtAnyInstant(t *testing.T) {
	s := open(t)
	s.book(s.customer, slot("c1", evening))
	for at, state := range map[string]string{"": "held", "2026-12-10T11:59:59+08:00": "free", "2026-12-10T12:09:59%2B08:00": "held", "2026-12-10T04:10:00Z": "free"} {
		day := s.get("/api/v1/desk/day?at="+at, s.desk).wants(200)
		if got := stateOf(day, "c1", evening); got != state || day.str("now") != noon || day.str("date") != "2026-12-10" {
			t.Errorf("at %q: %s, want %s; date %s", at, got, state, day.str("date"))
		}
	}
	if got := s.get("/api/v1/desk/day?date=2026-12-11", s.desk).wants(200); got.str("date") != "2026-12-11" {
		t.Errorf("another day: %s", got.str("date"))
	}
	noShow := s.post("/api/v1/desk/orders", s.desk, `{"slots":[{"court":"c2","start":"2026-12-10T13:00:00+08:00"}],"customer":{"name":"王"},"pay":"cash"}`).wants(201)
	s.setClock("2026-12-10T14:30:00+08:00")
	s.post("/api/v1/desk/orders/"+noShow.str("id")+"/forgive", s.desk, `{"reason":"生病"}`).wants(200)
	s.post("/api/v1/desk/orders/"+noShow.str("id")+"/forgive", s.desk, "").wants(409, "already_forgiven")
	undone := s.post("/api/v1/desk/reservations/"+noShow.str("reservations", "id")+"/undo-no-show", s.desk, `{"reason":"来了"}`).wants(200)
	if undone.str("reservations", "state") != "completed" {
		t.Errorf("undone: %s", undone.text)
	}
}

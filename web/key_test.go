package web_test

import (
	"net/http"
	"testing"
)

func (s *site) keyed(path, token, body, key string) answer {
	s.t.Helper()
	return s.send(ask{method: http.MethodPost, path: path, token: token, body: body, header: map[string]string{"Idempotency-Key": key}})
}

func TestIdempotencyKeys(t *testing.T) {
	s := open(t)
	first := s.keyed("/api/v1/orders", s.customer, slot("c1", evening), "k1").wants(201)
	again := s.keyed("/api/v1/orders", s.customer, slot("c1", evening), "k1").wants(200)
	if again.str("id") != first.str("id") {
		t.Errorf("the same command made another order")
	}
	s.keyed("/api/v1/orders", s.customer, slot("c2", evening), "k1").wants(422, "key_reused")
	s.pay(s.customer, first.str("id"))
	if now := s.keyed("/api/v1/orders", s.customer, slot("c1", evening), "k1").wants(200); now.json["state"] != "paid" {
		t.Errorf("not as it is now: %s", now.text)
	}

	// A key that came out blank protects nothing, and says so.
	for _, blank := range []string{"", " "} {
		refused := s.keyed("/api/v1/orders", s.customer, slot("c4", evening), blank).wants(422, "invalid_field")
		if refused.str("errors", "field") != "Idempotency-Key" {
			t.Errorf("blank key: %s", refused.text)
		}
	}
	// A key belongs to one account.
	other := s.signIn("13800000002")
	if got := s.keyed("/api/v1/orders", other, slot("c3", evening), "k1").wants(201); got.str("id") == first.str("id") {
		t.Error("somebody else's order")
	}

	// A refusal is not kept.
	s.keyed("/api/v1/orders", other, slot("c1", evening), "k2").wants(409, "slot_taken")
	s.post("/api/v1/desk/orders/"+first.str("id")+"/cancel", s.desk, `{"by":"venue","reason":"test"}`).wants(200)
	s.keyed("/api/v1/orders", other, slot("c1", evening), "k2").wants(201)
}

func TestIdempotentMoney(t *testing.T) {
	s := open(t)
	id := s.book(s.customer, slot("c1", evening))
	one := s.keyed("/api/v1/orders/"+id+"/payments", s.customer, `{"via":"sandbox"}`, "p1").wants(200)
	two := s.keyed("/api/v1/orders/"+id+"/payments", s.customer, `{"via":"sandbox"}`, "p1").wants(200)
	if one.str("out_trade_no") != two.str("out_trade_no") {
		t.Error("two payments")
	}
	s.post("/demo/payments/"+one.str("out_trade_no")+"/succeed", "", "").wants(200)
	for range 2 {
		s.keyed("/api/v1/desk/orders/"+id+"/refunds", s.desk, `{"amount":1000,"reason":"灯坏了"}`, "r1").wants(200)
	}
	got := s.get("/api/v1/desk/orders/"+id, s.desk).wants(200)
	if len(got.json["refunds"].([]any)) != 1 || got.json["refund_pending"] != 1000.0 {
		t.Errorf("refunds: %s", got.text)
	}
	s.keyed("/api/v1/desk/orders/"+id+"/refunds", s.desk, `{"amount":1001,"reason":"灯坏了"}`, "r1").wants(422, "key_reused")
	s.keyed("/api/v1/desk/orders/"+id+"/refunds", s.desk, `{"amount":5001,"reason":"x"}`, "r2").wants(409, "refund_exceeds_paid")
	for range 2 {
		s.keyed("/api/v1/owner/goods/g1/receipts", s.owner, `{"qty":5,"note":"进货"}`, "s1").wants(200)
	}
	if goods := s.get("/api/v1/owner/goods", s.owner).wants(200); goods.json["items"].([]any)[0].(map[string]any)["balance"] != 17.0 {
		t.Errorf("stock: %s", goods.text)
	}
}

package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

func TestDemoClock(t *testing.T) {
	s := open(t)
	show := s.get("/demo/clock", "").wants(200)
	if show.str("now") != noon || show.json["frozen"] != true || show.json["behind"] != false {
		t.Errorf("clock %s", show.text)
	}
	for _, step := range []struct{ body, now string }{
		{`{"advance":"10m"}`, "2026-12-10T12:10:00+08:00"},
		{`{"advance":"0s"}`, "2026-12-10T12:10:00+08:00"},
		{`{"advance":"24h"}`, "2026-12-11T12:10:00+08:00"},
		{`{"set":"2026-12-12T00:00:00Z"}`, "2026-12-12T08:00:00+08:00"},
		{`{"set":"2026-12-12T08:00:00+08:00","advance":"90s"}`, "2026-12-12T08:01:30+08:00"},
		{`{"frozen":true}`, "2026-12-12T08:01:30+08:00"},
	} {
		if got := s.post("/demo/clock", "", step.body).wants(200); got.str("now") != step.now || got.json["frozen"] != true {
			t.Errorf("%s: %s", step.body, got.text)
		}
		if got := s.get("/api/v1/venue", "").wants(200); got.str("now") != step.now {
			t.Errorf("%s: the venue says %s", step.body, got.str("now"))
		}
	}
	for body, field := range map[string]string{
		`{}`: "advance", `{"advance":"-1s"}`: "advance", `{"advance":"soon"}`: "advance", `{"advance":10}`: "advance", `{"set":"2026-12-12"}`: "set",
		`{"set":"2026-12-12T08:00:00"}`: "set", `{"frozen":"yes"}`: "frozen", `{"speed":2}`: "speed",
	} {
		s.post("/demo/clock", "", body).wants(422, "invalid_field").blames(field)
	}
	if got := s.post("/demo/clock", "", `{"frozen":false}`).wants(200); got.json["frozen"] != false {
		t.Errorf("a clock that runs: %s", got.text)
	}
}

// TestClockBehind: a clock that has gone back stops what would be written, says so,
// and counts again when the owner takes its word.
func TestClockBehind(t *testing.T) {
	s := open(t)
	if got := s.post("/demo/clock", "", `{"set":"2026-12-10T11:00:00+08:00"}`).wants(200); got.json["behind"] != true {
		t.Errorf("clock %s", got.text)
	}
	refused := s.post("/api/v1/orders", s.customer, slot("c2", evening)).wants(503, "clock_behind")
	if refused.str("clock") != "2026-12-10T11:00:00+08:00" || refused.str("last") != noon || refused.header.Get("Retry-After") == "" {
		t.Errorf("refusal %s", refused.text)
	}
	if sick := s.get("/healthz", "").wants(503); sick.json["status"] != "clock_behind" || sick.json["reason"] != "clock_behind" {
		t.Errorf("health %s", sick.text)
	}
	s.get(today, "").wants(200)
	s.post("/api/v1/owner/clock/accept", s.desk, "").wants(403, "forbidden")
	if got := s.post("/api/v1/owner/clock/accept", s.owner, "").wants(200); got.json["behind"] != false {
		t.Errorf("accepted: %s", got.text)
	}
	s.get("/healthz", "").wants(200)
	s.post("/api/v1/orders", s.customer, slot("c2", evening)).wants(201)
	s.post("/demo/clock", "", `{"set":"2026-12-10T10:00:00+08:00"}`).wants(200)
	ahead := s.post("/api/v1/owner/clock/accept", s.owner, "").wants(409, "bookings_ahead")
	if ahead.str("until") != "2026-12-10T11:00:00+08:00" {
		t.Errorf("refusal %s", ahead.text)
	}
	s.post("/demo/clock", "", `{"set":"2026-12-10T11:00:00+08:00"}`).wants(200)
	if trail := s.get("/api/v1/owner/audit?limit=1", s.owner).wants(200); trail.str("items", "action") != "accept clock" {
		t.Errorf("audit %s", trail.text)
	}
}

func TestPlayingTheBank(t *testing.T) {
	s := open(t)
	if info := s.get("/demo", "").wants(200); info.str("accounts", "owner", "username") == "" || info.str("coupons", "code") != "ONCE20" {
		t.Errorf("demo %s", info.text)
	}
	id := s.book(s.customer, slot("c1", evening))
	no := s.post("/api/v1/orders/"+id+"/payments", s.customer, `{"via":"sandbox"}`).wants(200).str("out_trade_no")
	if got := s.post("/demo/payments/"+no+"/fail", "", "").wants(200); got.json["notified"] != true || got.str("out_trade_no") != no {
		t.Errorf("fail %s", got.text)
	}
	s.setClock("2026-12-10T12:10:00+08:00")
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "lapsed" {
		t.Errorf("after the deadline: %s", got.text)
	}
	if got := s.post("/demo/payments/"+no+"/succeed?notify=false", "", "").wants(200); got.json["notified"] != false {
		t.Errorf("quiet success %s", got.text)
	}
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "lapsed" {
		t.Errorf("a lost notice was found: %s", got.text)
	}
	s.post("/demo/payments/"+no+"/succeed", "", "").wants(200)
	late := s.get("/api/v1/orders/"+id, s.customer).wants(200)
	if late.json["state"] != "paid" || late.str("late_money", "verdict") != "revived" {
		t.Errorf("late money: %s", late.text)
	}
	s.post("/demo/payments/"+no+"/fail", "", "").wants(409, "already_paid")
	s.post("/demo/payments/"+no+"/succeed?notify=maybe", "", "").wants(422, "invalid_field").blames("notify")
}

// TestSandboxNotices: only the provider's own signature over these very bytes, now,
// makes a payment.
func TestSandboxNotices(t *testing.T) {
	s := open(t)
	ctx := context.Background()
	id := s.book(s.customer, slot("c1", evening))
	no := s.post("/api/v1/orders/"+id+"/payments", s.customer, `{"via":"sandbox"}`).wants(200).str("out_trade_no")
	headers, body, err := s.bank.Succeed(ctx, no)
	must(t, err)
	notify := func(headers map[string]string, body string) answer {
		return s.send(ask{method: http.MethodPost, path: "/api/v1/pay/sandbox/notify", body: body, header: headers})
	}
	notify(nil, string(body)).wants(401, "bad_signature")
	notify(headers, strings.Replace(string(body), "6000", "6001", 1)).wants(401, "bad_signature")
	notify(headers, string(body)+" ").wants(401, "bad_signature")
	notify(headers, "").wants(400, "malformed")
	for name := range headers {
		wrong := map[string]string{}
		for n, v := range headers {
			wrong[n] = v
		}
		wrong[name] = "1"
		notify(wrong, string(body)).wants(401, "bad_signature")
	}
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "held" {
		t.Fatalf("a forged notice was taken: %s", got.text)
	}
	lower := map[string]string{}
	for n, v := range headers {
		lower[strings.ToLower(n)] = v
	}
	for range 3 {
		notify(lower, string(body)).wants(204)
	}
	paid := s.get("/api/v1/orders/"+id, s.customer).wants(200)
	if paid.json["state"] != "paid" || paid.json["paid"] != 6000.0 {
		t.Errorf("paid: %s", paid.text)
	}
	s.post("/demo/clock", "", `{"advance":"5m"}`).wants(200)
	notify(headers, string(body)).wants(401, "bad_signature")

	strange := []byte(`{"id":"x","payment":{"out_trade_no":"nobody-knows","state":"succeeded","amount_fen":1,"currency":"CNY"}}`)
	signed, err := s.bank.Sign(ctx, strange)
	must(t, err)
	notify(signed, string(strange)).wants(404, "unknown_payment")
	signed, err = s.bank.Sign(ctx, []byte(`{}`))
	must(t, err)
	notify(signed, `{}`).wants(400, "bad_notice")
}

package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// A bill comes in as it is, up to its own limit, from the owner alone.
func TestABillIsSentAsItIs(t *testing.T) {
	s := open(t)
	before := s.rows()
	send := func(token, kind, body string) answer {
		return s.send(ask{method: http.MethodPost, path: "/api/v1/owner/bills", token: token, body: body, header: map[string]string{"Content-Type": kind}})
	}
	bill := "交易时间,商户号,微信订单号,商户订单号,交易状态,商户退款单号,退款金额,退款状态,订单金额\n总交易单数\n`0"
	send(s.owner, "application/json", "{}").wants(415, "unsupported_media_type")
	send(s.owner, "application/x-www-form-urlencoded", "a=b").wants(415, "unsupported_media_type")
	send(s.owner, "text/csv; charset=utf-8", "not a bill").wants(422, "invalid_field").blames("file")
	send(s.owner, "text/csv", bill).wants(422, "invalid_field").blames("day")
	if a := send(s.owner, "text/csv", strings.Repeat("x", 2<<20)).wants(422, "invalid_field").blames("file"); strings.Contains(a.text, "xxxx") {
		t.Errorf("it repeats what was sent: %s", a.text)
	}
	send(s.owner, "text/csv", strings.Repeat("x", 17<<20)).wants(413, "body_too_large")
	s.send(ask{method: http.MethodPost, path: "/api/v1/owner/bills", token: s.owner, body: bill, header: map[string]string{"Content-Type": "text/csv", "Content-Encoding": "gzip"}}).
		wants(415, "unsupported_media_type")
	for _, token := range []string{"", s.customer, s.desk} {
		send(token, "text/csv", strings.Repeat("x", 65<<10)).wants(413, "body_too_large")
	}
	// No other call of the owner's takes as much.
	s.post("/api/v1/owner/bills/fetch", s.owner, `{"day":"`+strings.Repeat("x", 65<<10)+`"}`).wants(413, "body_too_large")
	s.post("/api/v1/owner/bills/fetch", s.owner, `{"day":"2026-12-09"}`).wants(409, "no_bills")
	s.post("/api/v1/owner/bills/fetch", s.owner, `{"day":"2026-12-10"}`).wants(422, "invalid_field").blames("day")
	s.post("/api/v1/owner/differences/explain", s.owner, `{"key":"payment:x:amount","text":"x"}`).wants(404, "no_difference")
	s.get("/api/v1/owner/differences?state=closed", s.owner).wants(422, "invalid_field").blames("state")
	if a := s.get("/api/v1/owner/bills", s.owner).wants(200); a.json["fetches"] != false || a.json["last_ready"] != "2026-12-09" || a.json["differences"] != float64(0) {
		t.Errorf("the bills are %s", a.text)
	}
	s.get("/api/v1/owner/differences?state=open", s.owner).wants(200)
	if s.rows() != before {
		t.Error("something was written")
	}
}

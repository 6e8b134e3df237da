package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// who says who may make each call. A call that is missing here fails the test.
var who = map[string]string{
	"GET /api/v1/venue": "anyone", "GET /api/v1/availability": "anyone",
	"POST /api/v1/login/code": "anyone", "POST /api/v1/login": "anyone", "POST /api/v1/login/staff": "anyone",
	"POST /api/v1/logout": "signed in", "GET /api/v1/me": "signed in", "PUT /api/v1/me": "customer",
	"POST /api/v1/login/wechat": "anyone", "POST /api/v1/me/phone": "customer", "POST /api/v1/me/email": "customer", "POST /api/v1/me/email/confirm": "customer",
	"DELETE /api/v1/me/email": "customer", "GET /api/v1/me/allowances": "customer", "POST /api/v1/me/allowances": "customer",
	"POST /api/v1/quotes": "customer", "POST /api/v1/orders": "customer", "GET /api/v1/orders": "customer", "GET /api/v1/orders/{id}": "customer",
	"POST /api/v1/orders/{id}/payments": "customer", "POST /api/v1/orders/{id}/payments/check": "customer", "POST /api/v1/orders/{id}/cancel": "customer",
	"GET /api/v1/orders/{id}/refund-preview": "customer", "GET /api/v1/orders/{id}/calendar.ics": "customer", "GET /api/v1/notices": "customer",
	"GET /api/v1/desk/day": "desk", "GET /api/v1/desk/why": "desk", "POST /api/v1/desk/checkins": "desk",
	"POST /api/v1/desk/orders": "desk", "GET /api/v1/desk/orders/{id}": "desk", "POST /api/v1/desk/orders/{id}/paid": "desk",
	"POST /api/v1/desk/orders/{id}/cancel": "desk", "POST /api/v1/desk/orders/{id}/refunds": "desk", "POST /api/v1/desk/orders/{id}/forgive": "desk",
	"POST /api/v1/desk/orders/{id}/handover": "desk", "POST /api/v1/desk/reservations/{id}/move": "desk", "POST /api/v1/desk/reservations/{id}/undo-no-show": "desk",
	"GET /api/v1/desk/notices": "desk", "POST /api/v1/desk/notices/{id}/resend": "desk", "GET /api/v1/desk/refunds": "desk", "POST /api/v1/desk/refunds/{id}/confirm": "desk",
	"POST /api/v1/desk/payments/{id}/seen-to": "desk", "POST /api/v1/desk/refunds/{id}/seen-to": "desk",
	"PUT /api/v1/owner/venue": "owner", "GET /api/v1/owner/policy": "owner", "PUT /api/v1/owner/policy": "owner",
	"GET /api/v1/owner/hours": "owner", "PUT /api/v1/owner/hours": "owner", "GET /api/v1/owner/price-rules": "owner", "PUT /api/v1/owner/price-rules": "owner",
	"GET /api/v1/owner/courts": "owner", "POST /api/v1/owner/courts": "owner", "PUT /api/v1/owner/courts/{id}": "owner",
	"GET /api/v1/owner/goods": "owner", "POST /api/v1/owner/goods": "owner", "PUT /api/v1/owner/goods/{id}": "owner",
	"POST /api/v1/owner/goods/{id}/receipts": "owner", "POST /api/v1/owner/goods/{id}/adjustments": "owner", "GET /api/v1/owner/goods/{id}/ledger": "owner",
	"GET /api/v1/owner/coupons": "owner", "POST /api/v1/owner/coupons": "owner", "PUT /api/v1/owner/coupons/{code}": "owner",
	"GET /api/v1/owner/closures": "owner", "POST /api/v1/owner/closures": "owner", "GET /api/v1/owner/closures/preview": "owner", "DELETE /api/v1/owner/closures/{id}": "owner",
	"GET /api/v1/owner/staff": "owner", "POST /api/v1/owner/staff": "owner", "PUT /api/v1/owner/staff/{id}": "owner", "GET /api/v1/owner/audit": "owner",
	"GET /api/v1/owner/reports/takings": "owner", "GET /api/v1/owner/reports/takings.csv": "owner",
	"GET /api/v1/owner/reports/utilisation": "owner", "GET /api/v1/owner/reports/utilisation.csv": "owner",
	"GET /api/v1/owner/reports/rates": "owner", "GET /api/v1/owner/reports/rates.csv": "owner",
	"GET /api/v1/owner/reports/goods": "owner", "GET /api/v1/owner/reports/goods.csv": "owner",
	"GET /api/v1/owner/reconciler": "owner", "POST /api/v1/owner/reconciler/run": "owner", "POST /api/v1/owner/clock/accept": "owner",
	"GET /api/v1/owner/messages": "owner", "PUT /api/v1/owner/messages": "owner", "POST /api/v1/owner/messages/preview": "owner", "POST /api/v1/owner/messages/test": "owner",
	"GET /api/v1/owner/channels": "owner", "POST /api/v1/owner/channels/{channel}/wake": "owner",
	"GET /api/v1/owner/webhooks": "owner", "POST /api/v1/owner/webhooks": "owner", "PUT /api/v1/owner/webhooks/{id}": "owner", "DELETE /api/v1/owner/webhooks/{id}": "owner",
	"POST /api/v1/owner/webhooks/{id}/secret": "owner", "POST /api/v1/owner/webhooks/{id}/replay": "owner",
	"POST /api/v1/pay/wechat/notify": "anyone", "POST /api/v1/pay/wechat/refund-notify": "anyone", "POST /pay/wechat/notify": "anyone", "POST /pay/wechat/refund-notify": "anyone",
	"GET /api/v1/owner/bills": "owner", "POST /api/v1/owner/bills": "owner", "POST /api/v1/owner/bills/fetch": "owner",
	"GET /api/v1/owner/differences": "owner", "POST /api/v1/owner/differences/explain": "owner",
	"GET /demo": "anyone", "GET /demo/clock": "anyone", "POST /demo/clock": "anyone",
	"POST /demo/payments/{out_trade_no}/succeed": "anyone", "POST /demo/payments/{out_trade_no}/fail": "anyone", "POST /api/v1/pay/sandbox/notify": "anyone",
}

// allowed says which roles each kind of access lets in.
var allowed = map[string][]string{
	"anyone": {"anyone", "customer", "desk", "owner"}, "signed in": {"customer", "desk", "owner"},
	"customer": {"customer"}, "desk": {"desk", "owner"}, "owner": {"owner"},
}

// calls walks over every operation of the document with its path filled in.
func (s *site) calls(visit func(line, method, path string, op operation)) (n int) {
	variable := regexp.MustCompile(`\{[a-z_]+\}`)
	for template, item := range s.contract.Paths {
		for method, op := range item {
			method = strings.ToUpper(method)
			visit(method+" "+template, method, variable.ReplaceAllString(template, "nothing"), op)
			n++
		}
	}
	return n
}

// TestEveryCallByEveryRole makes every call as every role and lets in only those
// it is for. Those turned away learn nothing of what is wrong with their request.
func TestEveryCallByEveryRole(t *testing.T) {
	s := open(t)
	signedOut := map[string]bool{}
	seen := map[int]int{}
	n := s.calls(func(line, method, path string, op operation) {
		access, known := who[line]
		if !known {
			t.Errorf("%s: nobody has said who may", line)
			return
		}
		tokens := map[string]string{"anyone": "", "customer": s.customer, "desk": s.desk, "owner": s.owner}
		if line == "POST /api/v1/logout" {
			tokens = map[string]string{"anyone": "", "customer": s.signIn("13800000009"), "desk": s.signInStaff("desk"), "owner": s.signInStaff("owner")}
		}
		for role, token := range tokens {
			before := s.rows()
			body := ""
			if op.RequestBody != nil {
				body = "{}"
			}
			a := s.send(ask{method: method, path: path, token: token, body: body})
			seen[a.status]++
			lets := false
			for _, r := range allowed[access] {
				lets = lets || r == role
			}
			switch {
			case lets && (a.status == 401 && access != "anyone" || a.status == 403 || a.status == 405 || a.status >= 500):
				t.Errorf("%s as %s: %d %s", line, role, a.status, a.text)
			case !lets && role == "anyone" && (a.status != 401 || a.json["reason"] != "unauthenticated" || a.header.Get("WWW-Authenticate") != "Bearer"):
				t.Errorf("%s as %s: %d %s, want 401", line, role, a.status, a.text)
			case !lets && role != "anyone" && (a.status != 403 || a.json["reason"] != "forbidden"):
				t.Errorf("%s as %s: %d %s, want 403", line, role, a.status, a.text)
			}
			if !lets && s.rows() != before {
				t.Errorf("%s as %s wrote something", line, role)
			}
			signedOut[role] = true
		}
	})
	for _, status := range []int{200, 401, 403, 404, 422} {
		if seen[status] == 0 {
			t.Errorf("no call ended with %d: %v", status, seen)
		}
	}
	if n != len(who) {
		t.Errorf("%d calls, %d expected", n, len(who))
	}
}

// TestTokens: only a valid Bearer token counts, and no cookie.
func TestTokens(t *testing.T) {
	s := open(t)
	for _, header := range []map[string]string{
		{"Authorization": "Bearer "}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic " + s.customer}, {"Authorization": s.customer},
		{"Cookie": "courtd_session=" + s.customer}, {"Authorization": "Bearer " + strings.Repeat("a", 500)},
	} {
		s.send(ask{method: http.MethodGet, path: "/api/v1/me", header: header}).wants(401, "unauthenticated")
	}
	s.send(ask{method: http.MethodGet, path: "/api/v1/me", header: map[string]string{"Authorization": "bearer " + s.customer}}).wants(200)
}

// TestMissingOrders: what does not exist is 404 for those who may ask.
func TestMissingThings(t *testing.T) {
	s := open(t)
	for path, body := range map[string]string{
		"/api/v1/desk/orders/nothing/paid": "", "/api/v1/desk/orders/nothing/handover": "", "/api/v1/desk/orders/nothing/forgive": "",
		"/api/v1/desk/orders/nothing/cancel":             `{"by":"venue","reason":"x"}`,
		"/api/v1/desk/orders/nothing/refunds":            `{"amount":1,"reason":"x"}`,
		"/api/v1/desk/reservations/nothing/move":         `{"court":"c1","start":"` + evening + `"}`,
		"/api/v1/desk/reservations/nothing/undo-no-show": `{"reason":"x"}`,
		"/api/v1/desk/notices/nothing/resend":            "", "/api/v1/desk/refunds/nothing/confirm": "",
		"/api/v1/desk/payments/nothing/seen-to": `{"text":"x"}`, "/api/v1/desk/refunds/nothing/seen-to": `{"text":"x"}`,
		"/demo/payments/nothing/succeed": "", "/demo/payments/nothing/fail": "",
	} {
		s.post(path, s.desk, body).wants(404, "not_found")
	}
	for path, body := range map[string]string{
		"/api/v1/owner/courts/c99": `{"name":"x"}`, "/api/v1/owner/goods/g99": `{"name":"x"}`, "/api/v1/owner/coupons/NONE": `{"name":"x"}`, "/api/v1/owner/staff/nobody": `{"name":"x"}`,
	} {
		s.send(ask{method: http.MethodPut, path: path, token: s.owner, body: body}).wants(404, "not_found")
	}
	s.send(ask{method: http.MethodDelete, path: "/api/v1/owner/closures/none", token: s.owner}).wants(404, "not_found")
	s.get("/api/v1/owner/goods/g99/ledger", s.owner).wants(404, "not_found")
}

// TestNoDemoOutsideDemo: a real venue has neither a clock to move nor a bank to play.
func TestNoDemoOutsideDemo(t *testing.T) {
	s := serve(t, false)
	s.calls(func(line, _, _ string, _ operation) {
		if strings.Contains(line, "/demo") || strings.Contains(line, "sandbox") {
			t.Errorf("%s is documented", line)
		}
	})
	for _, path := range []string{"/demo", "/demo/clock"} {
		s.get(path, "").wants(404, "not_found")
	}
	for _, path := range []string{"/demo/clock", "/demo/payments/x/succeed", "/demo/payments/x/fail", "/api/v1/pay/sandbox/notify"} {
		s.post(path, "", `{"advance":"10m"}`).wants(404, "not_found")
	}
	if a := s.post("/api/v1/login/code", "", `{"phone":"13800000001"}`).wants(200); a.json["code"] != nil {
		t.Errorf("the code is told: %s", a.text)
	}
}

package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// book makes an order and gives its id.
func (s *site) book(token, body string) string {
	s.t.Helper()
	return s.post("/api/v1/orders", token, body).wants(201).str("id")
}

// pay opens a payment in the sandbox and lets it succeed.
func (s *site) pay(token, order string) {
	s.t.Helper()
	no := s.post("/api/v1/orders/"+order+"/payments", token, `{"via":"sandbox"}`).wants(200).str("out_trade_no")
	s.post("/demo/payments/"+no+"/succeed", "", "").wants(200)
}

func (s *site) setClock(text string) {
	s.t.Helper()
	s.post("/demo/clock", "", `{"set":"`+text+`"}`).wants(200)
}

func TestOrderFromGridToDoor(t *testing.T) {
	s := open(t)
	body := `{"slots":[{"court":"c1","start":"` + evening + `"}],"goods":[{"id":"g1","qty":2}],"coupon":"new10"}`
	quote := s.post("/api/v1/quotes", s.customer, body).wants(200)
	if quote.json["total"] != 10800.0 || quote.json["discount"] != 1200.0 {
		t.Errorf("quote %s", quote.text)
	}
	made := s.post("/api/v1/orders", s.customer, body).wants(201)
	id := made.str("id")
	if got := made.header.Get("Location"); got != "/api/v1/orders/"+id {
		t.Errorf("Location %q", got)
	}
	if made.json["state"] != "held" || made.json["pay_by"] != "2026-12-10T12:10:00+08:00" || made.json["ticket"] != nil || made.json["total"] != 10800.0 {
		t.Errorf("order %s", made.text)
	}
	again := s.post("/api/v1/orders", s.customer, body).wants(200)
	if again.str("id") != id || again.header.Get("Location") != "/api/v1/orders/"+id {
		t.Errorf("the same choice again: %s", again.text)
	}
	payment := s.post("/api/v1/orders/"+id+"/payments", s.customer, `{"via":"sandbox"}`).wants(200)
	for _, name := range []string{"out_trade_no", "via", "expires_at", "params"} {
		if payment.json[name] == nil {
			t.Errorf("payment lacks %s: %s", name, payment.text)
		}
	}
	s.post("/demo/payments/"+payment.str("out_trade_no")+"/succeed?notify=false", "", "").wants(200)
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "held" {
		t.Errorf("paid without a notice: %s", got.text)
	}
	paid := s.post("/api/v1/orders/"+id+"/payments/check", s.customer, "").wants(200)
	code := paid.str("ticket", "code")
	if paid.json["state"] != "paid" || !strings.HasPrefix(paid.str("ticket", "qr"), "data:image/png;base64,") {
		t.Errorf("after asking the provider: %s", paid.text)
	}
	if got := s.get("/api/v1/orders/"+id+"/refund-preview", s.customer).wants(200); got.json["amount"] == nil {
		t.Errorf("preview %s", got.text)
	}
	scan := s.post("/api/v1/desk/checkins", s.desk, `{"code":"`+code+`","nonce":"n1"}`).wants(200)
	if scan.json["result"] != "too_early" {
		t.Errorf("scan at noon: %s", scan.text)
	}
	s.setClock("2026-12-10T17:25:00+08:00")
	scan = s.post("/api/v1/desk/checkins", s.desk, `{"code":"`+code+`","nonce":"n2"}`).wants(200)
	if scan.json["result"] != "ok" || scan.str("order", "id") != id {
		t.Errorf("scan at the door: %s", scan.text)
	}
	same := s.post("/api/v1/desk/checkins", s.desk, `{"code":"`+code+`","nonce":"n2"}`).wants(200)
	if same.text != scan.text {
		t.Errorf("the same nonce: %s, before %s", same.text, scan.text)
	}
	if got := s.post("/api/v1/desk/checkins", s.desk, `{"code":"none"}`).wants(200); got.json["result"] != "unknown" || got.json["order"] != nil {
		t.Errorf("unknown code: %s", got.text)
	}
}

func TestConflictsNameWhatTheyAreAbout(t *testing.T) {
	s := open(t)
	mine := s.book(s.customer, slot("c1", evening))
	other := s.signIn("13800000002")
	refused := s.post("/api/v1/orders", other, slot("c1", "2026-12-10T09:30:00Z")).wants(409, "slot_taken").blames("slots[0]")
	if refused.str("slot", "court") != "c1" || refused.str("slot", "start") != evening {
		t.Errorf("the slot of the conflict: %s", refused.text)
	}
	if strings.Contains(refused.text, mine) {
		t.Errorf("somebody else's order is named: %s", refused.text)
	}
	own := s.post("/api/v1/orders", s.customer, `{"slots":[{"court":"c1","start":"`+evening+`"},{"court":"c2","start":"`+evening+`"}]}`).wants(409, "slot_taken")
	if own.str("order") != mine {
		t.Errorf("one's own order is not named: %s", own.text)
	}
	stock := s.post("/api/v1/orders", other, `{"goods":[{"id":"g1","qty":13}]}`).wants(409, "out_of_stock").blames("goods[0]")
	if stock.str("good", "id") != "g1" {
		t.Errorf("the good of the conflict: %s", stock.text)
	}
	later := s.post("/api/v1/orders", other, slot("c1", "2026-12-17T17:30:00+08:00")).wants(409, "not_open_yet")
	if later.str("opens_at") != "2026-12-11T07:00:00+08:00" {
		t.Errorf("opens_at: %s", later.text)
	}
	s.post("/api/v1/orders", other, slot("c1", "2026-12-10T08:30:00+08:00")).wants(409, "slot_past")
	s.post("/api/v1/orders", other, `{"goods":[{"id":"g1","qty":1}],"coupon":"nope"}`).wants(409, "coupon_invalid")
}

func TestOthersOrdersAreNotFound(t *testing.T) {
	s := open(t)
	id := s.book(s.customer, slot("c1", evening))
	other := s.signIn("13800000002")
	for _, path := range []string{"", "/refund-preview", "/calendar.ics"} {
		s.get("/api/v1/orders/"+id+path, other).wants(404, "not_found")
	}
	for path, body := range map[string]string{"/payments": `{"via":"sandbox"}`, "/payments/check": "", "/cancel": ""} {
		s.post("/api/v1/orders/"+id+path, other, body).wants(404, "not_found")
	}
	if got := s.get("/api/v1/orders", other).wants(200); len(got.json["items"].([]any)) != 0 {
		t.Errorf("somebody else's list: %s", got.text)
	}
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "held" {
		t.Errorf("the order has changed: %s", got.text)
	}
}

func TestBodiesThatMayBeLeftOut(t *testing.T) {
	s := open(t)
	for i, body := range []string{"", "{}"} {
		id := s.book(s.customer, slot(fmt.Sprintf("c%d", i+1), evening))
		if got := s.post("/api/v1/orders/"+id+"/cancel", s.customer, body).wants(200); got.json["state"] != "cancelled" {
			t.Errorf("body %q: %s", body, got.text)
		}
	}
	id := s.book(s.customer, slot("c4", evening))
	s.post("/api/v1/desk/orders/"+id+"/paid", s.desk, "").wants(200)
	s.post("/api/v1/orders/"+id+"/cancel", s.customer, `{"why":1}`).wants(422, "invalid_field").blames("why")
	s.post("/api/v1/logout", s.customer, "").wants(204)
	s.get("/api/v1/me", s.customer).wants(401, "unauthenticated")
}

func TestCalendarFile(t *testing.T) {
	s := open(t)
	id := s.book(s.customer, slot("c1", evening))
	s.pay(s.customer, id)
	a := s.get("/api/v1/orders/"+id+"/calendar.ics", s.customer).wants(200)
	if a.header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("content type %q", a.header.Get("Content-Type"))
	}
	for _, want := range []string{"BEGIN:VCALENDAR", "DTSTART:20261210T093000Z", "DTEND:20261210T110000Z", "DTSTAMP:20261210T040000Z", "STATUS:CONFIRMED", "晨光羽毛球馆"} {
		if !strings.Contains(a.text, want) {
			t.Errorf("no %s in %s", want, a.text)
		}
	}
}

func TestListsArePaged(t *testing.T) {
	s := open(t)
	var ids []string
	for i := range 3 {
		id := s.book(s.customer, slot(fmt.Sprintf("c%d", i+1), evening))
		s.pay(s.customer, id)
		ids = append(ids, id)
		s.post("/demo/clock", "", `{"advance":"1m"}`).wants(200)
	}
	first := s.get("/api/v1/orders?limit=2", s.customer).wants(200)
	items := first.json["items"].([]any)
	if len(items) != 2 || items[0].(map[string]any)["id"] != ids[2] {
		t.Fatalf("first page: %s", first.text)
	}
	second := s.get("/api/v1/orders?limit=2&cursor="+first.str("next"), s.customer).wants(200)
	items = second.json["items"].([]any)
	if len(items) != 1 || items[0].(map[string]any)["id"] != ids[0] || second.json["next"] != nil || second.json["now"] != first.json["now"] {
		t.Errorf("second page: %s", second.text)
	}
	notices := s.get("/api/v1/notices", s.customer).wants(200)
	for _, name := range []string{"id", "kind", "order", "at", "title", "text"} {
		notices.str("items", name)
	}
	s.get("/api/v1/orders?limit=0", s.customer).wants(422, "invalid_field").blames("limit")
	s.get("/api/v1/orders?cursor=%21", s.customer).wants(422, "invalid_field").blames("cursor")
	s.send(ask{method: http.MethodGet, path: "/api/v1/orders?sort=asc", token: s.customer}).wants(422, "invalid_field").blames("sort")
}

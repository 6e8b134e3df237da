package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func (s *site) put(path, body string) answer {
	s.t.Helper()
	return s.send(ask{method: http.MethodPut, path: path, token: s.owner, body: body})
}

func TestPolicy(t *testing.T) {
	s := open(t)
	before := s.get("/api/v1/owner/policy", s.owner).wants(200)
	if len(before.json) != 14 || before.json["opens_at"] != "07:00" || before.json["hold_minutes"] != 10.0 {
		t.Errorf("policy %s", before.text)
	}
	id := s.book(s.customer, slot("c1", evening))
	after := s.put("/api/v1/owner/policy", `{"hold_minutes":20,"opens_at":"08:30","refund_ladder":[{"hours_before":2,"percent":50}]}`).wants(200)
	if after.json["hold_minutes"] != 20.0 || after.json["goods_hold_minutes"] != 30.0 || after.json["opens_at"] != "08:30" || len(after.json["refund_ladder"].([]any)) != 1 {
		t.Errorf("changed: %s", after.text)
	}
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.str("pay_by") != "2026-12-10T12:10:00+08:00" {
		t.Errorf("a promised deadline has moved: %s", got.text)
	}
	s.put("/api/v1/owner/policy", `{"hold_minutes":5,"strike_days":0}`).wants(422, "invalid_field").blames("strike_days")
	s.put("/api/v1/owner/policy", `{"hold_minutes":5,"opens_at":"7"}`).wants(422, "invalid_field").blames("opens_at")
	s.put("/api/v1/owner/policy", `{"refund_ladder":[{"hours_before":2,"percent":150}]}`).wants(422, "invalid_field").blames("refund_ladder[0].percent")
	if got := s.get("/api/v1/owner/policy", s.owner).wants(200); got.text != after.text {
		t.Errorf("half of a bad policy was kept: %s", got.text)
	}
	s.put("/api/v1/owner/policy", `{"refund_ladder":[]}`).wants(200)
}

func TestHoursAndPrices(t *testing.T) {
	s := open(t)
	hours := s.put("/api/v1/owner/hours", `{"weekly":[{"weekday":5,"closed":true}],"exceptions":[{"date":"2026-12-12","opens":"18:00","closes":"25:30","note":"年会"}],
		"holidays":[{"date":"2026-12-13","name":"节日"}]}`).wants(200)
	if !strings.Contains(hours.text, `{"weekday":5,"closed":true}`) || !strings.Contains(hours.text, `"closes":"25:30"`) || hours.json["slot_minutes"] != 90.0 {
		t.Errorf("hours %s", hours.text)
	}
	if got := s.get("/api/v1/availability?date=2026-12-11", "").wants(200); len(got.json["courts"].([]any)[0].(map[string]any)["slots"].([]any)) != 0 {
		t.Errorf("a closed day has slots")
	}
	if got := s.get("/api/v1/availability?date=2026-12-12", "").wants(200); stateOf(got, "c1", "2026-12-13T00:00:00+08:00") != "free" {
		t.Errorf("past midnight")
	}
	if again := s.put("/api/v1/owner/hours", `{}`).wants(200); again.text != hours.text {
		t.Errorf("what is left out has changed: %s", again.text)
	}
	if cleared := s.put("/api/v1/owner/hours", `{"exceptions":[],"holidays":[]}`).wants(200); !strings.Contains(cleared.text, `"exceptions":[],"holidays":[]`) {
		t.Errorf("cleared: %s", cleared.text)
	}
	for body, field := range map[string]string{
		`{"weekly":[{"weekday":7,"closed":true}]}`:                                         "weekly[0].weekday",
		`{"weekly":[{"weekday":1,"closed":true},{"weekday":1,"closed":true}]}`:             "weekly[1].weekday",
		`{"weekly":[{"weekday":1,"opens":"8:30","closes":"22:00"}]}`:                       "weekly[0].opens",
		`{"weekly":[{"weekday":1,"opens":"08:30"}]}`:                                       "weekly[0].closes",
		`{"exceptions":[{"date":"2026-13-01","closed":true}]}`:                             "exceptions[0].date",
		`{"holidays":[{"date":"2026-12-12","name":"a"},{"date":"2026-12-12","name":"b"}]}`: "holidays[1].date",
		`{"slot_minutes":1}`: "slot_minutes",
	} {
		s.put("/api/v1/owner/hours", body).wants(422, "invalid_field").blames(field)
	}
	rules := s.put("/api/v1/owner/price-rules", `{"rules":[{"name":"早场","weekdays":[1,2,3,4,5],"band":{"from":"08:30","to":"12:00"},"courts":["c1"],"price":2000},
		{"name":"十二月","from":"2026-12-01","until":"2026-12-31","price":5000},{"name":"平时","price":4000}]}`).wants(200)
	if got := s.get("/api/v1/owner/price-rules", s.owner).wants(200); got.text != rules.text || !strings.Contains(got.text, `"band":{"from":"08:30","to":"12:00"}`) {
		t.Errorf("rules %s", got.text)
	}
	quote := s.post("/api/v1/quotes", s.customer, slot("c1", evening)).wants(200)
	if quote.json["total"] != 5000.0 || quote.str("slots", "price_rule") != "十二月" {
		t.Errorf("quote %s", quote.text)
	}
	s.put("/api/v1/owner/price-rules", `{"rules":[{"name":"x","courts":["c9"],"price":1},{"name":"y","price":1}]}`).wants(422).blames("rules[0].courts[0]")
}

func TestVenueCourtsGoodsCoupons(t *testing.T) {
	s := open(t)
	if got := s.put("/api/v1/owner/venue", `{"address":"新路 2 号"}`).wants(200); got.str("address") != "新路 2 号" || got.str("name") != "晨光羽毛球馆" {
		t.Errorf("venue %s", got.text)
	}
	court := s.post("/api/v1/owner/courts", s.owner, `{"name":"7号场"}`).wants(201)
	if court.str("id") != "c7" || court.header.Get("Location") != "/api/v1/owner/courts/c7" {
		t.Errorf("court %s", court.text)
	}
	s.put("/api/v1/owner/courts/c7", `{"active":false}`).wants(200)
	if got := s.get("/api/v1/owner/courts", s.owner).wants(200); len(got.json["items"].([]any)) != 7 {
		t.Errorf("courts %s", got.text)
	}
	if got := s.get("/api/v1/venue", "").wants(200); len(got.json["courts"].([]any)) != 6 {
		t.Errorf("courts on sale %s", got.text)
	}
	s.post("/api/v1/orders", s.customer, slot("c7", evening)).wants(422, "invalid_field").blames("slots[0].court")

	good := s.post("/api/v1/owner/goods", s.owner, `{"name":"毛巾","price":1500}`).wants(201)
	if good.str("id") != "g4" || good.json["available"] != 0.0 {
		t.Errorf("good %s", good.text)
	}
	s.post("/api/v1/owner/goods/g4/receipts", s.owner, `{"qty":5}`).wants(200)
	s.post("/api/v1/owner/goods/g4/receipts", s.owner, `{"qty":-5}`).wants(422).blames("qty")
	s.post("/api/v1/owner/goods/g4/adjustments", s.owner, `{"qty":-2}`).wants(422).blames("note")
	s.post("/api/v1/owner/goods/g4/adjustments", s.owner, `{"qty":-2,"note":"破损"}`).wants(200)
	s.post("/api/v1/owner/goods/g4/adjustments", s.owner, `{"qty":-4,"note":"破损"}`).wants(409, "out_of_stock")
	ledger := s.get("/api/v1/owner/goods/g4/ledger", s.owner).wants(200)
	if len(ledger.json["items"].([]any)) != 2 || ledger.str("items", "kind") != "adjust" || ledger.str("items", "note") != "破损" {
		t.Errorf("ledger %s", ledger.text)
	}
	if got := s.put("/api/v1/owner/goods/g4", `{"price":1600}`).wants(200); got.json["price"] != 1600.0 || got.str("name") != "毛巾" || got.json["available"] != 3.0 {
		t.Errorf("good %s", got.text)
	}

	coupon := s.post("/api/v1/owner/coupons", s.owner, `{"code":"xmas","name":"圣诞","amount":500,"valid_until":"2026-12-26T00:00:00+08:00","max_uses":3}`).wants(201)
	if coupon.str("code") != "XMAS" || coupon.json["active"] != true || coupon.json["valid_from"] != nil || coupon.header.Get("Location") != "/api/v1/owner/coupons/XMAS" {
		t.Errorf("coupon %s", coupon.text)
	}
	s.post("/api/v1/owner/coupons", s.owner, `{"code":"XMAS","name":"again","percent":5}`).wants(409, "code_exists")
	changed := s.put("/api/v1/owner/coupons/xmas", `{"active":false,"amount":0,"percent":5}`).wants(200)
	if changed.json["active"] != false || changed.json["percent"] != 5.0 || changed.json["max_uses"] != 3.0 {
		t.Errorf("coupon %s", changed.text)
	}
	if got := s.get("/api/v1/owner/coupons", s.owner).wants(200); len(got.json["items"].([]any)) != 4 {
		t.Errorf("coupons %s", got.text)
	}
}

func TestClosures(t *testing.T) {
	s := open(t)
	id := s.book(s.customer, slot("c1", evening))
	s.pay(s.customer, id)
	span := `"from":"2026-12-10T17:00:00+08:00","to":"2026-12-10T22:00:00+08:00"`
	for _, query := range []string{"courts=c1,c2", "courts=c2&courts=c1"} {
		preview := s.get("/api/v1/owner/closures/preview?"+query+"&from=2026-12-10T17:00:00%2B08:00&to=2026-12-10T22:00:00+08:00&reason=x&cancel_bookings=true", s.owner).wants(200)
		if preview.str("hits", "order") != id || preview.json["hits"].([]any)[0].(map[string]any)["refund"] != 6000.0 {
			t.Errorf("preview %s", preview.text)
		}
	}
	made := s.post("/api/v1/owner/closures", s.owner, `{"courts":["c1","c2"],`+span+`,"reason":"漏水","cancel_bookings":true}`).wants(201)
	closure := made.str("closure", "id")
	if made.json["cancelled"] != 1.0 || made.header.Get("Location") != "/api/v1/owner/closures/"+closure {
		t.Errorf("closure %s", made.text)
	}
	if got := s.get("/api/v1/orders/"+id, s.customer).wants(200); got.json["state"] != "cancelled" || got.json["refund_pending"] != 6000.0 {
		t.Errorf("the booking it hit: %s", got.text)
	}
	s.post("/api/v1/orders", s.customer, slot("c2", evening)).wants(409, "slot_closed").blames("slots[0]")
	if got := s.get("/api/v1/owner/closures", s.owner).wants(200); got.str("items", "id") != closure {
		t.Errorf("closures %s", got.text)
	}
	s.send(ask{method: http.MethodDelete, path: "/api/v1/owner/closures/" + closure, token: s.owner}).wants(200)
	s.post("/api/v1/orders", s.customer, slot("c2", evening)).wants(201)
}

func TestStaffAndAudit(t *testing.T) {
	s := open(t)
	made := s.post("/api/v1/owner/staff", s.owner, `{"username":"li","name":"小李","password":"a long password","role":"desk"}`).wants(201)
	if strings.Contains(made.text, "password") || strings.Contains(made.text, "argon") {
		t.Errorf("the answer tells the password: %s", made.text)
	}
	token := s.post("/api/v1/login/staff", "", `{"username":"li","password":"a long password"}`).wants(200).str("token")
	s.get("/api/v1/desk/day", token).wants(200)
	s.put("/api/v1/owner/staff/"+made.str("id"), `{"active":false}`).wants(200)
	s.get("/api/v1/desk/day", token).wants(401, "unauthenticated")
	s.post("/api/v1/login/staff", "", `{"username":"li","password":"a long password"}`).wants(401, "credentials_invalid")
	s.post("/api/v1/login/staff", "", `{"username":"nobody","password":"a long password"}`).wants(401, "credentials_invalid")
	s.post("/api/v1/owner/staff", s.owner, `{"username":"li","password":"a long password","role":"desk"}`).wants(409, "username_exists")
	list := s.get("/api/v1/owner/staff", s.owner).wants(200)
	for _, item := range list.json["items"].([]any) {
		if m := item.(map[string]any); m["username"] == "owner" {
			s.put("/api/v1/owner/staff/"+m["id"].(string), `{"role":"desk"}`).wants(409, "last_owner")
		}
	}
	first := s.get("/api/v1/owner/audit?limit=1", s.owner).wants(200)
	second := s.get("/api/v1/owner/audit?limit=1&cursor="+first.str("next"), s.owner).wants(200)
	if first.str("items", "action") != "change staff" || second.text == first.text {
		t.Errorf("audit %s then %s", first.text, second.text)
	}
}

func TestReconcilerCalls(t *testing.T) {
	s := open(t)
	if got := s.get("/api/v1/owner/reconciler", s.owner).wants(200); got.json["due"] != 0.0 || got.str("state") != "idle" {
		t.Errorf("reconciler %s", got.text)
	}
	for _, body := range []string{"", "{}", `{"dry_run":true}`, `{"retry_parked":true}`} {
		s.post("/api/v1/owner/reconciler/run", s.owner, body).wants(200)
	}
	if got := strings.Join(s.runs, ","); got != ",,dry,retry" {
		t.Errorf("rounds %q", got)
	}
}

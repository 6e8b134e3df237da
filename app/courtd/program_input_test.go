package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// programBad is a request that must be refused.
type programBad struct {
	what, method, path, body string
	status                   int
	reason, field            string
}

const (
	badOrders = "/api/v1/orders"
	goodSlot  = `{"court":"c1","start":"2026-12-10T17:30:00+08:00"}`
)

// programBadOrders are bodies of POST /orders.
var programBadOrders = []programBad{
	{what: "no body", body: "", status: 400, reason: "malformed"},
	{what: "broken JSON", body: `{"slots":[`, status: 400, reason: "malformed"},
	{what: "two documents", body: `{"goods":[{"id":"g3","qty":1}]}{}`, status: 400, reason: "malformed"},
	{what: "not UTF-8", body: "{\"coupon\":\"\xff\xfe\",\"slots\":[" + goodSlot + "]}", status: 0},
	{what: "a list", body: `[]`, status: 422, reason: "invalid_field"},
	{what: "null", body: `null`, status: 0},
	{what: "nothing wanted", body: `{}`, status: 422, reason: "invalid_field"},
	{what: "an unknown member", body: `{"slots":[` + goodSlot + `],"colour":"red"}`, status: 422, reason: "invalid_field", field: "colour"},
	{what: "an unknown member inside", body: `{"slots":[{"court":"c1","start":"2026-12-10T17:30:00+08:00","price":1}]}`, status: 422, reason: "invalid_field", field: "slots[0].price"},
	{what: "a total of the client's", body: `{"slots":[` + goodSlot + `],"total":1}`, status: 422, reason: "invalid_field", field: "total"},
	{what: "the wrong case", body: `{"goods":[{"id":"g3","QTY":1}]}`, status: 422, reason: "invalid_field"},
	{what: "slots as a text", body: `{"slots":"c1"}`, status: 422, reason: "invalid_field", field: "slots"},
	{what: "a court as a number", body: `{"slots":[{"court":1,"start":"2026-12-10T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].court"},
	{what: "a start as a number", body: `{"slots":[{"court":"c1","start":1796895000}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "no court", body: `{"slots":[{"start":"2026-12-10T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].court"},
	{what: "no start", body: `{"slots":[{"court":"c1"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "a time without offset", body: `{"slots":[{"court":"c1","start":"2026-12-10T17:30:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "a date alone", body: `{"slots":[{"court":"c1","start":"2026-12-10"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "the year 10000", body: `{"slots":[{"court":"c1","start":"10000-12-10T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "the 30th of February", body: `{"slots":[{"court":"c1","start":"2027-02-30T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "off the grid", body: `{"slots":[{"court":"c1","start":"2026-12-10T17:31:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "a second off the grid", body: `{"slots":[{"court":"c1","start":"2026-12-10T17:30:01+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "before opening", body: `{"slots":[{"court":"c1","start":"2026-12-10T07:00:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].start"},
	{what: "no such court", body: `{"slots":[{"court":"c99","start":"2026-12-10T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].court"},
	{what: "a slot that has begun", body: `{"slots":[{"court":"c1","start":"2026-12-10T11:30:00+08:00"}]}`, status: 409, reason: "slot_past"},
	{what: "yesterday", body: `{"slots":[{"court":"c1","start":"2026-12-09T17:30:00+08:00"}]}`, status: 409, reason: "slot_past"},
	{what: "too far ahead", body: `{"slots":[{"court":"c1","start":"2026-12-17T17:30:00+08:00"}]}`, status: 409, reason: "not_open_yet"},
	{what: "the same slot twice", body: `{"slots":[` + goodSlot + `,` + goodSlot + `]}`, status: 422, reason: "invalid_field", field: "slots[1]"},
	{what: "the same slot by another offset", body: `{"slots":[` + goodSlot + `,{"court":"c1","start":"2026-12-10T09:30:00Z"}]}`, status: 422, reason: "invalid_field", field: "slots[1]"},
	{what: "nine slots", body: `{"slots":[` + strings.TrimSuffix(strings.Repeat(goodSlot+",", 9), ",") + `]}`, status: 422, reason: "invalid_field", field: "slots"},
	{what: "a good twice", body: `{"goods":[{"id":"g3","qty":1},{"id":"g3","qty":1}]}`, status: 422, reason: "invalid_field", field: "goods[1].id"},
	{what: "no pieces", body: `{"goods":[{"id":"g3","qty":0}]}`, status: 422, reason: "invalid_field", field: "goods[0].qty"},
	{what: "negative pieces", body: `{"goods":[{"id":"g3","qty":-1}]}`, status: 422, reason: "invalid_field", field: "goods[0].qty"},
	{what: "half a piece", body: `{"goods":[{"id":"g3","qty":0.5}]}`, status: 422, reason: "invalid_field", field: "goods[0].qty"},
	{what: "pieces as a text", body: `{"goods":[{"id":"g3","qty":"1"}]}`, status: 422, reason: "invalid_field", field: "goods[0].qty"},
	{what: "far too many pieces", body: `{"goods":[{"id":"g3","qty":1e30}]}`, status: 422, reason: "invalid_field", field: "goods[0].qty"},
	{what: "more than there are", body: `{"goods":[{"id":"g3","qty":49}]}`, status: 409, reason: "out_of_stock"},
	{what: "no such good", body: `{"goods":[{"id":"g99","qty":1}]}`, status: 422, reason: "invalid_field", field: "goods[0].id"},
	{what: "no such coupon", body: `{"slots":[` + goodSlot + `],"coupon":"NOPE"}`, status: 409, reason: "coupon_invalid"},
	{what: "a coupon of 200 characters", body: `{"slots":[` + goodSlot + `],"coupon":"` + strings.Repeat("A", 200) + `"}`, status: 422, reason: "invalid_field", field: "coupon"},
	{what: "a coupon with NUL", body: `{"slots":[` + goodSlot + `],"coupon":"ONCE20\u0000"}`, status: 422, reason: "invalid_field", field: "coupon"},
	{what: "SQL as a court", body: `{"slots":[{"court":"c1' OR '1'='1","start":"2026-12-10T17:30:00+08:00"}]}`, status: 422, reason: "invalid_field", field: "slots[0].court"},
	{what: "a megabyte", body: `{"slots":[` + goodSlot + `],"coupon":"` + strings.Repeat("A", 1<<20) + `"}`, status: 413, reason: "body_too_large"},
}

// programBadNames are names that are refused. One's own name may be taken away: PUT /me
// takes an empty one.
var programBadNames = []string{"", " ", strings.Repeat("长", 200), strings.Repeat("长", 41), "a\x00b", "a\u202eb", "a\u200eb", "a\u2066b", "a\u200bb", "a\nb", "a\rb", "\ufeffa", "\u007f"}

// TestBadInput: whatever is wrong is a refusal that says what, and nothing is written.
func TestBadInput(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a := c.customer("13800000001")
	id := c.book(a, programGoods("g2", 1, ""))
	code := c.post("/api/v1/login/code", "", programBody{"phone": "13800000002"}).str("code")
	before := c.dump()
	refuse := func(bad programBad, token string, header map[string]string) {
		t.Helper()
		ask := programAsk{method: bad.method, path: bad.path, token: token, header: header}
		if bad.body != "" {
			ask.body = bad.body
		}
		got := c.send(ask)
		switch {
		case got.status < 400 || got.status >= 500 || (bad.status != 0 && got.status != bad.status):
			t.Errorf("%s: status %d, want %d: %s", bad.what, got.status, bad.status, got.text)
		case got.header.Get("Content-Type") != "application/problem+json" || got.json["reason"] == nil || (bad.reason != "" && got.json["reason"] != bad.reason):
			t.Errorf("%s: want %s: %s", bad.what, bad.reason, got.text)
		}
		blamed := bad.field == ""
		list, _ := got.json["errors"].([]any)
		for _, e := range list {
			blamed = blamed || programMap(e)["field"] == bad.field
		}
		if !blamed {
			t.Errorf("%s: nothing about %s: %s", bad.what, bad.field, got.text)
		}
	}
	for _, bad := range programBadOrders {
		bad.method, bad.path = http.MethodPost, badOrders
		refuse(bad, a, nil)
		bad.path, bad.what = "/api/v1/quotes", bad.what+" in a quote"
		refuse(bad, a, nil)
	}
	for _, name := range programBadNames {
		text, err := json.Marshal(programBody{"name": name})
		programOK(t, err)
		if strings.TrimSpace(name) != "" {
			refuse(programBad{what: "the name " + string(text), method: http.MethodPut, path: "/api/v1/me", body: string(text), status: 422, reason: "invalid_field", field: "name"}, a, nil)
		}
		call, err := json.Marshal(programBody{"slots": programSlot("c1", "17:30")["slots"], "pay": "cash", "customer": programBody{"name": name}})
		programOK(t, err)
		refuse(programBad{what: "the caller " + string(text), method: http.MethodPost, path: "/api/v1/desk/orders", body: string(call), status: 422, reason: "invalid_field"}, c.desk, nil)
	}
	for _, bad := range []programBad{
		{what: "a phone of letters", method: "POST", path: "/api/v1/login/code", body: `{"phone":"call me"}`, status: 422, reason: "invalid_field", field: "phone"},
		{what: "a phone of 16 digits", method: "POST", path: "/api/v1/login/code", body: `{"phone":"1234567890123456"}`, status: 422, reason: "invalid_field", field: "phone"},
		{what: "a phone as a number", method: "POST", path: "/api/v1/login/code", body: `{"phone":13800000001}`, status: 422, reason: "invalid_field", field: "phone"},
		{what: "a password of a megabyte's half", method: "POST", path: "/api/v1/login/staff", body: `{"username":"desk","password":"` + strings.Repeat("p", 60_000) + `"}`, status: 422, reason: "invalid_field", field: "password"},
		{what: "no via", method: "POST", path: badOrders + "/" + id + "/payments", body: `{}`, status: 422, reason: "invalid_field", field: "via"},
		{what: "a via that is none", method: "POST", path: badOrders + "/" + id + "/payments", body: `{"via":"gold"}`, status: 422, reason: "invalid_field", field: "via"},
		{what: "no date", method: "GET", path: "/api/v1/availability", status: 422, reason: "invalid_field", field: "date"},
		{what: "a date that is none", method: "GET", path: "/api/v1/availability?date=2026-13-01", status: 422, reason: "invalid_field", field: "date"},
		{what: "a date far away", method: "GET", path: "/api/v1/availability?date=9999-12-31", status: 422, reason: "invalid_field", field: "date"},
		{what: "an unknown parameter", method: "GET", path: "/api/v1/availability?date=2026-12-10&court=c1", status: 422, reason: "invalid_field", field: "court"},
		{what: "a page of 101", method: "GET", path: badOrders + "?limit=101", status: 422, reason: "invalid_field", field: "limit"},
		{what: "a page of -1", method: "GET", path: badOrders + "?limit=-1", status: 422, reason: "invalid_field", field: "limit"},
		{what: "a cursor that is none", method: "GET", path: badOrders + "?cursor=xyz", status: 422, reason: "invalid_field", field: "cursor"},
		{what: "an address with a control character", method: "GET", path: badOrders + "/%00", status: 404, reason: "not_found"},
		{what: "an address out of the tree", method: "GET", path: "/static/../../etc/passwd", status: 404},
		{what: "PATCH", method: "PATCH", path: badOrders, status: 405, reason: "method_not_allowed"},
		{what: "DELETE", method: "DELETE", path: badOrders + "/" + id, status: 405, reason: "method_not_allowed"},
		{what: "GET of a command", method: "GET", path: badOrders + "/" + id + "/cancel", status: 405, reason: "method_not_allowed"},
		{what: "PUT of a list", method: "PUT", path: badOrders, body: `{}`, status: 405, reason: "method_not_allowed"},
		{what: "nothing there", method: "GET", path: "/api/v1/nothing", status: 404, reason: "not_found"},
	} {
		refuse(bad, a, nil)
	}
	slot := programBad{method: http.MethodPost, path: badOrders, body: `{"slots":[` + goodSlot + `]}`, status: 422, reason: "invalid_field", field: "Idempotency-Key"}
	slot.what = "a key that is too long"
	refuse(slot, a, map[string]string{"Idempotency-Key": strings.Repeat("k", 65)})
	slot.what = "a key with a blank"
	refuse(slot, a, map[string]string{"Idempotency-Key": "a b"})
	slot.what, slot.status, slot.reason, slot.field = "a body that is no JSON by its type", 415, "unsupported_media_type", ""
	refuse(slot, a, map[string]string{"Content-Type": "text/plain"})
	slot.what, slot.status, slot.reason = "headers of 10 KiB", 431, "headers_too_large"
	refuse(slot, a, map[string]string{"X-Long": strings.Repeat("x", 10<<10)})
	slot.what, slot.status, slot.reason = "a token that is none", 401, "unauthenticated"
	refuse(slot, strings.Repeat("x", 200), nil)
	c.badSettings(refuse)
	programSame(t, before, c.dump())
	c.post("/api/v1/login", "", programBody{"phone": "13800000002", "code": code}).wants(200) // all of it still works
	c.book(a, programSlot("c1", "17:30"))
}

// badSettings are what the owner may not set; one bad value refuses all.
func (c *programClub) badSettings(refuse func(programBad, string, map[string]string)) {
	for body, field := range map[string]string{
		`{"hold_minutes":-1,"strikes":5}`: "hold_minutes",
		`{"no_show_refund_percent":101}`:  "no_show_refund_percent",
		`{"opens_at":"7 o'clock"}`:        "opens_at",
		`{"refund_ladder":[{"hours_before":1,"percent":5},{"hours_before":2,"percent":5}]}`: "refund_ladder[1].hours_before",
		`{"hold_minutes":"10"}`: "hold_minutes",
		`{"hold_minuets":10}`:   "hold_minuets",
	} {
		refuse(programBad{what: "the policy " + body, method: "PUT", path: "/api/v1/owner/policy", body: body, status: 422, reason: "invalid_field", field: field}, c.owner, nil)
	}
	for _, bad := range []programBad{
		{path: "/api/v1/owner/goods", method: "POST", body: `{"name":"球","price":-1}`, field: "price"},
		{path: "/api/v1/owner/goods/g1/receipts", method: "POST", body: `{"qty":-5}`, field: "qty"},
		{path: "/api/v1/owner/closures", method: "POST", body: `{"courts":["c1"],"from":"2026-12-10T18:00:00+08:00","to":"2026-12-10T17:00:00+08:00"}`, field: "to"},
		{path: "/api/v1/owner/coupons", method: "POST", body: `{"code":"X Y","name":"x","percent":10}`, field: "code"},
		{path: "/api/v1/owner/price-rules", method: "PUT", body: `{"rules":[]}`, field: "rules"},
		{path: "/api/v1/owner/hours", method: "PUT", body: `{"slot_minutes":0}`, field: "slot_minutes"},
	} {
		bad.what, bad.status, bad.reason = bad.path+" "+bad.body, 422, "invalid_field"
		refuse(bad, c.owner, nil)
	}
}

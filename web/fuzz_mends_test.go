package web_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app"
)

// TestNumbersAndMembersAreOneThing sends what JSON leaves open: a member that stands twice,
// and numbers that some programs take for whole ones. The field is named, and nothing is
// carried out.
func TestNumbersAndMembersAreOneThing(t *testing.T) {
	s := open(t)
	before := s.rows()
	for body, field := range map[string]string{
		`{"goods":[{"id":"g1","qty":1.0}]}`:                                                "goods[0].qty",
		`{"goods":[{"id":"g1","qty":1},{"id":"g2","qty":1e0}]}`:                            "goods[1].qty",
		`{"goods":[{"id":"g1","qty":1e400}],"slots":[]}`:                                   "goods[0].qty",
		`{"goods":[{"qty":1,"id":"g1","qty":2}]}`:                                          "goods[0].qty",
		`{"goods":[{"id":"g1","q\u0074y":2,"qty":2}]}`:                                     "goods[0].qty",
		`{"goods":[],"slots":[{"court":"c1","start":"` + evening + `"}],"goods":[]}`:       "goods",
		`{"slots":[{"court":"c1","start":"` + evening + `"}],"coupon":null,"coupon":null}`: "coupon",
	} {
		s.post("/api/v1/orders", s.customer, body).wants(422, "invalid_field").blames(field)
	}
	s.post("/api/v1/owner/goods", s.owner, `{"name":"x","price":9223372036854775808}`).wants(422, "invalid_field").blames("price")
	s.send(ask{method: "PUT", path: "/api/v1/owner/price-rules", token: s.owner, body: `{"rules":[{"name":"x","price":1,"weekdays":[1,2.0]}]}`}).
		wants(422, "invalid_field").blames("rules[0].weekdays[1]")
	s.send(ask{method: "PUT", path: "/api/v1/owner/policy", token: s.owner, body: `{"refund_ladder":1e400,"strikes":1}`}).wants(422, "invalid_field").blames("refund_ladder")
	if s.rows() != before {
		t.Error("something was written")
	}
	// Strangers learn nothing of their bodies; the same name in two objects is two members.
	s.post("/api/v1/orders", "", `{"goods":[],"goods":[]}`).wants(401, "unauthenticated")
	s.post("/api/v1/orders", s.customer, `{"goods":[{"id":"g1","qty":1},{"id":"g2","qty":1}]}`).wants(201)
}

// TestAFormOfWhatIsGone sends forms that are wrong and whose page is not there: the
// operator's log has no fault of ours in it.
func TestAFormOfWhatIsGone(t *testing.T) {
	s := open(t)
	account := app.Demo().Accounts["owner"]
	cookie, csrf := s.browser(account.Username, account.Password)
	for _, path := range []string{"/owner/webhooks/nothing/replay"} {
		s.fromForm(path, cookie, url.Values{"csrf": {csrf}, "nonce": {"n"}, "from": {"x"}}).wants(422)
	}
	if strings.Contains(s.log.String(), "request failed") {
		t.Errorf("the log says %s", s.log)
	}
}

// TestAPageIsText sends bytes that are no text in a form that is drawn again with them.
func TestAPageIsText(t *testing.T) {
	s := open(t)
	account := app.Demo().Accounts["owner"]
	cookie, csrf := s.browser(account.Username, account.Password)
	page := s.fromForm("/owner/goods/g1/receipts", cookie, url.Values{"csrf": {csrf}, "qty": {""}, "note": {"a\xffb"}}).wants(422)
	if !utf8.ValidString(page.text) || !strings.Contains(page.text, "a\uFFFDb") {
		t.Errorf("the page is %q", page.text)
	}
}

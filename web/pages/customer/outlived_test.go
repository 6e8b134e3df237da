package customer_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// send posts a form with what a browser says of where it comes from.
func send(b *clubtest.Browser, path, token string, headers map[string]string, pairs ...string) clubtest.Page {
	form := url.Values{}
	if token != "" {
		form.Set("csrf", token)
	}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	return b.Do(r)
}

// ours is what a browser says of a form of this site.
var ours = map[string]string{"Origin": "http://example.com", "Sec-Fetch-Site": "same-origin"}

// TestAFormOutlivesItsSession: nothing is done, nothing is lost, and there is a way on.
func TestAFormOutlivesItsSession(t *testing.T) {
	k := clubtest.Open(t, true)
	slot := clubtest.Slot(t, "c2", "17:30")
	b := k.Browser()
	before := b.Token() // signed out
	other := k.Customer("13800000001")
	b.Cookies["courtd_session"] = other.Cookies["courtd_session"] // another tab signs in
	send(b, "/orders", before, ours, "slot", slot).Want(409).Says("请再确认一次").Has(slot+`"`, " checked")
	b.Get("/orders").Says("没有未完成的订单")
	send(b, "/login", before, ours, "phone", "13800000001", "code", "1", "next", "/rules").WantRedirect("/rules")
	send(b, "/orders/x/cancel", before, ours).Want(409).Says("请再确认一次").Has(`href="/orders/x"`)

	mine := b.Token()
	delete(b.Cookies, "courtd_session") // and another one signs out
	to := send(b, "/orders", mine, ours, "slot", slot, "coupon", "SAVE").Want(303).Location
	if !strings.HasPrefix(to, "/login?next=") || !strings.Contains(to, url.QueryEscape(url.QueryEscape(slot))) {
		t.Errorf("the choice is not kept: %s", to)
	}
	send(b, "/orders/x/cancel", mine, ours).WantRedirect("/login?next=%2Forders%2Fx")
	send(b, "/login", mine, ours, "next", "/rules").WantRedirect("/login?next=%2Frules")
	send(b, "/logout", mine, ours).WantRedirect("/")
	send(b, "/desk/checkins", mine, ours, "code", "x").WantRedirect("/desk/login?next=%2Fdesk")
	send(b, "/owner/venue", mine, ours).WantRedirect("/desk/login?next=%2Fowner")

	desk := k.Desk()
	send(desk, "/desk/login", before, ours, "next", "/desk/todo").WantRedirect("/desk/todo")
}

// TestForeignFormsStayOut: no form of another site, and none that the browser does
// not vouch for, does anything or learns the way on.
func TestForeignFormsStayOut(t *testing.T) {
	k := clubtest.Open(t, true)
	mine, theirs, desk := k.Customer("13800000001"), k.Customer("13800000002"), k.Desk()
	slot := clubtest.Slot(t, "c2", "17:30")
	forms := []struct {
		who   *clubtest.Browser
		path  string
		pairs []string
	}{
		{mine, "/orders", []string{"slot", slot}}, {mine, "/logout", nil}, {mine, "/login/code", []string{"phone", "13800000009"}},
		{desk, "/desk/checkins", []string{"code", "x"}}, {desk, "/desk/orders", []string{"slot", slot, "name", "x", "phone", "13800000009"}},
	}
	texts := len(k.Texts)
	for _, f := range forms {
		good, other := f.who.Token(), theirs.Token()
		for _, c := range []struct {
			name, token string
			headers     map[string]string
		}{
			{"a foreign origin", good, map[string]string{"Origin": "https://evil.example"}},
			{"no origin to speak of", good, map[string]string{"Origin": "null"}},
			{"another site", good, map[string]string{"Sec-Fetch-Site": "cross-site"}},
			{"a neighbour", good, map[string]string{"Sec-Fetch-Site": "same-site"}},
			{"another's token from another site", other, map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}},
			{"another's token and our origin with a foreign site", other, map[string]string{"Origin": "http://example.com", "Sec-Fetch-Site": "cross-site"}},
			{"another's token", other, nil},
			{"no token", "", ours},
			{"no token and no word", "", nil},
			{"garbage", "garbage", ours},
		} {
			if p := send(f.who, f.path, c.token, c.headers, f.pairs...); p.Status != 403 {
				t.Errorf("%s, %s: %d", f.path, c.name, p.Status)
			}
		}
		if p := send(f.who, f.path, other, ours, f.pairs...); p.Status != 409 && p.Status != 303 {
			t.Errorf("%s, another's token from here: %d", f.path, p.Status)
		}
	}
	mine.Get("/orders").Want(200).Says("没有未完成的订单") // still signed in, and nothing booked
	desk.Get("/desk").Want(200)
	if len(k.Texts) != texts {
		t.Error("a code was sent")
	}
	k.Customer("13800000003").Book("slot", slot) // nobody has it
}

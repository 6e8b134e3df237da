package pages_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

const browsersAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// Whoever types an address that does not exist reads a page; programs are answered
// as ever.
func TestMissingPages(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	ask := func(method, path, accept string) clubtest.Page {
		t.Helper()
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Accept", accept)
		return b.Do(r)
	}
	for _, path := range []string{"/nothing", "/nothing/at/all", "/orders/x/y/z", "/owner/nothing", "/api-of-mine", "/%E5%9C%BA"} {
		p := ask("GET", path, browsersAccept).Want(404).Says("找不到这个页面", "退出").Has(`href="/"`)
		checkMarkup(t, path, p)
		if p := ask("HEAD", path, browsersAccept); p.Status != 404 || p.Body != "" || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
			t.Errorf("HEAD %s: status %d, %q", path, p.Status, p.Header.Get("Content-Type"))
		}
	}
	ask("GET", "/nothing?lang=en", browsersAccept).WantRedirect("/nothing")
	ask("GET", "/nothing", browsersAccept).Want(404).Says("There is no such page").HasNot("找不到")
	for path, accept := range map[string]string{"/nothing": "*/*", "/other": "application/json", "/third": "",
		"/api/v1/nothing": browsersAccept, "/api": browsersAccept, "/demo/nothing": browsersAccept, "/pay/nothing": browsersAccept, "/static/x/nothing.css": browsersAccept} {
		p := ask("GET", path, accept).Want(404)
		if kind := p.Header.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s for %q is %q", path, accept, kind)
		}
	}
	// What has another method there is still told so.
	if p := ask("POST", "/nothing", browsersAccept); p.Status != 404 {
		t.Errorf("POST to nothing: status %d", p.Status)
	}
	if p := ask("DELETE", "/api/v1/orders", browsersAccept); p.Status != 405 {
		t.Errorf("a method that is not served: status %d", p.Status)
	}
}

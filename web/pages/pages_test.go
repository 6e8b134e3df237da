package pages_test

import (
	"courtd/web/pages/clubtest"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"courtd/app"
	"courtd/sqlite"
)

func TestEveryPageForEveryRole(t *testing.T) {
	k := clubtest.Open(t, true)
	anyone, customer, other, desk := k.Browser(), k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	order := customer.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	if p := anyone.Do(httptest.NewRequest("HEAD", "/", nil)); p.Status != 200 || p.Body != "" {
		t.Errorf("HEAD: status %d with %d bytes", p.Status, len(p.Body))
	}
	for _, row := range []struct {
		path                            string
		anyone, customer, other, atDesk int
	}{
		{"/", 200, 200, 200, 200},
		{"/?date=2026-12-16", 200, 200, 200, 200},
		{"/?date=2020-01-01", 422, 422, 422, 422},
		{"/?date=yesterday", 422, 422, 422, 422},
		{"/login", 200, 303, 303, 200},
		{"/orders", 303, 200, 200, 303},
		{"/orders?cursor=x", 303, 422, 422, 303},
		{order, 303, 200, 404, 200},
		{order + "?check=1", 303, 200, 404, 200},
		{order + "/cancel", 303, 200, 404, 303},
		{order + "/pay", 303, 303, 303, 303},
		{"/orders/nonsense", 303, 404, 404, 404},
		{"/desk/login", 200, 200, 200, 303},
		{"/desk", 303, 303, 303, 200},
		{"/desk?date=2026-12-11", 303, 303, 303, 200},
		{"/desk/checkins", 303, 303, 303, 303},
	} {
		for _, seen := range []struct {
			who    string
			by     *clubtest.Browser
			status int
		}{{"anyone", anyone, row.anyone}, {"customer", customer, row.customer}, {"other", other, row.other}, {"desk", desk, row.atDesk}} {
			p := seen.by.Get(row.path)
			if p.Status != seen.status {
				t.Errorf("%s for %s: status %d, want %d", row.path, seen.who, p.Status, seen.status)
			}
			if p.Status != 303 {
				checkMarkup(t, row.path+" for "+seen.who, p)
			}
		}
	}
}

var (
	inlineStyle  = regexp.MustCompile(`(?i)<style|\sstyle=`)
	inlineScript = regexp.MustCompile(`(?i)<script[^>]*>[^<]|\son[a-z]+=|javascript:`)
	otherHosts   = regexp.MustCompile(`(?i)(?:src|href|action)="(?:https?:)?//`)
	dateFields   = regexp.MustCompile(`<input[^>]*type="date[^>]*>`)
	postForms    = regexp.MustCompile(`(?s)<form method="post".*?</form>`)
)

// checkMarkup holds a page to what its security policy allows.
func checkMarkup(t *testing.T, name string, p clubtest.Page) {
	t.Helper()
	if kind := p.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("%s: content type %q", name, kind)
	}
	if p.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: may be kept: %q", name, p.Header.Get("Cache-Control"))
	}
	csp := p.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
		t.Errorf("%s: policy %q", name, csp)
	}
	for what, pattern := range map[string]*regexp.Regexp{"inline style": inlineStyle, "inline script": inlineScript, "another host": otherHosts} {
		if found := pattern.FindString(p.Body); found != "" {
			t.Errorf("%s: %s: %q", name, what, found)
		}
	}
	for _, field := range dateFields.FindAllString(p.Body, -1) {
		if !strings.Contains(field, ` max="9999-12-31`) {
			t.Errorf("%s: a year of six digits may be typed into %s", name, field)
		}
	}
	forms := postForms.FindAllString(p.Body, -1)
	for _, form := range forms {
		if !strings.Contains(form, `name="csrf"`) {
			t.Errorf("%s: a form without a token: %s", name, form)
		}
	}
	if strings.Contains(p.Body, "ZgotmplZ") {
		t.Errorf("%s: the template engine refused a value", name)
	}
}

func TestForgedForms(t *testing.T) {
	k := clubtest.Open(t, true)
	victim, thief, stranger := k.Customer("13800138000"), k.Customer("13900139000"), k.Browser()
	order := victim.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	want, shown := clubtest.Slot(t, "c2", "17:30"), victim.Get(order + "/cancel").Form(order + "/cancel")["shown"]
	for name, token := range map[string]string{"none": "", "another session's": thief.Token(), "a visitor's": stranger.Token(), "made up": "AAAA"} {
		victim.Send("/orders", url.Values{"csrf": {token}, "slot": {want}}).Want(403).Says("页面已过期")
		victim.Send(order+"/cancel", url.Values{"csrf": {token}, "shown": shown}).Want(403)
		victim.Send("/logout", url.Values{"csrf": {token}}).Want(403)
		if t.Failed() {
			t.Fatalf("with the token: %s", name)
		}
	}
	if got := strings.Count(victim.Get("/orders").Body, `class="card" href="/orders/`); got != 1 {
		t.Errorf("%d orders after forged forms, want 1", got)
	}
	victim.Get(order).Says("待付款")
	victim.Post("/orders", "slot", want).Want(303) // and the right one works
}

func TestNamesAreShownLiterally(t *testing.T) {
	k := clubtest.Open(t, true)
	ctx, nasty := t.Context(), `<script>alert("a")</script>`
	desk := k.Desk()
	staff, err := k.App.WhoIs(ctx, desk.Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = k.App.ChangeCourt(ctx, staff, "c1", func(c *sqlite.Court) error { c.Name = nasty; return nil })
	clubtest.Must(t, err)
	_, err = k.App.ChangeGood(ctx, staff, "g1", func(g *sqlite.Good) error { g.Name = nasty; return nil })
	clubtest.Must(t, err)
	req := app.OrderRequest{Slots: []app.SlotRef{{Court: "c1", Start: clubtest.At(t, "2026-12-10T17:30:00+08:00")}}, Goods: []app.GoodRef{{ID: "g1", Qty: 1}}}
	made, _, err := k.App.DeskOrder(ctx, staff, req, app.Caller{Name: nasty, Phone: "13800138000"}, "cash", "")
	clubtest.Must(t, err)
	customer := k.Customer("13800138000")
	seen := 0
	for _, p := range []clubtest.Page{
		customer.Get("/"), customer.Get("/orders"), customer.Get("/orders/" + made.ID), customer.Get("/orders/" + made.ID + "/cancel"),
		customer.Post("/orders", "coupon", nasty, "slot", nasty, "qty."+nasty, "1"),
		desk.Get("/desk"), desk.Get("/orders/" + made.ID), desk.Post("/desk/checkins", "code", nasty),
		k.Browser().Post("/login/code", "phone", nasty), k.Browser().Post("/desk/login", "username", nasty, "password", nasty),
		k.Browser().Get("/login?next=" + url.QueryEscape("/"+nasty)), k.Browser().Get("/?date=" + url.QueryEscape(nasty)),
	} {
		p.HasNot("<script>alert")
		if strings.Contains(p.Body, "&lt;script&gt;alert(&#34;a&#34;)") {
			seen++
		}
	}
	if seen < 8 {
		t.Errorf("only %d pages show the name at all", seen)
	}
}

func TestStoreTroubleIsAPage(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Browser()
	clubtest.Must(t, k.DB.Close())
	p := b.Get("/")
	if p.Status != 503 && p.Status != 500 {
		t.Fatalf("status %d", p.Status)
	}
	if strings.Contains(strings.ToLower(p.Body), "sql") || !strings.Contains(p.Body, "<!doctype html>") {
		t.Errorf("the page tells too much, or is none:\n%s", p.Body)
	}
}

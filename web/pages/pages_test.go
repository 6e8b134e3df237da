package pages_test

import (
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages"
)

func TestEveryPageForEveryRole(t *testing.T) {
	k := openClub(t, true)
	anyone, customer, other, desk := k.browser(), k.customer("13800138000"), k.customer("13900139000"), k.desk()
	order := customer.book("slot", slot(t, "c1", "17:30"), "qty.g1", "2")
	if p := anyone.do(httptest.NewRequest("HEAD", "/", nil)); p.status != 200 || p.body != "" {
		t.Errorf("HEAD: status %d with %d bytes", p.status, len(p.body))
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
			by     *browser
			status int
		}{{"anyone", anyone, row.anyone}, {"customer", customer, row.customer}, {"other", other, row.other}, {"desk", desk, row.atDesk}} {
			p := seen.by.get(row.path)
			if p.status != seen.status {
				t.Errorf("%s for %s: status %d, want %d", row.path, seen.who, p.status, seen.status)
			}
			if p.status != 303 {
				checkMarkup(t, row.path+" for "+seen.who, p)
			}
		}
	}
}

var (
	inlineStyle  = regexp.MustCompile(`(?i)<style|\sstyle=`)
	inlineScript = regexp.MustCompile(`(?i)<script[^>]*>[^<]|\son[a-z]+=|javascript:`)
	otherHosts   = regexp.MustCompile(`(?i)(?:src|href|action)="(?:https?:)?//`)
	postForms    = regexp.MustCompile(`(?s)<form method="post".*?</form>`)
)

// checkMarkup holds a page to what its security policy allows.
func checkMarkup(t *testing.T, name string, p page) {
	t.Helper()
	if kind := p.header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("%s: content type %q", name, kind)
	}
	if p.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: may be kept: %q", name, p.header.Get("Cache-Control"))
	}
	csp := p.header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
		t.Errorf("%s: policy %q", name, csp)
	}
	for what, pattern := range map[string]*regexp.Regexp{"inline style": inlineStyle, "inline script": inlineScript, "another host": otherHosts} {
		if found := pattern.FindString(p.body); found != "" {
			t.Errorf("%s: %s: %q", name, what, found)
		}
	}
	forms := postForms.FindAllString(p.body, -1)
	for _, form := range forms {
		if !strings.Contains(form, `name="csrf"`) {
			t.Errorf("%s: a form without a token: %s", name, form)
		}
	}
	if strings.Contains(p.body, "ZgotmplZ") {
		t.Errorf("%s: the template engine refused a value", name)
	}
}

func TestForgedForms(t *testing.T) {
	k := openClub(t, true)
	victim, thief, stranger := k.customer("13800138000"), k.customer("13900139000"), k.browser()
	order := victim.book("slot", slot(t, "c1", "17:30"))
	want := slot(t, "c2", "17:30")
	for name, token := range map[string]string{"none": "", "another session's": thief.token(), "a visitor's": stranger.token(), "made up": "AAAA"} {
		victim.send("/orders", url.Values{"csrf": {token}, "slot": {want}}).want(403).says("页面已过期")
		victim.send(order+"/cancel", url.Values{"csrf": {token}, "amount": {"0"}}).want(403)
		victim.send("/logout", url.Values{"csrf": {token}}).want(403)
		if t.Failed() {
			t.Fatalf("with the token: %s", name)
		}
	}
	if got := strings.Count(victim.get("/orders").body, `class="card" href="/orders/`); got != 1 {
		t.Errorf("%d orders after forged forms, want 1", got)
	}
	victim.get(order).says("待付款")
	victim.post("/orders", "slot", want).want(303) // and the right one works
}

func TestNamesAreShownLiterally(t *testing.T) {
	k := openClub(t, true)
	ctx, nasty := t.Context(), `<script>alert("a")</script>`
	desk := k.desk()
	staff, err := k.app.WhoIs(ctx, desk.cookies["courtd_session"])
	must(t, err)
	_, err = k.app.PutCourt(ctx, staff, sqlite.Court{ID: "c1", Name: nasty, Position: 1, Active: true})
	must(t, err)
	_, err = k.app.PutGood(ctx, staff, sqlite.Good{ID: "g1", Name: nasty, PriceFen: 3000, Position: 1, Active: true})
	must(t, err)
	req := app.OrderRequest{Slots: []app.SlotRef{{Court: "c1", Start: at(t, "2026-12-10T17:30:00+08:00")}}, Goods: []app.GoodRef{{ID: "g1", Qty: 1}}}
	made, _, err := k.app.DeskOrder(ctx, staff, req, app.Caller{Name: nasty, Phone: "13800138000"}, "cash", "")
	must(t, err)
	customer := k.customer("13800138000")
	seen := 0
	for _, p := range []page{
		customer.get("/"), customer.get("/orders"), customer.get("/orders/" + made.ID), customer.get("/orders/" + made.ID + "/cancel"),
		customer.post("/orders", "coupon", nasty, "slot", nasty, "qty."+nasty, "1"),
		desk.get("/desk"), desk.get("/orders/" + made.ID), desk.post("/desk/checkins", "code", nasty),
		k.browser().post("/login/code", "phone", nasty), k.browser().post("/desk/login", "username", nasty, "password", nasty),
		k.browser().get("/login?next=" + url.QueryEscape("/"+nasty)), k.browser().get("/?date=" + url.QueryEscape(nasty)),
	} {
		p.hasNot("<script>alert")
		if strings.Contains(p.body, "&lt;script&gt;alert(&#34;a&#34;)") {
			seen++
		}
	}
	if seen < 8 {
		t.Errorf("only %d pages show the name at all", seen)
	}
}

func TestBrokenTemplatesFailAtTheStart(t *testing.T) {
	must(t, pages.CheckTemplates(pages.Sources))
	for name, broken := range map[string]string{
		"syntax":                 `{{define "main"}}{{if}}{{end}}`,
		"a field nobody has":     `{{define "main"}}{{.Nobody}}{{end}}`,
		"a field in a full page": `{{define "main"}}{{with .Refusal}}{{.Nobody}}{{end}}{{end}}`,
		"a function nobody has":  `{{define "main"}}{{nothing .}}{{end}}`,
		"a part that is missing": `{{define "main"}}{{template "nothing" .}}{{end}}`,
		"no main":                `{{define "mian"}}{{end}}`,
	} {
		from := fstest.MapFS{}
		for _, file := range []string{"layout", "parts", "grid", "login", "orders", "order", "cancel", "desk_login", "desk", "refusal"} {
			path := "templates/" + file + ".html"
			text, err := pages.Sources.(interface{ ReadFile(string) ([]byte, error) }).ReadFile(path)
			must(t, err)
			from[path] = &fstest.MapFile{Data: text}
		}
		must(t, pages.CheckTemplates(from))
		from["templates/desk.html"] = &fstest.MapFile{Data: []byte(broken)}
		if err := pages.CheckTemplates(from); err == nil {
			t.Errorf("%s: nothing was noticed", name)
		}
	}
}

func TestOnlyOwnPagesFollowALogin(t *testing.T) {
	for next, want := range map[string]string{
		"/orders?x=1": "/orders?x=1", "": "/", "orders": "/", "//evil.example": "/", `/\evil.example`: "/", "https://evil.example": "/",
		"/a\r\nSet-Cookie: x=1": "/", "/\tx": "/", "/" + strings.Repeat("a", 3000): "/",
	} {
		if got := pages.SafeNext(next, "/"); got != want {
			t.Errorf("after %q: %q, want %q", next, got, want)
		}
	}
}

func TestStoreTroubleIsAPage(t *testing.T) {
	k := openClub(t, true)
	b := k.browser()
	must(t, k.db.Close())
	p := b.get("/")
	if p.status != 503 && p.status != 500 {
		t.Fatalf("status %d", p.status)
	}
	if strings.Contains(strings.ToLower(p.body), "sql") || !strings.Contains(p.body, "<!doctype html>") {
		t.Errorf("the page tells too much, or is none:\n%s", p.body)
	}
}

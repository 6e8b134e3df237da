package office_test

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// actorOf is who a browser is signed in as.
func actorOf(t *testing.T, k *clubtest.Club, b *clubtest.Browser) app.Actor {
	t.Helper()
	actor, err := k.App.WhoIs(t.Context(), b.Cookies["courtd_session"])
	clubtest.Must(t, err)
	return actor
}

// read asks the database.
func read[T any](t *testing.T, k *clubtest.Club, ask func(*sqlite.Snapshot) (T, error)) T {
	t.Helper()
	var out T
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) (err error) {
		out, err = ask(s)
		return err
	}))
	return out
}

func count(t *testing.T, k *clubtest.Club, query string, args ...any) int {
	t.Helper()
	return read(t, k, func(s *sqlite.Snapshot) (n int, err error) { return n, s.QueryRow(query, args...).Scan(&n) })
}

// field is the value of a hidden field of a page.
func field(t *testing.T, p clubtest.Page, name string) string {
	t.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(p.Body)
	if found == nil {
		t.Fatalf("the page has no field %s:\n%s", name, p.Text())
	}
	return found[1]
}

var (
	inline    = regexp.MustCompile(`(?i)<style|\sstyle=|<script[^>]*>[^<]|\son[a-z]+=|javascript:|ZgotmplZ`)
	postForms = regexp.MustCompile(`(?s)<form method="post".*?</form>`)
	controls  = regexp.MustCompile(`<(?:input|select|textarea)[^>]* id="([^"]+)"`)
)

// sound holds a page to what all of them must keep to.
func sound(t *testing.T, path string, p clubtest.Page) {
	t.Helper()
	if found := inline.FindString(p.Body); found != "" {
		t.Errorf("%s: %q", path, found)
	}
	for _, form := range postForms.FindAllString(p.Body, -1) {
		if !strings.Contains(form, `name="csrf"`) {
			t.Errorf("%s: a form without a token: %s", path, form)
		}
	}
	for _, id := range controls.FindAllStringSubmatch(p.Body, -1) {
		if strings.Count(p.Body, ` id="`+id[1]+`"`) != 1 || !strings.Contains(p.Body, `for="`+id[1]+`"`) {
			t.Errorf("%s: the field %s has no label of its own", path, id[1])
		}
	}
}

func TestOnlyTheOwnerSeesTheOffice(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, desk, customer, anyone := k.Owner(), k.Desk(), k.Customer("13800138000"), k.Browser()
	nasty := `<script>alert("a")</script>` + "🏸مرحبا"
	boss := actorOf(t, k, owner)
	_, err := k.App.ChangeGood(t.Context(), boss, "g1", func(g *sqlite.Good) error { g.Name = nasty; return nil })
	clubtest.Must(t, err)
	_, err = k.App.ChangeCourt(t.Context(), boss, "c1", func(c *sqlite.Court) error { c.Name = nasty; return nil })
	clubtest.Must(t, err)
	_, err = k.App.AddCoupon(t.Context(), boss, domain.Coupon{Code: "N", Name: nasty, Percent: 5, Active: true}, "")
	clubtest.Must(t, err)
	li, err := k.App.AddStaff(t.Context(), boss, app.NewStaff{Username: "li", Name: nasty, Password: "0123456789", Role: "desk"}, "")
	clubtest.Must(t, err)
	_, _, err = k.App.DeskOrder(t.Context(), boss, app.OrderRequest{Slots: []app.SlotRef{{Court: "c1", Start: clubtest.At(t, "2026-12-10T17:30:00+08:00")}}}, app.Caller{Name: nasty}, "cash", "")
	clubtest.Must(t, err)
	shut, err := k.App.MakeClosure(t.Context(), boss, app.ClosureRequest{Courts: []string{"c1", "c2"}, From: clubtest.At(t, "2026-12-11T17:30:00+08:00"),
		To: clubtest.At(t, "2026-12-11T19:00:00+08:00"), Reason: nasty}, "")
	clubtest.Must(t, err)
	for _, path := range []string{"/owner/goods", "/owner/goods/g1", "/owner/coupons", "/owner/coupons/N", "/owner/closures", "/owner/staff", "/owner/staff/" + li.ID,
		"/owner/closures/preview?all=1&from_day=2026-12-10&to_day=2026-12-10&whole=1&reason=" + "%3Cscript%3Ealert(%22a%22)%3C/script%3E"} {
		for _, lang := range []string{"zh", "en"} {
			owner.Cookies["courtd_lang"] = lang
			p := owner.Get(path).Want(200).HasNot("<script>alert").Has("&lt;script&gt;alert(&#34;a&#34;)")
			sound(t, path, p)
		}
		desk.Get(path).Want(403)
		customer.Get(path).Want(303)
		if at := anyone.Get(path).Want(303).Location; !strings.HasPrefix(at, "/desk/login?next=%2Fowner%2F") {
			t.Errorf("%s leads visitors to %s", path, at)
		}
	}
	before := count(t, k, "SELECT count(*) FROM audit")
	for _, act := range [][]string{
		{"/owner/goods", "name", "x", "price", "1"}, {"/owner/goods/g1", "name", "x", "price", "1"}, {"/owner/goods/g1/sale", "active", "0"},
		{"/owner/goods/g1/move", "to", "down"}, {"/owner/goods/g1/receipts", "qty", "1"}, {"/owner/goods/g1/count", "counted", "1", "expected", "2", "note", "x"},
		{"/owner/coupons", "code", "X", "name", "x", "value", "1"}, {"/owner/coupons/N", "name", "x", "value", "1"}, {"/owner/coupons/N/switch"},
		{"/owner/closures", "all", "1", "whole", "1", "from_day", "2026-12-10", "to_day", "2026-12-10", "seen", "x", "bookings", "cancel"}, {"/owner/closures/" + shut.Closure.ID + "/lift"},
		{"/owner/staff", "username", "x", "password", "0123456789", "role", "owner"}, {"/owner/staff/" + li.ID + "/role", "role", "owner"},
		{"/owner/staff/" + li.ID + "/name", "name", "x"}, {"/owner/staff/" + li.ID + "/password", "password", "0123456789"}, {"/owner/staff/" + li.ID + "/active"},
	} {
		desk.Post(act[0], act[1:]...).Want(403)
		anyone.Post(act[0], act[1:]...).Want(303)
		if !strings.Contains(act[0], "?") && strings.Count(act[0], "/") > 3 {
			owner.Get(act[0]).Want(303)
		}
	}
	if after := count(t, k, "SELECT count(*) FROM audit"); after != before {
		t.Errorf("%d acts of others were carried out", after-before)
	}
	for _, path := range []string{"/owner/goods/g9", "/owner/coupons/NONE", "/owner/coupons/a%20b", "/owner/staff/nobody"} {
		owner.Get(path).Want(404)
	}
	for _, path := range []string{"/owner/goods/g1?before=x", "/owner/coupons?skip=x", "/owner/closures?skip=-1"} {
		owner.Get(path).Want(422)
	}
}

// TestAFormOfTheOfficeIsSentTwice: it is done once, and both times it says so.
func TestAFormOfTheOfficeIsSentTwice(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	acts := func() int { return count(t, k, "SELECT count(*) FROM audit") }
	twice := func(said, path string, form ...string) {
		t.Helper()
		before := acts()
		for range 2 {
			owner.Post(path, form...).WantRedirect(said)
		}
		if got := acts() - before; got != 1 {
			t.Errorf("%s twice: %d rows in the audit, want 1", path, got)
		}
	}
	twice("/owner/coupons/SOON?said=added", "/owner/coupons", "nonce", field(t, owner.Get("/owner/coupons"), "nonce"), "code", "soon", "name", " 快 ", "kind", "percent", "value", "5")
	twice("/owner/coupons/SOON?said=saved", "/owner/coupons/SOON", "mark", field(t, owner.Get("/owner/coupons/SOON"), "mark"), "name", " 快来 ", "kind", "amount", "value", "6")
	twice("/owner/coupons/SOON?said=off", "/owner/coupons/SOON/switch", "active", "0")
	twice("/owner/goods/g1?said=saved", "/owner/goods/g1", "mark", field(t, owner.Get("/owner/goods/g1"), "mark"), "name", " 好球 ", "price", "31")
	twice("/owner/goods/g1?said=out", "/owner/goods/g1/sale", "active", "0")
	twice("/owner/goods?said=moved", "/owner/goods/g1/move", "place", "2")
	// Another's form for the same code is another act.
	owner.Post("/owner/coupons", "nonce", "other", "code", "soon", "name", "快", "kind", "percent", "value", "5").Want(409).Says("已经有了")
}

// TestACouponIsAddedFourTimesAtOnce: the same form four times side by side is one act.
func TestACouponIsAddedFourTimesAtOnce(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	form := url.Values{"csrf": {field(t, owner.Get("/owner/coupons"), "csrf")}, "nonce": {"n"}, "code": {"four"}, "name": {"四"}, "kind": {"percent"}, "value": {"5"}}
	before := count(t, k, "SELECT count(*) FROM audit")
	got := make(chan int, 4)
	for range cap(got) {
		b := *owner
		b.Cookies = maps.Clone(owner.Cookies)
		go func() { got <- b.Send("/owner/coupons", form).Status }()
	}
	for range cap(got) {
		if status := <-got; status != 303 {
			t.Errorf("status %d", status)
		}
	}
	if acts := count(t, k, "SELECT count(*) FROM audit") - before; acts != 1 {
		t.Errorf("%d rows in the audit, want 1", acts)
	}
}

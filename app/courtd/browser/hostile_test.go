package browser_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Names that people should never meet and some give all the same.
const (
	script  = `<script>boom()</script>"'><img src=x>`
	formula = `=HYPERLINK("http://x.example";"free")`
	toLeft  = `שלום 12 مرحبا (a) עולם`
)

var (
	emoji = strings.Repeat("🏸", 40)
	long  = strings.Repeat("W", 40)
)

// hostileDay gives such names to everything that has one.
func hostileDay(t *testing.T) day {
	t.Helper()
	k := openClub(t)
	owner, desk, me := k.staff("owner"), k.staff("desk"), k.customer(customerPhone)
	put := func(path string, in body) { k.call("PUT", "/api/v1"+path, owner, in) }
	put("/owner/venue", body{"name": script, "address": script, "phone": "021 <b>5555</b>"})
	for id, name := range map[string]string{"c1": script, "c2": emoji, "c3": toLeft, "c4": formula, "c5": long} {
		put("/owner/courts/"+id, body{"name": name})
	}
	for id, name := range map[string]string{"g1": script, "g2": emoji, "g3": formula} {
		put("/owner/goods/"+id, body{"name": name})
	}
	put("/owner/price-rules", body{"rules": []body{{"name": long, "courts": []string{"c1"}, "price": 9999999}, {"name": script, "price": 6000}}})
	put("/owner/coupons/NEW10", body{"name": script})
	k.call("POST", "/api/v1/owner/staff", owner, body{"username": "<b>x</b>", "name": formula, "password": "long enough 2026", "role": "desk"})
	k.call("PUT", "/api/v1/me", me, body{"name": script})
	mine := slots("c1", "17:30", "c2", "17:30", "c3", "17:30")
	mine["goods"] = []body{{"id": "g1", "qty": 1}, {"id": "g2", "qty": 1}, {"id": "g3", "qty": 1}}
	d := day{club: k}
	d.hook = k.call("POST", "/api/v1/owner/webhooks", owner, body{"url": "http://127.0.0.1:9/" + script + long + long, "kinds": []string{"order.paid"}})["id"].(string)
	put("/owner/messages", body{"texts": body{"paid": body{"title": script, "text": script + formula + toLeft, "title_en": long, "text_en": script}},
		"wechat": body{"paid": body{"id": long, "params": []body{{"name": "thing1", "from": script}}}}})
	d.paid, _ = k.paid(me, mine)
	for i, name := range []string{formula, emoji, toLeft, long} {
		k.sold(desk, name, slots([]string{"c1", "c2", "c3", "c4"}[i], "19:00"))
	}
	gone := k.sold(desk, emoji, slots("c5", "19:00"))
	k.call("POST", "/api/v1/desk/orders/"+gone+"/cancel", desk, body{"by": "venue", "reason": formula})
	hit := k.sold(desk, script, slots("c6", "20:30"))
	k.call("POST", "/api/v1/owner/closures", owner, body{"courts": []string{"c6"}, "from": at("20:30"), "to": at("22:00"), "reason": script, "cancel_bookings": true})
	d.held = hit
	return d
}

// Whatever people are called, it is text: nothing runs, nothing is wider than a phone.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	d := hostileDay(t)
	u, me, desk, owner := d.visitor(phone), d.customer(customerPhone), d.staff("desk"), d.staff("owner")
	for _, look := range []struct {
		who, path string
		says      []string
	}{
		{me, "/", []string{script, emoji, toLeft, formula, long}},
		{me, "/rules", []string{script, long}},
		{me, "/orders", []string{script, emoji, toLeft, formula}},
		{me, "/orders/" + d.paid, []string{script, emoji, toLeft, formula, long}},
		{me, "/orders/" + d.paid + "/cancel", []string{script, emoji}},
		{me, "/notices", []string{script}},
		{desk, "/desk?slot=" + slotID("c1", "17:30"), []string{script, emoji, toLeft, formula, long}},
		{desk, "/desk?slot=" + slotID("c6", "20:30"), []string{script}},
		{desk, "/desk?at=2026-12-10T12:00&slot=" + slotID("c5", "19:00"), []string{emoji, toLeft}},
		{desk, "/desk/orders/" + d.paid, []string{script, emoji, toLeft, formula}},
		{desk, "/desk/orders/" + d.held, []string{script}},
		{desk, "/desk/find?q=W", []string{long}},
		{desk, "/desk/todo", []string{script, formula, emoji}},
		{owner, "/owner", []string{script}},
		{owner, "/owner/courts", []string{emoji, toLeft}},
		{owner, "/owner/goods", []string{script, emoji, formula}},
		{owner, "/owner/goods/g1", []string{script}},
		{owner, "/owner/coupons", []string{script}},
		{owner, "/owner/closures", []string{script}},
		{owner, "/owner/closures/preview?all=1&whole=1&from_day=2026-12-10&to_day=2026-12-10&reason=%3Cscript%3Eboom()", []string{script, emoji, toLeft, formula, long, "<script>boom()"}},
		{owner, "/owner/prices", []string{script, long}},
		{owner, "/owner/staff", []string{formula, "<b>x</b>"}},
		{owner, "/owner/audit", []string{script, formula}},
		{owner, "/owner/reports/goods", []string{script}},
		{owner, "/owner/reports/utilisation", []string{script}},
		{owner, "/owner/reconciler", []string{script}},
		{owner, "/owner/messages/paid", []string{script, formula, toLeft, long}},
		{owner, "/owner/webhooks", []string{script}},
		{owner, "/owner/webhooks/" + d.hook, []string{script}},
		{owner, "/owner/webhooks/" + d.hook + "/remove", []string{script}},
		{owner, "/owner/outbox", []string{script, emoji, toLeft, formula, long}},
	} {
		u.as(look.who).open(look.path)
		isText(u, look.says...)
	}
	savesText(u)
	answersInText(u.as(desk), d)
}

// isText fails unless the page says all of it, letter by letter, and nothing else
// came of it.
func isText(u *user, says ...string) {
	u.t.Helper()
	all := oneLine(eval[string](u, `document.body.innerText + " " + [...document.querySelectorAll("input, textarea")].map((e) => e.value).join(" ")`))
	for _, text := range says {
		if !strings.Contains(all, text) {
			u.complain("%s does not say %q", u.at(), text)
		}
	}
	if n := u.count(`script:not([src]), img[src="x"], main b b`); n != 0 {
		u.complain("%s: a name has become %d elements", u.at(), n)
	}
	u.fits()
}

// answersInText lets the ticket in at the door.
func answersInText(u *user, d day) {
	u.t.Helper()
	code := d.call("GET", "/api/v1/orders/"+d.paid, d.customer(customerPhone), nil)["ticket"].(body)["code"].(string)
	d.set("17:10")
	u.open("/desk/scan")
	u.keys(code + kb.Enter)
	u.element(".over [data-result=ok]")
	isText(u, script, emoji, toLeft, formula)
}

// startsFormula finds a cell of a file that a spreadsheet would take for a formula.
var startsFormula = regexp.MustCompile(`(?m)(^|,)"?[=+@]`)

// savesText looks into every file that the owner can save.
func savesText(u *user) {
	u.t.Helper()
	all := ""
	for _, path := range []string{"reports/takings", "reports/utilisation", "reports/rates", "reports/goods", "audit"} {
		file := u.download("/owner/" + path + ".csv")
		if !strings.HasPrefix(file, "\ufeff") {
			u.complain("%s.csv does not begin with a BOM", path)
		}
		if found := startsFormula.FindString(file); found != "" {
			u.complain("%s.csv has a formula", path)
		}
		all += file
	}
	for _, text := range []string{"'" + strings.ReplaceAll(formula, `"`, `""`), strings.ReplaceAll(script, `"`, `""`), emoji} {
		if !strings.Contains(all, text) {
			u.complain("no file says %s", text)
		}
	}
}

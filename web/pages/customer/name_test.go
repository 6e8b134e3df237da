package customer_test

import (
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// A customer says once how to be called, beside the order, and the desk sees it.
func TestACustomerGivesAName(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	field := func(who *clubtest.Browser) string {
		return clubtest.Around(who.Get("/").Want(200).Says("姓名（选填，前台称呼用）").Body, `name="name" value="`, `"`)
	}
	if known := field(a); known != "" {
		t.Fatalf("a new customer is called %q", known)
	}
	k.Browser().Get("/").HasNot(`name="name"`) // a visitor signs in first
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "name", " 王小明 ")
	k.Desk().Get(order).Says("王小明 13800138000")
	if known := field(a); known != "王小明" {
		t.Errorf("then the field says %q", known)
	}
	if known := field(b); known != "" {
		t.Errorf("another customer is called %q", known)
	}
	// A field that has shown no name, or none, takes nothing away; another name counts
	// from then on, and emptied is no name.
	a.Cancel(order).WantRedirect(order)
	again := a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "name", "")
	k.Desk().Get(again).Says("王小明")
	a.Cancel(again).WantRedirect(again)
	a.Get("/").Has(`name="named"`)
	again = a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "named", "1", "name", " ")
	k.Desk().Get(again).HasNot("王小明")
	a.Get("/").HasNot(`name="named"`)
	if known := field(a); known != "" {
		t.Errorf("an emptied field says %q", known)
	}
	a.Cancel(again).WantRedirect(again)
	again = a.Book("slot", clubtest.Slot(t, "c2", "17:30"), "name", "王大明")
	k.Desk().Get(again).Says("王大明")
	k.Desk().Post("/orders", "slot", clubtest.Slot(t, "c3", "17:30"), "name", "x").Want(403)
	k.Browser().Post("/orders", "slot", clubtest.Slot(t, "c3", "17:30"), "name", "x").Want(303)
}

// A name that cannot be one is refused at its field with everything kept, before the
// order and while its price is asked for.
func TestANameThatIsNone(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	slot := clubtest.Slot(t, "c1", "17:30")
	for _, bad := range []string{strings.Repeat("长", 41), "a\u202eb"} {
		p := b.Post("/orders", "date", "2026-12-10", "slot", slot, "coupon", "NEW10", "name", bad).Want(422).Has(ticked(slot), `value="NEW10"`, `value="`+bad+`"`, "data-open")
		if at := clubtest.Around(p.Body, `id="wrong-name"`, "</small>"); !strings.Contains(at, "姓名最多 40 个字") || strings.Contains(at, "hidden") {
			t.Errorf("%q is not refused at its field: %q", bad, at)
		}
		b.Post("/quote", "slot", slot, "name", bad).Want(200).Has(`data-wrong-of="name">姓名最多 40 个字`).Says("合计 ￥60")
	}
	b.Get("/orders").Says("没有未完成的订单")
	longest := strings.Repeat("长", 40)
	b.Post("/quote", "slot", slot, "name", longest).HasNot("data-wrong-of")
	k.Desk().Get(b.Book("slot", slot, "name", longest)).Says(longest)
	b.Get("/?name=evil").HasNot(`value="evil"`) // nobody else fills it in
}

// Whoever finds the choice again after signing in is told what others have taken since.
func TestWhatWasTakenMeanwhileIsSaid(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	gone, free := clubtest.Slot(t, "c2", "17:30"), clubtest.Slot(t, "c3", "17:30")
	b.Get("/?slot="+gone+"&slot="+free).HasNot(`data-told role="status"><`).Has("data-open", ticked(free))
	a.Book("slot", gone)
	b.Get("/?slot="+gone+"&slot="+free).Says("2号场 17:30–19:00 刚被订走，已去掉，其余保留").Has("data-open", ticked(free))
	b.Get("/?slot=" + gone).Says("2号场 17:30–19:00 刚被订走").HasNot("data-open") // nothing is left to confirm
	a.Get("/?slot="+gone).HasNot(`data-told role="status"><`, "data-open")   // it is their own
}

package customer_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// What happens to an order elsewhere, or by time alone, its open page learns by
// asking; as long as nothing has happened it is answered 304.
func TestOrderAsksForItselfAgain(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	page := b.Get(order).Has(`hx-get="`+order+`/live"`, `data-state="held"`, `data-whole="600"`, `value="1.0000"`, fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:10:00+08:00")))
	tag := etagOf(page)
	k.SetClock("2026-12-10T10:02:30+08:00")
	if p := ask(b, order+"/live", tag); p.Status != 304 || p.Body != "" {
		t.Fatalf("the seconds of the countdown are a change: status %d", p.Status)
	}
	b.Get(order).Has(`value="0.7500"`).Says("07:30")
	// Somebody pays it elsewhere.
	b.Pay(order)
	p := ask(b, order+"/live", tag).Want(200).Has("data-ticket", `data-state="paid"`, fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T17:00:00+08:00"))).Says("到场出示此码", "加入日历").HasNot("<!doctype", "data-pay-by")
	tag = p.Header.Get("ETag")
	k.SetClock("2026-12-10T16:59:59+08:00")
	if p := ask(b, order+"/live", tag); p.Status != 304 {
		t.Errorf("a second before the door opens: status %d", p.Status)
	}
	k.SetClock("2026-12-10T17:00:00+08:00")
	p = ask(b, order+"/live", tag).Want(200).Says("现在可以入场")
	tag = p.Header.Get("ETag")
	// The desk lets them in.
	code := strings.Join(b.Get(order).CodeGroups(), "")
	staff, err := k.App.WhoIs(t.Context(), k.Desk().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = k.App.CheckIn(t.Context(), staff, code, "")
	clubtest.Must(t, err)
	p = ask(b, order+"/live", tag).Want(200).Says("✓ 17:00 已核销入场，19:00 结束", "已核销")
	k.SetClock("2026-12-10T19:00:00+08:00")
	ask(b, order+"/live", p.Header.Get("ETag")).Want(200).Says("已完成", "谢谢光临").HasNot("data-ticket")
}

func TestLapseShowsByItself(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.SlotOn(t, "c1", "2026-12-12", "17:30"))
	tag := etagOf(b.Get(order).Says("10:10 前没有付款，场次自动释放"))
	k.SetClock("2026-12-10T10:09:59+08:00")
	if p := ask(b, order+"/live", tag); p.Status != 304 {
		t.Errorf("a second before: status %d", p.Status)
	}
	k.SetClock("2026-12-10T10:10:00+08:00")
	ask(b, order+"/live", tag).Want(200).Says("已失效", "重新订场").Has(`href="/?date=2026-12-12"`).HasNot("data-pay-by", "去付款")
	// Others, and whoever has signed out meanwhile, are sent to the whole page.
	for who, other := range map[string]*clubtest.Browser{"a visitor": k.Browser(), "another customer": k.Customer("13900139000")} {
		if p := ask(other, order+"/live", ""); p.Status != 204 || p.Header.Get("HX-Refresh") != "true" || p.Body != "" {
			t.Errorf("%s: status %d, refresh %q, %q", who, p.Status, p.Header.Get("HX-Refresh"), p.Body)
		}
	}
	ask(k.Desk(), order+"/live", "").Want(200).Says("在看板中处理")
}

func TestStaffSeeTheOrderAndTheWayToTheBoard(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.SlotOn(t, "c3", "2026-12-11", "17:30"))
	b.Pay(order)
	p := k.Desk().Get(order).Want(200).Says("顾客", "13800138000", "已收款", "在看板中处理").HasNot("data-ticket", "calendar.ics", "/cancel", "接下来")
	p.Has(`href="/desk?date=2026-12-11&amp;slot=` + clubtest.SlotOn(t, "c3", "2026-12-11", "17:30") + `"`)
	goods := b.Book("qty.g1", "1")
	k.Desk().Get(goods).Has(`href="/desk"`)
}

// What a caller books to pay on arrival is due on another day: no clock runs down.
func TestPayOnArrivalIsDueLater(t *testing.T) {
	k := clubtest.Open(t, true)
	staff, err := k.App.WhoIs(t.Context(), k.Desk().Cookies["courtd_session"])
	clubtest.Must(t, err)
	order := deskOrder(t, k, staff, clubtest.At(t, "2026-12-12T17:30:00+08:00"))
	b := k.Customer("13800138000")
	b.Get(order).Says("请在 12-12 17:30 前付款").HasNot("data-face", "<progress")
	k.SetClock("2026-12-12T15:28:30+08:00")
	b.Get(order).Says("请在 17:30 前付款", "2:01:30")
}

func TestWhatHappensNextIsSaid(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	strict := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Get(strict).Says("付款后，这里会出现入场二维码")
	b.Pay(strict)
	change(t, k, func(v *sqlite.Venue) { v.Policy.NoShowRefundPercent = 30 }) // moves no promise
	kind := b.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	b.Pay(kind)
	b.Get(strict).Says("19:00 前没有核销视为爽约，场地费不退")
	b.Get(kind).Says("19:00 前没有核销视为爽约，场地费退 30%")
	water := b.Book("qty.g3", "2")
	b.Pay(water)
	b.Get(water).Says("到前台出示二维码领取商品", "待领取").HasNot("calendar.ics")
	b.Cancel(kind).WantRedirect(kind)
	b.Get(kind).Says("退款", "重新订场")
}

// Names of the other direction stand apart from the words beside them, and nothing
// in a name is markup.
func TestHostileNames(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, err := k.App.WhoIs(t.Context(), k.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	for id, name := range map[string]string{"c1": "מגרש <b>1</b>", "c2": strings.Repeat("🏸", 40), "c3": `"><script>x</script>`} {
		_, err := k.App.ChangeCourt(t.Context(), owner, id, func(c *sqlite.Court) error { c.Name = name; return nil })
		clubtest.Must(t, err)
	}
	_, err = k.App.ChangeGood(t.Context(), owner, "g1", func(g *sqlite.Good) error { g.Name = "ماء <i>"; return nil })
	clubtest.Must(t, err)
	change(t, k, func(v *sqlite.Venue) {
		v.Name = "مركز <u>"
		v.Prices = append(domain.PriceRules{{Name: "<s>ערב", Courts: []string{"c1"}, PriceFen: 6000}}, v.Prices...)
	})
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "slot", clubtest.Slot(t, "c2", "17:30"), "qty.g1", "1")
	b.Pay(order)
	for _, p := range []clubtest.Page{b.Get("/"), b.Get(order), b.Get(order + "/cancel"), b.Get("/orders"), b.Get("/notices"), b.Get("/rules"),
		b.Post("/quote", "slot", clubtest.Slot(t, "c1", "19:00"), "slot", clubtest.Slot(t, "c3", "19:00"), "qty.g1", "1")} {
		p.Want(200).HasNot("<script>x", "<b>1</b>", "<i>", "<s>", "<u>")
	}
	p := b.Get("/").Has("<bdi>מגרש &lt;b&gt;1&lt;/b&gt;</bdi>", "<bdi>"+strings.Repeat("🏸", 40)+"</bdi>", "<bdi>ماء &lt;i&gt;</bdi>")
	p.Has("aria-label=\"\u2068מגרש &lt;b&gt;1&lt;/b&gt;\u2069 19:00–20:30 ￥60\"")
	b.Get("/rules").Has("<bdi>&lt;s&gt;ערב</bdi>", "\u2068מגרש")
}

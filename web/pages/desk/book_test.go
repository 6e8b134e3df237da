package desk_test

import (
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestBookForCaller(t *testing.T) {
	d := open(t)
	at := d.at("c1", "14:30")
	p := d.desk.Get(at).Want(200)
	wantPanel(t, p, "1号场 14:30–16:00", "为顾客预订", "到场付", "预订 ￥40", "16:00–17:30 ￥40", "17:30–19:00 ￥60")
	p = d.submit(p, "/desk/orders", "name", "王小明", "phone", "136 1111 2222", "pay", "on_arrival",
		"slot", clubtest.Slot(t, "c1", "16:00"), "slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	if p.Want(303).Location != d.at("c1", "14:30", "date", "2026-12-10", "said", "booked") {
		t.Fatalf("goes on to %s", p.Location)
	}
	p = d.desk.Get(p.Location).Want(200)
	wantPanel(t, p, "已预订", "王小明", "13611112222", "12-10 周四 14:30–16:00 1号场", "12-10 周四 16:00–17:30 1号场", "12-10 周四 17:30–19:00 1号场",
		"请在 12-10 14:30 前付款 · 到场付", "收现金 ￥200", "羽毛球 一筒 × 2", "3 个场次都会取消")
	for _, clock := range []string{"14:30", "16:00", "17:30"} {
		d.says(p, "c1", clock, map[bool]string{true: "held open", false: "held"}[clock == "14:30"], "… 待付款 · 到场付 王小明 13611112222 至 14:30")
	}
	// Taken: what follows without a gap ends there.
	d.sold("李雷", "", "cash", "c2", "17:30")
	if got := panel(d.desk.Get(d.at("c2", "14:30"))); !strings.Contains(got, "16:00–17:30") || strings.Contains(got, "19:00–20:30") {
		t.Errorf("the slots that follow: %s", got)
	}
}

func TestBookInEveryWayToPay(t *testing.T) {
	d := open(t)
	for court, row := range map[string]struct{ pay, state, words string }{
		"c1": {"cash", "paid", "✓ 已付 · 现金 王小明"},
		"c2": {"on_arrival", "held", "… 待付款 · 到场付 王小明 至 17:30"},
		"c3": {"online", "held", "… 待付款 · 未付 王小明 至 10:10"},
	} {
		p := d.submit(d.desk.Get(d.at(court, "17:30")), "/desk/orders", "name", "王小明", "phone", "", "pay", row.pay)
		p = d.wantSaid(p, "booked", "已预订")
		class := map[string]string{"paid": "confirmed", "held": "held"}[row.state]
		d.says(p, court, "17:30", class+" open", row.words)
	}
	// What has begun is sold for cash, and they walk straight in.
	d.SetClock("2026-12-10T17:40:00+08:00")
	p := d.desk.Get(d.at("c4", "17:30"))
	if got := panel(p); strings.Contains(got, "到场付") || !strings.Contains(got, "现金") {
		t.Errorf("a slot that has begun: %s", got)
	}
	p = d.wantSaid(d.submit(p, "/desk/orders", "name", "散客", "pay", "cash"), "booked", "已预订")
	d.says(p, "c4", "17:30", "playing open", "▶ 在场 · 现金 散客 17:40 到")
	// With a coupon that pays for everything nothing is left to pay.
	p = d.wantSaid(d.submit(d.desk.Get(d.at("c5", "19:00")), "/desk/orders", "name", "免单客", "phone", "13611112222", "pay", "on_arrival", "coupon", "free"), "booked", "已预订")
	d.says(p, "c5", "19:00", "confirmed open", "✓ 已付 · 免单 免单客 13611112222")
}

// A refusal stands in the panel with what was typed.
func TestRefusedBookingKeepsWhatWasTyped(t *testing.T) {
	d := open(t)
	page := d.desk.Get(d.at("c1", "16:00"))
	p := d.submit(page, "/desk/orders", "name", " ", "phone", "12", "pay", "cash", "slot", clubtest.Slot(t, "c1", "17:30")).Want(422)
	wantPanel(t, p, "填写有误", "不能为空")
	p.Has(`value="12"`, `value="cash" checked`, `value="`+clubtest.Slot(t, "c1", "17:30")+`" data-price="6000" checked`, `aria-invalid="true"`)
	p = d.submit(page, "/desk/orders", "name", "王小明", "phone", "12", "pay", "cash").Want(422).Has(`value="王小明"`, `value="12" maxlength="24" inputmode="tel" aria-invalid="true"`)
	wantPanel(t, p, "6 到 15 位的电话号码")
	p = d.submit(page, "/desk/orders", "name", "王小明", "pay", "cash", "qty.g1", "13", "coupon", "NOTHING").Want(409)
	wantPanel(t, p, "没有这个优惠码")
	p.Has(`name="qty.g1" value="13"`, `value="NOTHING"`, "<details open>")
	p = d.submit(page, "/desk/orders", "name", "王小明", "pay", "cash", "qty.g1", "13").Want(409)
	wantPanel(t, p, "库存不足", "仅剩 12 件")
	p = d.submit(page, "/desk/orders", "name", "王小明", "pay", "cash", "qty.g1", "x").Want(422)
	wantPanel(t, p, "须为 1 到 999")
	// Somebody else was quicker with one of two slots.
	d.sold("李雷", "", "cash", "c1", "17:30")
	p = d.submit(page, "/desk/orders", "name", "王小明", "pay", "cash", "slot", clubtest.Slot(t, "c1", "17:30")).Want(409)
	wantPanel(t, p, "场次已被占用")
	d.says(p, "c1", "17:30", "confirmed", "✓ 已付 · 现金 李雷")
	// And with the slot itself: the panel shows who has it now.
	p = d.submit(d.desk.Get(d.at("c2", "17:30")), "/desk/orders", "name", "王小明", "pay", "cash")
	d.wantSaid(p, "booked", "已预订")
	d.desk.Post("/desk/orders", "slot", "nonsense", "name", "x", "pay", "cash").Want(422)
	d.desk.Post("/desk/orders", "name", "x", "pay", "cash").Want(422)
	d.desk.Post("/desk/orders", "slot", clubtest.Slot(t, "c3", "17:30"), "name", "x", "pay", "credit").Want(422)
}

// The slot was taken while its form was being filled in.
func TestBookingComesSecond(t *testing.T) {
	d := open(t)
	page := d.desk.Get(d.at("c1", "17:30"))
	d.sold("李雷", "", "cash", "c1", "17:30")
	p := d.submit(page, "/desk/orders", "name", "王小明", "phone", "13611112222", "pay", "cash").Want(409)
	wantPanel(t, p, "场次已被占用", "李雷")
}

// One form is one booking, however often it is sent.
func TestOneFormIsOneBooking(t *testing.T) {
	d := open(t)
	page := d.desk.Get(d.at("c1", "17:30"))
	for range 2 {
		d.wantSaid(d.submit(page, "/desk/orders", "name", "王小明", "phone", "13611112222", "pay", "cash"), "booked", "已预订")
	}
	found, err := d.App.FindOrders(t.Context(), d.staff, "2222")
	clubtest.Must(t, err)
	if len(found) != 1 {
		t.Errorf("%d orders of one form", len(found))
	}
	d.submit(page, "/desk/orders", "name", "别人", "pay", "cash").Want(422)
}

// Nobody books for another total than the form showed: not when prices have changed
// since, not with goods, not with a coupon. The same form once more is the same booking.
func TestBooksForTheTotalThatWasShown(t *testing.T) {
	d := open(t)
	old := d.desk.Get(d.at("c1", "14:30"))
	wantPanel(t, old, "预订 ￥40")
	owner, err := d.App.WhoIs(t.Context(), d.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = d.App.ChangeVenue(t.Context(), owner, "test", func(v *sqlite.Venue) error {
		v.Prices = domain.PriceRules{{Name: "节日", PriceFen: 99900}}
		return nil
	})
	clubtest.Must(t, err)
	form := old.Form("/desk/orders", "name", "王芳", "pay", "cash")
	p := d.desk.Send("/desk/orders", form)
	wantPanel(t, p.Want(409), "金额有变化", "预订 ￥999")
	d.says(p, "c1", "14:30", "free open", "+ 可订 ￥999")
	p.Has(`value="王芳"`, `name="shown" value="99900"`)
	form.Set("shown", "99900")
	d.desk.Send("/desk/orders", form).Want(303)
	form.Set("shown", "4000") // the first tab, sent again
	d.desk.Send("/desk/orders", form).Want(303)
	d.wantOrders(map[string]int{"王芳": 1})
	for name, pairs := range map[string][]string{"goods": {"qty.g3", "2"}, "another slot": {"slot", clubtest.Slot(t, "c3", "16:00")}, "a coupon": {"coupon", "NEW10"}} {
		form := d.desk.Get(d.at("c3", "14:30")).Form("/desk/orders", append([]string{"name", "李雷", "phone", "13611112222", "pay", "on_arrival"}, pairs...)...)
		p := d.desk.Send("/desk/orders", form)
		if got := panel(p); p.Status != 409 || !strings.Contains(got, "金额有变化") {
			t.Errorf("with %s: %d %s", name, p.Status, got)
		}
	}
	wantPanel(t, d.desk.Send("/desk/orders", d.desk.Get(d.at("c3", "14:30")).Form("/desk/orders", "name", "李雷", "phone", "13611112222", "pay", "cash", "coupon", "NEW10")), "预订 ￥899.10")
	form = d.desk.Get(d.at("c3", "14:30")).Form("/desk/orders", "name", "李雷", "pay", "cash")
	form.Del("shown")
	d.desk.Send("/desk/orders", form).Want(409)
	d.wantOrders(map[string]int{"王芳": 1, "李雷": 0})
}

func (d day) wantOrders(byName map[string]int) {
	d.t.Helper()
	for name, want := range byName {
		found, err := d.App.FindOrders(d.t.Context(), d.staff, name)
		clubtest.Must(d.t, err)
		if len(found) != want {
			d.t.Errorf("%d orders of %s, want %d", len(found), name, want)
		}
	}
}

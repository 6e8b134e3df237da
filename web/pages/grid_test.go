package pages_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestGridSaysWhatEachSlotIs(t *testing.T) {
	k := openClub(t, true)
	a, b := k.customer("13800138000"), k.customer("13900139000")
	a.book("slot", slot(t, "c1", "17:30"))
	b.pay(b.book("slot", slot(t, "c2", "17:30")))
	p := k.browser().get("/?date=2026-12-10").want(200)
	p.says("今天 12-10", "￥60", "晚间", "待付款 held 至 10:10", "羽毛球 一筒", "已过", "余 12")
	p.has(`value="`+slot(t, "c3", "17:30")+`" data-price="6000"`).hasNot(`value="`+slot(t, "c1", "17:30")+`"`, `value="`+slot(t, "c3", "08:30")+`"`)
	p.has(fmt.Sprintf(`data-now="%d"`, at(t, opening)), fmt.Sprintf(`data-changes-at="%d"`, at(t, "2026-12-10T10:10:00+08:00")))
	k.browser().get("/?date=2026-12-20").says("12-14 07:00 起可订", "未开放")
}

// The second browser pays for the first's order: nothing of it is there.
func TestNobodyPlaysForOthers(t *testing.T) {
	k := openClub(t, true)
	a, b := k.customer("13800138000"), k.customer("13900139000")
	order := a.book("slot", slot(t, "c1", "17:30"))
	a.post(order + "/pay").wantRedirect(order)
	b.post(order + "/pay").want(404)
	b.post(order+"/play", "result", "paid").want(404)
	b.post(order+"/cancel", "amount", "0").want(404)
	a.get(order).says("待付款")
}

func TestRefusalKeepsTheChoice(t *testing.T) {
	k := openClub(t, true)
	a, b := k.customer("13800138000"), k.customer("13900139000")
	a.book("slot", slot(t, "c2", "17:30"))
	free, taken := slot(t, "c1", "17:30"), slot(t, "c2", "17:30")
	p := b.post("/orders", "date", "2026-12-10", "slot", free, "slot", taken, "qty.g1", "3", "coupon", "NEW10").want(409)
	p.says("场次已被占用 The slot is taken")
	p.has(`value="`+free+`" data-price="6000" checked`, `name="qty.g1" min="0" max="12" value="3"`, `name="coupon" value="NEW10"`)
	cell := around(p.body, "refused-here", "</td>")
	if !strings.Contains(cell, "场次已被占用") || !strings.Contains(cell, "待付款") {
		t.Errorf("the refusal is not at its cell: %q", cell)
	}
	p.says("17:30 2号场") // and above the grid, by name

	p = b.post("/orders", "date", "2026-12-10", "slot", free, "qty.g1", "13").want(409)
	p.has(`checked`, `value="13"`)
	if row := around(p.body, `id="good-g1"`, "</li>"); !strings.Contains(row, "库存不足，仅剩 12 件") {
		t.Errorf("the refusal is not at its good: %q", row)
	}
	for coupon, words := range map[string]string{"NOSUCH": "优惠券不可用", "!!": "优惠码格式不对"} {
		p = b.post("/orders", "date", "2026-12-10", "slot", free, "coupon", coupon)
		if p.status != 409 && p.status != 422 {
			t.Errorf("coupon %q: status %d", coupon, p.status)
		}
		if field := around(p.body, `id="coupon"`, "</div>"); !strings.Contains(field, words) {
			t.Errorf("coupon %q is not refused at its field: %q", coupon, field)
		}
		p.has("checked", `value="`+coupon+`"`)
	}
	b.post("/orders", "date", "2026-12-10").want(422).says("请至少选择一个场次")
	b.post("/orders", "date", "2026-12-10", "slot", "c9@1", "slot", free).want(422).has("checked")
	b.post("/orders", "date", "2026-12-10", "slot", free, "qty.g1", "many").want(422).has("checked", `value="many"`)
	b.post("/orders", "date", "nonsense", "slot", free).want(303)
}

// around is the part of a text from one piece to another.
func around(text, from, to string) string {
	_, rest, found := strings.Cut(text, from)
	if !found {
		return ""
	}
	part, _, _ := strings.Cut(rest, to)
	return part
}

func TestLimitsSayWhatToDo(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	first := b.book("slot", slot(t, "c1", "16:00"))
	b.post("/orders", "slot", slot(t, "c1", "16:00"), "slot", slot(t, "c2", "16:00")).want(409).says("已在您另一张未付款订单里").has(`href="` + first + `"`)
	b.book("slot", slot(t, "c1", "17:30"))
	b.post("/orders", "slot", slot(t, "c1", "19:00")).want(409).says("请先付款或取消").has("checked")
}

func TestPressingTwiceIsOneOrder(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	choice := []string{"nonce", "n-1", "slot", slotOn(t, "c1", "2026-12-12", "17:30"), "coupon", "FREE"}
	first := b.book(choice...)
	b.get(first).says("已付款")
	if again := b.book(choice...); again != first {
		t.Errorf("the same form made %s, then %s", first, again)
	}
	// The browser's back button brings the form back when that order is over.
	b.post(first+"/cancel", "amount", "0").wantRedirect(first)
	if again := b.book(choice...); again == first {
		t.Error("an old form led to a cancelled order")
	}
	// The same form with another choice is another order.
	if other := b.book("nonce", "n-1", "slot", slot(t, "c2", "19:00")); other == first {
		t.Error("another choice led to the first order")
	}
}

func TestVisitorSignsInAndFindsTheChoice(t *testing.T) {
	k := openClub(t, true)
	b := k.browser()
	want := slot(t, "c3", "19:00")
	to := b.post("/orders", "date", "2026-12-10", "slot", want, "qty.g2", "1", "coupon", "NEW10").want(303).location
	if !strings.HasPrefix(to, "/login?next=") {
		t.Fatalf("a visitor goes on to %q", to)
	}
	next := around(b.get(to).want(200).body, `name="next" value="`, `"`)
	next = strings.ReplaceAll(next, "&amp;", "&")
	b.post("/login/code", "phone", "13800138000", "next", next).want(200).says("演示环境验证码")
	back := b.post("/login", "phone", "13800138000", "next", next, "code", codePattern.FindString(k.texts[len(k.texts)-1])).want(303).location
	b.get(back).want(200).has(`value="`+want+`" data-price="6000" checked`, `value="NEW10"`, `name="qty.g2" min="0" max="8" value="1"`)
}

func TestStaffDoNotBuyOnTheGrid(t *testing.T) {
	k := openClub(t, true)
	desk := k.desk()
	desk.get("/").says("您以员工身份登录").hasNot("data-submit")
	desk.post("/orders", "slot", slot(t, "c1", "17:30")).want(403)
}

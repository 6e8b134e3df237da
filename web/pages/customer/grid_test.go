package customer_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

func TestGridSaysWhatEachSlotIs(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Pay(b.Book("slot", clubtest.Slot(t, "c2", "17:30")))
	p := k.Browser().Get("/?date=2026-12-10").Want(200)
	p.Says("今天 12-10", "08:30–22:00", "￥60", "晚间", "占位中 至 10:10", "已订", "羽毛球 一筒", "已过", "余 12")
	p.Has(`value="`+clubtest.Slot(t, "c3", "17:30")+`" data-price="6000"`).HasNot(`value="`+clubtest.Slot(t, "c1", "17:30")+`"`, `value="`+clubtest.Slot(t, "c3", "08:30")+`"`)
	p.Has(fmt.Sprintf(`data-now="%d"`, clubtest.At(t, clubtest.Opening)), fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:10:00+08:00")))
	p.Has(`aria-label="3号场 17:30–19:00 ￥60"`, `<th scope="col" title="1号场">`, `<th scope="row"`)
	k.Browser().Get("/?date=2026-12-20").Says("12-14 07:00 起可订", "未开放")
}

// The second browser pays for the first's order: nothing of it is there.
func TestNobodyPlaysForOthers(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	a.Post(order + "/pay").WantRedirect(order)
	b.Post(order + "/pay").Want(404)
	b.Post(order+"/play", "result", "paid").Want(404)
	b.Send(order+"/cancel", url.Values{"csrf": {b.Token()}, "shown": a.Get(order + "/cancel").Form(order + "/cancel")["shown"]}).Want(404)
	a.Get(order).Says("待付款")
}

func TestRefusalKeepsTheChoice(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	a.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	free, taken := clubtest.Slot(t, "c1", "17:30"), clubtest.Slot(t, "c2", "17:30")
	p := b.Post("/orders", "date", "2026-12-10", "slot", free, "slot", taken, "qty.g1", "3", "coupon", "NEW10").Want(409)
	p.Says("场次已被占用")
	p.Has(ticked(free), `name="qty.g1" min="0" max="12" value="3"`, `name="coupon" value="NEW10"`)
	cell := clubtest.Around(p.Body, "data-refused>", "</td>")
	if !strings.Contains(cell, "场次已被占用") || !strings.Contains(cell, "占位中") {
		t.Errorf("the refusal is not at its cell: %q", cell)
	}
	p.Says("：2号场 17:30–19:00") // and above the grid, by name

	p = b.Post("/orders", "date", "2026-12-10", "slot", free, "qty.g1", "13").Want(409)
	p.Has(" checked ", `value="13"`)
	if row := clubtest.Around(p.Body, `id="good-g1"`, "</li>"); !strings.Contains(row, "库存不足，仅剩 12 件") {
		t.Errorf("the refusal is not at its good: %q", row)
	}
	for coupon, words := range map[string]string{"NOSUCH": "没有这个优惠码", "!!": "优惠码格式不对"} {
		p = b.Post("/orders", "date", "2026-12-10", "slot", free, "coupon", coupon)
		if p.Status != 409 && p.Status != 422 {
			t.Errorf("coupon %q: status %d", coupon, p.Status)
		}
		if field := clubtest.Around(p.Body, `id="wrong-coupon"`, "</small>"); !strings.Contains(field, words) || strings.Contains(field, "hidden") {
			t.Errorf("coupon %q is not refused at its field: %q", coupon, field)
		}
		p.Has(" checked ", `value="`+coupon+`"`)
	}
	b.Post("/orders", "date", "2026-12-10").Want(422).Says("请至少选择一个场次")
	b.Post("/orders", "date", "2026-12-10", "slot", "c9@1", "slot", free).Want(422).Has(" checked ")
	b.Post("/orders", "date", "2026-12-10", "slot", free, "qty.g1", "many").Want(422).Has(" checked ", `value="many"`)
	b.Post("/orders", "date", "nonsense", "slot", free).Want(303)
}

func TestLimitsSayWhatToDo(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	first := b.Book("slot", clubtest.Slot(t, "c1", "16:00"))
	b.Post("/orders", "slot", clubtest.Slot(t, "c1", "16:00"), "slot", clubtest.Slot(t, "c2", "16:00")).Want(409).Says("已在您另一张未付款订单里").Has(`href="` + first + `"`)
	b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Post("/orders", "slot", clubtest.Slot(t, "c1", "19:00")).Want(409).Says("请先付款或取消").Has(" checked ")
}

func TestPressingTwiceIsOneOrder(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	choice := []string{"nonce", "n-1", "slot", clubtest.SlotOn(t, "c1", "2026-12-12", "17:30"), "coupon", "FREE"}
	first := b.Book(choice...)
	b.Get(first).Says("已付款")
	if again := b.Book(choice...); again != first {
		t.Errorf("the same form made %s, then %s", first, again)
	}
	// The browser's back button brings the form back when that order is over.
	b.Cancel(first).WantRedirect(first)
	if again := b.Book(choice...); again == first {
		t.Error("an old form led to a cancelled order")
	}
	// The same form with another choice is another order.
	if other := b.Book("nonce", "n-1", "slot", clubtest.Slot(t, "c2", "19:00")); other == first {
		t.Error("another choice led to the first order")
	}
}

func TestVisitorSignsInAndFindsTheChoice(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Browser()
	want := clubtest.Slot(t, "c3", "19:00")
	to := b.Post("/orders", "date", "2026-12-10", "slot", want, "qty.g2", "1", "coupon", "NEW10").Want(303).Location
	if !strings.HasPrefix(to, "/login?next=") {
		t.Fatalf("a visitor goes on to %q", to)
	}
	next := clubtest.Around(b.Get(to).Want(200).Body, `name="next" value="`, `"`)
	next = strings.ReplaceAll(next, "&amp;", "&")
	b.Post("/login/code", "phone", "13800138000", "next", next).Want(200).Says("演示环境验证码")
	back := b.Post("/login", "phone", "13800138000", "next", next, "code", clubtest.CodePattern.FindString(k.Texts[len(k.Texts)-1])).Want(303).Location
	b.Get(back).Want(200).Has(ticked(want), `value="NEW10"`, `name="qty.g2" min="0" max="8" value="1"`)
}

func TestStaffDoNotBuyOnTheGrid(t *testing.T) {
	k := clubtest.Open(t, true)
	desk := k.Desk()
	desk.Get("/").Says("您以员工身份登录").HasNot("data-next")
	desk.Post("/orders", "slot", clubtest.Slot(t, "c1", "17:30")).Want(403)
}

// ticked is how the grid shows that an evening slot of 90 minutes is chosen.
func ticked(slot string) string {
	_, start, _ := strings.Cut(slot, "@")
	at, _ := strconv.Atoi(start)
	return fmt.Sprintf(`value="%s" data-price="6000" data-end="%d" checked `, slot, at+90*60)
}

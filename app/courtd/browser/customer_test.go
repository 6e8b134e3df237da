package browser_test

import (
	"fmt"
	"testing"
)

// The whole way of a customer, in either language: choose, sign in, hold, pay, the code for the door;
// then the own mark on the grid, and cancelling for what was shown.
func TestCustomerBooksAndPays(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{phone, wide.in("en")} {
		t.Run(fmt.Sprint(s.width, s.lang), func(t *testing.T) {
			t.Parallel()
			say := func(zh, en string) string {
				if s.lang == "en" {
					return en
				}
				return zh
			}
			u := openClub(t).visitor(s.in("zh"))
			u.open("/")
			if s.lang == "en" { // a link leads there, from then on
				u.presses("link", "English")
			}
			if lang := u.attribute("html", "lang"); lang != say("zh-CN", "en") {
				t.Errorf("the page says it is in %q", lang)
			}
			u.choose("c1", "17:30", "c1", "19:00")
			u.seeIn("#bar", say("￥120", "¥120"))
			u.press("button", say("下一步", "Next"))
			u.press("button", say("增加 羽毛球 一筒", "More 羽毛球 一筒"))
			u.seeIn("[data-quote]", say("￥150", "¥150"))
			u.fill(say("优惠码", "Coupon"), "NEW10")
			u.press("button", say("使用", "Use"))
			u.seeIn("[data-quote]", say("−￥15", "−¥15"), say("￥135", "¥135"))
			u.fits()
			u.priced()
			u.presses("button", say("提交订单", "Book"))
			u.signIn(customerPhone)
			u.seeIn("[data-quote]", say("−￥15", "−¥15"), say("￥135", "¥135")) // the choice is kept
			u.priced()
			u.presses("button", say("提交订单", "Book"))
			u.see("10:00", say("￥135", "¥135"), "NEW10", "羽毛球 一筒", say("待付款", "to be paid"))
			u.presses("button", say("去付款", "Pay"))
			u.presses("button", say("模拟支付成功", "Payment succeeds"))
			u.see(say("已付款", "paid"))
			u.element(`[data-ticket] img[src^="data:image/png"]`)
			u.fits()
			cancelsOwn(u, say)
		})
	}
}

// cancelsOwn finds the order on the grid and cancels it: the evening is less than 12
// hours away, so half of the slots comes back, and the goods.
func cancelsOwn(u *user, say func(zh, en string) string) {
	u.t.Helper()
	u.open("/")
	u.seeIn(gridCell("c1", "19:00"), say("我的", "mine"))
	u.clicks(gridCell("c1", "17:30") + " a")
	u.presses("link", say("取消订单", "Cancel the order"))
	u.seeIn(".refund", say("￥82.50", "¥82.50"))
	u.see("50%", say("￥52.50", "¥52.50"), say("￥30", "¥30"))
	u.fits()
	u.presses("button", say("确认取消", "Cancel it"))
	u.see(say("已取消", "cancelled"), say("￥82.50", "¥82.50"))
	u.dontSee(say("到场出示此码", "Show this at the door"))
	u.open("/")
	u.element(cell("c1", "17:30"))
}

// Whoever is slower is told at the cell, and keeps the rest of the choice: when the
// grid renews itself, and when the order comes too late.
func TestTwoWantOneSlot(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	a, b := k.visitor(phone).as(k.customer("13800138000")), k.visitor(wide).as(k.customer("13800138001"))
	a.open("/")
	b.open("/")
	a.choose("c2", "17:30")
	b.choose("c2", "17:30", "c3", "17:30", "c4", "17:30")
	b.seeIn("#bar", "￥180")
	a.order()
	a.see("待付款")
	b.looksAgain()
	b.seeIn(gridCell("c2", "17:30"), "占位中", "刚被订走")
	b.seeIn("#bar", "2号场", "其余保留", "￥120")

	b.sheet()
	k.book(k.customer("13800138002"), slots("c3", "17:30"))
	b.expect(409)
	b.clicks("[data-submit]")
	b.see("场次已被占用")
	b.seeIn(gridCell("c3", "17:30"), "占位中", "刚被订走")
	if b.count(cell("c4", "17:30")+":checked") != 1 || b.count(`input[name=slot]:checked`) != 1 {
		t.Error("the rest of the choice is not kept")
	}
	b.order()
	b.see("待付款", "￥60")
}

// At zero the page asks what is true, and the server says it.
func TestCountdownReachesZero(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	me := k.customer(customerPhone)
	u := k.visitor(phone).as(me)
	u.open("/orders/" + k.book(me, slots("c1", "17:30")))
	u.seeIn("[data-face]", "10:00")
	k.set("12:09:57")
	u.open(u.at())
	u.seeIn("[data-face]", "00:0")
	// The page counts on by itself; what it is told at zero is the server's.
	k.set("12:10")
	u.see("已失效", "付款时间已过")
	u.dontSee("去付款")
	u.presses("link", "重新订场")
	u.element(cell("c1", "17:30"))
}

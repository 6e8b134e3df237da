package customer_test

import (
	"testing"

	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// Where nothing can be paid online, that is said before anybody orders: on the grid,
// beside the price and among the rules.
func TestOnlyTheDeskTakesMoney(t *testing.T) {
	k := clubtest.Open(t, false)
	change(t, k, func(v *sqlite.Venue) { v.Phone = "" })
	b := k.Customer("13800138000")
	slot := clubtest.Slot(t, "c1", "17:30")
	within := "本馆暂未开通在线付款：提交后请在 10 分钟内到前台付款，过时自动释放"
	by := "本馆暂未开通在线付款：提交后请在 10:10 前到前台付款，过时自动释放"
	for _, who := range []*clubtest.Browser{k.Browser(), b} {
		who.Get("/").Says(within+"。").HasNot("分钟内付款，逾期", "也可致电")
		who.Get("/rules").Says(within + "。")
		who.Post("/quote", "slot", slot).Want(200).Says(by+"。").HasNot("也可致电", "前付款。")
	}
	k.Desk().Get("/").HasNot("data-at-desk")
	change(t, k, func(v *sqlite.Venue) { v.Phone = "0571-88880000" })
	for page, when := range map[string]string{"/": within, "/rules": within} {
		b.Get(page).Says(when + "，也可致电 0571-88880000 由前台预订。").Has(`href="tel:0571-88880000"`)
	}
	b.Post("/quote", "slot", slot).Says(by + "，也可致电 0571-88880000 由前台预订。")
	b.Post("/quote", "slot", slot, "coupon", "FREE").Says("合计 ￥0", "不用付款").HasNot("到前台付款")
	b.Get("/?lang=en")
	for _, page := range []string{"/", "/rules"} {
		b.Get(page).Says("takes no payments online yet: once you have booked, pay at the desk within 10 minutes, or all of it is released; or call 0571-88880000 and let the desk book.")
	}
	b.Post("/quote", "slot", slot).Says("pay at the desk by 10:10, or all of it")
	b.Book("slot", slot)
	b.Get("/notices").Says("Pay at the desk by 10:10", "Pay ¥60 at the desk before 10:10")

	demo := clubtest.Open(t, true).Customer("13800138000")
	demo.Book("slot", slot)
	demo.Get("/notices").Says("请在 10:10 前付款", "请在 10:10 前支付 ￥60")
	demo.Get("/").HasNot("data-at-desk").Says("提交后请在 10 分钟内付款")
	demo.Get("/rules").HasNot("暂未开通")
	demo.Post("/quote", "slot", slot).Says("请在 10:10 前付款").HasNot("暂未开通")
}

// The order's page says that a payment has failed, until another is opened.
func TestAFailedPaymentIsSaid(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	const failed = "付款没有成功"
	b.Get(order).HasNot(failed)
	b.Post(order + "/pay").WantRedirect(order)
	b.Get(order).HasNot(failed)
	b.Post(order+"/play", "result", "failed").WantRedirect(order + "?check=1")
	b.Get(order+"?check=1").Says("付款没有成功，请重试，10:10 前有效", "去付款")
	ask(b, order+"/live", "").Want(200).Says("付款没有成功，请重试")
	b.Get("/?lang=en")
	b.Get(order).Says("The payment did not succeed: please try again, before 10:10")
	b.Get("/?lang=zh")
	k.SetClock("2026-12-10T10:01:00+08:00")
	b.Post(order + "/pay").WantRedirect(order)
	b.Get(order).HasNot(failed).Says("沙箱收银台")
	b.Post(order+"/play", "result", "failed").Want(303)
	b.Get(order).Says(failed)
	b.Pay(order)
	b.Get(order).Says("已付款").HasNot(failed)

	late := b.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	b.Post(late + "/pay").WantRedirect(late)
	b.Post(late+"/play", "result", "failed").Want(303)
	k.SetClock("2026-12-10T10:11:00+08:00")
	b.Get(late).Says("已失效").HasNot(failed)
}

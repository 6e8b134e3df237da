package customer_test

import (
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// A quote answers what a choice costs and by which rule; what cannot be had is an
// answer too, with the words at their place.
func TestQuote(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	evening, day := clubtest.Slot(t, "c1", "17:30"), clubtest.Slot(t, "c1", "16:00")
	p := b.Post("/quote", "date", "2026-12-10", "slot", day, "slot", evening, "qty.g1", "2", "coupon", "NEW10").Want(200)
	p.Says("16:00–17:30 1号场 日场 ￥40", "17:30–19:00 1号场 晚间 ￥60", "羽毛球 一筒 × 2 ￥60", "优惠码 NEW10 −￥16", "合计 ￥144", "请在 10:10 前付款").HasNot("<!doctype", "data-stale", "data-wrong-of", "先登录")
	p.Has(`data-total="￥144"`)
	k.Browser().Post("/quote", "slot", evening).Want(200).Says("合计 ￥60", "提交后先登录")
	b.Post("/quote", "coupon", "FREE", "slot", evening).Want(200).Says("合计 ￥0", "不用付款")
	b.Post("/quote", "coupon", "NEW10").Want(200).Says("还没有选场次或商品").HasNot("data-total")
	if p := b.Get("/orders").Want(200); strings.Contains(p.Body, "1210-") {
		t.Error("a quote has made an order")
	}

	// A coupon that cannot be used is refused at its field; the rest has its price.
	for coupon, words := range map[string]string{"NOSUCH": "没有这个优惠码", "!!": "优惠码格式不对"} {
		p = b.Post("/quote", "slot", evening, "coupon", coupon).Want(200).Says("合计 ￥60").Has(`data-wrong-of="coupon">` + words)
	}
	// So are goods that are not there, at the good.
	p = b.Post("/quote", "slot", evening, "qty.g1", "13").Want(200).Has(`data-wrong-of="qty.g1">库存不足，仅剩 12 件`).HasNot("data-total", "data-stale")
	b.Post("/quote", "slot", evening, "qty.g1", "many").Want(200).Has(`data-wrong-of="qty.g1">商品数量不对`)
	b.Post("/quote", "slot", evening, "qty.g1", "0", "qty.g2", "").Want(200).Says("合计 ￥60")
	// A slot that is gone makes the grid ask again.
	a.Book("slot", evening)
	b.Post("/quote", "slot", evening, "slot", day).Want(200).Says("场次已被占用").Has("data-stale").HasNot("data-total")
	b.Post("/quote", "slot", "nonsense").Want(200).Says("场次已不存在").Has("data-stale")
	// One's own hold on the same choice does not stand in the way.
	a.Post("/quote", "slot", evening).Want(200).Says("合计 ￥60", "10:10")

	k.Desk().Post("/quote", "slot", day).Want(403)
	b.Send("/quote", nil).Want(403)
	b.Get("/quote").WantRedirect("/")
	b.Get("/?lang=en")
	b.Post("/quote", "slot", day, "qty.g1", "99").Want(200).Has("(12 left)", "data-wrong-of").HasNot("仅剩")
}

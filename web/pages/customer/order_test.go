package customer_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestHeldOrderCountsDownByTheServer(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	k.SetClock("2026-12-10T10:03:25+08:00")
	p := b.Get(order).Want(200)
	p.Says("请在 10:10 前付款", "06:35", "￥120", "待付款", "去付款", "12-10 周四 17:30–19:00 1号场", "羽毛球 一筒 × 2", "已为您留货")
	p.Has(fmt.Sprintf(`data-now="%d"`, clubtest.At(t, "2026-12-10T10:03:25+08:00")), fmt.Sprintf(`data-pay-by="%d"`, clubtest.At(t, "2026-12-10T10:10:00+08:00")),
		`<noscript><meta http-equiv="refresh" content="396"></noscript>`, "countdown.js")
	p.HasNot("data:image/png")
	k.SetClock("2026-12-10T10:09:59+08:00")
	b.Get(order).Says("00:01")
	k.SetClock("2026-12-10T10:10:00+08:00")
	b.Get(order).Says("已失效", "付款时间已过").HasNot("data-pay-by", "http-equiv", "去付款")
}

func TestABasketOfGoodsHoldsNoSlots(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("qty.g1", "2")
	b.Get(order).Says("10:30 前没有付款，商品不再为您保留，不收任何费用").HasNot("场次自动释放")
	b.Get("/?lang=en")
	b.Get(order).Says("If it is not paid by 10:30, the goods are no longer kept for you and nothing is charged.")
}

func TestPaidOrderShowsTheTicket(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Post(order + "/pay").WantRedirect(order)
	b.Get(order).Says("沙箱收银台", "模拟支付成功", "模拟支付失败")
	b.Post(order+"/play", "result", "failed").WantRedirect(order + "?check=1")
	b.Get(order+"?check=1").Says("待付款", "去付款")
	b.Pay(order)
	p := b.Get(order+"?check=1").Says("已付款", "到场出示此码", "核销时间 12-10 17:00 – 19:00", "已付 ￥60", "预订成功")
	p.Has(`src="data:image/png;base64,`)
	code := p.CodeGroups()
	if len(code) != 7 || len(code[0]) != 4 || len(code[6]) != 2 {
		t.Errorf("the code is shown as %q", code)
	}
	k.Desk().Get(order).Says("顾客", "13800138000", "已收款").HasNot(`src="data:image/png`, "到场出示此码", "去付款", order+"/cancel")
	// Paying once more changes nothing.
	b.Post(order + "/pay").Want(409).Says("订单已支付")
	b.Post(order+"/play", "result", "paid").Want(303)
	b.Get(order).Says("已付款")
}

func TestCheckAsksForALostNotice(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Post(order + "/pay").WantRedirect(order)
	// The bank is paid and its notice never arrives.
	number := strings.Fields(clubtest.Tags.ReplaceAllString(clubtest.Around(b.Get(order).Body, "商户单号", "</p>"), ""))
	k.Browser().Do(httptest.NewRequest("POST", "/demo/payments/"+number[len(number)-1]+"/succeed?notify=false", nil)).Want(200).Has(`"notified":false`)
	b.Get(order).Says("待付款")
	b.Get(order + "?check=1").Says("已付款")
}

func TestLateMoneyIsTold(t *testing.T) {
	k := clubtest.Open(t, true)
	b, rival := k.Customer("13800138000"), k.Customer("13900139000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	gone := b.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	b.Post(order + "/pay").WantRedirect(order)
	b.Post(gone + "/pay").WantRedirect(gone)
	k.SetClock("2026-12-10T10:30:00+08:00")
	rival.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	b.Get(order).Says("已失效", "此时支付成功")
	b.Post(order+"/play", "result", "paid", "late", "1").Want(303)
	b.Get(order).Says("订单已恢复", "已付款", "到场出示此码")
	b.Post(gone+"/play", "result", "paid", "late", "1").Want(303)
	b.Get(gone).Says("有一笔付款无法使用（场次已被他人订走），全额退回", "已失效", "退款").HasNot(">slot_taken<", "到场出示此码")
}

func TestCancelShowsTheRefundFirst(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "1")
	b.Get(order+"/cancel").Says("订单尚未付款", "无需退款")
	unpaid := b.Get(order + "/cancel").Form(order + "/cancel")
	b.Pay(order)
	b.Send(order+"/cancel", unpaid).Want(409).Says("与刚才显示的不同", "现在取消将退回", "￥60")
	paid := b.Get(order + "/cancel")
	paid.Says("现在取消将退回", "￥60", "场地退 50%", "￥30", "开始前 24 小时以上 退 100%", "开始前 5–12 小时 ← 现在 退 50%")
	k.SetClock("2026-12-10T12:30:01+08:00") // less than 5 hours before
	p := b.Send(order+"/cancel", paid.Form(order+"/cancel")).Want(409).Says("与刚才显示的不同", "￥30", "场地退 0%")
	b.Post(order + "/cancel").Want(409).Says("与刚才显示的不同")
	b.Get(order).Says("已付款")
	last := p.Form(order + "/cancel")
	b.Send(order+"/cancel", last).WantRedirect(order)
	b.Get(order).Says("已取消", "退款", "￥30").HasNot(order + "/cancel")
	b.Get(order + "/cancel").Want(409).Says("订单已取消")
	last.Set("nonce", "another")
	b.Send(order+"/cancel", last).Want(409).Says("订单已取消")
}

// What is confirmed is all that was shown: that nothing is paid, and that the coupon
// can be used again, can both have changed while nothing goes back either way.
func TestCancelIsWhatWasShown(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) { v.Policy.RefundLadder = domain.RefundLadder{{HoursBefore: 24, Percent: 100}} })
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	unpaid := b.Get(order + "/cancel").Says("尚未付款").Form(order + "/cancel")
	b.Pay(order)
	p := b.Send(order+"/cancel", unpaid).Want(409).Says("与刚才显示的不同", "￥60", "场地退 0%")
	b.Get(order).Says("已付款")
	b.Send(order+"/cancel", p.Form(order+"/cancel")).WantRedirect(order)

	change(t, k, func(v *sqlite.Venue) { v.Policy.RefundLadder = domain.RefundLadder{{HoursBefore: 6, Percent: 100}} })
	clubtest.Must(t, k.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		return tx.PutCoupon(domain.Coupon{Code: "FREE", Name: "免单", Percent: 100, Active: true})
	}))
	free := b.Book("slot", clubtest.Slot(t, "c2", "17:30"), "coupon", "FREE")
	kept := b.Get(free+"/cancel").Says("优惠码 可再次使用", "￥0").Form(free + "/cancel")
	k.SetClock("2026-12-10T12:00:00+08:00")
	p = b.Send(free+"/cancel", kept).Want(409).Says("与刚才显示的不同", "优惠码 不退回", "￥0")
	b.Get(free).Says("已付款")
	b.Send(free+"/cancel", p.Form(free+"/cancel")).WantRedirect(free)
}

func TestOutsideADemonstrationTheDeskTakesTheMoney(t *testing.T) {
	k := clubtest.Open(t, false)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	p := b.Get(order).Says("请到前台付款，报订单号 1210-0001", "待付款").HasNot("沙箱", "演示", "模拟", order+"/pay")
	number := clubtest.Around(p.Text(), "订单号 ", "。")
	if number != "1210-0001" {
		t.Errorf("the number to give is %q", number)
	}
	for _, path := range []string{"/pay", "/play"} {
		if p := b.Post(order+path, "result", "paid"); p.Status < 400 {
			t.Errorf("%s outside a demonstration: status %d", path, p.Status)
		}
	}
	if body := k.Browser().Post("/login/code", "phone", "13700137000").Want(200).Body; strings.Contains(body, clubtest.CodePattern.FindString(k.Texts[len(k.Texts)-1])) {
		t.Error("the page shows the login code")
	}
}

func TestAPaymentSentTwiceIsOne(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	hidden := func(name string) string {
		found := regexp.MustCompile(`name="` + name + `" value="([^"]+)"`).FindStringSubmatch(b.Get(order).Body)
		if found == nil {
			t.Fatalf("the order's page has no field %s", name)
		}
		return found[1]
	}
	nonce := hidden("nonce")
	if tab := hidden("nonce"); tab != nonce {
		t.Error("two tabs would open two payments")
	}
	b.Post(order+"/pay", "nonce", nonce).WantRedirect(order)
	first := hidden("attempt")
	b.Post(order+"/pay", "nonce", nonce).WantRedirect(order)
	if again := hidden("attempt"); again != first {
		t.Errorf("the same form opened %s and %s", first, again)
	}
	b.Post(order+"/play", "attempt", first, "result", "failed").Want(303)
	// Neither a second sending nor one that names nothing goes back to the ended one.
	b.Post(order+"/play", "attempt", first, "result", "paid").WantRedirect(order)
	b.Post(order+"/play", "result", "paid").WantRedirect(order)
	b.Get(order).Says("待付款")
	next := hidden("nonce")
	if next == nonce {
		t.Error("a new attempt after a failed one would be answered with the old one")
	}
	b.Post(order+"/pay", "nonce", next).WantRedirect(order)
	b.Post(order+"/play", "attempt", first, "result", "paid").WantRedirect(order) // says nothing of the one that is open now
	b.Get(order).Says("待付款")
}

// The line of the refund rules that is marked is the one that decides, also where two
// give the same share; and the button pressed twice cancels once.
func TestCancelMarksTheStepAndIsDoneOnce(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) {
		v.Policy.RefundLadder = domain.RefundLadder{{HoursBefore: 48, Percent: 100}, {HoursBefore: 5, Percent: 100}}
	})
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Pay(order)
	p := b.Get(order + "/cancel")
	p.Says("开始前 5–48 小时 ← 现在 退 100%").HasNot("48 小时以上 ← 现在")
	form := p.Form(order + "/cancel")
	for range 2 {
		b.Send(order+"/cancel", form).WantRedirect(order)
	}
	form.Set("nonce", "another")
	b.Send(order+"/cancel", form).Want(409).Says("订单已取消")
	b.Get(order).Says("已取消", "￥60")
}

// A slot of an order that is held is closed: what the page asks for is what the rest
// costs, and a button that says more opens nothing.
func TestTheButtonAsksForWhatIsDue(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "slot", clubtest.Slot(t, "c1", "19:00"))
	old := b.Get(order).Says("去付款 ￥120").Form(order + "/pay")
	owner, err := k.App.WhoIs(t.Context(), k.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = k.App.MakeClosure(t.Context(), owner, app.ClosureRequest{Courts: []string{"c1"}, From: clubtest.At(t, "2026-12-10T19:00:00+08:00"),
		To: clubtest.At(t, "2026-12-10T20:30:00+08:00"), Reason: "漏水", CancelBookings: true}, "")
	clubtest.Must(t, err)
	p := b.Send(order+"/pay", old).Want(409).Says("金额有变化", "去付款 ￥60")
	b.Send(order+"/pay", p.Form(order+"/pay")).WantRedirect(order)
}

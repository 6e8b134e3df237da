package pages_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHeldOrderCountsDownByTheServer(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	order := b.book("slot", slot(t, "c1", "17:30"), "qty.g1", "2")
	k.setClock("2026-12-10T10:03:25+08:00")
	p := b.get(order).want(200)
	p.says("请在 10:10 前付款", "06:35", "￥120", "待付款", "去付款", "12-10 周四 17:30–19:00 1号场", "羽毛球 一筒 × 2", "已为您留货")
	p.has(fmt.Sprintf(`data-now="%d"`, at(t, "2026-12-10T10:03:25+08:00")), fmt.Sprintf(`data-pay-by="%d"`, at(t, "2026-12-10T10:10:00+08:00")),
		`<noscript><meta http-equiv="refresh" content="396"></noscript>`, "countdown.js")
	p.hasNot("data:image/png")
	k.setClock("2026-12-10T10:09:59+08:00")
	b.get(order).says("00:01")
	k.setClock("2026-12-10T10:10:00+08:00")
	b.get(order).says("已失效", "付款时间已过").hasNot("data-pay-by", "http-equiv", "去付款")
}

func TestPaidOrderShowsTheTicket(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	order := b.book("slot", slot(t, "c1", "17:30"))
	b.post(order + "/pay").wantRedirect(order)
	b.get(order).says("沙箱收银台", "模拟支付成功", "模拟支付失败")
	b.post(order+"/play", "result", "failed").wantRedirect(order + "?check=1")
	b.get(order+"?check=1").says("待付款", "去付款")
	b.pay(order)
	p := b.get(order+"?check=1").says("已付款", "到场出示此码", "核销时间 12-10 17:00 – 19:00", "已付 Paid ￥60", "预订成功")
	p.has(`src="data:image/png;base64,`)
	code := p.codeGroups()
	if len(code) != 7 || len(code[0]) != 4 || len(code[6]) != 2 {
		t.Errorf("the code is shown as %q", code)
	}
	k.desk().get(order).says("顾客", "13800138000", "已收款").hasNot(`src="data:image/png`, "到场出示此码", "去付款", order+"/cancel")
	// Paying once more changes nothing.
	b.post(order + "/pay").want(409).says("订单已支付")
	b.post(order+"/play", "result", "paid").want(303)
	b.get(order).says("已付款")
}

func (p page) codeGroups() []string {
	return strings.Fields(tags.ReplaceAllString(around(p.body, `<p class="code">`, "</p>"), " "))
}

func TestCheckAsksForALostNotice(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	order := b.book("slot", slot(t, "c1", "17:30"))
	b.post(order + "/pay").wantRedirect(order)
	// The bank is paid and its notice never arrives.
	number := strings.Fields(tags.ReplaceAllString(around(b.get(order).body, "商户单号", "</p>"), ""))
	k.browser().do(httptest.NewRequest("POST", "/demo/payments/"+number[len(number)-1]+"/succeed?notify=false", nil)).want(200).has(`"notified":false`)
	b.get(order).says("待付款")
	b.get(order + "?check=1").says("已付款")
}

func TestLateMoneyIsTold(t *testing.T) {
	k := openClub(t, true)
	b, rival := k.customer("13800138000"), k.customer("13900139000")
	order := b.book("slot", slot(t, "c1", "17:30"))
	gone := b.book("slot", slot(t, "c2", "17:30"))
	b.post(order + "/pay").wantRedirect(order)
	b.post(gone + "/pay").wantRedirect(gone)
	k.setClock("2026-12-10T10:30:00+08:00")
	rival.book("slot", slot(t, "c2", "17:30"))
	b.get(order).says("已失效", "此时支付成功")
	b.post(order+"/play", "result", "paid").want(303)
	b.get(order).says("订单已恢复", "已付款", "到场出示此码")
	b.post(gone+"/play", "result", "paid").want(303)
	b.get(gone).says("有一笔付款无法使用（场次已被他人订走），全额退回", "已失效", "退款").hasNot(">slot_taken<", "到场出示此码")
}

func TestCancelShowsTheRefundFirst(t *testing.T) {
	k := openClub(t, true)
	b := k.customer("13800138000")
	order := b.book("slot", slot(t, "c1", "17:30"), "qty.g1", "1")
	b.get(order+"/cancel").says("订单尚未付款", "无需退款")
	b.pay(order)
	b.get(order+"/cancel").says("现在取消将退回", "￥60", "场地退 50%", "￥30", "开始前 24 小时以上退 100%")
	k.setClock("2026-12-10T12:30:01+08:00") // less than 5 hours before
	b.post(order+"/cancel", "amount", "6000").want(409).says("退款金额有变化", "￥30", "场地退 0%")
	b.get(order).says("已付款")
	b.post(order+"/cancel", "amount", "3000").wantRedirect(order)
	b.get(order).says("已取消", "退款", "￥30").hasNot(order + "/cancel")
	b.get(order + "/cancel").want(409).says("订单已取消")
	b.post(order+"/cancel", "amount", "3000").want(409).says("订单已取消")
}

func TestOutsideADemonstrationTheDeskTakesTheMoney(t *testing.T) {
	k := openClub(t, false)
	b := k.customer("13800138000")
	order := b.book("slot", slot(t, "c1", "17:30"))
	p := b.get(order).says("请到前台付款，报订单号 1210-0001", "待付款").hasNot("沙箱", "演示", "模拟", order+"/pay")
	number := around(p.text(), "订单号 ", "。")
	if number != "1210-0001" {
		t.Errorf("the number to give is %q", number)
	}
	for _, path := range []string{"/pay", "/play"} {
		if p := b.post(order+path, "result", "paid"); p.status != 404 && p.status != 405 {
			t.Errorf("%s outside a demonstration: status %d", path, p.status)
		}
	}
	if body := k.browser().post("/login/code", "phone", "13700137000").want(200).body; strings.Contains(body, codePattern.FindString(k.texts[len(k.texts)-1])) {
		t.Error("the page shows the login code")
	}
}

package desk_test

import (
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestTakeCash(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "on_arrival", "c1", "17:30", "c2", "17:30")
	page := d.desk.Get(d.at("c1", "17:30"))
	wantPanel(t, page, "收现金 ￥120")
	for range 2 { // one form is one act
		p := d.wantSaid(d.submit(page, "/desk/orders/"+o.ID+"/paid"), "paid", "已收现金")
		d.says(p, "c1", "17:30", "confirmed open", "✓ 已付 · 现金 王小明 13611112222")
		d.says(p, "c2", "17:30", "confirmed", "✓ 已付 · 现金 王小明 13611112222")
		wantPanel(t, p, "现金 · 已收款 ￥120")
	}
	if got := d.order(o.ID); got.Paid != 12000 || len(got.Payments) != 1 {
		t.Errorf("paid %d with %d payments", got.Paid, len(got.Payments))
	}
	p := d.desk.Post("/desk/orders/"+o.ID+"/paid", "due", "12000", "back", d.at("c1", "17:30")).Want(409)
	wantPanel(t, p, "订单已支付", "王小明")
}

// What was shown is what is taken: after a closure it is less.
func TestTakeCashOfWhatIsDueNow(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "on_arrival", "c1", "17:30", "c2", "17:30")
	page := d.desk.Get("/desk/orders/" + o.ID)
	d.close("c2", "17:30", "19:00")
	p := d.submit(page, "/desk/orders/"+o.ID+"/paid").Want(409).Says("金额有变化", "收现金 ￥60")
	d.wantSaid(d.submit(p, "/desk/orders/"+o.ID+"/paid"), "paid", "已收现金")
	if got := d.order(o.ID); got.Paid != 6000 {
		t.Errorf("paid %d", got.Paid)
	}
}

func (d day) close(court, from, to string) {
	d.t.Helper()
	boss, err := d.App.WhoIs(d.t.Context(), d.Owner().Cookies["courtd_session"])
	clubtest.Must(d.t, err)
	_, err = d.App.MakeClosure(d.t.Context(), boss, app.ClosureRequest{Courts: []string{court}, From: clubtest.At(d.t, "2026-12-10T"+from+":00+08:00"),
		To: clubtest.At(d.t, "2026-12-10T"+to+":00+08:00"), Reason: "换灯", CancelBookings: true}, "")
	clubtest.Must(d.t, err)
}

// Both ways to cancel say before what goes back, and that is what does.
func TestCancelForWhatWasShown(t *testing.T) {
	d := open(t)
	for _, row := range []struct {
		court, by, shown string
		back             int64
	}{{"c1", "customer", "顾客: 退 ￥60 (场次 50%)", 6000}, {"c2", "venue", "场馆: 退 ￥96", 9600}} {
		o := d.sold("王小明", "", "cash", row.court, "17:30", row.court, "19:00")
		_, err := d.App.Goodwill(t.Context(), d.staff, o.ID, 2400, "等太久", "")
		clubtest.Must(t, err)
		d.SetClock("2026-12-10T10:00:30+08:00")
		page := d.desk.Get(d.at(row.court, "19:00"))
		wantPanel(t, page, row.shown)
		p := d.submit(page, "/desk/orders/"+o.ID+"/cancel", "by", row.by, "reason", " ").Want(422)
		wantPanel(t, p, "整张订单的 2 个场次都会取消", "必填")
		p.Has(`value="` + row.by + `" required checked`)
		for range 2 {
			p = d.submit(page, "/desk/orders/"+o.ID+"/cancel", "by", row.by, "reason", "下雨")
			d.wantSaid(p, "cancelled", "订单已取消")
		}
		var back int64
		for _, r := range d.order(o.ID).Refunds {
			if r.Purpose == "cancel" {
				back += r.Amount
			}
		}
		if got := d.order(o.ID); got.State != "cancelled" || got.Reservations[0].CancelReason != "下雨" || back != row.back {
			t.Errorf("by %s: %s, and %d goes back", row.by, got.State, back)
		}
	}
}

// The ladder has gone a step down since the form was drawn.
func TestCancelShowsAnotherAmountFirst(t *testing.T) {
	d := open(t)
	d.SetClock("2026-12-10T12:29:00+08:00")
	o := d.sold("王小明", "", "cash", "c1", "17:30")
	page := d.desk.Get(d.at("c1", "17:30"))
	wantPanel(t, page, "退 ￥30 (场次 50%)", "退 ￥60")
	d.SetClock("2026-12-10T12:31:00+08:00")
	p := d.submit(page, "/desk/orders/"+o.ID+"/cancel", "by", "customer", "reason", "不来了").Want(409)
	wantPanel(t, p, "与刚才显示的不同", "退 ￥0 (场次 0%)")
	p.Has(`value="不来了"`)
	d.wantSaid(d.submit(p, "/desk/orders/"+o.ID+"/cancel", "by", "customer", "reason", "不来了"), "cancelled", "订单已取消")
	if got := d.order(o.ID); len(got.Refunds) != 0 {
		t.Errorf("refunds %+v", got.Refunds)
	}
	d.desk.Post("/desk/orders/"+o.ID+"/cancel", "by", "venue", "reason", "x", "back", "/desk/orders/"+o.ID).Want(409).Says("订单已取消")
	d.desk.Post("/desk/orders/nonsense/cancel", "by", "venue", "reason", "x").Want(404)
}

func TestUndoAndForgiveANoShow(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "cash", "c1", "11:30")
	d.SetClock("2026-12-10T13:10:00+08:00")
	page := d.desk.Get(d.at("c1", "11:30"))
	wantPanel(t, page, "爽约", "撤销爽约", "免除爽约记录")
	undo := "/desk/reservations/" + o.Reservations[0].ID + "/undo-no-show"
	p := d.submit(page, undo, "reason", "").Want(422)
	wantPanel(t, p, "必填")
	d.wantSaid(d.submit(page, "/desk/orders/"+o.ID+"/forgive", "reason", "孩子生病"), "forgiven", "已免除爽约")
	p = d.desk.Post("/desk/orders/"+o.ID+"/forgive", "back", d.at("c1", "11:30")).Want(409)
	wantPanel(t, p, "爽约已免除")
	p = d.wantSaid(d.submit(page, undo, "reason", "忘了核销"), "undone", "已撤销爽约")
	d.says(p, "c1", "11:30", "completed open", "■ 打完 · 现金 王小明 13611112222 13:10 到")
	// Each thing that happened stands beside its own time, in order.
	wantWhy(t, p, "10:00 预订", "10:00 付款", "13:00 没有核销，爽约并放出", "13:10 撤销爽约，顾客已入场：忘了核销")
	if got := panel(p); strings.Contains(got, "撤销爽约（") {
		t.Errorf("it can be undone twice: %s", got)
	}
}

func TestHandOverAndGoodwill(t *testing.T) {
	d := open(t)
	p := d.submit(d.desk.Get(d.at("c1", "17:30")), "/desk/orders", "name", "王小明", "pay", "cash", "qty.g1", "1")
	p = d.wantSaid(p, "booked", "已预订")
	wantPanel(t, p, "羽毛球 一筒 × 1 交付商品")
	id := clubtest.Around(p.Body, `action="/desk/orders/`, `/handover"`)
	id = id[strings.LastIndex(id, "/")+1:]
	page := p
	p = d.wantSaid(d.submit(page, "/desk/orders/"+id+"/handover"), "handover", "商品已交付")
	wantPanel(t, p, "商品: 已领取")
	goodwill := "/desk/orders/" + id + "/refunds"
	for amount, words := range map[string]string{"": "须为金额", "-5": "须为金额", "0": "须为大于 0 的金额"} {
		wantPanel(t, d.submit(page, goodwill, "amount", amount, "reason", "等太久").Want(422), words)
	}
	p = d.submit(page, goodwill, "amount", "90.01", "reason", "等太久").Want(409)
	wantPanel(t, p, "退款超过可退金额")
	p.Has(`value="90.01"`, `value="等太久"`)
	p = d.wantSaid(d.submit(p, goodwill, "amount", "12.5", "reason", "等太久"), "goodwill", "已登记退款")
	wantPanel(t, p, "退款 现金 · 等前台退给顾客 ￥12.50 等太久", "最多可退 ￥77.50")
	refund := d.order(id).Refunds[0].ID
	p = d.wantSaid(d.submit(p, "/desk/orders/"+id+"/refunds/"+refund+"/confirm"), "confirmed", "已确认退款")
	wantPanel(t, p, "现金 · 已退回 ￥12.50")
	if got := d.order(id); got.Refunded != 1250 || got.GoodsState != "completed" {
		t.Errorf("refunded %d, goods %s", got.Refunded, got.GoodsState)
	}
}

// The caller has paid by phone while the clerk had the unpaid order on the screen, and
// it is too late for anything to come back; the coupon's fate is told beside the sum.
func TestCancelOfWhatWasPaidMeanwhile(t *testing.T) {
	d := open(t)
	d.SetClock("2026-12-10T12:31:00+08:00")
	clubtest.Must(t, d.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		return tx.PutCoupon(domain.Coupon{Code: "TEN", Name: "九折", Percent: 10, Active: true})
	}))
	b := d.Customer("13800138000")
	path := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "coupon", "TEN")
	act := "/desk" + path + "/cancel"
	page := d.desk.Get(d.at("c1", "17:30"))
	wantPanel(t, page, "退 ￥0")
	b.Pay(path)
	p := d.submit(page, act, "by", "customer", "reason", "不来了").Want(409)
	wantPanel(t, p, "与刚才显示的不同", "退 ￥0 (场次 0%，优惠码不退回)", "退 ￥54 (优惠码可再次使用)")
	if got := d.order(strings.TrimPrefix(path, "/orders/")); got.State != "paid" {
		t.Fatalf("the order is %s", got.State)
	}
	d.wantSaid(d.submit(p, act, "by", "customer", "reason", "不来了"), "cancelled", "订单已取消")
}

// An order without slots has a page of its own with the same acts.
func TestOrderOfGoodsAlone(t *testing.T) {
	d := open(t)
	customer := d.Customer("13800138000")
	path := customer.Book("qty.g3", "2")
	id := strings.TrimPrefix(path, "/orders/")
	page := d.desk.Get("/desk/orders/"+id).Want(200).Says("矿泉水 × 2", "13800138000", "收现金", "取消订单")
	p := d.wantSaid(d.submit(page, "/desk/orders/"+id+"/paid"), "paid", "已收现金")
	if !strings.HasPrefix(p.Body, "<!doctype html>") {
		t.Error("no page")
	}
	p = d.wantSaid(d.submit(p, "/desk/orders/"+id+"/handover"), "handover", "商品已交付").Says("已领取")
	d.desk.Post("/desk/orders/"+id+"/handover", "back", "/desk/orders/"+id).Want(409).Says("商品已领取")
	d.desk.Post("/desk/orders/"+id+"/handover", "back", "https://evil.example/desk").Want(409)
}

// Whoever cancels or moves what was paid in cash is told at once what to hand back, as
// one sum, until it is confirmed.
func TestCashToHandBackIsSaid(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "cash", "c1", "17:30")
	d.wantSaid(d.submit(d.desk.Get(d.to(o, "c2", "14:30")), moveForm(o)), "moved", "已改期")
	wantPanel(t, d.desk.Get(d.at("c2", "14:30")), "请把 ￥20 退给顾客")
	p := d.submit(d.desk.Get(d.at("c2", "14:30")), "/desk/orders/"+o.ID+"/cancel", "by", "venue", "reason", "漏水")
	if want := "/desk/orders/" + o.ID + "?said=cancelled"; p.Want(303).Location != want {
		t.Fatalf("goes on to %s, want %s", p.Location, want)
	}
	d.desk.Get(p.Location).Want(200).Says("订单已取消", "请把 ￥60 退给顾客").Has(`href="/desk/todo#refunds"`)
	for _, r := range d.order(o.ID).Refunds {
		_, err := d.App.ConfirmRefund(t.Context(), d.staff, r.ID)
		clubtest.Must(t, err)
	}
	if p := d.desk.Get("/desk/orders/" + o.ID); strings.Contains(p.Text(), "退给顾客") || strings.Contains(p.Text(), "正在原路退回") {
		t.Errorf("all is back, and the page says\n%s", p.Text())
	}
}

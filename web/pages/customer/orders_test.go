package customer_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestOrdersInTwoLists(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) { v.Policy.MaxLiveOrders, v.Policy.MaxSlotsPerDay = 40, 40 })
	b := k.Customer("13800138000")
	b.Get("/orders").Want(200).Says("没有未完成的订单", "去订场")
	b.Get("/orders?tab=past").Want(200).Says("还没有过去的订单")
	var lapsed []string
	for n := range 21 {
		lapsed = append(lapsed, b.Book("slot", clubtest.SlotOn(t, fmt.Sprintf("c%d", n%6+1), fmt.Sprintf("2026-12-%d", 11+n/6), "17:30")))
	}
	paid := b.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "1")
	b.Pay(paid)
	p := b.Get("/orders").Says("未完成", "过去", "更早的订单", "待付款 ", "请在 10:10 前付款", "12-10 周四 17:30–19:00 1号场", "羽毛球 一筒 × 1")
	if got := strings.Count(p.Body, `class="card" href="/orders/`); got != 20 {
		t.Errorf("%d orders on a page, want 20", got)
	}
	next := "/orders?" + strings.ReplaceAll(clubtest.Around(p.Body, `href="/orders?cursor`, `"`), "=", "cursor=")
	if p := b.Get(next).Want(200); strings.Count(p.Body, `class="card" href="/orders/`) != 2 || strings.Contains(p.Body, paid) {
		t.Errorf("the second page is not what is left:\n%s", p.Text())
	}
	b.Get("/orders?tab=past").HasNot(`class="card" href="/orders/`)
	k.SetClock("2026-12-10T10:10:00+08:00") // no round has run
	p = b.Get("/orders").Has(paid).HasNot(lapsed[0], lapsed[20])
	p = b.Get("/orders?tab=past").Has(lapsed[20], "tab=past&amp;cursor=", `aria-current="page">过去`).HasNot(paid).Says("已失效")
	b.Get("/orders?lang=en")
	b.Get("/orders?tab=past").Says("My orders", "Older orders", "lapsed").HasNot("已失效")
	k.Customer("13900139000").Get("/orders?tab=past").HasNot(lapsed[0])
}

// The open list learns of a lapse by itself; what is older than its first page stays
// as of that.
func TestOrderListAsksForItselfAgain(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	goods := b.Book("qty.g3", "1")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	tag := etagOf(b.Get("/orders").Has(`hx-get="/orders/list"`, fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:10:00+08:00"))))
	k.SetClock("2026-12-10T10:09:59+08:00")
	if p := ask(b, "/orders/list", tag); p.Status != 304 {
		t.Errorf("a second before: status %d", p.Status)
	}
	k.SetClock("2026-12-10T10:10:00+08:00")
	ask(b, "/orders/list", tag).Want(200).Has(goods, fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:30:00+08:00"))).HasNot(order, "<!doctype")
	ask(b, "/orders/list?tab=past", "").Want(200).Has(order, `data-changes-at="0"`, `hx-get="/orders/list?tab=past"`).HasNot(goods)
	ask(k.Customer("13900139000"), "/orders/list", "").Want(200).HasNot(goods, order)
	ask(k.Browser(), "/orders/list", "").Want(303)
}

func TestNoticesOfACustomer(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	b.Get("/notices").Want(200).Says("还没有通知")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Pay(order)
	b.Get("/notices").Says("预订成功", "12-10 10:00", "1210-0001").Has(`href="` + order + `"`)
	b.Get("/?lang=en")
	b.Get("/notices").Says("Booking confirmed").HasNot("预订成功")
	k.Customer("13900139000").Get("/notices").HasNot(order)
	b.Get("/notices?cursor=x").Want(422)
	k.Browser().Get("/notices").WantRedirect("/login?next=%2Fnotices")
}

func TestCalendarOfAnOrder(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Get(order).HasNot("calendar.ics")
	b.Pay(order)
	b.Get(order).Has(`href="` + order + `/calendar.ics"`)
	p := b.Get(order+"/calendar.ics").Want(200).Has("BEGIN:VEVENT", "DTSTART:20261210T093000Z", "DTEND:20261210T110000Z", "晨光羽毛球馆 1号场", "CONFIRMED")
	if kind := p.Header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
		t.Errorf("content type %q", kind)
	}
	if !strings.Contains(p.Header.Get("Content-Disposition"), "courtd-1210-0001.ics") {
		t.Errorf("disposition %q", p.Header.Get("Content-Disposition"))
	}
	k.Customer("13900139000").Get(order + "/calendar.ics").Want(404)
	k.Browser().Get(order + "/calendar.ics").Want(303)
}

func TestRulesInWords(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) {
		v.Calendar.Hours.Exceptions[date(t, "2026-12-12")] = domain.DayHours{Closed: true, Note: "内部比赛"}
		v.Prices = append(domain.PriceRules{{Name: "元旦", Holidays: true, From: date(t, "2027-01-01"), Until: date(t, "2027-01-03"), PriceFen: 9950},
			{Name: "好场", Courts: []string{"c1", "c2"}, Weekdays: []int{1, 3}, PriceFen: 10000}}, v.Prices...)
	})
	b := k.Browser()
	p := b.Get("/rules").Want(200).Says("今天 12-10 08:30–22:00", "周六 12-12 内部比赛 休息", "每场 90 分钟", "节假日，2027-01-01 至 2027-01-03", "￥99.50",
		"周一、周三，1号场、2号场", "周六、周日 ￥80", "17:00–24:00 开始的场次 ￥60", "日场 其他时间 ￥40",
		"开始前 24 小时以上 退 100%", "开始前 12–24 小时 退 80%", "开始前 5 小时以内 不退",
		"可提前 6 天预订，最远的一天当日 07:00 开放", "10 分钟内付款，只买商品为 30 分钟", "每人每天最多 4 场", "开始前 3 分钟停止网上预订",
		"开始前 30 分钟起", "到场次结束仍未核销", "爽约不退场地费", "30 天内爽约 3 次，暂停预订，直到最早一次满 30 天", "开始前 2 小时会提醒您")
	if strings.Contains(p.Body, "%!") {
		t.Errorf("a sentence has no fitting value:\n%s", p.Text())
	}
	change(t, k, func(v *sqlite.Venue) {
		v.Policy.ReleaseAfterMinutes, v.Policy.NoShowRefundPercent, v.Policy.ReminderBeforeMinutes = 15, 20, 90
		v.Policy.RefundLadder = nil
	})
	b.Get("/rules").Says("开始后 15 分钟仍未核销", "退场地费的 20%", "开始前 90 分钟会提醒您", "任何时候 不退")
	b.Get("/?lang=en")
	p = b.Get("/rules").Says("Rules and prices", "Monday, Wednesday", "20% of the slots", "at all other times")
	if strings.Contains(p.Body, "%!") {
		t.Errorf("a sentence has no fitting value:\n%s", p.Text())
	}
	for _, from := range []string{"/", "/?date=2026-12-12"} {
		b.Get(from).Has(`href="/rules"`)
	}
}

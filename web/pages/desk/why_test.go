package desk_test

import (
	"html"
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// wantWhy wants a panel to tell what happened, in this order and nothing between.
func wantWhy(t *testing.T, p clubtest.Page, want ...string) {
	t.Helper()
	why := clubtest.Around(p.Body, `<details class="why"`, "</details>")
	var got []string
	for _, item := range strings.Split(why, "<li")[1:] {
		line := strings.Fields(html.UnescapeString(clubtest.Tags.ReplaceAllString("<li"+item[:strings.Index(item, "</p>")], " ")))
		got = append(got, strings.Join(line, " "))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("what happened reads\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A move is told on both slots, with the other one and why; what was paid before is
// not told as if it had been paid here.
func TestWhyTellsWhatHappened(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "on_arrival", "c1", "17:30")
	d.SetClock("2026-12-10T10:05:00+08:00")
	page := d.desk.Get("/desk/orders/" + o.ID)
	d.wantSaid(d.submit(page, "/desk/orders/"+o.ID+"/paid"), "paid", "已收现金")
	d.SetClock("2026-12-10T10:10:30+08:00")
	page = d.desk.Get(d.to(o, "c2", "17:30"))
	p := d.wantSaid(d.submit(page, moveForm(o), "reason", "灯坏了"), "moved", "已改期")
	wantWhy(t, p, "10:10:30 改期到这里，原来是 12-10 周四 17:30–19:00 1号场：灯坏了 ← 由它决定")
	other := d.sold("李雷", "", "cash", "c1", "17:30")
	wantWhy(t, d.desk.Get(d.at("c1", "17:30")), "10:00 预订", "10:05 付款", "10:10:30 改到 12-10 周四 17:30–19:00 2号场：灯坏了", "10:10:30 预订", "10:10:30 付款 ← 由它决定")
	// As it was in between: what came later had not happened.
	wantWhy(t, d.desk.Get(d.at("c1", "17:30", "at", "2026-12-10T10:07")), "10:00 预订", "10:05 付款 ← 由它决定")

	d.SetClock("2026-12-10T17:20:00+08:00")
	page = d.desk.Get("/desk/orders/" + other.ID)
	d.wantSaid(d.submit(page, "/desk/orders/"+other.ID+"/cancel", "by", "venue", "reason", "漏水"), "cancelled", "订单已取消")
	d.checkIn(o.ID)
	d.SetClock("2026-12-10T19:05:00+08:00")
	wantWhy(t, d.desk.Get(d.at("c2", "17:30")), "10:10:30 改期到这里，原来是 12-10 周四 17:30–19:00 1号场：灯坏了", "17:20 核销", "19:00 结束")
	d.desk.Get(d.at("c1", "17:30")).Says("17:20 取消：漏水")

	d.desk.Cookies["courtd_lang"] = "en"
	d.desk.Get(d.at("c2", "17:30")).Says("10:10:30 moved here from", "17:20 checked in", "19:00 over")
}

func (d day) checkIn(order string) {
	d.t.Helper()
	ticket := d.order(order).Ticket
	if ticket == nil {
		d.t.Fatal("no ticket")
	}
	_, err := d.App.CheckIn(d.t.Context(), d.staff, ticket.Code, "")
	clubtest.Must(d.t, err)
}

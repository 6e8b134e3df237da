package desk_test

import (
	"html"
	"net/url"
	"testing"

	"courtd/app"
	"courtd/web/pages/clubtest"
)

// to is the address at which a move to a slot is to be confirmed.
func (d day) to(o app.OrderView, court, clock string) string {
	d.t.Helper()
	return "/desk?" + url.Values{"date": {"2026-12-10"}, "move": {o.Reservations[0].ID}, "to": {clubtest.Slot(d.t, court, clock)}}.Encode()
}

func moveForm(o app.OrderView) string {
	return "/desk/reservations/" + o.Reservations[0].ID + "/move"
}

func TestMoveShowsTheDifferenceFirst(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "cash", "c1", "14:30")
	for _, row := range []struct {
		court, clock, shown string
		difference          int64
	}{{"c2", "17:30", "收 ￥20 现金", 2000}, {"c3", "16:00", "退 ￥20", -2000}, {"c4", "16:00", "没有差价", 0}} {
		// From the panel to the choice: the free cells of the board are links to it.
		page := d.desk.Get(d.at(o.Reservations[0].Court.ID, o.Reservations[0].Start.Format("15:04")))
		page = d.desk.Get("/desk?move=" + html.UnescapeString(clubtest.Around(page.Body, `href="/desk?move=`, `"`))).Want(200)
		page.Says("改期 " + o.Number + " 王小明").Has("data-moving")
		href := html.UnescapeString(clubtest.Around(d.cell(page, row.court, row.clock), `href="`, `"`))
		if href != d.to(o, row.court, row.clock) {
			t.Errorf("the free cell leads to %s", href)
		}
		page = d.desk.Get(href).Want(200)
		wantPanel(t, page, row.shown, "确认改期")
		before := d.order(o.ID)
		for range 2 { // one form is one move
			p := d.wantSaid(d.submit(page, moveForm(o), "reason", "换个时间"), "moved", "已改期")
			d.says(p, row.court, row.clock, "confirmed open", "✓ 已付 · 现金 王小明 13611112222")
		}
		after := d.order(o.ID)
		if got := after.Reservations[0]; got.Court.ID != row.court || got.Start.Format("15:04") != row.clock || got.Replaces != o.Reservations[0].ID {
			t.Errorf("moved to %+v", got)
		}
		if got := (after.Paid - before.Paid) - (after.Refunded + after.RefundPending - before.Refunded - before.RefundPending); got != row.difference {
			t.Errorf("%s was shown, %d changed hands", row.shown, got)
		}
		o = after
	}
}

func TestMoveOfWhatIsNotPaid(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "on_arrival", "c1", "14:30")
	page := d.desk.Get(d.to(o, "c2", "17:30")).Want(200)
	wantPanel(t, page, "尚未付款：应付多 ￥20", "￥40 → ￥60 晚间")
	p := d.wantSaid(d.submit(page, moveForm(o)), "moved", "已改期")
	wantPanel(t, p, "收现金 ￥60", "请在 12-10 17:30 前付款")
	if got := d.order(o.ID); got.Paid != 0 || len(got.Payments) != 0 {
		t.Errorf("money changed hands: %+v", got.Payments)
	}
}

func TestMoveToAnotherDay(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "cash", "c1", "14:30")
	page := d.desk.Get("/desk?date=2026-12-12&move=" + o.Reservations[0].ID).Want(200)
	page.Has(`<optgroup label="1号场">`, `<option value="`+clubtest.SlotOn(t, "c1", "2026-12-12", "08:30")+`">1号场 08:30–10:00 ￥80`, `href="/desk?date=2026-12-13&amp;move=`)
	page = d.desk.Get("/desk?date=2026-12-12&move=" + o.Reservations[0].ID + "&to=" + clubtest.SlotOn(t, "c1", "2026-12-12", "08:30"))
	wantPanel(t, page, "收 ￥40 现金", "12-12 周六 08:30–10:00 1号场")
	p := d.submit(page, moveForm(o)).Want(303)
	d.desk.Get(p.Location).Want(200).Says("周六 12-12", "已改期")
	d.desk.Get("/desk?date=2026-12-12&move=" + o.Reservations[0].ID).Want(200).HasNot("data-moving").Says("已来不及")
}

// What the preview refuses is said at once, and there is another choice.
func TestMoveThatCannotBe(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "cash", "c1", "14:30")
	d.sold("李雷", "", "cash", "c2", "14:30")
	wantPanel(t, d.desk.Get(d.to(o, "c2", "14:30")).Want(200), "场次已被占用", "场地和时间")
	wantPanel(t, d.desk.Get(d.to(o, "c2", "08:30")).Want(200), "场次已过", "场地和时间")
	wantPanel(t, d.desk.Get(d.to(o, "c1", "14:30")).Want(200), "填写有误", "场地和时间")
	d.desk.Get("/desk?move=nonsense").Want(200).Says("找不到")

	page := d.desk.Get(d.to(o, "c3", "14:30"))
	d.sold("韩梅梅", "", "cash", "c3", "14:30")
	p := d.submit(page, moveForm(o), "reason", "换场").Want(409)
	wantPanel(t, p, "场次已被占用", "场地和时间")
	d.says(p, "c1", "14:30", "confirmed", "✓ 已付 · 现金 王小明")
	d.desk.Post(moveForm(o), "to", "nonsense").Want(422)
	d.desk.Post("/desk/reservations/nonsense/move", "to", clubtest.Slot(t, "c4", "14:30"), "difference", "0").Want(404)
}

// The price has changed since the difference was shown.
func TestMoveShowsAnotherDifferenceFirst(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "cash", "c1", "14:30")
	page := d.desk.Get(d.to(o, "c2", "17:30"))
	form := page.Form(moveForm(o), "reason", "换个时间")
	form.Set("difference", "0")
	p := d.desk.Send(moveForm(o), form).Want(409)
	wantPanel(t, p, "金额有变化", "收 ￥20 现金")
	p.Has(`value="换个时间"`)
	d.wantSaid(d.submit(p, moveForm(o)), "moved", "已改期")
}

// What a move was shown to cost depends on whether the booking is paid: when that has
// changed since, nobody's cash is booked unseen.
func TestMoveOfABookingPaidMeanwhile(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "on_arrival", "c1", "14:30")
	page := d.desk.Get(d.to(o, "c2", "17:30"))
	wantPanel(t, page, "尚未付款：应付多 ￥20")
	_, err := d.App.MarkPaid(t.Context(), d.staff, o.ID, "")
	clubtest.Must(t, err)
	p := d.submit(page, moveForm(o)).Want(409)
	wantPanel(t, p, "金额有变化", "收 ￥20 现金")
	if now := d.order(o.ID); now.Paid != 4000 || now.Reservations[0].Court.ID != "c1" {
		t.Errorf("paid %d fen, on %s: it was done all the same", now.Paid, now.Reservations[0].Court.ID)
	}
	d.wantSaid(d.submit(p, moveForm(o)), "moved", "已改期")
	if now := d.order(o.ID); now.Paid != 6000 {
		t.Errorf("paid %d fen, want 6000", now.Paid)
	}
}

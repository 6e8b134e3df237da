package settings_test

import (
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

type _date = domain.Date

func mustDate(t *testing.T, text string) domain.Date {
	t.Helper()
	d, err := domain.ParseDate("", text)
	clubtest.Must(t, err)
	return d
}

func TestHours(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/hours", "slot_minutes", "60", "weekly.1.closed", "on", "weekly.6.opens", "9", "weekly.6.closes", "26：00",
		"x.1.date", "2026-12-24", "x.1.opens", "1000", "x.1.closes", "15:30", "x.1.note", "年会", "h.1.date", "2027-01-01", "h.1.name", "元旦")
	form.Set("act", "save")
	o.Send("/owner/hours", form).WantRedirect("/owner/hours?said=saved")
	v, _ := o.venue()
	h := v.Calendar.Hours
	if h.SlotMinutes != 60 || !h.Weekly[1].Closed || h.Weekly[6].Opens != clock(t, "09:00") || h.Weekly[6].Closes != clock(t, "26:00") || h.Weekly[0].Opens != clock(t, "08:30") {
		t.Errorf("%+v", h)
	}
	if got := h.Exceptions[mustDate(t, "2026-12-24")]; len(h.Exceptions) != 1 || got != (domain.DayHours{Opens: clock(t, "10:00"), Closes: clock(t, "15:30"), Note: "年会"}) {
		t.Errorf("%+v", h.Exceptions)
	}
	if len(h.Holidays) != 1 || h.Holidays[mustDate(t, "2027-01-01")] != "元旦" {
		t.Errorf("%+v", h.Holidays)
	}
	// The picture: what was saved, in words and as slots.
	p := o.Get("/owner/hours?said=saved").Says("营业时间已保存", "09:00–26:00 · 17 场，最后一场 25:00–26:00", "10:00–15:30 · 5 场，最后一场 14:00–15:00 · 最后 30 分钟不成一场 · 年会",
		"08:30–22:00 · 13 场，最后一场 20:30–21:30 · 最后 30 分钟不成一场")
	if monday := clubtest.Around(p.Body, `<th scope="row">周一</th>`, "</tr>"); !strings.Contains(monday, "休息") || strings.Contains(monday, "<rect") {
		t.Errorf("Monday: %s", monday)
	}
	saturday := clubtest.Around(p.Body, `<th scope="row">周六</th>`, "</tr>")
	if strings.Count(saturday, "<rect") != 17 || !strings.Contains(saturday, `viewBox="0 0 1050 10"`) || !strings.Contains(saturday, `<rect x="30" y="0" width="60"`) {
		t.Errorf("Saturday is drawn as %s", saturday)
	}
	// Dropping the date by its button, then saving.
	form = formOf(p, "/owner/hours")
	form.Set("act", "drop-x.1")
	form = formOf(o.Send("/owner/hours", form).Want(200), "/owner/hours")
	form.Set("act", "save")
	o.Send("/owner/hours", form).WantRedirect("/owner/hours?said=saved")
	if v, _ := o.venue(); len(v.Calendar.Hours.Exceptions) != 0 || len(v.Calendar.Hours.Holidays) != 1 {
		t.Errorf("%+v", v.Calendar.Hours)
	}
}

func TestHoursSayWhatIsWrong(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/hours", "slot_minutes", "ninety", "weekly.2.opens", "eight", "x.1.date", "", "x.1.note", "no date", "h.1.date", "2026-12-25")
	form.Set("act", "save")
	p := o.Send("/owner/hours", form).Want(422)
	wantFault(t, p, "slot_minutes", "须为整数")
	wantFault(t, p, "weekly.2.opens", "须为时间，例如 08:30")
	wantFault(t, p, "x.1.date", "须为日期")
	wantFault(t, p, "h.1.name", "不能为空")
	p.Has(`value="ninety"`, `value="eight"`, `value="no date"`, `value="2026-12-25"`).Says("有几处还填得不对，改好后显示")

	// What only the whole shows: a night that runs into the next morning, the same date twice.
	form = o.fill("/owner/hours", "weekly.4.closes", "33:00", "x.1.date", "2026-12-24", "x.1.closed", "on")
	form.Set("act", "add-x")
	form = formOf(o.Send("/owner/hours", form).Want(200), "/owner/hours")
	form.Set("x.2.date", "2026-12-24")
	form.Set("x.2.closed", "on")
	p = o.Send("/owner/hours", form).Want(422)
	wantFault(t, p, "x.2.date", "重复了")
	form.Set("x.2.date", "2026-12-25")
	p = o.Send("/owner/hours", form).Want(422)
	wantFault(t, p, "weekly.4.closes", "晚于 周五 的开门时间")
	// Of a date's row as well.
	form.Set("weekly.4.closes", "22:00")
	form.Del("x.2.closed")
	form.Set("x.2.opens", "10:00")
	form.Set("x.2.closes", "09:00")
	p = o.Send("/owner/hours", form).Want(422)
	wantFault(t, p, "x.2.closes", "须晚于开门时间")
	if v, _ := o.venue(); len(v.Calendar.Hours.Exceptions) != 0 {
		t.Error("half of a bad form was kept")
	}
}

func TestBookingsThatWouldNotFitAreNamedFirst(t *testing.T) {
	o := open(t)
	a := o.k.Customer("13800138000")
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "slot", clubtest.Slot(t, "c1", "19:00"))
	form := o.fill("/owner/hours", "slot_minutes", "60")
	// The preview says it, and so does saving, once.
	o.ask("/owner/hours/preview", form).Want(200).Says("有 2 个已订场次对不上这张新表", "12-10 17:30–19:00 1号场", "它们照常有效").HasNot("<html")
	form.Set("act", "save")
	p := o.Send("/owner/hours", form).Want(409).Says("还没有保存：有 2 个已订场次对不上新的场次表", "12-10 19:00–20:30 1号场").Has(`value="60"`)
	if v, _ := o.venue(); v.Calendar.Hours.SlotMinutes != 90 {
		t.Fatal("it was saved without asking")
	}
	form = formOf(p, "/owner/hours")
	form.Set("act", "save")
	o.k.Customer("13900139000").Book("slot", clubtest.Slot(t, "c2", "19:00")) // meanwhile one more
	p = o.Send("/owner/hours", form).Want(409).Says("有 3 个已订场次", "12-10 19:00–20:30 2号场")
	form = formOf(p, "/owner/hours")
	form.Set("act", "save")
	o.Send("/owner/hours", form).WantRedirect("/owner/hours?said=saved")
	a.Get(order).Says("17:30") // they stand
	// What did not fit before is not told again.
	form = o.fill("/owner/hours", "weekly.0.closes", "21:00")
	form.Set("act", "save")
	o.Send("/owner/hours", form).WantRedirect("/owner/hours?said=saved")
	// A shorter day cuts off what begins after it; the slot that stays is not named.
	form = o.fill("/owner/hours", "slot_minutes", "90")
	o.ask("/owner/hours/preview", form).HasNot("对不上")
}

// As many bookings as before, but others: those have not been seen.
func TestOtherBookingsThanThoseAgreedToAreShown(t *testing.T) {
	o := open(t)
	a, b := o.k.Customer("13800138000"), o.k.Customer("13900139000")
	first := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	form := o.fill("/owner/hours", "slot_minutes", "60")
	form.Set("act", "save")
	form = formOf(o.Send("/owner/hours", form).Want(409).Says("有 1 个已订场次", "12-10 17:30–19:00 1号场"), "/owner/hours")
	form.Set("act", "save")
	cancel := func(who *clubtest.Browser, order string) {
		t.Helper()
		who.Cancel(order).Want(303)
	}
	cancel(a, first)
	second := b.Book("slot", clubtest.Slot(t, "c3", "19:00"))
	p := o.Send("/owner/hours", form).Want(409).Says("还没有保存：有 1 个已订场次", "12-10 19:00–20:30 3号场").HasNot("12-10 17:30–19:00")
	if v, _ := o.venue(); v.Calendar.Hours.SlotMinutes != 90 {
		t.Fatal("a booking was agreed to unseen")
	}
	form = formOf(p, "/owner/hours")
	form.Set("act", "save")
	// The same slot, but somebody else's.
	cancel(b, second)
	third := a.Book("slot", clubtest.Slot(t, "c3", "19:00"))
	form = formOf(o.Send("/owner/hours", form).Want(409), "/owner/hours")
	form.Set("act", "save")
	// None is left: there is nothing to agree to.
	cancel(a, third)
	o.Send("/owner/hours", form).WantRedirect("/owner/hours?said=saved")
	if v, _ := o.venue(); v.Calendar.Hours.SlotMinutes != 60 {
		t.Errorf("%d minutes", v.Calendar.Hours.SlotMinutes)
	}
}

// A form that is drawn again, for whatever reason, has not seen what another owner did.
func TestHoursDrawnAgainHaveNotSeenAnothersChange(t *testing.T) {
	for _, act := range []string{"add-x", "preview", "save"} {
		o := open(t)
		o.k.Customer("13800138000").Book("slot", clubtest.Slot(t, "c1", "17:30"))
		form := o.fill("/owner/hours", "slot_minutes", "60")
		o.change("hours", func(v *sqlite.Venue) { v.Calendar.Hours.Weekly[2] = domain.DayHours{Closed: true} })
		if form.Set("act", act); act == "save" {
			form.Set("slot_minutes", "sixty")
		}
		form = formOf(o.Send("/owner/hours", form), "/owner/hours")
		form.Set("act", "save")
		form.Set("slot_minutes", "60")
		o.Send("/owner/hours", form).Want(409).Says("别人改了这里", "周二 休息")
	}
}

func TestHoursOfTwoOwners(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/hours", "weekly.1.closed", "on")
	form.Set("act", "save")
	o.change("policy", func(v *sqlite.Venue) { v.Policy.HoldMinutes = 12 }) // another part: no matter
	o.change("hours", func(v *sqlite.Venue) { v.Calendar.Hours.Weekly[2] = domain.DayHours{Closed: true} })
	p := o.Send("/owner/hours", form).Want(409).Says("别人改了这里", "周二 休息", "尚未保存").Has(`href="/owner/hours"`)
	if !strings.Contains(clubtest.Around(p.Body, `name="weekly.1.closed"`, ">"), "checked") {
		t.Error("what was ticked is not kept")
	}
	if v, _ := o.venue(); v.Calendar.Hours.Weekly[1].Closed || !v.Calendar.Hours.Weekly[2].Closed {
		t.Errorf("%+v", v.Calendar.Hours.Weekly)
	}
	o.Send("/owner/hours", formOf(p, "/owner/hours")).WantRedirect("/owner/hours?said=saved")
	if v, _ := o.venue(); !v.Calendar.Hours.Weekly[1].Closed || v.Calendar.Hours.Weekly[2].Closed {
		t.Errorf("%+v", v.Calendar.Hours.Weekly)
	}
}

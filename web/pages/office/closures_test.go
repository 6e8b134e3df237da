package office_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// ask is a closure as the form asks for it.
func ask(pairs ...string) url.Values {
	out := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		out.Add(pairs[i], pairs[i+1])
	}
	return out
}

// confirm sends the form of a preview with a choice.
func confirm(t *testing.T, b *clubtest.Browser, p clubtest.Page, asked url.Values, choice string) clubtest.Page {
	t.Helper()
	form := url.Values{"csrf": {b.Token()}, "nonce": {field(t, p, "nonce")}, "seen": {field(t, p, "seen")}}
	if choice != "" {
		form.Set("bookings", choice)
	}
	for name, values := range asked {
		form[name] = values
		for _, value := range values {
			p.Has(`name="` + name + `" value="` + value + `"`)
		}
	}
	return b.Send("/owner/closures", form)
}

func preview(b *clubtest.Browser, asked url.Values) clubtest.Page {
	return b.Get("/owner/closures/preview?" + asked.Encode())
}

var evening = ask("court", "c1", "court", "c2", "from_day", "2026-12-10", "from_time", "17:30", "to_day", "2026-12-10", "to_time", "20:30", "reason", "漏水")

func TestAClosureIsSeenBeforeItIsMade(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, a, b := k.Owner(), k.Customer("13800138000"), k.Customer("13900139000")
	_, paid := a.Ticket("slot", clubtest.Slot(t, "c1", "17:30"), "slot", clubtest.Slot(t, "c3", "17:30"), "qty.g1", "1")
	held := b.Book("slot", clubtest.Slot(t, "c2", "19:00"))
	_, later := b.Ticket("slot", clubtest.Slot(t, "c2", "20:30")) // begins when the closure ends
	p := preview(owner, evening).Want(200).Says("今天 12-10 17:30–20:30", "1号场、2号场", "漏水", "影响 2 个预订",
		"12-10 周四 17:30–19:00 1号场 ✓ 待核销", "13800138000", "退 ￥60", "12-10 周四 19:00–20:30 2号场 … 待付款", "13900139000", "无需退款", "全部取消，全额退款 ￥60")
	p.Has(`href="`+paid+`"`, `href="`+held+`"`, `href="tel:13800138000"`).HasNot(later)
	if count(t, k, "SELECT count(*) FROM closures") != 0 {
		t.Fatal("a preview closes courts")
	}
	confirm(t, owner, p, evening, "").Want(422).Says("请选择怎样处理这些预订", "影响 2 个预订")

	// Somebody books meanwhile: nothing is closed, and it is shown again.
	_, more := a.Ticket("slot", clubtest.Slot(t, "c1", "19:00"))
	p = confirm(t, owner, p, evening, "cancel").Want(409).Says("刚刚有变化", "影响 3 个预订", "全额退款 ￥120").Has(`value="cancel" checked`, `href="`+more+`"`)
	if count(t, k, "SELECT count(*) FROM closures") != 0 {
		t.Fatal("what was not seen was closed")
	}
	for range 2 { // the button was pressed twice
		confirm(t, owner, p, evening, "cancel").WantRedirect("/owner/closures?said=cancelled")
	}
	if got := count(t, k, "SELECT count(*) FROM closures"); got != 1 {
		t.Errorf("%d closures, want 1", got)
	}
	if got := count(t, k, "SELECT sum(amount_fen) FROM refunds"); got != 12000 {
		t.Errorf("%d fen go back, want 12000", got)
	}
	a.Get(paid).Says("已付款", "已取消", "漏水")
	b.Get(held).Says("已取消")
	b.Get(later).Says("已付款")
	owner.Get("/owner/closures?said=cancelled").Says("已取消并全额退款", "今天 12-10 17:30–20:30 未开始", "1号场、2号场 · 漏水", "馆主 12-10 10:00 设置")
	b.Post("/orders", "slot", clubtest.Slot(t, "c1", "17:30")).Want(409)
}

func TestBookingsMayBeKept(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, a := k.Owner(), k.Customer("13800138000")
	_, order := a.Ticket("slot", clubtest.Slot(t, "c1", "17:30"))
	confirm(t, owner, preview(owner, evening), evening, "keep").WantRedirect("/owner/closures?said=kept")
	a.Get(order).Says("已付款")
	a.Post("/orders", "slot", clubtest.Slot(t, "c1", "19:00")).Want(409).Says("封场")

	k.SetClock("2026-12-10T17:30:00+08:00")
	p := owner.Get("/owner/closures").Says("17:30–20:30 生效中")
	lift := "/owner/closures/" + clubtest.Around(strings.ReplaceAll(p.Body, "/owner/closures/preview", ""), `action="/owner/closures/`, `"`)
	owner.Get(lift).WantRedirect("/owner/closures")
	for range 2 {
		owner.Post(lift).WantRedirect("/owner/closures?said=lifted")
	}
	owner.Get("/owner/closures").Says("现在没有封场", "17:30–20:30 已解除", "馆主 12-10 17:30 解除")
	a.Book("slot", clubtest.Slot(t, "c1", "19:00"))
	owner.Post("/owner/closures/nothing/lift").Want(404)
}

func TestAClosureThatHitsNothing(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	whole := ask("all", "1", "whole", "1", "from_day", "2026-12-11", "to_day", "2026-12-12", "reason", "")
	p := preview(owner, whole).Want(200).Says("明天 12-11 至 周六 12-12 全天", "全部场地", "没有影响任何预订").HasNot("全额退款")
	confirm(t, owner, p, whole, "none").WantRedirect("/owner/closures?said=closed")
	c := read(t, k, func(s *sqlite.Snapshot) ([]domain.Closure, error) { return s.ClosuresNotOver() })[0]
	if c.From != clubtest.At(t, "2026-12-11T00:00:00+08:00") || c.To != clubtest.At(t, "2026-12-13T00:00:00+08:00") || len(c.Courts) != 6 {
		t.Errorf("%+v", c)
	}
	k.SetClock("2026-12-13T00:00:00+08:00")
	owner.Get("/owner/closures").Says("12-11 至 周六 12-12 全天 已结束")
	// A form that no preview came before is shown one.
	owner.Post("/owner/closures", "all", "1", "whole", "1", "from_day", "2026-12-14", "to_day", "2026-12-14", "bookings", "cancel").Want(200).Says("确认封场")
}

func TestClosuresThatCannotBe(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	for _, row := range []struct {
		asked  url.Values
		says   string
		marked string
	}{
		{ask("from_day", "2026-12-11", "to_day", "2026-12-11", "whole", "1"), "请至少选择一片场地", "closure-courts"},
		{ask("court", "c9", "from_day", "2026-12-11", "to_day", "2026-12-11", "whole", "1"), "没有这片场地", "closure-courts"},
		{ask("court", "c1", "from_day", "", "to_day", "2026-12-11", "whole", "1"), "须为日期", "closure-from_day"},
		{ask("court", "c1", "from_day", "2026-12-11", "to_day", "2026-02-30", "whole", "1"), "须为日期", "closure-to_day"},
		{ask("court", "c1", "from_day", "2026-12-12", "to_day", "2026-12-11", "whole", "1"), "不能早于开始日期", "closure-to_day"},
		{ask("court", "c1", "from_day", "2026-12-08", "to_day", "2026-12-09", "whole", "1"), "已经过去", "closure-to_day"},
		{ask("court", "c1", "from_day", "2026-12-11", "to_day", "2027-12-20", "whole", "1"), "封场最长 366 天", "closure-to_day"},
		{ask("court", "c1", "from_day", "2026-12-11", "to_day", "2026-12-11", "from_time", "17:30", "to_time", "17:30"), "须晚于开始时间", "closure-to_time"},
		{ask("court", "c1", "from_day", "2026-12-11", "to_day", "2026-12-11", "from_time", "", "to_time", "17:30"), "须为时间", "closure-from_time"},
		{ask("court", "c1", "from_day", "2026-12-11", "to_day", "2026-12-11", "whole", "1", "reason", strings.Repeat("长", 201)), "不能超过 200 个字符", "closure-reason"},
	} {
		for _, p := range []clubtest.Page{preview(owner, row.asked), owner.Send("/owner/closures", merge(row.asked, url.Values{"csrf": {owner.Token()}, "seen": {"x"}}))} {
			p.Want(422).Says(row.says, "新的封场").Has(`href="#`+row.marked+`"`, `id="`+row.marked+`"`)
			if day := row.asked.Get("to_day"); day != "" {
				p.Has(`name="to_day" value="` + day + `"`)
			}
			if (row.asked.Get("whole") != "") != strings.Contains(p.Body, `name="whole" value="1" checked`) {
				t.Errorf("%s: whole days are not kept", row.asked.Encode())
			}
		}
	}
	if count(t, k, "SELECT count(*) FROM closures") != 0 {
		t.Error("something was closed")
	}
	// The way back from a preview finds the form as it was.
	p := preview(owner, evening)
	owner.Get("/owner/closures?"+evening.Encode()).Want(200).Has(`value="c1" checked`, `value="c2" checked`, `value="17:30"`, `value="漏水"`).HasNot(`value="c3" checked`, `name="whole" value="1" checked`, "还没有保存")
	p.Has(`href="/owner/closures?` + strings.ReplaceAll(evening.Encode(), "&", "&amp;") + `"`)
}

func merge(all ...url.Values) url.Values {
	out := url.Values{}
	for _, values := range all {
		for name, value := range values {
			out[name] = value
		}
	}
	return out
}

// Clocks that jump and clocks that repeat an hour: New York in 2027. A business day that
// goes on past midnight is closed whole.
func TestClosuresByTheVenuesClock(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	zone, err := time.LoadLocation("America/New_York")
	clubtest.Must(t, err)
	_, err = k.App.ChangeVenue(t.Context(), actorOf(t, k, owner), "venue", func(v *sqlite.Venue) error {
		v.Zone, v.Calendar.Zone = zone.String(), zone
		v.Calendar.Hours = domain.DefaultHours()
		for day := range v.Calendar.Hours.Weekly {
			v.Calendar.Hours.Weekly[day] = domain.DayHours{Opens: 10 * 60, Closes: 25*60 + 30}
		}
		return nil
	})
	clubtest.Must(t, err)
	for _, row := range []struct {
		asked    url.Values
		says     string
		from, to string
	}{
		{ask("from_day", "2027-03-14", "from_time", "02:30", "to_day", "2027-03-14", "to_time", "05:00"), "02:30 被夏令时跳过，按 03:00 计算", "2027-03-14T07:00:00Z", "2027-03-14T09:00:00Z"},
		{ask("from_day", "2027-11-07", "from_time", "01:30", "to_day", "2027-11-07", "to_time", "02:00"), "01:30 会出现两次，按第一次计算", "2027-11-07T05:30:00Z", "2027-11-07T07:00:00Z"},
		{ask("from_day", "2027-03-14", "whole", "1", "to_day", "2027-03-14"), "2027-03-14 全天", "2027-03-14T06:30:00Z", "2027-03-15T05:30:00Z"},
	} {
		row.asked.Set("court", "c1")
		p := preview(owner, row.asked).Want(200).Says(row.says)
		confirm(t, owner, p, row.asked, "none").Want(303)
		read(t, k, func(s *sqlite.Snapshot) (domain.Closure, error) {
			all, err := s.ClosuresNotOver()
			for _, c := range all {
				if c.From == clubtest.At(t, row.from) && c.To == clubtest.At(t, row.to) {
					return c, err
				}
			}
			t.Errorf("%s: no closure from %s to %s, but %+v", row.asked.Encode(), row.from, row.to, all)
			return domain.Closure{}, err
		})
	}
	preview(owner, ask("court", "c1", "from_day", "2027-11-07", "from_time", "02:00", "to_day", "2027-11-07", "to_time", "03:30")).Want(200).HasNot("两次", "跳过")
}

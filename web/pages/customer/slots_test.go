package customer_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// ask asks for a live part with the tag that it was last sent with.
func ask(b *clubtest.Browser, path, etag string) clubtest.Page {
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("If-None-Match", etag)
	return b.Do(r)
}

// etagOf is the tag that a page carries for its live part.
func etagOf(p clubtest.Page) string {
	return strings.ReplaceAll(clubtest.Around(p.Body, `data-etag="`, `"`), "&#34;", `"`)
}

func TestGridAsksForItselfAgain(t *testing.T) {
	k := clubtest.Open(t, true)
	a, visitor := k.Customer("13800138000"), k.Browser()
	page := visitor.Get("/?date=2026-12-10").Want(200).Has(`hx-get="/slots?date=2026-12-10"`)
	tag := etagOf(page)
	p := ask(visitor, "/slots?date=2026-12-10", tag)
	if p.Status != 304 || p.Body != "" || p.Header.Get("X-Courtd-Now") != fmt.Sprint(clubtest.At(t, clubtest.Opening)) {
		t.Fatalf("nothing has happened: status %d with %d bytes at %q", p.Status, len(p.Body), p.Header.Get("X-Courtd-Now"))
	}
	k.SetClock("2026-12-10T10:00:40+08:00") // time alone is no change
	if p := ask(visitor, "/slots?date=2026-12-10", tag); p.Status != 304 {
		t.Fatalf("40 seconds later: status %d", p.Status)
	}
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	p = ask(visitor, "/slots?date=2026-12-10", tag).Want(200).Says("占位中 至 10:10")
	p.Has(`data-live`, `data-state="held" data-name="1号场 17:30–19:00"`, `data-left-of="g1" data-most="10">余 10<`).HasNot("<!doctype", `value="`+clubtest.Slot(t, "c1", "17:30")+`"`)
	if p.Header.Get("ETag") == tag || p.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("tag %q, Cache-Control %q", p.Header.Get("ETag"), p.Header.Get("Cache-Control"))
	}
	// It says when it changes by itself, and then it has.
	p.Has(fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:10:40+08:00")))
	tag = p.Header.Get("ETag")
	k.SetClock("2026-12-10T10:10:39+08:00")
	if p := ask(visitor, "/slots?date=2026-12-10", tag); p.Status != 304 {
		t.Errorf("a second before the hold ends: status %d", p.Status)
	}
	k.SetClock("2026-12-10T10:10:40+08:00")
	ask(visitor, "/slots?date=2026-12-10", tag).Want(200).HasNot("占位中").Has(`value="`+clubtest.Slot(t, "c1", "17:30")+`"`, `data-most="12"`)
	a.Get(order).Says("已失效")
	ask(visitor, "/slots?date=nonsense", "").Want(422)
}

func TestOwnSlotsAreOnesOwn(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b := k.Customer("13800138000"), k.Customer("13900139000")
	paid := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	a.Pay(paid)
	held := a.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	for _, path := range []string{"/?date=2026-12-10", "/slots?date=2026-12-10"} {
		p := a.Get(path).Want(200).Says("★ 我的 待核销", "★ 我的 待付款 至 10:10")
		p.Has(`href="`+paid+`"`, `href="`+held+`"`, `data-state="mine"`, `data-state="mine unpaid"`)
		for who, other := range map[string]*clubtest.Browser{"another customer": b, "a visitor": k.Browser(), "the desk": k.Desk()} {
			p := other.Get(path).Want(200).Says("占位中 至 10:10", "已订")
			if strings.Contains(p.Body, `data-state="mine`) || strings.Contains(p.Body, paid) || strings.Contains(p.Body, held) {
				t.Errorf("%s sees whose slots these are on %s", who, path)
			}
		}
	}
	// What one has already counts: four a day, two of them gone.
	a.Get("/?date=2026-12-10").Has(`data-most="2"`).Says("这一天您已有 2 场")
	a.Get("/?date=2026-12-11").Has(`data-most="4"`)
	b.Get("/?date=2026-12-10").Has(`data-most="4"`).HasNot("您已有")
	k.SetClock("2026-12-10T10:10:00+08:00")
	a.Get("/?date=2026-12-10").Has(`data-most="3"`).HasNot(held)
}

// change sets the venue up anew in a part of it.
func change(t *testing.T, k *clubtest.Club, change func(*sqlite.Venue)) {
	t.Helper()
	owner, err := k.App.WhoIs(t.Context(), k.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = k.App.ChangeVenue(t.Context(), owner, "test", func(v *sqlite.Venue) error { change(v); return nil })
	clubtest.Must(t, err)
}

func date(t *testing.T, text string) domain.Date {
	t.Helper()
	day, err := domain.ParseDate("date", text)
	clubtest.Must(t, err)
	return day
}

func TestStripOfDays(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) {
		v.Calendar.Hours.Exceptions[date(t, "2026-12-12")] = domain.DayHours{Closed: true, Note: "内部比赛"}
		v.Calendar.Hours.Holidays[date(t, "2026-12-13")] = "国家公祭日"
	})
	k.SetClock("2026-12-11T06:59:59+08:00")
	b := k.Browser()
	p := b.Get("/").Want(200)
	days := clubtest.Tags.ReplaceAllString(clubtest.Around(p.Body, `aria-label="选择日期">`, "</nav>"), " ")
	if got := strings.Join(strings.Fields(days), " "); got != "今天 12-11 明天 12-12 休息 周日 12-13 周一 12-14 周二 12-15 周三 12-16 周四 12-17 未开放" {
		t.Errorf("the strip is %q", got)
	}
	p.Has(fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-11T07:00:00+08:00")))
	b.Get("/?date=2026-12-17").Says("这一天还没有开放，12-11 07:00 起可订", "未开放 ￥40").HasNot(`name="slot"`)
	b.Get("/?date=2026-12-12").Says("这一天不营业", "内部比赛").HasNot("<table>")
	b.Get("/?date=2026-12-13").Says("周日 12-13 · 国家公祭日")
	b.Get("/?date=2027-01-05").Says("12-30 07:00 起可订").HasNot("2026-12-30")
	b.Get("/?date=2027-01-07").Says("2027-01-01 07:00 起可订") // of another year
	tag := etagOf(b.Get("/?date=2026-12-17"))
	k.SetClock("2026-12-11T07:00:00+08:00")
	ask(b, "/slots?date=2026-12-17", tag).Want(200).HasNot("未开放", "起可订").Has(`name="slot"`)
	// At midnight it is tomorrow, on whatever day one looks at.
	k.SetClock("2026-12-11T22:00:00+08:00")
	b.Get("/?date=2026-12-13").Has(fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-12T00:00:00+08:00")))
	b.Get("/?lang=en")
	b.Get("/").Says("Today 12-11", "Sun 12-13", "Sat 12-12 closed").HasNot("今天")
}

func TestSlotsThatCannotBeChosen(t *testing.T) {
	k := clubtest.Open(t, true)
	k.SetClock("2026-12-10T17:28:00+08:00")
	b := k.Customer("13800138000")
	b.Get("/").Says("前台可订").HasNot(`value="` + clubtest.Slot(t, "c1", "17:30") + `"`)
	change(t, k, func(v *sqlite.Venue) { v.Calendar.Hours.Weekly[5].Closes = 26 * 60 })
	b.Get("/?date=2026-12-11").Says("08:30–次日 01:00", "23:30 01:00")
}

func TestVenueWithNothingInIt(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, err := k.App.WhoIs(t.Context(), k.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	for _, id := range []string{"c1", "c2", "c3", "c4", "c5", "c6"} {
		_, err := k.App.ChangeCourt(t.Context(), owner, id, func(c *sqlite.Court) error { c.Active = false; return nil })
		clubtest.Must(t, err)
	}
	for _, id := range []string{"g1", "g2", "g3"} {
		_, err := k.App.ChangeGood(t.Context(), owner, id, func(g *sqlite.Good) error { g.Active = false; return nil })
		clubtest.Must(t, err)
	}
	k.Browser().Get("/").Want(200).Says("这里还没有可以订的场地").HasNot("加点商品", "<table>", `data-goods-words="只买商品"`)
}

// While nothing is chosen the bar asks for a slot only where there is one; goods are
// sold on every day.
func TestTheBarOfADayWithoutFreeSlots(t *testing.T) {
	k := clubtest.Open(t, true)
	change(t, k, func(v *sqlite.Venue) {
		v.Calendar.Hours.Exceptions[date(t, "2026-12-12")] = domain.DayHours{Closed: true, Note: "内部比赛"}
	})
	b := k.Customer("13800138000")
	says := func(path, zh string) {
		t.Helper()
		p := b.Get(path).Want(200)
		bar := clubtest.Around(p.Body, `<span data-none>`, "</span>")
		part := clubtest.Around(p.Body, `<span hidden data-nothing>`, "</span>") // for a bar that has been there for a while
		if bar != zh || part != zh {
			t.Errorf("%s: the bar says %q, its part %q; want %q", path, bar, part, zh)
		}
	}
	says("/?date=2026-12-11", "点选空闲场次")
	says("/?date=2026-12-12", "这一天不营业")
	says("/?date=2026-12-30", "这一天还没有开放预订")
	b.Get("/?date=2026-12-12").Has("data-sells", `data-goods-words="只买商品"`)
	k.SetClock("2026-12-10T20:28:00+08:00")
	says("/", "剩下的场次请到前台预订")
	k.SetClock("2026-12-10T22:30:00+08:00")
	says("/", "这一天已没有空闲场次")
	b.Get("/?lang=en")
	says("/?date=2026-12-12", "Closed on this day")
	b.Get(b.Book("date", "2026-12-12", "qty.g3", "1")).Says("矿泉水")
}

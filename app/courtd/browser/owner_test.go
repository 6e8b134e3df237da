package browser_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

var setUpPath = regexp.MustCompile(`/setup\?token=\S+`)

// A venue is set up from nothing, with the keyboard alone, up to a grid with the
// right prices; afterwards the address that was printed is worth nothing.
func TestOwnerSetsUpAVenue(t *testing.T) {
	t.Parallel()
	k := serve(t, "serve", "--setup", "--db", filepath.Join(t.TempDir(), "new.db"))
	path := k.printed(setUpPath)
	u := k.visitor(phone.inTheDark())
	u.open(path)
	u.fits()
	u.accessible()
	u.look(wide)
	u.fits()
	u.accessible("color-contrast")
	for _, field := range [][2]string{{"场馆名称", "云上羽毛球馆"}, {"有几片场地 （片）", "4"}, {"平时每场 （元）", "50"}, {"晚间每场（可不填） （元）", "70"},
		{"您的用户名", "boss"}, {"密码", "long enough 2026"}, {"再输一次密码", "long enough 2026"}} {
		u.tabTo(field[0])
		u.keys(field[1])
	}
	u.tabTo("建好场馆")
	u.goes(func() { u.keys(kb.Enter) })
	u.see("场馆已建好，您已登录", "特殊日期和节假日")
	u.look(phone)
	u.fits()
	u.accessible()
	u.presses("link", "看看顾客看到的")
	u.see("云上羽毛球馆")
	u.clicks(".days a:nth-child(2)") // all of tomorrow is ahead
	for price, want := range map[string]int{"5000": 4 * 6, "7000": 4 * 3} {
		if n := u.count(fmt.Sprintf(`input[name=slot][data-price="%s"]`, price)); n != want {
			t.Errorf("%d slots cost %s fen, want %d", n, price, want)
		}
	}
	u.seeIn("#courts", "￥50", "￥70", "4号场", "20:30")
	u.expect(404)
	u.open(path)
	u.see("场馆已设置")
}

// Courts are closed with bookings on them: the preview names each, all money goes
// back, and the customer reads why.
func TestOwnerClosesACourt(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	me := k.customer(customerPhone)
	id, _ := k.paid(me, slots("c1", "17:30", "c1", "19:00"))
	k.book(k.customer("13900139000"), slots("c1", "20:30"))
	customer := k.visitor(phone).as(me)
	customer.open("/orders/" + id)
	customer.see("到场出示此码")

	u := k.visitor(wide).as(k.staff("owner"))
	u.open("/owner/closures")
	u.press("checkbox", "1号场")
	u.fill("从哪一天", "2026-12-10")
	u.fill("到哪一天（含）", "2026-12-10")
	u.fill("原因", "地板漏水")
	u.presses("button", "下一步：看影响")
	u.see("影响 3 个预订", "地板漏水")
	u.seeIn(".hits", "17:30–19:00", "￥60", "20:30–22:00", "无需退款", "138")
	u.press("radio", "全部取消，全额退款")
	u.presses("button", "确认封场")
	u.see("生效中", "地板漏水")

	customer.looksAgain()
	customer.see("订单已取消", "原因: 地板漏水", "￥120", "退款")
	customer.open("/")
	customer.seeIn(gridCell("c1", "17:30"), "封场")
	customer.element(cell("c2", "17:30"))
}

// The desk finds no way to the owner's pages, and none of them opens.
func TestDeskSeesNothingOfTheOwner(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	u := k.visitor(wide).as(k.staff("owner"))
	u.open("/owner")
	pages := eval[[]string](u, `[...document.querySelectorAll("nav.sub a")].map((a) => a.getAttribute("href"))`)
	if len(pages) < 13 {
		t.Fatalf("the owner has %d pages", len(pages))
	}
	u.as(k.staff("desk"))
	u.open("/desk")
	if u.count(`a[href^="/owner"]`) != 0 {
		t.Error("the board leads to the owner's pages")
	}
	u.expect(403)
	u.open("/owner")
	u.see("没有权限")
	u.fits()
	for _, page := range append(pages, "/owner/start", "/owner/clock", "/owner/audit.csv", "/owner/reports/takings.csv") {
		u.expect(403)
		if status := eval[int](u, `fetch(`+quoted(page)+`).then((answer) => answer.status)`); status != 403 {
			t.Errorf("%s answers the desk %d", page, status)
		}
	}
}

// After a busy day the figures are those of the day, in charts, in tables and as a file.
func TestOwnerSeesTheDay(t *testing.T) {
	t.Parallel()
	d := busyDay(openClub(t))
	u := d.visitor(wide).as(d.staff("owner"))
	seesLateReconciler(u)
	u.look(wide)
	u.open("/owner")
	u.see("￥520", "今日净收入")
	u.open("/owner/reports?from=2026-12-10&until=2026-12-10")
	u.see("￥520", "￥300", "￥220") // in all, by the sandbox, in cash
	if u.count("main svg") == 0 || u.count("main table") == 0 {
		t.Error("the takings lack a chart or a table")
	}
	file := u.download(u.attribute("a[download]", "href"))
	for _, part := range []string{"\ufeff", "2026-12-10", "520.00"} {
		if !strings.Contains(file, part) {
			t.Errorf("the file lacks %q: %q", part, file)
		}
	}
	u.open("/owner/reports/utilisation?from=2026-12-10&until=2026-12-10")
	u.see("周四")
	u.open("/owner/reports/rates?from=2026-12-10&until=2026-12-10")
	u.see("爽约")
	u.open("/owner/audit")
	u.see("王小明", "代客订场", "核销入场")
}

// download is what a file says that the page offers.
func (u *user) download(href string) string {
	u.t.Helper()
	return eval[string](u, `fetch(`+quoted(href)+`).then((answer) => answer.arrayBuffer()).then((all) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(all))`)
}

// seesLateReconciler: when no round has run for long the page is red and says that
// bookings are right all the same; after "run now" it is well.
func seesLateReconciler(u *user) {
	u.t.Helper()
	u.look(phone)
	u.open("/owner/reconciler")
	u.presses("button", "立即运行一轮")
	u.seeIn(".state.fine", "对账正常")
	u.set("15:30")
	u.looksAgain()
	u.seeIn(".state.late", "对账晚了", "仍然准确到秒")
	u.fits()
	u.accessible()
	u.look(phone.inTheDark())
	u.accessible("color-contrast")
	u.presses("link", "会做什么？")
	u.see("1210-0010") // it was held until 14:45
	u.open("/owner")
	u.see("对账晚了", "订场与空位不受影响")
	u.open("/owner/reconciler")
	u.presses("button", "立即运行一轮")
	u.seeIn(".state.fine", "对账正常")
}

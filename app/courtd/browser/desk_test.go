package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// mouse moves the mouse with its left button down, or presses or lets go of that.
func (u *user) mouse(what input.DispatchMouseEventType, at []float64) {
	u.t.Helper()
	held := int64(1)
	if what == input.DispatchMouseEventTypeMouseReleased {
		held = 0
	}
	send(u, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: what, X: at[0], Y: at[1], Button: input.MouseButtonLeft, Buttons: held, ClickCount: 1})
}

// drag takes one element to another with the mouse.
func (u *user) drag(from, to string) {
	u.t.Helper()
	u.element(from)
	u.element(to)
	ends := eval[[][]float64](u, `[`+quoted(from)+`, `+quoted(to)+`].map((css) => {
		const box = document.querySelector(css).getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})`)
	u.mouse(input.DispatchMouseEventTypeMousePressed, ends[0])
	u.mouse(input.DispatchMouseEventTypeMouseMoved, []float64{ends[0][0] + 10, ends[0][1] + 10})
	u.mouse(input.DispatchMouseEventTypeMouseMoved, ends[1])
	u.mouse(input.DispatchMouseEventTypeMouseReleased, ends[1])
}

// The desk's afternoon: money for a caller, a booking dragged to the evening for the
// difference that was shown, a no-show undone, and a colleague's board that shows all
// of it by itself.
func TestDeskHandlesTheDay(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	desk := k.staff("desk")
	k.sold(desk, "王小明", slots("c1", "14:30"))
	k.paid(k.customer(customerPhone), slots("c2", "13:00"))
	caller := slots("c3", "14:30")
	caller["customer"], caller["pay"] = body{"name": "李雷", "phone": "13700137000"}, "on_arrival"
	k.call("POST", "/api/v1/desk/orders", desk, caller)
	colleague := k.visitor(phone.in("en")).as(desk)
	colleague.open("/desk")
	colleague.seeIn(boardCell("c3", "14:30"), "held", "李雷")
	colleague.fits()
	k.set("12:05")

	u := k.visitor(wide).as(desk)
	u.open("/desk")
	u.click(boardCell("c3", "14:30"))
	u.seeIn("#panel", "李雷", "到场付")
	u.presses("button", "收现金 ￥40")
	u.see("已收现金")
	u.seeIn(boardCell("c3", "14:30"), "已付", "现金")
	colleague.looksAgain()
	colleague.seeIn(boardCell("c3", "14:30"), "paid", "李雷")
	u.press("link", "关闭")
	u.until(`!document.querySelector("#panel .panel")`)

	u.drag(boardCell("c1", "14:30"), boardCell("c5", "17:30"))
	u.seeIn("#panel", "王小明", "￥40 → ￥60", "收 ￥20 现金")
	u.seeIn(boardCell("c1", "14:30"), "王小明") // nothing has happened yet
	u.presses("button", "确认改期")
	u.see("已改期")
	u.seeIn(boardCell("c5", "17:30"), "王小明")
	u.seeIn(boardCell("c1", "14:30"), "可订")

	findsAnOrder(u)
	undoesNoShow(u)
	looksBack(u)

	// The other window goes on asking by itself, without anybody's doing.
	colleague.seeIn(boardCell("c5", "17:30"), "王小明")
	colleague.seeIn(boardCell("c2", "13:00"), "played")
}

// undoesNoShow lets somebody in who comes an hour and a half too late.
func undoesNoShow(u *user) {
	u.t.Helper()
	u.set("14:31")
	u.open("/desk")
	u.seeIn(boardCell("c2", "13:00"), "爽约")
	u.click(boardCell("c2", "13:00"))
	u.press("DisclosureTriangle", "撤销爽约（顾客来了）")
	u.fill("原因", "堵车")
	u.presses("button", "撤销爽约")
	u.see("已撤销爽约")
	u.seeIn(boardCell("c2", "13:00"), "打完")
}

// looksBack shows the board as it was, and why.
func looksBack(u *user) {
	u.t.Helper()
	u.open("/desk?at=2026-12-10T12:00&date=2026-12-10")
	u.seeIn(".asof", "这是 2026-12-10 12:00:00 的看板", "只能看，不能操作")
	u.seeIn(boardCell("c1", "14:30"), "王小明")
	u.seeIn(boardCell("c3", "14:30"), "待付款")
	u.click(boardCell("c2", "13:00"))
	u.seeIn("#panel", "为什么是这样", "由它决定")
	if n := u.count(`#panel form[method=post]`); n != 0 {
		u.complain("%d acts are offered on a board of the past", n)
	}
	u.clicks(".asof a")
	if u.count(".asof") != 0 {
		u.complain("back at the present the board still says it is another time's")
	}
}

// findsAnOrder by its number and by the end of its phone.
func findsAnOrder(u *user) {
	u.t.Helper()
	for _, words := range []string{"1210-0002", customerPhone[7:]} {
		u.open("/desk")
		u.fillAt("#q", words)
		u.goes(func() { u.keys(kb.Enter) })
		u.seeIn("main", "1210-0002", "2号场")
	}
	if !strings.HasPrefix(u.at(), "/desk/orders/") {
		u.presses("link", "1210-0002")
	}
	u.seeIn("h1", "1210-0002")
	u.seeIn("main", "已付款")
}

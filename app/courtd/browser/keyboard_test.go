package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// typist counts the keys that steer; what is typed into fields is work that no page
// can save.
type typist struct {
	*user
	steered int
}

func (p *typist) steer(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.keys(key)
		p.steered++
	}
}

func (p *typist) steers(key string) {
	p.t.Helper()
	p.goes(func() { p.steer(key) })
}

// shortcut presses a key that the page takes for itself, so that it types nothing.
func (p *typist) shortcut(key, code string) {
	p.t.Helper()
	send(p.user, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Code: code})
	send(p.user, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key, Code: code})
	p.steered++
}

// Whoever has no mouse books and pays all the same.
func TestCustomerBooksByKeyboard(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(wide)
	u.open("/")
	u.tabTo("1号场 13:00–14:30 ￥40")
	u.keys(kb.ArrowRight + kb.ArrowDown + kb.ArrowDown + kb.ArrowDown)
	if is := u.focused(); is != "2号场 17:30–19:00 ￥60" {
		t.Errorf("the arrow keys lead to %q", is)
	}
	u.keys(" ")
	u.seeIn("#bar", "￥60")
	u.tabTo("下一步")
	u.keys(kb.Enter)
	u.priced()
	u.tabTo("增加 矿泉水")
	u.keys(" ")
	u.seeIn("[data-quote]", "￥63")
	u.priced()
	u.tabTo("提交订单")
	u.goes(func() { u.keys(kb.Enter) })
	u.keys(customerPhone) // the field has the focus
	u.goes(func() { u.keys(kb.Enter) })
	u.keys(eval[string](u, `document.body.innerText.match(/(?<!\d)\d{6}(?!\d)/)[0]`))
	u.goes(func() { u.keys(kb.Enter) })
	u.priced()
	u.tabTo("提交订单")
	u.goes(func() { u.keys(kb.Enter) })
	u.tabTo("去付款 ￥63")
	u.goes(func() { u.keys(kb.Enter) })
	u.tabTo("模拟支付成功")
	u.goes(func() { u.keys(kb.Enter) })
	u.see("已付款")
}

// mostSteered bounds the keys from the board to the booking of a caller's slot: ten
// seconds are for the name and the phone.
const mostSteered = 8

// A caller is booked with the arrow keys, Enter and what is typed; the cash later
// likewise.
func TestDeskBooksCallerByKeyboard(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	p := &typist{user: k.visitor(wide)}
	p.signInStaff("desk")
	p.steer(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.Enter)
	p.until(`document.activeElement.name === "name"`)
	p.keys("韩梅梅")
	p.keys(kb.Escape) // out of the field; what was typed stays
	p.until(`document.activeElement.matches(` + quoted(boardCell("c2", "14:30")) + `)`)
	p.seeIn("#panel", "2号场")
	p.until(`document.querySelector("#panel [name=name]").value === "韩梅梅"`)
	eval[bool](p.user, `(document.querySelector("#panel [name=name]").focus(), true)`)
	p.steer(kb.Tab)
	p.keys("13600136000")
	p.steers(kb.Enter)
	t.Logf("booked with %d keys besides the name and the phone", p.steered)
	if p.steered > mostSteered {
		t.Errorf("a caller takes %d keys besides the name and the phone, more than %d", p.steered, mostSteered)
	}
	p.see("已预订")
	p.seeIn("#panel", "韩梅梅", "13600136000")
	p.seeIn(boardCell("c2", "14:30"), "韩梅梅")
	p.until(`document.activeElement.matches("#panel h2")`) // what was done is beside what comes next
	p.tabTo("收现金 ￥40")
	p.goes(func() { p.keys(kb.Enter) })
	p.see("已收现金")
	p.keys(kb.Escape)
	p.until(`!document.querySelector("#panel .panel")`)
	p.until(`document.activeElement.matches(` + quoted(boardCell("c2", "14:30")) + `)`)
	p.shortcut("/", "Slash")
	p.keys("韩梅梅")
	p.goes(func() { p.keys(kb.Enter) })
	p.seeIn("main", "韩梅梅", "2号场")
}

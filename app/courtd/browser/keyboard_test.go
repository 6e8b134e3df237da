package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
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

// reachable fails unless Tab comes past everything on the page that can be used, of
// radio buttons and of a grid past one of them, the arrow keys lead on from there.
func (u *user) reachable() {
	u.t.Helper()
	stops := eval[int](u, `(() => {
		globalThis.passed = new Set([document.activeElement]);
		document.addEventListener("focusin", (event) => passed.add(event.target));
		globalThis.usable = () => [...([...document.querySelectorAll("dialog[open]")].pop() ?? document).querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
			.filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
		return usable().reduce((n, e) => n + (/date|time/.test(e.type) ? 6 : 1), 0);
	})()`)
	for range stops + 10 {
		u.keys(kb.Tab)
	}
	missed := eval[[]string](u, `usable().filter((e) => !passed.has(e) && !(e.type === "radio" && [...passed].some((other) => other.name === e.name && other.form === e.form)))
		.slice(0, 5).map((e) => e.outerHTML.slice(0, 150))`)
	if stops == 0 || len(missed) > 0 {
		u.complain("%s: %d times Tab do not come past %s", u.at(), stops+10, strings.Join(missed, "\n"))
	}
}

// entering types into the field with a name, in place of what is there.
func (u *user) entering(name, text string) {
	u.t.Helper()
	u.tabTo(name)
	u.chord("a", chromedp.ModifierCtrl)
	u.keys(text)
}

// pressing presses what has a name, and waits for the page that it leads to.
func (u *user) pressing(name string) {
	u.t.Helper()
	u.tabTo(name)
	u.goes(func() { u.keys(kb.Enter) })
}

// A day in the office without a mouse: a price, a receipt, somebody new, a rule, and a
// court that is closed with a booking on it and opened again.
func TestOwnerWorksByKeyboard(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	k.paid(k.customer(customerPhone), slots("c2", "17:30"))
	u := k.visitor(wide).as(k.staff("owner"))
	u.open("/owner")
	u.pressing("价格")
	u.entering("规则 2 的 每场（元）", "75")
	u.pressing("保存价格")
	u.seeIn("main", "￥75")
	u.pressing("商品")
	u.pressing("进货、修改 矿泉水")
	u.entering("到货件数", "24")
	u.pressing("登记进货")
	u.see("72") // 48 were there
	u.pressing("员工")
	u.tabTo("+ 添加员工")
	u.keys(kb.Enter)
	u.entering("用户名", "xiaoli")
	u.entering("姓名", "小李")
	u.pressing("添加")
	u.see("小李")
	u.pressing("规则")
	u.entering("每人每天最多几场 （场）", "3")
	u.pressing("保存规则")
	u.pressing("封场")
	u.tabTo("2号场")
	u.keys(" ")
	u.tabTo("从哪一天")
	u.keys("12102026")
	u.tabTo("到哪一天（含）")
	u.keys("12102026")
	u.entering("原因", "换灯")
	u.pressing("下一步：看影响")
	u.see("影响 1 个预订", "17:30–19:00")
	u.tabTo("全部取消，全额退款 ￥60 顾客会收到通知；优惠码和商品在整单取消时一并退回。")
	u.keys(" ")
	u.pressing("确认封场")
	u.see("生效中", "换灯")
	u.pressing("解除封场 今天 12-10 全天 2号场")
	u.see("已解除")
	u.open("/")
	u.seeIn(gridCell("c2", "17:30"), "￥75")
	u.open("/rules")
	u.see("每人每天最多 3 场")
}

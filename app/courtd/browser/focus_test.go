package browser_test

import "testing"

// The keyboard stays where it was when a part of the page renews itself, on the same
// thing while there is one, else at the head of what has come.
func TestFocusOutlivesARenewal(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	me := k.customer(customerPhone)
	paid, _ := k.paid(me, slots("c1", "13:00"))
	held := k.book(me, slots("c2", "17:30"))
	u := k.visitor(wide).as(me)
	u.open("/orders/" + held)
	u.tabTo("去付款 ￥60")
	k.set("12:10")
	u.see("已失效")
	u.until(`document.activeElement.matches("#main h1")`)

	u.open("/orders/" + paid)
	u.dontSee("现在可以入场")
	u.tabTo("全屏显示二维码")
	k.set("12:50")
	u.see("现在可以入场")
	u.until(`document.activeElement.matches(".qr")`)
}

package browser_test

import "testing"

// Whoever loses a slot on the way to the order is told on the sheet that lies over the
// grid; when nothing is left, no empty sheet lies there.
func TestFightLostOnTheSheet(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	u := k.visitor(phone).as(k.customer("13800138000"))
	u.open("/")
	u.choose("c2", "17:30", "c3", "17:30")
	k.book(k.customer("13800138001"), slots("c2", "17:30"))
	u.click("[data-next]") // the grid does not know yet
	u.seeIn("#basket", "2号场 17:30–19:00", "刚被订走，已去掉，其余保留", "合计 ￥60")
	u.priced()
	u.fits()
	k.book(k.customer("13800138002"), slots("c3", "17:30"))
	u.looksAgain()
	u.seeIn("#bar", "3号场 17:30–19:00", "刚被订走")
	u.until(`!document.querySelector("#basket").open`)

	u.choose("c4", "17:30")
	u.dontSee("已去掉")
	k.book(k.customer("13800138003"), slots("c4", "17:30"))
	u.looksAgain() // the grid is faster than the finger
	u.seeIn("#bar", "4号场 17:30–19:00", "刚被订走")
	u.click("[data-next]")
	if eval[bool](u, `document.querySelector("#basket").open`) {
		t.Error("an empty sheet lies over what is said")
	}
	u.click("[data-next]") // goods alone are wanted
	u.seeIn("#basket", "加点商品", "还没有选场次或商品")
}

// The choice that an address has brought is as it was changed since, in the other
// language too.
func TestFightNobodyLosesToTheLanguage(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(phone)
	u.open("/?date=2026-12-10&coupon=FREE&qty.g1=1&slot=" + slotID("c4", "17:30"))
	u.choose("c4", "17:30", "c5", "19:00") // another one
	u.click("[data-next]")
	u.fill("优惠码", "NEW10")
	u.press("button", "使用")
	u.seeIn("[data-quote]", "￥90", "−￥9", "￥81")
	u.click("[data-close]")
	u.presses("link", "English")
	u.seeIn("#bar", "¥90")
	if u.count(`input[name=slot]:checked`) != 1 || u.count(cell("c5", "19:00")+":checked") != 1 {
		t.Error("the other language has another choice")
	}
	u.click("[data-next]")
	u.seeIn("[data-quote]", "NEW10", "¥81")
}

package browser_test

import (
	"fmt"
	"testing"
)

// cell is the choice of a slot on the grid.
func cell(court, clock string) string {
	return fmt.Sprintf(`input[name="slot"][value="%s@%d"]`, court, at(clock).Unix())
}

// choose picks slots on the grid: court, time, court, time.
func (u *user) choose(courtsAndTimes ...string) {
	u.t.Helper()
	for i := 0; i < len(courtsAndTimes); i += 2 {
		u.click(cell(courtsAndTimes[i], courtsAndTimes[i+1]))
	}
}

// signIn signs a customer in at the page that is open: the demonstration shows the code.
func (u *user) signIn(phone string) {
	u.t.Helper()
	u.fillAt("input[name=phone]", phone)
	u.goes(func() { u.keys("\r") })
	u.element("input[name=code]")
	u.fillAt("input[name=code]", eval[string](u, `document.body.innerText.match(/(?<!\d)\d{6}(?!\d)/)[0]`))
	u.goes(func() { u.keys("\r") })
}

// signInStaff signs a member of staff in.
func (u *user) signInStaff(role string) {
	u.t.Helper()
	username, password := u.account(role)
	u.open("/desk/login")
	u.fillAt("input[name=username]", username)
	u.fillAt("input[name=password]", password)
	u.goes(func() { u.keys("\r") })
}

func TestCustomerBooksAndPays(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{phone, wide.in("en")} {
		t.Run(fmt.Sprint(s.width, s.lang), func(t *testing.T) {
			t.Parallel()
			say := func(zh, en string) string {
				if s.lang == "en" {
					return en
				}
				return zh
			}
			u := openClub(t).visitor(s)
			u.open("/")
			u.fits()
			u.choose("c1", "17:30", "c1", "19:00")
			u.see("￥120")
			u.presses("button", say("提交订单", "Book"))
			u.signIn("13800138000")
			if u.count("[data-pay-by]") == 0 { // back at the grid, with the choice kept
				u.presses("button", say("提交订单", "Book"))
			}
			u.see("￥120", "10:00")
			u.fits()
			u.presses("button", say("去付款", "Pay"))
			u.presses("button", say("模拟支付成功", "Payment succeeds"))
			u.see(say("已付款", "paid"))
			u.element(`img[src^="data:image/png"]`)
			u.fits()
		})
	}
}

// The loser is told, at the cell, and keeps the rest of the choice.
func TestTwoWantOneSlot(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	a, b := k.visitor(phone), k.visitor(wide)
	for i, u := range []*user{a, b} {
		u.open("/login")
		u.signIn(fmt.Sprint("1380013800", i))
		u.open("/?date=2026-12-10")
		u.choose("c2", "17:30")
	}
	b.choose("c3", "17:30")
	a.presses("button", "提交订单")
	a.see("待付款")
	b.expect(409)
	b.presses("button", "提交订单")
	b.see("场次已被占用")
	if b.count(cell("c3", "17:30")+":checked") != 1 || b.count(cell("c2", "17:30")) != 0 {
		t.Error("the rest of the choice is not kept")
	}
	b.presses("button", "提交订单")
	b.see("待付款", "￥60")
}

// At zero the page asks what is true, and the server says it.
func TestCountdownReachesZero(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	u := k.visitor(phone)
	u.open("/login")
	u.signIn("13800138000")
	u.open("/?date=2026-12-10")
	u.choose("c1", "17:30")
	u.presses("button", "提交订单")
	u.see("10:00")
	k.set("12:09:57")
	u.open(u.at())
	u.see("00:0")
	// The page counts on by itself; what it is told at zero is the server's.
	k.set("12:10")
	u.see("已失效")
	u.dontSee("去付款")
}

// A link in another language is a page in that language from then on.
func TestLanguage(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(wide)
	u.open("/")
	u.see("订场")
	u.presses("link", "English")
	u.see("Book")
	u.open("/login")
	u.see("Sign in")
	if lang := u.attribute("html", "lang"); lang != "en" {
		t.Errorf("the page says it is in %q", lang)
	}
	u.presses("link", "中文")
	u.see("登录")
}

// Whoever has no mouse books all the same.
func TestCustomerBooksByKeyboard(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(wide)
	u.open("/login")
	u.signIn("13800138000")
	u.open("/?date=2026-12-10")
	u.tabTo("2号场 17:30–19:00")
	u.keys(" ")
	u.see("￥60")
	u.tabTo("提交订单")
	u.goes(func() { u.keys("\r") })
	u.tabTo("去付款 ￥60")
	u.goes(func() { u.keys("\r") })
	u.tabTo("模拟支付成功")
	u.goes(func() { u.keys("\r") })
	u.see("已付款")
}

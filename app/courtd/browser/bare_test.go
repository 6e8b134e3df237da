package browser_test

import "testing"

// Without scripts the grid is a form, and so is all that follows, for the customer
// and at the door.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	u := k.visitor(phone)
	u.withoutScripts()
	u.open("/")
	u.fits()
	u.choose("c1", "17:30")
	u.fill("羽毛球 一筒", "1")
	u.fill("优惠码", "NEW10")
	u.presses("button", "提交订单")
	u.signIn(customerPhone)
	if u.count(cell("c1", "17:30")+":checked") != 1 {
		t.Error("the choice is lost on the way to the sign-in")
	}
	u.presses("button", "提交订单")
	u.see("待付款", "￥81", "12:10")
	u.fits()
	u.presses("button", "去付款")
	u.presses("button", "模拟支付成功")
	u.element(`[data-ticket] img[src^="data:image/png"]`)
	u.presses("link", "取消订单")
	u.seeIn(".refund", "￥55.50")
	u.presses("button", "确认取消")
	u.see("已取消", "￥55.50")
	letsInWithoutScripts(u)
	setsMessagesWithoutScripts(u)
}

// setsMessagesWithoutScripts writes words of the owner's own and adds a webhook.
func setsMessagesWithoutScripts(u *user) {
	u.t.Helper()
	u.as(u.staff("owner")).speak("zh")
	u.open("/owner/messages")
	u.click("input[name=paid][value=sms]")
	u.clicks("form[action='/owner/messages'] button")
	u.see("已保存。新产生的通知按此发送")
	u.presses("link", "预订成功")
	for label, words := range map[string]string{"标题（中文）": "订好了 {court}", "正文（中文）": "{venue}：{number}", "标题（英文）": "Booked {court}", "正文（英文）": "{number}"} {
		u.fill(label, words)
	}
	u.clicks("form[action$='/texts'] button[value=preview]")
	u.seeIn("#preview", "订好了 1号场", "晨光羽毛球馆：")
	u.clicks("form[action$='/texts'] .button[value=save]")
	u.see("已保存。以后产生的通知用新的文字")
	u.open("/owner/webhooks")
	u.fill("网址", "https://venue.example/events")
	u.click("input[name=kind][value='slot.freed']")
	u.clicks("form[action='/owner/webhooks'] .button")
	u.see("推送已添加", "只显示这一次")
	u.presses("link", "已保存，继续")
	u.see("https://venue.example/events", "重新推送")
	u.fits()
}

// letsInWithoutScripts scans a ticket twice with the page's form.
func letsInWithoutScripts(u *user) {
	u.t.Helper()
	_, code := u.paid(u.customer("13900139000"), slots("c1", "13:00"))
	u.as(u.staff("desk")).speak("en")
	u.set("12:50")
	u.open("/desk/scan")
	u.fill("Ticket code", code)
	u.presses("button", "Check in")
	u.seeIn("[data-result=ok]", "Welcome in", "1号场")
	u.presses("link", "Next ticket")
	u.fill("Ticket code", code)
	u.presses("button", "Check in")
	u.seeIn("[data-result=already_in]", "12:50:00")
}

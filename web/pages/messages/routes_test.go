package messages_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// TestTheDeskSeesNoneOfThesePages: they are the owner's, and so are their acts.
func TestTheDeskSeesNoneOfThesePages(t *testing.T) {
	o := open(t)
	desk, stranger := o.k.Desk(), o.k.Browser()
	hook := o.addHook("https://venue.example/a", "order.paid")
	for _, page := range []string{"/owner/messages", "/owner/messages/paid", "/owner/webhooks", "/owner/webhooks/" + hook, "/owner/webhooks/" + hook + "/remove", "/owner/outbox"} {
		desk.Get(page).Want(403)
		if p := stranger.Get(page).Want(303); !strings.HasPrefix(p.Location, "/desk/login") {
			t.Errorf("%s leads a stranger to %s", page, p.Location)
		}
		o.Get(page).Want(200)
	}
	before := fmt.Sprint(o.messages())
	for _, act := range []string{"/owner/messages", "/owner/messages/daily", "/owner/messages/shipping", "/owner/messages/wake", "/owner/messages/paid/texts", "/owner/messages/paid/wechat",
		"/owner/messages/paid/sms", "/owner/messages/paid/test", "/owner/messages/paid/preview", "/owner/webhooks", "/owner/webhooks/" + hook, "/owner/webhooks/" + hook + "/active",
		"/owner/webhooks/" + hook + "/secret", "/owner/webhooks/" + hook + "/remove", "/owner/webhooks/" + hook + "/replay", "/owner/outbox/resend"} {
		desk.Post(act, "act", "save", "channel", "sms", "phone", "13800138000", "url", "https://evil.example", "kind", "order.paid").Want(403)
	}
	same(t, "after the desk's attempts", fmt.Sprint(o.messages()), before)
	same(t, "messages sent", len(o.sms.got), 0)
}

// TestWhatGoesWhere: a tick is a channel of a kind; what is left as the program has it
// stays the program's own choice.
func TestWhatGoesWhere(t *testing.T) {
	o := open(t)
	o.Get("/owner/messages").Want(200).Says("每个顾客都能在网页的“通知”里看到", "待付款", "微信", "短信", "邮件")
	form := o.fill("/owner/messages", "/owner/messages")
	same(t, "as the program has it", form["closure"], []string{"wechat", "sms", "mail"})
	form["paid"], form["reminder"] = []string{"sms"}, nil
	o.Send("/owner/messages", form).WantRedirect("/owner/messages?said=saved")
	m := o.messages()
	same(t, "routes", m.Routes, map[string][]string{"paid": {"sms"}, "reminder": {}})
	same(t, "what is unticked goes nowhere", m.Ways("reminder"), []string{"log"})
	o.Get("/owner/messages?said=saved").Says("已保存。新产生的通知按此发送")
	same(t, "acts", o.acts("change messages"), 1)
	o.Send("/owner/messages", form).WantRedirect("/owner/messages?said=saved") // sent twice
	same(t, "acts after the second time", o.acts("change messages"), 1)
	form = o.fill("/owner/messages", "/owner/messages")
	form["paid"] = []string{"pigeon"}
	p := o.Send("/owner/messages", form).Want(422)
	p.Says("预订成功", "只能写 wechat、sms、mail")
	form["paid"] = []string{"mail", "mail"}
	o.Send("/owner/messages", form).Want(422)
	same(t, "routes", o.messages().Routes["paid"], []string{"sms"})
}

// TestTwoOwnersDoNotUndoEachOther: each part has a mark of its own.
func TestTwoOwnersDoNotUndoEachOther(t *testing.T) {
	o := open(t)
	routes, daily, ship := o.fill("/owner/messages", "/owner/messages"), o.fill("/owner/messages", "/owner/messages/daily"), o.fill("/owner/messages", "/owner/messages/shipping")
	o.change(func(m *domain.Messages) { m.Routes = map[string][]string{"held": {"sms"}} })
	o.Send("/owner/messages/daily", filled(daily, "sms", "２00")).WantRedirect("/owner/messages?said=daily") // another part
	o.Send("/owner/messages/shipping", filled(ship, "ship", "on")).WantRedirect("/owner/messages?said=ship")
	m := o.messages()
	same(t, "both are there", fmt.Sprint(m.Routes, m.Daily, m.ShipAfterCheckIn), "map[held:[sms]] map[sms:200] true")

	routes["paid"] = []string{"mail"}
	p := o.Send("/owner/messages", routes).Want(409).Says("别人改了这里", "别人刚保存的是", "待付款：短信")
	same(t, "not overwritten", o.messages().Routes["held"], []string{"sms"})
	again := formOf(t, p, "/owner/messages")
	same(t, "what was ticked is still there", again["paid"], []string{"mail"})
	o.Send("/owner/messages", again).WantRedirect("/owner/messages?said=saved") // having seen it
	same(t, "now it counts", o.messages().Routes["paid"], []string{"mail"})

	o.change(func(m *domain.Messages) { m.Daily["mail"] = 5 })
	o.Send("/owner/messages/daily", filled(daily, "sms", "300")).Want(409).Says("邮件：5").Has(`name="sms" value="300"`)
	same(t, "daily", o.messages().Daily, map[string]int{"sms": 200, "mail": 5})
}

func TestDailyBudgets(t *testing.T) {
	o := open(t)
	same(t, "as the program has it", o.fill("/owner/messages", "/owner/messages/daily").Get("wechat"), "1000")
	p := o.Send("/owner/messages/daily", o.fill("/owner/messages", "/owner/messages/daily", "sms", "many", "mail", "0", "wechat", "100001")).Want(422)
	wantFault(t, p, "daily-sms", "须为整数")
	wantFault(t, p, "daily-mail", "须在 1 到 100000 之间")
	wantFault(t, p, "daily-wechat", "须在 1 到 100000 之间")
	p.Has(`name="sms" value="many"`, `name="mail" value="0"`)
	same(t, "nothing is kept", o.messages().Daily, map[string]int{})
	// A form that came back has not seen what another has changed meanwhile.
	form := o.fill("/owner/messages", "/owner/messages/daily", "mail", "none")
	o.change(func(m *domain.Messages) { m.Daily = map[string]int{"sms": 7} })
	p = o.Send("/owner/messages/daily", form).Want(422)
	o.Send("/owner/messages/daily", filled(formOf(t, p, "/owner/messages/daily"), "sms", "9", "mail", "9", "wechat", "9")).Want(409)
	same(t, "the other's", o.messages().Daily, map[string]int{"sms": 7})
}

// TestHowTheChannelsDo: what is not set up says what to set; one that fails says why, until
// when it is left alone, and can be woken, once.
func TestHowTheChannelsDo(t *testing.T) {
	settings := []string{"COURTD_SMTP_HOST", "COURTD_SMS_URL", "COURTD_WECHAT_APP_ID", "未设置"}
	bare := clubtest.Open(t, false).Owner()
	bare.Get("/owner/messages").Want(200).Says(settings...).Says("courtd check", "还没有短信：顾客收不到登录验证码，只能由前台代订").HasNot("演示")
	// A demonstration cannot be given them.
	bare = clubtest.Open(t, true).Owner()
	bare.Get("/owner/messages").Want(200).Says(settings...).Says("这是演示，不接真的渠道").HasNot("并重启", "courtd check", "收不到登录验证码")

	o := open(t)
	o.Get("/owner/messages").Says("正常", "今日 0 / 1000").HasNot("COURTD_SMTP_HOST")
	o.change(func(m *domain.Messages) {
		m.Routes = map[string][]string{}
		for _, kind := range domain.NoticeKinds {
			m.Routes[kind] = []string{"sms"}
		}
	})
	for i := range 3 {
		o.paid(fmt.Sprintf("1380013800%d", i), fmt.Sprintf("c%d", i+1), "17:30")
	}
	o.sms.fail = fmt.Errorf("the carrier <b>says</b> no: %w", notify.ErrDown)
	o.deliver()
	p := o.Get("/owner/messages").Says("暂停中", "连续失败 3 次，暂停到 10:01", "the carrier <b>says</b> no", "等待发送 3").HasNot("<b>says</b>")
	o.sms.fail = nil
	form := formOf(t, p, "/owner/messages/wake")
	o.Send("/owner/messages/wake", form).WantRedirect("/owner/messages?said=woken")
	o.Get("/owner/messages?said=woken").Says("暂停已结束", "正常").HasNot("/owner/messages/wake\"")
	o.Send("/owner/messages/wake", form).WantRedirect("/owner/messages?said=woken") // twice
	same(t, "acts", o.acts("wake channel"), 1)
	o.Send("/owner/messages/wake", filled(form, "channel", "pigeon")).Want(404)
	same(t, "acts", o.acts("wake channel"), 1)
	before := len(o.sms.got)
	o.k.SetClock("2026-12-10T10:02:00+08:00")
	o.deliver()
	same(t, "sent after waking", len(o.sms.got)-before, 3)
}

func TestAddressesOfFormsLeadToTheirPages(t *testing.T) {
	o := open(t)
	hook := o.addHook("https://venue.example/a", "order.paid")
	for form, page := range map[string]string{"/owner/messages/daily": "/owner/messages", "/owner/messages/wake": "/owner/messages", "/owner/messages/paid/texts": "/owner/messages/paid",
		"/owner/messages/paid/test": "/owner/messages/paid", "/owner/webhooks/" + hook + "/active": "/owner/webhooks/" + hook, "/owner/outbox/resend": "/owner/outbox"} {
		o.Get(form).WantRedirect(page)
	}
	o.Get("/owner/messages/nothing").Want(404)
	o.Get("/owner/webhooks/nothing").Want(404)
	o.Post("/owner/messages/nothing/texts", "act", "save").Want(404)
}

// Everything is said in English too.
func TestTheseArePagesInEnglish(t *testing.T) {
	o := open(t)
	hook := o.addHook("https://venue.example/a", domain.EventKinds...)
	o.paid("13800138000", "c1", "17:30")
	o.deliver()
	for _, page := range []string{"/owner/messages", "/owner/messages/paid", "/owner/messages/login_code", "/owner/webhooks", "/owner/webhooks/" + hook,
		"/owner/webhooks/" + hook + "/secret", "/owner/webhooks/" + hook + "/remove", "/owner/outbox"} {
		o.Get(page + "?lang=en").Want(303)
		text := o.Get(page).Want(200).Text()
		for _, word := range []string{"消息", "推送", "渠道", "保存", "模板", "发送", "设置", "删除"} {
			if strings.Contains(text, word) {
				t.Errorf("%s says %s in English: %s", page, word, text)
			}
		}
	}
}

// Every kind, placeholder, event and state has words.
func TestEverythingHasWords(t *testing.T) {
	o := open(t)
	body := o.Get("/owner/messages").Body
	for _, kind := range domain.NoticeKinds {
		if !strings.Contains(body, `href="/owner/messages/`+kind+`"`) {
			t.Errorf("%s is not on the page", kind)
		}
		o.Get("/owner/messages/" + kind).Want(200)
	}
	places := o.Get("/owner/messages/paid").Text() + o.Get("/owner/messages/login_code").Text()
	for _, name := range domain.Placeholders {
		if !strings.Contains(places, "{"+name+"} ") {
			t.Errorf("{%s} is not explained", name)
		}
	}
	if cells := strings.Count(o.Get("/owner/messages/paid").Body, "<td></td>"); cells > 0 {
		t.Errorf("%d placeholders lack words", cells)
	}
	p := o.Get("/owner/webhooks").Says("场次重新空出（包括只是时间到了）")
	for _, kind := range domain.EventKinds {
		p.Has(`value="` + kind + `"`)
	}
	if strings.Contains(p.Body, `<b></b>`) {
		t.Error("an event lacks its name")
	}
}

package messages_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// card is the part of the page about a channel.
func card(t *testing.T, p clubtest.Page, channel string) string {
	t.Helper()
	part := clubtest.Around(p.Body, `data-channel="`+channel+`"`, "</article>")
	if part == "" {
		t.Fatalf("no card of %s", channel)
	}
	return part
}

// lacks gives what the row of a kind says that it goes out without.
func lacks(p clubtest.Page, kind string) string {
	row := clubtest.Around(p.Body, `id="routes-`+kind+`"`, "</tr>")
	var out []string
	for _, m := range regexp.MustCompile(`lacks">! ([^<]*)`).FindAllStringSubmatch(row, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

func template() domain.MessageTemplate {
	return domain.MessageTemplate{ID: "T", Params: []domain.TemplateParam{{Name: "thing1", From: "{venue}"}}}
}

// TestWhatLacksItsTemplate is said on the channel's card and beside the kind: a channel
// is not well by which nothing can go out.
func TestWhatLacksItsTemplate(t *testing.T) {
	o := open(t)
	o.sms.templates = true
	p := o.Get("/owner/messages").Want(200).Says("没有模板：没有人能登录")
	for channel, says := range map[string][]string{
		"wechat": {"缺模板", "还没有一个模板，这个渠道什么也发不出去", "预订成功"},
		"sms":    {"缺模板", "还没有一个模板", "登录验证码（没有人能登录）", "封场"},
		"mail":   {"正常"},
	} {
		for _, words := range says {
			if !strings.Contains(card(t, p, channel), words) {
				t.Errorf("the card of %s does not say %q: %s", channel, words, card(t, p, channel))
			}
		}
		if channel != "mail" && strings.Contains(card(t, p, channel), "正常") {
			t.Errorf("%s is said to be well", channel)
		}
	}
	same(t, "a kind by both", lacks(p, "closure"), "微信：没有模板，发不出去 短信：没有模板，发不出去")
	same(t, "a kind that does not go by SMS", lacks(p, "paid"), "微信：没有模板，发不出去")
	o.Get("/owner/messages/paid").Says("没有模板，这条短信发不出去").HasNot("您的网关能发任意文字的")

	o.change(func(m *domain.Messages) {
		m.WeChat, m.SMS = map[string]domain.MessageTemplate{}, map[string]domain.MessageTemplate{domain.KindLoginCode: {ID: "1"}}
		for _, kind := range domain.NoticeKinds {
			if kind != "no_show" {
				m.WeChat[kind] = template()
			}
		}
		m.Routes = map[string][]string{"closure": {"wechat"}, "late_money": {"sms"}, "moved": {"mail"}}
	})
	p = o.Get("/owner/messages")
	if c := card(t, p, "wechat"); !strings.Contains(c, `/owner/messages/no_show"`) || strings.Contains(c, `/owner/messages/held"`) || strings.Contains(c, "还没有一个模板") {
		t.Errorf("WeChat: %s", c)
	}
	if c := card(t, p, "sms"); !strings.Contains(c, `/owner/messages/late_money"`) || strings.Contains(c, "登录验证码") || strings.Contains(c, `/owner/messages/moved"`) {
		t.Errorf("SMS: %s", c)
	}
	same(t, "what has one", lacks(p, "closure"), "")
	p.HasNot("没有人能登录")
	o.Get("/owner/messages?lang=en")
	p = o.Get("/owner/messages").Says("lacks templates", "These have no template and do not go out")
	same(t, "in English", lacks(p, "late_money"), "SMS: no template, does not go out")
	o.Get("/owner/messages?lang=zh")

	o.change(func(m *domain.Messages) { m.Routes["late_money"], m.WeChat["no_show"] = nil, template() })
	p = o.Get("/owner/messages").HasNot("缺模板", "没有模板")
	p.Says("正常")

	// A gateway that takes any words needs none.
	gateway := open(t)
	p = gateway.Get("/owner/messages").HasNot("没有人能登录")
	same(t, "by a gateway", lacks(p, "closure"), "微信：没有模板，发不出去")
	gateway.Get("/owner/messages/paid").Says("您的网关能发任意文字的")
}

// TestATestIsNear: each channel's card leads to the form that sends one by it.
func TestATestIsNear(t *testing.T) {
	o := open(t)
	o.change(func(m *domain.Messages) {
		m.WeChat = map[string]domain.MessageTemplate{"closure": template()}
		m.Routes = map[string][]string{"paid": {"mail"}}
	})
	p := o.Get("/owner/messages").Want(200)
	for channel, kind := range map[string]string{"wechat": "closure", "sms": "moved", "mail": "paid"} {
		to := "/owner/messages/" + kind + "?test=" + channel
		if !strings.Contains(card(t, p, channel), `href="`+to+`#test">发一条测试`) {
			t.Errorf("%s does not lead to %s: %s", channel, to, card(t, p, channel))
		}
		o.Get(to).Want(200).Has(`id="test"`, `value="`+channel+`" checked`)
	}
	o.Get("/owner/messages/paid?test=pigeon").Want(200).Has(`value="wechat" checked`)
	clubtest.Open(t, true).Owner().Get("/owner/messages").HasNot("发一条测试")
}

// TestTheOutboxKeepsItsWordsApart: the error, the tries and when it is tried next are
// three things.
func TestTheOutboxKeepsItsWordsApart(t *testing.T) {
	o := open(t)
	o.everyBy("sms")
	o.paid("13800138000", "c1", "17:30")
	o.sms.fail = errors.New("answered 500")
	o.deliver()
	o.Get("/owner/outbox").Says("对方返回 500 · 试过 1 次 · 下次 12-10 10:01")
	o.Get("/owner/outbox?lang=en")
	o.Get("/owner/outbox").Says("answered 500 · 1 try · next try 12-10 10:01")
}

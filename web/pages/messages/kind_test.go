package messages_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

const paidPage = "/owner/messages/paid"

// TestOwnWords: kept in both languages, seen before with an example, and taken out again.
func TestOwnWords(t *testing.T) {
	o := open(t)
	o.Get(paidPage).Want(200).Says("现在用的是程序的原文", "预订成功", "用程序的原文", "{number} 订单号", "{venue_phone} 场馆电话").HasNot("恢复程序的原文")
	words := []string{"title", "订好了 {court}", "text", "{venue}：{number}\r\n已付{amount}<b>", "title_en", "Booked {court}", "text_en", "Order {number}"}
	form := o.fill(paidPage, paidPage+"/texts", words...)

	// A look at it: with a script a part of the page, without one the whole.
	part := o.ask(paidPage+"/preview", form).Want(200).Says("订好了 1号场", "晨光羽毛球馆：", "已付￥60<b>", "Booked 1号场", "用您的文字").HasNot("<!doctype", "{number}", "￥60<b>")
	same(t, "the part begins", strings.HasPrefix(strings.TrimSpace(part.Body), `<section class="card" id="preview"`), true)
	o.Send(paidPage+"/texts", filled(form, "act", "preview")).Want(200).Says("订好了 1号场").Has(`value="订好了 {court}"`, "<!doctype html>")
	o.Send(paidPage+"/preview", form).Want(200).Has("<!doctype html>")
	same(t, "looking keeps nothing", len(o.messages().Texts), 0)

	form.Set("act", "save")
	o.Send(paidPage+"/texts", form).WantRedirect(paidPage + "?said=saved")
	o.Send(paidPage+"/texts", form).WantRedirect(paidPage + "?said=saved")
	same(t, "acts", o.acts("change messages"), 1)
	same(t, "kept", o.messages().Texts["paid"], domain.MessageText{Title: "订好了 {court}", Text: "{venue}：{number}\n已付{amount}<b>", TitleEN: "Booked {court}", TextEN: "Order {number}"})
	o.Get("/owner/messages").Says("自己的文字")
	o.Get(paidPage).Says("顾客看到的是您写的文字", "订好了 1号场").Has(`name="title" value="订好了 {court}"`)

	out := filled(formOf(t, o.Get(paidPage), paidPage+"/texts"), "act", "drop")
	o.Send(paidPage+"/texts", out).WantRedirect(paidPage + "?said=dropped")
	o.Send(paidPage+"/texts", out).WantRedirect(paidPage + "?said=dropped")
	same(t, "taken out", len(o.messages().Texts), 0)
	same(t, "acts", o.acts("change messages"), 2)
}

func TestWordsThatAreRefused(t *testing.T) {
	o := open(t)
	form := o.fill(paidPage, paidPage+"/texts", "title", strings.Repeat("长", 41), "text", "{nmber} 好", "title_en", "", "text_en", "fine", "act", "save")
	p := o.Send(paidPage+"/texts", form).Want(422).Has("{nmber} 好</textarea>", strings.Repeat("长", 41))
	wantFault(t, p, "texts-title", "须为 1 到 40 个字符")
	wantFault(t, p, "texts-text", "用了 {nmber}")
	wantFault(t, p, "texts-title_en", "须为 1 到 40 个字符")
	p.Says("有几处还填得不对")
	// The look says so too, and leads to the fields.
	part := o.ask(paidPage+"/preview", form).Want(200).Says("有几处还填得不对", "用了 {nmber}")
	part.Has(`href="#texts-text"`)
	same(t, "nothing is kept", len(o.messages().Texts), 0)
	o.Get(paidPage + "?lang=en")
	o.Send(paidPage+"/texts", form).Want(422).Says("names {nmber}, which is none of", "Title (Chinese)")
}

// Two owners: of the same words the second sees the first's; templates are another part.
func TestWordsChangedMeanwhile(t *testing.T) {
	o := open(t)
	words := []string{"title", "甲", "text", "甲文", "title_en", "A", "text_en", "A text", "act", "save"}
	form, drop := o.fill(paidPage, paidPage+"/texts", words...), o.fill(paidPage, paidPage+"/texts", "act", "drop")
	o.change(func(m *domain.Messages) {
		m.SMS = map[string]domain.MessageTemplate{"paid": {ID: "7", Params: []domain.TemplateParam{{From: "{number}"}}}}
	})
	o.Send(paidPage+"/texts", form).WantRedirect(paidPage + "?said=saved")
	stale := o.fill(paidPage, paidPage+"/texts", "title", "丙", "act", "save")
	o.change(func(m *domain.Messages) {
		m.Texts = map[string]domain.MessageText{"paid": {Title: "乙", Text: "乙文<i>", TitleEN: "B", TextEN: "B text"}}
	})
	p := o.Send(paidPage+"/texts", stale).Want(409).Says("别人改了这里", "乙：乙文<i>").Has(`value="丙"`).HasNot("乙文<i>")
	o.Send(paidPage+"/texts", drop).Want(409)
	same(t, "the other's words", o.messages().Texts["paid"].Title, "乙")
	same(t, "and the template", o.messages().SMS["paid"].ID, "7")
	o.Send(paidPage+"/texts", filled(formOf(t, p, paidPage+"/texts"), "act", "save")).WantRedirect(paidPage + "?said=saved")
	same(t, "having seen it", o.messages().Texts["paid"].Title, "丙")
}

// TestTemplates: ids and parameters, with what WeChat makes of them.
func TestTemplates(t *testing.T) {
	o := open(t)
	form := o.fill(paidPage, paidPage+"/wechat", "id", "TPL-1", "p.0.name", "thing1", "p.0.from", "{venue}{slots}{goods}就是很长很长的一段话", "p.2.name", "amount3", "p.2.from", "没有")
	p := o.ask(paidPage+"/preview", form).Want(200).Says("微信收到的各个字段", "thing1", "按微信的限制改自", "amount3 这里没有微信能接受的内容")
	form.Set("p.2.from", "{amount}")
	o.ask(paidPage+"/preview", form).Want(200).Says("amount3 ￥60").HasNot("没有微信能接受")
	o.Send(paidPage+"/wechat", filled(form, "act", "save")).WantRedirect(paidPage + "?said=kept")
	o.Send(paidPage+"/wechat", form).WantRedirect(paidPage + "?said=kept")
	want := domain.MessageTemplate{ID: "TPL-1", Params: []domain.TemplateParam{{Name: "thing1", From: "{venue}{slots}{goods}就是很长很长的一段话"}, {Name: "amount3", From: "{amount}"}}}
	same(t, "kept", o.messages().WeChat["paid"], want)
	same(t, "acts", o.acts("change messages"), 1)
	o.Get(paidPage).Has(`name="p.1.name" value="amount3"`, `name="p.4.name" value=""`).HasNot(`name="p.5.name"`).Says("用不到的留空。不够填时")
	o.Get("/owner/messages").Says("微信模板")

	bad := o.fill(paidPage, paidPage+"/wechat", "id", "not an id", "p.0.name", "", "p.0.from", "", "p.1.name", "Amount", "p.1.from", "{oops}", "p.3.name", "thing4", "p.3.from", "", "act", "save")
	p = o.Send(paidPage+"/wechat", bad).Want(422).Has(`value="Amount"`, `value="{oops}"`)
	wantFault(t, p, "wechat-id", "须为已审核通过的模板编号")
	wantFault(t, p, "wechat-p.1.name", "须为平台的字段名，例如 thing2")
	wantFault(t, p, "wechat-p.1.from", "用了 {oops}，可用的只有")
	wantFault(t, p, "wechat-p.3.from", "须为 1 到 500 个字符")
	p.HasNot("{code}") // which an order has not
	same(t, "kept", o.messages().WeChat["paid"], want)

	sms := o.fill(paidPage, paidPage+"/sms", "id", "20001", "p.0.from", "{number}", "p.1.from", "{court} {old_slot}", "act", "save")
	o.ask(paidPage+"/preview", sms).Says("短信模板的各个参数", "-0001", "1号场")
	o.Send(paidPage+"/sms", sms).WantRedirect(paidPage + "?said=kept")
	same(t, "by their order", o.messages().SMS["paid"].Params, []domain.TemplateParam{{From: "{number}"}, {From: "{court} {old_slot}"}})

	stale := o.fill(paidPage, paidPage+"/wechat", "act", "drop")
	o.change(func(m *domain.Messages) {
		m.WeChat = map[string]domain.MessageTemplate{"paid": {ID: "TPL-2", Params: []domain.TemplateParam{{Name: "thing9", From: "{court}"}}}}
	})
	o.Send(paidPage+"/wechat", stale).Want(409).Says("模板编号 TPL-2", "thing9 ← {court}")
	o.Send(paidPage+"/wechat", o.fill(paidPage, paidPage+"/wechat", "act", "drop")).WantRedirect(paidPage + "?said=removed")
	same(t, "removed", len(o.messages().WeChat), 0)
}

// The login code has a template for SMS and nothing else.
func TestTheLoginCodesTemplate(t *testing.T) {
	o := open(t)
	const page = "/owner/messages/login_code"
	o.Get(page).Want(200).Says("登录验证码", "{code}", "还没有模板").HasNot(page+"/texts", page+"/wechat", page+"/test", "{number}")
	form := o.fill(page, page+"/sms", "id", "30003", "p.0.from", "{code}", "p.1.from", "{venue}", "act", "save")
	o.ask(page+"/preview", form).Says("123456", "晨光羽毛球馆")
	o.Send(page+"/sms", form).WantRedirect(page + "?said=kept")
	same(t, "kept", o.messages().SMS[domain.KindLoginCode].ID, "30003")
	wantFault(t, o.Send(page+"/sms", o.fill(page, page+"/sms", "id", "", "act", "save")).Want(422), "sms-id", "须为已审核通过的模板编号")
	p := o.Send(page+"/sms", o.fill(page, page+"/sms", "id", "1", "p.0.from", "{cod}", "p.1.from", "{code 是没有关上的很长很长很长的一段话", "act", "save")).Want(422)
	wantFault(t, p, "sms-p.0.from", "用了 {cod}，可用的只有 {venue}, {venue_phone}, {code}")
	wantFault(t, p, "sms-p.1.from", "用了 {code 是没有关上的很长很长很长的一段…}，可用的只有")
	p.HasNot("{number}")
	o.Post(page+"/wechat", "act", "save", "id", "x").Want(404)
	o.Post(page+"/texts", "act", "save", "title", "x", "text", "x", "title_en", "x", "text_en", "x").Want(404)
	o.Post(page+"/test", "channel", "sms", "phone", "13800138000").Want(404)
	same(t, "nothing else", fmt.Sprint(o.messages().WeChat, o.messages().Texts), "map[] map[]")
}

// TestATestIsSentOnce and says in plain words what the channel answered.
func TestATestIsSentOnce(t *testing.T) {
	o := open(t)
	at := paidPage + "/test"
	form := o.fill(paidPage, at, "channel", "sms", "phone", "１3800138000")
	o.Send(at, form).WantRedirect(paidPage + "?said=sent")
	o.Get(paidPage + "?said=sent").Says("测试已发出")
	o.Send(at, form).WantRedirect(paidPage + "?said=again")
	o.Get(paidPage + "?said=again").Says("没有再发")
	same(t, "sent", len(o.sms.got), 1)
	same(t, "to", o.sms.got[0].Phone, "13800138000")
	o.Send(at, o.fill(paidPage, at, "channel", "mail", "email", "li@example.com")).WantRedirect(paidPage + "?said=sent")
	same(t, "by mail", o.mailer.got[0].Email, "li@example.com")
	for _, m := range []notify.Message{o.sms.got[0], o.mailer.got[0]} { // not to be taken for a real one
		if !strings.HasPrefix(m.Title, "【测试】") || !strings.HasPrefix(m.Text, "【测试】") || !strings.HasPrefix(m.TitleEN, "[Test] ") || !strings.HasPrefix(m.TextEN, "[Test] ") {
			t.Errorf("a test reads as a real message: %+v", m)
		}
	}

	o.sms.fail = errors.New("template <i>9</i> is unknown")
	form = o.fill(paidPage, at, "channel", "sms", "phone", "13800138001")
	p := o.Send(at, form).Want(503).Says("测试没有发出，渠道的回答是：template <i>9</i> is unknown").HasNot("<i>9").Has(`value="13800138001"`, `value="sms" checked`)
	o.sms.fail = nil
	again := formOf(t, p, at)
	if again.Get("nonce") == form.Get("nonce") {
		t.Error("the form that came back is not another test")
	}
	o.Send(at, again).WantRedirect(paidPage + "?said=sent")
	same(t, "sent", len(o.sms.got), 2)

	o.Send(at, o.fill(paidPage, at, "channel", "wechat", "phone", "13800138000")).Want(422).Says("没有用微信登录过的顾客使用此手机号")
	wantFault(t, o.Send(at, o.fill(paidPage, at, "channel", "sms", "phone", "x")).Want(422), "test-phone", "电话号码")
	wantFault(t, o.Send(at, o.fill(paidPage, at, "channel", "mail", "email", "")).Want(422), "test-email", "不能为空")
	for _, typo := range []string{"li@@example.com", "li.example.com", "李@example.com"} {
		p := o.Send(at, o.fill(paidPage, at, "channel", "mail", "email", typo)).Want(422).HasNot("永久拒收")
		wantFault(t, p, "test-email", "须为邮箱地址")
	}
	same(t, "by mail", len(o.mailer.got), 1)
	wantFault(t, o.Send(at, o.fill(paidPage, at, "channel", "pigeon")).Want(422), "test-channel", "尚未设置")
	clubtest.Open(t, true).Owner().Get(paidPage).Says("还没有设置任何渠道")
}

package customer_test

import (
	"context"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// channel is a channel that hands what it is given to the club; templates says whether
// it needs them.
type channel struct {
	name      string
	k         *clubtest.Club
	templates bool
}

func (c channel) Name() string         { return c.name }
func (c channel) NeedsTemplates() bool { return c.templates }
func (c channel) Send(ctx context.Context, m notify.Message) error {
	if c.templates && m.Template == nil {
		return notify.ErrRefused
	}
	return c.k.Send(ctx, m)
}

// wechatApp signs in whoever asks.
type wechatApp struct{}

func (wechatApp) JSCode2Session(_ context.Context, code string) (string, error) {
	return "openid-of-" + code, nil
}

// openWith is a real venue with some channels, and with a mini-program or without.
func openWith(t *testing.T, miniProgram bool, channels ...channel) *clubtest.Club {
	t.Helper()
	return clubtest.OpenWith(t, func(k *clubtest.Club, c *app.Config) {
		for _, ch := range channels {
			ch.k = k
			c.Channels = append(c.Channels, ch)
		}
		if miniProgram {
			c.WeChat = wechatApp{}
		}
	})
}

// TestWithoutSMSNoCodeIsSaidToBeSent: who asks is told before and after that none gets
// to a phone, and whom to ask instead.
func TestWithoutSMSNoCodeIsSaidToBeSent(t *testing.T) {
	const zh, en = "本馆还没有接通短信，网上收不到验证码，请联系前台： 021-5555 0100", "This venue has not set up SMS: no code can reach your phone. Please ask the desk: 021-5555 0100"
	k := openWith(t, false)
	b := k.Browser()
	b.Get("/login").Want(200).Says(zh).Has(`href="tel:`).HasNot("小程序")
	p := b.Post("/login/code", "phone", "13800138000").Want(200).Says(zh, "没有发出").Has(`name="code"`)
	again := b.Post("/login/code", "phone", "13800138000").Want(429).Says(zh)
	b.Get("/login?lang=en")
	inEnglish := b.Get("/login?phone=13800138000&sent=1").Want(200).Says(en, "was not sent")
	for _, page := range []clubtest.Page{p, again, inEnglish} {
		for _, claim := range []string{"已发送", "重新发送", "刚刚发送过", "A code was sent", "Send again"} {
			if strings.Contains(page.Text(), claim) {
				t.Errorf("the page claims %q:\n%s", claim, page.Text())
			}
		}
	}
	// The code that the log has is good all the same.
	b.Post("/login", "phone", "13800138000", "code", clubtest.CodePattern.FindString(k.Texts[0])).WantRedirect("/")

	openWith(t, true).Browser().Get("/login").Says(zh, "也可以在我们的微信小程序里登录")
	sms := openWith(t, false, channel{name: domain.ChannelSMS}).Browser()
	sms.Get("/login").HasNot("没有接通短信")
	sms.Post("/login/code", "phone", "13800138000").Want(200).Says("验证码已发送到 13800138000").HasNot("没有接通短信", "没有发出")
	clubtest.Open(t, true).Browser().Get("/login").HasNot("没有接通短信") // a demonstration shows them
}

// TestSMSWithoutItsTemplateSendsNoCodes, and is no better than none.
func TestSMSWithoutItsTemplateSendsNoCodes(t *testing.T) {
	k := openWith(t, false, channel{name: domain.ChannelSMS, templates: true})
	b := k.Browser()
	b.Get("/login").Says("网上收不到验证码")
	b.Post("/login/code", "phone", "13800138000").Want(503).Says("网上收不到验证码").HasNot("请重试", `name="code"`)
	setTemplate(t, k)
	b.Get("/login").HasNot("收不到验证码")
	b.Post("/login/code", "phone", "13800138000").Want(200).Says("验证码已发送到")
}

// setTemplate gives login codes a template.
func setTemplate(t *testing.T, k *clubtest.Club) {
	t.Helper()
	_, err := k.App.ChangeMessages(t.Context(), app.Actor{Role: app.RoleOwner, ID: "o"}, "messages", func(m *domain.Messages) error {
		m.SMS = map[string]domain.MessageTemplate{domain.KindLoginCode: {ID: "1", Params: []domain.TemplateParam{{From: "{code}"}}}}
		return nil
	})
	clubtest.Must(t, err)
}

// TestMailIsAskedForWhereNoticesAreRead: who has no address of mail finds where to leave
// one, if notices go by mail at all.
func TestMailIsAskedForWhereNoticesAreRead(t *testing.T) {
	k := openWith(t, false, channel{name: domain.ChannelMail})
	withWeChat(t, k)
	b := k.Customer("13800138000")
	b.Get("/notices").Want(200).Says("想收邮件通知？ 留下邮箱").Has(`href="/me#email"`)
	b.Get("/me").Has(`id="email"`)
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Get(order).HasNot("留下邮箱") // it is to be paid first
	id := strings.TrimPrefix(order, "/orders/")
	_, err := k.App.MarkPaid(t.Context(), deskOf(t, k), id, "")
	clubtest.Must(t, err)
	b.Get(order).Says("已付款", "想收邮件通知？ 留下邮箱")
	k.Desk().Get(order).HasNot("留下邮箱")
	b.Get("/login?lang=en")
	b.Get(order).Says("Want notices by mail? Leave your address")
	b.Get("/login?lang=zh")

	b.Post("/me/email", "email", "guest@example.com").Want(200)
	b.Post("/me/email/confirm", "email", "guest@example.com", "code", clubtest.CodePattern.FindString(k.Texts[len(k.Texts)-1])).Want(303)
	b.Get("/notices").HasNot("留下邮箱")
	b.Get(order).HasNot("留下邮箱")

	other := k.Customer("13900139000")
	other.Get("/notices").Says("留下邮箱")
	_, err = k.App.ChangeMessages(t.Context(), app.Actor{Role: app.RoleOwner, ID: "o"}, "messages", func(m *domain.Messages) error {
		m.Routes = map[string][]string{}
		for _, kind := range domain.NoticeKinds {
			m.Routes[kind] = []string{domain.ChannelSMS}
		}
		return nil
	})
	clubtest.Must(t, err)
	other.Get("/notices").HasNot("留下邮箱") // nothing goes by mail
	openWith(t, false).Customer("13800138000").Get("/notices").HasNot("留下邮箱")
}

func deskOf(t *testing.T, k *clubtest.Club) app.Actor {
	t.Helper()
	actor, err := k.App.WhoIs(t.Context(), k.Desk().Cookies["courtd_session"])
	clubtest.Must(t, err)
	return actor
}

package records_test

import (
	"context"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// carrier sends messages in approved templates alone.
type carrier string

func (c carrier) Name() string                             { return string(c) }
func (carrier) NeedsTemplates() bool                       { return true }
func (carrier) Send(context.Context, notify.Message) error { return nil }

// TestMessagesThatDoNotGoOutAreToDo: no SMS, so that nobody signs in, and channels
// without the templates that they need.
func TestMessagesThatDoNotGoOutAreToDo(t *testing.T) {
	const none = "还没有短信：顾客收不到登录验证码，只能由前台代订"
	bare := clubtest.Open(t, false).Owner()
	bare.Get("/owner").Want(200).Says("接下来可以做 "+none, "COURTD_SMS_URL").Has(`href="/owner/messages"`)
	bare.Get("/owner?lang=en")
	bare.Get("/owner").Says("There is no SMS yet: customers get no login codes, and only the desk can book for them")
	clubtest.Open(t, true).Owner().Get("/owner").HasNot("收不到登录验证码")

	k := clubtest.OpenWith(t, func(_ *clubtest.Club, c *app.Config) {
		c.Channels = []notify.Channel{carrier(domain.ChannelWeChat), carrier(domain.ChannelSMS)}
	})
	owner := k.Owner()
	owner.Get("/owner").Says("短信缺登录验证码的模板：顾客收不到登录验证码", "微信缺模板：10 种通知发不出去", "短信缺模板：3 种通知发不出去").Has(`href="/owner/messages/login_code"`).HasNot(none)
	change := func(change func(*domain.Messages)) {
		t.Helper()
		_, err := k.App.ChangeMessages(t.Context(), app.Actor{Role: app.RoleOwner, ID: "o"}, "messages", func(m *domain.Messages) error {
			change(m)
			return nil
		})
		clubtest.Must(t, err)
	}
	change(func(m *domain.Messages) {
		m.SMS = map[string]domain.MessageTemplate{domain.KindLoginCode: {ID: "1"}}
		m.Routes = map[string][]string{}
		for _, kind := range domain.NoticeKinds {
			m.Routes[kind] = nil
		}
		m.Routes["paid"] = []string{"wechat"}
	})
	owner.Get("/owner").Says("微信缺模板：1 种通知发不出去").HasNot("收不到登录验证码", "短信缺模板")
	owner.Get("/owner?lang=en")
	owner.Get("/owner").Says("Templates are missing at WeChat: 1 kind of notice cannot go out by it")
	change(func(m *domain.Messages) { m.WeChat = map[string]domain.MessageTemplate{"paid": {ID: "T"}} })
	owner.Get("/owner?lang=zh")
	owner.Get("/owner").HasNot("缺模板")
}

package settings_test

import (
	"context"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// carrier sends text messages, in approved templates alone.
type carrier struct{ notify.Log }

func (carrier) Name() string                                           { return domain.ChannelSMS }
func (carrier) NeedsTemplates() bool                                   { return true }
func (carrier) Send(context.Context, notify.Message) error             { return nil }
func (carrier) JSCode2Session(context.Context, string) (string, error) { return "openid", nil }

// TestTheStartSaysThatNobodyCanSignIn, with what to set and where: a venue without SMS
// takes bookings at the desk alone.
func TestTheStartSaysThatNobodyCanSignIn(t *testing.T) {
	const says, left = "还没有短信：顾客收不到登录验证码，只能由前台代订", "前台现在就可以接单了"
	bare := clubtest.Open(t, false).Owner()
	bare.Get("/owner/start").Want(200).Says(says, left, "COURTD_SMS_URL", "COURTD_SMS_TENCENT_").Has(`href="/owner/messages"`)
	bare.Get("/owner/start?lang=en")
	bare.Get("/owner/start").Says("There is no SMS yet: customers get no login codes, and only the desk can book for them", "The desk can take bookings now")

	inApp := clubtest.OpenWith(t, func(_ *clubtest.Club, c *app.Config) { c.WeChat = carrier{} })
	inApp.Owner().Get("/owner/start").Says("顾客收不到登录验证码，只能在小程序里登录，或由前台代订")

	k := clubtest.OpenWith(t, func(_ *clubtest.Club, c *app.Config) { c.Channels = []notify.Channel{carrier{}} })
	owner := k.Owner()
	owner.Get("/owner/start").Says("短信缺登录验证码的模板：顾客收不到登录验证码").Has(`href="/owner/messages/login_code"`).HasNot("COURTD_SMS_URL")
	_, err := k.App.ChangeMessages(t.Context(), app.Actor{Role: app.RoleOwner, ID: "o"}, "messages", func(m *domain.Messages) error {
		m.SMS = map[string]domain.MessageTemplate{domain.KindLoginCode: {ID: "1"}}
		return nil
	})
	clubtest.Must(t, err)
	owner.Get("/owner/start").Says("现在就可以接单了").HasNot("收不到登录验证码", "前台现在")
	clubtest.Open(t, true).Owner().Get("/owner/start").Says("现在就可以接单了").HasNot("收不到登录验证码")
}

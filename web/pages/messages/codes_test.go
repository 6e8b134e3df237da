package messages_test

import (
	"fmt"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
)

// TestTheLimitsOfCodes are the owner's: how many in a day, and where to.
func TestTheLimitsOfCodes(t *testing.T) {
	o := open(t)
	const form = "/owner/messages/codes"
	kept := o.fill("/owner/messages", form)
	same(t, "as the program has it", kept.Get("login_code")+" "+kept.Get("code_countries"), "500 86 852 853 886")
	wantFault(t, o.Send(form, filled(kept, "login_code", "0")).Want(422), "codes-login_code", "须在 1 到 100000 之间")
	wantFault(t, o.Send(form, filled(kept, "login_code", "20", "code_countries", "86 086")).Want(422), "codes-code_countries", "区号")
	o.Send(form, filled(kept, "code_countries", "+86，852")).WantRedirect("/owner/messages?said=codes")
	m := o.messages()
	same(t, "kept", fmt.Sprint(m.DailyCodes(), m.CodeCountries), "20 [86 852]")
	o.Send(form, filled(kept, "login_code", "30")).Want(409).Says("登录验证码：一天 20 条")
	for i := range 20 {
		_, err := o.k.App.SendLoginCode(t.Context(), fmt.Sprintf("138%08d", i), "")
		same(t, "sent", err, nil)
	}
	o.Get("/owner/messages").Says("24 小时内验证码 20 / 20", "今天的登录验证码已经发完")
	o.Get("/owner").Says("今天的已经发完").HasNot("没有待办")
}

// TestAChannelThatRefusesEverybodyIsSeen on its card and among what waits for the owner.
func TestAChannelThatRefusesEverybodyIsSeen(t *testing.T) {
	o := open(t)
	o.change(func(m *domain.Messages) { m.Routes = map[string][]string{"held": {"sms"}, "paid": {"sms"}} })
	for i := range domain.RefusalsToFail {
		o.paid(fmt.Sprintf("1380000000%d", i), fmt.Sprint("c", i%3+1), []string{"17:30", "19:00"}[i/3])
	}
	o.sms.fail = fmt.Errorf("%w: answered 400", notify.ErrRefused)
	o.deliver()
	o.Get("/owner/messages").Says("都被拒收", "连续多位不同的收件人都被这个渠道拒收", "对方返回 400")
	o.Get("/owner").Says("消息渠道发不出去：短信").HasNot("没有待办")
	o.Post("/owner/messages/wake", "channel", "sms").WantRedirect("/owner/messages?said=woken")
	o.Get("/owner").Says("没有待办")
	o.Get("/owner/messages").HasNot("都被拒收")
}

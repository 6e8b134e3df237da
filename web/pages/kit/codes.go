package kit

import "courtd/domain"

// NoCodes tells the owner that customers cannot sign in, and what to do about it.
type NoCodes struct {
	Words, What Words
	Href        string
}

// NoCodes says why no login code gets to a phone here; nil if one does.
func (s *Site) NoCodes(m domain.Messages) *NoCodes {
	if s.App.CodesReachPhones(m) {
		return nil
	}
	left := Words{"只能由前台代订", "only the desk can book for them"}
	if s.App.SignsInWithWeChat() {
		left = Words{"只能在小程序里登录，或由前台代订", "they sign in in the mini-program, or the desk books for them"}
	}
	if s.App.NeedsTemplates(domain.ChannelSMS) {
		return &NoCodes{Href: "/owner/messages/login_code",
			Words: Words{"短信缺登录验证码的模板：顾客收不到登录验证码，" + left[0], "SMS has no template for login codes: customers get none, and " + left[1]},
			What:  Words{"填写运营商审核通过的模板编号和参数", "Fill in the id and the parameters of the template that the carrier has approved"}}
	}
	return &NoCodes{Href: "/owner/messages",
		Words: Words{"还没有短信：顾客收不到登录验证码，" + left[0], "There is no SMS yet: customers get no login codes, and " + left[1]},
		What: Words{"给程序设置 COURTD_SMS_URL 和 COURTD_SMS_SECRET_FILE（您的短信网关），或 COURTD_SMS_TENCENT_…（腾讯云短信），再重启",
			"Give the program COURTD_SMS_URL and COURTD_SMS_SECRET_FILE (a gateway of yours), or COURTD_SMS_TENCENT_… (Tencent Cloud), and start it again"}}
}

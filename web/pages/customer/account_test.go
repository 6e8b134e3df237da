package customer_test

import (
	"testing"

	"courtd/web/pages/clubtest"
)

// A customer sees what they are known by, and proves an address of mail by its code.
func TestMyAccount(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	b.Get("/orders").Has(`href="/me"`)
	b.Get("/me").Want(200).Says("13800138000").HasNot("删除邮箱", "小程序", "未关联")
	b.Post("/me/name", "name", "a\u202eb").Want(422).Has(`value="a`, `aria-invalid="true"`)
	p := b.Post("/me/name", "name", " 王小明 ").Want(303)
	b.Get(p.Location).Says("姓名已保存").Has(`value="王小明"`)
	b.Post("/me/email", "email", "no mail").Want(422).Has(`value="no mail"`, `aria-invalid="true"`)
	b.Post("/me/email", "email", "Guest@Example.com").Want(200).Says("验证码已发送到 Guest@example.com", "演示环境验证码")
	code := clubtest.CodePattern.FindString(k.Texts[len(k.Texts)-1])
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	b.Post("/me/email/confirm", "email", "Guest@example.com", "code", wrong).Want(401).Says("验证码错误或已失效").Has(`name="code"`, `value="Guest@example.com"`)
	p = b.Post("/me/email/confirm", "email", "Guest@example.com", "code", " "+code+" ").Want(303)
	b.Get(p.Location).Says("邮箱已验证", "Guest@example.com", "删除邮箱")
	k.Customer("13900139000").Get("/me").HasNot("Guest@example.com")
	p = b.Post("/me/email/forget").Want(303)
	b.Get(p.Location).Says("邮箱已删除").HasNot("Guest@example.com")
	for _, who := range []*clubtest.Browser{k.Browser(), k.Desk()} {
		who.Get("/me").HasNot("13800138000", "保存姓名")
		who.Post("/me/email", "email", "a@b.cn").HasNot("验证码已发送")
	}
	k.Browser().Post("/me/name", "name", "x").WantRedirect("/login?next=%2Fme")
	b.Get("/me/email").WantRedirect("/me")
	openWith(t, true).Customer("13800138000").Get("/me").Says("微信 未关联", "在微信小程序里")
	real := clubtest.Open(t, false)
	r := real.Customer("13800138000")
	r.Get("/me").Want(200).HasNot(`name="email"`) // no mail can be sent
	r.Post("/me/email", "email", "a@b.cn").Want(503).Says("没有开通邮件")
}

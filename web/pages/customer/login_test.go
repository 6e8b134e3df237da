package customer_test

import (
	"courtd/web/pages/clubtest"
	"net/url"
	"strings"
	"testing"
)

func TestLogin(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Browser()
	b.Post("/login/code", "phone", "12").Want(422).Says("手机号格式不对").Has(`value="12"`, `aria-invalid="true"`)
	b.Post("/login/code", "phone", "138 0013 8000").Want(200).Says("验证码已发送到 13800138000", "演示环境验证码")
	code := clubtest.CodePattern.FindString(k.Texts[len(k.Texts)-1])
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	b.Post("/login", "phone", "13800138000", "code", wrong).Want(401).Says("验证码错误或已失效").Has(`name="code"`)
	p := b.Post("/login", "phone", "13800138000", "code", " "+code+" ", "next", "//evil.example").WantRedirect("/")
	cookie := p.Header.Get("Set-Cookie")
	for _, part := range []string{"courtd_session=", "HttpOnly", "SameSite=Lax", "path=/", "max-age=7776000"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the session's cookie has no %s: %s", part, cookie)
		}
	}
	session := b.Cookies["courtd_session"]
	b.Get("/orders").Want(200).Says("没有未完成的订单")
	b.Get("/login?next=/orders").WantRedirect("/orders")
	b.Post("/logout").WantRedirect("/")
	if b.Cookies["courtd_session"] != "" {
		t.Error("the browser keeps the cookie")
	}
	b.Cookies["courtd_session"] = session
	b.Get("/orders").Want(303) // and the token is worth nothing any more
}

func TestLoginsAreLimited(t *testing.T) {
	k := clubtest.Open(t, false)
	b := k.Browser()
	form := url.Values{"csrf": {b.Token()}, "username": {"desk"}, "password": {"wrong password"}}
	for range 10 {
		b.Send("/desk/login", form).Want(401)
	}
	p := b.Send("/desk/login", form).Want(429).Says("操作太频繁")
	if p.Header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
}

// A link cannot say that a code was sent; the page that sent one can be read again in
// the other language.
func TestNoLinkClaimsThatACodeWasSent(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Browser()
	link := "/login?phone=13800138000&sent=1&shown=123456"
	b.Get(link).Want(200).HasNot("123456", `name="code"`)
	b.Post("/login/code", "phone", "13800138000").Want(200).Has(`name="code"`)
	b.Get(link).Want(200).Has(`name="code"`)
	b.Get("/login?phone=13900139000&sent=1").Want(200).HasNot(`name="code"`)
}

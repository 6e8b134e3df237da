package pages_test

import (
	"net/url"
	"strings"
	"testing"
)

func TestLogin(t *testing.T) {
	k := openClub(t, true)
	b := k.browser()
	b.post("/login/code", "phone", "12").want(422).says("手机号格式不对").has(`value="12"`, `aria-invalid="true"`)
	b.post("/login/code", "phone", "138 0013 8000").want(200).says("验证码已发送到 13800138000", "演示环境验证码")
	code := codePattern.FindString(k.texts[len(k.texts)-1])
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	b.post("/login", "phone", "13800138000", "code", wrong).want(401).says("验证码错误或已失效").has(`name="code"`)
	p := b.post("/login", "phone", "13800138000", "code", " "+code+" ", "next", "//evil.example").wantRedirect("/")
	cookie := p.header.Get("Set-Cookie")
	for _, part := range []string{"courtd_session=", "HttpOnly", "SameSite=Lax", "path=/", "max-age=7776000"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the session's cookie has no %s: %s", part, cookie)
		}
	}
	session := b.cookies["courtd_session"]
	b.get("/orders").want(200).says("还没有订单")
	b.get("/login?next=/orders").wantRedirect("/orders")
	b.post("/logout").wantRedirect("/")
	if b.cookies["courtd_session"] != "" {
		t.Error("the browser keeps the cookie")
	}
	b.cookies["courtd_session"] = session
	b.get("/orders").want(303) // and the token is worth nothing any more
}

func TestLoginsAreLimited(t *testing.T) {
	k := openClub(t, false)
	b := k.browser()
	form := url.Values{"csrf": {b.token()}, "username": {"desk"}, "password": {"wrong password"}}
	for range 10 {
		b.send("/desk/login", form).want(401)
	}
	p := b.send("/desk/login", form).want(429).says("操作太频繁")
	if p.header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
}

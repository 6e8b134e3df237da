package desk

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// loginPage asks a staff member for name and password.
type loginPage struct {
	kit.Frame
	Next     string
	Username string
	Refusal  *kit.Say
}

func (p *pages) drawLogin(c *fiber.Ctx, status int, page loginPage) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"员工登录", "Staff sign-in"})
	if err != nil {
		return err
	}
	f.Narrow = true
	f.OtherLang = kit.OtherLangAt(c, "/desk/login?"+url.Values{"next": {page.Next}, "username": {page.Username}}.Encode())
	page.Frame = f
	return p.Render(c, status, "desk_login", page)
}

// askPassword begins to sign a staff member in.
func (p *pages) askPassword(c *fiber.Ctx) error {
	next := kit.SafeNext(c.Query("next"), "/desk")
	if httpx.ActorOf(c).IsStaff() {
		return c.Redirect(next, fiber.StatusSeeOther)
	}
	return p.drawLogin(c, http.StatusOK, loginPage{Next: next, Username: c.Query("username")})
}

// logInStaff signs a staff member in by password.
func (p *pages) logInStaff(c *fiber.Ctx) error {
	page := loginPage{Next: kit.SafeNext(kit.Sent(c, "next"), "/desk"), Username: strings.TrimSpace(kit.Sent(c, "username"))}
	err := httpx.SignInStaff(c, p.App, page.Username, kit.Sent(c, "password"))
	if err == nil {
		return c.Redirect(page.Next, fiber.StatusSeeOther)
	}
	return kit.Beside(c, err, func(status int) error {
		said := kit.Explain(err, nil)
		page.Refusal = &said
		return p.drawLogin(c, status, page)
	})
}

package pages

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
)

// deskLoginPage asks a staff member for name and password.
type deskLoginPage struct {
	frame
	Next     string
	Username string
	Refusal  *say
}

func (p *pages) drawDeskLogin(c *fiber.Ctx, status int, page deskLoginPage) error {
	f, _, _, err := p.frameOf(c, words{"员工登录", "Staff sign-in"})
	if err != nil {
		return err
	}
	f.Narrow = true
	page.frame = f
	return p.render(c, status, "desk_login", page)
}

// askPassword begins to sign a staff member in.
func (p *pages) askPassword(c *fiber.Ctx) error {
	next := safeNext(c.Query("next"), "/desk")
	if httpx.ActorOf(c).IsStaff() {
		return c.Redirect(next, fiber.StatusSeeOther)
	}
	return p.drawDeskLogin(c, http.StatusOK, deskLoginPage{Next: next})
}

// logInStaff signs a staff member in by password.
func (p *pages) logInStaff(c *fiber.Ctx) error {
	page := deskLoginPage{Next: safeNext(c.FormValue("next"), "/desk"), Username: strings.TrimSpace(c.FormValue("username"))}
	in, err := p.app.LogInStaff(c.UserContext(), page.Username, c.FormValue("password"))
	if err == nil {
		httpx.SetSession(c, in.Token)
		return c.Redirect(page.Next, fiber.StatusSeeOther)
	}
	refusal, ok := domain.AsError(err)
	if !ok {
		return err
	}
	said := explain(err, nil)
	page.Refusal = &said
	return p.drawDeskLogin(c, httpx.Status(refusal.Kind), page)
}

package pages

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
)

// signedIn sends visitors to the login page and back again.
func (p *pages) signedIn(c *fiber.Ctx) error {
	if httpx.ActorOf(c).Role == app.Anyone {
		return toLogin(c, "/login", here(c))
	}
	return c.Next()
}

// customerOnly is for what only a customer has, such as orders of their own.
func (p *pages) customerOnly(c *fiber.Ctx) error {
	switch actor := httpx.ActorOf(c); {
	case actor.IsStaff():
		return c.Redirect("/desk", fiber.StatusSeeOther)
	case actor.Role != app.RoleCustomer:
		return toLogin(c, "/login", here(c))
	}
	return c.Next()
}

// staffOnly is for the desk.
func (p *pages) staffOnly(c *fiber.Ctx) error {
	if !httpx.ActorOf(c).IsStaff() {
		return toLogin(c, "/desk/login", here(c))
	}
	return c.Next()
}

// toPageOfForm goes to the page that a form stands on.
func (p *pages) toPageOfForm(c *fiber.Ctx) error {
	page := c.Path()
	return c.Redirect(page[:strings.LastIndex(page, "/")], fiber.StatusSeeOther)
}

// here is the page to come back to after signing in. What was sent to a form is
// lost, so the page that the form stands on has to do.
func here(c *fiber.Ctx) string {
	if c.Method() == fiber.MethodGet {
		return c.OriginalURL()
	}
	if strings.HasPrefix(c.Path(), "/desk") {
		return "/desk"
	}
	if id := c.Params("id"); id != "" {
		return "/orders/" + url.PathEscape(id)
	}
	return "/"
}

func toLogin(c *fiber.Ctx, login, next string) error {
	return c.Redirect(login+"?next="+url.QueryEscape(next), fiber.StatusSeeOther)
}

// safeNext is a path of this site to go on to; anything else becomes otherwise.
func safeNext(next, otherwise string) string {
	const longest = 2000
	hidden := func(r rune) bool { return unicode.IsControl(r) || r == '\\' }
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || len(next) > longest || strings.ContainsFunc(next, hidden) {
		return otherwise
	}
	if at, err := url.Parse(next); err != nil || at.Host != "" || at.Scheme != "" {
		return otherwise
	}
	return next
}

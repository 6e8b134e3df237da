package kit

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// SignedIn sends visitors to the login page and back again.
func SignedIn(c *fiber.Ctx) error {
	if httpx.ActorOf(c).Role == app.Anyone {
		return ToLogin(c, "/login", here(c))
	}
	return c.Next()
}

// CustomerOnly is for what only a customer has, such as orders of their own.
func CustomerOnly(c *fiber.Ctx) error {
	switch actor := httpx.ActorOf(c); {
	case actor.IsStaff():
		return c.Redirect("/desk", fiber.StatusSeeOther)
	case actor.Role != app.RoleCustomer:
		return ToLogin(c, "/login", here(c))
	}
	return c.Next()
}

// StaffOnly is for the desk.
func StaffOnly(c *fiber.Ctx) error {
	if !httpx.ActorOf(c).IsStaff() {
		return ToLogin(c, "/desk/login", here(c))
	}
	return c.Next()
}

// OwnerOnly is for the owner's pages, of which the desk sees nothing.
func OwnerOnly(c *fiber.Ctx) error {
	switch actor := httpx.ActorOf(c); {
	case actor.Role == app.RoleOwner:
		return c.Next()
	case actor.IsStaff():
		return domain.Refuse(domain.Forbidden, "forbidden", "this is for the owner")
	}
	return ToLogin(c, "/desk/login", here(c))
}

// ToPageOfForm goes to the page that a form stands on.
func ToPageOfForm(c *fiber.Ctx) error {
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
	if strings.HasPrefix(c.Path(), "/owner") {
		return "/owner"
	}
	if strings.HasPrefix(c.Path(), "/me/") {
		return "/me"
	}
	if id := c.Params("id"); id != "" {
		return "/orders/" + url.PathEscape(id)
	}
	return "/"
}

// ToLogin goes to a login page that comes back to next.
func ToLogin(c *fiber.Ctx, login, next string) error {
	return c.Redirect(login+"?next="+url.QueryEscape(next), fiber.StatusSeeOther)
}

// SafeNext gives a path of this site to go on to; anything else becomes otherwise.
func SafeNext(next, otherwise string) string {
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

package kit

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// checkForm refuses forms that do not come from a page of ours. One that does, and
// whose session has ended or changed since, is not carried out, but answered with
// the way on.
func (s *Site) checkForm(wayOn fiber.Handler) fiber.Handler {
	check := httpx.CheckCSRF()
	return func(c *fiber.Ctx) error {
		err := check(c)
		if err == nil || !domain.IsReason(err, "csrf") || !httpx.Outlived(c) {
			return err
		}
		return wayOn(c)
	}
}

// signInAgain is the way on from most forms: who is not signed in any more does so,
// and who is somebody else now looks again before sending.
func (s *Site) signInAgain(c *fiber.Ctx) error {
	actor := httpx.ActorOf(c)
	staffOnly := strings.HasPrefix(c.Path(), "/desk") || strings.HasPrefix(c.Path(), "/owner")
	switch {
	case c.Path() == "/logout":
		return c.Redirect("/", fiber.StatusSeeOther)
	case staffOnly && !actor.IsStaff():
		return ToLogin(c, "/desk/login", here(c))
	case actor.Role == app.Anyone:
		return ToLogin(c, "/login", here(c))
	}
	f, _, _, err := s.FrameOf(c, Words{"请再确认一次", "Please confirm once more"})
	if err != nil {
		return err
	}
	f.Narrow = true
	return s.Render(c, http.StatusConflict, "refusal", refusalPage{Frame: f, Back: here(c), Say: Explain(ConfirmAgain(), nil)})
}

// ConfirmAgain is the refusal of a form that was filled in before somebody signed in
// or out.
func ConfirmAgain() error {
	return domain.Refuse(domain.Conflict, "confirm_again", "the session has changed since the form was made; nothing was done")
}

// landAgain is the way on from a form that signs in: who is signed in already goes
// where they would land, and everybody else gets a fresh form.
func landAgain(c *fiber.Ctx) error {
	login, otherwise := "/login", "/"
	arrived := httpx.ActorOf(c).Role == app.RoleCustomer
	if strings.HasPrefix(c.Path(), "/desk") {
		login, otherwise, arrived = "/desk/login", "/desk", httpx.ActorOf(c).IsStaff()
	}
	next := SafeNext(Sent(c, "next"), otherwise)
	if arrived {
		return c.Redirect(next, fiber.StatusSeeOther)
	}
	return ToLogin(c, login, next)
}

// Package pages serves the club to people with a browser: pages rendered on the
// server that work without scripts. Every use case is the same as the API's.
package pages

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/pages/customer"
	"courtd/web/pages/desk"
	"courtd/web/pages/door"
	"courtd/web/pages/kit"
	"courtd/web/pages/messages"
	"courtd/web/pages/office"
	"courtd/web/pages/records"
	"courtd/web/pages/settings"
)

// all are the pages of everybody.
var all = []kit.Pages{customer.Pages, desk.Pages, door.Pages, messages.Pages, office.Pages, records.Pages, settings.Pages}

// Register adds the pages of everybody and their assets to the server. It gives what
// tells a person of a request that was refused before it came to any page.
func Register(r fiber.Router, cfg kit.Config) (inWords fiber.ErrorHandler, err error) {
	s, err := kit.New(cfg, all...)
	if err != nil {
		return nil, err
	}
	s.Assets.Register(r)
	for _, register := range []func(*kit.Site, fiber.Router){
		customer.Register, desk.Register, door.Register, messages.Register, office.Register, records.Register, settings.Register,
	} {
		register(s, r)
	}
	s.Routes(r).Otherwise(wantsPage, func(*fiber.Ctx) error {
		return domain.Refuse(domain.NotFound, "not_found", "there is nothing at this address")
	})
	return s.Refuse, nil
}

// forPrograms are the addresses where no person looks for a page.
var forPrograms = []string{"/api", "/demo", "/pay", "/static", "/healthz", "/readyz", "/metrics"}

// wantsPage reports whether somebody in front of a browser looks for a page.
func wantsPage(c *fiber.Ctx) bool {
	return (c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead) && ForPeople(c)
}

// ForPeople reports whether a person is to read the answer.
func ForPeople(c *fiber.Ctx) bool {
	for _, path := range forPrograms {
		if c.Path() == path || strings.HasPrefix(c.Path(), path+"/") {
			return false
		}
	}
	return strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML)
}

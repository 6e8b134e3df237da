// Package desk holds the pages of the people at the counter: the day board and
// what can be done with a slot.
package desk

import (
	"embed"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

//go:embed templates/*.html
var sources embed.FS

// Pages are the pages of this package.
var Pages = kit.Pages{
	Source: sources,
	Samples: map[string]func() any{
		"desk_login": func() any { return new(loginPage) },
		"desk":       func() any { return new(deskPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/desk/login", p.askPassword)
	on.PostLogin("/desk/login", p.logInStaff)
	on.Get("/desk", kit.StaffOnly, p.showDesk)
}

// Package settings holds the pages on which the owner sets a venue up and changes how
// it works: the first set-up, venue, courts, hours, prices and policy.
package settings

import (
	"embed"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

//go:embed templates/*.html
var sources embed.FS

// Pages are the pages of this package.
var Pages = kit.Pages{
	Source: sources,
	Samples: map[string]func() any{
		"venue": func() any { return new(venuePage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner/venue", kit.OwnerOnly, p.show)
}

type venuePage struct{ kit.Frame }

func (p *pages) show(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"场馆", "Venue"})
	if err != nil {
		return err
	}
	f.Styles = []string{"settings.css"}
	return p.Render(c, http.StatusOK, "venue", venuePage{f})
}

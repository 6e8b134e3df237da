// Package owner holds the pages on which the owner sets up and changes the venue.
package owner

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
		"owner": func() any { return new(overviewPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner", kit.OwnerOnly, p.showOverview)
}

// overviewPage leads to the other pages.
type overviewPage struct{ kit.Frame }

func (p *pages) showOverview(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"管理", "Manage"})
	if err != nil {
		return err
	}
	f.Styles = []string{"owner.css"}
	return p.Render(c, http.StatusOK, "owner", overviewPage{f})
}

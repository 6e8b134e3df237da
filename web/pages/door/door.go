// Package door holds the pages where tickets are scanned, and the list of what waits for a
// person: notices that did not go out and refunds to hand over.
package door

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
		"todo": func() any { return new(todoPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/desk/todo", kit.StaffOnly, p.show)
}

type todoPage struct{ kit.Frame }

func (p *pages) show(c *fiber.Ctx) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"待办", "To do"})
	if err != nil {
		return err
	}
	f.Styles = []string{"door.css"}
	return p.Render(c, http.StatusOK, "todo", todoPage{f})
}

// Package records holds the owner's pages about what has happened: reports, what
// the reconciler does, and who did what.
package records

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
		"audit": func() any { return new(auditPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner/audit", kit.OwnerOnly, p.showAudit)
}

// auditPage lists who did what.
type auditPage struct{ kit.Frame }

func (p *pages) showAudit(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"操作记录", "Audit log"})
	if err != nil {
		return err
	}
	f.Styles = []string{"records.css"}
	return p.Render(c, http.StatusOK, "audit", auditPage{f})
}

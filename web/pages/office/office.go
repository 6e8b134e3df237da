// Package office holds the owner's pages of every week: goods and receipts, coupons,
// closures, staff.
package office

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
		"goods": func() any { return new(goodsPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner/goods", kit.OwnerOnly, p.show)
}

type goodsPage struct{ kit.Frame }

func (p *pages) show(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"商品", "Goods"})
	if err != nil {
		return err
	}
	f.Styles = []string{"office.css"}
	return p.Render(c, http.StatusOK, "goods", goodsPage{f})
}

// Package settings holds the pages on which the owner sets a venue up and changes how
// it works: the first set-up, venue, courts, hours, prices and policy. They work without
// scripts.
package settings

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
	Shared: []string{"templates/shared.html"},
	Samples: map[string]func() any{
		"venue":  func() any { return new(venuePage) },
		"courts": func() any { return new(courtsPage) },
		"hours":  func() any { return new(hoursPage) },
		"prices": func() any { return new(pricesPage) },
		"policy": func() any { return new(policyPage) },
		"setup":  func() any { return new(setUpPage) },
		"start":  func() any { return new(startPage) },
	},
	Parts: map[string]map[string]func() any{
		"hours":  {"dates": func() any { return new(hoursPage) }, "preview": func() any { return new(hoursPage) }},
		"prices": {"editor": func() any { return new(pricesPage) }, "preview": func() any { return new(pricesPage) }},
		"policy": {"preview": func() any { return new(policyPage) }},
		"setup":  {"grid": func() any { return new(setUpPage) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner/venue", kit.OwnerOnly, p.showVenue)
	on.Post("/owner/venue", kit.OwnerOnly, p.saveVenue)

	on.Get("/owner/courts", kit.OwnerOnly, p.showCourts)
	on.Post("/owner/courts", kit.OwnerOnly, p.addCourt)
	on.Post("/owner/courts/:id", kit.OwnerOnly, p.renameCourt)
	on.Post("/owner/courts/:id/move", kit.OwnerOnly, p.moveCourt)
	on.Post("/owner/courts/:id/sale", kit.OwnerOnly, p.sellCourt)

	on.Get("/owner/hours", kit.OwnerOnly, p.showHours)
	on.Post("/owner/hours", kit.OwnerOnly, p.saveHours)
	on.Post("/owner/hours/preview", kit.OwnerOnly, p.previewHours)

	on.Get("/owner/prices", kit.OwnerOnly, p.showPrices)
	on.Post("/owner/prices", kit.OwnerOnly, p.savePrices)
	on.Post("/owner/prices/preview", kit.OwnerOnly, p.previewPrices)

	on.Get("/owner/policy", kit.OwnerOnly, p.showPolicy)
	on.Post("/owner/policy", kit.OwnerOnly, p.savePolicy)
	on.Post("/owner/policy/preview", kit.OwnerOnly, p.previewPolicy)

	on.Get("/owner/start", kit.OwnerOnly, p.showStart)
	on.SetUp("/setup", p.askSetUp, p.setUp)
	on.SetUp("/setup/hours", kit.ToPageOfForm, p.previewSetUp)

	// Where only forms lead: whoever comes back there by address finds the page.
	for _, form := range []string{"/owner/hours/preview", "/owner/prices/preview", "/owner/policy/preview", "/owner/courts/:id"} {
		on.Get(form, kit.OwnerOnly, kit.ToPageOfForm)
	}
	for _, form := range []string{"/owner/courts/:id/move", "/owner/courts/:id/sale"} {
		on.Get(form, kit.OwnerOnly, func(c *fiber.Ctx) error { return c.Redirect("/owner/courts", fiber.StatusSeeOther) })
	}
}

// frame is the frame of a page of settings.
func dress(f *kit.Frame) {
	f.Styles, f.Scripts = []string{"settings.css"}, []string{"settings.js"}
}

// Package door holds the pages where tickets are scanned, and the list of what waits for a
// person: notices that did not go out and refunds to hand over.
package door

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
		"scan": func() any { return new(scanPage) },
		"todo": func() any { return new(todoPage) },
	},
	Parts: map[string]map[string]func() any{
		"scan": {"answer": func() any { return new(answer) }, "count": func() any { return new(countView) }},
		"todo": {"waiting": func() any { return new(waitingView) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/desk/scan", kit.StaffOnly, p.showScan)
	on.Get("/desk/scan/count", kit.StaffOnly, p.sendCount)
	on.Post("/desk/checkins", kit.StaffOnly, p.checkIn)

	on.Get("/desk/todo", kit.StaffOnly, p.showTodo)
	on.Get("/desk/todo/waiting", kit.StaffOnly, p.sendWaiting)
	on.Post("/desk/refunds/:id/confirm", kit.StaffOnly, p.confirmRefund)
	on.Post("/desk/refunds/:id/seen-to", kit.StaffOnly, p.seeToRefund)
	on.Post("/desk/payments/:id/seen-to", kit.StaffOnly, p.seeToPayment)
	on.Post("/desk/notices/:id/resend", kit.StaffOnly, p.resendNotice)

	// Where only forms lead: whoever comes back there by address finds the page.
	on.Get("/desk/checkins", goTo("/desk/scan"))
	on.Get("/desk/refunds/:id/confirm", goTo("/desk/todo"))
	on.Get("/desk/refunds/:id/seen-to", goTo("/desk/todo"))
	on.Get("/desk/payments/:id/seen-to", goTo("/desk/todo"))
	on.Get("/desk/notices/:id/resend", goTo("/desk/todo"))
}

func goTo(page string) fiber.Handler {
	return func(c *fiber.Ctx) error { return c.Redirect(page, fiber.StatusSeeOther) }
}

// Package desk holds the pages of the people at the counter: the day board, what
// can be done with a slot and with an order, and how to find one.
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
	Shared: []string{"templates/parts.html"},
	Samples: map[string]func() any{
		"desk_login": func() any { return new(loginPage) },
		"board":      func() any { return new(boardPage) },
		"desk_order": func() any { return new(orderPage) },
		"find":       func() any { return new(findPage) },
	},
	Parts: map[string]map[string]func() any{
		"board": {"board": func() any { return new(boardView) }, "panel": func() any { return new(panelView) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/desk/login", p.askPassword)
	on.PostLogin("/desk/login", p.logInStaff)

	on.Get("/desk", kit.StaffOnly, p.showBoard)
	on.Get("/desk/board", kit.StaffOnly, p.sendBoard)
	on.Get("/desk/slot", kit.StaffOnly, p.sendPanel)
	on.Get("/desk/find", kit.StaffOnly, p.find)
	on.Get("/desk/orders/:id", kit.StaffOnly, p.showOrder)

	on.Post("/desk/orders", kit.StaffOnly, p.bookForCaller)
	on.Post("/desk/orders/:id/paid", kit.StaffOnly, p.takeCash)
	on.Post("/desk/orders/:id/cancel", kit.StaffOnly, p.cancel)
	on.Post("/desk/orders/:id/handover", kit.StaffOnly, p.handOver)
	on.Post("/desk/orders/:id/forgive", kit.StaffOnly, p.forgive)
	on.Post("/desk/orders/:id/refunds", kit.StaffOnly, p.goodwill)
	on.Post("/desk/orders/:id/refunds/:refund/confirm", kit.StaffOnly, p.confirmRefund)
	on.Post("/desk/reservations/:id/move", kit.StaffOnly, p.move)
	on.Post("/desk/reservations/:id/undo-no-show", kit.StaffOnly, p.undoNoShow)

	// Where only forms lead: whoever comes back there by address finds a page.
	for _, act := range []string{"paid", "cancel", "handover", "forgive", "refunds", "refunds/:refund/confirm"} {
		on.Get("/desk/orders/:id/"+act, toOrder)
	}
	for _, form := range []string{"/desk/orders", "/desk/reservations/:id/move", "/desk/reservations/:id/undo-no-show"} {
		on.Get(form, toBoard)
	}
}

func toOrder(c *fiber.Ctx) error {
	return c.Redirect("/desk/orders/"+c.Params("id"), fiber.StatusSeeOther)
}

func toBoard(c *fiber.Ctx) error { return c.Redirect("/desk", fiber.StatusSeeOther) }

// Package customer holds the pages of those who book: the grid, signing in, orders,
// paying, notices and the rules. They work without scripts.
package customer

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
	Shared: []string{"templates/ladder.html", "templates/at-desk.html", "templates/ask-email.html"},
	Samples: map[string]func() any{
		"grid":    func() any { return new(gridPage) },
		"login":   func() any { return new(loginPage) },
		"orders":  func() any { return new(ordersPage) },
		"order":   func() any { return new(orderPage) },
		"cancel":  func() any { return new(cancelPage) },
		"notices": func() any { return new(noticesPage) },
		"rules":   func() any { return new(rulesPage) },
		"account": func() any { return new(accountPage) },
	},
	Parts: map[string]map[string]func() any{
		"grid": {
			"slots": func() any { return new(slotsPart) },
			"quote": func() any { return new(quotePart) },
		},
		"orders": {"orders-now": func() any { return new(ordersList) }},
		"order":  {"order-now": func() any { return new(orderPart) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/", p.showGrid)
	on.Get("/slots", p.liveSlots)
	on.PostAgain("/quote", p.chooseAgain, p.quote)
	on.Get("/rules", p.showRules)

	on.Get("/login", p.askPhone)
	on.PostLogin("/login/code", p.sendCode)
	on.PostLogin("/login", p.logIn)
	on.Post("/logout", p.logOut)

	on.PostAgain("/orders", p.chooseAgain, p.createOrder)
	on.Get("/orders", kit.CustomerOnly, p.listOrders)
	on.Get("/orders/list", kit.CustomerOnly, p.liveOrders)
	on.Get("/orders/:id", kit.SignedIn, p.showOrder)
	on.Get("/orders/:id/live", p.liveOrder)
	on.Get("/orders/:id/calendar.ics", kit.SignedIn, p.orderCalendar)
	on.Get("/orders/:id/cancel", kit.CustomerOnly, p.askCancel)
	on.Post("/orders/:id/cancel", kit.CustomerOnly, p.cancelOrder)
	on.Get("/notices", kit.CustomerOnly, p.listNotices)
	on.Post("/orders/:id/pay", kit.CustomerOnly, p.openPayment)
	on.Get("/me", kit.CustomerOnly, p.showAccount)
	on.Post("/me/name", kit.CustomerOnly, p.nameMyself)
	on.Post("/me/email", kit.CustomerOnly, p.mailCode)
	on.Post("/me/email/confirm", kit.CustomerOnly, p.confirmEmail)
	on.Post("/me/email/forget", kit.CustomerOnly, p.forgetEmail)
	if p.Play != nil {
		on.Post("/orders/:id/play", kit.CustomerOnly, p.playPayment)
	}

	// Where only forms lead: whoever comes back there by address finds the page.
	on.Get("/quote", func(c *fiber.Ctx) error { return c.Redirect("/", fiber.StatusSeeOther) })
	for _, form := range []string{"/login/code", "/me/name", "/me/email", "/me/email/confirm", "/me/email/forget", "/orders/:id/pay", "/orders/:id/play"} {
		on.Get(form, kit.ToPageOfForm)
	}
}

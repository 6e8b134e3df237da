// Package messages holds the owner's pages about what the venue tells people: which
// notices go where and in which words, what the venue's own software is told, and what
// became of every message. They work without scripts.
package messages

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
		"messages":        func() any { return new(routesPage) },
		"message":         func() any { return new(kindPage) },
		"webhooks":        func() any { return new(hooksPage) },
		"webhook":         func() any { return new(hookPage) },
		"webhook_secret":  func() any { return new(secretPage) },
		"webhook_confirm": func() any { return new(confirmPage) },
		"outbox":          func() any { return new(outboxPage) },
	},
	Parts: map[string]map[string]func() any{
		"message": {"preview": func() any { return new(kindPage) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)
	get := func(path string, action fiber.Handler) { on.Get(path, kit.OwnerOnly, action) }
	post := func(path string, action fiber.Handler) { on.Post(path, kit.OwnerOnly, action) }

	get("/owner/messages", p.showRoutes)
	post("/owner/messages", p.saveRoutes)
	post("/owner/messages/daily", p.saveDaily)
	post("/owner/messages/codes", p.saveCodes)
	post("/owner/messages/shipping", p.saveShipping)
	post("/owner/messages/wake", p.wake)
	for _, form := range []string{"/owner/messages/daily", "/owner/messages/codes", "/owner/messages/shipping", "/owner/messages/wake"} {
		get(form, kit.ToPageOfForm) // before the kinds: none of them is one
	}

	get("/owner/messages/:kind", p.showKind)
	post("/owner/messages/:kind/preview", p.previewKind)
	post("/owner/messages/:kind/texts", p.saveTexts)
	post("/owner/messages/:kind/wechat", p.saveWeChat)
	post("/owner/messages/:kind/sms", p.saveSMS)
	post("/owner/messages/:kind/test", p.sendTest)

	get("/owner/webhooks", p.showHooks)
	post("/owner/webhooks", p.addHook)
	get("/owner/webhooks/:id", p.showHook)
	post("/owner/webhooks/:id", p.changeHook)
	post("/owner/webhooks/:id/active", p.switchHook)
	get("/owner/webhooks/:id/secret", p.askRenew)
	post("/owner/webhooks/:id/secret", p.renewSecret)
	get("/owner/webhooks/:id/remove", p.askRemove)
	post("/owner/webhooks/:id/remove", p.removeHook)
	post("/owner/webhooks/:id/replay", p.replay)

	get("/owner/outbox", p.showOutbox)
	post("/owner/outbox/resend", p.resend)

	// Where only forms lead: whoever comes back there by address finds the page.
	for _, form := range []string{
		"/owner/messages/:kind/preview", "/owner/messages/:kind/texts", "/owner/messages/:kind/wechat", "/owner/messages/:kind/sms",
		"/owner/messages/:kind/test", "/owner/webhooks/:id/active", "/owner/webhooks/:id/replay", "/owner/outbox/resend",
	} {
		get(form, kit.ToPageOfForm)
	}
}

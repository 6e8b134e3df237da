// Package pages serves the club to people with a browser: pages rendered on the
// server that work without scripts. One action has one file; every use case is
// the same as the API's.
package pages

import (
	"context"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/static"
)

// Config is what the pages are made of.
type Config struct {
	App  *app.App
	Demo bool // says so on every page, shows login codes and lifts the rate limits

	// PlayPayment plays the customer's bank for one payment and has its notice
	// taken. It is nil outside a demonstration: then nobody pays on these pages.
	PlayPayment func(ctx context.Context, outTradeNo string, ok bool) error
}

// pages is what all actions share.
type pages struct {
	app       *app.App
	demo      bool
	play      func(ctx context.Context, outTradeNo string, ok bool) error
	templates templates
}

// Register adds the pages and their assets. A template that cannot be used fails
// here and not when somebody asks for its page.
func Register(r fiber.Router, cfg Config) error {
	assets, err := static.Load()
	if err != nil {
		return err
	}
	p := &pages{app: cfg.App, demo: cfg.Demo, play: cfg.PlayPayment}
	if p.templates, err = parseTemplates(sources, assets.URL); err != nil {
		return fmt.Errorf("page templates: %w", err)
	}
	assets.Register(r)
	p.routes(r)
	return nil
}

// routes lists every page.
func (p *pages) routes(r fiber.Router) {
	shared := []fiber.Handler{p.sayErrors, httpx.AuthenticateCookie(p.app), httpx.CheckCSRF()}
	login := shared
	if !p.demo {
		shared = append(shared[:len(shared):len(shared)], httpx.LimitAccount())
		login = append([]fiber.Handler{p.sayErrors}, append(httpx.LimitLogin(), shared[1:]...)...)
	}
	on := func(method, path string, before []fiber.Handler, action ...fiber.Handler) {
		handlers := append(before[:len(before):len(before)], action...)
		if method == fiber.MethodGet {
			r.Get(path, handlers...) // and HEAD
			return
		}
		r.Add(method, path, handlers...)
	}
	get, post := fiber.MethodGet, fiber.MethodPost

	on(get, "/", shared, p.showGrid)
	on(get, "/login", shared, p.askPhone)
	on(post, "/login/code", login, p.sendCode)
	on(post, "/login", login, p.logIn)
	on(post, "/logout", shared, p.logOut)

	on(post, "/orders", shared, p.createOrder)
	on(get, "/orders", shared, p.customerOnly, p.listOrders)
	on(get, "/orders/:id", shared, p.signedIn, p.showOrder)
	on(get, "/orders/:id/cancel", shared, p.customerOnly, p.askCancel)
	on(post, "/orders/:id/cancel", shared, p.customerOnly, p.cancelOrder)
	if p.play != nil {
		on(post, "/orders/:id/pay", shared, p.customerOnly, p.openPayment)
		on(post, "/orders/:id/play", shared, p.customerOnly, p.playPayment)
	}

	// Where only forms lead: whoever comes back there by address finds the page.
	for _, form := range []string{"/login/code", "/desk/checkins", "/orders/:id/pay", "/orders/:id/play"} {
		on(get, form, shared, p.toPageOfForm)
	}

	on(get, "/desk/login", shared, p.askPassword)
	on(post, "/desk/login", login, p.logInStaff)
	on(get, "/desk", shared, p.staffOnly, p.showDesk)
	on(post, "/desk/checkins", shared, p.staffOnly, p.checkIn)
}

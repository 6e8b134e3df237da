// Package kit holds what all pages have in common: the frame around them, their
// words in two languages, templates that a test draws all of, parts that keep
// themselves fresh, who may see what, and how a refusal is told.
package kit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/static"
)

// Config is what the pages are made of.
type Config struct {
	App  *app.App
	Demo bool // says so on every page, shows login codes and lifts the rate limits

	// Play plays the customer's bank for one payment and has its notice taken. It is
	// nil outside a demonstration: then nobody pays with the sandbox.
	Play func(ctx context.Context, outTradeNo string, ok bool) error

	// Run is one round of the reconciler, or what it would do.
	Run func(ctx context.Context, dryRun, retryParked bool) (any, error)

	// SetUpToken opens the first set-up of a venue that does not exist yet; empty
	// when there is nothing to set up.
	SetUpToken string
}

// Site is what every page is drawn with.
type Site struct {
	Config
	Assets *static.Set
	pages  map[Lang]*templates
}

// New makes a Site of the pages of all packages. A template that cannot be used
// fails here and not when somebody asks for its page.
func New(cfg Config, sets ...Pages) (*Site, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	s := &Site{Config: cfg, Assets: assets, pages: map[Lang]*templates{}}
	for _, lang := range Langs {
		if s.pages[lang], err = newTemplates(lang, assets.URL, append(sets, ownPages)); err != nil {
			return nil, fmt.Errorf("page templates: %w", err)
		}
	}
	return s, nil
}

// Routes adds pages to the server behind what every page needs.
type Routes struct {
	router        fiber.Router
	shared, login []fiber.Handler
	file          []fiber.Handler                           // shared, for forms with a file
	again         func(wayOn fiber.Handler) []fiber.Handler // shared, with another way on
	setUp         []fiber.Handler                           // nil when there is nothing to set up
}

// Routes gives the way to add pages.
func (s *Site) Routes(r fiber.Router) Routes {
	first := []fiber.Handler{s.chooseLang, s.sayErrors}
	out, limitAccount := Routes{router: r}, httpx.LimitAccount()
	if s.SetUpToken != "" {
		out.setUp = append(slices.Clone(first), httpx.AuthenticateCookie(s.App), httpx.CheckCSRF())
		first = append(first, httpx.UntilSetUp(s.App))
	}
	out.again = func(wayOn fiber.Handler) []fiber.Handler {
		all := append(slices.Clone(first), httpx.AuthenticateCookie(s.App), s.checkForm(wayOn))
		if !s.Demo {
			all = append(all, limitAccount)
		}
		return slices.Clip(all)
	}
	out.shared, out.login = out.again(s.signInAgain), out.again(landAgain)
	out.file = slices.Insert(slices.Clone(out.shared), len(first), readFiles)
	if !s.Demo {
		out.login = slices.Insert(out.login, len(first), httpx.LimitLogin())
	}
	return out
}

// Get adds a page; it answers HEAD too.
func (r Routes) Get(path string, actions ...fiber.Handler) {
	r.router.Get(path, append(r.shared[:len(r.shared):len(r.shared)], actions...)...)
}

// Post adds what a form is sent to.
func (r Routes) Post(path string, actions ...fiber.Handler) {
	r.router.Post(path, append(r.shared[:len(r.shared):len(r.shared)], actions...)...)
}

// PostFile is Post for a form that a file is sent with.
func (r Routes) PostFile(path string, actions ...fiber.Handler) {
	r.router.Post(path, append(r.file[:len(r.file):len(r.file)], actions...)...)
}

// PostAgain is Post for a form with a way on of its own when it has outlived its
// session: what was filled in is to be kept, and nothing may be done.
func (r Routes) PostAgain(path string, wayOn fiber.Handler, actions ...fiber.Handler) {
	r.router.Post(path, append(r.again(wayOn), actions...)...)
}

// PostLogin adds a form that signs somebody in: guesses are slowed down.
func (r Routes) PostLogin(path string, actions ...fiber.Handler) {
	r.router.Post(path, append(r.login[:len(r.login):len(r.login)], actions...)...)
}

// Otherwise adds the page for whatever no other route serves: it must come last.
// Requests that it is not meant for go on as if it were not there.
func (r Routes) Otherwise(meant func(*fiber.Ctx) bool, action fiber.Handler) {
	var guarded []any
	for _, next := range append(r.shared[:len(r.shared):len(r.shared)], action) {
		guarded = append(guarded, func(c *fiber.Ctx) error {
			if !meant(c) {
				return c.Next()
			}
			return next(c)
		})
	}
	r.router.Use(guarded...)
}

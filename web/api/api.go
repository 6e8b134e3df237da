// Package api is the JSON contract: every call of the club for programs, with an
// OpenAPI document made from the types that decode the requests.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
)

// Config is what the API is made of.
type Config struct {
	App     *app.App
	Run     func(ctx context.Context, dryRun, retryParked bool) (any, error) // one round of the reconciler
	Demo    *Demo                                                            // nil outside a demonstration
	Days    *Days
	Version string
}

// base is where every call but those of a demonstration lives.
const base = "/api/v1"

// server is what the calls share.
type server struct {
	app  *app.App
	run  func(ctx context.Context, dryRun, retryParked bool) (any, error)
	demo *Demo
	api  huma.API
	days *Days
}

// Register adds every call, the OpenAPI document and its page to a server.
func Register(r *fiber.App, cfg Config) error {
	s := &server{app: cfg.App, run: cfg.Run, demo: cfg.Demo, days: cfg.Days}
	r.Use(base, noStore, httpx.Authenticate(cfg.App))
	if cfg.Demo == nil {
		r.Use(base, httpx.LimitAccount())
		r.Use(base+"/login", httpx.LimitLogin())
		r.Use(base+"/me/phone", httpx.LimitLogin())
	}
	s.api = humafiber.New(r, document(cfg.Version))
	s.api.UseMiddleware(readBody)
	s.venueCalls()
	s.loginCalls()
	s.meCalls()
	s.orderCalls()
	s.deskOrderCalls()
	s.deskCalls()
	s.settingCalls()
	s.closureCalls()
	s.goodCalls()
	s.couponCalls()
	s.staffCalls()
	s.auditCalls()
	s.reportCalls()
	s.reconcilerCalls()
	s.billCalls()
	s.messageCalls()
	s.noticeCalls()
	if cfg.Demo != nil {
		s.demoCalls()
	}
	allowNull(s.api.OpenAPI().Components.Schemas)
	text, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		return fmt.Errorf("write the OpenAPI document: %w", err)
	}
	r.Get("/openapi.json", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(text)
	})
	return docs(r, s.api.OpenAPI())
}

// noStore keeps answers that belong to one person out of caches.
func noStore(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Next()
}

// adapted is huma.Context by a name that leaves its method Context alone.
type adapted huma.Context

// bodyContext is a request whose body has been received.
type bodyContext struct{ adapted }

// Unwrap gives the request as the adapter knows it.
func (c bodyContext) Unwrap() huma.Context { return c.adapted }

// BodyReader reads what the server has received within its limit; the adapter
// alone would look for a stream that has been read.
func (c bodyContext) BodyReader() io.Reader {
	return bytes.NewReader(humafiber.Unwrap(c).Body())
}

func readBody(ctx huma.Context, next func(huma.Context)) { next(bodyContext{ctx}) }

// Package api is the JSON contract: every call of the club for programs, with an
// OpenAPI document made from the types that decode the requests.
package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
)

// Config is what the API is made of.
type Config struct {
	App     *app.App
	Run     func(ctx context.Context, dryRun, retryParked bool) (any, error) // one round of the reconciler
	Demo    *Demo                                                            // nil outside a demonstration
	Version string
}

// Register adds the API to a server.
func Register(r *fiber.App, cfg Config) error {
	return nil
}

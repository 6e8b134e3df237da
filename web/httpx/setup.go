package httpx

import (
	"sync/atomic"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
)

// UntilSetUp refuses everything behind it as long as there is no venue. Once there is
// one it looks no more: a venue does not go away.
func UntilSetUp(a *app.App) fiber.Handler {
	var done atomic.Bool
	return func(c *fiber.Ctx) error {
		if done.Load() {
			return c.Next()
		}
		if _, _, _, err := a.Venue(c.UserContext()); err != nil {
			return err
		}
		done.Store(true)
		return c.Next()
	}
}

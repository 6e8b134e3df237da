package web

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// health says whether the club is served: the file can be read and written, the clock may
// be believed, and the notices of payment providers can be used.
func health(a *app.App, version string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		state, err := a.DB().ClockState(c.UserContext())
		if err != nil {
			return sick(c, err)
		}
		if err := a.DB().Writable(c.UserContext()); err != nil {
			return sick(c, err)
		}
		zone := httpx.Zone(c.UserContext(), a)
		answer := fiber.Map{"status": "ok", "now": max(state.Clock, state.Last).In(zone), "version": version}
		if state.Behind {
			answer["status"], answer["reason"] = "clock_behind", "clock_behind"
			answer["clock"], answer["last"] = state.Clock.In(zone), state.Last.In(zone)
			c.Status(http.StatusServiceUnavailable)
		}
		if troubles := a.NoticeTroubles(c.UserContext()); len(troubles) > 0 {
			told := make([]fiber.Map, len(troubles))
			answer["notices"] = told
			for i, t := range troubles {
				told[i] = fiber.Map{"provider": t.Provider, "what": t.What, "count": t.Count, "last": t.Last.In(zone)}
				// Nobody's payment is believed then; somebody has to be woken.
				if t.What == app.TroubleClockDrift && !state.Behind {
					answer["status"], answer["reason"] = "clock_drift", "clock_drift"
					c.Status(http.StatusServiceUnavailable)
				}
			}
		}
		return c.JSON(answer)
	}
}

// ready says whether requests can be served: the store answers and holds a venue.
// A clock that is behind stops only writes, and so does a full disk; but a file that was taken
// away is no more what is looked for.
func ready(a *app.App) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if _, _, _, err := a.Venue(c.UserContext()); err != nil {
			return sick(c, err)
		}
		answer := fiber.Map{"status": "ok"}
		if err := a.DB().Writable(c.UserContext()); domain.IsReason(err, "file_gone") {
			return sick(c, err)
		} else if err != nil {
			answer["writes"] = detailOf(err)
		}
		return c.JSON(answer)
	}
}

func sick(c *fiber.Ctx, err error) error {
	httpx.NoteOf(c).Err = err
	answer := fiber.Map{"status": "unavailable", "reason": "internal"}
	if refusal, ok := domain.AsError(err); ok {
		answer["reason"], answer["detail"] = refusal.Reason, refusal.Message
	}
	return c.Status(http.StatusServiceUnavailable).JSON(answer)
}

// detailOf is what a refusal says to whoever runs the program.
func detailOf(err error) string {
	if refusal, ok := domain.AsError(err); ok {
		return refusal.Message
	}
	return "internal"
}

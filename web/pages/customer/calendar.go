package customer

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/calendar"
	"courtd/web/httpx"
)

// orderCalendar gives an order's slots as a file for the phone's calendar.
func (p *pages) orderCalendar(c *fiber.Ctx) error {
	order, err := p.App.Order(c.UserContext(), httpx.ActorOf(c), c.Params("id"))
	if err != nil {
		return err
	}
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, calendar.Type)
	c.Set(fiber.HeaderContentDisposition, calendar.Disposition(order.Number))
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Send(app.CalendarOf(order, venue))
}

package desk

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// findPage lists the orders that were looked for.
type findPage struct {
	kit.Frame
	Query   string
	Found   []app.FoundOrder
	Most    int // as many as there may be: there can be more
	Refusal *kit.Say
}

// find looks for orders by number, phone or name.
func (p *pages) find(c *fiber.Ctx) error {
	f, venue, _, err := p.FrameOf(c, kit.Words{"查找订单", "Find an order"})
	if err != nil {
		return err
	}
	f.Styles = []string{"desk.css"}
	page := findPage{Frame: f, Query: c.Query("q"), Most: domain.MaxFound}
	page.Found, err = p.App.FindOrders(c.UserContext(), httpx.ActorOf(c), page.Query)
	status := http.StatusOK
	if refusal, refused := domain.AsError(err); refused && refusal.Kind == domain.Invalid {
		say := kit.Explain(err, venue.Calendar.Zone)
		page.Refusal, status = &say, httpx.Status(refusal.Kind)
	} else if err != nil {
		return err
	}
	return p.Render(c, status, "find", page)
}

// SlotHref is the board with an order's slot open.
func (findPage) SlotHref(r app.ReservationView) string {
	return place{Slot: slotText(r.Court.ID, r.Start)}.address("/desk")
}

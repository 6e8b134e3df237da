package customer

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// perPage keeps a list short on a phone.
const perPage = 20

// ordersPage lists a customer's own orders: those where something is still to come,
// or the past ones.
type ordersPage struct {
	kit.Frame
	Past  bool
	Items []app.OrderView
	Next  *string
	Later bool // this is not the first page
}

// listOrders shows a customer's own orders, newest first.
func (p *pages) listOrders(c *fiber.Ctx) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"我的订单", "My orders"})
	if err != nil {
		return err
	}
	which, cursor := app.OpenOrders, c.Query("cursor")
	if c.Query("tab") == "past" {
		which = app.PastOrders
	}
	list, err := p.App.OrdersBy(c.UserContext(), httpx.ActorOf(c), which, app.Page{Cursor: cursor, Limit: perPage})
	if err != nil {
		return err
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	return p.Render(c, http.StatusOK, "orders", ordersPage{Frame: f, Past: which == app.PastOrders, Items: list.Items, Next: list.Next, Later: cursor != ""})
}

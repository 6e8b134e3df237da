package customer

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// ordersPerPage keeps a page short on a phone.
const ordersPerPage = 20

// ordersPage lists a customer's own orders.
type ordersPage struct {
	kit.Frame
	Items []app.OrderView
	Next  *string
}

// listOrders shows a customer's own orders, newest first.
func (p *pages) listOrders(c *fiber.Ctx) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"我的订单", "My orders"})
	if err != nil {
		return err
	}
	list, err := p.App.Orders(c.UserContext(), httpx.ActorOf(c), app.Page{Cursor: c.Query("cursor"), Limit: ordersPerPage})
	if err != nil {
		return err
	}
	f.Narrow = true
	return p.Render(c, http.StatusOK, "orders", ordersPage{Frame: f, Items: list.Items, Next: list.Next})
}

package pages

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
)

// ordersPerPage keeps a page short on a phone.
const ordersPerPage = 20

// ordersPage lists a customer's own orders.
type ordersPage struct {
	frame
	Items []app.OrderView
	Next  *string
}

// listOrders shows a customer's own orders, newest first.
func (p *pages) listOrders(c *fiber.Ctx) error {
	f, _, _, err := p.frameOf(c, words{"我的订单", "My orders"})
	if err != nil {
		return err
	}
	list, err := p.app.Orders(c.UserContext(), httpx.ActorOf(c), app.Page{Cursor: c.Query("cursor"), Limit: ordersPerPage})
	if err != nil {
		return err
	}
	f.Narrow = true
	return p.render(c, http.StatusOK, "orders", ordersPage{frame: f, Items: list.Items, Next: list.Next})
}

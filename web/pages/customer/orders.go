package customer

import (
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// perPage keeps a list short on a phone.
const perPage = 20

// ordersPage lists a customer's own orders: those where something is still to come,
// or the past ones.
type ordersPage struct {
	kit.Frame
	List  ordersList
	First kit.Live // the first page of the list; later ones are as of the first
}

// ordersList is the part of that page that keeps itself fresh.
type ordersList struct {
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
	page := ordersPage{Frame: f}
	page.Narrow, page.Styles = true, []string{"customer.css"}
	if cursor := c.Query("cursor"); cursor != "" {
		if page.List, _, err = p.ordersOf(c, cursor); err != nil {
			return err
		}
	} else if page.First, err = p.ordersNow(c); err != nil {
		return err
	}
	page.Live = !page.List.Later
	page.List.Past = isPast(c)
	return p.Render(c, http.StatusOK, "orders", page)
}

// liveOrders answers the list that asks for itself again.
func (p *pages) liveOrders(c *fiber.Ctx) error {
	live, err := p.ordersNow(c)
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

// ordersNow draws the first page of the list; it changes when a hold on it lapses.
func (p *pages) ordersNow(c *fiber.Ctx) (kit.Live, error) {
	list, now, err := p.ordersOf(c, "")
	if err != nil {
		return kit.Live{}, err
	}
	var changes *time.Time
	for _, order := range list.Items {
		if order.State == string(domain.Held) && order.PayBy != nil && (changes == nil || order.PayBy.Before(*changes)) {
			changes = order.PayBy
		}
	}
	again := "/orders/list"
	if list.Past {
		again += "?tab=past"
	}
	return p.Live(c, "orders", "orders-now", "orders", again, now, changes, list)
}

func isPast(c *fiber.Ctx) bool { return c.Query("tab") == "past" }

// ordersOf gives one page of the list and the instant at which it is judged.
func (p *pages) ordersOf(c *fiber.Ctx, cursor string) (ordersList, time.Time, error) {
	which := app.OpenOrders
	if isPast(c) {
		which = app.PastOrders
	}
	found, err := p.App.OrdersBy(c.UserContext(), httpx.ActorOf(c), which, app.Page{Cursor: cursor, Limit: perPage})
	return ordersList{Past: isPast(c), Items: found.Items, Next: found.Next, Later: cursor != ""}, found.Now, err
}

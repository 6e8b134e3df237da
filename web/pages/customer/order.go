package customer

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// orderPage shows one order: what to do next, the ticket, and what it is made of.
type orderPage struct {
	kit.Frame
	Refusal *kit.Say
	Order   kit.Live
}

// showOrder shows an order to its customer or to the desk. With check=1 the
// provider is asked first what has become of an open payment.
func (p *pages) showOrder(c *fiber.Ctx) error {
	return p.drawOrder(c, http.StatusOK, c.Query("check") == "1", nil)
}

func (p *pages) drawOrder(c *fiber.Ctx, status int, check bool, refusal error) error {
	unheard := false
	if check {
		var err error
		if unheard, err = p.checkPayments(c); err != nil {
			return err
		}
	}
	f, venue, _, err := p.FrameOf(c, kit.Words{"订单", "Order"})
	if err != nil {
		return err
	}
	part, live, err := p.orderNow(c, venue, unheard)
	if err != nil {
		return err
	}
	f.Title[0], f.Title[1] = f.Title[0]+" "+part.Order.Number, f.Title[1]+" "+part.Order.Number
	f.Narrow, f.Live, f.Now, f.Styles, f.Scripts = true, true, part.Order.Now.Unix(), []string{"customer.css"}, []string{"countdown.js", "order.js"}
	if part.Held && part.PayBy != 0 {
		f.ReloadAfter = part.PayBy - part.Order.Now.Unix() + 1
	}
	page := orderPage{Frame: f, Order: live}
	if refusal != nil {
		said := kit.Explain(refusal, venue.Calendar.Zone)
		page.Refusal = &said
	}
	return p.Render(c, status, "order", page)
}

// liveOrder is an order asking for itself again. Whoever may not see it any more,
// because they have signed out elsewhere, loads the whole page and is told there.
func (p *pages) liveOrder(c *fiber.Ctx) error {
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	unheard, err := p.askBehindPage(c)
	if err != nil {
		return err
	}
	_, live, err := p.orderNow(c, venue, unheard)
	if domain.IsReason(err, "not_found") {
		c.Set("HX-Refresh", "true")
		return c.SendStatus(http.StatusNoContent)
	}
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

// orderNow draws the part of an order's page that time or somebody else can change.
// unheard says that the provider did not answer whether money has come.
func (p *pages) orderNow(c *fiber.Ctx, venue sqlite.Venue, unheard bool) (orderPart, kit.Live, error) {
	actor := httpx.ActorOf(c)
	order, err := p.App.Order(c.UserContext(), actor, c.Params("id"))
	if err != nil {
		return orderPart{}, kit.Live{}, err
	}
	more, err := p.behindOrder(c.UserContext(), order.ID)
	if err != nil {
		return orderPart{}, kit.Live{}, err
	}
	part := p.newOrderPart(actor, venue, order, more, deviceOf(c))
	part.Unheard = unheard && part.Held
	if part.Held && !part.Staff && more.openWeChat.ID != "" {
		part.WeChat = attemptOf(more.openWeChat, domain.InstantOf(order.Now), c.BaseURL()+"/orders/"+order.ID+"?check=1")
	}
	if !part.Staff { // the desk reads tickets; it need not hold them
		if err := part.addTicket(); err != nil {
			return part, kit.Live{}, err
		}
	}
	part.CSRF = httpx.CSRFToken(c)
	if actor.Role == app.RoleCustomer {
		if part.Notices, err = p.App.NoticesAbout(c.UserContext(), actor, order.ID); err != nil {
			return part, kit.Live{}, err
		}
		if order.State == string(domain.Paid) {
			if part.AskEmail, err = p.asksEmail(c, venue.Messages); err != nil {
				return part, kit.Live{}, err
			}
		}
	}
	live, err := p.Live(c, "order", "order-now", "order", "/orders/"+order.ID+"/live", order.Now, order.ChangesAt, part, part.ticks()...)
	return part, live, err
}

// behind is what an order's page needs and its view does not tell.
type behind struct {
	terms         domain.Terms
	open          string // a payment that waits for the provider's answer, whichever it is
	openSandbox   string
	openWeChat    sqlite.Payment // the latest that was opened, if it still is
	unpaidSandbox string         // the latest; the sandbox may still say that it succeeded
	attempts      int            // payments opened so far
	failed        bool           // one of them ended without money, and none has been opened since
}

// behindOrder looks up an order's terms and its payments; whoever calls has made
// sure that the order may be seen.
func (p *pages) behindOrder(ctx context.Context, orderID string) (behind, error) {
	var out behind
	err := p.App.DB().Read(ctx, func(s *sqlite.Snapshot) error {
		order, err := s.Order(orderID)
		if err != nil {
			return err
		}
		out.terms = order.Terms
		payments, err := s.PaymentsOfOrder(orderID)
		out.attempts, out.failed = len(payments), lastFailed(payments)
		for _, p := range payments {
			if p.SucceededAt.IsSet() || p.Via == "cash" {
				continue
			}
			if p.Open() {
				out.open = p.ID
			}
			if p.Open() && p.Opened != "" && p.CalledAt >= out.openWeChat.CalledAt {
				out.openWeChat = p
			}
			if p.Via == pay.ViaSandbox {
				out.unpaidSandbox = p.ID
				if p.Open() {
					out.openSandbox = p.ID
				}
			}
		}
		return err
	})
	return out, err
}

// lastFailed reports whether the latest news of some payments is that one did not
// succeed.
func lastFailed(payments []sqlite.Payment) bool {
	var closed, opened domain.Instant
	for _, pay := range payments {
		switch {
		case pay.Open():
			opened = max(opened, pay.OpenedAt)
		case !pay.SucceededAt.IsSet():
			closed = max(closed, pay.ClosedAt)
		}
	}
	return closed > opened
}

// askBehindPage has the provider asked while somebody waits for a payment with WeChat to
// show: its notice may come late, or not at all.
func (p *pages) askBehindPage(c *fiber.Ctx) (unheard bool, err error) {
	actor, id := httpx.ActorOf(c), c.Params("id")
	order, err := p.App.Order(c.UserContext(), actor, id)
	if err != nil || order.State != string(domain.Held) {
		if domain.IsReason(err, "not_found") {
			err = nil // it is told below
		}
		return false, err
	}
	more, err := p.behindOrder(c.UserContext(), id)
	if err != nil || more.openWeChat.ID == "" {
		return false, err
	}
	return p.App.CheckPaymentsNowAndThen(c.UserContext(), actor, id)
}

// checkPayments asks the provider about a held order's open payment, and reports whether
// there was no answer.
func (p *pages) checkPayments(c *fiber.Ctx) (unheard bool, err error) {
	actor, id := httpx.ActorOf(c), c.Params("id")
	order, err := p.App.Order(c.UserContext(), actor, id)
	if err != nil || order.State != string(domain.Held) {
		return false, err
	}
	more, err := p.behindOrder(c.UserContext(), id)
	if err != nil || more.open == "" {
		return false, err
	}
	order, err = p.App.CheckPayments(c.UserContext(), actor, id)
	return order.Unheard, err
}

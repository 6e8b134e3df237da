package customer

import (
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/pay"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// way is one way to pay. All that an order's page offers come from here.
type way struct {
	Via   string
	Words kit.Words
}

// ways are how an order can be paid here and now; without any, the desk takes the
// money.
func (p *pages) ways(order app.OrderView) []way {
	if !slices.Contains(order.Actions, "pay") {
		return nil
	}
	return p.waysHere()
}

// waysHere are how an order can be paid online at this venue.
func (p *pages) waysHere() []way {
	var out []way
	for _, via := range p.App.Vias() {
		if via == pay.ViaSandbox && p.Play != nil {
			out = append(out, way{Via: via, Words: kit.Words{"去付款", "Pay"}})
		}
	}
	return out
}

// onlyAtDesk reports whether nothing can be paid online, which has to be said before
// anybody orders.
func (p *pages) onlyAtDesk() bool { return len(p.waysHere()) == 0 }

// deskPay says until when an order has to be paid at the desk, and whom to call instead.
type deskPay struct {
	When  kit.Words
	Phone string
}

// payWithin is how long there is to pay for an order with slots.
func payWithin(venue sqlite.Venue) deskPay {
	long := minutesWords(venue.Policy.HoldMinutes)
	return deskPay{When: kit.Words{long[0] + "内", "within " + long[1]}, Phone: venue.Phone}
}

// openPayment opens a payment for what the button said; the order's page goes on from there.
func (p *pages) openPayment(c *fiber.Ctx) error {
	id, via := c.Params("id"), kit.Sent(c, "via")
	if via == "" {
		via = pay.ViaSandbox
	}
	var shown []app.Shown
	if fen, err := strconv.ParseInt(kit.Sent(c, "amount"), 10, 64); err == nil {
		shown = append(shown, app.Shown(fen))
	}
	_, err := p.App.OpenPayment(c.UserContext(), httpx.ActorOf(c), id, via, httpx.ClientIP(c), kit.KeyOf(c), shown...)
	if err == nil {
		return toOrder(c, id)
	}
	return p.refuseOnOrder(c, err)
}

// playPayment lets the visitor of a demonstration decide what the bank says about the
// attempt that the form names. Only the play of late money goes back to one that ended:
// any other, sent twice, would charge again.
func (p *pages) playPayment(c *fiber.Ctx) error {
	actor, id := httpx.ActorOf(c), c.Params("id")
	if _, err := p.App.Order(c.UserContext(), actor, id); err != nil {
		return err
	}
	more, err := p.behindOrder(c.UserContext(), id)
	if err != nil {
		return err
	}
	attempt := more.openSandbox
	if kit.Sent(c, "late") != "" {
		attempt = more.unpaidSandbox
	}
	if named := kit.Sent(c, "attempt"); attempt == "" || (named != "" && named != attempt) {
		return toOrder(c, id) // it has been paid meanwhile, or never begun
	}
	if err := p.Play(c.UserContext(), attempt, kit.Sent(c, "result") == "paid"); err != nil {
		return p.refuseOnOrder(c, err)
	}
	return c.Redirect("/orders/"+id+"?check=1", fiber.StatusSeeOther)
}

// refuseOnOrder says a refusal on the order's page, which shows what is true now.
func (p *pages) refuseOnOrder(c *fiber.Ctx, err error) error {
	return kit.Beside(c, err, func(status int) error { return p.drawOrder(c, status, false, err) })
}

func toOrder(c *fiber.Ctx, id string) error {
	return c.Redirect("/orders/"+id, fiber.StatusSeeOther)
}

package customer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// way is one way to pay. All that an order's page offers come from here.
type way struct {
	Via   string
	Words kit.Words
	Plain bool // one of the other ways
}

// ways are how an order can be paid here and now; without any, the desk takes the
// money.
func (p *pages) ways(order app.OrderView, on device) []way {
	if !slices.Contains(order.Actions, "pay") {
		return nil
	}
	return p.waysOn(on)
}

// device is what somebody looks at a page with, as far as paying goes.
type device int

const (
	screen   device = iota // with a phone beside it that can scan a code
	phone                  // a phone's browser, which can change over to WeChat
	inWeChat               // WeChat's own browser, in which neither of the two works
)

// deviceOf tells it from what the browser says of itself. Who lies there is offered
// what does not work for them, and no more.
func deviceOf(c *fiber.Ctx) device {
	agent := c.Get(fiber.HeaderUserAgent)
	switch {
	case strings.Contains(agent, "MicroMessenger"):
		return inWeChat
	case strings.Contains(agent, "Mobile"), strings.Contains(agent, "Android"), strings.Contains(agent, "iPhone"):
		return phone
	}
	return screen
}

// waysOn are how an order can be paid online at this venue, the best way first.
func (p *pages) waysOn(on device) []way {
	vias := p.App.Vias()
	var out []way
	add := func(via string, usable bool, zh, en string) {
		if usable && slices.Contains(vias, via) {
			out = append(out, way{Via: via, Words: kit.Words{zh, en}, Plain: len(out) > 0})
		}
	}
	add(pay.ViaSandbox, p.Play != nil, "去付款", "Pay")
	add(wechat.ViaH5, on == phone, "微信支付", "Pay with WeChat")
	add(wechat.ViaNative, on == screen, "微信扫码支付", "Pay by WeChat QR code")
	add(wechat.ViaNative, on == phone, "用另一部手机扫码付款", "Let another phone scan a code")
	return out
}

// paysOnline reports whether customers can pay by themselves, in whatever browser.
func (p *pages) paysOnline() bool {
	return len(p.waysOn(screen)) > 0 || len(p.waysOn(phone)) > 0
}

// onlyAtDesk reports whether nothing can be paid online, which has to be said before
// anybody orders.
func (p *pages) onlyAtDesk() bool { return !p.paysOnline() }

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
	offered := slices.Concat(p.waysOn(screen), p.waysOn(phone))
	if !slices.ContainsFunc(offered, func(w way) bool { return w.Via == via }) {
		return p.refuseOnOrder(c, domain.BadField("via", "cannot be used here"))
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

package desk

import (
	"math"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// takeCash records that an order has been paid in cash. What was shown as due is
// what is taken: an order that costs something else by now is shown again.
func (p *pages) takeCash(c *fiber.Ctx) error {
	f, id, actor := read(c, "paid"), c.Params("id"), httpx.ActorOf(c)
	_, err := p.App.MarkPaid(c.UserContext(), actor, id, keyOf(c, "paid "+id), agreedTo(f, "paid", "due"))
	return p.after(c, f, err, "paid")
}

// handOver records that an order's goods were handed over.
func (p *pages) handOver(c *fiber.Ctx) error {
	f, id := read(c, "handover"), c.Params("id")
	_, err := p.App.HandOver(c.UserContext(), httpx.ActorOf(c), id, keyOf(c, "handover "+id))
	return p.after(c, f, err, "handover")
}

// forgive takes an order's no-show out of the customer's strikes.
func (p *pages) forgive(c *fiber.Ctx) error {
	f, id := read(c, "forgive"), c.Params("id")
	_, err := p.App.Forgive(c.UserContext(), httpx.ActorOf(c), id, f.Value("forgive", "reason"), keyOf(c, "forgive "+id))
	return p.after(c, f, err, "forgiven")
}

// goodwill gives money back and changes no booking.
func (p *pages) goodwill(c *fiber.Ctx) error {
	f, id := read(c, "refunds"), c.Params("id")
	fen, err := kit.ParseYuan("amount", f.Value("refunds", "amount"))
	if err == nil {
		_, err = p.App.Goodwill(c.UserContext(), httpx.ActorOf(c), id, fen, f.Value("refunds", "reason"), keyOf(c, "refunds "+id))
	}
	return p.after(c, f, err, "goodwill")
}

// confirmRefund records that the money of a refund has been handed back. Sent twice
// it is one act: a refund is done once.
func (p *pages) confirmRefund(c *fiber.Ctx) error {
	f := read(c, "confirm")
	_, err := p.App.ConfirmRefund(c.UserContext(), httpx.ActorOf(c), c.Params("refund"))
	return p.after(c, f, err, "confirmed")
}

// undoNoShow lets a no-show in after all.
func (p *pages) undoNoShow(c *fiber.Ctx) error {
	id := c.Params("id")
	f := read(c, "undo:"+id)
	_, err := p.App.UndoNoShow(c.UserContext(), httpx.ActorOf(c), id, f.Value(f.Act, "reason"), keyOf(c, f.Act))
	return p.after(c, f, err, "undone")
}

// cancel cancels an order for the venue or for the customer, for what was shown
// of it. One that comes to something else meanwhile is shown again first.
func (p *pages) cancel(c *fiber.Ctx) error {
	f, id, actor := read(c, "cancel"), c.Params("id"), httpx.ActorOf(c)
	by := f.Value("cancel", "by")
	order, err := p.App.CancelAtDesk(c.UserContext(), actor, id, by, f.Value("cancel", "reason"), keyOf(c, "cancel "+id),
		app.ShownRefund(f.Value("cancel", "shown."+by)))
	if byHand, _ := goingBack(order); err == nil && byHand > 0 {
		// The slot shows somebody else's turn by now; what to hand back stands here.
		return kit.Done(c, "/desk/orders/"+id, "cancelled")
	}
	return p.after(c, f, err, "cancelled")
}

// after goes back to the page of the form, or says on it why something was refused.
func (p *pages) after(c *fiber.Ctx, f filled, err error, said string) error {
	if err != nil {
		return p.refuse(c, f, err)
	}
	return goBack(c, said)
}

// agreedTo is the amount that a form showed. One that shows none agrees to nothing
// that could be asked or given.
func agreedTo(f filled, act, field string) app.Shown {
	fen, err := strconv.ParseInt(f.Value(act, field), 10, 64)
	if err != nil {
		return math.MinInt64
	}
	return app.Shown(fen)
}

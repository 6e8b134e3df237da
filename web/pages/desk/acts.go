package desk

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// takeCash records that an order has been paid in cash. What was shown as due is
// what is taken: an order that costs something else by now is shown again.
func (p *pages) takeCash(c *fiber.Ctx) error {
	f, id, actor := read(c, "paid"), c.Params("id"), httpx.ActorOf(c)
	order, err := p.App.Order(c.UserContext(), actor, id)
	if err != nil {
		return err
	}
	if shown, err := strconv.ParseInt(f.Value("paid", "due"), 10, 64); order.State == string(domain.Held) && (err != nil || shown != order.Due) {
		return p.again(c, fiber.StatusConflict, f.refused(changed(kit.Words{"应收金额有变化", "What is due has changed"}), nil))
	}
	_, err = p.App.MarkPaid(c.UserContext(), actor, id, keyOf(c, "paid "+id))
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

// cancel cancels an order for the venue or for the customer, for the refund that was
// shown. One that has become another amount meanwhile is shown again first.
func (p *pages) cancel(c *fiber.Ctx) error {
	f, id, actor := read(c, "cancel"), c.Params("id"), httpx.ActorOf(c)
	by := f.Value("cancel", "by")
	// What the preview refuses, the act refuses too, unless it has been done already by
	// this very form.
	if preview, err := p.App.PreviewCancel(c.UserContext(), actor, id); err == nil {
		now := map[string]int64{"customer": preview.ByCustomer.Amount, "venue": preview.ByVenue.Amount}
		if shown, numErr := strconv.ParseInt(f.Value("cancel", "shown."+by), 10, 64); by != "" && (numErr != nil || shown != now[by]) {
			return p.again(c, fiber.StatusConflict, f.refused(changed(kit.Words{"退款金额有变化", "The refund has changed"}), nil))
		}
	}
	_, err := p.App.CancelAtDesk(c.UserContext(), actor, id, by, f.Value("cancel", "reason"), keyOf(c, "cancel "+id))
	return p.after(c, f, err, "cancelled")
}

// after goes back to the page of the form, or says on it why something was refused.
func (p *pages) after(c *fiber.Ctx, f filled, err error, said string) error {
	if err != nil {
		return p.refuse(c, f, err)
	}
	return goBack(c, said)
}

// changed asks to look again at an amount that is another by now.
func changed(what kit.Words) kit.Say {
	return kit.Say{Words: kit.Words{what[0] + "，请看清新的金额再确认", what[1] + "; please look at the new amount"}, Tone: "warn"}
}

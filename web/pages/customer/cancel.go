package customer

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// cancelPage says what a cancellation gives back before it is made.
type cancelPage struct {
	kit.Frame
	Order   app.OrderView
	Preview *app.RefundPreview // nil when it cannot be cancelled
	Held    bool
	Grace   int // minutes within which cancelling is no lapse
	Ladder  []ladderStep
	Refusal *kit.Say
	Nonce   string
}

// askCancel shows the refund and asks whether to go on.
func (p *pages) askCancel(c *fiber.Ctx) error { return p.drawCancel(c, http.StatusOK, nil) }

func (p *pages) drawCancel(c *fiber.Ctx, status int, refusal *kit.Say) error {
	actor, id := httpx.ActorOf(c), c.Params("id")
	order, err := p.App.Order(c.UserContext(), actor, id)
	if err != nil {
		return err
	}
	f, venue, _, err := p.FrameOf(c, kit.Words{"取消订单", "Cancel order"})
	if err != nil {
		return err
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	page := cancelPage{Frame: f, Order: order, Held: order.State == string(domain.Held), Grace: int(domain.CancelGrace.Minutes()), Refusal: refusal, Nonce: kit.Nonce(c)}
	preview, err := p.App.PreviewRefund(c.UserContext(), actor, id)
	if refused, ok := domain.AsError(err); ok {
		said := kit.Explain(err, venue.Calendar.Zone)
		page.Refusal, status = &said, httpx.Status(refused.Kind)
	} else if err != nil {
		return err
	} else {
		page.Preview = &preview
		more, err := p.behindOrder(c.UserContext(), id)
		if err != nil {
			return err
		}
		if len(order.Reservations) > 0 {
			page.Ladder = ladderWords(more.terms.RefundLadder)
			page.Ladder[min(preview.Step, len(page.Ladder)-1)].Now = true
		}
	}
	return p.Render(c, status, "cancel", page)
}

// ladderStep is one line of the refund rules.
type ladderStep struct {
	When    kit.Words
	Percent int
	Now     bool // the one that holds
}

// ladderWords say the refund rules, the last line being what is left when no step fits.
func ladderWords(ladder domain.RefundLadder) []ladderStep {
	var out []ladderStep
	for i, step := range ladder {
		when := kit.Words{fmt.Sprintf("开始前 %d 小时以上", step.HoursBefore), fmt.Sprintf("%d h or more before the start", step.HoursBefore)}
		if i > 0 {
			when = kit.Words{fmt.Sprintf("开始前 %d–%d 小时", step.HoursBefore, ladder[i-1].HoursBefore), fmt.Sprintf("%d–%d h before", step.HoursBefore, ladder[i-1].HoursBefore)}
		}
		out = append(out, ladderStep{When: when, Percent: step.Percent})
	}
	if n := len(ladder); n == 0 {
		return append(out, ladderStep{When: kit.Words{"任何时候", "at any time"}})
	} else if hours := ladder[n-1].HoursBefore; hours > 0 {
		out = append(out, ladderStep{When: kit.Words{fmt.Sprintf("开始前 %d 小时以内", hours), fmt.Sprintf("less than %d h before", hours)}})
	}
	return out
}

// cancelOrder cancels a customer's order for what they were shown of it. One that
// comes to something else by then is shown again.
func (p *pages) cancelOrder(c *fiber.Ctx) error {
	actor, id := httpx.ActorOf(c), c.Params("id")
	_, err := p.App.CancelOrder(c.UserContext(), actor, id, kit.KeyOf(c), app.ShownRefund(kit.Sent(c, "shown")))
	if domain.IsReason(err, "refund_changed") {
		said := kit.Explain(err, nil)
		return p.drawCancel(c, http.StatusConflict, &said)
	}
	if err != nil {
		return p.refuseOnOrder(c, err)
	}
	return toOrder(c, id)
}

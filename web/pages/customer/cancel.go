package customer

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// cancelPage says what a cancellation gives back before it is made.
type cancelPage struct {
	kit.Frame
	Order   app.OrderView
	Preview *app.RefundPreview // nil when it cannot be cancelled
	Held    bool
	Ladder  []kit.Words
	Refusal *kit.Say
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
	f.Narrow = true
	page := cancelPage{Frame: f, Order: order, Held: order.State == string(domain.Held), Refusal: refusal}
	preview, err := p.App.PreviewRefund(c.UserContext(), actor, id)
	if refused, ok := domain.AsError(err); ok {
		said := kit.Explain(err, venue.Calendar.Zone)
		page.Refusal, status = &said, httpx.Status(refused.Kind)
	} else if err != nil {
		return err
	} else {
		page.Preview = &preview
		if page.Ladder, err = p.ladderOf(c, id); err != nil {
			return err
		}
	}
	return p.Render(c, status, "cancel", page)
}

// ladderOf says the refund rules that an order was booked under.
func (p *pages) ladderOf(c *fiber.Ctx, orderID string) ([]kit.Words, error) {
	var out []kit.Words
	err := p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		order, err := s.Order(orderID)
		if err != nil || !order.FirstStart(s.Now).IsSet() {
			return err
		}
		for _, step := range order.Terms.RefundLadder {
			out = append(out, kit.Words{fmt.Sprintf("开始前 %d 小时以上退 %d%%", step.HoursBefore, step.Percent),
				fmt.Sprintf("%d h or more before: %d%%", step.HoursBefore, step.Percent)})
		}
		out = append(out, kit.Words{"其余不退", "later: nothing"})
		return nil
	})
	return out, err
}

// cancelOrder cancels a customer's order for the refund that they were shown. One
// that has become another amount meanwhile is shown again first.
func (p *pages) cancelOrder(c *fiber.Ctx) error {
	actor, id := httpx.ActorOf(c), c.Params("id")
	preview, err := p.App.PreviewRefund(c.UserContext(), actor, id)
	if err == nil {
		if shown, numErr := strconv.ParseInt(c.FormValue("amount"), 10, 64); numErr != nil || shown != preview.Amount {
			return p.drawCancel(c, http.StatusConflict, &kit.Say{Words: kit.Words{"退款金额有变化，请确认新的金额", "The refund has changed; please confirm the new amount"}, Tone: "warn"})
		}
		_, err = p.App.CancelOrder(c.UserContext(), actor, id, "")
	}
	if err != nil {
		return p.refuseOnOrder(c, err)
	}
	return toOrder(c, id)
}

package customer

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// viaSandbox is the provider that a demonstration pays with.
const viaSandbox = "sandbox"

// attempts are the payments of an order that have not succeeded.
type attempts struct {
	open          string // waits for the provider's answer, whichever it is
	openSandbox   string
	unpaidSandbox string // the latest; the sandbox may still say that it succeeded
}

// attempts looks up an order's payments; whoever calls has made sure that the
// order may be seen.
func (p *pages) attempts(ctx context.Context, orderID string) (attempts, error) {
	var out attempts
	err := p.App.DB().Read(ctx, func(s *sqlite.Snapshot) error {
		payments, err := s.PaymentsOfOrder(orderID)
		for _, pay := range payments {
			if pay.SucceededAt.IsSet() || pay.Via == "cash" {
				continue
			}
			if pay.Open() {
				out.open = pay.ID
			}
			if pay.Via == viaSandbox {
				out.unpaidSandbox = pay.ID
				if pay.Open() {
					out.openSandbox = pay.ID
				}
			}
		}
		return err
	})
	return out, err
}

// openPayment opens a payment with the sandbox; the order's page goes on from there.
func (p *pages) openPayment(c *fiber.Ctx) error {
	id := c.Params("id")
	_, err := p.App.OpenPayment(c.UserContext(), httpx.ActorOf(c), id, viaSandbox, httpx.ClientIP(c), "")
	if err == nil {
		return toOrder(c, id)
	}
	return p.refuseOnOrder(c, err)
}

// playPayment lets the visitor of a demonstration decide what the bank says.
func (p *pages) playPayment(c *fiber.Ctx) error {
	actor, id := httpx.ActorOf(c), c.Params("id")
	if _, err := p.App.Order(c.UserContext(), actor, id); err != nil {
		return err
	}
	tries, err := p.attempts(c.UserContext(), id)
	if err != nil {
		return err
	}
	attempt := tries.openSandbox
	if attempt == "" {
		attempt = tries.unpaidSandbox
	}
	if attempt == "" {
		return toOrder(c, id) // it has been paid meanwhile, or never begun
	}
	if err := p.Play(c.UserContext(), attempt, c.FormValue("result") == "paid"); err != nil {
		return p.refuseOnOrder(c, err)
	}
	return c.Redirect("/orders/"+id+"?check=1", fiber.StatusSeeOther)
}

// refuseOnOrder says a refusal on the order's page, which shows what is true now.
func (p *pages) refuseOnOrder(c *fiber.Ctx, err error) error {
	refusal, ok := domain.AsError(err)
	if !ok || refusal.Kind == domain.NotFound {
		return err
	}
	return p.drawOrder(c, httpx.Status(refusal.Kind), false, err)
}

func toOrder(c *fiber.Ctx, id string) error {
	return c.Redirect("/orders/"+id, fiber.StatusSeeOther)
}

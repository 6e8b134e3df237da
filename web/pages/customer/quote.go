package customer

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// quotePart is what a choice would cost now, or why it cannot be had. It answers a
// question, so that a choice that cannot be had is an answer and no failure.
type quotePart struct {
	Quote   *app.QuoteView // nil when there is nothing to work out
	PayBy   string
	Visitor bool // has to sign in before the order is made
	AtDesk  bool // what is to be paid is paid at the desk, as Pay says
	Pay     deskPay
	Refusal *kit.Say
	Stale   bool // the grid that it was chosen on shows something else than what is true
	Wrong   []wrongField
}

// wrongField is what is wrong with a field of the basket.
type wrongField struct {
	Field string
	Words kit.Words
}

// quote works a choice out without ordering it.
func (p *pages) quote(c *fiber.Ctx) error {
	if err := refuseStaff(c); err != nil {
		return err
	}
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	part, err := p.quoteOf(c, venue, readForm(c.Context().PostArgs()))
	if err != nil {
		return err
	}
	return p.RenderPart(c, http.StatusOK, "grid", "quote", part)
}

// quoteOf works a choice out. A coupon that cannot be used is refused at its field
// and the rest is worked out without it.
func (p *pages) quoteOf(c *fiber.Ctx, venue sqlite.Venue, ch choice) (quotePart, error) {
	actor := httpx.ActorOf(c)
	part := quotePart{Visitor: actor.Role == app.Anyone, AtDesk: p.onlyAtDesk()}
	if _, _, err := ch.newName(actor.Name); err != nil {
		if wrong := locate(err, ch, venue); wrong.name != nil {
			part.Wrong = append(part.Wrong, wrongField{"name", *wrong.name})
		}
	}
	if len(ch.Slots)+len(ch.Goods) == 0 {
		return part, nil
	}
	for {
		quote, err := p.ask(c, ch)
		if err == nil {
			part.Quote, part.PayBy = &quote, quote.PayBy.Format("15:04")
			part.Pay = deskPay{When: kit.Words{part.PayBy + " 前", "by " + part.PayBy}, Phone: venue.Phone}
			return part, nil
		}
		if _, ok := domain.AsError(err); !ok {
			return part, err
		}
		wrong := locate(err, ch, venue)
		if wrong.coupon != nil && ch.Coupon != "" {
			part.Wrong = append(part.Wrong, wrongField{"coupon", *wrong.coupon})
			ch.Coupon = ""
			continue
		}
		for id, words := range wrong.goods {
			part.Wrong = append(part.Wrong, wrongField{kit.QtyPrefix + id, *words})
		}
		part.Refusal, part.Stale = wrong.general, len(wrong.slots) > 0
		return part, nil
	}
}

func (p *pages) ask(c *fiber.Ctx, ch choice) (app.QuoteView, error) {
	req, err := ch.request()
	if err != nil {
		return app.QuoteView{}, err
	}
	return p.App.Quote(c.UserContext(), httpx.ActorOf(c), req)
}

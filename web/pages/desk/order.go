package desk

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// orderCard is an order with everything the desk may do with it. It stands in the
// panel of the board and on a page of its own.
type orderCard struct {
	Order             app.OrderView
	Slots             []cardSlot
	Cancel            *app.CancelPreview
	Left              int64 // fen that could still go back
	GoodsWords        *kit.Words
	Whole             bool // it has several slots: acts mean all of them
	Back, CSRF, Nonce string
	Filled            filled
	Alone             bool // on its own page

	HandBack, OnItsWay int64 // fen that wait to go back: by somebody's hand, by themselves
}

type cardSlot struct {
	app.ReservationView
	Board, Move string // addresses
	Undo        bool
}

// Can reports whether the use cases allow an act now.
func (o orderCard) Can(action string) bool { return slices.Contains(o.Order.Actions, action) }

// cardOf prepares an order for a page that its acts come back to.
func (p *pages) cardOf(c *fiber.Ctx, order app.OrderView, back string, f filled) (orderCard, error) {
	card := orderCard{Order: order, Back: back, CSRF: httpx.CSRFToken(c), Nonce: kit.Nonce(c), Filled: f, Whole: len(order.Reservations) > 1,
		Left: order.Left()}
	card.HandBack, card.OnItsWay = goingBack(order)
	for _, r := range order.Reservations {
		slot := cardSlot{ReservationView: r, Undo: slices.Contains(r.Actions, "undo_no_show")}
		at := place{Slot: slotText(r.Court.ID, r.Start)}
		slot.Board = at.address("/desk")
		if slices.Contains(r.Actions, "move") {
			at.Move = r.ID
			slot.Move = at.address("/desk")
		}
		card.Slots = append(card.Slots, slot)
	}
	if w, ok := kit.GoodsWords[order.GoodsState]; ok && len(order.Goods) > 0 {
		card.GoodsWords = &w
	}
	if card.Can("cancel") {
		preview, err := p.App.PreviewCancel(c.UserContext(), httpx.ActorOf(c), order.ID)
		if _, refused := domain.AsError(err); err != nil && !refused {
			return card, err
		} else if !refused {
			card.Cancel = &preview
		}
	}
	return card, nil
}

// goingBack sums up what of an order's money waits to go back, in fen.
func goingBack(order app.OrderView) (byHand, byItself int64) {
	for _, r := range order.Refunds {
		switch {
		case r.State == "done":
		case r.ByHand:
			byHand += r.Amount
		default:
			byItself += r.Amount
		}
	}
	return byHand, byItself
}

// orderPage is the staff's page of an order.
type orderPage struct {
	kit.Frame
	Card    orderCard
	Refusal *kit.Say
}

// showOrder shows an order to the desk.
func (p *pages) showOrder(c *fiber.Ctx) error {
	return p.drawOrder(c, http.StatusOK, c.Params("id"), filled{})
}

func (p *pages) drawOrder(c *fiber.Ctx, status int, id string, f filled) error {
	order, err := p.App.Order(c.UserContext(), httpx.ActorOf(c), id)
	if err != nil {
		return err
	}
	frame, _, _, err := p.FrameOf(c, kit.Words{"订单 " + order.Number, "Order " + order.Number})
	if err != nil {
		return err
	}
	frame.Narrow, frame.Styles, frame.Now = true, []string{"desk.css"}, order.Now.Unix()
	page := orderPage{Frame: frame, Refusal: f.Say}
	if page.Card, err = p.cardOf(c, order, "/desk/orders/"+order.ID, f); err != nil {
		return err
	}
	page.Card.Alone = true
	if f.Say == nil {
		page.Said = kit.SaidOf(c, said)
	}
	return p.Render(c, status, "desk_order", page)
}

package desk

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// moveView leads a booking to another slot: choose one, see the difference in price,
// confirm.
type moveView struct {
	Reservation       string
	Number, Who       string
	From              kit.Words
	Preview           *app.MovePreview
	To                string
	Difference        kit.Words
	Date              string
	Courts            []moveCourt // with their free slots of the day
	Stop              string
	Again             string // the address to choose another
	Back, CSRF, Nonce string
	Filled            filled
}

type moveCourt struct {
	Name  string
	Slots []moveTarget
}

type moveTarget struct {
	Value, Label string
	Price        int64
}

const actMove = "move"

// addMove opens a move in the panel: its confirmation when the target is known and
// can be had, else the choice.
func (p *pages) addMove(c *fiber.Ctx, panel *panelView, at spot, board app.BoardView, f filled) error {
	panel.Title, panel.Slot = kit.Words{"改期/换场", "Move"}, at.To
	order, slot, err := p.movable(c, at.Move)
	if err != nil {
		return panel.refuse(at, err)
	}
	here := slotText(slot.Court.ID, slot.Start)
	panel.Close = place{Slot: here}.address("/desk")
	m := &moveView{Reservation: at.Move, Number: order.Number, From: kit.Words{slot.Label, slot.LabelEN}, Date: at.Date, Stop: panel.Close,
		Again: place{Date: at.Date, Move: at.Move}.address("/desk"), Back: place{Date: at.Date, Move: at.Move, To: at.To}.address("/desk"),
		CSRF: httpx.CSRFToken(c), Nonce: kit.Nonce(c), Filled: f}
	if order.Customer != nil {
		m.Who = order.Customer.Name
	}
	panel.Move = m
	if at.To != "" {
		err := p.previewMove(c, m, at)
		if err == nil {
			return nil
		}
		if err := panel.refuse(at, err); err != nil {
			return err
		}
	}
	for _, court := range board.Courts {
		free := moveCourt{Name: court.Name}
		for _, s := range court.Slots {
			if s.Sellable {
				free.Slots = append(free.Slots, moveTarget{Value: s.ID, Label: s.Label + "–" + s.End.Format("15:04"), Price: s.Price})
			}
		}
		if len(free.Slots) > 0 {
			m.Courts = append(m.Courts, free)
		}
	}
	return nil
}

// refuse tells a refusal in the panel, unless it tells another; what is no refusal is
// given back.
func (panel *panelView) refuse(at spot, err error) error {
	if _, refused := domain.AsError(err); !refused {
		return err
	}
	if panel.Refusal == nil {
		say := kit.Explain(err, at.zone)
		panel.Refusal = &say
	}
	return nil
}

func (p *pages) previewMove(c *fiber.Ctx, m *moveView, at spot) error {
	to, err := app.ParseSlotID("slot", at.To)
	if err != nil {
		return err
	}
	preview, err := p.App.PreviewMove(c.UserContext(), httpx.ActorOf(c), m.Reservation, to)
	if err != nil {
		return err
	}
	m.Preview, m.To, m.Difference = &preview, at.To, differenceWords(preview)
	return nil
}

// differenceWords say what a move costs and in whose hand the money goes.
func differenceWords(p app.MovePreview) kit.Words {
	switch {
	case p.Difference == 0:
		return kit.Words{"没有差价", "No difference in price"}
	case p.Take > 0:
		return kit.Words{"收 " + notify.Yuan(p.Take) + " 现金", "Take " + notify.Yuan(p.Take) + " in cash"}
	case p.Paid:
		return kit.Words{"退 " + notify.Yuan(p.Back), notify.Yuan(p.Back) + " goes back"}
	case p.Difference > 0:
		return kit.Words{"尚未付款：应付多 " + notify.Yuan(p.Difference), "Not paid yet: " + notify.Yuan(p.Difference) + " more to pay"}
	}
	return kit.Words{"尚未付款：应付少 " + notify.Yuan(-p.Difference), "Not paid yet: " + notify.Yuan(-p.Difference) + " less to pay"}
}

// move moves a booking for the difference in price that was shown. One that has
// become another meanwhile is shown again first.
func (p *pages) move(c *fiber.Ctx) error {
	f, id, actor := read(c, actMove), c.Params("id"), httpx.ActorOf(c)
	to, err := app.ParseSlotID("slot", f.Value(actMove, "to"))
	if err != nil {
		return p.refuse(c, f, err)
	}
	if _, err = p.App.MoveReservation(c.UserContext(), actor, id, to, f.Value(actMove, "reason"), keyOf(c, "move "+id), app.ShownMove{
		Difference: int64(agreedTo(f, actMove, "difference")), Take: int64(agreedTo(f, actMove, "takes")), Back: int64(agreedTo(f, actMove, "gives"))}); err != nil {
		return p.refuse(c, f, err)
	}
	return kit.Done(c, place{Slot: f.Value(actMove, "to")}.address("/desk"), "moved")
}

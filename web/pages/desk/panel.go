package desk

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// panelView is what stands beside the board: one slot and what can be done with it.
type panelView struct {
	Open    bool
	Slot    string
	Sum     string // of the cell, to notice that it is another by now
	Title   kit.Words
	Day     kit.Words
	Close   string
	Said    *kit.Say
	Refusal *kit.Say
	Fixed   *kit.Words // at which other instant it is shown
	Closure *kit.Words
	Book    *bookForm
	Move    *moveView
	Orders  []orderCard
	Others  []otherRow
	Why     *whyView
}

// otherRow is a booking of the slot that is not its main one.
type otherRow struct {
	State, Number, Name, Href string
}

// sendPanel answers with the panel alone, for scripts; others get the page.
func (p *pages) sendPanel(c *fiber.Ctx) error {
	where := placeHere(c)
	if c.Get("HX-Request") != "true" {
		return c.Redirect(where.address("/desk"), fiber.StatusSeeOther)
	}
	venue, _, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	at, err := where.understand(venue, now)
	if err != nil {
		return err
	}
	board, err := p.App.DeskDay(c.UserContext(), at.day, at.at)
	if err != nil {
		return err
	}
	panel, err := p.panelOf(c, at, board, filled{})
	if err != nil {
		return err
	}
	return p.RenderPart(c, http.StatusOK, "board", "panel", panel)
}

// panelOf prepares the panel of a place. A refusal is told in it, or on its own when
// nothing is open.
func (p *pages) panelOf(c *fiber.Ctx, at spot, board app.BoardView, f filled) (panelView, error) {
	panel := panelView{Refusal: f.Say, Open: f.Say != nil, Close: at.open("").address("/desk"), Day: kit.DayWords(at.day, at.today),
		Title: kit.Words{"看板", "Board"}}
	if at.Move != "" && !at.at.IsSet() {
		panel.Open = true
		return panel, p.addMove(c, &panel, at, board, f)
	}
	court, i := slotOn(board, at.Slot)
	if court == nil {
		if at.Slot != "" {
			panel.Open = true
			panel.Refusal = &kit.Say{Words: kit.Words{"这一天没有这个场次", "There is no such slot on this day"}, Tone: "bad"}
		}
		return panel, nil
	}
	slot := court.Slots[i]
	panel.Open, panel.Slot = true, at.Slot
	span := slot.Label + "–" + slot.End.Format("15:04")
	panel.Title = kit.Words{court.Name + " " + span, court.Name + " " + span}
	panel.Sum = cellDrawer{at: at, fixed: at.at.IsSet()}.cell(*court, slot).Sum
	if slot.Closure != nil {
		panel.Closure = closureWords(*slot.Closure)
	}
	if at.at.IsSet() {
		when := board.At.Format("2006-01-02 15:04:05")
		panel.Fixed = &kit.Words{"这是 " + when + " 的情形，不能操作", "As of " + when + ": nothing can be done here"}
	} else if err := p.addActs(c, &panel, at, *court, i, f); err != nil {
		return panel, err
	}
	why, err := p.whyOf(c, at, board)
	panel.Why = why
	return panel, err
}

// addActs adds what can be done with a slot: book it, and act on the order that is,
// was or should have been in it.
func (p *pages) addActs(c *fiber.Ctx, panel *panelView, at spot, court app.BoardCourt, i int, f filled) error {
	slot := court.Slots[i]
	if slot.Sellable {
		form, err := p.bookFormOf(c, at, court, i, f)
		if err != nil {
			return err
		}
		panel.Book = form
	}
	main := shownIn(app.BoardSlot{Bookings: slot.Bookings}) // whoever did not come can still be let in
	shown := map[string]bool{}
	for _, b := range slot.Bookings {
		if shown[b.Order] || !(b.Blocks || (main != nil && b.ID == main.ID)) {
			continue
		}
		shown[b.Order] = true
		order, err := p.App.Order(c.UserContext(), httpx.ActorOf(c), b.Order)
		if err != nil {
			return err
		}
		card, err := p.cardOf(c, order, at.open(at.Slot).address("/desk"), f)
		if err != nil {
			return err
		}
		panel.Orders = append(panel.Orders, card)
	}
	for _, b := range slot.Bookings {
		if !shown[b.Order] {
			panel.Others = append(panel.Others, otherRow{State: b.State, Number: b.Number, Name: b.Customer.Name, Href: "/desk/orders/" + b.Order})
		}
	}
	return nil
}

// slotOn finds a slot on a day's board.
func slotOn(board app.BoardView, id string) (*app.BoardCourt, int) {
	for i, court := range board.Courts {
		if j := slices.IndexFunc(court.Slots, func(s app.BoardSlot) bool { return s.ID == id }); j >= 0 {
			return &board.Courts[i], j
		}
	}
	return nil, 0
}

func closureWords(c app.ClosureView) *kit.Words {
	span := c.From.Format("01-02 15:04") + " – " + c.To.Format("01-02 15:04")
	zh, en := "封场 "+span, "Closed "+span
	if c.Reason != "" {
		zh, en = zh+"："+c.Reason, en+": "+c.Reason
	}
	return &kit.Words{zh, en}
}

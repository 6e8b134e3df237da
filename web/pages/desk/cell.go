package desk

import (
	"slices"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// boardCell is one slot of one court on the board.
type boardCell struct {
	ID, Slot    string // of the element; court@unixstart
	Href, Part  string // its panel, as a page and alone
	Class, Mark string
	Words       kit.Words
	Name, Phone string
	Money       *kit.Words
	Note        *kit.Words
	Flags       []kit.Words
	Price       int64
	Free        bool   // somebody can be put in
	Move        string // the reservation that can be dragged away
	Others      int    // rows that are not shown
	Open        bool
	Title       string // everything, for whoever rests on it
	Sum         string // tells one state from another
}

// cellWords name what a slot is to the desk; the legend and the counters use them.
var cellWords = map[string]kit.Words{
	"free":      {"可订", "free"},
	"held":      {"待付款", "held"},
	"confirmed": {"已付", "paid"},
	"late":      {"未到", "late"},
	"playing":   {"在场", "playing"},
	"completed": {"打完", "played"},
	"no_show":   {"爽约", "no-show"},
	"closed":    {"封场", "closed"},
	"not_open":  {"未开放", "not open"},
	"past":      {"空场", "unused"},
}

// cellMarks tell them apart without colour.
var cellMarks = map[string]string{
	"free": "+", "held": "…", "confirmed": "✓", "late": "?", "playing": "▶", "completed": "■", "no_show": "!", "closed": "✕", "not_open": "+", "past": "–",
}

// cellDrawer draws the cells of one board.
type cellDrawer struct {
	at            spot
	fixed, moving bool
}

func (d cellDrawer) cell(court app.BoardCourt, slot app.BoardSlot) boardCell {
	cell := boardCell{ID: "s-" + slot.ID, Slot: slot.ID, Price: slot.Price, Free: slot.Sellable && !d.fixed, Open: d.at.Slot == slot.ID}
	to := d.at.open(slot.ID)
	if d.moving && slot.Sellable {
		to = place{Date: d.at.Date, Move: d.at.Move, To: slot.ID}
		cell.Open = d.at.To == slot.ID
	}
	cell.Href, cell.Part = to.address("/desk"), to.address("/desk/slot")
	shown := shownIn(slot)
	cell.Class = classOf(slot, shown)
	cell.Mark, cell.Words = cellMarks[cell.Class], cellWords[cell.Class]
	for _, b := range slot.Bookings {
		if shown == nil || b.ID != shown.ID {
			cell.Others++
		}
	}
	if shown != nil {
		cell.add(*shown, d.fixed)
	}
	if slot.Closure != nil && shown != nil {
		cell.Flags = append(cell.Flags, cellWords["closed"])
	}
	cell.Sum = cell.sum()
	return cell
}

// sum tells one state of a slot from another: a panel that was opened on the one is
// out of date on the other. Everything that is shown has a part in it but where the
// cell leads and whether its panel is open, which are the looker's.
func (cell boardCell) sum() string {
	cell.Href, cell.Part, cell.Open, cell.Sum = "", "", false, ""
	return app.Mark(cell)
}

// shownIn is the booking that a cell tells of: who is in the slot or will be, else
// who was or should have been.
func shownIn(slot app.BoardSlot) *app.BookingView {
	var past *app.BookingView
	for i, b := range slot.Bookings {
		if b.Blocks {
			return &slot.Bookings[i]
		}
		if domain.TakesUp(domain.State(b.State)) {
			past = &slot.Bookings[i]
		}
	}
	if slot.Sellable {
		return nil // it can be sold again: that is what matters
	}
	return past
}

func classOf(slot app.BoardSlot, shown *app.BookingView) string {
	switch {
	case shown != nil && shown.Late:
		return "late"
	case shown != nil:
		return shown.State
	case slot.Sellable && slot.State == string(domain.SlotNotOpen):
		return string(domain.SlotNotOpen)
	case slot.Sellable:
		return string(domain.SlotFree)
	case slot.Closure != nil:
		return string(domain.SlotClosed)
	}
	return string(domain.SlotPast)
}

func (cell *boardCell) add(b app.BookingView, fixed bool) {
	cell.Name, cell.Phone = b.Customer.Name, b.Customer.Phone
	money := moneyWords(b)
	cell.Money = &money
	switch {
	case b.CheckedInAt != nil:
		in := clockText(*b.CheckedInAt, b.Start)
		cell.Note = &kit.Words{in + " 到", "in " + in}
	case b.State == string(domain.Held) && b.PayBy != nil:
		by := clockText(*b.PayBy, b.Start)
		cell.Note = &kit.Words{"至 " + by, "until " + by}
	}
	if !fixed && slices.Contains(b.Actions, "move") {
		cell.Move = b.ID
	}
	cell.Title = b.Number + " " + b.Customer.Name + " " + b.Customer.Phone
}

// moneyWords say in a word how a booking was or will be paid.
func moneyWords(b app.BookingView) kit.Words {
	switch {
	case b.Via != "":
		return kit.ViaWords(b.Via)
	case b.PaidAt != nil:
		return kit.Words{"免单", "free of charge"}
	case b.Pay == "on_arrival":
		return kit.Words{"到场付", "on arrival"}
	}
	return kit.Words{"未付", "unpaid"}
}

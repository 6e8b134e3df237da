package customer

import (
	"fmt"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// slotsPart is a day's grid, which keeps itself fresh.
type slotsPart struct {
	Title   kit.Words
	Holiday string
	Hours   kit.Words
	Days    []dayLink
	Opens   *kit.Words // when the day opens for booking, if it has not
	Empty   *kit.Words // why there is no grid
	Note    string     // of a closed day
	Nothing kit.Words  // what the bar says while nothing is chosen
	Courts  []string
	Rows    []gridRow
	Goods   []goodLeft
}

type gridRow struct {
	Label, End string
	Past       bool // on every court
	Cells      []gridCell
}

// gridCell is one slot. What can be chosen has a box; one's own leads to the order.
type gridCell struct {
	ID       string // court@unixstart
	Name     string // for those who hear the page, and for messages
	End      int64  // unix seconds
	State    string
	Pickable bool
	Checked  bool
	Price    int64
	Rule     string
	Priced   bool // shows the price although it cannot be chosen
	Words    kit.Words
	Note     kit.Words
	Mine     string // the order
	Wrong    *kit.Words
}

// goodLeft tells a page that has been open for a while what is left of a good.
type goodLeft struct {
	ID        string
	Available int
	Most      int
}

// liveSlots is the grid asking for itself again. What has been chosen is the
// browser's to remember.
func (p *pages) liveSlots(c *fiber.Ctx) error {
	venue, _, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	day, err := kit.DayOf(c.Query("date"), venue.Calendar.DayOf(now))
	if err != nil {
		return err
	}
	view, err := p.App.OwnDay(c.UserContext(), httpx.ActorOf(c), day)
	if err != nil {
		return err
	}
	live, err := p.slotsLive(c, venue, day, view, newSlots(venue, day, view))
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

func (p *pages) slotsLive(c *fiber.Ctx, venue sqlite.Venue, day domain.Date, view app.OwnDay, part slotsPart) (kit.Live, error) {
	next := stripChanges(venue, domain.InstantOf(view.Now))
	if view.ChangesAt != nil && view.ChangesAt.Before(next) {
		next = *view.ChangesAt
	}
	return p.Live(c, "grid", "slots", "slots", "/slots?date="+day.String(), view.Now, &next, part)
}

// newSlots lays a day out with nothing chosen.
func newSlots(venue sqlite.Venue, day domain.Date, view app.OwnDay) slotsPart {
	now := domain.InstantOf(view.Now)
	part := slotsPart{Title: kit.DayWords(day, venue.Calendar.DayOf(now)), Hours: bookableWords(venue.Calendar, day), Days: dayLinks(venue, now, day)}
	part.Holiday, _ = venue.Calendar.Holiday(day)
	for i, court := range view.Courts {
		part.Courts = append(part.Courts, court.Name)
		for j, slot := range court.Slots {
			if i == 0 {
				part.Rows = append(part.Rows, gridRow{Label: slot.Label, End: slot.End.Format("15:04"), Past: true})
			}
			if slot.OpensAt != nil && part.Opens == nil {
				when := whenWords(*slot.OpensAt, view.Now)
				part.Opens = &kit.Words{"这一天还没有开放，" + when + " 起可订", "This day opens for booking on " + when}
			}
			part.Rows[j].Past = part.Rows[j].Past && slot.State == "past"
			part.Rows[j].Cells = append(part.Rows[j].Cells, cellOf(court.Name, slot, view.Own[slot.ID]))
		}
	}
	for _, good := range view.Goods {
		part.Goods = append(part.Goods, goodLeft{good.ID, max(good.Available, 0), mostOf(good)})
	}
	switch {
	case len(part.Rows) > 0:
	case len(view.Courts) == 0:
		part.Empty = &kit.Words{"这里还没有可以订的场地", "There are no courts to book here yet"}
	default:
		part.Empty, part.Note = &kit.Words{"这一天不营业", "Closed on this day"}, venue.Calendar.DayHours(day).Note
	}
	part.Nothing = part.nothingWords()
	return part
}

// nothingWords ask for a slot where there is one to choose, else say why there is none.
func (s *slotsPart) nothingWords() kit.Words {
	atDesk := false
	for _, row := range s.Rows {
		if slices.ContainsFunc(row.Cells, func(cell gridCell) bool { return cell.Pickable }) {
			return kit.Words{"点选空闲场次", "Tap a free slot"}
		}
		atDesk = atDesk || slices.ContainsFunc(row.Cells, func(cell gridCell) bool { return cell.State == "desk_only" })
	}
	switch {
	case atDesk:
		return kit.Words{"剩下的场次请到前台预订", "What is left is booked at the desk"}
	case s.Empty != nil:
		return *s.Empty
	case s.Opens != nil:
		return kit.Words{"这一天还没有开放预订", "This day is not open for booking yet"}
	}
	return kit.Words{"这一天已没有空闲场次", "No free slot is left on this day"}
}

// cellWords are the states of a slot that cannot be chosen.
var cellWords = map[string]kit.Words{
	"past":      {"已过", "past"},
	"closed":    {"封场", "closed"},
	"not_open":  {"未开放", "not open"},
	"held":      {"占位中", "held"},
	"taken":     {"已订", "booked"},
	"desk_only": {"前台可订", "at the desk"},
}

func cellOf(court string, slot app.SlotView, own app.OwnSlot) gridCell {
	cell := gridCell{ID: slot.ID, Name: fmt.Sprintf("%s %s–%s", apart(court), slot.Label, slot.End.Format("15:04")), End: slot.End.Unix(),
		State: slot.State, Price: slot.Price, Rule: slot.PriceRule, Pickable: slot.State == "free" && !slot.SaleEnded}
	if own.Order != "" {
		return cell.own(slot, own)
	}
	if cell.Pickable {
		return cell
	}
	if slot.SaleEnded {
		cell.State = "desk_only"
	}
	cell.Words, cell.Priced = cellWords[cell.State], cell.State == "not_open"
	if slot.FreeAt != nil {
		cell.Note = untilWords(*slot.FreeAt)
	}
	return cell
}

// own makes a cell the customer's own, whatever the slot is to others.
func (cell gridCell) own(slot app.SlotView, own app.OwnSlot) gridCell {
	cell.Mine, cell.Pickable, cell.State = own.Order, false, "mine"
	cell.Words, cell.Note = kit.Words{"我的", "mine"}, kit.StateWords[own.State]
	if own.State == string(domain.Held) {
		cell.State = "mine unpaid"
		cell.Note = kit.Words{"待付款", "to pay"}
		if slot.FreeAt != nil {
			until := untilWords(*slot.FreeAt)
			cell.Note[0], cell.Note[1] = cell.Note[0]+" "+until[0], cell.Note[1]+" "+until[1]
		}
	}
	return cell
}

// untilWords say when a held slot may come free.
func untilWords(at time.Time) kit.Words {
	return kit.Words{"至 " + at.Format("15:04"), "until " + at.Format("15:04")}
}

// mark ticks what is chosen and says what is wrong where it is wrong; it gives how
// many are chosen, what they cost, and which of the choice others have by now.
func (s *slotsPart) mark(ch choice, wrong whereWrong) (count int, fen int64, lost []string) {
	for _, row := range s.Rows {
		for i := range row.Cells {
			cell := &row.Cells[i]
			cell.Wrong = wrong.slots[cell.ID]
			if cell.Wrong != nil && wrong.general != nil {
				wrong.general.Words[0] += "：" + cell.Name
				wrong.general.Words[1] += ": " + cell.Name
			}
			if cell.Pickable && ch.has(cell.ID) {
				cell.Checked = true
				count, fen = count+1, fen+cell.Price
			} else if ch.has(cell.ID) && (cell.State == "held" || cell.State == "taken") {
				lost = append(lost, cell.Name)
			}
		}
	}
	return count, fen, lost
}

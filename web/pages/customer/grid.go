package customer

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// gridPage is a day's slots and goods with what has been chosen of them.
type gridPage struct {
	kit.Frame
	Date        string
	DayWords    kit.Words
	Days        []dayLink
	Holiday     string
	DayNote     string // why the day is closed
	Opens       *kit.Say
	Refusal     *kit.Say
	Courts      []string
	Rows        []gridRow
	Goods       []gridGood
	Coupon      string
	CouponWrong *kit.Words
	Nonce       string
	ChangesAt   int64
	Most        int
	MostPerDay  int
	HoldMinutes int
	Count       int
	Pieces      int
	Sum         int64
}

type dayLink struct {
	Date, Short string
	Name        kit.Words
	Current     bool
}

type gridRow struct {
	Label, End string
	Past       bool // on every court
	Cells      []gridCell
}

type gridCell struct {
	Value    string // court@unixstart
	Name     string // for those who hear the page
	Pickable bool
	Checked  bool
	Price    int64
	Rule     string
	Class    string
	Words    kit.Words
	Note     string
	Wrong    *kit.Words
}

type gridGood struct {
	ID, Name, Value string
	Price           int64
	Available       int
	Most            int
	Wrong           *kit.Words
}

// showGrid shows a day; what the address says is chosen is ticked.
func (p *pages) showGrid(c *fiber.Ctx) error {
	return p.drawGrid(c, http.StatusOK, readChoice(c.Context().QueryArgs()), nil)
}

// drawGrid shows the day of a choice with the choice kept and, after a refusal,
// says what is wrong where it is wrong.
func (p *pages) drawGrid(c *fiber.Ctx, status int, ch choice, refusal error) error {
	f, venue, now, err := p.FrameOf(c, kit.Words{"订场", "Book a court"})
	if err != nil {
		return err
	}
	today := venue.Calendar.DayOf(now)
	day, err := ch.day(venue.Calendar, today)
	if err != nil {
		return err
	}
	view, err := p.App.Availability(c.UserContext(), day)
	if err != nil {
		return err
	}
	f.Scripts, f.Styles, f.Now = []string{"grid.js"}, []string{"customer.css"}, view.Now.Unix()
	page := gridPage{Frame: f, Date: day.String(), DayWords: kit.DayWords(day, today), Days: dayLinks(venue, today, day), Nonce: kit.Nonce(c),
		Coupon: ch.Coupon, Most: domain.MaxSlotsPerOrder, MostPerDay: venue.Policy.MaxSlotsPerDay, HoldMinutes: venue.Policy.HoldMinutes}
	page.Holiday, _ = venue.Calendar.Holiday(day)
	page.DayNote = venue.Calendar.DayHours(day).Note
	if view.ChangesAt != nil {
		page.ChangesAt = view.ChangesAt.Unix()
	}
	wrong := locate(refusal, ch, venue)
	page.Refusal, page.CouponWrong = wrong.general, wrong.coupon
	page.addSlots(view, ch, wrong)
	page.addGoods(view, ch, wrong)
	page.addOpening(view)
	return p.Render(c, status, "grid", page)
}

func dayLinks(venue sqlite.Venue, today, chosen domain.Date) []dayLink {
	var out []dayLink
	for n := range venue.Policy.DaysAhead + 1 {
		day := today.AddDays(n)
		out = append(out, dayLink{Date: day.String(), Short: day.String()[5:], Name: kit.DayName(day, today), Current: day == chosen})
	}
	return out
}

// cellWords are the states of a slot that cannot be chosen.
var cellWords = map[string]kit.Words{
	"past":      {"已过", "past"},
	"closed":    {"封场", "closed"},
	"not_open":  {"未开放", "not open"},
	"held":      {"待付款", "held"},
	"taken":     {"已订", "taken"},
	"desk_only": {"前台购", "desk only"},
}

func (g *gridPage) addSlots(view app.DayView, ch choice, wrong whereWrong) {
	for i, court := range view.Courts {
		g.Courts = append(g.Courts, court.Name)
		for j, slot := range court.Slots {
			if i == 0 {
				g.Rows = append(g.Rows, gridRow{Label: slot.Label, End: slot.End.Format("15:04"), Past: true})
			}
			cell := cellOf(court.Name, slot)
			if cell.Wrong = wrong.slots[cell.Value]; cell.Wrong != nil && g.Refusal != nil {
				g.Refusal.Words[0] += fmt.Sprintf("：%s %s", slot.Label, court.Name)
				g.Refusal.Words[1] += fmt.Sprintf(": %s %s", slot.Label, court.Name)
			}
			if cell.Pickable && ch.has(cell.Value) {
				cell.Checked = true
				g.Count, g.Sum = g.Count+1, g.Sum+cell.Price
			}
			g.Rows[j].Past = g.Rows[j].Past && slot.State == "past"
			g.Rows[j].Cells = append(g.Rows[j].Cells, cell)
		}
	}
}

func cellOf(court string, slot app.SlotView) gridCell {
	cell := gridCell{Value: slot.ID, Price: slot.Price, Rule: slot.PriceRule, Class: slot.State, Pickable: slot.State == "free" && !slot.SaleEnded}
	if cell.Pickable {
		cell.Name = fmt.Sprintf("%s %s–%s", court, slot.Label, slot.End.Format("15:04"))
		return cell
	}
	if slot.SaleEnded {
		cell.Class = "desk_only"
	}
	cell.Words = cellWords[cell.Class]
	if slot.FreeAt != nil {
		cell.Note = "至 " + slot.FreeAt.Format("15:04")
	}
	return cell
}

func (g *gridPage) addGoods(view app.DayView, ch choice, wrong whereWrong) {
	for _, good := range view.Goods {
		row := gridGood{ID: good.ID, Name: good.Name, Price: good.Price, Available: good.Available, Value: "0",
			Most: min(max(good.Available, 0), domain.MaxQty), Wrong: wrong.goods[good.ID]}
		for _, wanted := range ch.Goods {
			if wanted.ID == good.ID {
				row.Value = wanted.Raw
				g.Pieces, g.Sum = g.Pieces+wanted.Qty, g.Sum+int64(wanted.Qty)*good.Price
			}
		}
		g.Goods = append(g.Goods, row)
	}
}

// addOpening says when the day opens for booking, if it has not.
func (g *gridPage) addOpening(view app.DayView) {
	for _, court := range view.Courts {
		for _, slot := range court.Slots {
			if slot.OpensAt == nil {
				continue
			}
			when := slot.OpensAt.Format("01-02 15:04")
			g.Opens = &kit.Say{Words: kit.Words{"这一天尚未开放，" + when + " 起可订", "This day opens for booking on " + when}, Tone: "warn"}
			return
		}
	}
}

// refuseStaff says that the grid sells to customers only.
func refuseStaff(c *fiber.Ctx) error {
	if httpx.ActorOf(c).IsStaff() {
		return domain.Refuse(domain.Forbidden, "forbidden", "signed in as staff; customers book here")
	}
	return nil
}

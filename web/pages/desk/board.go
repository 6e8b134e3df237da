package desk

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// deskPage lists a day's bookings.
type deskPage struct {
	kit.Frame
	DayWords      kit.Words
	Before, After string
	IsToday       bool
	Rows          []deskRow
	Gone          int // bookings that lapsed, were cancelled or moved
}

type deskRow struct {
	First              bool // of its time
	Time, Court, State string
	Note               *kit.Words
	Customer, Phone    string
	OrderID, Number    string
	start              int64
}

// showDesk is the desk's page.
func (p *pages) showDesk(c *fiber.Ctx) error {
	f, venue, now, err := p.FrameOf(c, kit.Words{"前台", "Desk"})
	if err != nil {
		return err
	}
	today := venue.Calendar.DayOf(now)
	day, err := kit.DayOf(c.Query("date"), today)
	if err != nil {
		return err
	}
	board, err := p.App.DeskDay(c.UserContext(), day, 0)
	if err != nil {
		return err
	}
	f.Styles = []string{"desk.css"}
	page := deskPage{Frame: f, DayWords: kit.DayWords(day, today), IsToday: day == today,
		Before: day.AddDays(-1).String(), After: day.AddDays(1).String()}
	page.addRows(board)
	return p.Render(c, http.StatusOK, "desk", page)
}

// addRows lists the bookings that stand, by time and court, and counts the others.
func (d *deskPage) addRows(board app.BoardView) {
	seen := map[string]bool{}
	for _, court := range board.Courts {
		for _, slot := range court.Slots {
			for _, b := range slot.Bookings {
				if seen[b.ID] {
					continue
				}
				seen[b.ID] = true
				switch domain.State(b.State) {
				case domain.Lapsed, domain.Cancelled, domain.Moved:
					d.Gone++
				default:
					d.Rows = append(d.Rows, rowOf(b))
				}
			}
		}
	}
	// Stable: courts stay in the venue's order.
	slices.SortStableFunc(d.Rows, func(a, b deskRow) int { return cmp.Compare(a.start, b.start) })
	for i := range d.Rows {
		d.Rows[i].First = i == 0 || d.Rows[i].start != d.Rows[i-1].start
	}
}

func rowOf(b app.BookingView) deskRow {
	row := deskRow{Time: b.Start.Format("15:04") + "–" + b.End.Format("15:04"), Court: b.Court.Name, State: b.State, Customer: b.Customer.Name,
		Phone: b.Customer.Phone, OrderID: b.Order, Number: b.Number, start: b.Start.Unix()}
	switch {
	case b.State == string(domain.Held) && b.PayBy != nil && b.Pay == "on_arrival":
		row.Note = &kit.Words{"到场付款", "pays on arrival"}
	case b.State == string(domain.Held) && b.PayBy != nil:
		by := b.PayBy.Format("15:04")
		row.Note = &kit.Words{by + " 前付款", "pay by " + by}
	case b.CheckedInAt != nil:
		in := b.CheckedInAt.Format("15:04")
		row.Note = &kit.Words{in + " 到场", "in at " + in}
	}
	return row
}

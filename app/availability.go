package app

import (
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// grid is a business day judged at one instant.
type grid struct {
	day      domain.Date
	slots    []domain.Slot
	rows     []gridRow
	opensAt  domain.Instant // when customers may book the day
	closures []domain.Closure
}

type gridRow struct {
	court sqlite.Court
	cells []domain.Cell
	rules []domain.PriceRule
}

// dayGrid judges every slot of every court on sale on a business day.
func dayGrid(s *sqlite.Snapshot, venue sqlite.Venue, day domain.Date) (grid, error) {
	g := grid{day: day, slots: venue.Calendar.Slots(day), opensAt: venue.Policy.BookingOpens(venue.Calendar, day)}
	courts, err := s.Courts()
	if err != nil {
		return g, err
	}
	var rows []domain.Reservation
	if len(g.slots) > 0 {
		from, to := g.slots[0].Start, g.slots[len(g.slots)-1].End
		if rows, err = s.ReservationsBetween(from, to, s.Now); err != nil {
			return g, err
		}
		if g.closures, err = s.ClosuresBetween(from, to); err != nil {
			return g, err
		}
	}
	byCourt := map[string][]domain.Reservation{}
	for _, r := range rows {
		byCourt[r.CourtID] = append(byCourt[r.CourtID], r)
	}
	for _, c := range courts {
		if !c.Active {
			continue
		}
		row := gridRow{court: c, cells: make([]domain.Cell, 0, len(g.slots)), rules: make([]domain.PriceRule, 0, len(g.slots))}
		for _, slot := range g.slots {
			row.cells = append(row.cells, domain.Judge(c.ID, slot, g.opensAt, venue.Policy.SaleEnds(slot.Start), s.Now, byCourt[c.ID], g.closures))
			row.rules = append(row.rules, priceOf(venue, c.ID, day, slot.Start))
		}
		g.rows = append(g.rows, row)
	}
	return g, nil
}

// DayView is what anybody may see of a business day. It names no customer.
type DayView struct {
	Date      string      `json:"date"`
	Now       time.Time   `json:"now"`
	ChangesAt *time.Time  `json:"changes_at" doc:"the next instant at which this answer changes with nobody doing anything"`
	Currency  string      `json:"currency"`
	Courts    []CourtView `json:"courts"`
	Goods     []GoodView  `json:"goods"`
}

// CourtView is one court's slots of a day.
type CourtView struct {
	ID    string     `json:"id"`
	Name  string     `json:"name"`
	Slots []SlotView `json:"slots"`
}

// SlotView is one slot as a customer sees it.
type SlotView struct {
	ID        string     `json:"id"`
	Start     time.Time  `json:"start"`
	End       time.Time  `json:"end"`
	Label     string     `json:"label"`
	State     string     `json:"state" enum:"past,closed,not_open,held,taken,free"`
	Price     int64      `json:"price" doc:"fen"`
	PriceRule string     `json:"price_rule"`
	FreeAt    *time.Time `json:"free_at,omitempty" doc:"of a held slot: when it comes free if nobody pays"`
	OpensAt   *time.Time `json:"opens_at,omitempty" doc:"of a slot that is not open: when it can be booked"`
	SaleEnded bool       `json:"sale_ended,omitempty" doc:"true of a free slot that only the desk still sells"`
}

// GoodView is one good and how many can be bought now.
type GoodView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Price     int64  `json:"price" doc:"fen"`
	Available int    `json:"available"`
}

// dayView says what everybody may know of a grid, but for now.
func dayView(s *sqlite.Snapshot, venue sqlite.Venue, g grid) (DayView, error) {
	view := DayView{Date: g.day.String(), Currency: venue.Currency, Courts: []CourtView{}, Goods: []GoodView{}}
	next, err := s.NextGoodsDeadline()
	if err != nil {
		return view, err
	}
	for _, row := range g.rows {
		court := CourtView{ID: row.court.ID, Name: row.court.Name, Slots: make([]SlotView, 0, len(row.cells))}
		for i, c := range row.cells {
			court.Slots = append(court.Slots, slotView(venue, c, row.rules[i]))
			next = earlier(next, c.NextChange())
		}
		view.Courts = append(view.Courts, court)
	}
	goods, err := s.Goods()
	if err != nil {
		return view, err
	}
	for _, good := range goods {
		if good.Active {
			view.Goods = append(view.Goods, GoodView{ID: good.ID, Name: good.Name, Price: good.PriceFen, Available: good.Available()})
		}
	}
	view.ChangesAt = maybe(venue, next)
	return view, nil
}

func slotView(venue sqlite.Venue, c domain.Cell, rule domain.PriceRule) SlotView {
	at := clockFace(venue)
	v := SlotView{ID: slotID(c.CourtID, c.Slot.Start), Start: at(c.Slot.Start), End: at(c.Slot.End), Label: venue.Calendar.Label(c.Slot.Start),
		State: string(c.State()), Price: rule.PriceFen, PriceRule: rule.Name}
	switch c.State() {
	case domain.SlotHeld:
		v.FreeAt = maybe(venue, c.FreeAt())
	case domain.SlotNotOpen:
		v.OpensAt = maybe(venue, c.OpensAt)
	case domain.SlotFree:
		v.SaleEnded = c.RefuseCustomer() != nil
	}
	return v
}

// earlier is the earlier of two instants of which either may be missing.
func earlier(a, b domain.Instant) domain.Instant {
	if !a.IsSet() || (b.IsSet() && b < a) {
		return b
	}
	return a
}

package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// OrderCounts count orders by what they are now. They add up to made.
type OrderCounts struct {
	Made                int `json:"made"`
	Held                int `json:"held"`
	Paid                int `json:"paid" doc:"paid and not over"`
	Completed           int `json:"completed"`
	NoShow              int `json:"no_show" doc:"nobody came for any slot"`
	Lapsed              int `json:"lapsed"`
	CancelledByCustomer int `json:"cancelled_by_customer"`
	CancelledByVenue    int `json:"cancelled_by_venue"`
	CancelledBySystem   int `json:"cancelled_by_system" doc:"to make room for another order of the same customer that had been paid"`
}

// SlotCounts count slots by what they are now.
type SlotCounts struct {
	Booked              int `json:"booked" doc:"all that follow together"`
	Open                int `json:"open" doc:"held, confirmed or playing"`
	Completed           int `json:"completed"`
	NoShows             int `json:"no_shows"`
	Lapsed              int `json:"lapsed"`
	CancelledByCustomer int `json:"cancelled_by_customer"`
	CancelledByVenue    int `json:"cancelled_by_venue"`
	CancelledBySystem   int `json:"cancelled_by_system"`
	Over                int `json:"over" doc:"slots that were paid, were not cancelled, and whose end is past"`
	NoShowsOver         int `json:"no_shows_over" doc:"no-shows among those; another runs on until its slot's end"`
}

// RateFigures are the counts and what follows from them.
type RateFigures struct {
	Orders        OrderCounts `json:"orders" doc:"by the business day on which they were made"`
	Slots         SlotCounts  `json:"slots" doc:"by the business day on which they are played"`
	LapsePercent  *float64    `json:"lapse_percent" doc:"orders that lapsed, of those made; null if there were none"`
	NoShowPercent *float64    `json:"no_show_percent" doc:"no-shows, of the slots that are over; null if there were none"`
}

func (f *RateFigures) work() {
	f.LapsePercent = percentOf(f.Orders.Lapsed, f.Orders.Made)
	f.NoShowPercent = percentOf(f.Slots.NoShowsOver, f.Slots.Over)
}

// RatesDay is one business day.
type RatesDay struct {
	Date domain.Date `json:"date" format:"date"`
	RateFigures
}

// RatesReport is what became of orders and slots.
type RatesReport struct {
	ReportHead
	Days  []RatesDay  `json:"days"`
	Total RateFigures `json:"total"`
}

// Rates counts what became of the orders made, and of the slots played, on a run
// of business days.
func (a *App) Rates(ctx context.Context, span domain.DateSpan) (RatesReport, error) {
	var out RatesReport
	err := a.report(ctx, span, &out.ReportHead, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		orders, err := s.OrderCounts(venue.Calendar.Bounds(span))
		if err != nil {
			return err
		}
		slots, err := s.SlotCounts(span)
		if err != nil {
			return err
		}
		place := map[string]int{}
		out.Days, out.Total = []RatesDay{}, RateFigures{}
		for i, d := range span.Days() {
			place[d.String()] = i
			out.Days = append(out.Days, RatesDay{Date: d})
		}
		for _, c := range orders {
			out.Days[c.Day].Orders.add(c)
			out.Total.Orders.add(c)
		}
		for _, c := range slots {
			out.Days[place[c.Day]].Slots.add(c)
			out.Total.Slots.add(c)
		}
		for i := range out.Days {
			out.Days[i].work()
		}
		out.Total.work()
		return nil
	})
	return out, err
}

func (n *OrderCounts) add(c sqlite.OrderCount) {
	n.Made += c.Count
	switch c.Tally.State() {
	case domain.Held:
		n.Held += c.Count
	case domain.Paid:
		n.Paid += c.Count
	case domain.Completed:
		n.Completed += c.Count
	case domain.NoShow:
		n.NoShow += c.Count
	case domain.Lapsed:
		n.Lapsed += c.Count
	case domain.Cancelled:
		*whoCancelled(c.CancelledBy, &n.CancelledByCustomer, &n.CancelledByVenue, &n.CancelledBySystem) += c.Count
	}
}

func (n *SlotCounts) add(c sqlite.SlotCount) {
	n.Booked += c.Count
	if c.Live {
		n.Open += c.Count
		return
	}
	switch c.Ending {
	case domain.Completed:
		n.Completed += c.Count
	case domain.NoShow:
		n.NoShows += c.Count
	case domain.Lapsed:
		n.Lapsed += c.Count
	case domain.Cancelled:
		*whoCancelled(c.CancelledBy, &n.CancelledByCustomer, &n.CancelledByVenue, &n.CancelledBySystem) += c.Count
	}
	if c.Over && domain.TakesUp(c.Ending) {
		n.Over += c.Count
		if c.Ending == domain.NoShow {
			n.NoShowsOver += c.Count
		}
	}
}

func whoCancelled(by string, customer, venue, system *int) *int {
	switch by {
	case byCustomer:
		return customer
	case byVenue:
		return venue
	}
	return system
}

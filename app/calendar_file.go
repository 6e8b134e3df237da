package app

import (
	"courtd/app/calendar"
	"courtd/domain"
	"courtd/sqlite"
)

// CalendarOf gives an order's slots as a file for calendar programs.
func CalendarOf(order OrderView, venue sqlite.Venue) []byte {
	file := calendar.Order{Number: order.Number, Venue: venue.Name, Address: venue.Address, Now: order.Now}
	for _, r := range order.Reservations {
		file.Slots = append(file.Slots, calendar.Slot{ID: r.ID, Court: r.Court.Name, Start: r.Start, End: r.End, State: domain.State(r.State)})
	}
	return calendar.File(file)
}

// calendarFor is the same for a message about an order; nil when it has no slots.
func calendarFor(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order) ([]byte, error) {
	names, err := courtNames(s)
	if err != nil {
		return nil, err
	}
	zone := venue.Calendar.Zone
	file := calendar.Order{Number: o.Number, Venue: venue.Name, Address: venue.Address, Now: s.Now.In(zone)}
	for _, r := range o.Slots(s.Now) {
		file.Slots = append(file.Slots, calendar.Slot{ID: r.ID, Court: names[r.CourtID], Start: r.StartsAt.In(zone), End: r.EndsAt.In(zone), State: r.State(s.Now)})
	}
	if len(file.Slots) == 0 {
		return nil, nil
	}
	return calendar.File(file), nil
}

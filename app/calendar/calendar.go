// Package calendar writes an order's slots as a file for calendar programs.
package calendar

import (
	"strings"
	"time"

	ical "github.com/arran4/golang-ical"

	"courtd/domain"
)

// Type is the content type of the file.
const Type = "text/calendar; charset=utf-8"

// Disposition names an order's file for a browser that keeps it.
func Disposition(number string) string {
	return `attachment; filename="courtd-` + number + `.ics"`
}

// Order is what the file says of an order.
type Order struct {
	Number         string
	Venue, Address string
	Now            time.Time
	Slots          []Slot
}

// Slot is one of its reservations.
type Slot struct {
	ID, Court  string
	Start, End time.Time
	State      domain.State
}

// File gives the file of an order: one event for each slot, which a later file of the
// same order replaces.
func File(order Order) []byte {
	cal := ical.NewCalendarFor("courtd")
	cal.SetMethod(ical.MethodPublish)
	cal.SetXWRCalName(order.Venue)
	for _, r := range order.Slots {
		event := cal.AddEvent(r.ID + "@courtd")
		event.SetDtStampTime(order.Now)
		event.SetStartAt(r.Start)
		event.SetEndAt(r.End)
		event.SetSummary(order.Venue + " " + r.Court)
		event.SetLocation(strings.TrimSpace(order.Venue + " " + order.Address))
		event.SetDescription(order.Number)
		event.SetStatus(status(r.State))
	}
	return []byte(cal.Serialize())
}

// status says a reservation's state in the words that calendars know.
func status(state domain.State) ical.ObjectStatus {
	switch state {
	case domain.Held:
		return ical.ObjectStatusTentative
	case domain.Confirmed, domain.Playing, domain.Completed:
		return ical.ObjectStatusConfirmed
	}
	return ical.ObjectStatusCancelled
}

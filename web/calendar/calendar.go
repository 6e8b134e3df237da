// Package calendar writes an order's slots as a file for calendar programs.
package calendar

import (
	"strings"

	ical "github.com/arran4/golang-ical"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// Type is the content type of the file.
const Type = "text/calendar; charset=utf-8"

// Disposition names an order's file for a browser that keeps it.
func Disposition(order app.OrderView) string {
	return `attachment; filename="courtd-` + order.Number + `.ics"`
}

// Of gives the file of an order: one event for each slot, which a later file of the
// same order replaces.
func Of(order app.OrderView, venue sqlite.Venue) []byte {
	cal := ical.NewCalendarFor("courtd")
	cal.SetMethod(ical.MethodPublish)
	cal.SetXWRCalName(venue.Name)
	for _, r := range order.Reservations {
		event := cal.AddEvent(r.ID + "@courtd")
		event.SetDtStampTime(order.Now)
		event.SetStartAt(r.Start)
		event.SetEndAt(r.End)
		event.SetSummary(venue.Name + " " + r.Court.Name)
		event.SetLocation(strings.TrimSpace(venue.Name + " " + venue.Address))
		event.SetDescription(order.Number)
		event.SetStatus(status(r.State))
	}
	return []byte(cal.Serialize())
}

// status says a reservation's state in the words that calendars know.
func status(state string) ical.ObjectStatus {
	switch domain.State(state) {
	case domain.Held:
		return ical.ObjectStatusTentative
	case domain.Confirmed, domain.Playing, domain.Completed:
		return ical.ObjectStatusConfirmed
	}
	return ical.ObjectStatusCancelled
}

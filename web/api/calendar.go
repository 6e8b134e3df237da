package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	ical "github.com/arran4/golang-ical"
	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

const calendarType = "text/calendar; charset=utf-8"

type calendarOutput struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *server) registerCalendar() {
	c := call{method: http.MethodGet, path: base + "/orders/{id}/calendar.ics", id: "get-order-calendar", tag: tagOrders, who: customers,
		summary: "An order's slots for a calendar program"}
	answers := map[string]*huma.Response{"200": {Description: "an iCalendar file", Content: map[string]*huma.MediaType{
		"text/calendar": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	s.registerDocumented(c, answers, func(op huma.Operation) {
		huma.Register(s.api, op, func(ctx context.Context, in *ByID) (*calendarOutput, error) {
			out, err := s.calendar(ctx, httpx.ActorFrom(ctx), in)
			if err != nil {
				return nil, s.problem(ctx, err)
			}
			return out, nil
		})
	}, reflect.TypeFor[ByID]())
}

func (s *server) calendar(ctx context.Context, actor app.Actor, in *ByID) (*calendarOutput, error) {
	order, err := s.app.Order(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	venue, _, _, err := s.app.Venue(ctx)
	if err != nil {
		return nil, err
	}
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
		event.SetStatus(calendarStatus(r.State))
	}
	return &calendarOutput{ContentType: calendarType, Disposition: `attachment; filename="courtd-` + order.Number + `.ics"`,
		Body: []byte(cal.Serialize())}, nil
}

// calendarStatus says a reservation's state in the words that calendars know.
func calendarStatus(state string) ical.ObjectStatus {
	switch domain.State(state) {
	case domain.Held:
		return ical.ObjectStatusTentative
	case domain.Confirmed, domain.Playing, domain.Completed:
		return ical.ObjectStatusConfirmed
	}
	return ical.ObjectStatusCancelled
}

package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/app/calendar"
	"courtd/web/httpx"
)

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
	return &calendarOutput{ContentType: calendar.Type, Disposition: calendar.Disposition(order.Number), Body: app.CalendarOf(order, venue)}, nil
}

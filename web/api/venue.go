package api

import (
	"context"
	"net/http"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// VenueView is what anybody may know of the venue.
type VenueView struct {
	Name        string         `json:"name"`
	Zone        string         `json:"zone" example:"Asia/Shanghai"`
	Currency    string         `json:"currency" example:"CNY"`
	Address     string         `json:"address"`
	Phone       string         `json:"phone"`
	Now         time.Time      `json:"now"`
	Today       domain.Date    `json:"today" doc:"the business day at now" format:"date"`
	SlotMinutes int            `json:"slot_minutes"`
	Policy      domain.Policy  `json:"policy"`
	Courts      []app.CourtRef `json:"courts" doc:"those on sale"`
	PaymentVias []string       `json:"payment_vias" doc:"what via may be when a payment is opened"`
}

func (s *server) venueCalls() {
	register(s, call{method: http.MethodGet, path: base + "/venue", id: "get-venue", tag: tagVenue, who: anyone,
		summary: "The venue, its rules and its courts"}, s.venue)
	s.registerAvailability()
}

func (s *server) venue(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[VenueView], error) {
	venue, courts, now, err := s.app.Venue(ctx)
	return replied(viewVenue(venue, courts, now, s.app.Vias()), err)
}

func viewVenue(v sqlite.Venue, courts []sqlite.Court, now domain.Instant, vias []string) VenueView {
	if v.Calendar.Zone == nil {
		return VenueView{}
	}
	out := VenueView{Name: v.Name, Zone: v.Zone, Currency: v.Currency, Address: v.Address, Phone: v.Phone,
		Now: now.In(v.Calendar.Zone), Today: v.Calendar.DayOf(now), SlotMinutes: v.Calendar.Hours.SlotMinutes,
		Policy: v.Policy, Courts: []app.CourtRef{}, PaymentVias: vias}
	for _, c := range courts {
		if c.Active {
			out.Courts = append(out.Courts, app.CourtRef{ID: c.ID, Name: c.Name})
		}
	}
	return out
}

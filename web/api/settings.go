package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

type venueInput struct {
	Body struct {
		Name    *string `json:"name,omitempty" doc:"1 to 40 characters"`
		Address *string `json:"address,omitempty" doc:"up to 200 characters"`
		Phone   *string `json:"phone,omitempty" doc:"up to 40 characters, as it is to be shown"`
	} `nameHint:"VenueBody"`
}

type policyInput struct {
	Body PolicyBody
}

// PolicyBody is what changes about the policy; what is left out stays.
type PolicyBody struct {
	HoldMinutes           *int              `json:"hold_minutes,omitempty" doc:"to pay an order with slots"`
	GoodsHoldMinutes      *int              `json:"goods_hold_minutes,omitempty" doc:"to pay an order of goods alone"`
	CheckInBeforeMinutes  *int              `json:"check_in_before_minutes,omitempty" doc:"the door opens this long before the start"`
	ReleaseAfterMinutes   *int              `json:"release_after_minutes,omitempty" doc:"the door shuts this long after the start; 0 is the end of the slot"`
	SaleEndsBeforeMinutes *int              `json:"sale_ends_before_minutes,omitempty" doc:"online sale ends this long before the start"`
	NoShowRefundPercent   *int              `json:"no_show_refund_percent,omitempty"`
	RefundLadder          *[]RefundStepBody `json:"refund_ladder,omitempty" doc:"from the most hours to the fewest"`
	MaxLiveOrders         *int              `json:"max_live_orders,omitempty" doc:"unpaid orders of one customer at once"`
	MaxSlotsPerDay        *int              `json:"max_slots_per_day,omitempty" doc:"slots of one customer on a business day"`
	DaysAhead             *int              `json:"days_ahead,omitempty" doc:"6 is today and six days more"`
	OpensAt               *string           `json:"opens_at,omitempty" example:"07:00" doc:"when the last of those days opens"`
	Strikes               *int              `json:"strikes,omitempty" doc:"no-shows that stop booking; 0 is never"`
	StrikeDays            *int              `json:"strike_days,omitempty" doc:"how long a no-show counts"`
	ReminderBeforeMinutes *int              `json:"reminder_before_minutes,omitempty" doc:"0 is no reminder"`
}

// RefundStepBody is one step of the ladder.
type RefundStepBody struct {
	HoursBefore int `json:"hours_before"`
	Percent     int `json:"percent"`
}

func (s *server) settingCalls() {
	register(s, call{method: http.MethodPut, path: base + "/owner/venue", id: "put-venue", tag: tagOwner, who: owner,
		summary: "Change the venue's name, address and phone"}, s.putVenue)
	register(s, call{method: http.MethodGet, path: base + "/owner/policy", id: "get-policy", tag: tagOwner, who: owner,
		summary: "Deadlines, refunds and fairness"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[domain.Policy], error) {
			venue, _, _, err := s.app.Venue(ctx)
			return replied(venue.Policy, err)
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/policy", id: "put-policy", tag: tagOwner, who: owner,
		summary: "Change the policy", about: "What is left out stays; one bad value refuses all. Deadlines that were promised do not move."}, s.putPolicy)
	register(s, call{method: http.MethodGet, path: base + "/owner/hours", id: "get-hours", tag: tagOwner, who: owner,
		summary: "Opening hours, exceptions and holidays"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[HoursView], error) {
			venue, _, _, err := s.app.Venue(ctx)
			return replied(viewHours(venue.Calendar.Hours), err)
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/hours", id: "put-hours", tag: tagOwner, who: owner,
		summary: "Change the hours", about: "What is left out stays, a weekday too; lists of dates are replaced whole."}, s.putHours)
	register(s, call{method: http.MethodGet, path: base + "/owner/price-rules", id: "get-price-rules", tag: tagOwner, who: owner,
		summary: "The ordered list of prices; the first match counts"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[PriceRulesBody], error) {
			venue, _, _, err := s.app.Venue(ctx)
			return replied(viewPriceRules(venue.Prices), err)
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/price-rules", id: "put-price-rules", tag: tagOwner, who: owner,
		summary: "Replace the list of prices", about: "The last rule has no conditions, so that every slot has a price."}, s.putPriceRules)
	s.courtCalls()
}

func (s *server) putVenue(ctx context.Context, actor app.Actor, in *venueInput) (*reply[VenueView], error) {
	_, err := s.app.ChangeVenue(ctx, actor, "venue", func(v *sqlite.Venue) (err error) {
		if in.Body.Name != nil {
			if v.Name, err = domain.ParseName("name", *in.Body.Name); err != nil {
				return err
			}
		}
		if in.Body.Address != nil {
			if v.Address, err = domain.ParseNote("address", *in.Body.Address); err != nil {
				return err
			}
		}
		if in.Body.Phone != nil {
			v.Phone, err = app.ParseShownPhone("phone", *in.Body.Phone)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.venue(ctx, actor, nil)
}

func (s *server) putPolicy(ctx context.Context, actor app.Actor, in *policyInput) (*reply[domain.Policy], error) {
	venue, err := s.app.ChangeVenue(ctx, actor, "policy", func(v *sqlite.Venue) error { return in.Body.change(&v.Policy) })
	return replied(venue.Policy, err)
}

func (b PolicyBody) change(p *domain.Policy) (err error) {
	for _, n := range []struct{ kept, sent *int }{
		{&p.HoldMinutes, b.HoldMinutes}, {&p.GoodsHoldMinutes, b.GoodsHoldMinutes},
		{&p.CheckInBeforeMinutes, b.CheckInBeforeMinutes}, {&p.ReleaseAfterMinutes, b.ReleaseAfterMinutes},
		{&p.SaleEndsBeforeMinutes, b.SaleEndsBeforeMinutes}, {&p.NoShowRefundPercent, b.NoShowRefundPercent},
		{&p.MaxLiveOrders, b.MaxLiveOrders}, {&p.MaxSlotsPerDay, b.MaxSlotsPerDay}, {&p.DaysAhead, b.DaysAhead},
		{&p.Strikes, b.Strikes}, {&p.StrikeDays, b.StrikeDays}, {&p.ReminderBeforeMinutes, b.ReminderBeforeMinutes},
	} {
		set(n.kept, n.sent)
	}
	if b.RefundLadder != nil {
		p.RefundLadder = domain.RefundLadder{}
		for _, step := range *b.RefundLadder {
			p.RefundLadder = append(p.RefundLadder, domain.RefundStep(step))
		}
	}
	if b.OpensAt != nil {
		p.OpensAt, err = domain.ParseMinute("opens_at", *b.OpensAt)
	}
	return err
}

package api

import (
	"context"
	"fmt"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// PriceRulesBody is the ordered list of prices.
type PriceRulesBody struct {
	Rules []PriceRuleBody `json:"rules"`
}

// PriceRuleBody prices the slots that meet all of its conditions; one that is
// left out is met by every slot.
type PriceRuleBody struct {
	Name     string    `json:"name" doc:"1 to 40 characters"`
	Weekdays []int     `json:"weekdays,omitempty" doc:"0 is Sunday"`
	From     string    `json:"from,omitempty" format:"date" doc:"first business day"`
	Until    string    `json:"until,omitempty" format:"date" doc:"last business day, included"`
	Holidays bool      `json:"holidays,omitempty" doc:"on holidays only"`
	Band     *BandBody `json:"band,omitempty"`
	Courts   []string  `json:"courts,omitempty"`
	Price    int64     `json:"price" doc:"fen for one slot"`
}

// BandBody is a half-open part of a business day, by where the slot starts.
type BandBody struct {
	From string `json:"from" example:"17:00"`
	To   string `json:"to" example:"24:00"`
}

type priceRulesInput struct {
	Body PriceRulesBody
}

func viewPriceRules(rules domain.PriceRules) PriceRulesBody {
	out := PriceRulesBody{Rules: []PriceRuleBody{}}
	for _, r := range rules {
		rule := PriceRuleBody{Name: r.Name, Weekdays: r.Weekdays, From: r.From.String(), Until: r.Until.String(), Holidays: r.Holidays,
			Courts: r.Courts, Price: r.PriceFen}
		if !r.Band.IsZero() {
			rule.Band = &BandBody{From: r.Band.From.String(), To: r.Band.To.String()}
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

func (s *server) putPriceRules(ctx context.Context, actor app.Actor, in *priceRulesInput) (*reply[PriceRulesBody], error) {
	var rules domain.PriceRules
	for i, b := range in.Body.Rules {
		rule, err := b.rule(fmt.Sprintf("rules[%d].", i))
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	venue, err := s.app.ChangeVenue(ctx, actor, "price rules", func(v *sqlite.Venue) error {
		v.Prices = rules
		return nil
	})
	return replied(viewPriceRules(venue.Prices), renamed(err, "price_rules", "rules", "price_fen", "price"))
}

func (b PriceRuleBody) rule(field string) (r domain.PriceRule, err error) {
	name, err := domain.ParseName(field+"name", b.Name)
	if err != nil {
		return r, err
	}
	r = domain.PriceRule{Name: name, Weekdays: b.Weekdays, Holidays: b.Holidays, Courts: b.Courts, PriceFen: b.Price}
	if b.From != "" {
		if r.From, err = domain.ParseDate(field+"from", b.From); err != nil {
			return r, err
		}
	}
	if b.Until != "" {
		if r.Until, err = domain.ParseDate(field+"until", b.Until); err != nil {
			return r, err
		}
	}
	if b.Band != nil {
		if r.Band.From, err = domain.ParseMinute(field+"band.from", b.Band.From); err != nil {
			return r, err
		}
		r.Band.To, err = domain.ParseMinute(field+"band.to", b.Band.To)
	}
	return r, err
}

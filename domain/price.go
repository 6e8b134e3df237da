package domain

import (
	"fmt"
	"slices"
)

// Band is a half-open part of a business day, From <= m < To. The zero Band is
// the whole day.
type Band struct {
	From Minute `json:"from"`
	To   Minute `json:"to"` // past midnight from 24:01 on
}

// IsZero reports whether the band is the whole day.
func (b Band) IsZero() bool { return b == Band{} }

// PriceRule sets the price of the slots that meet all of its conditions. A
// condition that is left out is met by every slot.
type PriceRule struct {
	Name     string   `json:"name"`
	Weekdays []int    `json:"weekdays,omitempty"` // of the business day: Sunday is 0
	From     Date     `json:"from,omitzero"`      // first business day
	Until    Date     `json:"until,omitzero"`     // last business day, included
	Holidays bool     `json:"holidays,omitempty"` // on holidays only
	Band     Band     `json:"band,omitzero"`      // where the slot starts
	Courts   []string `json:"courts,omitempty"`
	PriceFen int64    `json:"price_fen"` // for one slot
}

// PriceRules is the ordered list of a venue's prices; the first match counts.
type PriceRules []PriceRule

// Validate refuses rules that leave a slot without a price or that name a court
// which is not among courtIDs. It names every bad field.
func (rules PriceRules) Validate(courtIDs []string) error {
	var bad fieldErrors
	switch {
	case len(rules) == 0:
		bad.add("price_rules", "must have at least one rule")
	case len(rules) > MaxPriceRules:
		bad.add("price_rules", "must not be more than %d rules", MaxPriceRules)
	}
	for i, rule := range rules {
		rule.validate(&bad, fmt.Sprintf("price_rules[%d]", i), courtIDs)
	}
	if last := len(rules) - 1; last >= 0 && !rules[last].Unconditional() {
		bad.add(fmt.Sprintf("price_rules[%d]", last), "is the last rule and must have no conditions, so that every slot has a price")
	}
	return bad.err()
}

// PriceOf gives the rule that prices the slot of a court which starts at minute
// m of business day d. Rules that have passed Validate price every slot; it
// panics when none matches, for a slot must never be sold at an accidental 0.
func (rules PriceRules) PriceOf(court string, d Date, m Minute, holiday bool) PriceRule {
	if i, ok := rules.First(court, d, m, holiday); ok {
		return rules[i]
	}
	panic(fmt.Sprintf("price rules: no rule matches court %q on %s at %s", court, d, m))
}

// First gives the place of the rule that prices a slot; false when none does, which
// rules that have passed Validate do not do.
func (rules PriceRules) First(court string, d Date, m Minute, holiday bool) (int, bool) {
	for i, rule := range rules {
		if rule.Matches(court, d, m, holiday) {
			return i, true
		}
	}
	return 0, false
}

// Matches reports whether the slot of a court which starts at minute m of business
// day d meets all conditions of the rule.
func (r PriceRule) Matches(court string, d Date, m Minute, holiday bool) bool {
	switch {
	case len(r.Weekdays) > 0 && !slices.Contains(r.Weekdays, int(d.Weekday())):
		return false
	case !r.From.IsZero() && d.Before(r.From):
		return false
	case !r.Until.IsZero() && r.Until.Before(d):
		return false
	case r.Holidays && !holiday:
		return false
	case !r.Band.IsZero() && (m < r.Band.From || m >= r.Band.To):
		return false
	case len(r.Courts) > 0 && !slices.Contains(r.Courts, court):
		return false
	}
	return true
}

// Unconditional reports whether every slot meets the rule.
func (r PriceRule) Unconditional() bool {
	return len(r.Weekdays) == 0 && r.From.IsZero() && r.Until.IsZero() &&
		!r.Holidays && r.Band.IsZero() && len(r.Courts) == 0
}

func (r PriceRule) validate(bad *fieldErrors, field string, courtIDs []string) {
	_, err := ParseName(field+".name", r.Name)
	bad.parsed(err)
	bad.between(field+".price_fen", r.PriceFen, 0, MaxPriceFen)
	for i, day := range r.Weekdays {
		name := fmt.Sprintf("%s.weekdays[%d]", field, i)
		switch {
		case day < 0 || day > 6:
			bad.add(name, "must be between 0 (Sunday) and 6")
		case slices.Contains(r.Weekdays[:i], day):
			bad.add(name, "is there twice")
		}
	}
	if !r.From.IsZero() && !r.Until.IsZero() && r.Until.Before(r.From) {
		bad.add(field+".until", "must not be earlier than from")
	}
	if !r.Band.IsZero() {
		switch {
		case r.Band.From < 0:
			bad.add(field+".band.from", "must not be negative")
		case r.Band.To <= r.Band.From:
			bad.add(field+".band.to", "must be later than from; past midnight goes on as 25:00")
		case r.Band.To > MaxClosesMinute:
			bad.add(field+".band.to", "must not be later than %s", Minute(MaxClosesMinute))
		}
	}
	for i, court := range r.Courts {
		name := fmt.Sprintf("%s.courts[%d]", field, i)
		switch {
		case !slices.Contains(courtIDs, court):
			bad.add(name, "is not a court of this venue")
		case slices.Contains(r.Courts[:i], court):
			bad.add(name, "is there twice")
		}
	}
}

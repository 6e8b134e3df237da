package settings

import (
	"fmt"
	"strings"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// readSetUp makes a set-up of what was typed. A refusal names the form's own fields.
func readSetUp(value func(string) string) (app.SetUp, error) {
	var bad []error
	keep := func(err error) { bad = append(bad, err) }
	hours, policy := domain.DefaultHours(), domain.DefaultPolicy()
	set := app.SetUp{Name: value("name"), Zone: plain(value("zone")), Address: value("address"), Phone: plain(value("phone")), Hours: &hours, Policy: &policy,
		Owner: app.NewStaff{Username: plain(value("username")), Password: value("password")}}
	var err error
	set.Courts, err = readCourts(value)
	keep(err)
	opens, err := clockOf("opens", value("opens"))
	keep(err)
	closes, err := clockOf("closes", value("closes"))
	keep(err)
	for day := range hours.Weekly {
		hours.Weekly[day] = domain.DayHours{Opens: opens, Closes: closes}
	}
	hours.SlotMinutes, err = numberOf("slot_minutes", value("slot_minutes"))
	keep(err)
	policy.HoldMinutes, err = numberOf("hold_minutes", value("hold_minutes"))
	keep(err)
	set.Prices, err = readPrices(value, closes)
	keep(err)
	if value("password") != value("again") {
		keep(domain.BadField("again", "must be the same as above"))
	}
	if err := domain.Together(bad...); err != nil {
		// What the set-up itself refuses is told with it, at the fields that could be read.
		var told []error
		if rest, ok := domain.AsError(named(set.Check(), setUpField)); ok {
			for _, f := range rest.Fields {
				if !names(err, f.Field) && !dependent[f.Field] {
					told = append(told, domain.BadField(f.Field, "%s", f.Message))
				}
			}
		}
		return set, domain.Together(append(told, err)...)
	}
	return set, nil
}

// gridOf is the day that the fields of the form come to; nil while they come to none.
func gridOf(value func(string) string) *dayBar {
	hours := domain.DefaultHours()
	opens, badOpens := clockOf("opens", value("opens"))
	closes, badCloses := clockOf("closes", value("closes"))
	slot, badSlot := numberOf("slot_minutes", value("slot_minutes"))
	for day := range hours.Weekly {
		hours.Weekly[day] = domain.DayHours{Opens: opens, Closes: closes}
	}
	hours.SlotMinutes = slot
	if domain.Together(badOpens, badCloses, badSlot, hours.Validate()) != nil {
		return nil
	}
	const anyDay = "2026-01-05" // all are alike, and in UTC none has an hour more or less
	day, err := domain.ParseDate("", anyDay)
	if err != nil {
		return nil
	}
	bar := barOf(domain.Calendar{Zone: time.UTC, Hours: hours}, day, opens)
	return &bar
}

// dependent are the fields that are judged by others as well: with one of those
// unreadable nothing true can be said of them.
var dependent = map[string]bool{"opens": true, "closes": true, "slot_minutes": true, "courts": true, "names": true, "day_price": true, "hold_minutes": true}

func names(err error, name string) bool {
	refusal, ok := domain.AsError(err)
	if !ok {
		return false
	}
	for _, f := range refusal.Fields {
		if f.Field == name {
			return true
		}
	}
	return false
}

// readCourts gives the courts' names: those that were typed, one a line, or numbers.
func readCourts(value func(string) string) ([]string, error) {
	var out []string
	for _, line := range strings.Split(value("names"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	count, err := numberOf("courts", value("courts"))
	if err != nil {
		return nil, err
	}
	if count < 1 || count > domain.MaxCourts {
		return nil, domain.BadField("courts", "must be between %d and %d", 1, domain.MaxCourts)
	}
	for i := range count {
		out = append(out, fmt.Sprintf("%d号场", i+1))
	}
	return out, nil
}

// readPrices makes the first rules: the weekend and the evening at one price if there
// is one, all the rest at the other.
func readPrices(value func(string) string, closes domain.Minute) (domain.PriceRules, error) {
	day, badDay := kit.ParseYuan("day_price", plain(value("day_price")))
	if plain(value("peak_price")) == "" {
		return domain.PriceRules{{Name: "标准价", PriceFen: day}}, badDay
	}
	peak, badPeak := kit.ParseYuan("peak_price", plain(value("peak_price")))
	from, badFrom := clockOf("peak_from", value("peak_from"))
	evening := domain.PriceRule{Name: "晚间", Band: domain.Band{From: from, To: max(closes, 24*60)}, PriceFen: peak}
	rules := domain.PriceRules{evening, {Name: "日场", PriceFen: day}}
	if value("peak_weekend") != "" {
		rules = append(domain.PriceRules{{Name: "周末", Weekdays: []int{0, 6}, PriceFen: peak}}, rules...)
	}
	return rules, domain.Together(badDay, badPeak, badFrom)
}

// setUpField gives the field of the form in which a field of a set-up was typed.
func setUpField(name string) string {
	switch {
	case strings.HasPrefix(name, "courts["):
		return "names"
	case strings.HasPrefix(name, "weekly[") && strings.HasSuffix(name, ".opens"):
		return "opens"
	case strings.HasPrefix(name, "weekly["):
		return "closes"
	case strings.HasPrefix(name, "price_rules") && strings.Contains(name, ".band"):
		return "peak_from"
	case strings.HasPrefix(name, "price_rules"):
		return "day_price"
	}
	return name
}

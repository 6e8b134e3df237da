package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// pricesForm is the price rules as they stand in the fields of a form, in the order in
// which they count: fields r.ID.….
type pricesForm struct {
	rows   []string
	values map[string]string
	lists  map[string][]string // what was ticked of weekdays and courts
}

func formOfPrices(rules domain.PriceRules) *pricesForm {
	f := &pricesForm{values: map[string]string{}, lists: map[string][]string{}}
	for i, r := range rules {
		at := f.add(i)
		f.values[at+"name"], f.values[at+"price"] = r.Name, kit.Yuan(r.PriceFen)
		f.values[at+"from"], f.values[at+"until"] = r.From.String(), r.Until.String()
		if r.Holidays {
			f.values[at+"holidays"] = "on"
		}
		if !r.Band.IsZero() {
			f.values[at+"band_from"], f.values[at+"band_to"] = r.Band.From.String(), r.Band.To.String()
		}
		for _, day := range r.Weekdays {
			f.lists[at+"day"] = append(f.lists[at+"day"], strconv.Itoa(day))
		}
		f.lists[at+"court"] = r.Courts
	}
	return f
}

// add puts an empty rule at a place and gives what the names of its fields begin with.
func (f *pricesForm) add(place int) string {
	id := nextID(f.rows)
	f.rows = slices.Insert(f.rows, place, id)
	return "r." + id + "."
}

// formOfSentPrices reads the form. Whoever has no scripts orders the rules by number.
func formOfSentPrices(c *fiber.Ctx) *pricesForm {
	f := &pricesForm{rows: sentAll(c, "row"), values: map[string]string{}, lists: map[string][]string{}}
	c.Context().PostArgs().VisitAll(func(key, value []byte) {
		name := string(key)
		if f.values[name] = string(value); strings.HasSuffix(name, ".day") || strings.HasSuffix(name, ".court") {
			f.lists[name] = append(f.lists[name], string(value))
		}
	})
	f.rows = slices.Compact(f.rows)
	type ordered struct {
		id          string
		place, side int
	}
	var rows []ordered
	for i, id := range f.rows {
		row := ordered{id, i + 1, 0}
		if n, err := strconv.Atoi(plain(f.values["r."+id+".order"])); err == nil {
			// One that was given another's number goes before it on its way up and
			// behind it on its way down.
			row.place, row.side = n, cmp.Compare(n, i+1)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b ordered) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.side, b.side)) })
	for i, row := range rows {
		f.rows[i] = row.id
	}
	return f
}

// refuseTooMany comes before anything is worked out or drawn: what rules come to costs
// as much as there are rules, and the page itself never sends more than the most.
func (f *pricesForm) refuseTooMany() error {
	if len(f.rows) <= domain.MaxPriceRules {
		return nil
	}
	f.rows = f.rows[:domain.MaxPriceRules]
	return domain.BadField("price_rules", "must not be more than %d rules", domain.MaxPriceRules)
}

// act does what a button of the form wants done to its rows; it gives the id of a new one.
func (f *pricesForm) act(act string) (added string) {
	what, id, _ := strings.Cut(act, ".")
	i := slices.Index(f.rows, id)
	switch {
	case what == "add":
		place := len(f.rows)
		if place > 0 && !f.conditional(f.rows[place-1]) {
			place-- // the last rule is for all the rest and stays the last
		}
		f.add(place)
		return f.rows[place]
	case i < 0:
	case what == "drop":
		f.rows = slices.Delete(f.rows, i, i+1)
	case what == "up" && i > 0:
		f.rows[i-1], f.rows[i] = f.rows[i], f.rows[i-1]
	case what == "down" && i < len(f.rows)-1:
		f.rows[i+1], f.rows[i] = f.rows[i], f.rows[i+1]
	}
	return ""
}

// conditional reports whether any condition was filled in of a rule.
func (f *pricesForm) conditional(id string) bool {
	at := "r." + id + "."
	for _, name := range []string{"from", "until", "holidays", "band_from", "band_to"} {
		if plain(f.values[at+name]) != "" {
			return true
		}
	}
	return len(f.lists[at+"day"])+len(f.lists[at+"court"]) > 0
}

func (f *pricesForm) blank(id string) bool {
	at := "r." + id + "."
	return plain(f.values[at+"name"]) == "" && plain(f.values[at+"price"]) == "" && !f.conditional(id)
}

// ruleset is what was read of a form: the rules, and the row that each of them stands in.
type ruleset struct {
	rules domain.PriceRules
	rows  []string
}

// read makes rules of what was typed. A refusal names the form's own fields.
func (f *pricesForm) read() (ruleset, error) {
	var out ruleset
	var bad []error
	for _, id := range f.rows {
		if f.blank(id) {
			continue
		}
		rule, err := f.readRule("r." + id + ".")
		out.rules, out.rows, bad = append(out.rules, rule), append(out.rows, id), append(bad, err)
	}
	return out, domain.Together(bad...)
}

func (f *pricesForm) readRule(at string) (r domain.PriceRule, err error) {
	var bad []error
	keep := func(err error) { bad = append(bad, err) }
	r.Name, err = domain.ParseName(at+"name", f.values[at+"name"])
	keep(err)
	if r.PriceFen, err = kit.ParseYuan(at+"price", plain(f.values[at+"price"])); err == nil && r.PriceFen > domain.MaxPriceFen {
		err = domain.BadField(at+"price", "must not be more than %d yuan", domain.MaxPriceFen/100)
	}
	keep(err)
	conditions, err := f.readConditions(at)
	keep(err)
	conditions.Name, conditions.PriceFen = r.Name, r.PriceFen
	return conditions, domain.Together(bad...)
}

// readConditions reads all of a rule but its name and price.
func (f *pricesForm) readConditions(at string) (r domain.PriceRule, err error) {
	var bad []error
	keep := func(err error) { bad = append(bad, err) }
	r.From, err = optionalDate(at+"from", f.values[at+"from"])
	keep(err)
	r.Until, err = optionalDate(at+"until", f.values[at+"until"])
	keep(err)
	r.Holidays = f.values[at+"holidays"] != ""
	if plain(f.values[at+"band_from"]+f.values[at+"band_to"]) != "" {
		r.Band.From, err = clockOf(at+"band_from", f.values[at+"band_from"])
		keep(err)
		r.Band.To, err = clockOf(at+"band_to", f.values[at+"band_to"])
		keep(err)
	}
	for _, text := range f.lists[at+"day"] {
		day, err := numberOf(at+"day", text)
		keep(err)
		r.Weekdays = append(r.Weekdays, day)
	}
	slices.Sort(r.Weekdays)
	r.Courts = f.lists[at+"court"]
	return r, domain.Together(bad...)
}

// validate is the rules' own judgement, by the form's names.
func (rs ruleset) validate(courts []string) error {
	names := map[string]string{"price_fen": "price", "band.from": "band_from", "band.to": "band_to"}
	return named(rs.rules.Validate(courts), func(name string) string {
		for i, id := range rs.rows {
			rest, ok := strings.CutPrefix(name, fmt.Sprintf("price_rules[%d]", i))
			if !ok {
				continue
			}
			rest = strings.TrimPrefix(rest, ".")
			switch {
			case rest == "":
				return "r." + id
			case strings.HasPrefix(rest, "weekdays"):
				rest = "day"
			case strings.HasPrefix(rest, "courts"):
				rest = "court"
			}
			return "r." + id + "." + cmp.Or(names[rest], rest)
		}
		return name
	})
}

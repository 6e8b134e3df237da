package settings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
)

// hoursForm is the opening hours as they stand in the fields of a form: what was typed,
// right or wrong, with the rows of dates in their order.
type hoursForm struct {
	values   map[string]string
	special  []string // ids of the rows of dates with hours of their own: fields x.ID.…
	holidays []string // of the holidays: fields h.ID.…
}

// weekOrder is the week as it is read here: Monday first.
var weekOrder = []int{1, 2, 3, 4, 5, 6, 0}

func formOfHours(h domain.Hours) *hoursForm {
	f := &hoursForm{values: map[string]string{"slot_minutes": strconv.Itoa(h.SlotMinutes)}}
	for day, hours := range h.Weekly {
		f.span(fmt.Sprintf("weekly.%d", day), hours)
	}
	for _, d := range datesOf(h.Exceptions) {
		id := f.addSpecial()
		f.values["x."+id+".date"], f.values["x."+id+".note"] = d.String(), h.Exceptions[d].Note
		f.span("x."+id, h.Exceptions[d])
	}
	for _, d := range datesOf(h.Holidays) {
		id := f.addHoliday()
		f.values["h."+id+".date"], f.values["h."+id+".name"] = d.String(), h.Holidays[d]
	}
	return f
}

func (f *hoursForm) span(at string, h domain.DayHours) {
	if h.Closed {
		f.values[at+".closed"] = "on"
	}
	if h.Closes > h.Opens {
		f.values[at+".opens"], f.values[at+".closes"] = h.Opens.String(), h.Closes.String()
	}
}

func formOfSentHours(c *fiber.Ctx) *hoursForm {
	f := &hoursForm{values: map[string]string{}, special: sentAll(c, "xrow"), holidays: sentAll(c, "hrow")}
	c.Context().PostArgs().VisitAll(func(name, value []byte) { f.values[string(name)] = string(value) })
	return f
}

func datesOf[V any](byDate map[domain.Date]V) []domain.Date {
	return slices.SortedFunc(maps.Keys(byDate), func(a, b domain.Date) int { return cmp.Compare(a.String(), b.String()) })
}

func (f *hoursForm) addSpecial() string {
	f.special = append(f.special, nextID(f.special))
	return f.special[len(f.special)-1]
}

func (f *hoursForm) addHoliday() string {
	f.holidays = append(f.holidays, nextID(f.holidays))
	return f.holidays[len(f.holidays)-1]
}

// nextID is an id that no row has.
func nextID(ids []string) string {
	next := 1
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil && n >= next && n < 1_000_000 {
			next = n + 1
		}
	}
	return strconv.Itoa(next)
}

// act does what a button of the form wants done to its rows.
func (f *hoursForm) act(act string) {
	dropped := func(ids []string, prefix string) []string {
		id, ok := strings.CutPrefix(act, prefix)
		if !ok {
			return ids
		}
		return slices.DeleteFunc(ids, func(other string) bool { return other == id })
	}
	switch act {
	case "add-x":
		f.addSpecial()
	case "add-h":
		f.addHoliday()
	}
	f.special, f.holidays = dropped(f.special, "drop-x."), dropped(f.holidays, "drop-h.")
}

// blank reports whether nothing was filled in of a row's fields.
func (f *hoursForm) blank(at string, names ...string) bool {
	for _, name := range names {
		if plain(f.values[at+"."+name]) != "" {
			return false
		}
	}
	return true
}

// read makes hours of what was typed. A refusal names the form's own fields.
func (f *hoursForm) read() (domain.Hours, error) {
	h := domain.Hours{Exceptions: map[domain.Date]domain.DayHours{}, Holidays: map[domain.Date]string{}}
	rows := map[string]string{} // the rows of the dates
	var bad []error
	var err error
	h.SlotMinutes, err = numberOf("slot_minutes", f.values["slot_minutes"])
	bad = append(bad, err)
	for day := range h.Weekly {
		h.Weekly[day], err = f.readSpan(fmt.Sprintf("weekly.%d", day))
		bad = append(bad, err)
	}
	for _, id := range f.special {
		at := "x." + id
		if f.blank(at, "date", "closed", "opens", "closes", "note") {
			continue
		}
		date, badDate := newDate(at+".date", f.values[at+".date"], h.Exceptions)
		hours, badHours := f.readSpan(at)
		note, badNote := domain.ParseNote(at+".note", f.values[at+".note"])
		bad = append(bad, badDate, badHours, badNote)
		hours.Note = note
		h.Exceptions[date], rows["exceptions["+date.String()+"]"] = hours, at
	}
	for _, id := range f.holidays {
		at := "h." + id
		if f.blank(at, "date", "name") {
			continue
		}
		date, badDate := newDate(at+".date", f.values[at+".date"], h.Holidays)
		name, badName := domain.ParseName(at+".name", f.values[at+".name"])
		bad = append(bad, badDate, badName)
		h.Holidays[date] = name
	}
	if err := domain.Together(bad...); err != nil {
		return h, err
	}
	return h, named(h.Validate(), func(name string) string {
		for of, at := range rows {
			if rest, ok := strings.CutPrefix(name, of); ok {
				return at + rest
			}
		}
		return dotted(name)
	})
}

func (f *hoursForm) readSpan(at string) (domain.DayHours, error) {
	if f.values[at+".closed"] != "" {
		return domain.DayHours{Closed: true}, nil
	}
	opens, badOpens := clockOf(at+".opens", f.values[at+".opens"])
	closes, badCloses := clockOf(at+".closes", f.values[at+".closes"])
	return domain.DayHours{Opens: opens, Closes: closes}, domain.Together(badOpens, badCloses)
}

// newDate reads a date that must not be there yet.
func newDate[V any](name, text string, known map[domain.Date]V) (domain.Date, error) {
	date, err := domain.ParseDate(name, plain(text))
	if err != nil {
		return date, err
	}
	if _, twice := known[date]; twice {
		return date, domain.BadField(name, "is there twice")
	}
	return date, nil
}

// named gives the fields of a refusal the names that they have on the page. A refusal
// that is about no field stays as it is.
func named(err error, rename func(string) string) error {
	refusal, ok := domain.AsError(err)
	if !ok || len(refusal.Fields) == 0 {
		return err
	}
	var out []error
	for _, f := range refusal.Fields {
		out = append(out, domain.BadField(rename(f.Field), "%s", f.Message))
	}
	return domain.Together(out...)
}

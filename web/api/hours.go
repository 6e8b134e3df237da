package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// HoursView is when the venue is open.
type HoursView struct {
	SlotMinutes int           `json:"slot_minutes"`
	Weekly      []WeekdayBody `json:"weekly" doc:"all seven, Sunday first"`
	Exceptions  []DayBody     `json:"exceptions" doc:"dates with hours of their own"`
	Holidays    []HolidayBody `json:"holidays" doc:"they matter to prices only"`
}

// SpanBody is the hours of one day.
type SpanBody struct {
	Closed bool   `json:"closed,omitempty"`
	Opens  string `json:"opens,omitempty" example:"08:30" doc:"unless closed"`
	Closes string `json:"closes,omitempty" example:"22:00" doc:"unless closed; past midnight goes on as 26:00"`
}

// WeekdayBody is the hours of a weekday.
type WeekdayBody struct {
	Weekday int `json:"weekday" minimum:"0" maximum:"6" doc:"0 is Sunday"`
	SpanBody
}

// DayBody is the hours of a date.
type DayBody struct {
	Date string `json:"date" format:"date"`
	SpanBody
	Note string `json:"note,omitempty" doc:"up to 200 characters"`
}

// HolidayBody is a holiday.
type HolidayBody struct {
	Date string `json:"date" format:"date"`
	Name string `json:"name" doc:"1 to 40 characters"`
}

type hoursInput struct {
	Body struct {
		SlotMinutes *int           `json:"slot_minutes,omitempty"`
		Weekly      []WeekdayBody  `json:"weekly,omitempty"`
		Exceptions  *[]DayBody     `json:"exceptions,omitempty"`
		Holidays    *[]HolidayBody `json:"holidays,omitempty"`
	} `nameHint:"HoursBody"`
}

func viewHours(h domain.Hours) HoursView {
	out := HoursView{SlotMinutes: h.SlotMinutes, Weekly: []WeekdayBody{}, Exceptions: []DayBody{}, Holidays: []HolidayBody{}}
	for day, hours := range h.Weekly {
		out.Weekly = append(out.Weekly, WeekdayBody{Weekday: day, SpanBody: viewSpan(hours)})
	}
	for _, d := range inOrder(h.Exceptions) {
		out.Exceptions = append(out.Exceptions, DayBody{Date: d.String(), SpanBody: viewSpan(h.Exceptions[d]), Note: h.Exceptions[d].Note})
	}
	for _, d := range inOrder(h.Holidays) {
		out.Holidays = append(out.Holidays, HolidayBody{Date: d.String(), Name: h.Holidays[d]})
	}
	return out
}

func inOrder[V any](byDate map[domain.Date]V) []domain.Date {
	return slices.SortedFunc(maps.Keys(byDate), func(a, b domain.Date) int { return cmp.Compare(a.String(), b.String()) })
}

func viewSpan(h domain.DayHours) SpanBody {
	if h.Closed {
		return SpanBody{Closed: true}
	}
	return SpanBody{Opens: h.Opens.String(), Closes: h.Closes.String()}
}

func (b SpanBody) hours(field string) (h domain.DayHours, err error) {
	if b.Closed {
		return domain.DayHours{Closed: true}, nil
	}
	if h.Opens, err = domain.ParseMinute(field+".opens", b.Opens); err != nil {
		return h, err
	}
	h.Closes, err = domain.ParseMinute(field+".closes", b.Closes)
	return h, err
}

func (s *server) putHours(ctx context.Context, actor app.Actor, in *hoursInput) (*reply[HoursView], error) {
	venue, err := s.app.ChangeVenue(ctx, actor, "hours", func(v *sqlite.Venue) error { return in.change(&v.Calendar.Hours) })
	return replied(viewHours(venue.Calendar.Hours), err)
}

func (in *hoursInput) change(h *domain.Hours) error {
	set(&h.SlotMinutes, in.Body.SlotMinutes)
	seen := map[int]bool{}
	for i, day := range in.Body.Weekly {
		field := fmt.Sprintf("weekly[%d]", i)
		if seen[day.Weekday] {
			return domain.BadField(field+".weekday", "is there twice")
		}
		seen[day.Weekday] = true
		hours, err := day.hours(field)
		if err != nil {
			return err
		}
		h.Weekly[day.Weekday] = hours
	}
	if err := in.changeExceptions(h); err != nil || in.Body.Holidays == nil {
		return err
	}
	h.Holidays = map[domain.Date]string{}
	for i, day := range *in.Body.Holidays {
		date, err := newDate(fmt.Sprintf("holidays[%d].date", i), day.Date, h.Holidays)
		if err != nil {
			return err
		}
		if h.Holidays[date], err = domain.ParseName(fmt.Sprintf("holidays[%d].name", i), day.Name); err != nil {
			return err
		}
	}
	return nil
}

func (in *hoursInput) changeExceptions(h *domain.Hours) error {
	if in.Body.Exceptions == nil {
		return nil
	}
	h.Exceptions = map[domain.Date]domain.DayHours{}
	for i, day := range *in.Body.Exceptions {
		field := fmt.Sprintf("exceptions[%d]", i)
		date, err := newDate(field+".date", day.Date, h.Exceptions)
		if err != nil {
			return err
		}
		hours, err := day.hours(field)
		if err != nil {
			return err
		}
		if hours.Note, err = domain.ParseNote(field+".note", day.Note); err != nil {
			return err
		}
		h.Exceptions[date] = hours
	}
	return nil
}

// newDate reads a date that must not be there yet.
func newDate[V any](field, text string, known map[domain.Date]V) (domain.Date, error) {
	date, err := domain.ParseDate(field, text)
	if err != nil {
		return date, err
	}
	if _, twice := known[date]; twice {
		return date, domain.BadField(field, "is there twice")
	}
	return date, nil
}

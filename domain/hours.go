package domain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// minutesPerDay is the length of a day on the wall clock.
const minutesPerDay = 24 * 60

// Minute is a wall-clock time as minutes since midnight of a business day. From
// 1440 on it lies past midnight: 26:00 is two in the morning of the next date.
type Minute int

// ParseMinute reads "08:30", up to "36:00". A refusal names the field.
func ParseMinute(field, s string) (Minute, error) {
	if len(s) != 5 || s[2] != ':' {
		return 0, badMinute(field)
	}
	for _, i := range []int{0, 1, 3, 4} {
		if s[i] < '0' || s[i] > '9' {
			return 0, badMinute(field)
		}
	}
	hour := int(s[0]-'0')*10 + int(s[1]-'0')
	minute := int(s[3]-'0')*10 + int(s[4]-'0')
	if minute > 59 || hour*60+minute > MaxClosesMinute {
		return 0, badMinute(field)
	}
	return Minute(hour*60 + minute), nil
}

func badMinute(field string) *Error {
	return BadField(field, "must be a time such as 08:30, or 26:00 for two in the morning after; at most %s",
		Minute(MaxClosesMinute))
}

// String gives "08:30"; hours go on past 24.
func (m Minute) String() string { return fmt.Sprintf("%02d:%02d", int(m)/60, int(m)%60) }

// MarshalText writes the form that ParseMinute reads.
func (m Minute) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what ParseMinute reads.
func (m *Minute) UnmarshalText(text []byte) error {
	parsed, err := ParseMinute("time", string(text))
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}

// DayHours are the opening hours of one business day. Opens and Closes count
// for nothing when Closed.
type DayHours struct {
	Closed bool   `json:"closed"`
	Opens  Minute `json:"opens"`
	Closes Minute `json:"closes"` // past midnight from 24:01 on
	Note   string `json:"note,omitempty"`
}

// Hours are when the venue is open and how long its slots are.
type Hours struct {
	SlotMinutes int               `json:"slot_minutes"` // elapsed minutes
	Weekly      [7]DayHours       `json:"weekly"`       // by time.Weekday: Sunday is 0
	Exceptions  map[Date]DayHours `json:"exceptions"`   // instead of the weekly hours
	Holidays    map[Date]string   `json:"holidays"`     // names; they matter to prices only
}

// DefaultHours is open from 08:30 to 22:00 every day, in slots of 90 minutes.
func DefaultHours() Hours {
	hours := Hours{SlotMinutes: 90, Exceptions: map[Date]DayHours{}, Holidays: map[Date]string{}}
	for day := range hours.Weekly {
		hours.Weekly[day] = DayHours{Opens: 8*60 + 30, Closes: 22 * 60}
	}
	return hours
}

// On gives the hours of one business day: its exception, else those of its weekday.
func (h Hours) On(d Date) DayHours {
	if exception, ok := h.Exceptions[d]; ok {
		return exception
	}
	return h.Weekly[d.Weekday()]
}

// Validate refuses hours that cannot be kept, naming every bad field. Two
// business days must not overlap, or a court would be sold twice.
func (h Hours) Validate() error {
	var bad fieldErrors
	bad.between("slot_minutes", int64(h.SlotMinutes), MinSlotMinutes, MaxSlotMinutes)
	for day, hours := range h.Weekly {
		field := fmt.Sprintf("weekly[%d]", day)
		hours.validate(&bad, field, h.SlotMinutes)
		if next := h.Weekly[(day+1)%7]; hours.runsInto(next) {
			bad.add(field+".closes", "is later than the opening on %s", time.Weekday((day+1)%7))
		}
	}
	if len(h.Exceptions) > MaxExceptions {
		bad.add("exceptions", "must not be more than %d dates", MaxExceptions)
	}
	for _, d := range sortedDates(h.Exceptions) {
		h.validateException(&bad, d)
	}
	if len(h.Holidays) > MaxHolidays {
		bad.add("holidays", "must not be more than %d dates", MaxHolidays)
	}
	for _, d := range sortedDates(h.Holidays) {
		field := fmt.Sprintf("holidays[%s]", d)
		if d.IsZero() {
			bad.add(field, "must have a date")
		}
		_, err := ParseName(field, h.Holidays[d])
		bad.parsed(err)
	}
	return bad.err()
}

func (h Hours) validateException(bad *fieldErrors, d Date) {
	field := fmt.Sprintf("exceptions[%s]", d)
	if d.IsZero() {
		bad.add(field, "must have a date")
		return
	}
	hours := h.Exceptions[d]
	hours.validate(bad, field, h.SlotMinutes)
	if hours.runsInto(h.On(d.AddDays(1))) {
		bad.add(field+".closes", "is later than the opening on %s", d.AddDays(1))
	}
	before := d.AddDays(-1)
	// Two exceptions in a row have been compared from the earlier one.
	if _, both := h.Exceptions[before]; !both && h.On(before).runsInto(hours) {
		bad.add(field+".opens", "is earlier than the closing of %s", before)
	}
}

func (h DayHours) validate(bad *fieldErrors, field string, slotMinutes int) {
	_, err := ParseNote(field+".note", h.Note)
	bad.parsed(err)
	if h.Closed {
		return
	}
	if h.Opens < 0 || h.Opens >= minutesPerDay {
		bad.add(field+".opens", "must be between 00:00 and 23:59")
	}
	switch open := int(h.Closes - h.Opens); {
	case h.Closes > MaxClosesMinute:
		bad.add(field+".closes", "must not be later than %s", Minute(MaxClosesMinute))
	case open <= 0:
		bad.add(field+".closes", "must be later than opens")
	case slotMinutes > 0 && open < slotMinutes:
		bad.add(field+".closes", "leaves no room for a slot of %d minutes", slotMinutes)
	case slotMinutes > 0 && open/slotMinutes > MaxSlotsPerDay:
		bad.add(field+".closes", "makes more than %d slots", MaxSlotsPerDay)
	}
}

// runsInto reports whether h is still going on when the next day opens.
func (h DayHours) runsInto(next DayHours) bool {
	return !h.Closed && !next.Closed && h.Closes > next.Opens+minutesPerDay
}

func sortedDates[V any](byDate map[Date]V) []Date {
	return slices.SortedFunc(maps.Keys(byDate), func(a, b Date) int { return cmp.Compare(a.daysSince(b), 0) })
}

package domain

import (
	"fmt"
	"time"
)

// The years a date from outside may have: earlier ones are typing errors, later
// ones would run into Never.
const (
	minYear = 2000
	maxYear = 9998
)

// Date is a day of the calendar without a zone. The zero Date means "no date"
// and is the empty string as text.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads "2026-12-10" and nothing looser. A refusal names the field.
func ParseDate(field, s string) (Date, error) {
	at, err := time.Parse(time.DateOnly, s)
	if err != nil || len(s) != len(time.DateOnly) {
		return Date{}, BadField(field, "must be a date such as 2026-12-10")
	}
	if at.Year() < minYear || at.Year() > maxYear {
		return Date{}, BadField(field, "must have a year between %d and %d", minYear, maxYear)
	}
	return dateOf(at), nil
}

// dateOf is the day at shows in its own zone.
func dateOf(at time.Time) Date {
	year, month, day := at.Date()
	return Date{Year: year, Month: month, Day: day}
}

// String gives "2026-12-10", and "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// AddDays moves by days of the calendar, back if n is negative.
func (d Date) AddDays(n int) Date {
	return dateOf(time.Date(d.Year, d.Month, d.Day+n, 0, 0, 0, 0, time.UTC))
}

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.midnightUTC().Weekday() }

// Before reports whether d is an earlier day than other.
func (d Date) Before(other Date) bool { return d.daysSince(other) < 0 }

// daysSince counts the days of the calendar from earlier to d.
func (d Date) daysSince(earlier Date) int {
	// UTC has no daylight saving, so every day has the same length.
	return int(d.midnightUTC().Sub(earlier.midnightUTC()) / (24 * time.Hour))
}

func (d Date) midnightUTC() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// MarshalText writes the form that ParseDate reads.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a date; empty text is the zero Date.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate("date", string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// DateSpan is a run of days, both ends included.
type DateSpan struct{ From, Until Date }

// ParseDateSpan reads both ends of a run of days that a report is asked for. A
// refusal names from, until or both.
func ParseDateSpan(from, until string) (DateSpan, error) {
	var bad fieldErrors
	var span DateSpan
	var err error
	span.From, err = ParseDate("from", from)
	bad.parsed(err)
	span.Until, err = ParseDate("until", until)
	bad.parsed(err)
	if len(bad) > 0 {
		return DateSpan{}, bad.err()
	}
	return span, span.Validate()
}

// Validate refuses a run that is backwards or longer than a report may be.
func (s DateSpan) Validate() error {
	switch days := s.Until.daysSince(s.From) + 1; {
	case s.From.IsZero():
		return BadField("from", "is required")
	case s.Until.IsZero():
		return BadField("until", "is required")
	case days < 1:
		return BadField("until", "must not be earlier than from")
	case days > MaxReportDays:
		return BadField("until", "a report may cover %d days", MaxReportDays)
	}
	return nil
}

// Days lists the days in order.
func (s DateSpan) Days() []Date {
	var days []Date
	for d := s.From; !s.Until.Before(d); d = d.AddDays(1) {
		days = append(days, d)
	}
	return days
}

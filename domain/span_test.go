package domain_test

import (
	"testing"
	"time"

	"courtd/domain"
)

func TestDateSpans(t *testing.T) {
	for _, c := range []struct {
		from, until string
		days        int
		blames      []string
	}{
		{"2026-12-10", "2026-12-10", 1, nil},
		{"2024-01-01", "2024-12-31", 366, nil},
		{"2026-01-01", "2027-01-01", 366, nil},
		{"2026-01-01", "2027-01-02", 0, []string{"until"}},
		{"2026-12-10", "2026-12-09", 0, []string{"until"}},
		{"", "2026-12-09", 0, []string{"from"}},
		{"10.12.2026", "2026-13-01", 0, []string{"from", "until"}},
	} {
		span, err := domain.ParseDateSpan(c.from, c.until)
		var blamed []string
		if refusal, ok := domain.AsError(err); ok {
			for _, f := range refusal.Fields {
				blamed = append(blamed, f.Field)
			}
		}
		if len(blamed) != len(c.blames) || (len(blamed) > 0 && blamed[0] != c.blames[0]) {
			t.Errorf("%s to %s: refused for %v, want %v", c.from, c.until, blamed, c.blames)
		}
		if err == nil && len(span.Days()) != c.days {
			t.Errorf("%s to %s: %d days, want %d", c.from, c.until, len(span.Days()), c.days)
		}
	}
	for _, bad := range []domain.DateSpan{{}, {From: domain.Date{Year: 2026, Month: 1, Day: 1}}, {Until: domain.Date{Year: 2026, Month: 1, Day: 1}}} {
		if bad.Validate() == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// The bounds of business days are where DayOf goes from one to the next, in zones
// that change their clocks too, and with hours that run past midnight.
func TestBoundsAreWhereBusinessDaysBegin(t *testing.T) {
	seen := 0
	for _, name := range []string{"Asia/Shanghai", "UTC", "Europe/Berlin", "America/Santiago", "Asia/Tehran"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		hours := domain.DefaultHours()
		hours.Weekly[time.Friday].Closes = 26 * 60
		hours.Weekly[time.Saturday].Closes = 24 * 60
		hours.Weekly[time.Sunday].Closed = true
		calendar := domain.Calendar{Zone: zone, Hours: hours}
		for _, first := range []domain.Date{{Year: 2026, Month: 3, Day: 25}, {Year: 2026, Month: 9, Day: 1}, {Year: 2026, Month: 10, Day: 20}} {
			span := domain.DateSpan{From: first, Until: first.AddDays(9)}
			bounds := calendar.Bounds(span)
			for i, d := range span.Days() {
				for _, at := range []domain.Instant{bounds[i], bounds[i] + 1, bounds[i+1] - 1} {
					if got := calendar.DayOf(at); got != d {
						t.Errorf("%s: %d is on %s, the bounds say %s", name, at, got, d)
					}
					seen++
				}
			}
		}
	}
	if seen != 5*3*10*3 {
		t.Errorf("looked at %d instants", seen)
	}
}

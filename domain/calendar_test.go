package domain_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"courtd/domain"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func date(t *testing.T, s string) domain.Date {
	t.Helper()
	d, err := domain.ParseDate("date", s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func instant(t *testing.T, s string) domain.Instant {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return domain.InstantOf(at)
}

// everyDay is a calendar that is open alike on all days.
func everyDay(t *testing.T, zoneName string, opens, closes domain.Minute, slotMinutes int) domain.Calendar {
	t.Helper()
	hours := domain.DefaultHours()
	hours.SlotMinutes = slotMinutes
	for i := range hours.Weekly {
		hours.Weekly[i] = domain.DayHours{Opens: opens, Closes: closes}
	}
	if err := hours.Validate(); err != nil {
		t.Fatal(err)
	}
	return domain.Calendar{Zone: zone(t, zoneName), Hours: hours}
}

func TestSlotsOfADay(t *testing.T) {
	for _, tc := range []struct {
		name, zone    string
		opens, closes domain.Minute
		slotMinutes   int
		day           string
		count         int
		first, last   string // starts
	}{
		{"shanghai by default", "Asia/Shanghai", 510, 1320, 90, "2026-12-10", 9, "2026-12-10T08:30:00+08:00", "2026-12-10T20:30:00+08:00"},
		{"remainder is not sold", "Asia/Shanghai", 510, 1319, 90, "2026-12-10", 8, "2026-12-10T08:30:00+08:00", "2026-12-10T19:00:00+08:00"},
		{"past midnight", "Asia/Shanghai", 1080, 1560, 60, "2026-12-10", 8, "2026-12-10T18:00:00+08:00", "2026-12-11T01:00:00+08:00"},
		{"berlin, an ordinary day", "Europe/Berlin", 0, 1440, 60, "2026-03-28", 24, "2026-03-28T00:00:00+01:00", "2026-03-28T23:00:00+01:00"},
		{"berlin, clocks go forward", "Europe/Berlin", 0, 1440, 60, "2026-03-29", 23, "2026-03-29T00:00:00+01:00", "2026-03-29T23:00:00+02:00"},
		{"berlin, clocks go back", "Europe/Berlin", 0, 1440, 60, "2026-10-25", 25, "2026-10-25T00:00:00+02:00", "2026-10-25T23:00:00+01:00"},
		{"berlin, night before the change", "Europe/Berlin", 1080, 1620, 60, "2026-03-28", 8, "2026-03-28T18:00:00+01:00", "2026-03-29T01:00:00+01:00"},
		{"opening in the missing hour", "Europe/Berlin", 150, 360, 60, "2026-03-29", 3, "2026-03-29T03:00:00+02:00", "2026-03-29T05:00:00+02:00"},
		{"santiago, the day before midnight is skipped", "America/Santiago", 0, 1440, 60, "2026-09-05", 24, "2026-09-05T00:00:00-04:00", "2026-09-05T23:00:00-04:00"},
		{"santiago, midnight is skipped", "America/Santiago", 0, 1440, 60, "2026-09-06", 23, "2026-09-06T01:00:00-03:00", "2026-09-06T23:00:00-03:00"},
		{"santiago, the last hour comes twice", "America/Santiago", 0, 1440, 60, "2026-04-04", 25, "2026-04-04T00:00:00-03:00", "2026-04-04T23:00:00-04:00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cal, day := everyDay(t, tc.zone, tc.opens, tc.closes, tc.slotMinutes), date(t, tc.day)
			slots := cal.Slots(day)
			if len(slots) != tc.count {
				t.Fatalf("%d slots, want %d", len(slots), tc.count)
			}
			if got, want := slots[0].Start, instant(t, tc.first); got != want {
				t.Errorf("first starts at %v, want %v", got.In(cal.Zone), want.In(cal.Zone))
			}
			if got, want := slots[len(slots)-1].Start, instant(t, tc.last); got != want {
				t.Errorf("last starts at %v, want %v", got.In(cal.Zone), want.In(cal.Zone))
			}
			for i, slot := range slots {
				if slot.End.Sub(slot.Start) != time.Duration(tc.slotMinutes)*time.Minute {
					t.Errorf("slot %d lasts %v", i, slot.End.Sub(slot.Start))
				}
				if i > 0 && slot.Start != slots[i-1].End {
					t.Errorf("slot %d does not follow the one before", i)
				}
				found, foundDay, ok := cal.SlotAt(slot.Start)
				if !ok || found != slot || foundDay != day {
					t.Errorf("SlotAt(slot %d) = %v, %v, %v", i, found, foundDay, ok)
				}
				for _, off := range []domain.Instant{-1, 1} {
					if _, _, ok := cal.SlotAt(slot.Start + off); ok {
						t.Errorf("a slot starts %d s beside slot %d", off, i)
					}
				}
			}
		})
	}
}

func TestDaysRoundTheClockNeverOverlapOrLeaveAGap(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/Santiago", "America/Havana", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Shanghai"} {
		for _, opens := range []domain.Minute{0, 120, 150} {
			cal := everyDay(t, name, opens, opens+1440, 30)
			before := domain.Instant(0)
			for day := date(t, "2026-01-01"); day.Year == 2026; day = day.AddDays(1) {
				span, open := cal.Span(day)
				if !open || before != 0 && span.Start != before {
					t.Fatalf("%s from %s: %s opens at %d, the day before closed at %d", name, opens, day, span.Start, before)
				}
				if got := cal.DayOf(span.Start); got != day {
					t.Fatalf("%s from %s: the opening of %s belongs to %s", name, opens, day, got)
				}
				if got := cal.DayOf(span.End - 1); got != day {
					t.Fatalf("%s from %s: the last second of %s belongs to %s", name, opens, day, got)
				}
				before = span.End
			}
		}
	}
}

func TestBothTwosOfTheRepeatedHourAreSold(t *testing.T) {
	cal := everyDay(t, "Europe/Berlin", 0, 1440, 60)
	for _, s := range []string{"2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"} {
		at := instant(t, s)
		if _, _, ok := cal.SlotAt(at); !ok || cal.Label(at) != "02:00" {
			t.Errorf("%s: on the grid %v, label %s", s, ok, cal.Label(at))
		}
	}
	if got, want := cal.Wall(date(t, "2026-10-25"), 120), instant(t, "2026-10-25T02:00:00+02:00"); got != want {
		t.Errorf("a time shown twice means %v, want the first", got.In(cal.Zone))
	}
}

func TestBusinessDayEndsAtItsClosing(t *testing.T) {
	cal := everyDay(t, "Asia/Shanghai", 1080, 1560, 60)
	cal.Hours.Exceptions[date(t, "2026-12-12")] = domain.DayHours{Closed: true, Opens: 1080, Closes: 1560}
	for _, tc := range []struct {
		at, day, label string
		minute         domain.Minute
	}{
		{"2026-12-10T18:00:00+08:00", "2026-12-10", "18:00", 1080},
		{"2026-12-11T00:00:00+08:00", "2026-12-10", "00:00", 1440},
		{"2026-12-11T01:59:59+08:00", "2026-12-10", "01:59", 1559},
		{"2026-12-11T02:00:00+08:00", "2026-12-11", "02:00", 120},
		{"2026-12-11T02:00:01+08:00", "2026-12-11", "02:00", 120},
		{"2026-12-13T01:00:00+08:00", "2026-12-13", "01:00", 60}, // nothing was open the evening before
	} {
		at := instant(t, tc.at)
		day := cal.DayOf(at)
		if day != date(t, tc.day) {
			t.Errorf("%s belongs to %s, want %s", tc.at, day, tc.day)
		}
		if got := cal.MinuteOf(day, at); got != tc.minute {
			t.Errorf("%s is minute %d of its day, want %d", tc.at, got, tc.minute)
		}
		if got := cal.Label(at); got != tc.label {
			t.Errorf("%s has label %s, want %s", tc.at, got, tc.label)
		}
	}
	if slots := cal.Slots(date(t, "2026-12-12")); len(slots) != 0 {
		t.Errorf("a closed day has %d slots", len(slots))
	}
	if _, _, ok := cal.SlotAt(instant(t, "2026-12-12T18:00:00+08:00")); ok {
		t.Error("a closed day has a slot at 18:00")
	}
	if _, _, ok := cal.SlotAt(instant(t, "2026-12-11T02:00:00+08:00")); ok {
		t.Error("a slot starts at the closing")
	}
	if got := cal.LocalDate(instant(t, "2026-12-10T16:30:00Z")); got != date(t, "2026-12-11") {
		t.Errorf("half past midnight in Shanghai is dated %s", got)
	}
}

func TestExceptionsAndHolidays(t *testing.T) {
	cal := everyDay(t, "Asia/Shanghai", 510, 1320, 90)
	day := date(t, "2026-10-01")
	cal.Hours.Exceptions[day] = domain.DayHours{Opens: 600, Closes: 780}
	cal.Hours.Holidays[day] = "国庆节"
	if got := len(cal.Slots(day)); got != 2 {
		t.Errorf("%d slots on the exception, want 2", got)
	}
	if got := len(cal.Slots(day.AddDays(1))); got != 9 {
		t.Errorf("%d slots on the day after, want 9", got)
	}
	if name, ok := cal.Holiday(day); !ok || name != "国庆节" {
		t.Errorf("holiday %q, %v", name, ok)
	}
	if _, ok := cal.Holiday(day.AddDays(1)); ok {
		t.Error("the day after is a holiday too")
	}
}

func TestTransitions(t *testing.T) {
	from, until := instant(t, "2026-01-01T00:00:00Z"), instant(t, "2027-01-01T00:00:00Z")
	spring, autumn := instant(t, "2026-03-29T01:00:00Z"), instant(t, "2026-10-25T01:00:00Z")
	for _, tc := range []struct {
		name, zone  string
		from, until domain.Instant
		want        []domain.Offset
	}{
		{"no change ever", "Asia/Shanghai", from, until, []domain.Offset{{from, 28800}}},
		{"fixed zone", "UTC", from, until, []domain.Offset{{from, 0}}},
		{"a year", "Europe/Berlin", from, until, []domain.Offset{{from, 3600}, {spring, 7200}, {autumn, 3600}}},
		{"one second before", "Europe/Berlin", spring - 1, spring, []domain.Offset{{spring - 1, 3600}}},
		{"the change is the end", "Europe/Berlin", from, spring, []domain.Offset{{from, 3600}}},
		{"the change is included", "Europe/Berlin", from, spring + 1, []domain.Offset{{from, 3600}, {spring, 7200}}},
		{"at the change", "Europe/Berlin", spring, spring + 9, []domain.Offset{{spring, 7200}}},
		{"nothing", "Europe/Berlin", from, from, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := domain.Calendar{Zone: zone(t, tc.zone)}.Transitions(tc.from, tc.until)
			if len(got) != len(tc.want) {
				t.Fatalf("got %v, want %v", got, tc.want)
			}
			for i := range got {
				if got[i] != tc.want[i] {
					t.Errorf("entry %d is %v, want %v", i, got[i], tc.want[i])
				}
			}
		})
	}
}

// Two changes a year, each in the night of a month's last Sunday, as far as the
// views look ahead. A walk that does not move on would never end.
func TestTransitionsOfManyYears(t *testing.T) {
	cal := domain.Calendar{Zone: zone(t, "Europe/Berlin")}
	got := cal.Transitions(instant(t, "2016-01-01T00:00:00Z"), instant(t, "2066-01-01T00:00:00Z"))
	if len(got) != 1+2*50 {
		t.Fatalf("got %d offsets in 50 years, want 101", len(got))
	}
	for _, o := range got[1:] {
		at := o.From.In(time.UTC)
		if at.Weekday() != time.Sunday || at.Hour() != 1 || at.AddDate(0, 0, 7).Month() == at.Month() {
			t.Errorf("the offset changes at %v", at)
		}
	}
}

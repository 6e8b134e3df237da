package customer

import (
	"testing"
	"time"

	"courtd/domain"
)

func TestTheHeadingSaysWhatCanBeBooked(t *testing.T) {
	day, err := domain.ParseDate("", "2026-12-10")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		opens, closes domain.Minute
		want          string
	}{{9 * 60, 22 * 60, "09:00–21:00"}, {8*60 + 30, 22 * 60, "08:30–22:00"}, {9 * 60, 24 * 60, "09:00–24:00"}, {20 * 60, 26 * 60, "20:00–次日 02:00"}, {20 * 60, 25*60 + 40, "20:00–次日 00:30"}} {
		cal := domain.Calendar{Zone: time.UTC, Hours: domain.DefaultHours()}
		cal.Hours.Weekly[4] = domain.DayHours{Opens: row.opens, Closes: row.closes}
		if got := bookableWords(cal, day)[0]; got != row.want {
			t.Errorf("%s–%s: %s, want %s", row.opens, row.closes, got, row.want)
		}
	}
}

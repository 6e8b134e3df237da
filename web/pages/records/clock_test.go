package records_test

import (
	"testing"
	"time"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
	"courtd/web/pages/records"
)

// Whoever waits for the clock is not told an hour less than it takes.
func TestHowFarTheClockIsBehind(t *testing.T) {
	for d, want := range map[time.Duration]kit.Words{
		6 * time.Second:                 {"6 秒", "6 seconds"},
		time.Minute:                     {"1 分钟", "1 minute"},
		90 * time.Second:                {"1 分 30 秒", "1 min 30 s"},
		59*time.Minute + 59*time.Second: {"59 分 59 秒", "59 min 59 s"},
		time.Hour:                       {"1 小时", "1 hour"},
		time.Hour + 59*time.Second:      {"1 小时", "1 hour"},
		2*time.Hour - time.Second:       {"1 小时 59 分", "1 h 59 min"},
		5*time.Hour + time.Minute:       {"5 小时 1 分", "5 h 1 min"},
		24*time.Hour - time.Second:      {"23 小时 59 分", "23 h 59 min"},
		24 * time.Hour:                  {"1 天", "1 day"},
		48*time.Hour - time.Second:      {"1 天 23 小时", "1 d 23 h"},
		365*24*time.Hour + 3*time.Hour:  {"365 天 3 小时", "365 d 3 h"},
		3*24*time.Hour + 59*time.Minute: {"3 天", "3 days"},
		2*24*time.Hour + 60*time.Minute: {"2 天 1 小时", "2 d 1 h"},
	} {
		last := domain.Instant(2_000_000_000)
		if got := records.BehindBy(sqlite.ClockState{Last: last, Clock: last - domain.Instant(d/time.Second), Behind: true}); got != want {
			t.Errorf("%v behind: %q, want %q", d, got, want)
		}
	}
}

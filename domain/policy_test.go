package domain_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"courtd/domain"
)

const (
	base   = domain.Instant(1_796_860_800)
	minute = domain.Instant(60)
	hour   = 60 * minute
)

func TestPolicyNames(t *testing.T) {
	text, err := json.Marshal(domain.DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"hold_minutes":10,"goods_hold_minutes":30,"check_in_before_minutes":30,"release_after_minutes":0,` +
		`"sale_ends_before_minutes":3,"no_show_refund_percent":0,` +
		`"refund_ladder":[{"hours_before":24,"percent":100},{"hours_before":12,"percent":80},{"hours_before":5,"percent":50}],` +
		`"max_live_orders":2,"max_slots_per_day":4,"days_ahead":6,"opens_at":"07:00","strikes":3,"strike_days":30,"reminder_before_minutes":120}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestPolicyValidate(t *testing.T) {
	for _, tc := range []struct {
		field     string
		low, high int
		set       func(*domain.Policy, int)
	}{
		{"hold_minutes", 1, 1440, func(p *domain.Policy, v int) { p.HoldMinutes = v }},
		{"goods_hold_minutes", 1, 1440, func(p *domain.Policy, v int) { p.GoodsHoldMinutes = v }},
		{"check_in_before_minutes", 0, 1440, func(p *domain.Policy, v int) { p.CheckInBeforeMinutes = v }},
		{"release_after_minutes", 0, 1440, func(p *domain.Policy, v int) { p.ReleaseAfterMinutes = v }},
		{"sale_ends_before_minutes", 0, 1440, func(p *domain.Policy, v int) { p.SaleEndsBeforeMinutes = v }},
		{"no_show_refund_percent", 0, 100, func(p *domain.Policy, v int) { p.NoShowRefundPercent = v }},
		{"max_live_orders", 1, 100, func(p *domain.Policy, v int) { p.MaxLiveOrders = v }},
		{"max_slots_per_day", 1, 96, func(p *domain.Policy, v int) { p.MaxSlotsPerDay = v }},
		{"days_ahead", 0, 90, func(p *domain.Policy, v int) { p.DaysAhead = v }},
		{"opens_at", 0, 1439, func(p *domain.Policy, v int) { p.OpensAt = domain.Minute(v) }},
		{"strikes", 0, 100, func(p *domain.Policy, v int) { p.Strikes = v }},
		{"strike_days", 1, 365, func(p *domain.Policy, v int) { p.StrikeDays = v }},
		{"reminder_before_minutes", 0, 10080, func(p *domain.Policy, v int) { p.ReminderBeforeMinutes = v }},
		{"refund_ladder[2].hours_before", 0, 11, func(p *domain.Policy, v int) { p.RefundLadder[2].HoursBefore = v }},
		{"refund_ladder[1].percent", 0, 100, func(p *domain.Policy, v int) { p.RefundLadder[1].Percent = v }},
	} {
		for value, ok := range map[int]bool{tc.low - 1: false, tc.low: true, tc.high: true, tc.high + 1: false} {
			policy := domain.DefaultPolicy()
			tc.set(&policy, value)
			t.Logf("%s = %d", tc.field, value)
			if ok {
				wantFields(t, policy.Validate())
			} else {
				wantFields(t, policy.Validate(), tc.field)
			}
		}
	}
}

func TestPolicyValidateNamesEveryField(t *testing.T) {
	policy := domain.DefaultPolicy()
	policy.HoldMinutes = 0
	policy.OpensAt = 1440
	policy.RefundLadder = domain.RefundLadder{{24, 101}, {24, 80}, {48, 50}}
	wantFields(t, policy.Validate(), "hold_minutes", "opens_at", "refund_ladder[0].percent", "refund_ladder[1].hours_before", "refund_ladder[2].hours_before")
	policy = domain.DefaultPolicy()
	policy.RefundLadder = nil
	wantFields(t, policy.Validate())
	for i := range domain.MaxRefundSteps + 1 {
		policy.RefundLadder = append(policy.RefundLadder, domain.RefundStep{HoursBefore: 100 - i})
	}
	wantFields(t, policy.Validate(), "refund_ladder")
}

func TestRefundLadderPercent(t *testing.T) {
	ladder := domain.DefaultPolicy().RefundLadder
	for _, tc := range []struct {
		ahead domain.Instant // seconds before the first start
		want  int
	}{
		{24*hour + 1, 100}, {24 * hour, 100}, {24*hour - 1, 80},
		{12*hour + 1, 80}, {12 * hour, 80}, {12*hour - 1, 50},
		{5*hour + 1, 50}, {5 * hour, 50}, {5*hour - 1, 0},
		{1, 0}, {0, 0}, {-1, 0}, {90 * 24 * hour, 100},
	} {
		if got := ladder.Percent(base, base-tc.ahead); got != tc.want {
			t.Errorf("%d s ahead: %d %%, want %d %%", tc.ahead, got, tc.want)
		}
	}
	if got := (domain.RefundLadder)(nil).Percent(base, 1); got != 0 {
		t.Errorf("no ladder gives back %d %%", got)
	}
	// Elapsed hours count: the day on which the clocks go forward has 23.
	start, dayBefore := instant(t, "2026-03-29T18:00:00+02:00"), instant(t, "2026-03-28T18:00:00+01:00")
	if got := ladder.Percent(start, dayBefore); got != 80 {
		t.Errorf("23 elapsed hours give back %d %%, want 80 %%", got)
	}
}

func TestPayBy(t *testing.T) {
	policy := domain.DefaultPolicy()
	for _, tc := range []struct {
		name             string
		firstStart, want domain.Instant
	}{
		{"goods alone", 0, base + 30*minute},
		{"start far away", base + 24*hour, base + 10*minute},
		{"start a second after the hold", base + 10*minute + 1, base + 10*minute},
		{"start with the end of the hold", base + 10*minute, base + 10*minute},
		{"start a second before", base + 10*minute - 1, base + 10*minute - 1},
		{"start at once", base + 1, base + 1},
	} {
		if got := policy.PayBy(base, tc.firstStart); got != tc.want {
			t.Errorf("%s: after %d s, want %d s", tc.name, got-base, tc.want-base)
		}
	}
	if policy.HoldFor(true) != 10*time.Minute || policy.HoldFor(false) != 30*time.Minute {
		t.Error("hold times are not the policy's")
	}
}

func TestCheckInWindow(t *testing.T) {
	for _, tc := range []struct {
		release int // minutes
		by      domain.Instant
	}{{0, 90 * minute}, {15, 15 * minute}, {89, 89 * minute}, {90, 90 * minute}, {91, 90 * minute}} {
		policy := domain.DefaultPolicy()
		policy.ReleaseAfterMinutes = tc.release
		from, by := policy.CheckInWindow(base, base+90*minute)
		if from != base-30*minute || by != base+tc.by {
			t.Errorf("release after %d: from %d to %d s of the start", tc.release, from-base, by-base)
		}
	}
}

func TestBookingOpensOnTheWall(t *testing.T) {
	policy := domain.DefaultPolicy()
	for _, tc := range []struct {
		zone, day string
		ahead     int
		want      string
	}{
		{"Asia/Shanghai", "2026-12-16", 6, "2026-12-10T07:00:00+08:00"},
		{"Asia/Shanghai", "2026-12-16", 0, "2026-12-16T07:00:00+08:00"},
		{"Asia/Shanghai", "2027-01-03", 6, "2026-12-28T07:00:00+08:00"},
		{"Europe/Berlin", "2026-03-31", 6, "2026-03-25T07:00:00+01:00"}, // across the change: seven on the wall
		{"Europe/Berlin", "2026-04-04", 6, "2026-03-29T07:00:00+02:00"},
	} {
		policy.DaysAhead = tc.ahead
		cal := everyDay(t, tc.zone, 510, 1320, 90)
		if got := policy.BookingOpens(cal, date(t, tc.day)); got != instant(t, tc.want) {
			t.Errorf("%s opens at %v, want %s", tc.day, got.In(cal.Zone), tc.want)
		}
	}
	if got := policy.SaleEnds(base); got != base-3*minute {
		t.Errorf("sale ends %d s before the start", base-got)
	}
}

func TestCoolDown(t *testing.T) {
	// apart makes n lapses one minute apart, the last of them at base.
	apart := func(n int) []domain.Instant {
		var lapses []domain.Instant
		for i := range n {
			lapses = append(lapses, base-domain.Instant(n-1-i)*minute)
		}
		return lapses
	}
	reversed := apart(4)
	slices.Reverse(reversed)
	for _, tc := range []struct {
		name   string
		lapses []domain.Instant
		at     domain.Instant
		until  domain.Instant
	}{
		{"none", nil, base, 0},
		{"two", apart(2), base, 0},
		{"three, at the last", apart(3), base, base + 15*minute},
		{"three, before the last", apart(3), base - 1, 0},
		{"three, one second before the end", apart(3), base + 15*minute - 1, base + 15*minute},
		{"three, at the end", apart(3), base + 15*minute, 0},
		{"three, after the end", apart(3), base + 15*minute + 1, 0},
		{"four", apart(4), base, base + 30*minute},
		{"four in any order", reversed, base, base + 30*minute},
		{"nine", apart(9), base, base + 16*hour},
		{"ten would be 32 hours", apart(10), base, base + 24*hour},
		{"hundreds", apart(500), base, base + 24*hour},
		{"first a second less than a day before", []domain.Instant{base - 24*hour + 1, base - 1, base}, base, base + 15*minute},
		{"first a day before", []domain.Instant{base - 24*hour, base - 1, base}, base, 0},
		{"counted up to the last, not up to now", []domain.Instant{base - 23*hour, base - 1, base}, base + 14*minute, base + 15*minute},
		{"all at once", []domain.Instant{base, base, base}, base, base + 15*minute},
		{"those to come do not count", []domain.Instant{base - 2, base - 1, base, base + hour}, base + 1, base + 15*minute},
	} {
		if got := domain.DefaultPolicy().CoolDown(tc.lapses, tc.at); got != tc.until {
			t.Errorf("%s: until %d s after the last, want %d s", tc.name, got-base, tc.until-base)
		}
	}
}

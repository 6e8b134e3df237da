package domain

import (
	"fmt"
	"time"
)

// Policy is what a venue decides about deadlines, refunds and fairness. An
// order copies the deadlines that follow from it; changing a setting moves none.
type Policy struct {
	HoldMinutes           int          `json:"hold_minutes"`             // to pay an order with slots
	GoodsHoldMinutes      int          `json:"goods_hold_minutes"`       // to pay an order of goods alone
	CheckInBeforeMinutes  int          `json:"check_in_before_minutes"`  // the door opens this long before the start
	ReleaseAfterMinutes   int          `json:"release_after_minutes"`    // the door shuts this long after the start; 0: at the end
	SaleEndsBeforeMinutes int          `json:"sale_ends_before_minutes"` // online
	NoShowRefundPercent   int          `json:"no_show_refund_percent"`
	RefundLadder          RefundLadder `json:"refund_ladder"`
	MaxLiveOrders         int          `json:"max_live_orders"`         // unpaid, of one customer at once
	MaxSlotsPerDay        int          `json:"max_slots_per_day"`       // of one customer on a business day
	DaysAhead             int          `json:"days_ahead"`              // 6: today and six days more
	OpensAt               Minute       `json:"opens_at"`                // when the last of those days opens
	Strikes               int          `json:"strikes"`                 // no-shows that stop booking; 0: none do
	StrikeDays            int          `json:"strike_days"`             // how long a no-show counts
	ReminderBeforeMinutes int          `json:"reminder_before_minutes"` // before the start; 0: no reminder
}

// RefundStep gives back Percent when an order is cancelled at least HoursBefore
// elapsed hours before its first start.
type RefundStep struct {
	HoursBefore int `json:"hours_before"`
	Percent     int `json:"percent"`
}

// RefundLadder is a list of steps from the most hours to the fewest.
type RefundLadder []RefundStep

// DefaultPolicy is what Chinese venues print on their walls.
func DefaultPolicy() Policy {
	return Policy{
		HoldMinutes:           10,
		GoodsHoldMinutes:      30,
		CheckInBeforeMinutes:  30,
		SaleEndsBeforeMinutes: 3,
		RefundLadder:          RefundLadder{{24, 100}, {12, 80}, {5, 50}},
		MaxLiveOrders:         2,
		MaxSlotsPerDay:        4,
		DaysAhead:             6,
		OpensAt:               7 * 60,
		Strikes:               3,
		StrikeDays:            30,
		ReminderBeforeMinutes: 120,
	}
}

// Validate refuses settings out of their limits, naming every bad field.
func (p Policy) Validate() error {
	var bad fieldErrors
	for _, setting := range []struct {
		field            string
		value, low, high int
	}{
		{"hold_minutes", p.HoldMinutes, 1, MaxHoldMinutes},
		{"goods_hold_minutes", p.GoodsHoldMinutes, 1, MaxHoldMinutes},
		{"check_in_before_minutes", p.CheckInBeforeMinutes, 0, MaxCheckInMinutes},
		{"release_after_minutes", p.ReleaseAfterMinutes, 0, MaxCheckInMinutes},
		{"sale_ends_before_minutes", p.SaleEndsBeforeMinutes, 0, MaxSaleEndsMinutes},
		{"no_show_refund_percent", p.NoShowRefundPercent, 0, 100},
		{"max_live_orders", p.MaxLiveOrders, 1, MaxLiveOrders},
		{"max_slots_per_day", p.MaxSlotsPerDay, 1, MaxSlotsPerDay},
		{"days_ahead", p.DaysAhead, 0, MaxDaysAhead},
		{"strikes", p.Strikes, 0, MaxStrikes},
		{"strike_days", p.StrikeDays, 1, MaxStrikeDays},
		{"reminder_before_minutes", p.ReminderBeforeMinutes, 0, MaxReminderMinutes},
	} {
		bad.between(setting.field, int64(setting.value), int64(setting.low), int64(setting.high))
	}
	if p.OpensAt < 0 || p.OpensAt >= minutesPerDay {
		bad.add("opens_at", "must be between 00:00 and 23:59")
	}
	p.RefundLadder.validate(&bad)
	return bad.err()
}

func (ladder RefundLadder) validate(bad *fieldErrors) {
	if len(ladder) > MaxRefundSteps {
		bad.add("refund_ladder", "must not be more than %d steps", MaxRefundSteps)
	}
	for i, step := range ladder {
		field := fmt.Sprintf("refund_ladder[%d]", i)
		bad.between(field+".hours_before", int64(step.HoursBefore), 0, MaxRefundHoursBefore)
		bad.between(field+".percent", int64(step.Percent), 0, 100)
		if i > 0 && step.HoursBefore >= ladder[i-1].HoursBefore {
			bad.add(field+".hours_before", "must be fewer than in the step before")
		}
	}
}

// Percent gives the share that goes back when an order with this first start is
// cancelled at an instant. Exactly 24 hours before is still the 24-hour step;
// when no step fits, nothing goes back.
func (ladder RefundLadder) Percent(firstStart, at Instant) int {
	if i := ladder.Step(firstStart, at); i < len(ladder) {
		return ladder[i].Percent
	}
	return 0
}

// Step gives the place of the step that fits at an instant, or how many there are when
// none does.
func (ladder RefundLadder) Step(firstStart, at Instant) int {
	ahead := firstStart.Sub(at)
	for i, step := range ladder {
		if ahead >= time.Duration(step.HoursBefore)*time.Hour {
			return i
		}
	}
	return len(ladder)
}

// HoldFor is how long an unpaid order is kept, with slots or of goods alone.
func (p Policy) HoldFor(hasSlots bool) time.Duration {
	if hasSlots {
		return minutes(p.HoldMinutes)
	}
	return minutes(p.GoodsHoldMinutes)
}

// PayBy is the instant at which an unpaid order is over: after the hold time,
// but no later than its first start. firstStart is 0 for goods alone.
func (p Policy) PayBy(bookedAt, firstStart Instant) Instant {
	payBy := bookedAt.Add(p.HoldFor(firstStart.IsSet()))
	if firstStart.IsSet() {
		return Min(payBy, firstStart)
	}
	return payBy
}

// CheckInWindow is when the desk lets a paid slot in: from <= t < by.
func (p Policy) CheckInWindow(start, end Instant) (from, by Instant) {
	from = start.Add(-minutes(p.CheckInBeforeMinutes))
	if p.ReleaseAfterMinutes == 0 {
		return from, end
	}
	return from, Min(start.Add(minutes(p.ReleaseAfterMinutes)), end)
}

// BookingOpens is the instant from which customers may book business day d.
func (p Policy) BookingOpens(cal Calendar, d Date) Instant {
	return cal.Wall(d.AddDays(-p.DaysAhead), p.OpensAt)
}

// SaleEnds is the instant from which only the desk sells a slot with this start.
func (p Policy) SaleEnds(start Instant) Instant {
	return start.Add(-minutes(p.SaleEndsBeforeMinutes))
}

// CoolDown is the instant until which a customer may not book, having let orders
// lapse at these instants (in any order); 0 when there is nothing to wait for.
// Those count that lie less than CoolDownWindow before the last one that has
// happened. The wait doubles with each lapse and runs from the last.
func (p Policy) CoolDown(lapses []Instant, at Instant) (until Instant) {
	var last Instant
	for _, lapse := range lapses {
		if lapse <= at {
			last = max(last, lapse)
		}
	}
	count := 0
	for _, lapse := range lapses {
		if lapse <= last && last.Sub(lapse) < CoolDownWindow {
			count++
		}
	}
	if count < CoolDownFrom {
		return 0
	}
	wait := CoolDownBase
	for extra := count - CoolDownFrom; extra > 0 && wait < CoolDownMax; extra-- {
		wait *= 2
	}
	if until = last.Add(min(wait, CoolDownMax)); at < until {
		return until
	}
	return 0
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

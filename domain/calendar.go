package domain

import "time"

// Calendar turns the venue's wall clock into instants and back.
type Calendar struct {
	Zone  *time.Location
	Hours Hours
}

// Offset says that from an instant on the zone is Seconds east of UTC.
type Offset struct {
	From    Instant
	Seconds int
}

// Wall gives the instant at which the venue's clock shows minute m of day d. A
// time that the clocks show twice means the first; a time that they jump over
// means the moment of the jump. So a later wall-clock time is never an earlier
// instant, and neighbouring business days cannot overlap.
func (c Calendar) Wall(d Date, m Minute) Instant {
	// time.Date would do but for these two cases, where it promises nothing:
	// in zones that jump at midnight it cuts the last hour off the day before.
	naive := time.Date(d.Year, d.Month, d.Day, 0, int(m), 0, 0, time.UTC).Unix()
	const day = 24 * 60 * 60
	before, after := c.offsetAt(naive-day), c.offsetAt(naive+day)
	first, second := naive-before, naive-after
	if second < first {
		first, second = second, first
	}
	for _, at := range []int64{first, second} {
		if at+c.offsetAt(at) == naive {
			return Instant(at)
		}
	}
	jump, _ := time.Unix(second, 0).In(c.Zone).ZoneBounds()
	return InstantOf(jump)
}

// offsetAt is how many seconds east of UTC the zone is at a unix time.
func (c Calendar) offsetAt(unix int64) int64 {
	_, seconds := time.Unix(unix, 0).In(c.Zone).Zone()
	return int64(seconds)
}

// DayHours gives the opening hours of a business day.
func (c Calendar) DayHours(d Date) DayHours { return c.Hours.On(d) }

// Holiday gives the name of the holiday that d is, if it is one.
func (c Calendar) Holiday(d Date) (name string, ok bool) {
	name, ok = c.Hours.Holidays[d]
	return name, ok
}

// Span gives the interval from opening to closing of a business day, and false
// when the venue is closed.
func (c Calendar) Span(d Date) (Slot, bool) {
	hours := c.DayHours(d)
	if hours.Closed || hours.Closes <= hours.Opens {
		return Slot{}, false
	}
	return Slot{Start: c.Wall(d, hours.Opens), End: c.Wall(d, hours.Closes)}, true
}

// Slots gives the grid of a business day in order. Slots follow each other
// without a gap from the opening on, each lasting the same elapsed time; what
// remains before the closing and is shorter than a slot is not sold.
func (c Calendar) Slots(d Date) []Slot {
	span, open := c.Span(d)
	length := c.slotLength()
	if !open || length <= 0 {
		return nil
	}
	slots := make([]Slot, 0, max(0, int((span.End-span.Start)/length)))
	for start := span.Start; start+length <= span.End; start += length {
		slots = append(slots, Slot{Start: start, End: start + length})
	}
	return slots
}

// SlotAt finds the slot of the grid that starts at an instant, and its business
// day; false when none does.
func (c Calendar) SlotAt(start Instant) (Slot, Date, bool) {
	d := c.DayOf(start)
	span, open := c.Span(d)
	length := c.slotLength()
	if !open || length <= 0 || start < span.Start || start+length > span.End || (start-span.Start)%length != 0 {
		return Slot{}, d, false
	}
	return Slot{Start: start, End: start + length}, d, true
}

// slotLength is in seconds.
func (c Calendar) slotLength() Instant { return Instant(c.Hours.SlotMinutes) * 60 }

// DayOf gives the business day of an instant: yesterday while yesterday's
// opening still goes on past midnight, else the date on the wall.
func (c Calendar) DayOf(at Instant) Date {
	today := c.LocalDate(at)
	yesterday := today.AddDays(-1)
	if span, open := c.Span(yesterday); open && at < span.End {
		return yesterday
	}
	return today
}

// DayStart is the first instant of a business day: midnight, or the closing of the
// day before when that is later.
func (c Calendar) DayStart(d Date) Instant {
	start := c.Wall(d, 0)
	if span, open := c.Span(d.AddDays(-1)); open {
		start = max(start, span.End)
	}
	return start
}

// Bounds gives where each business day of a run begins, and last where the run ends.
func (c Calendar) Bounds(span DateSpan) []Instant {
	var bounds []Instant
	for _, d := range span.Days() {
		bounds = append(bounds, c.DayStart(d))
	}
	return append(bounds, c.DayStart(span.Until.AddDays(1)))
}

// LocalDate gives the date on the venue's wall.
func (c Calendar) LocalDate(at Instant) Date { return dateOf(at.In(c.Zone)) }

// MinuteOf gives the time on the venue's clock in minutes since midnight of d:
// 1440 and more when at lies past that day's end.
func (c Calendar) MinuteOf(d Date, at Instant) Minute {
	wall := at.In(c.Zone)
	return Minute(dateOf(wall).daysSince(d)*minutesPerDay + wall.Hour()*60 + wall.Minute())
}

// Label gives the time on the venue's clock, such as "17:30".
func (c Calendar) Label(at Instant) string { return at.In(c.Zone).Format("15:04") }

// Transitions gives the zone's offsets in [from, until) in order. The first is
// the one in force at from, and says so.
func (c Calendar) Transitions(from, until Instant) []Offset {
	var offsets []Offset
	for at := from; at < until; {
		wall := at.In(c.Zone)
		_, seconds := wall.Zone()
		if last := len(offsets) - 1; last < 0 || offsets[last].Seconds != seconds {
			offsets = append(offsets, Offset{From: at, Seconds: seconds})
		}
		_, end := wall.ZoneBounds()
		if end.IsZero() {
			break
		}
		// On the last day of some far leap years the library says that the offset ends
		// where it began; an hour on it knows better.
		next := InstantOf(end)
		if next <= at {
			next = at.Add(time.Hour)
		}
		at = next
	}
	return offsets
}

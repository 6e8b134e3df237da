package office

import (
	"time"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// wallTime is an instant as a person typed it: a day and a time on the venue's wall.
type wallTime struct {
	day    domain.Date
	minute domain.Minute
}

// at gives the instant, and in words what it was taken for when the clocks jump over
// that time or show it twice.
func (w wallTime) at(cal domain.Calendar) (domain.Instant, *kit.Words) {
	at := cal.Wall(w.day, w.minute)
	if cal.MinuteOf(w.day, at) != w.minute {
		shown := cal.Label(at)
		return at, &kit.Words{w.day.String() + " 的 " + w.minute.String() + " 被夏令时跳过，按 " + shown + " 计算",
			w.minute.String() + " on " + w.day.String() + " is jumped over by the clocks and taken for " + shown}
	}
	if twice(cal, at) {
		return at, &kit.Words{w.day.String() + " 的 " + w.minute.String() + " 会出现两次，按第一次计算",
			"the clocks show " + w.minute.String() + " twice on " + w.day.String() + "; the first is meant"}
	}
	return at, nil
}

// twice reports whether the clocks show again later what they show at an instant.
func twice(cal domain.Calendar, at domain.Instant) bool {
	_, end := at.In(cal.Zone).ZoneBounds()
	if end.IsZero() {
		return false
	}
	_, before := at.In(cal.Zone).Zone()
	_, after := end.Zone()
	again := at.Add(time.Duration(before-after) * time.Second)
	return before > after && again >= domain.InstantOf(end)
}

// spanWords say from when to when, as short as that can be said.
func spanWords(cal domain.Calendar, from, to domain.Instant, now domain.Instant) kit.Words {
	today := cal.DayOf(now)
	first, last := cal.DayOf(from), cal.DayOf(to-1)
	begin, end := kit.DayWords(first, today), kit.DayWords(last, today)
	if cal.DayStart(first) == from && cal.DayStart(last.AddDays(1)) == to {
		if first == last {
			return kit.Words{begin[0] + " 全天", begin[1] + ", all day"}
		}
		return kit.Words{begin[0] + " 至 " + end[0] + " 全天", begin[1] + " to " + end[1] + ", all day"}
	}
	if first, last = cal.LocalDate(from), cal.LocalDate(to); first == last {
		begin = kit.DayWords(first, today)
		clocks := " " + cal.Label(from) + "–" + cal.Label(to)
		return kit.Words{begin[0] + clocks, begin[1] + clocks}
	}
	begin, end = kit.DayWords(first, today), kit.DayWords(last, today)
	return kit.Words{begin[0] + " " + cal.Label(from) + " 至 " + end[0] + " " + cal.Label(to),
		begin[1] + " " + cal.Label(from) + " to " + end[1] + " " + cal.Label(to)}
}

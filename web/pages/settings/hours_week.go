package settings

import (
	"fmt"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// dayBar is one day's slots as a picture and in words.
type dayBar struct {
	Name   kit.Words
	Note   string
	Closed bool
	Span   string // 08:30–22:00
	Count  int
	Last   string // the last slot
	Left   int    // minutes before closing in which no slot fits
	Blocks []block
	Width  int // minutes; the same for all
}

// block is a slot, or what is left at the end, in minutes from the left of the picture.
type block struct {
	X, Width int
	Rest     bool
}

// week is the picture of the resulting week, and of the dates to come that have hours
// of their own.
type week struct{ Days, Special []dayBar }

// weekOf draws hours from today on.
func weekOf(zone domain.Calendar, h domain.Hours, today domain.Date) week {
	usual := domain.Calendar{Zone: zone.Zone, Hours: h}
	usual.Hours.Exceptions = nil
	real := domain.Calendar{Zone: zone.Zone, Hours: h}
	from, to := domain.Minute(domain.MaxClosesMinute), domain.Minute(0)
	widen := func(hours domain.DayHours) {
		if !hours.Closed {
			from, to = min(from, hours.Opens), max(to, hours.Closes)
		}
	}
	for _, hours := range h.Weekly {
		widen(hours)
	}
	for d, hours := range h.Exceptions {
		if !d.Before(today) {
			widen(hours)
		}
	}
	var out week
	width := max(1, int(to-from))
	for _, weekday := range weekOrder {
		d := today
		for int(d.Weekday()) != weekday {
			d = d.AddDays(1)
		}
		bar := barOf(usual, d, from)
		bar.Name, bar.Width = kit.Weekday(weekday), width
		out.Days = append(out.Days, bar)
	}
	for _, d := range datesOf(h.Exceptions) {
		if d.Before(today) {
			continue
		}
		bar := barOf(real, d, from)
		bar.Name, bar.Note, bar.Width = kit.DayWords(d, today), h.Exceptions[d].Note, width
		out.Special = append(out.Special, bar)
	}
	return out
}

func barOf(cal domain.Calendar, d domain.Date, from domain.Minute) dayBar {
	hours, slots := cal.DayHours(d), cal.Slots(d)
	if hours.Closed || len(slots) == 0 {
		return dayBar{Closed: true}
	}
	bar := dayBar{Span: hours.Opens.String() + "–" + hours.Closes.String(), Count: len(slots)}
	end := hours.Opens
	for _, slot := range slots {
		start := cal.MinuteOf(d, slot.Start)
		end = start + domain.Minute((slot.End-slot.Start)/60)
		bar.Blocks = append(bar.Blocks, block{X: int(start - from), Width: int(end - start)})
		bar.Last = fmt.Sprintf("%s–%s", start, end)
	}
	if bar.Left = int(hours.Closes - end); bar.Left > 0 {
		bar.Blocks = append(bar.Blocks, block{X: int(end - from), Width: bar.Left, Rest: true})
	}
	return bar
}

// hoursLines say hours, for whoever finds that somebody else has changed them.
func hoursLines(h domain.Hours) []kit.Words {
	out := []kit.Words{{fmt.Sprintf("每场 %d 分钟", h.SlotMinutes), fmt.Sprintf("Slots of %d minutes", h.SlotMinutes)}}
	span := func(d domain.DayHours) kit.Words {
		if d.Closed {
			return kit.Words{"休息", "closed"}
		}
		return kit.Words{d.Opens.String() + "–" + d.Closes.String(), d.Opens.String() + "–" + d.Closes.String()}
	}
	add := func(name kit.Words, what kit.Words) {
		out = append(out, kit.Words{name[0] + " " + what[0], name[1] + " " + what[1]})
	}
	for _, day := range weekOrder {
		add(kit.Weekday(day), span(h.Weekly[day]))
	}
	for _, d := range datesOf(h.Exceptions) {
		add(kit.Words{d.String(), d.String()}, span(h.Exceptions[d]))
	}
	for _, d := range datesOf(h.Holidays) {
		add(kit.Words{d.String(), d.String()}, kit.Words{h.Holidays[d], h.Holidays[d]})
	}
	return out
}

package app

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// clockFace turns instants into times with the venue's offset.
func clockFace(venue sqlite.Venue) func(domain.Instant) time.Time {
	return func(i domain.Instant) time.Time { return i.In(venue.Calendar.Zone) }
}

// maybe is nil for an instant that is not set.
func maybe(venue sqlite.Venue, i domain.Instant) *time.Time {
	if !i.IsSet() || i == domain.Never {
		return nil
	}
	t := i.In(venue.Calendar.Zone)
	return &t
}

// slotID names a slot: its court, and the unix second of its start.
func slotID(court string, start domain.Instant) string { return fmt.Sprintf("%s@%d", court, start) }

// ParseSlotID reads the id of a slot; field is what to blame when it is none.
func ParseSlotID(field, id string) (SlotRef, error) {
	court, start, found := strings.Cut(id, "@")
	at, err := strconv.ParseInt(start, 10, 64)
	if !found || err != nil || court == "" || at <= 0 || domain.Instant(at) >= domain.Never || slotID(court, domain.Instant(at)) != id {
		return SlotRef{}, domain.BadField(field, "is not a slot of the grid")
	}
	return SlotRef{Court: court, Start: domain.Instant(at)}, nil
}

var weekdaysZH = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}

// slotWords says a slot as people do: "12-10 周四 17:30–19:00 1号场".
func slotWords(venue sqlite.Venue, slot domain.Slot, court string) (zh, en string) {
	from := slot.Start.In(venue.Calendar.Zone)
	span := from.Format("15:04") + "–" + slot.End.In(venue.Calendar.Zone).Format("15:04")
	return fmt.Sprintf("%s %s %s %s", from.Format("01-02"), weekdaysZH[from.Weekday()], span, court),
		fmt.Sprintf("%s %s, %s", from.Format("Mon 2 Jan"), span, court)
}

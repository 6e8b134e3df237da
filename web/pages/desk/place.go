package desk

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// place is where somebody is on the board: everything its address says.
type place struct {
	Date string // business day
	At   string // the instant it is judged at; empty: now
	Slot string // the one whose panel is open
	Move string // the reservation that is being moved
	To   string // the slot it shall be moved to
}

// placeOf reads a place out of an address.
func placeOf(args url.Values) place {
	return place{Date: args.Get("date"), At: args.Get("at"), Slot: args.Get("slot"), Move: args.Get("move"), To: args.Get("to")}
}

func placeHere(c *fiber.Ctx) place {
	args, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		args = url.Values{}
	}
	return placeOf(args)
}

// address is the place on a page.
func (p place) address(page string) string {
	args := url.Values{}
	for name, value := range map[string]string{"date": p.Date, "at": p.At, "slot": p.Slot, "move": p.Move, "to": p.To} {
		if value != "" {
			args.Set(name, value)
		}
	}
	if len(args) == 0 {
		return page
	}
	return page + "?" + args.Encode()
}

// open is the same day and instant with another slot open, or none.
func (p place) open(slot string) place {
	p.Slot, p.Move, p.To = slot, "", ""
	return p
}

// spot is a place that has been understood.
type spot struct {
	place
	day, today domain.Date
	at         domain.Instant // zero: now
	asked      domain.Instant // at or now
	zone       *time.Location
}

// understand finds the day and the instant of a place. Without a day it is that of
// the slot, of the instant, or today.
func (p place) understand(venue sqlite.Venue, now domain.Instant) (spot, error) {
	s := spot{place: p, today: venue.Calendar.DayOf(now), asked: now, zone: venue.Calendar.Zone}
	if p.At != "" {
		at, err := parseAt(p.At, venue.Calendar.Zone)
		if err != nil {
			return s, err
		}
		s.at, s.asked = at, at
	}
	if p.Date == "" {
		s.day = venue.Calendar.DayOf(s.asked)
		if ref, err := app.ParseSlotID("slot", p.Slot); err == nil {
			s.day = venue.Calendar.DayOf(ref.Start)
		}
		s.Date = s.day.String()
	}
	var err error
	s.day, err = kit.DayOf(s.Date, s.today)
	return s, err
}

// parseAt reads an instant as a browser's field for it writes it, in the venue's
// zone, or with an offset.
func parseAt(text string, zone *time.Location) (domain.Instant, error) {
	for _, layout := range []string{atLayout, "2006-01-02T15:04:05", time.RFC3339} {
		when, err := time.ParseInLocation(layout, text, zone)
		if at := domain.InstantOf(when); err == nil && at > 0 && at < domain.Never {
			return at, nil
		}
	}
	return 0, domain.BadField("at", "must be a time in whole seconds with its offset, such as 2026-12-10T17:30:00+08:00")
}

// atLayout is how a field for a date and a time writes it.
const atLayout = "2006-01-02T15:04"

// atText writes an instant for such a field, with seconds where there are any.
func atText(at time.Time) string {
	if at.Second() != 0 {
		return at.Format(atLayout + ":05")
	}
	return at.Format(atLayout)
}

func slotText(court string, start time.Time) string { return fmt.Sprintf("%s@%d", court, start.Unix()) }

// backOf is the page that a form stands on: a place on the board, or the page of an
// order.
func backOf(c *fiber.Ctx) (p place, order string) {
	back, err := url.Parse(kit.SafeNext(kit.Sent(c, "back"), "/desk"))
	if err != nil {
		return place{}, ""
	}
	if id, found := strings.CutPrefix(back.Path, "/desk/orders/"); found && !strings.Contains(id, "/") {
		return place{}, id
	}
	return placeOf(back.Query()), ""
}

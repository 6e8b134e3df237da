package customer

import (
	"time"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// dayLink is one day of the strip above the grid.
type dayLink struct {
	Date, Short string
	Name        kit.Words
	Mark        kit.Words // why nothing can be booked on it, if so
	Current     bool
}

// dayLinks are today and the days after it that customers may book, or soon may.
func dayLinks(venue sqlite.Venue, now domain.Instant, chosen domain.Date) []dayLink {
	var out []dayLink
	today := venue.Calendar.DayOf(now)
	for n := range venue.Policy.DaysAhead + 1 {
		day := today.AddDays(n)
		link := dayLink{Date: day.String(), Short: day.String()[len("2006-"):], Name: shortDayName(day, today), Current: day == chosen}
		switch {
		case len(venue.Calendar.Slots(day)) == 0:
			link.Mark = kit.Words{"休息", "closed"}
		case now < venue.Policy.BookingOpens(venue.Calendar, day):
			link.Mark = kit.Words{"未开放", "not yet"}
		}
		out = append(out, link)
	}
	return out
}

// shortDayName fits a strip of seven on a phone.
func shortDayName(day, today domain.Date) kit.Words {
	name := kit.DayName(day, today)
	switch day {
	case today:
	case today.AddDays(1):
		name[1] = day.Weekday().String()[:3]
	default:
		name[1] = name[1][:3]
	}
	return name
}

// stripChanges is when the strip of days changes next: a day opens, or it is
// tomorrow.
func stripChanges(venue sqlite.Venue, now domain.Instant) time.Time {
	today := venue.Calendar.DayOf(now)
	next := venue.Calendar.DayStart(today.AddDays(1))
	for n := range venue.Policy.DaysAhead + 1 {
		if opens := venue.Policy.BookingOpens(venue.Calendar, today.AddDays(n)); now < opens {
			next = min(next, opens)
		}
	}
	return next.In(venue.Calendar.Zone)
}

// whenWords are an instant as a date and a time, with the year if it is another one.
func whenWords(at, now time.Time) string {
	if at.Year() != now.Year() {
		return at.Format("2006-01-02 15:04")
	}
	return at.Format("01-02 15:04")
}

// bookableWords are the hours of a day that can be booked: what is left over before
// closing, because no slot fits into it, is nobody's to play in.
func bookableWords(cal domain.Calendar, day domain.Date) kit.Words {
	hours := cal.DayHours(day)
	if slots := cal.Slots(day); len(slots) > 0 {
		last := slots[len(slots)-1]
		hours.Closes = cal.MinuteOf(day, last.Start) + domain.Minute((last.End-last.Start)/60)
	}
	return hoursWords(hours)
}

// hoursWords are the opening hours of a day.
func hoursWords(hours domain.DayHours) kit.Words {
	if hours.Closed {
		return kit.Words{"休息", "closed"}
	}
	const midnight = 24 * 60
	if hours.Closes > midnight {
		closes := (hours.Closes - midnight).String()
		return kit.Words{hours.Opens.String() + "–次日 " + closes, hours.Opens.String() + "–" + closes + " the next day"}
	}
	span := hours.Opens.String() + "–" + hours.Closes.String()
	return kit.Words{span, span}
}

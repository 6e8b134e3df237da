package kit

import "courtd/domain"

// dayReach is how many days before or after today can be looked at.
const dayReach = 400

// DayOf reads the day of a page's address; without one it is today.
func DayOf(text string, today domain.Date) (domain.Date, error) {
	if text == "" {
		return today, nil
	}
	day, err := domain.ParseDate("date", text)
	if err != nil {
		return day, err
	}
	if day.Before(today.AddDays(-dayReach)) || today.AddDays(dayReach).Before(day) {
		return day, domain.BadField("date", "must be within %d days of today", dayReach)
	}
	return day, nil
}

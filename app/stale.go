package app

import (
	"slices"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// whyStale says in a word why a notice has lost its reason, or "". It is asked when a
// notice is sent and when a customer reads the list, not when it is queued.
func whyStale(n sqlite.Notice, o domain.Order, now domain.Instant) string {
	state := o.State(now)
	switch n.Kind {
	case notify.KindHeld:
		if state != domain.Held {
			return domain.WhyOrderIs + string(state)
		}
	case notify.KindLapsed:
		if state != domain.Lapsed {
			return domain.WhyOrderIs + string(state)
		}
	case notify.KindReminder:
		still := slices.ContainsFunc(o.Slots(now), func(r domain.Reservation) bool {
			return r.ID == n.ReservationID && r.State(now) == domain.Confirmed && now < r.StartsAt
		})
		if !still {
			return domain.WhySlotGone
		}
	case notify.KindNoShow:
		still := slices.ContainsFunc(o.Slots(now), func(r domain.Reservation) bool {
			return r.ID == n.ReservationID && r.State(now) == domain.NoShow
		})
		if !still {
			return domain.WhyUndone
		}
	}
	return ""
}

// hiddenFromList reports whether a customer's list leaves a notice out. What was
// true when it was written stays in the list, except what would mislead.
func hiddenFromList(n sqlite.Notice, o domain.Order, now domain.Instant) bool {
	return n.Kind != notify.KindHeld && n.Kind != notify.KindReminder && whyStale(n, o, now) != ""
}

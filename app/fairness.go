package app

import (
	"errors"
	"slices"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// fairness refuses an order that would give one customer more than their share.
// It is judged in the write transaction, from rows, and binds customers only.
func fairness(s *sqlite.Snapshot, venue sqlite.Venue, customerID string, p plan, live []domain.Order) error {
	policy := venue.Policy
	window := time.Duration(policy.StrikeDays) * 24 * time.Hour
	// One look gives all that any of the limits asks of: a row of a day that can still be
	// booked and counts towards it has not ended two days ago.
	rows, err := s.ReservationsReleasedSince(customerID, min(s.Now.Add(-window), s.Now.Add(-lapsesLookBack)))
	if err != nil {
		return err
	}
	if err := strikes(s, policy, window, rows); err != nil {
		return err
	}
	if err := coolDown(s, policy, customerID, rows); err != nil {
		return err
	}
	if len(live) >= policy.MaxLiveOrders {
		return domain.Refuse(domain.Conflict, "limit_reached", "you have %d unpaid orders already; pay or cancel one first", len(live)).
			With("limit", "max_live_orders").With("order", live[0].ID)
	}
	return dayLimit(s.Now, policy, rows, p)
}

// lapsesLookBack is how long a lapse can matter: the longest pause that follows one, and
// those before it that are counted with it.
const lapsesLookBack = domain.CoolDownMax + domain.CoolDownWindow

// releasedIn gives the rows that were released in (after, until].
func releasedIn(rows []domain.Reservation, after, until domain.Instant) []domain.Reservation {
	var out []domain.Reservation
	for _, r := range rows {
		if at := r.ReleaseAt(); after < at && at <= until {
			out = append(out, r)
		}
	}
	return out
}

// strikes refuses somebody who has not come too often lately, until the oldest
// of those orders ages out.
func strikes(s *sqlite.Snapshot, policy domain.Policy, window time.Duration, rows []domain.Reservation) error {
	if policy.Strikes == 0 {
		return nil
	}
	latest := map[string]domain.Instant{}
	for _, r := range releasedIn(rows, s.Now.Add(-window), s.Now) {
		if r.Ending() != domain.NoShow || !r.Counts(s.Now) {
			continue
		}
		forgiven, err := s.IsForgiven(r.OrderID)
		if err != nil {
			return err
		}
		if !forgiven {
			latest[r.OrderID] = max(latest[r.OrderID], r.ReleaseAt())
		}
	}
	if len(latest) < policy.Strikes {
		return nil
	}
	when := values(latest)
	until := when[len(when)-policy.Strikes].Add(window)
	return domain.Refuse(domain.Conflict, "banned", "you did not come %d times in the last %d days", len(latest), policy.StrikeDays).
		With("until", until)
}

// coolDown refuses somebody who keeps letting unpaid orders lapse, for a while
// that grows. A quick change of mind is no lapse, nor is what the venue cancelled.
func coolDown(s *sqlite.Snapshot, policy domain.Policy, customerID string, rows []domain.Reservation) error {
	since := s.Now.Add(-lapsesLookBack)
	baskets, err := s.BasketsReleased(customerID, since, s.Now)
	if err != nil {
		return err
	}
	lapses := map[string]domain.Instant{}
	note := func(orderID, by, replaces string, c domain.Claim) error {
		given := c.Ending() == domain.Cancelled && !c.PaidAt.IsSet() && by == byCustomer
		if given && replaces != "" { // moved since: the change of mind is about the order
			booked, err := s.BookedAt(orderID)
			if err != nil {
				return err
			}
			c.BookedAt = booked
		}
		if c.Ending() == domain.Lapsed || (given && c.CancelledAt.Sub(c.BookedAt) > domain.CancelGrace) {
			lapses[orderID] = max(lapses[orderID], c.ReleaseAt())
		}
		return nil
	}
	for _, r := range releasedIn(rows, since, s.Now) {
		if r.Counts(s.Now) {
			err = errors.Join(err, note(r.OrderID, r.CancelledBy, r.Replaces, r.Claim))
		}
	}
	for _, b := range baskets {
		if b.Counts(s.Now) {
			err = errors.Join(err, note(b.OrderID, b.CancelledBy, b.Replaces, b.Claim))
		}
	}
	if err != nil {
		return err
	}
	if until := policy.CoolDown(values(lapses), s.Now); until.IsSet() {
		return domain.Refuse(domain.Conflict, "cooling_down", "%d orders were left unpaid; try again later", len(lapses)).With("until", until)
	}
	return nil
}

// dayLimit refuses more slots on one business day than a customer may have.
func dayLimit(now domain.Instant, policy domain.Policy, rows []domain.Reservation, p plan) error {
	wanted := map[string]int{}
	for _, slot := range p.slots {
		wanted[slot.day.String()]++
	}
	for day, n := range wanted {
		n += countOfDay(slices.DeleteFunc(slices.Clone(rows), func(r domain.Reservation) bool { return r.Day != day }), now)
		if n > policy.MaxSlotsPerDay {
			return domain.Refuse(domain.Conflict, "limit_reached", "at most %d slots a day", policy.MaxSlotsPerDay).
				With("limit", "max_slots_per_day").With("date", day)
		}
	}
	return nil
}

// values gives the instants of a map, earliest first.
func values(m map[string]domain.Instant) []domain.Instant {
	var out []domain.Instant
	for _, at := range m {
		out = append(out, at)
	}
	slices.Sort(out)
	return out
}

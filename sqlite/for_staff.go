package sqlite

import (
	"fmt"

	"courtd/domain"
)

// BasketsToHandOver gives baskets with paid goods that can still be collected and
// should be on a business day: those that end before its own end, and those of orders
// with a slot on it. The first to end comes first.
func (s *Snapshot) BasketsToHandOver(day string, end domain.Instant, limit int) ([]domain.Basket, error) {
	// Paid and neither handed over nor cancelled, that is what ends as no_show.
	baskets, err := s.baskets(`WHERE b.settled_at IS NULL AND b.release_at > ?1 AND b.ending = 'no_show' AND b.has_goods = 1
		AND (b.release_at <= ?2 OR EXISTS (SELECT 1 FROM reservations r WHERE r.order_id = b.order_id AND r.day = ?3 AND r.cancelled_at IS NULL))
		ORDER BY b.release_at, b.id LIMIT ?4`, int64(s.Now), int64(end), day, limit)
	if err != nil {
		return nil, err
	}
	return s.withLines(baskets)
}

// noticesIn says which notices are in a state. A plus sign keeps SQLite from walking
// through all notices by age for the few that wait or were given up.
var noticesIn = map[string]struct{ where, plus string }{
	"waiting": {"n.sent_at IS NULL AND n.dropped_at IS NULL AND n.gave_up_at IS NULL AND n.next_try_at IS NOT NULL", "+"},
	"gave_up": {"n.gave_up_at IS NOT NULL AND n.sent_at IS NULL AND n.dropped_at IS NULL", "+"},
	"sent":    {"n.sent_at IS NOT NULL", ""},
	"dropped": {"n.dropped_at IS NOT NULL AND n.sent_at IS NULL", ""},
}

// NoticesIn pages through the notices in one state, newest first.
func (s *Snapshot) NoticesIn(state string, until domain.Instant, before Cursor, limit int) ([]Notice, error) {
	in, known := noticesIn[state]
	if !known {
		return nil, domain.BadField("state", `must be "waiting", "gave_up", "sent" or "dropped"`)
	}
	return s.notices(fmt.Sprintf(`WHERE %s AND %[2]sn.created_at <= ? AND (%[2]sn.created_at, n.id) < (?, ?)
		ORDER BY %[2]sn.created_at DESC, n.id DESC LIMIT ?`, in.where, in.plus), int64(until), int64(before.At), before.ID, limit)
}

package sqlite

import (
	"database/sql"
	"fmt"

	"courtd/domain"
)

const reservationColumns = `r.id, r.order_id, r.customer_id, r.court_id, r.seq, r.day, r.price_fen, r.discount_fen, r.price_rule,
 r.booked_at, r.pay_by, r.check_in_from, r.check_in_by, r.starts_at, r.ends_at,
 r.paid_at, r.checked_in_at, r.cancelled_at, r.moved, r.out_of_window,
 coalesce(r.cancelled_by, ''), r.cancel_reason, coalesce(r.replaces, ''), coalesce(r.replaced_as, ''), r.settled_at,
 (SELECT x.booked_at FROM reservations x WHERE x.replaces = r.id), r.release_at, r.ending
 FROM reservations r `

// reservations runs a query for whole rows. On every row it compares what the
// generated columns say with what the domain says: if they ever differ, no
// answer is better than a wrong one.
func (s *Snapshot) reservations(where string, args ...any) ([]domain.Reservation, error) {
	rows, err := s.Query("SELECT "+reservationColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read reservations: %w", err)
	}
	defer rows.Close()
	var out []domain.Reservation
	for rows.Next() {
		var r domain.Reservation
		var release domain.Instant
		var ending string
		if err := rows.Scan(&r.ID, &r.OrderID, &r.CustomerID, &r.CourtID, &r.Seq, &r.Day, &r.PriceFen, &r.DiscountFen, &r.PriceRule,
			&r.BookedAt, &r.PayBy, &r.CheckInFrom, &r.CheckInBy, &r.StartsAt, &r.EndsAt,
			&r.PaidAt, &r.CheckedInAt, &r.CancelledAt, &r.Moved, &r.OutOfWindow,
			&r.CancelledBy, &r.CancelReason, &r.Replaces, &r.ReplacedAs, &r.SettledAt,
			&r.ReplacedAt, &release, &ending); err != nil {
			return nil, fmt.Errorf("scan reservation: %w", err)
		}
		if err := agree("reservation", r.ID, r.Claim, release, ending); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// agree holds a row's generated columns against the rule in the domain.
func agree(what, id string, c domain.Claim, release domain.Instant, ending string) error {
	if c.ReleaseAt() == release && string(c.Ending()) == ending {
		return nil
	}
	return fmt.Errorf("%s %s: the database says it ends %s at %d, the rule says %s at %d",
		what, id, ending, release, c.Ending(), c.ReleaseAt())
}

// ReservationsBetween gives the rows whose slots overlap [from, to). Rows that
// were released at or before liveAfter are left out; 0 keeps all.
func (s *Snapshot) ReservationsBetween(from, to, liveAfter domain.Instant) ([]domain.Reservation, error) {
	earliest := from - domain.MaxSlotMinutes*60
	return s.reservations(`WHERE r.starts_at >= ? AND r.starts_at < ? AND r.ends_at > ? AND r.release_at > ?
		ORDER BY r.starts_at, r.court_id, r.id`, int64(earliest), int64(to), int64(from), int64(liveAfter))
}

// ReservationsOfOrder gives every row ever made for an order, in their order.
func (s *Snapshot) ReservationsOfOrder(orderID string) ([]domain.Reservation, error) {
	return s.reservations("WHERE r.order_id = ? ORDER BY r.seq", orderID)
}

// Reservation gives one row, or a NotFound refusal.
func (s *Snapshot) Reservation(id string) (domain.Reservation, error) {
	rows, err := s.reservations("WHERE r.id = ?", id)
	if err != nil {
		return domain.Reservation{}, err
	}
	if len(rows) == 0 {
		return domain.Reservation{}, domain.Refuse(domain.NotFound, "not_found", "no such reservation")
	}
	return rows[0], nil
}

// ReservationsOfCustomerOn gives a customer's rows of one business day.
func (s *Snapshot) ReservationsOfCustomerOn(customerID, day string) ([]domain.Reservation, error) {
	return s.reservations("WHERE r.customer_id = ? AND r.day = ? ORDER BY r.starts_at, r.id", customerID, day)
}

// ReservationsReleasedSince gives a customer's rows that were or will be released after an
// instant: the latest, and all that are live.
func (s *Snapshot) ReservationsReleasedSince(customerID string, after domain.Instant) ([]domain.Reservation, error) {
	return s.reservations("WHERE r.customer_id = ? AND r.release_at > ? ORDER BY r.release_at", customerID, int64(after))
}

// UnsettledOn gives the rows on a court that overlap a slot and are not settled yet.
func (s *Snapshot) UnsettledOn(courtID string, slot domain.Slot) ([]domain.Reservation, error) {
	return s.reservations("WHERE r.court_id = ? AND r.settled_at IS NULL AND r.starts_at < ? AND r.ends_at > ?",
		courtID, int64(slot.End), int64(slot.Start))
}

// RemindersDue gives confirmed rows that start within a time from now, are the
// first of their order on that day, were booked before that time began, and
// have no reminder yet.
func (s *Snapshot) RemindersDue(before domain.Instant, limit int) ([]domain.Reservation, error) {
	return s.reservations(`WHERE r.settled_at IS NULL AND r.starts_at > ?1 AND r.starts_at <= ?2 AND r.release_at > ?1
		AND r.paid_at IS NOT NULL AND r.checked_in_at IS NULL AND r.starts_at - r.booked_at > ?3
		AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.order_id = r.order_id AND n.reservation_id = r.id AND n.kind = 'reminder')
		AND NOT EXISTS (SELECT 1 FROM reservations e WHERE e.order_id = r.order_id AND e.day = r.day
			AND e.cancelled_at IS NULL AND (e.starts_at, e.seq) < (r.starts_at, r.seq)
			AND NOT EXISTS (SELECT 1 FROM reservations x WHERE x.replaces = e.id))
		ORDER BY r.starts_at, r.id LIMIT ?4`, int64(s.Now), int64(s.Now+before), int64(before), limit)
}

// NextReservationSeq is the place of an order's next row.
func (s *Snapshot) NextReservationSeq(orderID string) (seq int, err error) {
	if err = s.QueryRow("SELECT coalesce(max(seq), 0) + 1 FROM reservations WHERE order_id = ?", orderID).Scan(&seq); err != nil {
		return 0, fmt.Errorf("next reservation of order %s: %w", orderID, err)
	}
	return seq, nil
}

// InsertReservation writes a new row with whatever facts it is born with.
func (t *Tx) InsertReservation(r domain.Reservation) error {
	_, err := t.Exec(`INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule,
		booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, out_of_window, replaces, replaced_as, settled_at)
		VALUES (?,?,?,?,?,?,?,?,?, ?,?,?,?,?,?, ?,?,?,?,?,?)`,
		r.ID, r.OrderID, r.Seq, r.CustomerID, r.CourtID, r.Day, r.PriceFen, r.DiscountFen, r.PriceRule,
		r.BookedAt, r.PayBy, r.CheckInFrom, r.CheckInBy, r.StartsAt, r.EndsAt, r.PaidAt, r.CheckedInAt, r.OutOfWindow,
		orNull(r.Replaces), orNull(r.ReplacedAs), r.SettledAt)
	if err != nil {
		return fmt.Errorf("insert reservation %s: %w", r.ID, err)
	}
	return nil
}

// CheckInReservation records that the customer came in now.
func (t *Tx) CheckInReservation(id string, outOfWindow bool) error {
	return t.one("check in reservation "+id,
		"UPDATE reservations SET checked_in_at = ?, out_of_window = ? WHERE id = ? AND checked_in_at IS NULL",
		t.Now, outOfWindow, id)
}

// CancelReservation ends a live row now; moved says that another row takes its place.
func (t *Tx) CancelReservation(id, by, reason string, moved bool) error {
	return t.one("cancel reservation "+id,
		"UPDATE reservations SET cancelled_at = ?, moved = ?, cancelled_by = ?, cancel_reason = ? WHERE id = ? AND cancelled_at IS NULL",
		t.Now, moved, by, reason, id)
}

// SettleReservation writes down that a row has ended. It reports false when
// somebody else had already done so.
func (t *Tx) SettleReservation(id string) (bool, error) {
	return t.settle("reservations", id)
}

func (t *Tx) settle(table, id string) (bool, error) {
	n, err := t.Affected("UPDATE "+table+" SET settled_at = ? WHERE id = ? AND settled_at IS NULL AND release_at <= ?",
		t.Now, id, int64(t.Now))
	if err != nil {
		return false, fmt.Errorf("settle %s %s: %w", table, id, err)
	}
	return n == 1, nil
}

// one runs an update that must change exactly one row.
func (t *Tx) one(what, query string, args ...any) error {
	n, err := t.Affected(query, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if n != 1 {
		return fmt.Errorf("%s: changed %d rows, want 1", what, n)
	}
	return nil
}

func orNull(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

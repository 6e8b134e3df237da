package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Notice is one message of one kind about one order (or one of its
// reservations) on one occasion; that together is unique.
type Notice struct {
	ID, CustomerID, OrderID, ReservationID string
	Kind, Occasion                         string
	CreatedAt                              domain.Instant
	Title, Text, TitleEN, TextEN           string
	SentAt, DroppedAt, GaveUpAt            domain.Instant
	DropReason                             string
	Tries                                  int
	NextTryAt                              domain.Instant
	LastError                              string
	CustomerName, Phone                    string
}

// State is waiting, sent, dropped or gave_up.
func (n Notice) State() string {
	switch {
	case n.SentAt.IsSet():
		return "sent"
	case n.DroppedAt.IsSet():
		return "dropped"
	case n.GaveUpAt.IsSet():
		return "gave_up"
	}
	return "waiting"
}

const noticeColumns = `SELECT n.id, n.customer_id, n.order_id, coalesce(n.reservation_id, ''), n.kind, n.occasion, n.created_at,
 n.title, n.text, n.title_en, n.text_en, n.sent_at, n.dropped_at, n.gave_up_at, n.drop_reason, n.tries, n.next_try_at, n.last_error,
 c.name, coalesce(c.phone, '') FROM notices n JOIN customers c ON c.id = n.customer_id `

func (s *Snapshot) notices(where string, args ...any) ([]Notice, error) {
	rows, err := s.Query(noticeColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	defer rows.Close()
	var out []Notice
	for rows.Next() {
		var n Notice
		if err := rows.Scan(&n.ID, &n.CustomerID, &n.OrderID, &n.ReservationID, &n.Kind, &n.Occasion, &n.CreatedAt,
			&n.Title, &n.Text, &n.TitleEN, &n.TextEN, &n.SentAt, &n.DroppedAt, &n.GaveUpAt, &n.DropReason, &n.Tries, &n.NextTryAt, &n.LastError,
			&n.CustomerName, &n.Phone); err != nil {
			return nil, fmt.Errorf("scan notice: %w", err)
		}
		out = append(out, n)
	}
	return out, rows.Err()
}

// NoticesOf pages through a customer's notices, newest first, without those
// whose reason had gone before they were sent; "pay by" stays, as a record.
func (s *Snapshot) NoticesOf(customerID string, until domain.Instant, before Cursor, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.customer_id = ? AND (n.dropped_at IS NULL OR n.kind = 'held') AND n.created_at <= ? AND (n.created_at, n.id) < (?, ?)
		ORDER BY n.created_at DESC, n.id DESC LIMIT ?`, customerID, int64(until), int64(before.At), before.ID, limit)
}

// NoticesOfOrder gives the newest notices of a customer about one order, newest first.
func (s *Snapshot) NoticesOfOrder(customerID, orderID string, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.order_id = ? AND n.customer_id = ? AND (n.dropped_at IS NULL OR n.kind = 'held')
		ORDER BY n.created_at DESC, n.id DESC LIMIT ?`, orderID, customerID, limit)
}

// AllNotices pages through the outbox, newest first.
func (s *Snapshot) AllNotices(until domain.Instant, before Cursor, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.created_at <= ? AND (n.created_at, n.id) < (?, ?)
		ORDER BY n.created_at DESC, n.id DESC LIMIT ?`, int64(until), int64(before.At), before.ID, limit)
}

// Notice gives one notice, or a NotFound refusal.
func (s *Snapshot) Notice(id string) (Notice, error) {
	found, err := s.notices("WHERE n.id = ?", id)
	if err != nil {
		return Notice{}, err
	}
	if len(found) == 0 {
		return Notice{}, domain.Refuse(domain.NotFound, "not_found", "no such notice")
	}
	return found[0], nil
}

// NoticesToSend gives waiting notices whose next try is due and whose id is after a given one.
func (s *Snapshot) NoticesToSend(after string, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.sent_at IS NULL AND n.dropped_at IS NULL AND n.gave_up_at IS NULL AND n.next_try_at <= ?
		AND +n.id > ? ORDER BY +n.id LIMIT ?`, int64(s.Now), after, limit)
}

// QueueNotice puts a notice into the outbox unless the same is there already. Its
// id is the order's and its place among the order's notices, so that those of one
// second keep their order.
func (t *Tx) QueueNotice(n Notice) error {
	_, err := t.Exec(`INSERT INTO notices (id, customer_id, order_id, reservation_id, kind, occasion, created_at,
		title, text, title_en, text_en, next_try_at)
		SELECT ?2 || printf('-n%04d', 1 + (SELECT count(*) FROM notices WHERE order_id = ?2)), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6
		WHERE true ON CONFLICT (order_id, coalesce(reservation_id, ''), kind, occasion) DO NOTHING`,
		n.CustomerID, n.OrderID, orNull(n.ReservationID), n.Kind, n.Occasion, t.Now, n.Title, n.Text, n.TitleEN, n.TextEN)
	if err != nil {
		return fmt.Errorf("queue %s notice: %w", n.Kind, err)
	}
	return nil
}

// LeaseNotice takes a waiting notice for one try: nobody else tries it before
// until. It reports false when somebody else was first.
func (t *Tx) LeaseNotice(id string, until domain.Instant) (bool, error) {
	n, err := t.Affected(`UPDATE notices SET next_try_at = ?, tries = tries + 1
		WHERE id = ? AND sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL AND next_try_at <= ?`, until, id, int64(t.Now))
	if err != nil {
		return false, fmt.Errorf("lease notice: %w", err)
	}
	return n == 1, nil
}

// NoticeSent records that the channel took the message.
func (t *Tx) NoticeSent(id string) error {
	_, err := t.Exec("UPDATE notices SET sent_at = ?, last_error = '' WHERE id = ? AND sent_at IS NULL", t.Now, id)
	return err
}

// NoticeDropped records that the message's reason had gone.
func (t *Tx) NoticeDropped(id, why string) error {
	_, err := t.Exec("UPDATE notices SET dropped_at = ?, drop_reason = ? WHERE id = ? AND sent_at IS NULL", t.Now, why, id)
	return err
}

// NoticeFailed records that so many tries have failed: when to try again, or that it was the last.
func (t *Tx) NoticeFailed(id, problem string, tries int, next domain.Instant, last bool) error {
	var gaveUp domain.Instant
	if last {
		gaveUp = t.Now
	}
	_, err := t.Exec("UPDATE notices SET last_error = ?, tries = max(tries, ?), next_try_at = ?, gave_up_at = ? WHERE id = ? AND sent_at IS NULL",
		problem, tries, next, gaveUp, id)
	return err
}

// ResendNotice puts a notice back into the outbox, whatever became of it.
func (t *Tx) ResendNotice(id string) error {
	return t.one("resend notice", `UPDATE notices SET sent_at = NULL, dropped_at = NULL, gave_up_at = NULL, drop_reason = '',
		tries = 0, next_try_at = ?, last_error = '' WHERE id = ?`, t.Now, id)
}

package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

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
	Facts                                  string // what it is about by name, as JSON
	CustomerName, Phone, OpenID, Email     string
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
 n.facts, c.name, coalesce(c.phone, ''), coalesce(c.openid, ''), coalesce(c.email, '') FROM notices n JOIN customers c ON c.id = n.customer_id `

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
			&n.Facts, &n.CustomerName, &n.Phone, &n.OpenID, &n.Email); err != nil {
			return nil, fmt.Errorf("scan notice: %w", err)
		}
		out = append(out, n)
	}
	return out, rows.Err()
}

// readable leaves out of a customer's list what had lost its reason before it was sent;
// "pay by" stays, as a record, and so does what only no channel could carry.
var readable = "(n.dropped_at IS NULL OR n.kind = 'held' OR n.drop_reason IN ('" + notReached + "'))"

var notReached = strings.Join(domain.WhyNotReached, "','")

// NoticesOf pages through a customer's notices, newest first, without those
// whose reason had gone before they were sent; "pay by" stays, as a record.
func (s *Snapshot) NoticesOf(customerID string, until domain.Instant, before Cursor, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.customer_id = ? AND `+readable+` AND n.created_at <= ? AND (n.created_at, n.id) < (?, ?)
		ORDER BY n.created_at DESC, n.id DESC LIMIT ?`, customerID, int64(until), int64(before.At), before.ID, limit)
}

// NoticesOfOrder gives the newest notices of a customer about one order, newest first.
func (s *Snapshot) NoticesOfOrder(customerID, orderID string, limit int) ([]Notice, error) {
	return s.notices(`WHERE n.order_id = ? AND n.customer_id = ? AND `+readable+`
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

// QueueNotice puts a notice into the outbox, with a delivery by each of the channels,
// unless the same is there already. Its id is the order's and its place among the
// order's notices, so that those of one second keep their order.
func (t *Tx) QueueNotice(n Notice, channels []string) error {
	var id string
	err := t.QueryRow(`INSERT INTO notices (id, customer_id, order_id, reservation_id, kind, occasion, created_at,
		title, text, title_en, text_en, next_try_at, facts)
		SELECT ?2 || printf('-n%04d', 1 + (SELECT count(*) FROM notices WHERE order_id = ?2)), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6, ?11
		WHERE true ON CONFLICT (order_id, coalesce(reservation_id, ''), kind, occasion) DO NOTHING RETURNING id`,
		n.CustomerID, n.OrderID, orNull(n.ReservationID), n.Kind, n.Occasion, t.Now, n.Title, n.Text, n.TitleEN, n.TextEN, n.Facts).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("queue %s notice: %w", n.Kind, err)
	}
	for _, c := range channels {
		if err := t.QueueDelivery(id, "", c); err != nil {
			return err
		}
	}
	return nil
}

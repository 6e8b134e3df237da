package sqlite

import (
	"fmt"
	"strings"

	"courtd/domain"
)

// Delivery is one message on its way by one channel: a notice or an event.
type Delivery struct {
	ID        int64
	Channel   string
	NoticeID  string
	EventID   string
	CreatedAt domain.Instant
	NextTryAt domain.Instant
	Tries     int
	SentAt    domain.Instant
	DroppedAt domain.Instant
	GaveUpAt  domain.Instant
	Why       string // why it was dropped, as a word
	LastError string
}

// State is waiting, sent, dropped or gave_up.
func (d Delivery) State() string {
	switch {
	case d.SentAt.IsSet():
		return "sent"
	case d.DroppedAt.IsSet():
		return "dropped"
	case d.GaveUpAt.IsSet():
		return "gave_up"
	}
	return "waiting"
}

const deliveryColumns = `SELECT d.id, d.channel, coalesce(d.notice_id, ''), coalesce(d.event_id, ''), d.created_at, d.next_try_at, d.tries,
 d.sent_at, d.dropped_at, d.gave_up_at, d.why, d.last_error FROM deliveries d `

const stillWaiting = "d.sent_at IS NULL AND d.dropped_at IS NULL AND d.gave_up_at IS NULL"

func (s *Snapshot) deliveries(where string, args ...any) ([]Delivery, error) {
	rows, err := s.Query(deliveryColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	defer rows.Close()
	var out []Delivery
	for rows.Next() {
		var d Delivery
		if err := rows.Scan(&d.ID, &d.Channel, &d.NoticeID, &d.EventID, &d.CreatedAt, &d.NextTryAt, &d.Tries,
			&d.SentAt, &d.DroppedAt, &d.GaveUpAt, &d.Why, &d.LastError); err != nil {
			return nil, fmt.Errorf("scan delivery: %w", err)
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// DeliveriesDue gives what waits for a channel, is due now and has an id after a given
// one, in id order.
func (s *Snapshot) DeliveriesDue(channel string, after int64, limit int) ([]Delivery, error) {
	return s.deliveries("WHERE d.channel = ? AND "+stillWaiting+" AND d.next_try_at <= ? AND +d.id > ? ORDER BY +d.id LIMIT ?",
		channel, int64(s.Now), after, limit)
}

// DeliveriesOfNotices gives the deliveries of several notices, in the order they were made.
func (s *Snapshot) DeliveriesOfNotices(noticeIDs []string) ([]Delivery, error) {
	if len(noticeIDs) == 0 {
		return nil, nil
	}
	args := make([]any, len(noticeIDs))
	for i, id := range noticeIDs {
		args[i] = id
	}
	return s.deliveries("WHERE d.notice_id IN (?"+strings.Repeat(",?", len(args)-1)+") ORDER BY d.id", args...)
}

// WaitingChannels gives the channels for which something waits, due or not.
func (s *Snapshot) WaitingChannels() ([]string, error) {
	rows, err := s.Query("SELECT DISTINCT d.channel FROM deliveries d INDEXED BY deliveries_outbox WHERE " + stillWaiting)
	if err != nil {
		return nil, fmt.Errorf("read waiting channels: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			return nil, fmt.Errorf("scan channel: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// DeliveryCount is how many messages of a channel wait, and were given up lately.
type DeliveryCount struct{ Waiting, GaveUp int }

// CountDeliveries counts by channel what waits, and what was given up since an instant.
func (s *Snapshot) CountDeliveries(since domain.Instant) (map[string]DeliveryCount, error) {
	rows, err := s.Query(`SELECT channel, sum(waiting), sum(gave_up) FROM (
		SELECT d.channel, 1 AS waiting, 0 AS gave_up FROM deliveries d INDEXED BY deliveries_outbox WHERE `+stillWaiting+`
		UNION ALL
		SELECT d.channel, 0, 1 FROM deliveries d INDEXED BY deliveries_given_up WHERE d.gave_up_at IS NOT NULL AND d.gave_up_at > ?) GROUP BY channel`, int64(since))
	if err != nil {
		return nil, fmt.Errorf("count deliveries: %w", err)
	}
	defer rows.Close()
	out := map[string]DeliveryCount{}
	for rows.Next() {
		var channel string
		var n DeliveryCount
		if err := rows.Scan(&channel, &n.Waiting, &n.GaveUp); err != nil {
			return nil, fmt.Errorf("scan count: %w", err)
		}
		out[channel] = n
	}
	return out, rows.Err()
}

// QueueDelivery sends a notice or an event on its way by a channel, once.
func (t *Tx) QueueDelivery(noticeID, eventID, channel string) error {
	_, err := t.Exec(`INSERT INTO deliveries (notice_id, event_id, channel, created_at, next_try_at) VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING`,
		orNull(noticeID), orNull(eventID), channel, t.Now, t.Now)
	if err != nil {
		return fmt.Errorf("queue delivery by %s: %w", channel, err)
	}
	return nil
}

// LeaseDelivery takes a waiting delivery for one try: nobody else tries it before
// until. It reports false when somebody else was first.
func (t *Tx) LeaseDelivery(id int64, until domain.Instant) (bool, error) {
	n, err := t.Affected(`UPDATE deliveries AS d SET next_try_at = ?, tries = tries + 1 WHERE d.id = ? AND `+stillWaiting+` AND d.next_try_at <= ?`,
		until, id, int64(t.Now))
	if err != nil {
		return false, fmt.Errorf("lease delivery: %w", err)
	}
	return n == 1, nil
}

// DeliverySent records that the channel took the message.
func (t *Tx) DeliverySent(d Delivery) error {
	_, err := t.Exec("UPDATE deliveries AS d SET sent_at = ?, last_error = '' WHERE d.id = ? AND "+stillWaiting, t.Now, d.ID)
	if err != nil {
		return fmt.Errorf("delivery sent: %w", err)
	}
	return t.sumUp(d.NoticeID)
}

// DeliveryDropped records that the message will not go out this way: why is a word,
// problem what the channel said, if it was asked.
func (t *Tx) DeliveryDropped(d Delivery, why, problem string) error {
	_, err := t.Exec("UPDATE deliveries AS d SET dropped_at = ?, why = ?, last_error = ? WHERE d.id = ? AND "+stillWaiting, t.Now, why, problem, d.ID)
	if err != nil {
		return fmt.Errorf("delivery dropped: %w", err)
	}
	return t.sumUp(d.NoticeID)
}

// DeliveryFailed records that so many tries have failed: when to try again, or that it
// was the last.
func (t *Tx) DeliveryFailed(d Delivery, problem string, tries int, next domain.Instant, last bool) error {
	var gaveUp domain.Instant
	if last {
		gaveUp = t.Now
	}
	_, err := t.Exec("UPDATE deliveries AS d SET last_error = ?, tries = max(tries, ?), next_try_at = ?, gave_up_at = ? WHERE d.id = ? AND "+stillWaiting,
		problem, tries, next, gaveUp, d.ID)
	if err != nil {
		return fmt.Errorf("delivery failed: %w", err)
	}
	return t.sumUp(d.NoticeID)
}

// PutOffDelivery gives a delivery back that was not tried, to be tried at next.
func (t *Tx) PutOffDelivery(id int64, next domain.Instant) error {
	_, err := t.Exec("UPDATE deliveries AS d SET next_try_at = ? WHERE d.id = ? AND "+stillWaiting, next, id)
	if err != nil {
		return fmt.Errorf("put off delivery: %w", err)
	}
	return nil
}

// sumUp writes on a notice what has become of its deliveries together: sent when one
// arrived; when none is left waiting, given up if one was, else dropped. Of several words
// for why it was dropped that counts which says that it was not true any more.
func (t *Tx) sumUp(noticeID string) error {
	if noticeID == "" {
		return nil
	}
	_, err := t.Exec(`UPDATE notices SET
		tries = x.tries, last_error = x.problem, next_try_at = coalesce(x.next_try_at, notices.next_try_at),
		sent_at = coalesce(notices.sent_at, x.sent_at),
		gave_up_at = CASE WHEN x.sent_at IS NULL AND x.waiting = 0 THEN x.gave_up_at END,
		dropped_at = CASE WHEN x.sent_at IS NULL AND x.waiting = 0 AND x.gave_up_at IS NULL THEN x.dropped_at END,
		drop_reason = CASE WHEN x.sent_at IS NULL AND x.waiting = 0 AND x.gave_up_at IS NULL THEN x.why ELSE '' END
		FROM (SELECT max(d.tries) AS tries, coalesce((SELECT e.last_error FROM deliveries e WHERE e.notice_id = ?1 AND e.last_error <> '' ORDER BY e.id DESC LIMIT 1), '') AS problem, min(d.sent_at) AS sent_at, max(d.gave_up_at) AS gave_up_at,
			max(d.dropped_at) AS dropped_at,
			coalesce((SELECT e.why FROM deliveries e WHERE e.notice_id = ?1 AND e.dropped_at IS NOT NULL ORDER BY e.why IN ('`+notReached+`'), e.id LIMIT 1), '') AS why, sum(`+stillWaiting+`) AS waiting,
			min(CASE WHEN `+stillWaiting+` THEN d.next_try_at END) AS next_try_at
			FROM deliveries d WHERE d.notice_id = ?1) AS x
		WHERE notices.id = ?1`, noticeID)
	if err != nil {
		return fmt.Errorf("sum up notice: %w", err)
	}
	return nil
}

// Resend puts all deliveries of a notice back into the outbox, whatever became of them,
// as if they were made now: a channel that does not work has its whole time again.
func (t *Tx) Resend(noticeID string) error {
	if err := t.one("resend notice", `UPDATE notices SET sent_at = NULL, dropped_at = NULL, gave_up_at = NULL, drop_reason = '',
		tries = 0, next_try_at = ?, last_error = '' WHERE id = ?`, t.Now, noticeID); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE deliveries SET sent_at = NULL, dropped_at = NULL, gave_up_at = NULL, why = '', tries = 0,
		created_at = ?1, next_try_at = ?1, last_error = '' WHERE notice_id = ?2`, t.Now, noticeID)
	if err != nil {
		return fmt.Errorf("resend notice: %w", err)
	}
	return nil
}

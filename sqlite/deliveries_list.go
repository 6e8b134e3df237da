package sqlite

import (
	"fmt"

	"courtd/domain"
)

// DeliveryRow is a delivery with what it is about, for people who look for it.
type DeliveryRow struct {
	Delivery
	Kind        string // of the notice or the event
	OrderID     string
	OrderNumber string
	Name, Phone string // of the customer; an event names none
}

// DeliveryLook is which deliveries are looked for: by a channel or by all, in a state or
// in any. Before is where the page before ended; zero is the newest.
type DeliveryLook struct {
	Channel, State string
	Before         int64
}

// deliveryStates are the states as the table has them.
var deliveryStates = map[string]string{
	"":        "true",
	"waiting": stillWaiting,
	"sent":    "d.sent_at IS NOT NULL",
	"dropped": "d.dropped_at IS NOT NULL",
	"gave_up": "d.gave_up_at IS NOT NULL",
}

// DeliveriesLike gives deliveries newest first, limit of them at most, and how far it has
// looked: the id before which the next page begins, or 0 when there are no older ones.
// What waits is found by its own index. For any other state the newest among so many are
// looked through: years of rows are never read at once.
func (s *Snapshot) DeliveriesLike(look DeliveryLook, among, limit int) (rows []DeliveryRow, next int64, err error) {
	state, known := deliveryStates[look.State]
	if !known {
		return nil, 0, domain.BadField("state", `must be "waiting", "gave_up", "sent" or "dropped"`)
	}
	before := look.Before
	if before == 0 {
		before = 1<<63 - 1
	}
	from, args := "deliveries d WHERE d.id < ?", []any{before}
	if look.Channel != "" {
		from, args = "deliveries d WHERE d.channel = ? AND d.id < ?", []any{look.Channel, before}
	}
	if look.State == "waiting" {
		return s.deliveryRows("SELECT d.id FROM "+indexed(from, "deliveries_outbox")+" AND "+stillWaiting+" ORDER BY +d.id DESC LIMIT ?", limit, append(args, limit+1)...)
	}
	rows, next, err = s.deliveryRows("SELECT d.id FROM (SELECT * FROM "+from+" ORDER BY d.id DESC LIMIT ?) d WHERE "+state+" ORDER BY d.id DESC LIMIT ?",
		limit, append(args, among, limit+1)...)
	if err != nil || next != 0 || look.State == "" {
		return rows, next, err
	}
	// Not enough among those: say where to look further.
	err = s.QueryRow("SELECT coalesce(min(id), 0) FROM (SELECT d.id FROM "+from+" ORDER BY d.id DESC LIMIT ? OFFSET ?)",
		append(args, 1, among-1)...).Scan(&next)
	if err != nil {
		return nil, 0, fmt.Errorf("look for deliveries: %w", err)
	}
	return rows, next, nil
}

// indexed names the index that a part of a query goes by.
func indexed(from, index string) string {
	const table = "deliveries d"
	return table + " INDEXED BY " + index + from[len(table):]
}

// deliveryRows reads what an inner query names; it asks for one more than limit to see
// whether there are more.
func (s *Snapshot) deliveryRows(ids string, limit int, args ...any) (out []DeliveryRow, next int64, err error) {
	rows, err := s.Query(`SELECT d.id, d.channel, coalesce(d.notice_id, ''), coalesce(d.event_id, ''), d.created_at, d.next_try_at, d.tries,
		d.sent_at, d.dropped_at, d.gave_up_at, d.why, d.last_error, coalesce(n.kind, e.kind, ''),
		coalesce(o.id, json_extract(e.payload, '$.order'), ''), coalesce(o.number, json_extract(e.payload, '$.number'), ''),
		coalesce(c.name, ''), coalesce(c.phone, '')
		FROM deliveries d LEFT JOIN notices n ON n.id = d.notice_id LEFT JOIN orders o ON o.id = n.order_id
		LEFT JOIN customers c ON c.id = n.customer_id LEFT JOIN events e ON e.id = d.event_id
		WHERE d.id IN (`+ids+`) ORDER BY d.id DESC`, args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list deliveries: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d DeliveryRow
		if err := rows.Scan(&d.ID, &d.Channel, &d.NoticeID, &d.EventID, &d.CreatedAt, &d.NextTryAt, &d.Tries,
			&d.SentAt, &d.DroppedAt, &d.GaveUpAt, &d.Why, &d.LastError, &d.Kind, &d.OrderID, &d.OrderNumber, &d.Name, &d.Phone); err != nil {
			return nil, 0, fmt.Errorf("scan delivery: %w", err)
		}
		out = append(out, d)
	}
	if len(out) > limit {
		out, next = out[:limit], out[limit-1].ID
	}
	return out, next, rows.Err()
}

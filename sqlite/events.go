package sqlite

import (
	"encoding/json"
	"fmt"

	"courtd/domain"
)

// Event is something that happened, as the venue's own software is told. Its id
// follows from kind, subject and occasion, so that it happens once.
type Event struct {
	ID, Kind string
	About    string // the order or reservation
	At       domain.Instant
	Payload  string // JSON
}

// QueueEvent writes an event down. It reports false when it is there already.
func (t *Tx) QueueEvent(e Event) (bool, error) {
	n, err := t.Affected("INSERT INTO events (id, kind, about, at, payload) VALUES (?,?,?,?,?) ON CONFLICT (id) DO NOTHING",
		e.ID, e.Kind, e.About, t.Now, e.Payload)
	if err != nil {
		return false, fmt.Errorf("queue event: %w", err)
	}
	return n == 1, nil
}

// Event gives one event, or a NotFound refusal.
func (s *Snapshot) Event(id string) (Event, error) {
	found, err := s.events("WHERE id = ?", id)
	if err != nil {
		return Event{}, err
	}
	if len(found) == 0 {
		return Event{}, domain.Refuse(domain.NotFound, "not_found", "no such event")
	}
	return found[0], nil
}

// EventsBetween gives events of some kinds that happened in [from, to), oldest first.
func (s *Snapshot) EventsBetween(kinds []string, from, to domain.Instant, limit int) ([]Event, error) {
	list, err := json.Marshal(kinds)
	if err != nil {
		return nil, fmt.Errorf("kinds of events: %w", err)
	}
	return s.events("WHERE at >= ? AND at < ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY at, id LIMIT ?",
		int64(from), int64(to), string(list), limit)
}

func (s *Snapshot) events(where string, args ...any) ([]Event, error) {
	rows, err := s.Query("SELECT id, kind, about, at, payload FROM events "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	var out []Event
	for rows.Next() {
		var e Event
		if err := rows.Scan(&e.ID, &e.Kind, &e.About, &e.At, &e.Payload); err != nil {
			return nil, fmt.Errorf("scan event: %w", err)
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// Replay sends an event on its way to a channel once more, whatever became of it.
func (t *Tx) Replay(eventID, channel string) error {
	_, err := t.Exec(`INSERT INTO deliveries (event_id, channel, created_at, next_try_at) VALUES (?1, ?2, ?3, ?3)
		ON CONFLICT (event_id, channel) WHERE event_id IS NOT NULL DO UPDATE SET sent_at = NULL, dropped_at = NULL, gave_up_at = NULL,
		why = '', tries = 0, created_at = ?3, next_try_at = ?3, last_error = ''`, eventID, channel, t.Now)
	if err != nil {
		return fmt.Errorf("replay event: %w", err)
	}
	return nil
}

// ForgetEvents forgets events from before an instant, with their deliveries, except
// those that still wait.
func (t *Tx) ForgetEvents(before domain.Instant, limit int) error {
	const old = `SELECT e.id FROM events e WHERE e.at < ?1
		AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND ` + stillWaiting + `) ORDER BY e.at, e.id LIMIT ?2`
	if _, err := t.Exec("DELETE FROM deliveries WHERE event_id IN ("+old+")", before, limit); err != nil {
		return fmt.Errorf("forget deliveries of events: %w", err)
	}
	if _, err := t.Exec("DELETE FROM events WHERE id IN ("+old+")", before, limit); err != nil {
		return fmt.Errorf("forget events: %w", err)
	}
	return nil
}

package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"courtd/domain"
)

// Venue is how the club is set up.
type Venue struct {
	Version  int64
	Name     string
	Zone     string // IANA name
	Currency string
	Address  string
	Phone    string
	Policy   domain.Policy
	Calendar domain.Calendar
	Prices   domain.PriceRules
	Messages domain.Messages
	Courts   []Court // in their order, those that are not sold any more too; nobody changes it
}

// Court is one court; inactive courts are no longer sold.
type Court struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Position int    `json:"position"`
	Active   bool   `json:"active"`
}

// Venue reads the set-up; false when the database has not been set up yet. What
// was parsed is kept until its version changes, which any change of a court counts up too
// (triggers courts_touch).
func (s *Snapshot) Venue() (Venue, bool, error) {
	if s.venue != nil { // as this command or read has seen or left it
		return *s.venue, true, nil
	}
	v, found, err := s.readVenue()
	if err == nil && found {
		s.venue = &v
	}
	return v, found, err
}

func (s *Snapshot) readVenue() (Venue, bool, error) {
	var v Venue
	err := s.QueryRow("SELECT version FROM venue").Scan(&v.Version)
	if errors.Is(err, sql.ErrNoRows) {
		return Venue{}, false, nil
	}
	if err != nil {
		return Venue{}, false, fmt.Errorf("read venue: %w", err)
	}
	if kept := s.db.venue.Load(); kept != nil && kept.Version == v.Version {
		return *kept, true, nil
	}
	var policy, hours, prices, messages []byte
	err = s.QueryRow("SELECT name, zone, currency, address, phone, policy, hours, price_rules, messages FROM venue").
		Scan(&v.Name, &v.Zone, &v.Currency, &v.Address, &v.Phone, &policy, &hours, &prices, &messages)
	if err != nil {
		return Venue{}, false, fmt.Errorf("read venue: %w", err)
	}
	for _, part := range []struct {
		name string
		from []byte
		to   any
	}{{"policy", policy, &v.Policy}, {"hours", hours, &v.Calendar.Hours}, {"price rules", prices, &v.Prices}, {"messages", messages, &v.Messages}} {
		if err := json.Unmarshal(part.from, part.to); err != nil {
			return Venue{}, false, fmt.Errorf("venue %s: %w", part.name, err)
		}
	}
	if v.Calendar.Zone, err = time.LoadLocation(v.Zone); err != nil {
		return Venue{}, false, fmt.Errorf("venue zone: %w", err)
	}
	if v.Courts, err = s.readCourts(); err != nil {
		return Venue{}, false, err
	}
	if !s.writing {
		s.db.venue.Store(&v)
	}
	return v, true, nil
}

// PutVenue writes the set-up and what the views need of it: the grid of the days
// around now and the zone's offsets.
func (t *Tx) PutVenue(v Venue) error {
	policy, err := json.Marshal(v.Policy)
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	hours, err := json.Marshal(v.Calendar.Hours)
	if err != nil {
		return fmt.Errorf("hours: %w", err)
	}
	prices, err := json.Marshal(v.Prices)
	if err != nil {
		return fmt.Errorf("price rules: %w", err)
	}
	messages, err := json.Marshal(v.Messages)
	if err != nil {
		return fmt.Errorf("messages: %w", err)
	}
	t.venue = nil
	_, err = t.Exec(`INSERT INTO venue (id, version, name, zone, currency, address, phone, policy, hours, price_rules, messages)
		VALUES (1, 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
		ON CONFLICT (id) DO UPDATE SET version = version + 1, name = ?1, zone = ?2, currency = ?3, address = ?4, phone = ?5,
		policy = ?6, hours = ?7, price_rules = ?8, messages = ?9`,
		v.Name, v.Zone, v.Currency, v.Address, v.Phone, string(policy), string(hours), string(prices), string(messages))
	if err != nil {
		return fmt.Errorf("put venue: %w", err)
	}
	return t.PutGrid(v)
}

// PutMessages writes how the venue tells people things.
func (t *Tx) PutMessages(m domain.Messages) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("messages: %w", err)
	}
	t.venue = nil
	return t.one("put messages", "UPDATE venue SET version = version + 1, messages = ? WHERE id = 1", string(text))
}

// PutGrid writes the days from a month ago to the end of the longest booking
// window and as long again, for the views alone.
func (t *Tx) PutGrid(v Venue) error {
	if _, err := t.Exec("DELETE FROM grid_days"); err != nil {
		return fmt.Errorf("clear grid: %w", err)
	}
	today := v.Calendar.LocalDate(t.Now)
	for n := -31; n <= 2*domain.MaxDaysAhead; n++ {
		day := today.AddDays(n)
		slots := v.Calendar.Slots(day)
		span, _ := v.Calendar.Span(day)
		if len(slots) == 0 {
			continue
		}
		if _, err := t.Exec("INSERT INTO grid_days (day, opens_at, closes_at, slot_seconds, bookable_from) VALUES (?,?,?,?,?)",
			day.String(), slots[0].Start, span.End, int64(slots[0].End-slots[0].Start),
			v.Policy.BookingOpens(v.Calendar, day)); err != nil {
			return fmt.Errorf("grid of %s: %w", day, err)
		}
	}
	if _, err := t.Exec("DELETE FROM zone_offsets"); err != nil {
		return fmt.Errorf("clear zone offsets: %w", err)
	}
	const year = 366 * 24 * time.Hour
	for i, o := range v.Calendar.Transitions(t.Now.Add(-10*year), t.Now.Add(30*year)) {
		from := int64(o.From)
		if i == 0 {
			from = 0
		}
		if _, err := t.Exec("INSERT INTO zone_offsets (from_at, seconds) VALUES (?,?)", from, o.Seconds); err != nil {
			return fmt.Errorf("zone offset: %w", err)
		}
	}
	return nil
}

// KeepGrid writes the views' days anew when those that were written begin to run out.
func (t *Tx) KeepGrid(v Venue) error {
	var last string
	if err := t.QueryRow("SELECT coalesce(max(day), '') FROM grid_days").Scan(&last); err != nil {
		return fmt.Errorf("last day of the grid: %w", err)
	}
	if last >= v.Calendar.LocalDate(t.Now).AddDays(domain.MaxDaysAhead+7).String() {
		return nil
	}
	return t.PutGrid(v)
}

// Courts gives all courts in the order the owner set.
func (s *Snapshot) Courts() ([]Court, error) {
	v, found, err := s.Venue()
	if err != nil || found {
		return slices.Clone(v.Courts), err
	}
	return s.readCourts() // of a venue that is just being set up
}

func (s *Snapshot) readCourts() ([]Court, error) {
	rows, err := s.Query("SELECT id, name, position, active FROM courts ORDER BY position, id")
	if err != nil {
		return nil, fmt.Errorf("read courts: %w", err)
	}
	defer rows.Close()
	var out []Court
	for rows.Next() {
		var c Court
		if err := rows.Scan(&c.ID, &c.Name, &c.Position, &c.Active); err != nil {
			return nil, fmt.Errorf("scan court: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// PutCourt adds a court or changes its name, place and whether it is sold.
func (t *Tx) PutCourt(c Court) error {
	t.venue = nil
	_, err := t.Exec(`INSERT INTO courts (id, name, position, active) VALUES (?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, position = excluded.position, active = excluded.active`,
		c.ID, c.Name, c.Position, c.Active)
	if err != nil {
		return fmt.Errorf("put court: %w", err)
	}
	return nil
}

// Meta gives a setting of the database itself, "" when it is not set.
func (s *Snapshot) Meta(key string) (string, error) {
	var v string
	err := s.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return v, err
}

// SetMeta sets it.
func (t *Tx) SetMeta(key, value string) error {
	_, err := t.Exec("INSERT INTO meta (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	return err
}

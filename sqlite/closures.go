package sqlite

import (
	"fmt"
	"strings"

	"courtd/domain"
)

// ClosuresBetween gives every closure, lifted or not, that touches [from, to).
func (s *Snapshot) ClosuresBetween(from, to domain.Instant) ([]domain.Closure, error) {
	return s.closures("WHERE k.to_at > ? AND k.from_at < ? ORDER BY k.from_at, k.id", int64(from), int64(to))
}

// ClosuresNotOver gives the closures that stand and have not ended, for the owner.
func (s *Snapshot) ClosuresNotOver() ([]domain.Closure, error) {
	return s.closures("WHERE k.to_at > ? AND k.lifted_at IS NULL ORDER BY k.from_at, k.id", int64(s.Now))
}

// ClosuresDone gives closures that are over or were lifted, the last made first.
func (s *Snapshot) ClosuresDone(skip, limit int) ([]domain.Closure, error) {
	return s.closures("WHERE k.to_at <= ? OR k.lifted_at IS NOT NULL ORDER BY k.made_at DESC, k.id LIMIT ? OFFSET ?", int64(s.Now), limit, skip)
}

// Closure gives one closure, or a NotFound refusal.
func (s *Snapshot) Closure(id string) (domain.Closure, error) {
	found, err := s.closures("WHERE k.id = ?", id)
	if err != nil {
		return domain.Closure{}, err
	}
	if len(found) == 0 {
		return domain.Closure{}, domain.Refuse(domain.NotFound, "not_found", "no such closure")
	}
	return found[0], nil
}

func (s *Snapshot) closures(where string, args ...any) ([]domain.Closure, error) {
	rows, err := s.Query(`SELECT k.id, k.from_at, k.to_at, k.reason, k.made_at, coalesce(k.made_by, ''), k.lifted_at, coalesce(k.lifted_by, ''),
		(SELECT group_concat(court_id) FROM closure_courts WHERE closure_id = k.id) FROM closures k `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read closures: %w", err)
	}
	defer rows.Close()
	var out []domain.Closure
	for rows.Next() {
		var c domain.Closure
		var courts string
		if err := rows.Scan(&c.ID, &c.From, &c.To, &c.Reason, &c.MadeAt, &c.MadeBy, &c.LiftedAt, &c.LiftedBy, &courts); err != nil {
			return nil, fmt.Errorf("scan closure: %w", err)
		}
		c.Courts = strings.Split(courts, ",")
		out = append(out, c)
	}
	return out, rows.Err()
}

// InsertClosure takes courts out of sale from now on.
func (t *Tx) InsertClosure(c domain.Closure) error {
	if _, err := t.Exec("INSERT INTO closures (id, from_at, to_at, reason, made_at, made_by) VALUES (?,?,?,?,?,?)",
		c.ID, c.From, c.To, c.Reason, t.Now, orNull(c.MadeBy)); err != nil {
		return fmt.Errorf("insert closure: %w", err)
	}
	for _, court := range c.Courts {
		if _, err := t.Exec("INSERT INTO closure_courts (closure_id, court_id) VALUES (?,?)", c.ID, court); err != nil {
			return fmt.Errorf("insert closure court: %w", err)
		}
	}
	return nil
}

// LiftClosure puts the courts back on sale. It reports false when that had been done.
func (t *Tx) LiftClosure(id, staffID string) (bool, error) {
	n, err := t.Affected("UPDATE closures SET lifted_at = ?, lifted_by = ? WHERE id = ? AND lifted_at IS NULL", t.Now, orNull(staffID), id)
	if err != nil {
		return false, fmt.Errorf("lift closure: %w", err)
	}
	return n == 1, nil
}

package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"courtd/domain"
)

// AuditRow is one act of the desk or the owner.
type AuditRow struct {
	ID          int64          `json:"id"`
	At          domain.Instant `json:"-"`
	Actor, Role string
	Action      string
	Target      string
	Reason      string
	Detail      map[string]any
}

// Audit records who did what, when and why.
func (t *Tx) Audit(a AuditRow) error {
	detail := []byte("{}")
	if a.Detail != nil {
		var err error
		if detail, err = json.Marshal(a.Detail); err != nil {
			return fmt.Errorf("audit detail: %w", err)
		}
	}
	if _, err := t.Exec("INSERT INTO audit (at, actor, role, action, target, reason, detail) VALUES (?,?,?,?,?,?,?)",
		t.Now, a.Actor, a.Role, a.Action, a.Target, a.Reason, string(detail)); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return nil
}

// AuditSearch narrows the audit down; what is empty narrows nothing.
type AuditSearch struct {
	Text        string // somewhere in what was done, to what, by whom, why, its details, or the number of its order
	Actor       string // an id
	Action      string
	From, Until domain.Instant
}

// ReasonFor is what was given as the reason of the latest act on a target; of an act on
// one of an order's reservations it is the one that names the reservation. Empty when
// there is no such act.
func (s *Snapshot) ReasonFor(action, target, reservation string) (string, error) {
	var reason string
	err := s.QueryRow(`SELECT reason FROM audit WHERE target = ?1 AND action = ?2
		AND (?3 = '' OR ?3 IN (SELECT value FROM json_each(detail, '$.more'))) ORDER BY id DESC LIMIT 1`, target, action, reservation).Scan(&reason)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read reason of %s: %w", action, err)
	}
	return reason, nil
}

// AuditNamed is an act with the name that whoever did it has now.
type AuditNamed struct {
	AuditRow
	ActorName string
}

// AuditBefore pages through the acts that a search finds, newest first; 0 starts
// at the newest.
func (s *Snapshot) AuditBefore(id int64, find AuditSearch, limit int) ([]AuditNamed, error) {
	if id == 0 {
		id = 1 << 62
	}
	until := find.Until
	if !until.IsSet() {
		until = domain.Never
	}
	text, inDetail, err := auditPatterns(find.Text)
	if err != nil {
		return nil, err
	}
	rows, err := s.Query(`SELECT a.id, a.at, a.actor, a.role, a.action, a.target, a.reason, a.detail, coalesce(m.name, c.name, '')
		FROM audit a LEFT JOIN staff m ON m.id = a.actor LEFT JOIN customers c ON c.id = a.actor
		WHERE a.id < ?1 AND (?2 = '' OR a.actor = ?2) AND a.at >= ?3 AND a.at < ?4 AND (?8 = '' OR a.action = ?8)
		AND (?5 = '%%' OR a.action LIKE ?5 ESCAPE '\' OR a.target LIKE ?5 ESCAPE '\' OR a.reason LIKE ?5 ESCAPE '\' OR a.actor LIKE ?5 ESCAPE '\'
			OR coalesce(m.name, c.name) LIKE ?5 ESCAPE '\' OR a.detail LIKE ?6 ESCAPE '\'
			OR (SELECT o.number FROM orders o WHERE o.id = coalesce(a.detail ->> 'order', a.target)) LIKE ?5 ESCAPE '\')
		ORDER BY a.id DESC LIMIT ?7`, id, find.Actor, int64(find.From), int64(until), text, inDetail, limit, find.Action)
	if err != nil {
		return nil, fmt.Errorf("read audit: %w", err)
	}
	defer rows.Close()
	var out []AuditNamed
	for rows.Next() {
		var a AuditNamed
		var detail []byte
		if err := rows.Scan(&a.ID, &a.At, &a.Actor, &a.Role, &a.Action, &a.Target, &a.Reason, &detail, &a.ActorName); err != nil {
			return nil, fmt.Errorf("scan audit: %w", err)
		}
		if err := json.Unmarshal(detail, &a.Detail); err != nil {
			return nil, fmt.Errorf("audit detail: %w", err)
		}
		out = append(out, a)
	}
	return out, rows.Err()
}

// auditPatterns makes LIKE patterns that find a text as it is. Details are kept as
// JSON, where some characters are written otherwise, and the text likewise.
func auditPatterns(text string) (plain, inDetail string, err error) {
	quoted, err := json.Marshal(text)
	if err != nil {
		return "", "", fmt.Errorf("audit search: %w", err)
	}
	literally := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	around := func(text string) string { return "%" + literally.Replace(text) + "%" }
	return around(text), around(string(quoted[1 : len(quoted)-1])), nil
}

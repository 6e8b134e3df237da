package sqlite

import (
	"encoding/json"
	"fmt"

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

// AuditBefore pages through the audit, newest first; 0 starts at the newest.
func (s *Snapshot) AuditBefore(id int64, limit int) ([]AuditRow, error) {
	if id == 0 {
		id = 1 << 62
	}
	rows, err := s.Query("SELECT id, at, actor, role, action, target, reason, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?", id, limit)
	if err != nil {
		return nil, fmt.Errorf("read audit: %w", err)
	}
	defer rows.Close()
	var out []AuditRow
	for rows.Next() {
		var a AuditRow
		var detail []byte
		if err := rows.Scan(&a.ID, &a.At, &a.Actor, &a.Role, &a.Action, &a.Target, &a.Reason, &detail); err != nil {
			return nil, fmt.Errorf("scan audit: %w", err)
		}
		if err := json.Unmarshal(detail, &a.Detail); err != nil {
			return nil, fmt.Errorf("audit detail: %w", err)
		}
		out = append(out, a)
	}
	return out, rows.Err()
}

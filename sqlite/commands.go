package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"courtd/domain"
)

// Answered gives what was stored for a command after an instant, and whether
// it has been carried out.
func (s *Snapshot) Answered(commandID string, after domain.Instant) (bodyHash, result string, found bool, err error) {
	err = s.QueryRow("SELECT body_hash, result FROM commands WHERE id = ? AND at > ?", commandID, int64(after)).Scan(&bodyHash, &result)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", false, nil
	}
	if err != nil {
		return "", "", false, fmt.Errorf("look up command: %w", err)
	}
	return bodyHash, result, true, nil
}

// KeepAnswer stores what a command came to; an answer that is too old to be
// given again makes way.
func (t *Tx) KeepAnswer(commandID, bodyHash, result string) error {
	if _, err := t.Exec("INSERT OR REPLACE INTO commands (id, at, body_hash, result) VALUES (?,?,?,?)", commandID, t.Now, bodyHash, result); err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

// Purge forgets answers, sessions, codes and browsers that nobody may use any more.
// The tries at a code go with it.
func (t *Tx) Purge(answersBefore, codesBefore, secretsBefore domain.Instant) (int64, error) {
	var sum int64
	for _, q := range []struct {
		query string
		arg   domain.Instant
	}{
		{"DELETE FROM commands WHERE id IN (SELECT id FROM commands WHERE at < ? LIMIT 500)", answersBefore},
		{"DELETE FROM login_codes WHERE id IN (SELECT id FROM login_codes WHERE created_at < ? LIMIT 500)", codesBefore},
		{"DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE expires_at < ? LIMIT 500)", secretsBefore},
		{"DELETE FROM known_browsers WHERE rowid IN (SELECT rowid FROM known_browsers WHERE expires_at < ? LIMIT 500)", secretsBefore},
		{"DELETE FROM reconciler_runs WHERE ended_at < ? AND id < (SELECT max(id) FROM reconciler_runs WHERE ok = 1)", secretsBefore},
	} {
		n, err := t.Affected(q.query, int64(q.arg))
		if err != nil {
			return sum, fmt.Errorf("purge: %w", err)
		}
		sum += n
	}
	return sum, nil
}

package sqlite

import (
	"fmt"

	"courtd/domain"
)

// KnowsBrowser says whether the token with a hash is known for whoever has a user name.
// Those of somebody who is dismissed are gone: see ForgetStaffBrowsers.
func (s *Snapshot) KnowsBrowser(tokenHash, username string) (bool, error) {
	var known bool
	err := s.QueryRow(`SELECT EXISTS (SELECT 1 FROM known_browsers b JOIN staff m ON m.id = b.staff_id
		WHERE b.token_hash = ? AND b.expires_at > ? AND m.username = ?)`, tokenHash, int64(s.Now), username).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("look up a browser: %w", err)
	}
	return known, nil
}

// RenewBrowser has a browser that is known for a staff member be so for longer, and
// says whether it was.
func (t *Tx) RenewBrowser(tokenHash, staffID string, expires domain.Instant) (bool, error) {
	n, err := t.Affected("UPDATE known_browsers SET expires_at = ? WHERE token_hash = ? AND staff_id = ? AND expires_at > ?",
		expires, tokenHash, staffID, int64(t.Now))
	return n == 1, err
}

// MoveBrowser gives a browser another token for everybody whom it is known for.
func (t *Tx) MoveBrowser(oldHash, newHash string) error {
	if _, err := t.Exec("UPDATE known_browsers SET token_hash = ? WHERE token_hash = ?", newHash, oldHash); err != nil {
		return fmt.Errorf("give a browser another token: %w", err)
	}
	return nil
}

// InsertBrowser has a browser be known for a staff member, who keeps at most so many:
// those where they have signed in last.
func (t *Tx) InsertBrowser(tokenHash, staffID string, expires domain.Instant, most int) error {
	if _, err := t.Exec("INSERT OR REPLACE INTO known_browsers (token_hash, staff_id, created_at, expires_at) VALUES (?,?,?,?)",
		tokenHash, staffID, t.Now, expires); err != nil {
		return fmt.Errorf("insert known browser: %w", err)
	}
	if _, err := t.Exec(`DELETE FROM known_browsers WHERE staff_id = ? AND rowid NOT IN (SELECT rowid FROM known_browsers
		WHERE staff_id = ? ORDER BY token_hash = ? DESC, expires_at DESC, rowid DESC LIMIT ?)`, staffID, staffID, tokenHash, most); err != nil {
		return fmt.Errorf("forget old browsers: %w", err)
	}
	return nil
}

// ForgetStaffBrowsers has no browser be known for a staff member any more.
func (t *Tx) ForgetStaffBrowsers(staffID string) error {
	if _, err := t.Exec("DELETE FROM known_browsers WHERE staff_id = ?", staffID); err != nil {
		return fmt.Errorf("forget a staff member's browsers: %w", err)
	}
	return nil
}

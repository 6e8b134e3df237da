package sqlite

import (
	"fmt"

	"courtd/domain"
)

// LoginCode is a code that was sent to a phone and has been neither used nor ended.
type LoginCode struct {
	ID, Phone, CodeHash string
	AskedFrom           string // a hash of the phone and the address that asked for it
	Place               string // a hash of that address alone
	CreatedAt           domain.Instant
	ExpiresAt           domain.Instant
	Tries               int // wrong ones, from everywhere
	TriesFrom           int // those from the address that was asked about
}

// InsertLoginCode keeps a code that is about to be sent. Earlier codes of the same
// phone that the same address asked for end with it; those of others are not in its
// hands.
func (t *Tx) InsertLoginCode(c LoginCode) error {
	if _, err := t.Exec("UPDATE login_codes SET expires_at = ? WHERE phone = ? AND asked_from = ? AND used_at IS NULL AND expires_at > ?",
		t.Now, c.Phone, c.AskedFrom, int64(t.Now)); err != nil {
		return fmt.Errorf("end earlier login codes: %w", err)
	}
	if _, err := t.Exec("INSERT INTO login_codes (id, phone, code_hash, asked_from, place, created_at, expires_at) VALUES (?,?,?,?,?,?,?)",
		c.ID, c.Phone, c.CodeHash, c.AskedFrom, c.Place, t.Now, c.ExpiresAt); err != nil {
		return fmt.Errorf("insert login code: %w", err)
	}
	return nil
}

// LoginCodes gives the codes of a phone that are neither used nor ended, the newest
// first, with the wrong tries from an address, which is known by its hash.
func (s *Snapshot) LoginCodes(phone, fromHash string) ([]LoginCode, error) {
	rows, err := s.Query(`SELECT c.id, c.phone, c.code_hash, c.asked_from, c.created_at, c.expires_at, c.tries, coalesce(t.tries, 0)
		FROM login_codes c LEFT JOIN login_code_tries t ON t.code_id = c.id AND t.from_hash = ?
		WHERE c.phone = ? AND c.used_at IS NULL AND c.expires_at > ? ORDER BY c.created_at DESC, c.id DESC`, fromHash, phone, int64(s.Now))
	if err != nil {
		return nil, fmt.Errorf("read login codes: %w", err)
	}
	defer rows.Close()
	var out []LoginCode
	for rows.Next() {
		var c LoginCode
		if err := rows.Scan(&c.ID, &c.Phone, &c.CodeHash, &c.AskedFrom, &c.CreatedAt, &c.ExpiresAt, &c.Tries, &c.TriesFrom); err != nil {
			return nil, fmt.Errorf("scan login code: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// CountLoginCodes says how many codes were sent to a phone after an instant, and how
// many of them an address asked for.
func (s *Snapshot) CountLoginCodes(phone, fromHash string, after domain.Instant) (all, from int, err error) {
	err = s.QueryRow("SELECT count(*), count(*) FILTER (WHERE asked_from = ?) FROM login_codes WHERE phone = ? AND created_at > ?",
		fromHash, phone, int64(after)).Scan(&all, &from)
	return all, from, err
}

// mailCodes are the codes for addresses of mail, which are no phones.
const mailCodes = "phone GLOB 'mailto:*'"

// CountCodes says how many codes were sent, or may have been, to phones or by mail after
// an instant, and how many of all an address has caused, which is known by its hash.
func (s *Snapshot) CountCodes(byMail bool, place string, after domain.Instant) (all, here int, err error) {
	err = s.QueryRow(`SELECT (SELECT count(*) FROM login_codes INDEXED BY login_codes_by_age WHERE created_at > ?1 AND place <> '' AND (`+mailCodes+`) = ?2),
		(SELECT count(*) FROM login_codes INDEXED BY login_codes_by_place WHERE place = ?3 AND place <> '' AND created_at > ?1)`,
		int64(after), byMail, place).Scan(&all, &here)
	if err != nil {
		return 0, 0, fmt.Errorf("count login codes: %w", err)
	}
	return all, here, nil
}

// UseLoginCode marks a code used, once.
func (t *Tx) UseLoginCode(id string) (bool, error) {
	n, err := t.Affected("UPDATE login_codes SET used_at = ? WHERE id = ? AND used_at IS NULL", t.Now, id)
	return n == 1, err
}

// LoseLoginCode ends a code that was surely not sent. It counts for its phone, and not
// for the address that asked for it.
func (t *Tx) LoseLoginCode(id string) error {
	_, err := t.Exec("UPDATE login_codes SET used_at = coalesce(used_at, ?), asked_from = '', place = '' WHERE id = ?", t.Now, id)
	if err != nil {
		return fmt.Errorf("end a login code that was not sent: %w", err)
	}
	return nil
}

// MissLoginCode counts a wrong try from an address.
func (t *Tx) MissLoginCode(id, fromHash string) error {
	if err := t.one("count a wrong code", "UPDATE login_codes SET tries = tries + 1 WHERE id = ?", id); err != nil {
		return err
	}
	return t.one("count a wrong code from there", `INSERT INTO login_code_tries (code_id, from_hash, tries) VALUES (?,?,1)
		ON CONFLICT (code_id, from_hash) DO UPDATE SET tries = tries + 1`, id, fromHash)
}

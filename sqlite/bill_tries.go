package sqlite

import (
	"fmt"

	"courtd/domain"
)

// BillTry is what has come of the tries to fetch the bill of a day that is not here.
type BillTry struct {
	Merchant string
	Day      string
	Tries    int
	TriedAt  domain.Instant
	NextAt   domain.Instant
	Why      string // a word; empty while one is under way
	Problem  string // what was said
}

// BillTries gives the tries for a merchant's days from one on, the newest day first.
func (s *Snapshot) BillTries(merchant, from string) ([]BillTry, error) {
	rows, err := s.Query("SELECT merchant, day, tries, tried_at, next_at, why, problem FROM bill_tries WHERE merchant = ? AND day >= ? ORDER BY day DESC", merchant, from)
	if err != nil {
		return nil, fmt.Errorf("read tries for bills: %w", err)
	}
	defer rows.Close()
	var out []BillTry
	for rows.Next() {
		var b BillTry
		if err := rows.Scan(&b.Merchant, &b.Day, &b.Tries, &b.TriedAt, &b.NextAt, &b.Why, &b.Problem); err != nil {
			return nil, fmt.Errorf("scan tries for a bill: %w", err)
		}
		out = append(out, b)
	}
	return out, rows.Err()
}

// BillTried keeps what has come of a try that is made now.
func (t *Tx) BillTried(b BillTry) error {
	_, err := t.Exec(`INSERT INTO bill_tries (merchant, day, tries, tried_at, next_at, why, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
		ON CONFLICT (merchant, day) DO UPDATE SET tries = ?3, tried_at = ?4, next_at = ?5, why = ?6, problem = ?7`, b.Merchant, b.Day, b.Tries, t.Now, b.NextAt, b.Why, b.Problem)
	if err != nil {
		return fmt.Errorf("bill tried: %w", err)
	}
	return nil
}

// ForgetBillTries forgets the tries for a merchant's day, and for all those before another.
func (t *Tx) ForgetBillTries(merchant, day, before string) error {
	_, err := t.Exec("DELETE FROM bill_tries WHERE (merchant = ?1 AND day = ?2) OR day < ?3", merchant, day, before)
	if err != nil {
		return fmt.Errorf("forget tries for bills: %w", err)
	}
	return nil
}

// BilledDays gives the days from one to another of which a merchant's bill is here.
func (s *Snapshot) BilledDays(merchant, from, until string) ([]string, error) {
	return s.column("SELECT DISTINCT day FROM bills WHERE provider = 'wechat' AND merchant = ? AND day BETWEEN ? AND ?", merchant, from, until)
}

// FirstAttempt gives the day of China on which the first payment by WeChat was opened for
// a merchant; empty when none was.
func (s *Snapshot) FirstAttempt(merchant string) (day string, err error) {
	days, err := s.column("SELECT "+chinaDay("opened_at")+" FROM payments WHERE rowid = (SELECT min(p.rowid) FROM payments p WHERE "+byWeChat+" AND p.merchant = ?)", merchant)
	if err != nil || len(days) == 0 {
		return "", err
	}
	return days[0], nil
}

package sqlite

import (
	"fmt"

	"courtd/domain"
)

// BillTry is what has come of the tries to fetch the bill of a day that is not here.
type BillTry struct {
	Day    string
	Tries  int
	NextAt domain.Instant
	LastAt domain.Instant
	Why    string // a word, and after a space what was said; empty while one is under way
}

// billTries are kept as the channels are, because WeChat's bills are one for each day.
const billTries = "bill:"

// BillTries gives the tries for days from one on, the newest day first.
func (s *Snapshot) BillTries(from string) ([]BillTry, error) {
	rows, err := s.Query(`SELECT substr(channel, ?3), fails, coalesce(paused_until, 0), coalesce(last_error_at, 0), last_error FROM channel_state
		WHERE channel >= ?1 AND channel < ?2 ORDER BY channel DESC`, billTries+from, billTries+"9999", len(billTries)+1)
	if err != nil {
		return nil, fmt.Errorf("read tries for bills: %w", err)
	}
	defer rows.Close()
	var out []BillTry
	for rows.Next() {
		var b BillTry
		if err := rows.Scan(&b.Day, &b.Tries, &b.NextAt, &b.LastAt, &b.Why); err != nil {
			return nil, fmt.Errorf("scan tries for a bill: %w", err)
		}
		out = append(out, b)
	}
	return out, rows.Err()
}

// BillTried keeps what has come of a try, and when the next one is.
func (t *Tx) BillTried(day string, tries int, next domain.Instant, why string) error {
	return t.ChannelFailed(billTries+day, tries, next, why)
}

// ForgetBillTries forgets the tries for a day, and for those before another.
func (t *Tx) ForgetBillTries(day, before string) error {
	_, err := t.Exec("DELETE FROM channel_state WHERE channel = ?1 OR (channel >= ?2 AND channel < ?3)", billTries+day, billTries, billTries+before)
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

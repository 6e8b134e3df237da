package sqlite

import (
	"database/sql"
	"fmt"
	"slices"

	"courtd/domain"
)

// DifferenceCount is how many differences there are.
type DifferenceCount struct {
	Open, Explained int // that nobody has explained, and that somebody has
}

// CountDifferences counts those of each of the days from one to another; an empty one
// bounds nothing. Days without any are left out. What a day has follows from that day
// alone, so that days which are counted by themselves add up.
func (s *Snapshot) CountDifferences(from, until string) (map[string]DifferenceCount, error) {
	if from == "" {
		from = firstDay
	}
	if until == "" {
		until = lastDay
	}
	rows, err := s.Query(differences(ofDays)+` SELECT day, count(*) FILTER (WHERE text IS NULL), count(*) FILTER (WHERE text IS NOT NULL)
		FROM differences GROUP BY day`, from, until)
	if err != nil {
		return nil, fmt.Errorf("count differences: %w", err)
	}
	defer rows.Close()
	out := map[string]DifferenceCount{}
	for rows.Next() {
		var day string
		var n DifferenceCount
		if err := rows.Scan(&day, &n.Open, &n.Explained); err != nil {
			return nil, fmt.Errorf("scan count of differences: %w", err)
		}
		out[day] = n
	}
	return out, rows.Err()
}

// DifferenceMark is up to where somebody has seen what differences follow from.
type DifferenceMark struct {
	Bill    int64          // the newest bill; bills are only ever added
	At      domain.Instant // of the look
	Flagged []string       // payments that were flagged, in order; nothing says when that was
}

// Writes that were under way when somebody looked may bear an instant from before the
// look: none takes as long as this.
const stillUnderWay = 120

// Ahead reports whether a mark is later than an instant by more than two that look at
// once can be: the clock was put back.
func (m DifferenceMark) Ahead(now domain.Instant) bool { return now < m.At-stillUnderWay }

// DaysTouched gives the days before a given one whose differences may have changed since
// a mark, and the mark for the next time. It may name a day too many, and never one too few.
func (s *Snapshot) DaysTouched(since DifferenceMark, before string) (days []string, next DifferenceMark, err error) {
	if next, err = s.MarkDifferences(); err != nil {
		return nil, next, err
	}
	touched := map[string]bool{}
	if err := s.touchedByBills(touched, since.Bill); err != nil {
		return nil, next, err
	}
	if err := s.touchedByRows(touched, since.At-stillUnderWay, unshared(since.Flagged, next.Flagged)); err != nil {
		return nil, next, err
	}
	for day := range touched {
		if day < before {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days, next, nil
}

// touchedByBills adds the days that the bills after one have to do with.
func (s *Snapshot) touchedByBills(touched map[string]bool, after int64) error {
	// A bill changes its own day and, by what its merchant's other bills of that day said
	// too, the days of all that they name. A refund is missed by the bills around it.
	return s.addDays(touched, `WITH new AS (SELECT DISTINCT merchant, day FROM bills WHERE rowid > ?1 AND provider = 'wechat'),
		named AS MATERIALIZED (SELECT DISTINCT l.out_trade_no, l.out_refund_no FROM new n
			CROSS JOIN bills b ON b.provider = 'wechat' AND b.day = n.day AND b.merchant = n.merchant CROSS JOIN bill_lines l ON l.bill_id = b.id)
		SELECT day FROM new UNION SELECT date(day, '-1 day') FROM new UNION SELECT date(day, '+1 day') FROM new
		UNION SELECT `+chinaDay(paidAt)+` FROM named CROSS JOIN payments p ON p.id = named.out_trade_no WHERE p.succeeded_at IS NOT NULL
		UNION SELECT `+chinaDay("p.opened_at")+` FROM named CROSS JOIN payments p ON p.id = named.out_trade_no WHERE p.verdict = 'flagged'
		UNION SELECT `+chinaDay("f.done_at")+` FROM named CROSS JOIN refunds f ON f.id = named.out_refund_no WHERE f.done_at IS NOT NULL
		UNION SELECT `+chinaDay("f.done_at")+` FROM new n CROSS JOIN refunds f WHERE f.done_at >= unixepoch(n.day) - 115200
			AND f.sent_at >= unixepoch(n.day) - 115200 AND f.sent_at < unixepoch(n.day) + 144000`, after)
}

// touchedByRows adds those of payments, refunds and explanations from an instant on, and
// of payments that are flagged since, or not any more.
func (s *Snapshot) touchedByRows(touched map[string]bool, at domain.Instant, flagged []string) error {
	payments, err := s.column("SELECT id FROM payments WHERE succeeded_at >= ? AND "+viaOfWeChat, at)
	if err != nil {
		return err
	}
	for _, id := range append(payments, flagged...) {
		if err := s.addDays(touched, `SELECT `+chinaDay("p.opened_at")+` FROM payments p WHERE p.id = ?1
			UNION SELECT `+chinaDay(paidAt)+` FROM payments p WHERE p.id = ?1 AND p.succeeded_at IS NOT NULL
			UNION SELECT b.day FROM bill_lines l JOIN bills b ON b.id = l.bill_id WHERE l.out_trade_no = ?1`, id); err != nil {
			return err
		}
	}
	refunds, err := s.column(`SELECT id FROM refunds WHERE done_at >= ?1 UNION ALL SELECT id FROM refunds WHERE done_at IS NULL AND created_at >= ?1`, at)
	if err != nil {
		return err
	}
	for _, id := range refunds {
		// The day on which it is done is today: not one of those that are kept.
		if err := s.addDays(touched, `SELECT b.day FROM bill_lines l JOIN bills b ON b.id = l.bill_id WHERE l.out_refund_no = ?1 AND l.kind = 'refund'`, id); err != nil {
			return err
		}
	}
	explained, err := s.column(`SELECT about FROM explanations WHERE at >= ?`, at)
	if err != nil {
		return err
	}
	for _, key := range explained {
		found, err := s.Differences(DifferenceSearch{Key: key}, 1<<30)
		if err != nil {
			return err
		}
		for _, d := range found {
			touched[d.Day] = true
		}
	}
	return nil
}

// MarkDifferences is the mark of somebody who looks now.
func (s *Snapshot) MarkDifferences() (m DifferenceMark, err error) {
	m.At = s.Now
	if err := s.QueryRow("SELECT coalesce(max(rowid), 0) FROM bills").Scan(&m.Bill); err != nil {
		return m, fmt.Errorf("read the newest bill: %w", err)
	}
	m.Flagged, err = s.column(`SELECT id FROM payments WHERE verdict = 'flagged' ORDER BY id`)
	return m, err
}

func (s *Snapshot) addDays(to map[string]bool, query string, args ...any) error {
	days, err := s.column(query, args...)
	for _, day := range days {
		to[day] = true
	}
	return err
}

// column gives the one column of a query; NULL is left out.
func (s *Snapshot) column(query string, args ...any) ([]string, error) {
	rows, err := s.Query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("read what differences follow from: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("scan what differences follow from: %w", err)
		}
		if text.Valid {
			out = append(out, text.String)
		}
	}
	return out, rows.Err()
}

// unshared gives what is in one of two sorted lists alone.
func unshared(a, b []string) (out []string) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		default:
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

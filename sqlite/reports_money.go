package sqlite

import (
	"encoding/json"
	"fmt"

	"courtd/domain"
)

// MoneyCell adds up money of one way to pay on one day of a report.
type MoneyCell struct {
	Day    int // counted from the report's first day
	Via    string
	Count  int
	SumFen int64
}

// reportDays is a table of the days of a report, made of its first parameter: n,
// and the half-open [from_at, until_at). It comes first in a join, so that each
// day is one look into an index.
const reportDays = `days AS MATERIALIZED (SELECT key AS n, value ->> 0 AS from_at, value ->> 1 AS until_at FROM json_each(?1))`

// spans writes the days that begin at bounds, the last of which only ends, as
// reportDays reads them.
func spans(bounds []domain.Instant) (string, error) {
	pairs := make([][2]domain.Instant, 0, len(bounds))
	for i := 1; i < len(bounds); i++ {
		pairs = append(pairs, [2]domain.Instant{bounds[i-1], bounds[i]})
	}
	text, err := json.Marshal(pairs)
	if err != nil {
		return "", fmt.Errorf("days of a report: %w", err)
	}
	return string(text), nil
}

// MoneyIn adds up the payments that succeeded on each day.
func (s *Snapshot) MoneyIn(bounds []domain.Instant) ([]MoneyCell, error) {
	return s.moneyCells("money in", bounds, `SELECT d.n, p.via, count(*), sum(p.amount_fen) FROM days d
		CROSS JOIN payments p ON p.succeeded_at >= d.from_at AND p.succeeded_at < d.until_at
		WHERE p.succeeded_at IS NOT NULL AND p.verdict IS NOT 'flagged' GROUP BY d.n, p.via`)
}

// MoneyOut adds up the refunds that were done on each day, by the way the money had come;
// one that went back by hand and by the provider went back on two days.
func (s *Snapshot) MoneyOut(bounds []domain.Instant) ([]MoneyCell, error) {
	return s.moneyCells("money out", bounds, `SELECT d.n, p.via, count(*), sum(f.amount_fen) FROM days d
		CROSS JOIN refunds f ON f.done_at >= d.from_at AND f.done_at < d.until_at
		CROSS JOIN payments p ON p.id = f.payment_id
		WHERE f.done_at IS NOT NULL GROUP BY d.n, p.via
		UNION ALL SELECT d.n, p.via, count(*), sum(f.amount_fen) FROM days d
		CROSS JOIN refunds f ON f.twice_at >= d.from_at AND f.twice_at < d.until_at
		CROSS JOIN payments p ON p.id = f.payment_id
		WHERE f.twice_at IS NOT NULL GROUP BY d.n, p.via`)
}

// MoneyOnItsWay adds up the refunds that were begun on each day and are not done.
func (s *Snapshot) MoneyOnItsWay(bounds []domain.Instant) ([]MoneyCell, error) {
	return s.moneyCells("refunds under way", bounds, `SELECT d.n, p.via, count(*), sum(f.amount_fen) FROM days d
		CROSS JOIN refunds f ON f.created_at >= d.from_at AND f.created_at < d.until_at
		CROSS JOIN payments p ON p.id = f.payment_id
		WHERE f.done_at IS NULL GROUP BY d.n, p.via`)
}

// MoneyFlagged adds up the attempts opened on each day whose success did not match
// them: what was asked for, as nobody knows what the money was for.
func (s *Snapshot) MoneyFlagged(bounds []domain.Instant) ([]MoneyCell, error) {
	return s.moneyCells("flagged money", bounds, `SELECT d.n, p.via, count(*), sum(p.amount_fen) FROM payments p
		CROSS JOIN days d ON p.opened_at >= d.from_at AND p.opened_at < d.until_at
		WHERE p.verdict = 'flagged' GROUP BY d.n, p.via`)
}

func (s *Snapshot) moneyCells(what string, bounds []domain.Instant, query string) ([]MoneyCell, error) {
	days, err := spans(bounds)
	if err != nil {
		return nil, err
	}
	rows, err := s.Query("WITH "+reportDays+" "+query, days)
	if err != nil {
		return nil, fmt.Errorf("add up %s: %w", what, err)
	}
	defer rows.Close()
	var out []MoneyCell
	for rows.Next() {
		var c MoneyCell
		if err := rows.Scan(&c.Day, &c.Via, &c.Count, &c.SumFen); err != nil {
			return nil, fmt.Errorf("scan %s: %w", what, err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// OwedBack counts and adds up all refunds that are not done, whenever they began.
func (s *Snapshot) OwedBack() (count int, sumFen int64, err error) {
	err = s.QueryRow("SELECT count(*), coalesce(sum(amount_fen), 0) FROM refunds WHERE done_at IS NULL").Scan(&count, &sumFen)
	if err != nil {
		return 0, 0, fmt.Errorf("add up what is owed back: %w", err)
	}
	return count, sumFen, nil
}

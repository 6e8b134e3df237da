package sqlite_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

var (
	oneWeek    = domain.DateSpan{From: domain.Date{Year: 2026, Month: 12, Day: 7}, Until: domain.Date{Year: 2026, Month: 12, Day: 13}}
	weekBounds = boundsOf(oneWeek)
)

// boundsOf gives the midnights in UTC.
func boundsOf(span domain.DateSpan) (bounds []domain.Instant) {
	first := noon + 8*3600 - 12*3600 - 3*86400 // 2026-12-07 in UTC
	for i := range len(span.Days()) + 1 {
		bounds = append(bounds, first+domain.Instant(i)*86400)
	}
	return bounds
}

var reportQueries = map[string]struct {
	index string // that narrows it down to the days asked for
	ask   func(*sqlite.Snapshot) error
}{
	"money in":   {"payments_by_success", func(s *sqlite.Snapshot) error { _, err := s.MoneyIn(weekBounds); return err }},
	"money out":  {"refunds_by_done", func(s *sqlite.Snapshot) error { _, err := s.MoneyOut(weekBounds); return err }},
	"on its way": {"refunds_not_done", func(s *sqlite.Snapshot) error { _, err := s.MoneyOnItsWay(weekBounds); return err }},
	"flagged":    {"payments_flagged", func(s *sqlite.Snapshot) error { _, err := s.MoneyFlagged(weekBounds); return err }},
	"used":       {"reservations_by_start", func(s *sqlite.Snapshot) error { _, err := s.UsedSlots(oneWeek); return err }},
	"slots":      {"reservations_by_start", func(s *sqlite.Snapshot) error { _, err := s.SlotCounts(oneWeek); return err }},
	"orders":     {"orders_by_time", func(s *sqlite.Snapshot) error { _, err := s.OrderCounts(weekBounds); return err }},
	"goods":      {"orders_by_time", func(s *sqlite.Snapshot) error { _, err := s.GoodsCounts(weekBounds[0], weekBounds[7]); return err }},
	"late":       {"refunds_not_done", func(s *sqlite.Snapshot) error { _, err := s.RefundsUnderWay(10); return err }},
	"odd money":  {"payments_flagged", func(s *sqlite.Snapshot) error { _, err := s.FlaggedPayments(10); return err }},
}

// A week's report looks at a week, however many years there are.
func TestReportsLookAtTheirDaysOnly(t *testing.T) {
	db := mustOpen(t, sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall})
	for name, q := range reportQueries {
		var plan []string
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			sqlite.ExplainEvery(s, func(line string) { plan = append(plan, line) })
			return q.ask(s)
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(plan) == 0 || !strings.Contains(strings.Join(plan, "\n"), q.index) {
			t.Errorf("%s does not use %s:\n%s", name, q.index, strings.Join(plan, "\n"))
		}
		for _, line := range plan {
			// The days and what was found of them are read whole; so is an index of what is open.
			table, scans := strings.CutPrefix(line, "SCAN ")
			word, _, _ := strings.Cut(table, " ")
			known := strings.Contains(" d json_each m parts tallies lines ", " "+word+" ") || strings.HasPrefix(word, "(subquery-")
			if scans && !known && !strings.Contains(line, "INDEX "+q.index) {
				t.Errorf("%s reads a whole table: %s\n%s", name, line, strings.Join(plan, "\n"))
			}
		}
	}
}

// Flagged money is never takings, even if a row says that it succeeded too.
func TestFlaggedMoneyIsNotTakings(t *testing.T) {
	c := openClub(t)
	c.order(c.exec, "o", 1)
	for id, verdict := range map[string]string{"paid01": "paid", "flagged1": "flagged"} {
		c.exec(`INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, opened_at, succeeded_at, verdict)
			VALUES (?, 'o', 'cash', 'order', 100, 'CNY', ?, ?, ?)`, id, int64(noon), int64(noon), verdict)
	}
	var in, flagged []sqlite.MoneyCell
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		if in, err = s.MoneyIn(weekBounds); err != nil {
			return err
		}
		flagged, err = s.MoneyFlagged(weekBounds)
		return err
	})
	one := fmt.Sprint([]sqlite.MoneyCell{{Day: 3, Via: "cash", Count: 1, SumFen: 100}})
	if err != nil || fmt.Sprint(in) != one || fmt.Sprint(flagged) != one {
		t.Errorf("in %v, flagged %v, want %s each: %v", in, flagged, one, err)
	}
}

// BenchmarkReportsOfAYear asks for a year with a hundred thousand reservations.
func BenchmarkReportsOfAYear(b *testing.B) {
	path := b.TempDir() + "/club.db"
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Wall: clockAt(noon + 400*86400).wall})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(ctx, fillAYear); err != nil {
		b.Fatal(err)
	}
	year := domain.DateSpan{From: oneWeek.From, Until: oneWeek.From.AddDays(364)}
	bounds := boundsOf(year)
	for name, ask := range map[string]func(*sqlite.Snapshot) (int, error){
		"money in":  func(s *sqlite.Snapshot) (int, error) { rows, err := s.MoneyIn(bounds); return len(rows), err },
		"money out": func(s *sqlite.Snapshot) (int, error) { rows, err := s.MoneyOut(bounds); return len(rows), err },
		"used":      func(s *sqlite.Snapshot) (int, error) { rows, err := s.UsedSlots(year); return len(rows), err },
		"slots":     func(s *sqlite.Snapshot) (int, error) { rows, err := s.SlotCounts(year); return len(rows), err },
		"orders":    func(s *sqlite.Snapshot) (int, error) { rows, err := s.OrderCounts(bounds); return len(rows), err },
		"goods": func(s *sqlite.Snapshot) (int, error) {
			rows, err := s.GoodsCounts(bounds[0], bounds[len(bounds)-1])
			return len(rows), err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rows := 0
				err := db.Read(ctx, func(s *sqlite.Snapshot) (err error) { rows, err = ask(s); return err })
				if err != nil || rows == 0 {
					b.Fatal(rows, err)
				}
			}
		})
	}
}

// fillAYear makes 20 courts with 14 slots on each of 365 days, nearly all of them
// sold, an order for each, one in ten with goods, and one refund in twenty.
func fillAYear(tx *sqlite.Tx) error {
	day := fmt.Sprint(int64(weekBounds[0]))
	for _, statement := range []string{
		`INSERT INTO customers (id, name, created_at) VALUES ('u', 'U', 1)`,
		`INSERT INTO goods (id, name, price_fen, position) VALUES ('g1', 'G', 300, 1)`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO courts (id, name, position) SELECT 'c' || i, 'c' || i, i FROM n`,
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 102199)
			INSERT INTO orders (id, number_day, number_seq, number, customer_id, channel, pay, booked_at, terms, ticket_code)
			SELECT printf('o%06d', i), date(` + day + ` + i / 280 * 86400, 'unixepoch'), i % 280 + 1, 'n', 'u', 'online', 'online',
			` + day + ` + i / 280 * 86400 + i % 280 * 60, '{"refund_ladder":[{"hours_before":24,"percent":100}],"no_show_refund_percent":0}', printf('%026d', i) FROM n`,
		`INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule, booked_at, pay_by,
			check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, settled_at)
			SELECT id || '-1', id, 1, 'u', 'c' || (number_seq % 20 + 1), number_day, 6000, 0, 'r', booked_at, booked_at + 600,
			unixepoch(number_day) + 28800 + number_seq / 20 * 3600 - 1800, unixepoch(number_day) + 28800 + number_seq / 20 * 3600 + 3600,
			unixepoch(number_day) + 28800 + number_seq / 20 * 3600, unixepoch(number_day) + 28800 + number_seq / 20 * 3600 + 3600,
			CASE WHEN number_seq % 5 THEN booked_at + 60 END, CASE WHEN number_seq % 5 AND number_seq % 7 THEN unixepoch(number_day) + 28800 + number_seq / 20 * 3600 END, ` + fmt.Sprint(int64(tx.Now)) + `
			FROM orders`,
		`INSERT INTO baskets (id, order_id, seq, customer_id, has_goods, discount_fen, booked_at, pay_by, check_in_by, paid_at)
			SELECT id || '-b1', id, 1, 'u', 1, 10, booked_at, booked_at + 600, booked_at + 172800, booked_at + 60 FROM orders WHERE number_seq % 10 = 1`,
		`INSERT INTO basket_lines SELECT id, 'g1', 2, 300, 'G' FROM baskets`,
		`INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, opened_at, succeeded_at, verdict)
			SELECT 'pay' || order_id, order_id, CASE seq % 2 WHEN 0 THEN 'cash' ELSE 'wechat_native' END, 'order', 6000, 'CNY', booked_at, paid_at, 'paid' FROM reservations WHERE paid_at IS NOT NULL`,
		`INSERT INTO refunds (id, payment_id, order_id, purpose, cause, amount_fen, created_at, done_at)
			SELECT 'r' || id, id, order_id, 'cancel', 'x', 3000, succeeded_at, succeeded_at + 60 FROM payments WHERE succeeded_at % 20 = 0`,
	} {
		if _, err := tx.Exec(statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

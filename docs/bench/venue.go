package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"courtd/app/secret"
)

// Where the clock of a measured venue stands, and the same as unix seconds.
const noon = "2026-12-10T12:00:00+08:00"

var noonUnix = must(time.Parse(time.RFC3339, noon)).Unix()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// venue is a demonstration's file that is made larger than any use case would make it.
type venue struct {
	path   string
	tokens []string // of customers who are signed in
}

// setting says how a venue is made.
type setting struct {
	name      string
	courts    int // on sale
	closed    int // courts that are not on sale any more
	customers int // signed in
	history   int // reservations that are over, written down and done
}

// slotSeconds is how long a slot of a demonstration lasts.
const slotSeconds = 90 * 60

// venue makes a file; one with a long history that is there already is taken as it is,
// but for its customers.
func (b *bench) venue(ctx context.Context, s setting) (venue, error) {
	v := venue{path: filepath.Join(b.scratch, s.name+".db")}
	_, err := os.Stat(v.path + ".made")
	made := err == nil
	if !made {
		for _, end := range []string{"", "-wal", "-shm", ".key"} { // of a run before this one
			os.Remove(v.path + end)
		}
		if err := b.serveOnce(ctx, v.path); err != nil { // makes the file
			return v, err
		}
	}
	db, err := sql.Open("sqlite3", "file:"+v.path+"?_journal_mode=WAL&_synchronous=OFF&_foreign_keys=off&_busy_timeout=10000&_txlock=immediate")
	if err != nil {
		return v, err
	}
	db.SetMaxOpenConns(1)
	defer db.Close()
	if !made {
		if err := fill(ctx, db, s); err != nil {
			return v, err
		}
	}
	if v.tokens, err = signInMany(ctx, db, s.customers); err != nil {
		return v, err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return v, err
	}
	if made || s.history == 0 {
		return v, nil
	}
	if err := b.serveOnce(ctx, v.path); err != nil { // makes the triggers again
		return v, err
	}
	return v, os.WriteFile(v.path+".made", nil, 0o600)
}

// serveOnce starts courtd on a file and ends it.
func (b *bench) serveOnce(ctx context.Context, path string) error {
	p, err := b.demo(ctx, path, noon)
	if err != nil {
		return err
	}
	return p.end()
}

func fill(ctx context.Context, db *sql.DB, s setting) error {
	for i := range s.courts + s.closed {
		_, err := db.ExecContext(ctx, `INSERT INTO courts (id, name, position, active) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET active = ?4`,
			fmt.Sprintf("c%d", i+1), fmt.Sprintf("%d号场", i+1), i+1, i < s.courts)
		if err != nil {
			return err
		}
	}
	if s.history == 0 {
		return nil
	}
	// Triggers guard what use cases write; here they only take time. courtd makes them
	// again when it finds that they are not the ones it carries.
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
	if err != nil {
		return err
	}
	var drops []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		drops = append(drops, "DROP TRIGGER "+name)
	}
	rows.Close()
	for _, drop := range append(drops, "DELETE FROM meta WHERE key LIKE 'derived%'") {
		if _, err := db.ExecContext(ctx, drop); err != nil {
			return err
		}
	}
	return writeHistory(ctx, db, s)
}

// historyChunk is how many orders are written in one transaction.
const historyChunk = 50_000

// writeHistory writes orders of two slots each, the oldest first, with their payment and
// a notice: seven in ten were played, the others lapsed, were cancelled, or nobody came.
func writeHistory(ctx context.Context, db *sql.DB, s setting) error {
	orders, courts := s.history/2, s.courts+s.closed
	first := noonUnix - int64(2*orders/courts+2)*slotSeconds
	first -= first % slotSeconds
	const n = `WITH RECURSIVE n (i, first, courts) AS (SELECT ?1, ?3, ?4 UNION ALL SELECT i + 1, first, courts FROM n WHERE i + 1 < ?2),
		o AS (SELECT i, 'h' || printf('%025d', i) AS id, first + (2 * i / courts) * 5400 AS start, i % 20 AS luck, 2 * i % courts AS court FROM n) `
	statements := []string{
		n + `INSERT INTO orders (id, number_day, number_seq, number, customer_id, channel, pay, booked_at, terms, ticket_code)
			SELECT id, date(start - 57600, 'unixepoch'), i + 1, strftime('%m%d', start - 57600, 'unixepoch') || '-' || (i + 1), 'past' || (i % 2000), 'online', 'online',
				start - 86400, '{"refund_ladder":[],"no_show_refund_percent":0}', 'H' || printf('%025d', i) FROM o`,
		n + `INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule, booked_at, pay_by, check_in_from, check_in_by,
				starts_at, ends_at, paid_at, checked_in_at, cancelled_at, settled_at)
			SELECT id || part, id, 1 + part, 'past' || (i % 2000), 'c' || (court + part + 1), date(start + 28800, 'unixepoch'), 6000, 0, '', start - 86400, start - 85800, start - 1800, start + 5400,
				start, start + 5400, CASE WHEN luck < 17 THEN start - 86000 END, CASE WHEN luck < 14 THEN start - 60 END, CASE WHEN luck IN (14, 15) THEN start - 80000 END,
				start + 6000 FROM o JOIN (SELECT 0 AS part UNION ALL SELECT 1)`,
		n + `INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, opened_at, expires_at, succeeded_at, success_time, transaction_id, verdict)
			SELECT id, id, 'sandbox', 'order', 12000, 'CNY', start - 86300, start - 85800, start - 86000, start - 86000, id, 'paid' FROM o WHERE luck < 17`,
		n + `INSERT INTO notices (id, customer_id, order_id, kind, occasion, created_at, title, text, title_en, text_en, sent_at, next_try_at)
			SELECT id, 'past' || (i % 2000), id, CASE WHEN luck < 17 THEN 'paid' ELSE 'lapsed' END, '', start - 86000, '已付款', '已付款', 'Paid', 'Paid', start - 85999, start - 86000 FROM o`,
	}
	for i := range 2000 {
		if _, err := db.ExecContext(ctx, "INSERT INTO customers (id, name, created_at) VALUES (?, ?, 1)", fmt.Sprintf("past%d", i), fmt.Sprintf("老客%d", i)); err != nil {
			return err
		}
	}
	for from := 0; from < orders; from += historyChunk {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement, from, min(from+historyChunk, orders), first, courts); err != nil {
				tx.Rollback()
				return fmt.Errorf("write the history: %w", err)
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// signInMany makes customers with a session each.
func signInMany(ctx context.Context, db *sql.DB, n int) ([]string, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	tokens := make([]string, n)
	for i := range tokens {
		id := secret.NewID()
		token, hash := secret.NewToken()
		tokens[i] = token
		if _, err := tx.ExecContext(ctx, "INSERT INTO customers (id, name, created_at) VALUES (?, ?, 1)", id, fmt.Sprintf("客%d", i)); err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO sessions (token_hash, customer_id, created_at, expires_at) VALUES (?, ?, ?, ?)", hash, id, noonUnix-60, noonUnix+30*86400); err != nil {
			return nil, err
		}
	}
	return tokens, tx.Commit()
}

// hold is what holdMany writes: claims that nobody has paid for.
type hold struct {
	order, court string
	start        int64
	payBy        int64
}

// holdMany writes unpaid orders of one slot each, whose time to pay ends at payBy(i).
func holdMany(ctx context.Context, path string, slots []freeSlot, payBy func(i int) int64) ([]hold, error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous=OFF&_foreign_keys=off&_busy_timeout=10000&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var out []hold
	for i, slot := range slots {
		h := hold{order: secret.NewID(), court: slot.court, start: slot.start, payBy: payBy(i)}
		customer := fmt.Sprintf("holds%d", i)
		for _, insert := range []struct {
			query string
			args  []any
		}{
			{"INSERT OR IGNORE INTO customers (id, name, created_at) VALUES (?, '占位', 1)", []any{customer}},
			{`INSERT INTO orders (id, number_day, number_seq, number, customer_id, channel, pay, booked_at, terms, ticket_code)
				VALUES (?, '2026-12-01', ?, ?, ?, 'online', 'online', ?, '{"refund_ladder":[],"no_show_refund_percent":0}', ?)`,
				[]any{h.order, i + 1, fmt.Sprintf("1201-%d", i+1), customer, h.payBy - 600, secret.NewTicketCode()}},
			{`INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule, booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at)
				VALUES (?, ?, 1, ?, ?, ?, 6000, 0, '', ?, ?, ?, ?, ?, ?)`,
				[]any{secret.NewID(), h.order, customer, slot.court, slot.day, h.payBy - 600, h.payBy, slot.start - 1800, slot.start + slotSeconds, slot.start, slot.start + slotSeconds}},
		} {
			if _, err := tx.ExecContext(ctx, insert.query, insert.args...); err != nil {
				return nil, fmt.Errorf("write a hold: %w", err)
			}
		}
		out = append(out, h)
	}
	return out, tx.Commit()
}

// freeSlot is a slot of the grid of the days after today.
type freeSlot struct {
	court, day string
	start      int64
}

// body asks for the slot alone.
func (s freeSlot) body() string {
	return fmt.Sprintf(`{"slots":[{"court":%q,"start":%q}]}`, s.court, time.Unix(s.start, 0).In(shanghai).Format(time.RFC3339))
}

var shanghai = time.FixedZone("", 8*3600)

// freeSlots lists the slots of a venue's courts from tomorrow on, day by day.
func freeSlots(courts, days int) []freeSlot {
	var out []freeSlot
	for d := 1; d <= days; d++ {
		opens := time.Date(2026, 12, 10+d, 8, 30, 0, 0, shanghai)
		for n := range 9 {
			for c := range courts {
				out = append(out, freeSlot{fmt.Sprintf("c%d", c+1), opens.Format("2006-01-02"), opens.Unix() + int64(n)*slotSeconds})
			}
		}
	}
	return out
}

// count asks one number of a file.
func count(ctx context.Context, path, query string, args ...any) (n int64, err error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&_busy_timeout=10000")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

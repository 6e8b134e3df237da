package sqlite_test

import (
	"database/sql"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// club is a database of the real schema, and beside the door a plain connection
// through which a test writes rows that no use case would.
type club struct {
	t   *testing.T
	db  *sqlite.DB
	raw *sql.DB
}

// openClub makes an empty club. Foreign keys are not watched on the plain
// connection, so that a test need not make every row that another names.
func openClub(t *testing.T) club {
	t.Helper()
	path := newPath(t)
	db := mustOpen(t, sqlite.Options{Path: path, Wall: clockAt(noon).wall})
	raw, err := sql.Open("sqlite3", "file:"+path+"?_foreign_keys=off&_synchronous=OFF&_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	t.Cleanup(func() { raw.Close() })
	c := club{t, db, raw}
	c.exec(`INSERT INTO zone_offsets VALUES (0, 28800);
		INSERT INTO customers (id, phone, name, created_at) VALUES ('u', '13800000000', 'U', 1), ('u2', NULL, 'V', 1);
		INSERT INTO staff (id, username, name, role, password_hash, created_at) VALUES ('s', 's', 'S', 'desk', '-', 1);`)
	return c
}

// exec runs SQL that must succeed.
func (c club) exec(query string, args ...any) {
	c.t.Helper()
	if _, err := c.raw.Exec(query, args...); err != nil {
		c.t.Fatalf("%s %v: %v", query, args, err)
	}
}

// must runs many statements in one transaction.
func (c club) must(fn func(exec func(query string, args ...any))) {
	c.t.Helper()
	tx, err := c.raw.Begin()
	if err != nil {
		c.t.Fatal(err)
	}
	defer tx.Rollback()
	fn(func(query string, args ...any) {
		c.t.Helper()
		if _, err := tx.Exec(query, args...); err != nil {
			c.t.Fatalf("%s %v: %v", query, args, err)
		}
	})
	if err := tx.Commit(); err != nil {
		c.t.Fatal(err)
	}
}

// freeze lets every view, and every read through the door, see one instant.
func (c club) freeze(at domain.Instant) {
	c.t.Helper()
	c.exec(`UPDATE clock SET last_instant = 0, demo_frozen_at = ?`, int64(at))
}

// order makes an empty order.
func (c club) order(exec func(string, ...any), id string, seq int) {
	exec(`INSERT INTO orders (id, number_day, number_seq, number, customer_id, channel, pay, booked_at, terms, ticket_code)
		VALUES (?1, '2026-12-10', ?2, '1210-' || ?2, 'u', 'online', 'online', 1, '{}', printf('%026d', ?2))`, id, seq)
}

// each scans every row of a query into fresh values and hands them over.
func each[T any](c club, query string, fields func(*T) []any, seen func(T)) {
	c.t.Helper()
	rows, err := c.raw.Query(query)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(fields(&v)...); err != nil {
			c.t.Fatal(err)
		}
		seen(v)
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
}

// states reads the column state of a view by id.
func (c club) states(query string) map[string]string {
	c.t.Helper()
	out := map[string]string{}
	each(c, query, func(p *[2]string) []any { return []any{&p[0], &p[1]} }, func(p [2]string) { out[p[0]] = p[1] })
	return out
}

// coverage counts what a differential test has seen of each state.
type coverage map[domain.State]int

// wantAll fails unless every one of the states was seen.
func (c coverage) wantAll(t *testing.T, what string, states ...domain.State) {
	t.Helper()
	for _, s := range states {
		if c[s] == 0 {
			t.Errorf("no %s was ever %q: the test has covered nothing", what, s)
		}
	}
	t.Logf("%s by state: %v", what, c)
}

// sqlState is how the views write a state.
func sqlState(s domain.State) string {
	if s == domain.None {
		return "none"
	}
	return string(s)
}

// complain reports the first few differences and counts the rest.
type complain struct {
	t *testing.T
	n int
}

func (c *complain) errorf(format string, args ...any) {
	c.t.Helper()
	if c.n++; c.n <= 10 {
		c.t.Errorf(format, args...)
	}
	if c.n == 11 {
		c.t.Error("and more")
	}
}

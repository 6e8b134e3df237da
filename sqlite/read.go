package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
)

// Snapshot is the database at one instant: what a read sees, and what a command
// sees before it changes anything. It ends with the function it was given to.
type Snapshot struct {
	// Now is the one instant of this operation. No row that can be seen here was
	// written at a later one.
	Now domain.Instant

	db      *DB
	writing bool
	clock   ClockState
	venue   *Venue // as it is here, once it has been read
	sql     *sql.Tx
	raw     *sqlite3.SQLiteConn
	ended   error                          // why no statement may follow
	count   int                            // statements so far
	asked   func(query string, args []any) // set by tests that look at query plans
}

// Query runs a SELECT. The caller closes the rows.
func (s *Snapshot) Query(query string, args ...any) (*sql.Rows, error) {
	query = steady(query)
	if s.asked != nil {
		s.asked(query, args)
	}
	rows, err := s.sql.QueryContext(s.statementContext(), query, args...)
	return rows, explain(err)
}

// QueryRow runs a SELECT of at most one row; its error comes with Scan.
func (s *Snapshot) QueryRow(query string, args ...any) *sql.Row {
	query = steady(query)
	if s.asked != nil {
		s.asked(query, args)
	}
	return s.sql.QueryRowContext(s.statementContext(), query, args...)
}

// statementContext never ends by itself: the caller's own context would
// interrupt a statement, and with it the transaction that others share. It
// is dead from the start when the function has returned, or when SQLite has rolled the
// whole transaction back, because the statement would then be a transaction of
// its own.
func (s *Snapshot) statementContext() context.Context {
	s.count++
	if s.ended == nil && s.raw.AutoCommit() {
		s.ended = errGone
	}
	if s.ended != nil {
		return deadContext{context.Background(), unavailable("the transaction was rolled back", s.ended)}
	}
	return context.Background()
}

// Read runs fn on one snapshot of the database, on a connection that cannot
// write. It waits for no writer and holds up none. Errors are those of fn, or a
// refusal of kind Unavailable.
func (d *DB) Read(ctx context.Context, fn func(*Snapshot) error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.inside.Done()
	conn, err := d.readers.Conn(ctx)
	if err != nil {
		return notConnected(ctx, err)
	}
	defer conn.Close()
	tx, raw, err := begin(conn)
	if err != nil {
		return explain(fmt.Errorf("begin to read: %w", err))
	}
	defer tx.Rollback()

	s := &Snapshot{db: d, sql: tx, raw: raw}
	defer func() {
		s.ended = errOver
		if d.observeRead != nil {
			d.observeRead(s.count)
		}
	}()
	// This first statement opens the snapshot; only then is the wall clock read,
	// so that no row in it can be later.
	row, err := readClock(s.QueryRow)
	if err != nil {
		return explain(err)
	}
	s.clock = row.state(d.wall())
	s.Now = s.clock.now()
	return explain(fn(s))
}

// begin opens a transaction of the connection's own kind and gives the driver's
// connection beside it, which knows whether the transaction is still there.
func begin(conn *sql.Conn) (*sql.Tx, *sqlite3.SQLiteConn, error) {
	var raw *sqlite3.SQLiteConn
	err := conn.Raw(func(c any) error {
		raw = c.(*sqlite3.SQLiteConn)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	tx, err := conn.BeginTx(context.Background(), nil)
	return tx, raw, err
}

// discard closes the connection for good instead of giving it back to its pool.
func discard(conn *sql.Conn) {
	conn.Raw(func(any) error { return driver.ErrBadConn })
}

func notConnected(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return gaveUp(err)
	}
	return explain(fmt.Errorf("take a connection: %w", err))
}

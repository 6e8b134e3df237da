package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"runtime"
	"sync"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
)

// secondsOfDay is how long a day of UTC is: the grain of day_touches.
const secondsOfDay = 86400

// Glance is what can be told of the file at a glance, without a snapshot.
type Glance struct {
	// Version differs from every earlier one of this DB once any process has committed
	// anything since. It means nothing to another DB.
	Version int64
	// Now is the instant that a read would have now.
	Now domain.Instant
}

// Glance looks at the file: whatever was committed, by any process, before it was
// called is in the version it gives. Those who call while somebody looks share the
// next look, so that a crowd costs little more than one.
func (d *DB) Glance(ctx context.Context) (Glance, error) {
	if err := d.enter(); err != nil {
		return Glance{}, err
	}
	defer d.inside.Done()
	if err := ctx.Err(); err != nil {
		return Glance{}, gaveUp(err)
	}
	return d.watch.glance(ctx)
}

// watch is the one connection that looks at the file for everybody. data_version
// counts what others commit as seen from one connection, so it must always be the
// same one, and one that never writes.
type watch struct {
	db      *DB
	conn    *sql.Conn
	looking chan struct{} // holds a token while somebody looks

	mu   sync.Mutex
	next *look // has not begun: whoever comes now may have its answer

	version int64 // of row; used by whoever looks
	row     clockRow
	asks    driver.Stmt
}

// look is one look at the file, for all who came before it began.
type look struct {
	done  chan struct{}
	found Glance
	err   error
}

func newWatch(d *DB, conn *sql.Conn) *watch {
	return &watch{db: d, conn: conn, looking: make(chan struct{}, 1), version: -1}
}

func (w *watch) glance(ctx context.Context) (Glance, error) {
	w.mu.Lock()
	l, first := w.next, w.next == nil
	if first {
		l = &look{done: make(chan struct{})}
		w.next = l
	}
	w.mu.Unlock()
	if first { // who came first looks, for all of them
		w.lookFor(l)
		return l.found, l.err
	}
	select {
	case <-l.done:
		return l.found, l.err
	case <-ctx.Done():
		return Glance{}, gaveUp(ctx.Err())
	}
}

var errNotSeen = unavailable("the file could not be looked at", nil)

func (w *watch) lookFor(l *look) {
	w.looking <- struct{}{}
	defer func() { <-w.looking }()
	runtime.Gosched() // whoever is about to ask may still come along
	w.mu.Lock()
	w.next = nil
	w.mu.Unlock()
	defer close(l.done)
	l.err = errNotSeen // unless there is an answer
	l.found, l.err = w.look()
}

func (w *watch) look() (g Glance, err error) {
	err = w.conn.Raw(func(c any) error {
		g.Version, err = w.dataVersion(c.(*sqlite3.SQLiteConn))
		return err
	})
	if err != nil {
		return g, explain(fmt.Errorf("read the data version: %w", err))
	}
	if g.Version != w.version {
		// The row may be newer than the version says, never older; the next look would
		// then read it again.
		ask := func(query string, args ...any) *sql.Row {
			return w.conn.QueryRowContext(context.Background(), query, args...)
		}
		if w.row, err = readClock(ask); err != nil {
			return g, explain(err)
		}
		w.version = g.Version
	}
	g.Now = w.row.state(w.db.wall()).now()
	return g, nil
}

// dataVersion asks by a statement of its own, which is asked thousands of times in
// a second.
func (w *watch) dataVersion(conn *sqlite3.SQLiteConn) (int64, error) {
	if w.asks == nil {
		asks, err := conn.Prepare("PRAGMA data_version")
		if err != nil {
			return 0, err
		}
		w.asks = asks
	}
	rows, err := w.asks.(*sqlite3.SQLiteStmt).Query(nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var value [1]driver.Value
	if err := rows.Next(value[:]); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("no answer")
		}
		return 0, err
	}
	version, ok := value[0].(int64)
	if !ok {
		return 0, fmt.Errorf("the answer is %v", value[0])
	}
	return version, nil
}

func (w *watch) close() error {
	w.looking <- struct{}{} // nobody looks any more
	if w.asks != nil {
		w.conn.Raw(func(any) error { return w.asks.Close() })
	}
	return w.conn.Close()
}

// Touches is a number that is greater than before once anything has been written that
// an answer about [from, to) may depend on: a reservation on those days of UTC, or what
// every answer depends on. With no interval it is about the latter alone.
func (s *Snapshot) Touches(from, to domain.Instant) (int64, error) {
	first, last := int64(-1), int64(-1)
	if from < to {
		first, last = int64(from)/secondsOfDay, int64(to-1)/secondsOfDay
	}
	var n int64
	err := s.QueryRow("SELECT coalesce(sum(times), 0) FROM day_touches WHERE utc_day = -1 OR utc_day BETWEEN ? AND ?", first, last).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the touches of a day: %w", err)
	}
	return n, nil
}

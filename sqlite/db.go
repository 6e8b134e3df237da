// Package sqlite keeps the rows: one file, one writer, many readers, and the only
// clock. It knows transactions and no rules of the club.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
)

const (
	defaultReadConns   = 4
	defaultBusyTimeout = 5 * time.Second
	// busySlice is how long SQLite itself waits for the write lock before it is
	// asked again. Its own pauses grow to 100 ms, and a process that asks so
	// seldom starves beside one that commits all the time.
	busySlice = 20 * time.Millisecond
	// statementCache is how many prepared statements each connection keeps.
	statementCache = 256
	// walLimitBytes is what is left of the write-ahead log once it has been copied back.
	walLimitBytes = 64 << 20
)

// Options say which file to open and how.
type Options struct {
	Path        string           // of the file; its directory must exist
	Wall        func() time.Time // the machine's clock; nil is the real one
	ReadConns   int              // connections that read at once; 0 is 4
	BusyTimeout time.Duration    // wait for another process's lock; 0 is 5 s
	MustExist   bool             // refuse to make a new file
	Create      bool             // make a new file if there is none, which MustExist forbids
	CommitAlone bool             // one command in a transaction, to measure what sharing it saves
	// Observe, if set, is told of every command that was run how many statements it
	// took. It is called on the writer's goroutine and must not wait.
	Observe func(statements int)
	// ObserveRead is the same for reads. It is called on the reader's goroutine.
	ObserveRead func(statements int)

	schema fs.FS // migrations and derived.sql; nil is what the binary carries
}

// DB is the one door to the rows. It may be used by any number of goroutines, and
// the same file by any number of processes.
type DB struct {
	writer      *sql.DB // one connection, owned by the goroutine that runs work
	readers     *sql.DB
	wall        func() time.Time
	observe     func(statements int)
	observeRead func(statements int)
	busyTimeout time.Duration
	mostInBatch int // commands that may share one COMMIT
	place       place
	trouble     atomic.Pointer[domain.Error] // what the last batch has met, if it failed

	queue   chan *command // unbuffered: what has been received will be answered
	stop    chan struct{}
	stopped chan struct{}

	watch *watch

	venue atomic.Pointer[Venue] // as parsed last, by its version
	marks marks                 // of the writer's goroutine

	gate   sync.Mutex
	closed bool
	inside sync.WaitGroup // calls that have passed the gate
}

// Open opens the file, makes or upgrades its schema, and starts the writer. A file
// that a newer courtd has upgraded, or that is not courtd's, is refused.
func Open(ctx context.Context, opts Options) (*DB, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	d := &DB{
		wall: opts.Wall, observe: opts.Observe, observeRead: opts.ObserveRead, busyTimeout: opts.BusyTimeout, mostInBatch: maxBatch,
		queue: make(chan *command), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	if opts.CommitAlone {
		d.mostInBatch = 1
	}
	if missesLog(opts.Path) {
		return nil, fmt.Errorf(lostLog, opts.Path)
	}
	d.writer = sql.OpenDB(newConnector(opts.writerDSN(), &d.place))
	d.writer.SetMaxOpenConns(1)
	d.writer.SetMaxIdleConns(1)
	d.readers = sql.OpenDB(newConnector(opts.readerDSN(), &d.place))
	d.readers.SetMaxOpenConns(opts.ReadConns + 1) // the watcher keeps one for itself
	d.readers.SetMaxIdleConns(opts.ReadConns + 1)
	if err := d.prepare(ctx, opts.Path, opts.schema); err != nil {
		d.readers.Close()
		d.writer.Close()
		return nil, cannotOpen(opts.Path, err)
	}
	go d.work()
	return d, nil
}

// Close refuses what comes later with kind Unavailable, finishes and answers what
// has begun or waits, and closes the file. Only the first call does anything.
func (d *DB) Close() error {
	d.gate.Lock()
	again := d.closed
	d.closed = true
	d.gate.Unlock()
	if again {
		<-d.stopped
		return nil
	}
	d.inside.Wait()
	close(d.stop)
	<-d.stopped
	d.marks.close()
	return errors.Join(d.watch.close(), d.readers.Close(), d.writer.Close())
}

// enter counts a call in, unless the database is closed.
func (d *DB) enter() error {
	d.gate.Lock()
	defer d.gate.Unlock()
	if d.closed {
		return unavailable("the database is closed", nil)
	}
	d.inside.Add(1)
	return nil
}

// prepare opens the connections and brings the schema up. Only waiting for
// others is bounded: a migration takes as long as it takes.
func (d *DB) prepare(ctx context.Context, path string, schema fs.FS) error {
	conn, err := d.connect(ctx, d.writer)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := mustBeWAL(ctx, conn); err != nil {
		return err
	}
	if err := d.migrate(ctx, conn, schema); err != nil {
		return err
	}
	watcher, err := d.connect(ctx, d.readers)
	if err != nil {
		return err
	}
	d.watch = newWatch(d, watcher)
	// From its first read on, it keeps the log and its index from being removed.
	if _, err := readClock(func(query string, args ...any) *sql.Row { return watcher.QueryRowContext(ctx, query, args...) }); err != nil {
		return err
	}
	if err := d.mayWrite(ctx); err != nil {
		return err
	}
	return d.place.remember(path)
}

func (d *DB) connect(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.busyTimeout)
	defer cancel()
	return connectWhenFree(ctx, pool)
}

func (d *DB) migrate(ctx context.Context, conn *sql.Conn, schema fs.FS) error {
	ctx, cancel := context.WithTimeout(ctx, d.busyTimeout)
	defer cancel()
	// A migration may rebuild a table that others refer to, which SQLite allows only
	// while it does not look at references; they are checked before the commit. The
	// connection is given up afterwards, so that no other command runs like that.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return fmt.Errorf("prepare to migrate: %w", err)
	}
	defer discard(conn)
	return migrate(ctx, conn, schema, domain.InstantOf(d.wall()))
}

// mustBeWAL checks the journal mode: the driver does not notice when a file
// system cannot do it, and readers would then wait for writers.
func mustBeWAL(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return fmt.Errorf("read the journal mode: %w", err)
	}
	if mode != "wal" {
		return fmt.Errorf("the journal mode is %q, not wal: the file system cannot share memory", mode)
	}
	return nil
}

// connectWhenFree takes a connection, and waits while another process is at the
// one step of opening that SQLite does not wait for: turning a new file to WAL.
func connectWhenFree(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	for {
		conn, err := pool.Conn(ctx)
		if !isBusy(err) || ctx.Err() != nil {
			return conn, err
		}
		time.Sleep(busySlice / 4)
	}
}

// beginWhenFree begins a transaction, and asks again in short slices while another
// process holds the write lock, until ctx ends.
func beginWhenFree(ctx context.Context, conn *sql.Conn) (*sql.Tx, *sqlite3.SQLiteConn, error) {
	for {
		tx, raw, err := begin(conn)
		if !isBusy(err) || ctx.Err() != nil {
			return tx, raw, err
		}
	}
}

func (o Options) withDefaults() (Options, error) {
	if o.Path == "" || strings.ContainsRune(o.Path, 0) {
		return o, fmt.Errorf("open %q: not a path", o.Path)
	}
	if o.MustExist && o.Create {
		return o, fmt.Errorf("open %s: must it exist, or be made?", o.Path)
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return o, fmt.Errorf("open %s: %w", o.Path, err)
	}
	o.Path = path
	if o.MustExist {
		if _, err := os.Stat(path); err != nil {
			return o, fmt.Errorf("open the database: %w", err)
		}
	}
	o.touch()
	if o.Wall == nil {
		o.Wall = wallClock
	}
	if o.ReadConns <= 0 {
		o.ReadConns = defaultReadConns
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = defaultBusyTimeout
	}
	if o.schema == nil {
		o.schema = carriedSchema()
	}
	return o, nil
}

// touch makes the file for its owner alone: it holds people's phone numbers. Its
// companions, the log and the index of it, get what it has. What keeps it from being
// made is told by whoever opens it.
func (o Options) touch() {
	if o.MustExist {
		return
	}
	if f, err := os.OpenFile(o.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
	}
}

func (o Options) writerDSN() string {
	mode := "rwc"
	if o.MustExist {
		mode = "rw"
	}
	return o.dsn(url.Values{
		"mode":          {mode},
		"_txlock":       {"immediate"},
		"_journal_mode": {"WAL"},
		"_busy_timeout": {milliseconds(min(busySlice, o.BusyTimeout))},
	})
}

func (o Options) readerDSN() string {
	return o.dsn(url.Values{
		"mode":          {"ro"},
		"_txlock":       {"deferred"},
		"_query_only":   {"on"},
		"_busy_timeout": {milliseconds(o.BusyTimeout)},
	})
}

// dsn adds what every connection needs. What a parameter cannot say is said by
// the hook of newConnector.
func (o Options) dsn(params url.Values) string {
	params.Set("_synchronous", "FULL")
	params.Set("_foreign_keys", "on")
	params.Set("_stmt_cache_size", strconv.Itoa(statementCache))
	escape := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")
	return "file:" + escape.Replace(o.Path) + "?" + params.Encode()
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// connector opens connections of one DSN; the driver needs no global name.
type connector struct {
	driver *sqlite3.SQLiteDriver
	dsn    string
	place  *place // a connection more must be one to the same file
}

func newConnector(dsn string, place *place) *connector {
	onConnect := func(c *sqlite3.SQLiteConn) error {
		pragmas := fmt.Sprintf("PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = %d", walLimitBytes)
		_, err := c.Exec(pragmas, nil)
		return err
	}
	return &connector{&sqlite3.SQLiteDriver{ConnectHook: onConnect}, dsn, place}
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	if err := c.place.check(); err != nil {
		return nil, refusalOf(err)
	}
	return c.driver.Open(c.dsn)
}

package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

const noon domain.Instant = 1796875200 // 2026-12-10 04:00 UTC, noon in Shanghai

var ctx = context.Background()

const coreSQL = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), last_instant INTEGER NOT NULL DEFAULT 0,
  demo_offset INTEGER NOT NULL DEFAULT 0, demo_frozen_at INTEGER) STRICT;
INSERT INTO clock (id) VALUES (1);
CREATE TABLE entries (id INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text <> ''), at INTEGER NOT NULL) STRICT;
CREATE TABLE counter (n INTEGER NOT NULL) STRICT;
INSERT INTO counter VALUES (0);
CREATE TABLE courts (id TEXT PRIMARY KEY) STRICT;
CREATE TABLE reservations (id TEXT PRIMARY KEY, court_id TEXT NOT NULL REFERENCES courts, starts_at INTEGER, settled_at INTEGER) STRICT;
CREATE UNIQUE INDEX reservations_one_per_slot ON reservations (court_id, starts_at) WHERE settled_at IS NULL;
CREATE TABLE late_checked (court_id TEXT REFERENCES courts DEFERRABLE INITIALLY DEFERRED) STRICT;
CREATE TABLE blobs (data BLOB) STRICT;
`

const derivedSQL = `
CREATE VIEW entry_texts AS SELECT text FROM entries;
CREATE TRIGGER entries_guard BEFORE INSERT ON entries WHEN NEW.text = 'closed'
BEGIN SELECT RAISE(ABORT, 'reason:slot_closed by a closure'); END;
`

func tinySchema() fstest.MapFS {
	return fstest.MapFS{
		"0001_core.sql": {Data: []byte(coreSQL)},
		"derived.sql":   {Data: []byte(derivedSQL)},
	}
}

// clock is a wall clock that a test sets.
type clock struct{ unix atomic.Int64 }

func clockAt(at domain.Instant) *clock {
	c := new(clock)
	c.unix.Store(int64(at))
	return c
}

func (c *clock) wall() time.Time       { return time.Unix(c.unix.Load(), 999) }
func (c *clock) set(at domain.Instant) { c.unix.Store(int64(at)) }

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "club.db") }

func options(path string, c *clock) sqlite.Options {
	return sqlite.WithSchema(sqlite.Options{Path: path, Wall: c.wall}, tinySchema())
}

func mustOpen(t *testing.T, opts sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return db
}

func openNew(t *testing.T) *sqlite.DB {
	t.Helper()
	return mustOpen(t, options(newPath(t), clockAt(noon)))
}

// add is a command that inserts one entry.
func add(text string) func(*sqlite.Tx) error {
	return func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO entries (text, at) VALUES (?, ?)`, text, tx.Now)
		return err
	}
}

// texts lists the entries in the order they were made.
func texts(t *testing.T, db *sqlite.DB) []string {
	t.Helper()
	list := []string{}
	err := db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query(`SELECT text FROM entries ORDER BY id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			list = append(list, text)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func wantTexts(t *testing.T, db *sqlite.DB, want ...string) {
	t.Helper()
	got := texts(t, db)
	if len(got) != len(want) {
		t.Fatalf("entries %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("entries %q, want %q", got, want)
		}
	}
}

func wantUnavailable(t *testing.T, err error) *domain.Error {
	t.Helper()
	e, ok := domain.AsError(err)
	if !ok || e.Kind != domain.Unavailable {
		t.Fatalf("got %v, want a refusal of kind Unavailable", err)
	}
	return e
}

func mustWrite(t *testing.T, db *sqlite.DB, fn func(*sqlite.Tx) error) {
	t.Helper()
	if err := db.Write(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

var errRefused = errors.New("refused by the command itself")

package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"courtd/sqlite"
)

var pragmas = map[string]string{
	"foreign_keys": "1", "journal_mode": "wal", "synchronous": "2", "temp_store": "2",
}

// wantPragmas takes n connections of a pool at once and looks at each.
func wantPragmas(t *testing.T, pool *sql.DB, n int, more map[string]string) {
	t.Helper()
	var conns []*sql.Conn
	for range n {
		conn, err := pool.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	for i, conn := range conns {
		for _, wanted := range []map[string]string{pragmas, more} {
			for name, want := range wanted {
				var got string
				if err := conn.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil || got != want {
					t.Errorf("connection %d of %d: %s = %q, want %q, %v", i, n, name, got, want, err)
				}
			}
		}
	}
	for _, conn := range conns {
		conn.Close()
	}
}

func TestC48_EveryConnectionHasItsPragmas(t *testing.T) {
	opts := options(newPath(t), clockAt(noon))
	opts.ReadConns = 8
	db := mustOpen(t, opts)
	writer, readers := sqlite.Pools(db)
	reading := map[string]string{"query_only": "1", "busy_timeout": "5000"}
	wantPragmas(t, writer, 1, map[string]string{"query_only": "0", "busy_timeout": "20"})
	wantPragmas(t, readers, 8, reading)
	readers.SetMaxIdleConns(-1) // closes what is idle
	wantPragmas(t, readers, 8, reading)

	mustWrite(t, db, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec(`INSERT INTO courts VALUES ('c1')`); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO reservations VALUES ('r1', 'c1', 1, NULL)`)
		return err
	})
	err := db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`DELETE FROM courts`)
		return err
	})
	if err == nil {
		t.Error("a court with bookings could be deleted")
	}
	for range 9 {
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			rows, err := s.Query(`DELETE FROM reservations RETURNING id`)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		})
		wantUnavailable(t, err) // READONLY
	}
}

func TestPathsAreTakenLiterally(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "why?.db", "no#1.db", "100%.db", "%41&mode=memory.db", "羽毛球.db", "?x=1#y.db"} {
		path := filepath.Join(dir, name)
		db, err := sqlite.Open(ctx, options(path, clockAt(noon)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		mustWrite(t, db, add(name))
		wantTexts(t, db, name)
		if err := db.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: the file is not there under its name: %v", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 7 {
		t.Errorf("%d files, %v; want 7 and nothing beside them", len(entries), err)
	}
	if _, err := sqlite.Open(ctx, options("nul\x00.db", clockAt(noon))); err == nil {
		t.Error("a path with a NUL was taken")
	}
}

func TestMustExistMakesNoFile(t *testing.T) {
	opts := options(newPath(t), clockAt(noon))
	opts.MustExist = true
	if _, err := sqlite.Open(ctx, opts); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(opts.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file was made")
	}
	opts.Create = true
	if _, err := sqlite.Open(ctx, opts); err == nil {
		t.Error("MustExist and Create were taken together")
	}
	opts.MustExist = false
	if err := mustOpen(t, opts).Close(); err != nil {
		t.Fatal(err)
	}
	opts.MustExist, opts.Create = true, false
	mustOpen(t, opts)
}

func TestReadsSeeOneSnapshot(t *testing.T) {
	db := openNew(t)
	count := func(s *sqlite.Snapshot) (n int) {
		if err := s.QueryRow(`SELECT count(*) FROM entries`).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	err := db.Read(ctx, func(s *sqlite.Snapshot) error {
		mustWrite(t, db, add("meanwhile")) // before the first SELECT of its own
		if n := count(s); n != 0 {
			t.Errorf("%d rows, want 0: the snapshot was opened late", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, db, "meanwhile")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	wantUnavailable(t, db.Read(ended, func(*sqlite.Snapshot) error { return nil }))
}

func TestVersionChangesWithEveryCommitOfAnyProcess(t *testing.T) {
	path := newPath(t)
	one, two := mustOpen(t, options(path, clockAt(noon))), mustOpen(t, options(path, clockAt(noon)))
	version := func() int64 {
		t.Helper()
		g, err := one.Glance(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return g.Version
	}
	mustWrite(t, one, add("to raise the last instant"))
	before := version()
	texts(t, one)
	if err := one.Write(ctx, func(tx *sqlite.Tx) error { add("undone")(tx); return errRefused }); !errors.Is(err, errRefused) {
		t.Fatal(err)
	}
	if v := version(); v != before {
		t.Errorf("version went from %d to %d with nothing committed", before, v)
	}
	for i, db := range []*sqlite.DB{one, two, one, two, two} {
		mustWrite(t, db, add("more"))
		if v := version(); v == before {
			t.Errorf("commit %d left the version at %d", i, v)
		} else {
			before = v
		}
	}
}

// TestANewFileIsItsOwnersAlone, and so are its companions: they hold phone numbers.
func TestANewFileIsItsOwnersAlone(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, options(path, clockAt(noon)))
	mustWrite(t, db, func(tx *sqlite.Tx) error { return tx.SetMeta("k", "v") })
	for _, end := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s may be used by others: %o", end, mode)
		}
	}
}

package sqlite_test

import (
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"courtd/sqlite"
)

// openWith opens the file with other migrations, runs look, and closes it.
func openWith(t *testing.T, path string, schema fstest.MapFS, look func(*sqlite.DB)) error {
	t.Helper()
	opts := sqlite.WithSchema(options(path, clockAt(noon)), schema)
	db, err := sqlite.Open(ctx, opts)
	if err != nil {
		return err
	}
	if look != nil {
		look(db)
	}
	return db.Close()
}

func text(t *testing.T, db *sqlite.DB, query string) (got string) {
	t.Helper()
	if err := db.Read(ctx, func(s *sqlite.Snapshot) error { return s.QueryRow(query).Scan(&got) }); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return got
}

const ran = `SELECT group_concat(version || ' ' || name || ' ' || applied_at, ', ') FROM schema_migrations`

func TestMigrationsRunOnceAndDerivedWhenItChanges(t *testing.T) {
	path, schema := newPath(t), tinySchema()
	if err := openWith(t, path, schema, func(db *sqlite.DB) { mustWrite(t, db, add("kept")) }); err != nil {
		t.Fatal(err)
	}
	// A column that the view names is renamed, and the view with it.
	schema["0002_words.sql"] = &fstest.MapFile{Data: []byte(
		`ALTER TABLE entries RENAME TO notes; CREATE TABLE entries (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO entries SELECT id, text || '!' FROM notes; DROP TABLE notes;`)}
	for range 2 {
		err := openWith(t, path, schema, func(db *sqlite.DB) {
			if got := text(t, db, ran); got != "1 core 1796875200, 2 words 1796875200" {
				t.Errorf("migrations %q", got)
			}
			if got := text(t, db, `SELECT text FROM entry_texts`); got != "kept!" {
				t.Errorf("entry %q", got)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	schema["derived.sql"] = &fstest.MapFile{Data: []byte(`CREATE VIEW "odd ""name" AS SELECT upper(text) AS text FROM entries;`)}
	for range 2 {
		err := openWith(t, path, schema, func(db *sqlite.DB) {
			if got := text(t, db, `SELECT text FROM "odd ""name"`); got != "KEPT!" {
				t.Errorf("entry %q", got)
			}
			if got := text(t, db, `SELECT group_concat(name) FROM sqlite_schema WHERE type IN ('view', 'trigger')`); got != `odd "name` {
				t.Errorf("views and triggers %q", got)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := openWith(t, path, tinySchema(), nil); err == nil || !strings.Contains(err.Error(), "newer courtd") {
		t.Errorf("an older binary opened it: %v", err)
	}
}

func TestAFailedMigrationLeavesNothing(t *testing.T) {
	for name, broken := range map[string]string{
		"bad SQL":           `CREATE TABLE half (x); SELECT nonsense FROM nowhere;`,
		"dangling row":      `CREATE TABLE half (court_id TEXT REFERENCES courts DEFERRABLE INITIALLY DEFERRED); INSERT INTO half VALUES ('gone');`,
		"view left hanging": `CREATE TABLE half (x); DROP TABLE entries;`,
	} {
		path, schema := newPath(t), tinySchema()
		if err := openWith(t, path, schema, nil); err != nil {
			t.Fatal(err)
		}
		schema["0002_broken.sql"] = &fstest.MapFile{Data: []byte(broken)}
		if err := openWith(t, path, schema, nil); err == nil {
			t.Errorf("%s: the broken migration passed", name)
		}
		err := openWith(t, path, tinySchema(), func(db *sqlite.DB) {
			if got := text(t, db, ran); got != "1 core 1796875200" {
				t.Errorf("%s: migrations %q", name, got)
			}
			if got := text(t, db, `SELECT count(*) FROM sqlite_schema WHERE name = 'half'`); got != "0" {
				t.Errorf("%s: half of it stayed", name)
			}
			mustWrite(t, db, add("works as before"))
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMigrationsAreNumberedWithoutAGap(t *testing.T) {
	for _, names := range [][]string{{"0003_c.sql"}, {"0001_again.sql"}, {"02x_c.sql"}} {
		schema := tinySchema()
		for _, name := range names {
			schema[name] = &fstest.MapFile{Data: []byte(`SELECT 1`)}
		}
		if err := openWith(t, newPath(t), schema, nil); err == nil || !strings.Contains(err.Error(), "want number") {
			t.Errorf("%v: %v", names, err)
		}
	}
}

func TestAForeignDatabaseIsRefused(t *testing.T) {
	path := newPath(t)
	if err := openWith(t, path, tinySchema(), func(db *sqlite.DB) {
		mustWrite(t, db, func(tx *sqlite.Tx) error { _, err := tx.Exec(`DROP TABLE schema_migrations`); return err })
	}); err != nil {
		t.Fatal(err)
	}
	if err := openWith(t, path, tinySchema(), nil); err == nil || !strings.Contains(err.Error(), "not courtd's") {
		t.Errorf("got %v", err)
	}
}

func TestManyProcessesMayMakeTheFileAtOnce(t *testing.T) {
	for range 5 {
		path := newPath(t)
		var crowd sync.WaitGroup
		for range 8 {
			crowd.Go(func() {
				if err := openWith(t, path, tinySchema(), func(db *sqlite.DB) {
					if err := db.Write(ctx, add("here")); err != nil {
						t.Error(err)
					}
				}); err != nil {
					t.Error(err)
				}
			})
		}
		crowd.Wait()
		if err := openWith(t, path, tinySchema(), func(db *sqlite.DB) {
			if got := text(t, db, `SELECT count(*) FROM entries`); got != "8" {
				t.Errorf("%s entries, want 8", got)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

func TestTheBinarysOwnSchemaOpens(t *testing.T) {
	path := newPath(t)
	for range 2 {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Wall: clockAt(noon).wall})
		if err != nil {
			t.Fatal(err)
		}
		wantInstant(t, "a write", instantOfWrite(t, db), noon)
		if got := text(t, db, `SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'view'`); got != "1" {
			t.Error("no views")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A table that others refer to can be rebuilt, which is how a CHECK is changed;
// references are checked afterwards and hold for everybody who comes later.
func TestAMigrationMayRebuildATableThatOthersReferTo(t *testing.T) {
	path, schema := newPath(t), tinySchema()
	fill := func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO courts VALUES ('c1'); INSERT INTO reservations VALUES ('r1', 'c1', 1, NULL)`)
		return err
	}
	if err := openWith(t, path, schema, func(db *sqlite.DB) { mustWrite(t, db, fill) }); err != nil {
		t.Fatal(err)
	}
	rebuild := func(copied string) {
		schema["0002_courts.sql"] = &fstest.MapFile{Data: []byte(`CREATE TABLE new_courts (id TEXT PRIMARY KEY CHECK (id <> '')) STRICT;
			INSERT INTO new_courts SELECT id FROM courts ` + copied + `; DROP TABLE courts; ALTER TABLE new_courts RENAME TO courts;`)}
	}
	rebuild("WHERE false")
	if err := openWith(t, path, schema, nil); err == nil || !strings.Contains(err.Error(), "refer to nothing") {
		t.Fatalf("a migration that loses a court: %v", err)
	}
	rebuild("")
	err := openWith(t, path, schema, func(db *sqlite.DB) {
		if got := text(t, db, `SELECT r.id || ' on ' || c.id FROM reservations r JOIN courts c ON c.id = r.court_id`); got != "r1 on c1" {
			t.Errorf("after the rebuild: %q", got)
		}
		err := db.Write(ctx, func(tx *sqlite.Tx) error {
			_, err := tx.Exec(`INSERT INTO reservations VALUES ('r2', 'nowhere', 2, NULL)`)
			return err
		})
		if err == nil {
			t.Error("a reservation on no court was accepted after a migration")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

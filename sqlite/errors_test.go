package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
	"courtd/sqlite"
)

func wantConflict(t *testing.T, err error, reason string) {
	t.Helper()
	e, ok := domain.AsError(err)
	if !ok || e.Kind != domain.Conflict || e.Reason != reason {
		t.Errorf("got %v, want a conflict %s", err, reason)
	}
	var cause sqlite3.Error
	if !errors.As(err, &cause) {
		t.Errorf("the cause is missing from %v", err)
	}
}

func TestTheDatabasesOwnGuardsAreRefusals(t *testing.T) {
	db := openNew(t)
	wantConflict(t, db.Write(ctx, add("closed")), "slot_closed")
	err := db.Write(ctx, func(tx *sqlite.Tx) error {
		var id int
		row := tx.QueryRow(`INSERT INTO entries (text, at) VALUES ('closed', 1) RETURNING id`)
		return fmt.Errorf("book: %w", row.Scan(&id))
	})
	wantConflict(t, err, "slot_closed")

	book := func(id string, startsAt int) func(*sqlite.Tx) error {
		return func(tx *sqlite.Tx) error {
			_, err := tx.Exec(`INSERT INTO reservations VALUES (?, 'c1', ?, NULL)`, id, startsAt)
			return err
		}
	}
	mustWrite(t, db, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO courts VALUES ('c1')`)
		return err
	})
	mustWrite(t, db, book("r1", 1700))
	wantConflict(t, db.Write(ctx, book("r2", 1700)), "slot_taken")
	if _, refusal := domain.AsError(db.Write(ctx, book("r1", 1800))); refusal {
		t.Error("a row made twice is a defect, not a refusal")
	}
}

// pragma sets something on the writer's present connection.
func pragma(t *testing.T, db *sqlite.DB, text string) {
	t.Helper()
	writer, _ := sqlite.Pools(db)
	if _, err := writer.ExecContext(ctx, "PRAGMA "+text); err != nil {
		t.Fatal(err)
	}
}

func fill(tx *sqlite.Tx) error {
	_, err := tx.Exec(`INSERT INTO blobs VALUES (zeroblob(1000000))`)
	return err
}

func TestAFullDiskTellsNobodyDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		pragma(t, db, "max_page_count = 40")
		var swallowed error
		errs := together(t, db,
			add("before"),
			func(tx *sqlite.Tx) error { add("refused")(tx); return errRefused },
			func(tx *sqlite.Tx) error {
				swallowed = fill(tx)
				add("after the transaction was gone")(tx)
				var n int
				tx.QueryRow(`INSERT INTO entries (text, at) VALUES ('by query', 1) RETURNING id`).Scan(&n)
				tx.Try(func() error { return add("in a try")(tx) })
				return nil
			},
			add("a later batch"),
		)
		wantUnavailable(t, swallowed)
		e := wantUnavailable(t, errs[0])
		if !errors.Is(errs[1], errRefused) {
			t.Errorf("the refused command got %v", errs[1])
		}
		if own := wantUnavailable(t, errs[2]); own == e {
			t.Error("two callers share one refusal")
		}
		if errs[3] != nil {
			t.Errorf("a command after the disk was full: %v", errs[3])
		}
		wantTexts(t, db, "a later batch")
	})
}

func TestAFullDiskIsNamedToWhoMeetsIt(t *testing.T) {
	db := openNew(t)
	pragma(t, db, "max_page_count = 40")
	e := wantUnavailable(t, db.Write(ctx, fill))
	var cause sqlite3.Error
	if !strings.Contains(e.Message, "full") || !errors.As(e, &cause) || cause.Code != sqlite3.ErrFull {
		t.Errorf("got %v", e)
	}
	mustWrite(t, db, fill) // the next batch has a fresh connection, without the limit
	mustWrite(t, db, add("room again"))
	wantTexts(t, db, "room again")
}

func TestAFailedCommitTellsNobodyDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		errs := together(t, db,
			add("before"),
			func(tx *sqlite.Tx) error {
				_, err := tx.Exec(`INSERT INTO late_checked VALUES ('no such court')`)
				return err
			},
			func(*sqlite.Tx) error { return errRefused },
			add("after"),
		)
		for _, i := range []int{0, 1, 3} {
			wantUnavailable(t, errs[i])
		}
		if !errors.Is(errs[2], errRefused) {
			t.Errorf("the refused command got %v", errs[2])
		}
		mustWrite(t, db, add("next"))
		wantTexts(t, db, "next")
	})
}

func TestAReadOnlyDatabaseIsUnavailable(t *testing.T) {
	db := openNew(t)
	pragma(t, db, "query_only = on")
	err := db.Write(ctx, add("no"))
	wantUnavailable(t, err)
	var cause sqlite3.Error
	if !errors.As(err, &cause) || cause.Code != sqlite3.ErrReadonly {
		t.Errorf("got %v", err)
	}
	wantTexts(t, db)
}

func TestOpenRefusesWhatIsNoDatabase(t *testing.T) {
	path := newPath(t)
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(ctx, options(path, clockAt(noon)))
	if e := wantUnavailable(t, err); !strings.Contains(e.Message, "not a database") {
		t.Errorf("got %v", err)
	}
	_, err = sqlite.Open(ctx, options(filepath.Join(t.TempDir(), "no", "such", "dir.db"), clockAt(noon)))
	wantUnavailable(t, err)
}

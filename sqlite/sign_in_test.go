package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"courtd/domain"
	"courtd/sqlite"
)

// schemaUpTo is the binary's schema as it was when it had so many migrations.
func schemaUpTo(t *testing.T, last string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	files, err := filepath.Glob("schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(file); name <= last || name == "derived.sql" {
			out[name] = &fstest.MapFile{Data: text}
		}
	}
	return out
}

// TestCodesOfAnOlderFile: a code that was sent before addresses were counted serves on,
// and goes with its tries.
func TestCodesOfAnOlderFile(t *testing.T) {
	path := newPath(t)
	if err := openWith(t, path, schemaUpTo(t, "0002_reports.sql"), func(db *sqlite.DB) {
		mustWrite(t, db, func(tx *sqlite.Tx) error {
			_, err := tx.Exec("INSERT INTO login_codes (id, phone, code_hash, created_at, expires_at, tries) VALUES ('old', '1', 'h', ?, ?, 3)", tx.Now, tx.Now+300)
			return err
		})
	}); err != nil {
		t.Fatal(err)
	}
	err := openWith(t, path, schemaUpTo(t, "0003_sign_in.sql"), func(db *sqlite.DB) {
		mustWrite(t, db, func(tx *sqlite.Tx) error {
			for range 2 {
				if err := tx.MissLoginCode("old", "here"); err != nil {
					return err
				}
			}
			return tx.MissLoginCode("old", "there")
		})
		mustWrite(t, db, func(tx *sqlite.Tx) error {
			codes, err := tx.LoginCodes("1", "here")
			if err != nil || len(codes) != 1 || codes[0].Tries != 6 || codes[0].TriesFrom != 2 || codes[0].AskedFrom != "" {
				t.Errorf("codes %+v, %v", codes, err)
			}
			_, err = tx.Purge(domain.Instant(0), tx.Now+1, domain.Instant(0))
			return err
		})
		if got := text(t, db, "SELECT (SELECT count(*) FROM login_codes) || ' ' || (SELECT count(*) FROM login_code_tries)"); got != "0 0" {
			t.Errorf("codes and tries that are left: %s", got)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

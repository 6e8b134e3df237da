package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"courtd/sqlite"
)

// disagreeing is the real schema with one word of a generated column replaced.
func disagreeing(t *testing.T, old, other string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	all, err := filepath.Glob("schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = &fstest.MapFile{Data: text}
	}
	core := string(files["0001_core.sql"].Data)
	if strings.Count(core, old) == 0 {
		t.Fatalf("the schema has no %q", old)
	}
	files["0001_core.sql"].Data = []byte(strings.ReplaceAll(core, old, other))
	return files
}

func TestRuleScannerRefusesARowThatDisagrees(t *testing.T) {
	const release, ending = "paid_at       IS NOT NULL THEN check_in_by\n         ELSE pay_by END) VIRTUAL", "ELSE 'lapsed' END) VIRTUAL"
	const basketRelease = "paid_at        IS NOT NULL THEN check_in_by\n         ELSE pay_by END) VIRTUAL"
	for name, test := range map[string]struct{ old, other, want string }{
		"as it should be": {ending, ending, ""},
		"released later":  {release, strings.Replace(release, "pay_by", "pay_by + 1", 1), "reservation r:"},
		"another ending":  {ending, strings.Replace(ending, "lapsed", "cancelled", 1), "reservation r:"},
		"of a basket":     {basketRelease, strings.Replace(basketRelease, "pay_by", "pay_by + 1", 1), "basket b:"},
	} {
		t.Run(name, func(t *testing.T) {
			db := mustOpen(t, sqlite.WithSchema(sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall}, disagreeing(t, test.old, test.other)))
			mustWrite(t, db, func(tx *sqlite.Tx) error {
				if _, err := tx.Exec(`INSERT INTO customers (id, created_at) VALUES ('u', 1)`); err != nil {
					return err
				}
				for _, table := range []string{"courts", "coupons", "orders", "reservations", "baskets"} {
					query, args := insertion(table, nil)
					if _, err := tx.Exec(query, args...); err != nil {
						return err
					}
				}
				return nil
			})
			err := db.Read(ctx, func(s *sqlite.Snapshot) error {
				_, err := s.Order("o")
				return err
			})
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want an error about %s", err, test.want)
			}
		})
	}
}

package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"courtd/domain"
)

//go:embed schema/*.sql
var embedded embed.FS

// derivedFile holds the views and triggers; derivedKey is where its hash is kept.
const (
	derivedFile = "derived.sql"
	derivedKey  = "derived_sha256"
)

// migration is one numbered file, run once in the life of a database.
type migration struct {
	version int
	name    string
	text    string
}

func carriedSchema() fs.FS {
	sub, err := fs.Sub(embedded, "schema")
	if err != nil {
		panic(err) // the directory is named in the line that embeds it
	}
	return sub
}

// migrate brings the file to this binary's schema, all of it or nothing, and safe
// beside another process that does the same. ctx bounds the wait for the write
// lock, not what is done under it.
func migrate(ctx context.Context, conn *sql.Conn, schema fs.FS, at domain.Instant) error {
	migrations, err := readMigrations(schema)
	if err != nil {
		return err
	}
	derived, err := fs.ReadFile(schema, derivedFile)
	if err != nil {
		return fmt.Errorf("read the views and triggers: %w", err)
	}
	tx, _, err := beginWhenFree(ctx, conn)
	if err != nil {
		return fmt.Errorf("take the write lock to migrate: %w", err)
	}
	defer tx.Rollback()
	pending, err := pendingMigrations(tx, migrations)
	if err != nil {
		return err
	}
	if err := upgrade(tx, pending, string(derived), at); err != nil {
		return err
	}
	if len(pending) > 0 {
		if err := checkReferences(tx); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit the schema: %w", err)
	}
	return nil
}

// checkReferences refuses a schema in which a row refers to one that is not there.
func checkReferences(tx *sql.Tx) error {
	var table string
	err := tx.QueryRow(`SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("check references: %w", err)
	}
	return fmt.Errorf("migrating left rows of %s that refer to nothing", table)
}

// readMigrations reads files named 0001_what.sql and so on, without a gap.
func readMigrations(schema fs.FS) ([]migration, error) {
	names, err := fs.Glob(schema, "[0-9]*_*.sql")
	if err != nil {
		return nil, err
	}
	var list []migration
	for _, file := range names {
		number, rest, _ := strings.Cut(file, "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != len(list)+1 {
			return nil, fmt.Errorf("migration %s: want number %d", file, len(list)+1)
		}
		text, err := fs.ReadFile(schema, file)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		list = append(list, migration{version, strings.TrimSuffix(rest, ".sql"), string(text)})
	}
	return list, nil
}

// pendingMigrations says which of them the file has not had yet.
func pendingMigrations(tx *sql.Tx, all []migration) ([]migration, error) {
	var tables, ours int
	err := tx.QueryRow(`SELECT count(*), count(*) FILTER (WHERE name = 'schema_migrations')
		FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`).Scan(&tables, &ours)
	if err != nil {
		return nil, fmt.Errorf("look at the schema: %w", err)
	}
	if ours == 0 && tables > 0 {
		return nil, errors.New("the file is a database, but not courtd's")
	}
	if ours == 0 {
		_, err := tx.Exec(`CREATE TABLE schema_migrations (
			version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`)
		if err != nil {
			return nil, fmt.Errorf("make the table of migrations: %w", err)
		}
	}
	var highest int
	if err := tx.QueryRow(`SELECT coalesce(max(version), 0) FROM schema_migrations`).Scan(&highest); err != nil {
		return nil, fmt.Errorf("read which migrations have run: %w", err)
	}
	if highest > len(all) {
		return nil, fmt.Errorf("the database is at schema %d and this courtd knows only up to %d: use a newer courtd",
			highest, len(all))
	}
	return all[highest:], nil
}

// upgrade runs what is pending. Views and triggers go first and come back last,
// because a migration may change the tables they name.
func upgrade(tx *sql.Tx, pending []migration, derived string, at domain.Instant) error {
	sum := sha256.Sum256([]byte(derived))
	hash := hex.EncodeToString(sum[:])
	if len(pending) == 0 {
		var stored string
		err := tx.QueryRow(`SELECT value FROM meta WHERE key = ?`, derivedKey).Scan(&stored)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read the hash of the views and triggers: %w", err)
		}
		if stored == hash {
			return nil
		}
	}
	if err := dropDerived(tx); err != nil {
		return err
	}
	for _, m := range pending {
		if _, err := tx.Exec(m.text); err != nil {
			return fmt.Errorf("migration %d %s: %w", m.version, m.name, err)
		}
		_, err := tx.Exec(`INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)`,
			m.version, m.name, int64(at))
		if err != nil {
			return fmt.Errorf("note migration %d: %w", m.version, err)
		}
	}
	if _, err := tx.Exec(derived); err != nil {
		return fmt.Errorf("make the views and triggers: %w", err)
	}
	_, err := tx.Exec(`INSERT INTO meta (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, derivedKey, hash)
	if err != nil {
		return fmt.Errorf("keep the hash of the views and triggers: %w", err)
	}
	return nil
}

func dropDerived(tx *sql.Tx) error {
	// Triggers before views: a view takes its own triggers with it.
	rows, err := tx.Query(`SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY type`)
	if err != nil {
		return fmt.Errorf("list views and triggers: %w", err)
	}
	defer rows.Close()
	var drops []string
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			return fmt.Errorf("list views and triggers: %w", err)
		}
		drops = append(drops, fmt.Sprintf(`DROP %s "%s"`, kind, strings.ReplaceAll(name, `"`, `""`)))
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list views and triggers: %w", err)
	}
	for _, drop := range drops {
		if _, err := tx.Exec(drop); err != nil {
			return fmt.Errorf("%s: %w", drop, err)
		}
	}
	return nil
}

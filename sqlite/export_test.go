package sqlite

import (
	"context"
	"database/sql"
	"io/fs"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// WithSchema makes Open use other migrations than the binary's.
func WithSchema(opts Options, schema fs.FS) Options {
	opts.schema = schema
	return opts
}

// Pools gives the connections themselves, to look at their settings.
func Pools(d *DB) (writer, readers *sql.DB) { return d.writer, d.readers }

// OnCommit calls back for every COMMIT of the writer's present connection.
func OnCommit(d *DB, seen func()) error {
	conn, err := d.writer.Conn(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error {
		c.(*sqlite3.SQLiteConn).RegisterCommitHook(func() int { seen(); return 0 })
		return nil
	})
}

// MaxBatch is how many commands may share one COMMIT.
const MaxBatch = maxBatch

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

// ExplainEvery gives the query plan of every question that follows, line by line.
func ExplainEvery(s *Snapshot, seen func(plan string)) {
	s.asked = func(query string, args []any) {
		rows, err := s.sql.Query("EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			seen(err.Error())
			return
		}
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var line string
			if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
				line = err.Error()
			}
			seen(line)
		}
	}
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"courtd/domain"
)

// Peeked is what can be said of a file without touching it.
type Peeked struct {
	Schema    int             // the newest migration that has run
	Carried   int             // the newest that this program carries
	HasVenue  bool            // it has been set up
	Messages  domain.Messages // as the owner has set them, if the file is of this program's version
	Clock     domain.Instant
	Last      domain.Instant // the last instant handed out
	Behind    bool           // the clock is so far behind it that writes are refused
	Moved     bool           // a demonstration's clock
	Unmatched error          // why it cannot be read by this program, or nil
}

// Peek looks at a file that may be in use, by a program of another version too. It opens
// it for reading alone: nothing is migrated, and no file is made.
func Peek(ctx context.Context, path string) (p Peeked, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return p, fmt.Errorf("look at the file: %w", err)
	}
	migrations, err := readMigrations(carriedSchema())
	if err != nil {
		return p, err
	}
	p.Carried = len(migrations)
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?mode=ro&_query_only=on&_busy_timeout=5000")
	if err != nil {
		return p, fmt.Errorf("look at the file: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_migrations").Scan(&p.Schema); err != nil {
		return p, fmt.Errorf("this is no file of courtd's: %w", err)
	}
	if p.Schema > p.Carried {
		p.Unmatched = fmt.Errorf("the file is at schema %d and this courtd knows only up to %d", p.Schema, p.Carried)
		return p, nil
	}
	var offset int64
	var frozen domain.Instant
	if err := db.QueryRowContext(ctx, "SELECT last_instant, demo_offset, demo_frozen_at FROM clock WHERE id = 1").Scan(&p.Last, &offset, &frozen); err != nil {
		return p, fmt.Errorf("read the clock row: %w", err)
	}
	p.Moved = offset != 0 || frozen.IsSet()
	p.Clock = domain.InstantOf(wallClock())
	p.Behind = !p.Moved && p.Clock+clockTolerance < p.Last
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM venue)").Scan(&p.HasVenue)
	if err != nil {
		return p, fmt.Errorf("read the venue: %w", err)
	}
	if !p.HasVenue || p.Schema < p.Carried {
		return p, nil
	}
	var messages string
	if err := db.QueryRowContext(ctx, "SELECT messages FROM venue").Scan(&messages); err != nil {
		return p, fmt.Errorf("read the messages: %w", err)
	}
	if err := json.Unmarshal([]byte(messages), &p.Messages); err != nil {
		return p, fmt.Errorf("read the messages: %w", err)
	}
	return p, nil
}

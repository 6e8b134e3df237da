// Package domain holds the rules of the club: what blocks a slot, what an
// order has become, what money goes back. It knows no clock, no database and no
// network; whoever asks brings the instant.
package domain

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Instant is a moment in whole unix seconds, UTC. The zero Instant means "has
// not happened" or "no deadline" and is NULL in the database.
type Instant int64

// Never is the release of a claim that only a person can end: 9999-12-31
// 23:59:59 UTC, the last instant that SQLite's date functions can print.
const Never Instant = 253402300799

// InstantOf drops the fraction of a second: a deadline holds for whole seconds.
func InstantOf(at time.Time) Instant { return Instant(at.Unix()) }

// IsSet reports whether the instant stands for something that happened or was promised.
func (i Instant) IsSet() bool { return i != 0 }

// Add moves the instant by whole seconds of d.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d/time.Second) }

// Sub is the time elapsed from earlier to i.
func (i Instant) Sub(earlier Instant) time.Duration {
	return time.Duration(i-earlier) * time.Second
}

// In gives the wall-clock time in a zone.
func (i Instant) In(zone *time.Location) time.Time { return time.Unix(int64(i), 0).In(zone) }

// Min returns the earlier of two instants that are both set.
func Min(a, b Instant) Instant {
	if b < a {
		return b
	}
	return a
}

// Value stores the instant as an INTEGER, and the zero Instant as NULL.
func (i Instant) Value() (driver.Value, error) {
	if i == 0 {
		return nil, nil
	}
	return int64(i), nil
}

// Scan reads an INTEGER or NULL. Text is refused: a time stored as text is a defect.
func (i *Instant) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*i = 0
	case int64:
		*i = Instant(v)
	default:
		return fmt.Errorf("instant: want INTEGER or NULL, got %T", src)
	}
	return nil
}

package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"courtd/domain"
)

// clockTolerance is how many seconds the clock may stand behind the last instant
// handed out: two machines or a corrected clock differ by that much.
const clockTolerance = 5

// ClockState is what the venue's clock shows, and whether it may be believed.
type ClockState struct {
	Clock  domain.Instant // the clock itself, moved or frozen if this is a demonstration
	Last   domain.Instant // the last instant handed out by any process
	Frozen bool           // the clock stands still
	Behind bool           // the clock is so far behind Last that writes are refused
}

// clockRow is the one row of table clock.
type clockRow struct {
	last     domain.Instant
	offset   int64          // seconds added to the wall clock
	frozenAt domain.Instant // not set: the clock runs
}

func wallClock() time.Time { return time.Now() }

// Wall is what this machine's clock shows. It is for those outside, whom signatures and
// letters are dated for; nothing of the club is judged by it.
func Wall() time.Time { return wallClock() }

func readClock(queryRow func(string, ...any) *sql.Row) (clockRow, error) {
	var c clockRow
	row := queryRow(`SELECT last_instant, demo_offset, demo_frozen_at FROM clock WHERE id = 1`)
	if err := row.Scan(&c.last, &c.offset, &c.frozenAt); err != nil {
		return c, fmt.Errorf("read the clock row: %w", err)
	}
	return c, nil
}

func (c clockRow) state(wall time.Time) ClockState {
	s := ClockState{Clock: c.frozenAt, Last: c.last, Frozen: c.frozenAt.IsSet()}
	if !s.Frozen {
		s.Clock = domain.InstantOf(wall) + domain.Instant(c.offset)
	}
	s.Behind = s.Clock < c.last-clockTolerance
	return s
}

// now is the instant to use: the clock, but never earlier than the last one used.
func (s ClockState) now() domain.Instant { return max(s.Clock, s.Last) }

// refusal is why no write may take this clock's word, or nil.
func (s ClockState) refusal() error {
	if !s.Behind {
		return nil
	}
	refusal := domain.Refuse(domain.Unavailable, "clock_behind",
		"the clock is %d seconds behind the last booking; the owner must correct or accept it", s.Last-s.Clock).
		With("clock", s.Clock).With("last", s.Last)
	if !s.Frozen { // one that stands still never catches up
		refusal.With("retry_after", int(s.Last-clockTolerance-s.Clock))
	}
	return refusal
}

// ClockState reads the clock without changing anything. It answers also while
// the clock is behind.
func (d *DB) ClockState(ctx context.Context) (ClockState, error) {
	var state ClockState
	err := d.Read(ctx, func(s *Snapshot) error {
		state = s.clock
		return nil
	})
	return state, err
}

// SetDemoClock moves the clock of a demonstration. decide is given the clock as
// it is and answers what it shows from now on and whether it stands still; it
// may be asked while the clock is behind. Setting it back does not take back the
// last instant handed out: see AcceptClock.
func (d *DB) SetDemoClock(ctx context.Context, decide func(ClockState) (set domain.Instant, frozen bool)) error {
	return d.submit(ctx, true, func(tx *Tx) error {
		set, frozen := decide(tx.Snapshot.clock)
		if !set.IsSet() {
			return domain.BadField("set", "no instant given")
		}
		tx.row.offset = int64(set - domain.InstantOf(tx.wall))
		tx.row.frozenAt = 0
		if frozen {
			tx.row.frozenAt = set
		}
		return nil
	})
}

// AcceptClock takes the clock's word although it is behind: the last instant
// handed out becomes what the clock shows. It is the only way that it goes back.
// note, if given, writes down who decided so, in the same transaction and at the
// accepted instant.
func (d *DB) AcceptClock(ctx context.Context, note func(*Tx) error) error {
	return d.submit(ctx, true, func(tx *Tx) error {
		tx.row.last = tx.Snapshot.clock.Clock
		tx.Now = tx.row.last
		if note == nil {
			return nil
		}
		return note(tx)
	})
}

// WriteAnyway is Write for what must also be possible while the clock is behind,
// so that somebody can see to it: who is signed in. Such a write stands at the last
// instant handed out, as if no time had passed since, and hands out no new one.
func (d *DB) WriteAnyway(ctx context.Context, fn func(*Tx) error) error {
	state, err := d.ClockState(ctx)
	if err != nil {
		return err
	}
	return d.submit(ctx, state.Behind, fn)
}

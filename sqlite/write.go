package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// maxBatch is how many commands may share one COMMIT.
const maxBatch = 128

// Tx is one command's part of a write transaction: what a Snapshot can do, and
// changes. It ends with the function it was given to.
type Tx struct {
	Snapshot
	wall time.Time
	row  *clockRow
}

// Exec runs one statement that changes rows.
func (t *Tx) Exec(query string, args ...any) (sql.Result, error) {
	res, err := t.sql.ExecContext(t.statementContext(), steady(query), args...)
	return res, explain(err)
}

// Affected runs one statement and says how many rows it has changed.
func (t *Tx) Affected(query string, args ...any) (int64, error) {
	res, err := t.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Try runs fn so that its changes are undone if it fails, while those made before
// it stay. It returns fn's error; a panic comes back as a *PanicError.
func (t *Tx) Try(fn func() error) error {
	if err := t.mark(savepointTry); err != nil {
		return fmt.Errorf("begin to try: %w", err)
	}
	err := caught(fn)
	if err == nil {
		if err = t.mark(releaseTry); err != nil {
			return fmt.Errorf("keep what was tried: %w", err)
		}
		return nil
	}
	if _, undoErr := t.Exec("ROLLBACK TO try; RELEASE try"); undoErr != nil {
		// Nothing may follow a half-undone step: the whole transaction goes.
		t.ended = fmt.Errorf("undo what was tried: %w", undoErr)
	}
	return err
}

// caught runs fn and turns a panic into an error.
func caught(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return fn()
}

// command is one call of Write on its way through the writer.
type command struct {
	ctx      context.Context
	fn       func(*Tx) error
	anyClock bool        // runs although the clock is behind
	claimed  atomic.Bool // by the writer that begins it, or by the caller that gives up
	err      error       // its own refusal or fault
	answer   chan error  // gets exactly one answer, after COMMIT
}

// Write runs fn as one command: all of its changes or none, at one instant that
// is never earlier than that of any write before it, by any process. It returns
// nil only when the changes are durable. Many commands share one COMMIT, and each
// is undone alone if fn returns an error or panics (*PanicError); that error is
// returned. A refusal of kind Unavailable means that nothing is known to have been
// done: the store failed, the clock is behind, or ctx ended before fn began. Once fn has
// begun, ctx is not heeded. fn must do nothing but read and change rows through
// its Tx, and never call Write.
func (d *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return d.submit(ctx, false, fn)
}

func (d *DB) submit(ctx context.Context, anyClock bool, fn func(*Tx) error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.inside.Done()
	if err := ctx.Err(); err != nil {
		return gaveUp(err)
	}
	cmd := &command{ctx: ctx, fn: fn, anyClock: anyClock, answer: make(chan error, 1)}
	select {
	case d.queue <- cmd:
	case <-ctx.Done():
		return gaveUp(ctx.Err())
	}
	select {
	case err := <-cmd.answer:
		return err
	case <-ctx.Done():
		if cmd.claimed.CompareAndSwap(false, true) {
			return gaveUp(ctx.Err())
		}
		return <-cmd.answer
	}
}

// work is the one goroutine that owns the writer. A command that ends its goroutine
// takes this one along; another takes its place.
func (d *DB) work() {
	stopped := false
	defer func() {
		if !stopped {
			go d.work()
		}
	}()
	for {
		select {
		case first := <-d.queue:
			(&batch{db: d}).process(first)
		case <-d.stop:
			stopped = true
			close(d.stopped)
			return
		}
	}
}

// batch is one transaction and the commands that share it.
type batch struct {
	db      *DB
	taken   []*command
	conn    *sql.Conn
	whole   Snapshot // the transaction as such
	stored  clockRow // as the file has it
	clock   clockRow // as it will be committed
	kept    bool     // some command has succeeded
	failure error    // why those without an error of their own are not done
	done    bool     // COMMIT has returned, if there was anything to commit
}

// process runs first and all that wait, commits, and answers each of them,
// whatever happens.
func (b *batch) process(first *command) {
	b.taken = append(b.taken, first)
	b.failure = errNoAnswer
	defer b.answer()
	if err := b.open(); err != nil {
		b.failure = err
		b.takeWaiting()
		return
	}
	for cmd := first; cmd != nil; cmd = b.next() {
		if err := b.run(cmd); err != nil {
			b.failure = err
			return
		}
	}
	if err := b.commit(); err != nil {
		b.failure = err
		return
	}
	b.done = true
}

// open takes the write lock and reads the clock row under it.
func (b *batch) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), b.db.busyTimeout)
	defer cancel()
	if err := b.db.place.check(); err != nil {
		return err
	}
	conn, err := connectWhenFree(ctx, b.db.writer)
	if err != nil {
		return fmt.Errorf("take the writer: %w", err)
	}
	b.conn = conn
	b.whole.db, b.whole.writing = b.db, true
	b.whole.sql, b.whole.raw, err = beginWhenFree(ctx, conn)
	if err != nil {
		return fmt.Errorf("take the write lock: %w", err)
	}
	b.stored, err = readClock(b.whole.QueryRow)
	b.clock = b.stored
	return err
}

// next gives the command that has waited longest, or nil when none waits.
func (b *batch) next() *command {
	if len(b.taken) >= b.db.mostInBatch {
		return nil
	}
	select {
	case cmd := <-b.db.queue:
		b.taken = append(b.taken, cmd)
		return cmd
	default:
		return nil
	}
}

// takeWaiting takes those along who would only wait as long for the same failure.
func (b *batch) takeWaiting() {
	for b.next() != nil {
	}
}

// run gives one command its instant and its savepoint. It returns an error only
// if the whole transaction is lost.
func (b *batch) run(cmd *command) error {
	if !cmd.claimed.CompareAndSwap(false, true) {
		return nil
	}
	if err := cmd.ctx.Err(); err != nil {
		cmd.err = gaveUp(err)
		return nil
	}
	wall := b.db.wall()
	state := b.clock.state(wall)
	if err := state.refusal(); err != nil && !cmd.anyClock {
		cmd.err = err
		return nil
	}
	if !cmd.anyClock { // one about the clock itself writes nothing down at its instant
		b.clock.last = state.now()
	}
	undo := b.clock
	tx := &Tx{Snapshot: b.whole, wall: wall, row: &b.clock}
	tx.Now, tx.Snapshot.clock, tx.count = state.now(), state, 0
	if err := b.whole.mark(savepointCommand); err != nil {
		return fmt.Errorf("begin a command: %w", err)
	}
	cmd.err = explain(caught(func() error { return cmd.fn(tx) }))
	if b.db.observe != nil {
		b.db.observe(tx.count)
	}
	lost := tx.ended
	tx.ended = errOver
	if lost == nil && cmd.err == nil {
		b.kept = true
		lost = b.whole.mark(releaseCommand)
	} else if lost == nil {
		b.clock = undo
		_, lost = b.exec("ROLLBACK TO command; RELEASE command")
	}
	if lost != nil {
		return fmt.Errorf("run a command: %w", errors.Join(lost, cmd.err))
	}
	return nil
}

func (b *batch) exec(query string, args ...any) (sql.Result, error) {
	return b.whole.sql.ExecContext(b.whole.statementContext(), steady(query), args...)
}

// commit raises the last instant if it has moved, and makes the batch durable.
func (b *batch) commit() error {
	if !b.kept && b.clock == b.stored {
		// Pages that were changed and changed back would be written all the same.
		if err := b.whole.sql.Rollback(); err != nil {
			return fmt.Errorf("end without a change: %w", err)
		}
		return nil
	}
	if b.clock != b.stored {
		_, err := b.exec(`UPDATE clock SET last_instant = ?, demo_offset = ?, demo_frozen_at = ? WHERE id = 1`,
			int64(b.clock.last), b.clock.offset, b.clock.frozenAt)
		if err != nil {
			return fmt.Errorf("raise the last instant: %w", err)
		}
	}
	if err := b.whole.sql.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// answer gives everybody the one answer they wait for. A batch that failed leaves
// its connection behind: the next one starts on a fresh one.
func (b *batch) answer() {
	if !b.done && b.whole.sql != nil {
		b.whole.sql.Rollback()
	}
	if b.conn != nil {
		if !b.done && !isBusy(b.failure) {
			b.db.marks.close()
			discard(b.conn)
		}
		b.conn.Close()
	}
	b.db.note(b)
	for _, cmd := range b.taken {
		if cmd.err == nil && !b.done {
			cmd.err = refusalOf(b.failure)
		}
		cmd.answer <- cmd.err
	}
}

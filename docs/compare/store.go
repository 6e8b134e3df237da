package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// The table of the alternatives, as it is usually written: a slot has a status, and
// somebody must change it when the time has come. effects stands for whatever else
// the end of a hold causes, such as putting goods back on the shelf: a row for each
// time that it was done. Nothing keeps it from being done twice.
const storeSchema = `
CREATE TABLE IF NOT EXISTS slots (
  id INTEGER PRIMARY KEY, status TEXT NOT NULL, hold INTEGER NOT NULL, customer TEXT NOT NULL, pay_by INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS slots_due ON slots (status, pay_by);
CREATE TABLE IF NOT EXISTS effects (hold INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;`

const (
	sqlBook = `INSERT INTO slots (id, status, hold, customer, pay_by) VALUES (?, 'held', ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET status = 'held', hold = excluded.hold, customer = excluded.customer, pay_by = excluded.pay_by
		WHERE slots.status = 'free'`
	sqlFree   = `UPDATE slots SET status = 'free' WHERE id = ? AND hold = ? AND status = 'held'`
	sqlEffect = `INSERT INTO effects (hold, at) VALUES (?, ?)`
)

// hold is a slot that somebody has booked and not paid.
type hold struct {
	ID, Slot int
	Deadline time.Time
	For      time.Duration // from the booking to the deadline
}

// store keeps the slots: one connection writes, others read. What waits to be written
// shares one COMMIT, as it does in courtd, so that nobody is measured by the lack of it.
type store struct {
	writer, readers *sql.DB
	queue           chan *write
	stop, stopped   chan struct{}
	book, free, add *sql.Stmt
}

type write struct {
	fn     func() error
	err    error
	answer chan error
}

func dbPath(dir string) string { return filepath.Join(dir, "club.db") }

func openStore(dir string) (*store, error) {
	s := &store{queue: make(chan *write), stop: make(chan struct{}), stopped: make(chan struct{})}
	var err error
	if s.writer, err = sql.Open("sqlite3", storeDSN(dir, "immediate")); err != nil {
		return nil, err
	}
	s.writer.SetMaxOpenConns(1)
	if s.readers, err = sql.Open("sqlite3", storeDSN(dir, "deferred")); err != nil {
		return nil, err
	}
	s.readers.SetMaxOpenConns(4)
	s.readers.SetMaxIdleConns(4)
	if _, err = s.writer.Exec(storeSchema); err != nil {
		return nil, fmt.Errorf("make the tables: %w", err)
	}
	for _, p := range []struct {
		to   **sql.Stmt
		text string
	}{{&s.book, sqlBook}, {&s.free, sqlFree}, {&s.add, sqlEffect}} {
		if *p.to, err = s.writer.Prepare(p.text); err != nil {
			return nil, err
		}
	}
	go s.work()
	return s, nil
}

func storeDSN(dir, lock string) string {
	params := url.Values{"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_busy_timeout": {"10000"}, "_txlock": {lock}, "_stmt_cache_size": {"64"}}
	return "file:" + dbPath(dir) + "?" + params.Encode()
}

func (s *store) close() {
	close(s.stop)
	<-s.stopped
	s.readers.Close()
	s.writer.Close()
}

// work commits what waits, together.
func (s *store) work() {
	defer close(s.stopped)
	for {
		select {
		case first := <-s.queue:
			s.commit(first)
		case <-s.stop:
			return
		}
	}
}

func (s *store) commit(first *write) {
	batch := []*write{first}
	_, err := s.writer.Exec("BEGIN IMMEDIATE")
	if err == nil {
		for w := first; w != nil; w = s.next(&batch) {
			w.err = w.fn()
		}
		if _, err = s.writer.Exec("COMMIT"); err != nil {
			s.writer.Exec("ROLLBACK")
		}
	}
	for _, w := range batch {
		if err != nil {
			w.err = err
		}
		w.answer <- w.err
	}
}

func (s *store) next(batch *[]*write) *write {
	select {
	case w := <-s.queue:
		*batch = append(*batch, w)
		return w
	default:
		return nil
	}
}

func (s *store) write(ctx context.Context, fn func() error) error {
	w := &write{fn: fn, answer: make(chan error, 1)}
	select {
	case s.queue <- w:
		return <-w.answer
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hold books a slot for somebody; it is an error if the slot is not free.
func (s *store) hold(ctx context.Context, h hold) error {
	return s.write(ctx, func() error {
		res, err := s.book.Exec(h.Slot, h.ID, fmt.Sprintf("customer-%d", h.ID), h.Deadline.UnixMilli())
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("slot %d is taken", h.Slot)
		}
		return nil
	})
}

// end is what a worker does with a hold that has fallen due. The row is changed by a
// careful condition; the effect is added each time, as an effect outside would be.
func (s *store) end(ctx context.Context, id, slot int) error {
	return s.write(ctx, func() error {
		if _, err := s.free.Exec(slot, id); err != nil {
			return err
		}
		_, err := s.add.Exec(id, time.Now().UnixMilli())
		return err
	})
}

// endDue is the scan: everything that is due by now, in one transaction.
func (s *store) endDue(ctx context.Context) error {
	now := time.Now().UnixMilli()
	return s.write(ctx, func() error {
		_, err := s.writer.Exec(`INSERT INTO effects (hold, at) SELECT hold, ? FROM slots WHERE status = 'held' AND pay_by <= ?`, now, now)
		if err == nil {
			_, err = s.writer.Exec(`UPDATE slots SET status = 'free' WHERE status = 'held' AND pay_by <= ?`, now)
		}
		return err
	})
}

// freeAmong gives the slots from..to-1 that are free.
func (s *store) freeAmong(ctx context.Context, from, to int) ([]int, error) {
	rows, err := s.readers.QueryContext(ctx, `SELECT id FROM slots WHERE id >= ? AND id < ? AND status = 'free'`, from, to)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// fileBytes is how much a database takes on disk once its log has been copied back.
func fileBytes(dir string) (int64, error) {
	db, err := sql.Open("sqlite3", storeDSN(dir, "immediate"))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var busy, frames, moved int
	if err := db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil || busy != 0 {
		return 0, fmt.Errorf("copy the log of %s back: busy %d, %w", dbPath(dir), busy, err)
	}
	info, err := os.Stat(dbPath(dir))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

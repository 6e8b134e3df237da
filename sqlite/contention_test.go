package sqlite_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"courtd/sqlite"
)

// Every worker reads the counter, adds one and writes it back, now and then is
// refused, and reads meanwhile: any lost update, any refusal for a lock and any
// answer that is not the truth shows in the sum.
func TestC47_FiftyWorkersOnOneFileThroughTwoProcesses(t *testing.T) {
	path := newPath(t)
	dbs := []*sqlite.DB{mustOpen(t, options(path, clockAt(noon))), mustOpen(t, options(path, clockAt(noon+2)))}
	const workers, rounds = 50, 20
	var done, refused atomic.Int64
	var crowd sync.WaitGroup
	for worker := range workers {
		db := dbs[worker%2]
		crowd.Go(func() {
			for round := range rounds {
				err := db.Write(ctx, increment(worker, round))
				switch {
				case err == nil:
					done.Add(1)
				case errors.Is(err, errRefused):
					refused.Add(1)
				default:
					t.Error(err)
				}
				if err := db.Read(ctx, counterMatchesEntries); err != nil {
					t.Error(err)
				}
			}
		})
	}
	crowd.Wait()
	var n, entries int64
	err := dbs[0].Read(ctx, func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT n, (SELECT count(*) FROM entries) FROM counter`).Scan(&n, &entries)
	})
	if err != nil || n != done.Load() || entries != n {
		t.Errorf("counter %d, entries %d, %v; %d callers were told done", n, entries, err, done.Load())
	}
	if done.Load() == 0 || refused.Load() == 0 || done.Load()+refused.Load() != workers*rounds {
		t.Errorf("%d done, %d refused of %d", done.Load(), refused.Load(), workers*rounds)
	}
}

func increment(worker, round int) func(*sqlite.Tx) error {
	return func(tx *sqlite.Tx) error {
		var n int
		if err := tx.QueryRow(`SELECT n FROM counter`).Scan(&n); err != nil {
			return err
		}
		changed, err := tx.Affected(`UPDATE counter SET n = ?`, n+1)
		if err != nil || changed != 1 {
			return fmt.Errorf("changed %d rows, %w", changed, err)
		}
		if (worker+round)%7 == 0 {
			return errRefused
		}
		return add(fmt.Sprint(worker, "/", round))(tx)
	}
}

func counterMatchesEntries(s *sqlite.Snapshot) error {
	var n, entries int
	if err := s.QueryRow(`SELECT n FROM counter`).Scan(&n); err != nil {
		return err
	}
	if err := s.QueryRow(`SELECT count(*) FROM entries`).Scan(&entries); err != nil {
		return err
	}
	if n != entries {
		return fmt.Errorf("a read saw counter %d and %d entries", n, entries)
	}
	return nil
}

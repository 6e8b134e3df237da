package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// together runs the commands so that all of them wait while the writer is held by
// another one, and gives their answers in order. It must be called in a bubble.
func together(t *testing.T, db *sqlite.DB, commands ...func(*sqlite.Tx) error) []error {
	t.Helper()
	release, held := make(chan struct{}), make(chan error, 1)
	go func() {
		held <- db.Write(ctx, func(*sqlite.Tx) error { <-release; return errRefused })
	}()
	synctest.Wait()
	answers := make([]chan error, len(commands))
	for i, fn := range commands {
		answers[i] = make(chan error, 1)
		go func() { answers[i] <- db.Write(ctx, fn) }()
		synctest.Wait() // one after the other, so that they run in this order
	}
	close(release)
	if err := <-held; !errors.Is(err, errRefused) {
		t.Errorf("the holder got %v, want its own refusal", err)
	}
	errs := make([]error, len(commands))
	for i := range answers {
		errs[i] = <-answers[i]
	}
	return errs
}

func TestManyCommandsShareOneCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		var commits atomic.Int64
		if err := sqlite.OnCommit(db, func() { commits.Add(1) }); err != nil {
			t.Fatal(err)
		}
		const n = 40
		var commands []func(*sqlite.Tx) error
		for i := range n {
			commands = append(commands, add(fmt.Sprint(i)))
		}
		for i, err := range together(t, db, commands...) {
			if err != nil {
				t.Errorf("command %d: %v", i, err)
			}
		}
		if got := commits.Load(); got != 1 {
			t.Errorf("%d commits for %d commands, want 1", got, n+1)
		}
		if got := len(texts(t, db)); got != n {
			t.Errorf("%d entries, want %d", got, n)
		}
	})
}

func TestABatchIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		var commits atomic.Int64
		if err := sqlite.OnCommit(db, func() { commits.Add(1) }); err != nil {
			t.Fatal(err)
		}
		var commands []func(*sqlite.Tx) error
		for i := range sqlite.MaxBatch { // one more than fits, with the holder
			commands = append(commands, add(fmt.Sprint(i)))
		}
		for i, err := range together(t, db, commands...) {
			if err != nil {
				t.Errorf("command %d: %v", i, err)
			}
		}
		if got := commits.Load(); got != 2 {
			t.Errorf("%d commits, want 2", got)
		}
	})
}

func TestAFailedCommandIsUndoneAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		errs := together(t, db,
			add("first"),
			func(tx *sqlite.Tx) error { add("undone")(tx); return errRefused },
			func(tx *sqlite.Tx) error { add("undone too")(tx); panic("a defect") },
			func(tx *sqlite.Tx) error { return add("")(tx) }, // a CHECK
			add("last"),
		)
		if errs[0] != nil || errs[4] != nil {
			t.Errorf("good commands got %v and %v", errs[0], errs[4])
		}
		if !errors.Is(errs[1], errRefused) {
			t.Errorf("refused command got %v", errs[1])
		}
		var p *sqlite.PanicError
		if !errors.As(errs[2], &p) || p.Value != "a defect" || !strings.Contains(string(p.Stack), "write_test.go") {
			t.Errorf("panic came back as %v", errs[2])
		}
		if _, refusal := domain.AsError(errs[3]); errs[3] == nil || refusal {
			t.Errorf("a CHECK came back as %v, want an internal error", errs[3])
		}
		wantTexts(t, db, "first", "last")
	})
}

func TestACommandThatEndsItsGoroutineIsAnswered(t *testing.T) {
	db := openNew(t)
	err := db.Write(ctx, func(tx *sqlite.Tx) error {
		add("lost")(tx)
		runtime.Goexit()
		return nil
	})
	wantUnavailable(t, err)
	mustWrite(t, db, add("after"))
	wantTexts(t, db, "after")
}

func TestTryUndoesOnlyWhatWasTried(t *testing.T) {
	db := openNew(t)
	mustWrite(t, db, func(tx *sqlite.Tx) error {
		add("before")(tx)
		if err := tx.Try(func() error { return add("kept")(tx) }); err != nil {
			return err
		}
		err := tx.Try(func() error {
			add("undone")(tx)
			inner := tx.Try(func() error { add("inner")(tx); return errRefused })
			if !errors.Is(inner, errRefused) {
				t.Errorf("inner try: %v", inner)
			}
			panic("poison")
		})
		var p *sqlite.PanicError
		if !errors.As(err, &p) {
			t.Errorf("a panic in Try came back as %v", err)
		}
		err = tx.Try(func() error { return add("closed")(tx) })
		if !domain.IsReason(err, "slot_closed") {
			t.Errorf("a trigger in Try came back as %v", err)
		}
		return add("after")(tx)
	})
	wantTexts(t, db, "before", "kept", "after")
}

func TestATxIsDeadAfterItsFunction(t *testing.T) {
	db := openNew(t)
	var kept *sqlite.Tx
	mustWrite(t, db, func(tx *sqlite.Tx) error { kept = tx; return add("in time")(tx) })
	wantUnavailable(t, add("too late")(kept))
	var n int
	if err := kept.QueryRow(`SELECT 1`).Scan(&n); err == nil {
		t.Error("a read through a finished Tx was served")
	}
	wantTexts(t, db, "in time")
}

func TestATxIsDeadWhileOthersShareItsTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		var kept *sqlite.Tx
		var late error
		errs := together(t, db,
			func(tx *sqlite.Tx) error { kept = tx; return nil },
			func(*sqlite.Tx) error { late = add("through another's Tx")(kept); return nil },
		)
		if errs[0] != nil || errs[1] != nil {
			t.Error(errs)
		}
		wantUnavailable(t, late)
		wantTexts(t, db)
	})
}

func TestRowsLeftOpenHoldUpNobody(t *testing.T) {
	db := openNew(t)
	leak := func(s *sqlite.Snapshot) {
		for range 3 {
			rows, err := s.Query(`SELECT id FROM entries`)
			if err != nil {
				t.Fatal(err)
			}
			rows.Next()
		}
		s.QueryRow(`SELECT id FROM entries`)
	}
	mustWrite(t, db, add("one"))
	mustWrite(t, db, add("two"))
	mustWrite(t, db, func(tx *sqlite.Tx) error { leak(&tx.Snapshot); return add("three")(tx) })
	if err := db.Write(ctx, func(tx *sqlite.Tx) error { leak(&tx.Snapshot); return errRefused }); !errors.Is(err, errRefused) {
		t.Fatal(err)
	}
	for range 20 { // more often than there are readers
		if err := db.Read(ctx, func(s *sqlite.Snapshot) error { leak(s); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, db, add("four"))
	wantTexts(t, db, "one", "two", "three", "four")
}

func TestACallerMayGiveUpUntilItsCommandBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		release, held := make(chan struct{}), make(chan error, 1)
		go func() { held <- db.Write(ctx, func(tx *sqlite.Tx) error { <-release; return add("holder")(tx) }) }()
		synctest.Wait()
		patience, lose := context.WithCancel(ctx)
		answer := make(chan error, 1)
		go func() { answer <- db.Write(patience, add("given up")) }()
		synctest.Wait()
		lose()
		err := <-answer // while the writer is still held
		wantUnavailable(t, err)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the cause is missing from %v", err)
		}
		wantUnavailable(t, db.Write(patience, add("never asked")))
		close(release)
		if err := <-held; err != nil {
			t.Error(err)
		}
		wantTexts(t, db, "holder")
	})
}

func TestACallerMayGiveUpWhileAnotherProcessHoldsTheLock(t *testing.T) {
	path := newPath(t)
	one, two := mustOpen(t, options(path, clockAt(noon))), mustOpen(t, options(path, clockAt(noon)))
	release, held := holdLock(two)
	patience, lose := context.WithCancel(ctx)
	answer := make(chan error, 1)
	go func() { answer <- one.Write(patience, add("given up")) }()
	lose()
	wantUnavailable(t, <-answer)
	close(release)
	if err := <-held; err != nil {
		t.Error(err)
	}
	mustWrite(t, one, add("after"))
	wantTexts(t, one, "holder", "after")
}

// holdLock returns when the database's write lock is held.
func holdLock(db *sqlite.DB) (release chan struct{}, held chan error) {
	release, held = make(chan struct{}), make(chan error, 1)
	begun := make(chan struct{})
	go func() {
		held <- db.Write(ctx, func(tx *sqlite.Tx) error {
			close(begun)
			<-release
			return add("holder")(tx)
		})
	}()
	<-begun
	return release, held
}

func TestOnceBegunTheContextIsNotHeeded(t *testing.T) {
	db := openNew(t)
	patience, lose := context.WithCancel(ctx)
	err := db.Write(patience, func(tx *sqlite.Tx) error {
		lose()
		return add("done all the same")(tx)
	})
	if err != nil {
		t.Errorf("got %v for a command that was committed", err)
	}
	wantTexts(t, db, "done all the same")
}

func TestALockHeldTooLongIsUnavailable(t *testing.T) {
	path := newPath(t)
	hasty := options(path, clockAt(noon))
	hasty.BusyTimeout = 300 * time.Millisecond
	two := mustOpen(t, options(path, clockAt(noon))) // makes the file, which takes its time
	one := mustOpen(t, hasty)
	release, held := holdLock(two)
	e := wantUnavailable(t, one.Write(ctx, add("too busy")))
	if !strings.Contains(e.Message, "busy") {
		t.Errorf("message %q does not say that it is busy", e.Message)
	}
	wantTexts(t, one) // readers do not wait
	close(release)
	if err := <-held; err != nil {
		t.Error(err)
	}
	mustWrite(t, one, add("free"))
	wantTexts(t, one, "holder", "free")
}

func TestCloseFinishesWhatWaitsAndRefusesWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := newPath(t)
		db, err := sqlite.Open(ctx, options(path, clockAt(noon)))
		if err != nil {
			t.Fatal(err)
		}
		release, releaseRead := make(chan struct{}), make(chan struct{})
		answers := make(chan error, 6)
		go func() { answers <- db.Write(ctx, func(tx *sqlite.Tx) error { <-release; return add("a")(tx) }) }()
		synctest.Wait()
		for range 5 {
			go func() { answers <- db.Write(ctx, add("b")) }()
		}
		synctest.Wait()
		reading := make(chan error, 1)
		go func() {
			reading <- db.Read(ctx, func(s *sqlite.Snapshot) error {
				<-releaseRead
				var n int
				return s.QueryRow(`SELECT n FROM counter`).Scan(&n)
			})
		}()
		synctest.Wait()
		closed := make(chan error, 2)
		go func() { closed <- db.Close() }()
		synctest.Wait()
		wantUnavailable(t, db.Write(ctx, add("late")))
		wantUnavailable(t, db.Read(ctx, func(*sqlite.Snapshot) error { return nil }))
		_, err = db.Glance(ctx)
		wantUnavailable(t, err)
		go func() { closed <- db.Close() }()
		synctest.Wait()
		close(release)
		for range 6 {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		if len(closed) > 0 {
			t.Error("Close returned while a read was in flight")
		}
		close(releaseRead)
		if err := <-reading; err != nil {
			t.Error("a read in flight:", err)
		}
		for range 2 {
			if err := <-closed; err != nil {
				t.Error(err)
			}
		}
		wantTexts(t, mustOpen(t, options(path, clockAt(noon))), "a", "b", "b", "b", "b", "b")
	})
}

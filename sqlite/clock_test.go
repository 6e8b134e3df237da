package sqlite_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

func instantOfWrite(t *testing.T, db *sqlite.DB) domain.Instant {
	t.Helper()
	var now domain.Instant
	mustWrite(t, db, func(tx *sqlite.Tx) error { now = tx.Now; return nil })
	return now
}

func instantOfRead(t *testing.T, db *sqlite.DB) domain.Instant {
	t.Helper()
	var now domain.Instant
	if err := db.Read(ctx, func(s *sqlite.Snapshot) error { now = s.Now; return nil }); err != nil {
		t.Fatal(err)
	}
	return now
}

func wantInstant(t *testing.T, what string, got, want domain.Instant) {
	t.Helper()
	if got != want {
		t.Errorf("%s at noon%+d s, want noon%+d s", what, got-noon, want-noon)
	}
}

func TestInstantsNeverGoBackAcrossTwoClocks(t *testing.T) {
	path := newPath(t)
	slow, fast := clockAt(noon), clockAt(noon+2)
	one, two := mustOpen(t, options(path, slow)), mustOpen(t, options(path, fast))
	wantInstant(t, "write with the slow clock", instantOfWrite(t, one), noon)
	wantInstant(t, "write with the fast clock", instantOfWrite(t, two), noon+2)
	wantInstant(t, "next write with the slow clock", instantOfWrite(t, one), noon+2)
	wantInstant(t, "read with the slow clock", instantOfRead(t, one), noon+2)
	slow.set(noon + 3)
	wantInstant(t, "write when the slow clock has caught up", instantOfWrite(t, one), noon+3)

	var crowd sync.WaitGroup
	for worker := range 8 {
		db := one
		if worker%2 == 1 {
			db = two
		}
		crowd.Go(func() {
			for round := range 20 {
				if err := db.Write(ctx, add(fmt.Sprint(worker))); err != nil {
					t.Error(err)
				}
				if worker == 0 { // time goes on, and both clocks stay 2 s apart, give or take a moment
					slow.set(noon + 3 + domain.Instant(round))
					fast.set(noon + 5 + domain.Instant(round))
				}
			}
		})
	}
	crowd.Wait()
	var entries, backwards int
	err := one.Read(ctx, func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT count(*), count(*) FILTER (WHERE at < before) FROM
			(SELECT at, lag(at, 1, 0) OVER (ORDER BY id) AS before FROM entries)`).Scan(&entries, &backwards)
	})
	if err != nil || entries != 160 || backwards != 0 {
		t.Errorf("%d entries, %d of them earlier than the one before, %v", entries, backwards, err)
	}
}

func TestARefusedCommandHasUsedItsInstant(t *testing.T) {
	wall := clockAt(noon)
	db := mustOpen(t, options(newPath(t), wall))
	if err := db.Write(ctx, func(*sqlite.Tx) error { return errRefused }); !errors.Is(err, errRefused) {
		t.Fatal(err)
	}
	wall.set(noon - 1)
	wantInstant(t, "a write after the clock went back", instantOfWrite(t, db), noon)
}

func TestAClockBehindRefusesWritesUntilAccepted(t *testing.T) {
	wall := clockAt(noon)
	db := mustOpen(t, options(newPath(t), wall))
	mustWrite(t, db, add("noon"))

	wall.set(noon - 5)
	wantInstant(t, "a write 5 s behind", instantOfWrite(t, db), noon)
	wall.set(noon - 6)
	ran := false
	err := db.Write(ctx, func(*sqlite.Tx) error { ran = true; return nil })
	if e := wantUnavailable(t, err); e.Reason != "clock_behind" || ran {
		t.Errorf("6 s behind: %v, ran %v", err, ran)
	} else if e.Detail["retry_after"] != 1 {
		t.Errorf("6 s behind, of which 5 s are let pass, are over after %v s", e.Detail["retry_after"])
	}
	wantInstant(t, "a read while behind", instantOfRead(t, db), noon)
	state, err := db.ClockState(ctx)
	if want := (sqlite.ClockState{Clock: noon - 6, Last: noon, Behind: true}); err != nil || state != want {
		t.Errorf("state %+v, %v; want %+v", state, err, want)
	}

	if err := db.AcceptClock(ctx, func(*sqlite.Tx) error { return errRefused }); !errors.Is(err, errRefused) {
		t.Fatal(err)
	}
	wantUnavailable(t, db.Write(ctx, add("the note failed, so nothing was accepted")))
	if err := db.AcceptClock(ctx, add("accepted")); err != nil {
		t.Fatal(err)
	}
	wantInstant(t, "a write after accepting", instantOfWrite(t, db), noon-6)
	wantTexts(t, db, "noon", "accepted")
	if err := db.AcceptClock(ctx, nil); err != nil {
		t.Error("accept without a note:", err)
	}
}

func TestTheDemoClockOfANewFileMayStartInThePast(t *testing.T) {
	db := mustOpen(t, options(newPath(t), clockAt(noon)))
	err := db.SetDemoClock(ctx, func(sqlite.ClockState) (domain.Instant, bool) { return noon - 86_400, true })
	if err != nil {
		t.Fatal(err)
	}
	wantInstant(t, "the first write", instantOfWrite(t, db), noon-86_400)
}

func TestTheDemoClockIsSharedByTheFile(t *testing.T) {
	path, wall := newPath(t), clockAt(noon)
	one, two := mustOpen(t, options(path, wall)), mustOpen(t, options(path, wall))
	set := func(to domain.Instant, frozen bool) {
		t.Helper()
		err := one.SetDemoClock(ctx, func(sqlite.ClockState) (domain.Instant, bool) { return to, frozen })
		if err != nil {
			t.Fatal(err)
		}
	}
	set(noon+600, false)
	wantInstant(t, "the other process", instantOfRead(t, two), noon+600)
	wall.set(noon + 1)
	wantInstant(t, "a clock that runs", instantOfWrite(t, two), noon+601)

	set(noon+700, true)
	wall.set(noon + 50)
	wantInstant(t, "a frozen clock", instantOfWrite(t, two), noon+700)
	state, err := two.ClockState(ctx)
	if want := (sqlite.ClockState{Clock: noon + 700, Last: noon + 700, Frozen: true}); err != nil || state != want {
		t.Errorf("state %+v, %v; want %+v", state, err, want)
	}

	set(noon+100, true) // back
	err = two.Write(ctx, add("behind"))
	if !domain.IsReason(err, "clock_behind") {
		t.Errorf("a write behind the demo clock: %v", err)
	}
	if e, _ := domain.AsError(err); e != nil && e.Detail["retry_after"] != nil {
		t.Errorf("a clock that stands still is said to catch up after %v s", e.Detail["retry_after"])
	}
	set(noon+200, false) // allowed although behind
	if err := two.AcceptClock(ctx, nil); err != nil {
		t.Fatal(err)
	}
	wantInstant(t, "an accepted demo clock", instantOfWrite(t, one), noon+200)
	wall.set(noon + 53)
	wantInstant(t, "an unfrozen clock", instantOfWrite(t, one), noon+203)

	advanced := false
	err = one.SetDemoClock(ctx, func(s sqlite.ClockState) (domain.Instant, bool) {
		advanced = s.Clock == noon+203 && s.Last == noon+203
		return s.Clock + 3600, s.Frozen
	})
	if err != nil || !advanced {
		t.Errorf("advance: %v, was told the clock: %v", err, advanced)
	}
	wantInstant(t, "an advanced clock", instantOfRead(t, two), noon+3803)
	if err := one.SetDemoClock(ctx, func(sqlite.ClockState) (domain.Instant, bool) { return 0, true }); err == nil {
		t.Error("no instant at all was taken as a clock")
	}
}

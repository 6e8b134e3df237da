package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"courtd/app"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/api"
)

type demoCommand struct {
	DB           string    `name:"db" env:"COURTD_DEMO_DB" help:"The demonstration's file; without it one is made in a temporary folder and removed at the end. 演示数据库文件。"`
	Now          startTime `env:"COURTD_DEMO_NOW" help:"Where the clock starts, frozen, such as 2026-12-10T12:00:00+08:00. 演示时钟起点。"`
	Busy         bool      `env:"COURTD_DEMO_BUSY" help:"Fill a new demonstration with a week of bookings. 先填入一周的订场。"`
	DeriveAlways bool      `hidden:"" help:"Work every answer about a day out, to measure what keeping them saves."`
	CommitAlone  bool      `hidden:"" help:"Commit every command by itself, to measure what sharing a commit saves."`
	serving
}

// startTime is an RFC 3339 instant, or zero.
type startTime domain.Instant

// UnmarshalText reads a time with its offset.
func (s *startTime) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return fmt.Errorf("want a time with its offset, such as 2026-12-10T12:00:00+08:00")
	}
	*s = startTime(domain.InstantOf(t))
	return nil
}

// Run serves the demonstration until it is told to stop.
func (c demoCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	path := c.DB
	if path == "" {
		folder, err := os.MkdirTemp("", "courtd-demo-")
		if err != nil {
			return fmt.Errorf("make a folder for the demonstration: %w", err)
		}
		defer os.RemoveAll(folder)
		path = filepath.Join(folder, "demo.db")
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, CommitAlone: c.CommitAlone})
	if err != nil {
		return err
	}
	defer closeInto(db, &err)
	// A real venue's clock is not to be touched, so this is asked first.
	demo, exists, err := app.IsDemo(ctx, db)
	if err == nil && exists && !demo {
		err = fmt.Errorf("%s holds a real venue; a demonstration needs a file of its own", path)
	}
	if err != nil {
		return err
	}
	if err := c.startClock(ctx, db); err != nil {
		return err
	}
	busy := c.Busy && !exists
	var present sqlite.ClockState
	if busy {
		if present, err = weekAgo(ctx, db); err != nil {
			return err
		}
	}
	if err := app.SeedDemo(ctx, db); err != nil {
		return err
	}
	bank, err := sandbox.New(db)
	if err != nil {
		return err
	}
	if busy {
		if err := liveThrough(ctx, db, bank, present); err != nil {
			return err
		}
	}
	log := c.logger()
	key, err := loadSecretKey("", path)
	if err != nil {
		return err
	}
	a := newApp(db, log, appParts{bank: bank, key: key, rounds: c.ReconcileEvery, derive: c.DeriveAlways})
	return c.serve(ctx, stdout, log, a, house{demo: &api.Demo{Info: app.Demo(), Sandbox: bank}, file: path})
}

// startClock freezes the clock where it was asked to start. A file that has gone
// further keeps its own clock: time does not go back because a process is started
// again with the same words.
func (c demoCommand) startClock(ctx context.Context, db *sqlite.DB) error {
	start := domain.Instant(c.Now)
	if !start.IsSet() {
		return nil
	}
	return db.SetDemoClock(ctx, func(state sqlite.ClockState) (domain.Instant, bool) {
		if start <= state.Last {
			return state.Clock, state.Frozen
		}
		return start, true
	})
}

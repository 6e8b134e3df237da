package main

import (
	"context"
	"fmt"
	"time"
)

// ender is what an alternative adds to a booking so that somebody ends it.
type ender interface {
	// arm sees to it that a hold that has just been committed will be ended.
	arm(ctx context.Context, h hold) error
	// work ends holds as they fall due, until ctx ends. ready is called once it listens.
	work(ctx context.Context, s *store, ready func()) error
	close()
}

// payload names a hold in a queue.
func payload(h hold) string { return fmt.Sprintf("%d:%d", h.ID, h.Slot) }

func endPayload(ctx context.Context, s *store, text string) error {
	var id, slot int
	if _, err := fmt.Sscanf(text, "%d:%d", &id, &slot); err != nil {
		return fmt.Errorf("read %q: %w", text, err)
	}
	return s.end(ctx, id, slot)
}

// pause waits, and reports false if ctx has ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// scanEvery is how often the cron job runs: as often as cron can.
const scanEvery = time.Minute

// cronScan ends in one transaction all that is due, once a minute. anchor is one of the
// instants at which it runs.
type cronScan struct{ anchor time.Time }

func (cronScan) arm(context.Context, hold) error { return nil }
func (cronScan) close()                          {}

func (c cronScan) work(ctx context.Context, s *store, ready func()) error {
	ready()
	for {
		wait := time.Until(c.anchor) % scanEvery
		if wait <= 0 {
			wait += scanEvery
		}
		if !pause(ctx, wait) {
			return nil
		}
		if err := s.endDue(ctx); err != nil {
			return err
		}
	}
}

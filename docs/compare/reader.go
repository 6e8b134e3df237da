package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	longHold   = 10 * time.Minute // a venue's usual hold time
	askEvery   = 2 * time.Millisecond
	askAhead   = 50 * time.Millisecond // holds are looked at so long before they are due, to see what comes too early
	askShare   = 2                     // the reader rests this many times as long as a look has taken
	rebookEach = 20                    // of so many slots that come free, one is booked again
)

// reading is what a reader has seen.
type reading struct {
	Seen             []sighting
	Rebooked, Failed int    // bookings of slots that were seen free, and those that were refused
	Why              string // of the last one
}

// reader asks for each slot when its hold's deadline comes, and again until it is free.
// One slot of twenty it then books for somebody else, at once, to see that it can be had.
type reader struct {
	shop     shop
	deadline []time.Time
	rebooks  bool
	out      reading
	low      int // all below have been seen
}

// read ends when everything has been seen free, or at the latest at until.
func (r *reader) read(ctx context.Context, until time.Time) (reading, error) {
	r.out.Seen = make([]sighting, len(r.deadline))
	var books sync.WaitGroup
	var rebooked, failed atomic.Int64
	var why atomic.Value
	high := 0
	for r.low < len(r.deadline) && time.Now().Before(until) {
		asked := time.Now()
		for high < len(r.deadline) && !r.deadline[high].After(asked.Add(askAhead)) {
			high++
		}
		if high == r.low {
			if !pause(ctx, min(time.Until(r.deadline[high])-askAhead, time.Until(until))+time.Millisecond) {
				return r.out, ctx.Err()
			}
			continue
		}
		fresh, err := r.look(ctx, high)
		if err != nil {
			return r.out, err
		}
		took := time.Since(asked)
		for _, i := range fresh {
			if r.rebooks && i%rebookEach == 0 {
				books.Go(func() {
					rebooked.Add(1)
					if err := r.shop.rebook(ctx, i); err != nil {
						failed.Add(1)
						why.Store(err.Error())
					}
				})
			}
		}
		if !pause(ctx, r.rest(took)) {
			return r.out, ctx.Err()
		}
	}
	books.Wait()
	r.out.Rebooked, r.out.Failed = int(rebooked.Load()), int(failed.Load())
	r.out.Why, _ = why.Load().(string)
	return r.out, nil
}

// look asks once for what has not been seen below high, and gives what is free now.
func (r *reader) look(ctx context.Context, high int) (fresh []int, err error) {
	free, err := r.shop.free(ctx, r.low, high)
	if err != nil {
		return nil, err
	}
	now := time.Now() // the answer is here
	for _, i := range free {
		if s := &r.out.Seen[i]; !s.Seen {
			*s = sighting{Seen: true, LagMicros: now.Sub(r.deadline[i]).Microseconds()}
			fresh = append(fresh, i)
		}
	}
	for r.low < high && r.out.Seen[r.low].Seen {
		r.low++
	}
	return fresh, nil
}

// rest is how long to wait before the next look: long enough to leave the machine to
// others, but not beyond the next deadline.
func (r *reader) rest(took time.Duration) time.Duration {
	rest := max(askEvery, askShare*took)
	now := time.Now()
	for i := r.low; i < len(r.deadline); i++ {
		if until := r.deadline[i].Sub(now); until > 0 {
			return max(min(rest, until), askEvery/2)
		}
	}
	return rest
}

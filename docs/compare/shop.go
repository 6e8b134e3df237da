package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// shop takes bookings and says what is free: the program that customers talk to.
type shop interface {
	// clock says that the next booking is to be made as of an instant, and is held for so
	// long; a zero instant is the present, as it is when nobody says anything.
	clock(at time.Time, holdFor time.Duration)
	// book holds slot i for its own customer and gives the deadline.
	book(ctx context.Context, i int, holdFor time.Duration) (time.Time, error)
	// rebook books slot i for somebody else, after the first hold is over.
	rebook(ctx context.Context, i int) error
	// free gives the slots from..to-1 that the shop would show as free.
	free(ctx context.Context, from, to int) ([]int, error)
	// deadlines reads back what n holds were promised.
	deadlines(ctx context.Context, n int) ([]time.Time, error)
	// round writes down what has ended, where that is not the worker's business.
	round(ctx context.Context) error
	close()
}

// rebookedFrom is where the numbers of second bookings begin.
const rebookedFrom = 1_000_000

// statusShop is the shop of all alternatives: slots with a status, and an ender.
type statusShop struct {
	store *store
	ender ender
}

func (s statusShop) clock(time.Time, time.Duration) {}

func (s statusShop) book(ctx context.Context, i int, holdFor time.Duration) (time.Time, error) {
	h := hold{ID: i, Slot: i, Deadline: time.Now().Add(holdFor), For: holdFor}
	return h.Deadline, s.place(ctx, h)
}

func (s statusShop) rebook(ctx context.Context, i int) error {
	return s.place(ctx, hold{ID: rebookedFrom + i, Slot: i, Deadline: time.Now().Add(longHold), For: longHold})
}

// place commits a hold and then arms its end. If the program dies in between, nobody
// will end it.
func (s statusShop) place(ctx context.Context, h hold) error {
	if err := s.store.hold(ctx, h); err != nil {
		return err
	}
	return s.ender.arm(ctx, h)
}

func (s statusShop) free(ctx context.Context, from, to int) ([]int, error) {
	return s.store.freeAmong(ctx, from, to)
}

func (s statusShop) deadlines(ctx context.Context, n int) ([]time.Time, error) {
	rows, err := s.store.readers.QueryContext(ctx, "SELECT id, pay_by FROM slots WHERE id < ?", n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make([]time.Time, n)
	for rows.Next() {
		var id int
		var ms int64
		if err := rows.Scan(&id, &ms); err != nil {
			return nil, err
		}
		out[id] = time.UnixMilli(ms)
	}
	return out, rows.Err()
}

func (s statusShop) round(context.Context) error { return nil }

func (s statusShop) close() {
	s.ender.close()
	s.store.close()
}

// booking is how many holds are made, and how.
type booking struct {
	From, To int
	Clients  int
	Every    time.Duration // from one booking to the next; 0: as fast as it goes
	HoldFor  time.Duration
}

// bookAll makes holds From..To-1 in their order, by so many clients at once, and gives
// their deadlines and how long it took.
func bookAll(ctx context.Context, s shop, b booking) ([]time.Time, time.Duration, error) {
	defer s.clock(time.Time{}, 0)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]time.Time, b.To-b.From)
	next := make(chan int)
	var clients sync.WaitGroup
	begun := time.Now()
	for range b.Clients {
		clients.Go(func() {
			for i := range next {
				deadline, err := s.book(ctx, i, b.HoldFor)
				if err != nil {
					cancel(fmt.Errorf("book slot %d: %w", i, err))
					return
				}
				out[i-b.From] = deadline
			}
		})
	}
	for i := b.From; i < b.To && ctx.Err() == nil; i++ {
		if b.Every > 0 {
			turn := begun.Add(time.Duration(i-b.From) * b.Every)
			time.Sleep(time.Until(turn))
			s.clock(turn, b.HoldFor)
		}
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	clients.Wait()
	return out, time.Since(begun), context.Cause(ctx)
}

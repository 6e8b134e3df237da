package main

import (
	"context"
	"fmt"
	"time"
)

// longWait is what another writer should not have to wait while a round settles.
const longWait = 20 * time.Millisecond

// measureRound settles many claims that have fallen due at once, while somebody books.
func measureRound(ctx context.Context, b *bench) error {
	var shares []float64
	var how string
	for n := range min(b.rounds, 3) {
		share, text, err := b.roundWithWriters(ctx, n)
		if err != nil {
			return err
		}
		shares, how = append(shares, share), text
	}
	b.add(fmt.Sprintf("round with %d due: time in which other writers wait more than %d ms", b.held, longWait.Milliseconds()), "≤ 5 %", median(shares) <= 0.05,
		fmt.Sprintf("%.1f %% (median of %d rounds)", 100*median(shares), len(shares)), how)
	return nil
}

const roundCourts = 200

// heldVenue is a venue in which many claims end at payBy(i), with customers besides.
func (b *bench) heldVenue(ctx context.Context, name string, customers int, payBy func(i int) int64) (venue, []hold, error) {
	v, err := b.venue(ctx, setting{name: name, courts: roundCourts, customers: customers})
	if err != nil {
		return v, nil, err
	}
	slots := freeSlots(roundCourts, 6)
	if len(slots) < b.held {
		return v, nil, fmt.Errorf("%d claims need as many slots, and there are %d", b.held, len(slots))
	}
	holds, err := holdMany(ctx, v.path, slots[:b.held], payBy)
	return v, holds, err
}

func (b *bench) roundWithWriters(ctx context.Context, n int) (share float64, how string, err error) {
	const writers = 4
	v, holds, err := b.heldVenue(ctx, fmt.Sprintf("round-%d", n), 4000, func(int) int64 { return noonUnix - 60 })
	if err != nil {
		return 0, "", err
	}
	// A program runs a round when it starts; it has not got far when the writers begin.
	p, err := b.demo(ctx, v.path, noon, "--reconcile-every", "24h")
	if err != nil {
		return 0, "", err
	}
	defer p.end()
	// The writers book what has lapsed, from the far end, for as long as the round goes on.
	job := loadJob{Base: p.base, Conns: writers, Stop: b.scratch + "/stop-" + fmt.Sprint(n)}
	for i, token := range v.tokens[:min(len(v.tokens), len(holds))] {
		h := holds[len(holds)-1-i]
		job.List = append(job.List, loadRequest{Method: "POST", Path: "/api/v1/orders", Token: token, Body: freeSlot{court: h.court, start: h.start}.body()})
	}
	waiting, err := b.startLoad(ctx, job)
	if err != nil {
		return 0, "", err
	}
	began := time.Now()
	for rounds := int64(0); rounds == 0; {
		time.Sleep(50 * time.Millisecond)
		if rounds, err = count(ctx, v.path, "SELECT count(*) FROM reconciler_runs"); err != nil {
			return 0, "", err
		}
		if time.Since(began) > 5*time.Minute {
			return 0, "", fmt.Errorf("the round is not over after %s", time.Since(began))
		}
	}
	took := time.Since(began)
	if err := touch(job.Stop); err != nil {
		return 0, "", err
	}
	r, err := waiting()
	if err == nil {
		err = r.only("201")
	}
	if err != nil {
		return 0, "", err
	}
	var long time.Duration
	for _, t := range r.Times {
		if t > longWait {
			long += t
		}
	}
	share = float64(long) / float64(r.Span) / writers
	return share, fmt.Sprintf("the round took %.1f s; %d orders were booked meanwhile by %d writers, p50 %.1f ms, p99 %.1f ms, longest %.0f ms; an order's whole time over HTTP counts as its wait",
		took.Seconds(), len(r.Times), writers, ms(quantile(r.Times, 0.5)), ms(quantile(r.Times, 0.99)), ms(quantile(r.Times, 1))), nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

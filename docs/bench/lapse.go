package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// The deadlines of measureLapse lie on so many seconds; courtd's are whole seconds.
const lapseSeconds = 20

// measureLapse lets many holds lapse, a part of them each second, and has another
// customer ask for each slot in the instant of its deadline. Nothing else runs.
func measureLapse(ctx context.Context, b *bench) error {
	const lead = 5 // seconds until the first deadline
	v, holds, err := b.heldVenue(ctx, "lapse", b.held, func(i int) int64 { return noonUnix + lead + int64(i%lapseSeconds) })
	if err != nil {
		return err
	}
	p, err := b.demo(ctx, v.path, noon)
	if err != nil {
		return err
	}
	defer p.end()
	job := loadJob{Base: p.base, Conns: 512}
	// The club's clock moves by whole seconds with the machine's: it is set to noon when a
	// second begins, so that a second's number tells its instant.
	next := time.Now().Truncate(time.Second).Add(3 * time.Second)
	for i, h := range holds {
		job.List = append(job.List, loadRequest{Method: "POST", Path: "/api/v1/orders", Token: v.tokens[i], Body: freeSlot{court: h.court, start: h.start}.body(),
			At: next.Add(time.Duration(h.payBy-noonUnix) * time.Second)})
	}
	slices.SortStableFunc(job.List, func(a, b loadRequest) int { return a.At.Compare(b.At) })
	running, err := b.startLoad(ctx, job)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(next.Add(100 * time.Millisecond)))
	if err := post(p.base+"/demo/clock", "", fmt.Sprintf(`{"set":%q,"frozen":false}`, noon), http.StatusOK, nil); err != nil {
		return err
	}
	r, err := running()
	if err != nil {
		return err
	}
	var lags []time.Duration
	early, lost := 0, 0
	for i, answered := range r.Done {
		switch {
		case answered.Status == 201:
			lags = append(lags, answered.At.Sub(job.List[i].At))
		case answered.Status == 409:
			early++
		default:
			lost++
		}
	}
	worst := quantile(lags, 1)
	b.add(fmt.Sprintf("lapse to “another customer has it”, worst of %d, no reconciler", len(holds)), "within the second of the deadline",
		worst <= time.Second && early+lost == 0, fmt.Sprintf("%.0f ms", ms(worst)),
		fmt.Sprintf("p50 %.0f ms, p99 %.0f ms; %d were refused though the deadline had come, %d were not answered; %d deadlines fall on each of %d seconds, and each order is sent in the instant of its deadline",
			ms(quantile(lags, 0.5)), ms(quantile(lags, 0.99)), early, lost, len(holds)/lapseSeconds, lapseSeconds))
	return nil
}

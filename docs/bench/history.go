package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// What is asked of a venue with a history, in one measurement.
const (
	historyGrids  = 300 // grids, each worked out
	historyOrders = 40
	historyRounds = 10 // rounds with nothing due
	mostStartUp   = 300 * time.Millisecond
	mostMemory    = 64 << 20
	memoryRows    = 1_000_000
)

// aged is a venue with a history, being served.
type aged struct {
	venue
	rows   int
	served *process
	owner  string // token
	used   int    // orders made
}

// measureHistory asks the same of a venue of many years and of a young one.
func measureHistory(ctx context.Context, b *bench) error {
	young, err := b.age(ctx, b.few)
	if err != nil {
		return err
	}
	defer young.served.end()
	old, err := b.age(ctx, b.many)
	if err != nil {
		return err
	}
	defer old.served.end()
	var grid, order, round []float64
	p50 := map[string][]float64{}
	for range b.rounds {
		var took [2][3]time.Duration
		for i, v := range []*aged{young, old} {
			if took[i], err = v.askAll(ctx, b); err != nil {
				return err
			}
			for n, what := range []string{"grid", "order", "round"} {
				p50[fmt.Sprint(what, i)] = append(p50[fmt.Sprint(what, i)], float64(took[i][n].Microseconds())/1000)
			}
		}
		grid = append(grid, float64(took[1][0])/float64(took[0][0]))
		order = append(order, float64(took[1][1])/float64(took[0][1]))
		round = append(round, float64(took[1][2])/float64(took[0][2]))
	}
	how := func(what string) string {
		return fmt.Sprintf("%.2f ÷ %.2f ms (medians); %d and %d reservations that are over", median(p50[what+"1"]), median(p50[what+"0"]), old.rows, young.rows)
	}
	b.atMost("a round of the reconciler with nothing due: long history ÷ short", 1.5, round, how("round"))
	b.atMost("grid, worked out, p50: long history ÷ short", 1.3, grid, how("grid"))
	b.atMost("order p50: long history ÷ short", 1.3, order, how("order"))
	if err := old.served.end(); err != nil {
		return err
	}
	if err := b.startUps(ctx, old.path, old.rows); err != nil {
		return err
	}
	return b.memoryUnderLoad(ctx)
}

// age makes and serves a venue with a history of so many reservations.
func (b *bench) age(ctx context.Context, rows int) (*aged, error) {
	v, err := b.venue(ctx, setting{name: fmt.Sprintf("history-%d", rows), courts: 10, closed: 190, customers: b.rounds*historyOrders + 2000, history: rows})
	if err != nil {
		return nil, err
	}
	a := &aged{venue: v, rows: rows}
	if a.served, err = b.demo(ctx, v.path, noon, "--derive-always"); err != nil {
		return nil, err
	}
	a.owner, err = signInOwner(a.served.base)
	return a, err
}

// signInOwner signs in the owner of a demonstration.
func signInOwner(base string) (string, error) {
	var demo struct {
		Accounts struct {
			Owner struct{ Username, Password string }
		}
	}
	if err := get(base+"/demo", &demo); err != nil {
		return "", err
	}
	var in struct{ Token string }
	err := post(base+"/api/v1/login/staff", "", fmt.Sprintf(`{"username":%q,"password":%q}`, demo.Accounts.Owner.Username, demo.Accounts.Owner.Password), http.StatusOK, &in)
	return in.Token, err
}

// askAll gives the medians of a grid, an order and a round.
func (a *aged) askAll(ctx context.Context, b *bench) (took [3]time.Duration, err error) {
	grids, orders, rounds := loadJob{Conns: 1}, loadJob{Conns: 1}, loadJob{Conns: 1}
	for range historyGrids {
		grids.List = append(grids.List, loadRequest{Method: "GET", Path: gridPath})
	}
	slots := freeSlots(10, 6)
	for range historyOrders {
		orders.List = append(orders.List, loadRequest{Method: "POST", Path: "/api/v1/orders", Token: a.tokens[a.used], Body: slots[a.used].body()})
		a.used++
	}
	for range historyRounds {
		rounds.List = append(rounds.List, loadRequest{Method: "POST", Path: "/api/v1/owner/reconciler/run", Token: a.owner, Body: "{}"})
	}
	for i, part := range []struct {
		job    loadJob
		status string
	}{{grids, "200"}, {orders, "201"}, {rounds, "200"}} {
		part.job.Base = a.served.base
		r, err := b.load(ctx, part.job)
		if err == nil {
			err = r.only(part.status)
		}
		if err != nil {
			return took, err
		}
		took[i] = quantile(r.Times, 0.5)
	}
	return took, nil
}

// startUps times how long courtd takes from its start to its first answer.
func (b *bench) startUps(ctx context.Context, path string, rows int) error {
	var times []float64
	for range b.rounds {
		began := time.Now()
		p, err := b.demo(ctx, path, noon)
		if err != nil {
			return err
		}
		_, _, err = ask(p.base + gridPath)
		took := time.Since(began)
		if err := p.end(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		times = append(times, float64(took.Milliseconds()))
	}
	b.add(fmt.Sprintf("start-up to the first answer at %d reservations", rows), fmt.Sprintf("≤ %d ms", mostStartUp.Milliseconds()),
		median(times) <= float64(mostStartUp.Milliseconds()), fmt.Sprintf("%.0f ms", median(times)), "from the start of the process to the answer about a day; median")
	return nil
}

// memoryUnderLoad looks at how large courtd grows while it is read and written.
func (b *bench) memoryUnderLoad(ctx context.Context) error {
	rows := min(memoryRows, b.many)
	v, err := b.venue(ctx, setting{name: fmt.Sprintf("memory-%d", rows), courts: 10, closed: 190, customers: 500, history: rows})
	if err != nil {
		return err
	}
	p, err := b.demo(ctx, v.path, noon)
	if err != nil {
		return err
	}
	defer p.end()
	if err := p.forgetPeak(); err != nil {
		return err
	}
	orders := loadJob{Base: p.base, Conns: 8}
	slots := freeSlots(10, 6)
	for i := range 500 {
		orders.List = append(orders.List, loadRequest{Method: "POST", Path: "/api/v1/orders", Token: v.tokens[i], Body: slots[i].body()})
	}
	reading, err := b.startLoad(ctx, loadJob{Base: p.base, Conns: gridConns, Span: 3 * b.span, Repeat: &loadRequest{Method: "GET", Path: gridPath}})
	if err != nil {
		return err
	}
	r, err := b.load(ctx, orders)
	if err == nil {
		err = r.only("201")
	}
	if err != nil {
		return err
	}
	if _, err := reading(); err != nil {
		return err
	}
	most, err := p.memory("VmHWM")
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("memory at %d reservations under load", rows), fmt.Sprintf("≤ %d MB", mostMemory>>20), most <= mostMemory, fmt.Sprintf("%.1f MB", float64(most)/(1<<20)),
		fmt.Sprintf("the most that was resident (VmHWM) while %d connections read a day and 8 booked %d slots", gridConns, len(orders.List)))
	return nil
}

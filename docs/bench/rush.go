package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// The rush: a new day opens at seven, and everybody wants it.
const (
	rushConns  = 500
	rushCourts = 6
	rushSlots  = rushCourts * 9
	rushDay    = "2026-12-17"
	rushBefore = "2026-12-11T06:59:57+08:00"
)

// rushJob is what the load generator does for the rush: each customer reads the day until
// it is open, asks for a slot that is free, and reads again when somebody else was faster.
type rushJob struct {
	Tokens []string
	Day    string
}

// rushResult is what became of everybody.
type rushResult struct {
	Reads, Orders []time.Duration
	Status        map[string]int
	Got, Without  int // customers with a slot, and those for whom nothing was left
	Unanswered    int
}

// measureRush lets everybody in at once: by themselves, while a round settles what has
// fallen due, and with a bot that never pays.
func measureRush(ctx context.Context, b *bench) error {
	if err := b.rush(ctx, "rush", false); err != nil {
		return err
	}
	if err := b.rush(ctx, "rush-round", true); err != nil {
		return err
	}
	for _, accounts := range []int{1, 5} {
		if err := b.bots(ctx, accounts); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) rush(ctx context.Context, name string, withRound bool) error {
	v, err := b.venue(ctx, setting{name: name, courts: rushCourts, closed: roundCourts - rushCourts, customers: b.customers})
	if err != nil {
		return err
	}
	what := fmt.Sprintf("the rush: %d customers, %d connections, %d slots", b.customers, rushConns, rushSlots)
	if withRound {
		if _, err := holdMany(ctx, v.path, freeSlots(roundCourts, 6)[:b.held], func(int) int64 { return noonUnix - 60 }); err != nil {
			return err
		}
		what += fmt.Sprintf(", while a round settles %d", b.held)
	}
	p, err := b.demo(ctx, v.path, noon)
	if err != nil {
		return err
	}
	defer p.end()
	owner, err := signInOwner(p.base)
	if err != nil {
		return err
	}
	if err := post(p.base+"/demo/clock", "", fmt.Sprintf(`{"set":%q,"frozen":false}`, rushBefore), http.StatusOK, nil); err != nil {
		return err
	}
	running, err := b.startLoad(ctx, loadJob{Base: p.base, Conns: rushConns, Rush: &rushJob{Tokens: v.tokens, Day: rushDay}})
	if err != nil {
		return err
	}
	if withRound {
		time.Sleep(2 * time.Second) // the day is about to open
		if err := post(p.base+"/api/v1/owner/reconciler/run", owner, "{}", http.StatusOK, nil); err != nil {
			return err
		}
	}
	all, err := running()
	if err != nil {
		return err
	}
	r := all.Rush
	sold, err := count(ctx, v.path, "SELECT count(*) FROM reservations WHERE day = ?", rushDay)
	if err != nil {
		return err
	}
	slots, err := count(ctx, v.path, "SELECT count(DISTINCT court_id || '@' || starts_at) FROM reservations WHERE day = ?", rushDay)
	if err != nil {
		return err
	}
	faults := r.Unanswered
	for status, n := range r.Status {
		if status >= "500" {
			faults += n
		}
	}
	ok := sold == rushSlots && slots == rushSlots && r.Got == rushSlots && r.Got+r.Without == b.customers && faults == 0
	b.add(what, "every slot sold once, no 5xx, everybody answered", ok,
		fmt.Sprintf("%d slots sold %d times, %d customers have one, %d found nothing left, %d faults", slots, sold, r.Got, r.Without, faults),
		fmt.Sprintf("%d reads, p50 %.0f ms, p99 %.0f ms; %d orders, p50 %.0f ms, p99 %.0f ms; all was over %.1f s after the day opened; answers %v",
			len(r.Reads), ms(quantile(r.Reads, 0.5)), ms(quantile(r.Reads, 0.99)), len(r.Orders), ms(quantile(r.Orders, 0.5)), ms(quantile(r.Orders, 0.99)),
			(all.Span-3*time.Second).Seconds(), r.Status))
	return nil
}

// serve lets every customer loose.
func (j rushJob) serve(ctx context.Context, base string, client *fasthttp.HostClient) *rushResult {
	out := &rushResult{Status: map[string]int{}}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, token := range j.Tokens {
		all.Go(func() {
			c := rushCustomer{base: base, client: client, token: token, day: j.Day, random: rand.New(rand.NewPCG(uint64(i), 7)), status: map[string]int{}}
			c.fight(ctx)
			mu.Lock()
			defer mu.Unlock()
			out.Reads, out.Orders = append(out.Reads, c.reads...), append(out.Orders, c.orders...)
			for status, n := range c.status {
				out.Status[status] += n
			}
			switch {
			case c.unanswered > 0:
				out.Unanswered++
			case c.got:
				out.Got++
			default:
				out.Without++
			}
		})
	}
	all.Wait()
	return out
}

type rushCustomer struct {
	base, token, day string
	client           *fasthttp.HostClient
	random           *rand.Rand
	reads, orders    []time.Duration
	status           map[string]int
	got              bool
	unanswered       int
}

func (c *rushCustomer) do(r loadRequest, times *[]time.Duration) (int, []byte) {
	req, res := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(res)
	r.write(c.base, req)
	began := time.Now()
	if err := c.client.Do(req, res); err != nil {
		c.unanswered++
		return 0, nil
	}
	*times = append(*times, time.Since(began))
	c.status[fmt.Sprint(res.StatusCode())]++
	return res.StatusCode(), append([]byte(nil), res.Body()...)
}

// fight goes on until the customer has a slot or nothing is left.
func (c *rushCustomer) fight(ctx context.Context) {
	for try := 0; ctx.Err() == nil && c.unanswered == 0; try++ {
		status, text := c.do(loadRequest{Method: "GET", Path: "/api/v1/availability?date=" + c.day}, &c.reads)
		var day struct {
			Courts []struct {
				ID    string
				Slots []struct{ Start, State string }
			}
		}
		if status != http.StatusOK || json.Unmarshal(text, &day) != nil {
			return
		}
		var free []string
		closed := false
		for _, court := range day.Courts {
			for _, slot := range court.Slots {
				closed = closed || slot.State == "not_open"
				if slot.State == "free" {
					free = append(free, fmt.Sprintf(`{"slots":[{"court":%q,"start":%q}]}`, court.ID, slot.Start))
				}
			}
		}
		if closed {
			time.Sleep(time.Duration(200+c.random.IntN(200)) * time.Millisecond)
			continue
		}
		if len(free) == 0 {
			return
		}
		status, _ = c.do(loadRequest{Method: "POST", Path: "/api/v1/orders", Token: c.token, Key: fmt.Sprint("rush-", try), Body: free[c.random.IntN(len(free))]}, &c.orders)
		if c.got = status == http.StatusCreated; c.got {
			return
		}
	}
}

// bots lets accounts hold whatever they can for four hours and never pay.
func (b *bench) bots(ctx context.Context, accounts int) error {
	const minutes = 240
	v, err := b.venue(ctx, setting{name: fmt.Sprintf("bots-%d", accounts), courts: rushCourts, customers: accounts})
	if err != nil {
		return err
	}
	p, err := b.demo(ctx, v.path, noon)
	if err != nil {
		return err
	}
	defer p.end()
	slots := freeSlots(rushCourts, 1)
	most, heldMinutes, next := 0, 0, 0
	for minute := range minutes {
		at := time.Unix(noonUnix+int64(minute)*60, 0).In(shanghai).Format(time.RFC3339)
		if err := post(p.base+"/demo/clock", "", fmt.Sprintf(`{"set":%q,"frozen":true}`, at), http.StatusOK, nil); err != nil {
			return err
		}
		for _, token := range v.tokens {
			for range 4 { // more than it may hold; a slot that is taken is passed by
				post(p.base+"/api/v1/orders", token, slots[next%len(slots)].body(), http.StatusCreated, nil)
				next++
			}
		}
		var day struct {
			Courts []struct{ Slots []struct{ State string } }
		}
		if err := get(p.base+"/api/v1/availability?date=2026-12-11", &day); err != nil {
			return err
		}
		held := 0
		for _, court := range day.Courts {
			for _, slot := range court.Slots {
				if slot.State == "held" {
					held++
				}
			}
		}
		most, heldMinutes = max(most, held), heldMinutes+held
	}
	share := float64(heldMinutes) / float64(minutes*len(slots))
	b.add(fmt.Sprintf("a bot with %d account(s) that holds and never pays, %d hours", accounts, minutes/60), fmt.Sprintf("at most %d of %d slots at once", 2*accounts, len(slots)),
		most <= 2*accounts, fmt.Sprintf("%d at once; %.1f %% of the slots' time", most, 100*share),
		"each account asks for four slots every minute; two unpaid orders at once, then pauses that double")
	return nil
}

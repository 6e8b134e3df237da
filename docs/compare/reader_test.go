package main

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// clockShop frees each slot at an instant of its own, and takes no time to say so.
type clockShop struct {
	statusShop
	freeAt   []time.Time
	refuses  bool
	mu       sync.Mutex
	rebooked []int
	asked    int
}

func (c *clockShop) free(_ context.Context, from, to int) (out []int, err error) {
	c.asked++
	for i := from; i < to; i++ {
		if !time.Now().Before(c.freeAt[i]) {
			out = append(out, i)
		}
	}
	return out, nil
}

func (c *clockShop) rebook(_ context.Context, i int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rebooked = append(c.rebooked, i)
	if c.refuses {
		return errors.New("taken")
	}
	return nil
}

func TestReaderSeesWhenSlotsComeFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		late := []time.Duration{0, time.Second, -20 * time.Millisecond, time.Hour, 0}
		shop := &clockShop{refuses: true}
		r := reader{shop: shop, rebooks: true}
		for i, l := range late {
			due := begun.Add(time.Duration(i+1) * 10 * time.Second)
			r.deadline = append(r.deadline, due)
			shop.freeAt = append(shop.freeAt, due.Add(l))
		}
		got, err := r.read(context.Background(), begun.Add(2*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if time.Since(begun) < 2*time.Minute {
			t.Errorf("gave up after %v", time.Since(begun))
		}
		for i, l := range late {
			s := got.Seen[i]
			if l == time.Hour {
				if s.Seen {
					t.Errorf("slot %d was seen free, %v", i, s)
				}
				continue
			}
			off := time.Duration(s.LagMicros)*time.Microsecond - l
			if !s.Seen || off < 0 || off > askEvery {
				t.Errorf("slot %d: seen %v, %d µs after the deadline; want %v and at most %v more", i, s.Seen, s.LagMicros, l, askEvery)
			}
		}
		if got.Rebooked != 1 || got.Failed != 1 || got.Why != "taken" || shop.rebooked[0] != 0 {
			t.Errorf("booked again: %d, refused %d (%s)", got.Rebooked, got.Failed, got.Why)
		}
		if shop.asked > 50_000 {
			t.Errorf("asked %d times", shop.asked)
		}
	})
}

func TestReaderEndsWithTheLastSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		due := time.Now().Add(time.Minute)
		shop := &clockShop{freeAt: []time.Time{due}}
		r := reader{shop: shop, deadline: []time.Time{due}}
		got, err := r.read(context.Background(), due.Add(time.Hour))
		if err != nil || !got.Seen[0].Seen || got.Seen[0].LagMicros != 0 {
			t.Fatalf("seen %+v, error %v", got.Seen, err)
		}
		if waited := time.Since(due); waited > time.Second {
			t.Errorf("went on for %v", waited)
		}
		if len(shop.rebooked) != 0 {
			t.Error("booked without being asked to")
		}
	})
}

func TestBookingsKeepTheirTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &club{}
		if got := c.now(); !got.Equal(time.Now()) {
			t.Fatalf("the clock shows %v", got)
		}
		turn := time.Now()
		time.Sleep(3 * time.Second) // the machine is slow
		c.clock(turn, 22*time.Second)
		if got, want := c.now().Add(longHold), turn.Add(22*time.Second); !got.Equal(want) {
			t.Errorf("a hold of ten minutes ends at %v, want %v", got, want)
		}
		c.clock(time.Time{}, 0)
		if got := c.now(); !got.Equal(time.Now()) {
			t.Errorf("the clock shows %v", got)
		}
	})
}

func TestLongEnough(t *testing.T) {
	j := usual
	for _, c := range []struct {
		perSecond float64
		want      time.Duration
	}{{14_000, j.HoldFor}, {750, j.HoldFor}, {500, 32 * time.Second}, {250, 62 * time.Second}} {
		if got := j.longEnough(c.perSecond); got != c.want {
			t.Errorf("at %v a second: got %v, want %v", c.perSecond, got, c.want)
		}
	}
	if j.HoldFor <= j.Spread {
		t.Error("the first hold is over before the last one is made")
	}
}

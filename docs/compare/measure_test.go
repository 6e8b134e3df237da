package main

import (
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	hundred := make([]time.Duration, 100) // 100, 99, … 1
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	for _, c := range []struct {
		values []time.Duration
		p      float64
		want   time.Duration
	}{
		{nil, 50, 0},
		{[]time.Duration{7}, 50, 7},
		{[]time.Duration{7}, 99, 7},
		{[]time.Duration{4, 1}, 50, 1},
		{[]time.Duration{3, 1, 2}, 50, 2},
		{[]time.Duration{-5, 1, 2}, 1, -5},
		{hundred, 50, 50},
		{hundred, 99, 99},
		{hundred, 100, 100},
		{hundred, 0, 1},
		{hundred[:99], 99, 100}, // 99 of 100…2: the 99th of them, 0.99·99 = 98.01
	} {
		if got := percentile(c.values, c.p); got != c.want {
			t.Errorf("percentile %v of %d values: got %d, want %d", c.p, len(c.values), got, c.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("the values were put into another order")
	}
}

func seen(lag time.Duration) sighting {
	return sighting{Seen: true, LagMicros: lag.Microseconds()}
}

func TestSummary(t *testing.T) {
	got := summarize([]sighting{seen(3 * time.Millisecond), {}, seen(-2 * time.Millisecond), seen(time.Second), seen(-time.Millisecond), {}})
	want := lags{P50: -time.Millisecond, P99: time.Second, Max: time.Second, Early: 2, Earliest: 2 * time.Millisecond, Unseen: 2}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := summarize([]sighting{{}, {}}); got != (lags{Unseen: 2}) {
		t.Errorf("of nothing seen: %+v", got)
	}
	if got := summarize([]sighting{seen(0)}); got.Early != 0 {
		t.Errorf("at the deadline is not early: %+v", got)
	}
}

func TestLostAndDoubled(t *testing.T) {
	for _, c := range []struct {
		holds           []int
		again, distinct int
	}{
		{nil, 0, 0},
		{[]int{0, 1, 2}, 0, 3},
		{[]int{0, 1, 0}, 1, 2},
		{[]int{4, 4, 4, 1, 1}, 3, 2},
	} {
		if got := doubled(c.holds); got != c.again {
			t.Errorf("doubled of %v: got %d, want %d", c.holds, got, c.again)
		}
		if got := distinct(c.holds); got != c.distinct {
			t.Errorf("distinct of %v: got %d, want %d", c.holds, got, c.distinct)
		}
	}
}

func TestTooEarly(t *testing.T) {
	base := time.UnixMilli(1_700_000_000_000)
	deadline := []time.Time{base, base.Add(700 * time.Microsecond), base.Add(time.Second)}
	effects := []effect{
		{0, base},                              // at the deadline
		{1, base},                              // within its millisecond
		{2, base.Add(300 * time.Millisecond)},  // 700 ms before
		{2, base.Add(990 * time.Millisecond)},  // 10 ms before
		{2, base.Add(1200 * time.Millisecond)}, // after
	}
	count, most := tooEarly(effects, deadline)
	if count != 2 || most != 700*time.Millisecond {
		t.Errorf("got %d, by up to %v; want 2, by up to 700ms", count, most)
	}
}

func TestPerHold(t *testing.T) {
	for _, c := range []struct {
		before, after int64
		n             int
		want          int64
	}{{1000, 6000, 10, 500}, {6000, 1000, 10, 0}, {0, 5, 0, 0}, {0, 19, 10, 1}} {
		if got := perHold(c.before, c.after, c.n); got != c.want {
			t.Errorf("perHold(%d, %d, %d): got %d, want %d", c.before, c.after, c.n, got, c.want)
		}
	}
}

package main

import (
	"math"
	"slices"
	"time"
)

// percentile gives the smallest value that at least p percent of all are no greater
// than (nearest rank), or 0 of none.
func percentile(values []time.Duration, p float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// lags is what a reader saw of n holds.
type lags struct {
	P50, P99, Max time.Duration
	Early         int           // seen free before the deadline
	Earliest      time.Duration // how much before, at most
	Unseen        int           // not seen free at all
}

// summarize sums up one lag for each hold; those never seen free have none, and
// stand in no percentile.
func summarize(seen []sighting) lags {
	var out lags
	var all []time.Duration
	for _, s := range seen {
		if !s.Seen {
			out.Unseen++
			continue
		}
		lag := time.Duration(s.LagMicros) * time.Microsecond
		all = append(all, lag)
		if lag < 0 {
			out.Early++
			out.Earliest = max(out.Earliest, -lag)
		}
	}
	out.P50, out.P99 = percentile(all, 50), percentile(all, 99)
	if len(all) > 0 {
		out.Max = slices.Max(all)
	}
	return out
}

// sighting is when a hold's slot was first seen free, counted from the deadline.
type sighting struct {
	Seen      bool
	LagMicros int64
}

// doubled counts how often the end of a hold took effect once more: each effect after a
// hold's first is one.
func doubled(holds []int) int {
	times, again := map[int]int{}, 0
	for _, hold := range holds {
		if times[hold]++; times[hold] > 1 {
			again++
		}
	}
	return again
}

// distinct counts the holds that took effect at all.
func distinct(holds []int) int { return len(holds) - doubled(holds) }

// tooEarly counts the effects that came before the deadlines of their holds, and how
// much before at most.
func tooEarly(effects []effect, deadline []time.Time) (count int, most time.Duration) {
	for _, e := range effects {
		// A deadline is kept in whole milliseconds.
		if before := deadline[e.hold].Truncate(time.Millisecond).Sub(e.at); before > 0 {
			count++
			most = max(most, before)
		}
	}
	return count, most
}

// perHold divides what n holds have added; what shrank meanwhile has added nothing.
func perHold(before, after int64, n int) int64 {
	if n == 0 || after <= before {
		return 0
	}
	return (after - before) / int64(n)
}

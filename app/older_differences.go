package app

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// The day close looks live at its newest days. What older days hold is counted once for
// each day, and again for a day that a bill, a payment, a refund or an explanation
// touches: to count all of years takes seconds, and most of their days never change.
const (
	liveDays   = 45
	recentKept = time.Minute // where nobody waits for the figure, as on the overview
)

// keptCount is a count of the live days as it was at an instant.
type keptCount struct {
	sqlite.DifferenceCount
	known bool
	at    domain.Instant
	from  string // the first of the live days then
}

func (k keptCount) holds(now domain.Instant, from string, span time.Duration) bool {
	return k.known && k.from == from && now >= k.at && now < k.at.Add(span)
}

// olderCounts are the counts of the days before the live ones. They are never changed,
// but replaced by others.
type olderCounts struct {
	known bool
	mark  sqlite.DifferenceMark // up to which they are right
	until string                // the first day that is not among them
	days  map[string]sqlite.DifferenceCount
	sum   sqlite.DifferenceCount
	whole int // how often all days were counted since the start,
	again int // and single ones
}

// differenceCounts keeps the counts of differences. Nothing is asked while it is locked.
type differenceCounts struct {
	mu     sync.Mutex
	turn   int // of what the bills and explanations say
	older  olderCounts
	recent keptCount
}

// forget is called after a bill was taken or a difference explained: the overview's
// figure is not behind that. What older days hold is found out by itself.
func (c *differenceCounts) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.recent = keptCount{}
}

// liveFrom is the first day that is looked at whenever somebody asks.
func liveFrom(now domain.Instant) domain.Date { return lastReady(now).AddDays(-liveDays) }

// olderOnes gives the counts of the days before the live ones, as a snapshot has them.
func (c *differenceCounts) olderOnes(s *sqlite.Snapshot) (olderCounts, error) {
	c.mu.Lock()
	kept := c.older
	c.mu.Unlock()
	until := liveFrom(s.Now).String()
	var fresh olderCounts
	var err error
	if !kept.known || kept.mark.Ahead(s.Now) || until < kept.until {
		fresh, err = countOlder(s, until)
		fresh.whole, fresh.again = kept.whole+1, kept.again
	} else {
		fresh, err = kept.upTo(s, until)
	}
	if err != nil {
		return fresh, err
	}
	// Whoever was slower may have looked earlier: its counts are right up to its own mark.
	c.mu.Lock()
	defer c.mu.Unlock()
	c.older = fresh
	return fresh, nil
}

// countOlder counts all days before one.
func countOlder(s *sqlite.Snapshot, until string) (out olderCounts, err error) {
	out = olderCounts{known: true, until: until}
	if out.mark, err = s.MarkDifferences(); err != nil {
		return out, err
	}
	out.days, err = s.CountDifferences("", dayBefore(until))
	return out.summed(), err
}

// upTo counts again the days that were touched since, and those that have come to be older.
func (k olderCounts) upTo(s *sqlite.Snapshot, until string) (olderCounts, error) {
	days, mark, err := s.DaysTouched(k.mark, k.until)
	if err != nil {
		return k, err
	}
	out := olderCounts{known: true, mark: mark, until: until, days: k.days, whole: k.whole, again: k.again + len(days)}
	if len(days) == 0 && until == k.until {
		out.sum = k.sum
		return out, nil
	}
	out.days = maps.Clone(k.days)
	again := func(from, to string) error {
		found, err := s.CountDifferences(from, to)
		maps.Copy(out.days, found)
		return err
	}
	for _, day := range days {
		delete(out.days, day)
		if err := again(day, day); err != nil {
			return k, err
		}
	}
	if until != k.until {
		if err := again(k.until, dayBefore(until)); err != nil {
			return k, err
		}
	}
	return out.summed(), nil
}

func (k olderCounts) summed() olderCounts {
	k.sum = sumOf(k.days)
	return k
}

func sumOf(days map[string]sqlite.DifferenceCount) (out sqlite.DifferenceCount) {
	for _, n := range days {
		out.Open += n.Open
		out.Explained += n.Explained
	}
	return out
}

// dayBefore is the day before one that was written by us.
func dayBefore(day string) string {
	d, _ := billDay(day)
	return d.AddDays(-1).String()
}

// countRecent counts those of the live days as they are now.
func countRecent(s *sqlite.Snapshot, from string) (sqlite.DifferenceCount, error) {
	days, err := s.CountDifferences(from, "")
	return sumOf(days), err
}

// glance counts all of them; the newest ones may be a minute old.
func (c *differenceCounts) glance(s *sqlite.Snapshot) (open int, err error) {
	older, err := c.olderOnes(s)
	if err != nil {
		return 0, err
	}
	from := liveFrom(s.Now).String()
	c.mu.Lock()
	kept, turn := c.recent, c.turn
	c.mu.Unlock()
	if kept.holds(s.Now, from, recentKept) {
		return older.sum.Open + kept.Open, nil
	}
	recent, err := countRecent(s, from)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if turn == c.turn { // what was read may be from before that
		c.recent = keptCount{recent, true, s.Now, from}
	}
	return older.sum.Open + recent.Open, nil
}

// all counts all of them, the newest ones as they are now.
func (c *differenceCounts) all(s *sqlite.Snapshot) (open, explained int, err error) {
	older, err := c.olderOnes(s)
	if err != nil {
		return 0, 0, err
	}
	recent, err := countRecent(s, liveFrom(s.Now).String())
	return older.sum.Open + recent.Open, older.sum.Explained + recent.Explained, err
}

// list finds differences, the newest day first. It goes on to the days before the live
// ones only where the newer ones do not fill the page, and there only to those that have
// what is looked for.
func (c *differenceCounts) list(s *sqlite.Snapshot, find sqlite.DifferenceSearch, limit int) ([]sqlite.Difference, error) {
	if find.Day != "" || find.Key != "" {
		return s.Differences(find, limit)
	}
	find.From = liveFrom(s.Now).String()
	var out []sqlite.Difference
	var err error
	if find.AfterDay == "" || find.AfterDay >= find.From {
		if out, err = s.Differences(find, limit); err != nil || len(out) >= limit {
			return out, err
		}
	}
	older, err := c.olderOnes(s)
	if err != nil {
		return nil, err
	}
	find.From = ""
	for _, find.Day = range older.with(find.State, find.AfterDay) {
		more, err := s.Differences(find, limit-len(out))
		if out = append(out, more...); err != nil || len(out) >= limit {
			return out, err
		}
	}
	return out, nil
}

// with gives the days that have differences in a state, the newest first, from one on.
func (k olderCounts) with(state, from string) (out []string) {
	for day, n := range k.days {
		has := n.Open > 0 && state != "explained" || n.Explained > 0 && state != "open"
		if has && (from == "" || day <= from) {
			out = append(out, day)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(b, a) })
	return out
}

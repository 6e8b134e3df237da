package app

import (
	"sync"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// The day close looks live at its newest days. What older days hold hardly changes but
// by a bill or an explanation: it is counted after these, and otherwise once an hour.
const (
	liveDays   = 45
	olderKept  = time.Hour
	recentKept = time.Minute // where nobody waits for the figure, as on the overview
)

// keptCount is a count of differences as it was at an instant.
type keptCount struct {
	sqlite.DifferenceCount
	known bool
	at    domain.Instant
	from  string // the first of the live days then
}

func (k keptCount) holds(now domain.Instant, from string, span time.Duration) bool {
	return k.known && k.from == from && now >= k.at && now < k.at.Add(span)
}

// differenceCounts keeps the counts of differences. Nothing is asked while it is locked.
type differenceCounts struct {
	mu            sync.Mutex
	turn          int // of what the bills and explanations say
	older, recent keptCount
}

// forget is called after a bill was taken or a difference explained.
func (c *differenceCounts) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.older, c.recent = keptCount{}, keptCount{}
}

// liveFrom is the first day that is looked at whenever somebody asks.
func liveFrom(now domain.Instant) domain.Date { return lastReady(now).AddDays(-liveDays) }

// count gives what is kept in one of the slots, or counts it.
func (c *differenceCounts) count(s *sqlite.Snapshot, slot *keptCount, span time.Duration, older bool) (sqlite.DifferenceCount, error) {
	day := liveFrom(s.Now)
	from := day.String()
	c.mu.Lock()
	kept, turn := *slot, c.turn
	c.mu.Unlock()
	if kept.holds(s.Now, from, span) {
		return kept.DifferenceCount, nil
	}
	first, last := from, ""
	if older {
		first, last = "", day.AddDays(-1).String()
	}
	n, err := s.CountDifferences(first, last)
	if err != nil {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if turn == c.turn { // what was read may be from before that
		*slot = keptCount{n, true, s.Now, from}
	}
	return n, nil
}

func (c *differenceCounts) olderOnes(s *sqlite.Snapshot) (sqlite.DifferenceCount, error) {
	return c.count(s, &c.older, olderKept, true)
}

// glance counts all of them; the newest ones may be a minute old.
func (c *differenceCounts) glance(s *sqlite.Snapshot) (open int, err error) {
	older, err := c.olderOnes(s)
	if err != nil {
		return 0, err
	}
	recent, err := c.count(s, &c.recent, recentKept, false)
	return older.Open + recent.Open, err
}

// all counts all of them, the newest ones as they are now.
func (c *differenceCounts) all(s *sqlite.Snapshot) (open, explained int, err error) {
	older, err := c.olderOnes(s)
	if err != nil {
		return 0, 0, err
	}
	recent, err := s.CountDifferences(liveFrom(s.Now).String(), "")
	return older.Open + recent.Open, older.Explained + recent.Explained, err
}

// list finds differences, the newest day first. It goes on to the days before the live
// ones only where the newer ones do not fill the page, and there are some.
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
	n := older.Open + older.Explained
	switch find.State {
	case "open":
		n = older.Open
	case "explained":
		n = older.Explained
	}
	if n == 0 {
		return out, nil
	}
	find.From, find.Until = older.From, older.Until
	more, err := s.Differences(find, limit-len(out))
	return append(out, more...), err
}

package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// Bounds of what is asked about days and kept of the answers.
const (
	maxDaysAway = 400 // days from today that may be asked for, either way
	maxKeptDays = 64
)

// KeptDay is the answer about a business day, which nobody may change. It is right from
// the instant at which it was judged until time changes it, as long as nothing is written
// that touches the day.
type KeptDay struct {
	View DayView // but for now
	Zone *time.Location

	madeAt   domain.Instant
	endsAt   domain.Instant // time alone changes the answer then
	from, to domain.Instant // of the grid that the answer is about
	touches  int64          // of that interval, when it was judged
	version  atomic.Int64   // of the file, for which this was found to be right
}

// rightAt reports whether time alone leaves the answer as it is.
func (k *KeptDay) rightAt(now domain.Instant) bool {
	return k != nil && k.madeAt <= now && now < k.endsAt
}

// days keeps answers about days. An answer is right to the second for every process's
// writes: see Day.
type days struct {
	mu   sync.Mutex
	kept map[domain.Date]*dayPlace
	off  bool // every answer is worked out
}

// dayPlace is where the answer about one day is kept.
type dayPlace struct {
	kept   atomic.Pointer[KeptDay]
	making sync.Mutex // one works the day out, the others wait for it
}

// right is the kept answer if it was found right for the file as it was seen, or nil.
func (p *dayPlace) right(seen sqlite.Glance) *KeptDay {
	if k := p.kept.Load(); k.rightAt(seen.Now) && k.version.Load() == seen.Version {
		return k
	}
	return nil
}

func (d *days) place(day domain.Date) *dayPlace {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.kept[day]
	if !ok {
		if len(d.kept) >= maxKeptDays {
			clear(d.kept)
		}
		p = &dayPlace{}
		d.kept[day] = p
	}
	return p
}

// Kept gives the answer about a business day, and the instant at which it is right, if
// one is kept that was found right for the file as it is. It reads no row; nil says that
// Day must be asked.
func (a *App) Kept(ctx context.Context, day domain.Date) (*KeptDay, domain.Instant) {
	if a.days.off {
		return nil, 0
	}
	seen, err := a.db.Glance(ctx)
	if err != nil {
		return nil, 0
	}
	return a.days.place(day).right(seen), seen.Now
}

// Day gives the answer about a business day and the instant at which it is right. While
// the file is the one for which a kept answer was found right, that costs a look at the file's
// version; after a write, by whatever process, a look at whether it has touched the
// day; and only if it has, or time has changed the answer, is the day judged again.
func (a *App) Day(ctx context.Context, day domain.Date) (k *KeptDay, now domain.Instant, err error) {
	if a.days.off {
		return a.judgeDay(ctx, day)
	}
	seen, err := a.db.Glance(ctx)
	if err != nil {
		return nil, 0, err
	}
	place := a.days.place(day)
	if k := place.right(seen); k != nil {
		return k, seen.Now, nil
	}
	place.making.Lock()
	defer place.making.Unlock()
	if k := place.right(seen); k != nil {
		return k, seen.Now, nil
	}
	if k, now, err = a.judgeDay(ctx, day); err != nil {
		return nil, 0, err
	}
	// The version was read before the rows: whatever has been committed in between makes
	// the answer newer than its version says, never older.
	k.version.Store(seen.Version)
	return k, now, nil
}

// judgeDay gives the answer about a day as it is in a snapshot of its own.
func (a *App) judgeDay(ctx context.Context, day domain.Date) (k *KeptDay, now domain.Instant, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		now = s.Now
		k, err = a.keptDay(s, venue, day)
		return err
	})
	return k, now, err
}

// keptDay gives the answer about a day as a snapshot has it, worked out only if it must be.
func (a *App) keptDay(s *sqlite.Snapshot, venue sqlite.Venue, day domain.Date) (*KeptDay, error) {
	place := a.days.place(day)
	if k := place.kept.Load(); k.rightAt(s.Now) { // never, if nothing is kept
		touches, err := s.Touches(k.from, k.to)
		if err != nil || touches == k.touches {
			return k, err
		}
	}
	today := venue.Calendar.DayOf(s.Now)
	if day.Before(today.AddDays(-maxDaysAway)) || today.AddDays(maxDaysAway).Before(day) {
		return nil, domain.BadField("date", "must be within %d days of today", maxDaysAway)
	}
	g, err := dayGrid(s, venue, day)
	if err != nil {
		return nil, err
	}
	k := &KeptDay{madeAt: s.Now, Zone: venue.Calendar.Zone}
	if n := len(g.slots); n > 0 {
		k.from, k.to = g.slots[0].Start, g.slots[n-1].End
	}
	if k.View, err = dayView(s, venue, g); err != nil {
		return nil, err
	}
	k.endsAt = venue.Calendar.DayStart(day.AddDays(maxDaysAway + 1)) // when it may not be asked for any more
	if k.View.ChangesAt != nil {
		k.endsAt = min(k.endsAt, domain.InstantOf(*k.View.ChangesAt))
	}
	if a.days.off {
		return k, nil
	}
	if k.touches, err = s.Touches(k.from, k.to); err != nil {
		return nil, err
	}
	place.kept.Store(k)
	return k, nil
}

// at is the answer with now written in.
func (k *KeptDay) at(now domain.Instant) DayView {
	view := k.View
	view.Now = now.In(k.Zone)
	return view
}

// Availability judges a business day at one instant.
func (a *App) Availability(ctx context.Context, day domain.Date) (DayView, error) {
	var view DayView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		k, err := a.keptDay(s, venue, day)
		if err == nil {
			view = k.at(s.Now)
		}
		return err
	})
	return view, err
}

package app

import "time"

// SetPassBudget has a pass over a channel take no longer than that.
func (a *App) SetPassBudget(d time.Duration) { a.passBudget = d }

// DifferencesCounted says how often the differences of all older days were counted since
// the start, and those of single days.
func (a *App) DifferencesCounted() (whole, again int) {
	a.counts.mu.Lock()
	defer a.counts.mu.Unlock()
	return a.counts.older.whole, a.counts.older.again
}

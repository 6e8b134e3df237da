package app

import "time"

// SetPassBudget has a pass over a channel take no longer than that.
func (a *App) SetPassBudget(d time.Duration) { a.passBudget = d }

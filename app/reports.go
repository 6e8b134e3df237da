package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// Reports are judged at the instant of asking, from what happened and what was
// promised: nothing in them waits for the reconciler.

// ReportHead says what a report is about.
type ReportHead struct {
	From     domain.Date `json:"from" format:"date" doc:"first business day"`
	Until    domain.Date `json:"until" format:"date" doc:"last business day"`
	Now      time.Time   `json:"now" doc:"the instant at which everything in the report is judged"`
	Currency string      `json:"currency"`
}

// report reads what a report needs on one snapshot, after its days have been checked.
func (a *App) report(ctx context.Context, span domain.DateSpan, head *ReportHead, run func(*sqlite.Snapshot, sqlite.Venue) error) error {
	if err := span.Validate(); err != nil {
		return err
	}
	return a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		*head = ReportHead{From: span.From, Until: span.Until, Now: s.Now.In(venue.Calendar.Zone), Currency: venue.Currency}
		return run(s, venue)
	})
}

// percentOf is part of whole in per cent, rounded half up to one decimal; nil when
// there is no whole.
func percentOf(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	percent := float64((2000*part+whole)/(2*whole)) / 10
	return &percent
}

package app

import (
	"context"
	"encoding/json"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// ReconcilerView is what the reconciler has done and what waits for it.
type ReconcilerView struct {
	ID              string          `json:"id"`
	State           string          `json:"state" enum:"idle,due,parked"`
	Now             time.Time       `json:"now"`
	LastGoodRun     *time.Time      `json:"last_good_run"`
	LastRun         *time.Time      `json:"last_run"`
	LastRunOK       bool            `json:"last_run_ok"`
	LastError       string          `json:"last_error,omitempty"`
	LastReport      json.RawMessage `json:"last_report,omitempty"`
	Due             int             `json:"due" doc:"claims that time has ended and nobody has settled"`
	LagSeconds      int64           `json:"lag_seconds" doc:"now less the oldest unsettled release_at"`
	Parked          int             `json:"parked"`
	ParkedRows      []ParkedView    `json:"parked_rows"`
	Outbox          int             `json:"outbox"`
	GaveUp          int             `json:"gave_up" doc:"notices that could not be delivered"`
	RefundsUnderWay int             `json:"refunds_under_way"`
	OpenAttempts    int             `json:"open_attempts"`
	Flagged         int             `json:"flagged" doc:"payments that do not match their attempt"`
	Differences     int64           `json:"differences" doc:"derived answers that settling changed since the start; always 0"`
}

// ParkedView is an effect that could not be posted.
type ParkedView struct {
	Claim  string    `json:"claim"`
	Order  string    `json:"order"`
	Effect string    `json:"effect"`
	Tries  int       `json:"tries"`
	At     time.Time `json:"at"`
	Error  string    `json:"error"`
}

// Reconciler says what waits to be written down, sent or asked.
func (a *App) Reconciler(ctx context.Context) (ReconcilerView, error) {
	out := ReconcilerView{ID: "reconciler", State: "idle", ParkedRows: []ParkedView{}, Differences: a.selfDiffs.Load()}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		b, err := s.Backlog()
		if err != nil {
			return err
		}
		out.Now = s.Now.In(venue.Calendar.Zone)
		out.Due, out.Parked, out.Outbox, out.GaveUp = b.Due, b.Parked, b.Outbox, b.GaveUp
		out.RefundsUnderWay, out.OpenAttempts, out.Flagged, out.LastGoodRun = b.RefundsUnderWay, b.OpenAttempts, b.Flagged, maybe(venue, b.LastGoodRun)
		if b.OldestReleaseAt.IsSet() {
			out.LagSeconds = int64(s.Now - b.OldestReleaseAt)
		}
		switch {
		case b.Parked > 0:
			out.State = "parked"
		case b.Due > 0:
			out.State = "due"
		}
		parked, err := s.ParkedEffects(1<<30, domain.MaxPageItems)
		if err != nil {
			return err
		}
		for _, k := range parked {
			out.ParkedRows = append(out.ParkedRows, ParkedView{Claim: k.ClaimID, Order: k.OrderID, Effect: k.Effect, Tries: k.Tries,
				At: k.At.In(venue.Calendar.Zone), Error: k.Error})
		}
		_, ended, ok, report, problem, found, err := s.LastRun()
		if found {
			out.LastRun, out.LastRunOK, out.LastReport, out.LastError = maybe(venue, ended), ok, json.RawMessage(report), problem
		}
		return err
	})
	return out, err
}

// Foreseen is one ending that a round would write down.
type Foreseen struct {
	Claim     string    `json:"claim"`
	Kind      string    `json:"kind" enum:"reservation,basket"`
	Order     string    `json:"order"`
	Ending    string    `json:"ending"`
	ReleaseAt time.Time `json:"release_at"`
}

// Foresee lists what a round would settle now, oldest first, at most one page,
// and counts all.
func (a *App) Foresee(ctx context.Context) ([]Foreseen, ReconcilerView, error) {
	out := []Foreseen{}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		due, err := s.DueClaims(sqlite.Cursor{}, domain.MaxPageItems)
		for _, d := range due {
			out = append(out, Foreseen{Claim: d.ID, Kind: d.Kind, Order: d.OrderID, Ending: string(d.Ending), ReleaseAt: d.ReleaseAt.In(venue.Calendar.Zone)})
		}
		return err
	})
	if err != nil {
		return out, ReconcilerView{}, err
	}
	view, err := a.Reconciler(ctx)
	return out, view, err
}

// Housekeep forgets what nobody may use any more and keeps the views' grid ahead
// of time. It belongs to a round.
func (a *App) Housekeep(ctx context.Context) error {
	return a.db.Write(ctx, func(tx *sqlite.Tx) error {
		venue, found, err := tx.Venue()
		if err != nil || !found {
			return err
		}
		if err := tx.KeepGrid(venue); err != nil {
			return err
		}
		_, err = tx.Purge(tx.Now.Add(-domain.IdempotencyLife), tx.Now.Add(-domain.SessionLife))
		return err
	})
}

// RecordRun keeps what a round did; problem is "" for a good one.
func (a *App) RecordRun(ctx context.Context, started domain.Instant, report any, problem string) error {
	return a.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.RecordRun(started, problem == "", report, problem) })
}

// Now is the instant of a read that asks for nothing else.
func (a *App) Now(ctx context.Context) (now domain.Instant, err error) {
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		now = s.Now
		return nil
	})
	return now, err
}

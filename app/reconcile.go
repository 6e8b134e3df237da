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
	ID              string             `json:"id"`
	State           string             `json:"state" enum:"idle,due,parked"`
	Now             time.Time          `json:"now"`
	LastGoodRun     *time.Time         `json:"last_good_run"`
	LastRun         *time.Time         `json:"last_run"`
	LastRunOK       bool               `json:"last_run_ok"`
	LastError       string             `json:"last_error,omitempty"`
	LastReport      json.RawMessage    `json:"last_report,omitempty"`
	Due             int                `json:"due" doc:"claims that time has ended and nobody has settled"`
	LagSeconds      int64              `json:"lag_seconds" doc:"now less the oldest unsettled release_at"`
	Parked          int                `json:"parked"`
	ParkedRows      []ParkedView       `json:"parked_rows"`
	Outbox          int                `json:"outbox"`
	GaveUp          int                `json:"gave_up" doc:"notices that could not be delivered"`
	RefundsUnderWay int                `json:"refunds_under_way"`
	RefundsForStaff int                `json:"refunds_for_staff" doc:"of those under way: cash to hand back, and what the provider gave up on"`
	OpenAttempts    int                `json:"open_attempts"`
	Flagged         int                `json:"flagged" doc:"payments that do not match their attempt and that nobody has seen to"`
	RefundsTwice    int                `json:"refunds_twice" doc:"refunds whose money went back by hand and by the provider, and that nobody has seen to"`
	Late            bool               `json:"late" doc:"whether rounds do not do their work; bookings are right all the same"`
	LateWhy         string             `json:"late_why" enum:",never_ran,no_good_run,behind" doc:"never_ran: no good round since the venue was set up; no_good_run: none for too long; behind: what is due waits for too long. Empty when not late"`
	LateAfter       int64              `json:"late_after_seconds" doc:"how long is too long"`
	Notices         NoticeCounts       `json:"notices"`
	Shipments       ShipmentCounts     `json:"shipments"`
	LostShipments   []LostShipmentView `json:"lost_shipments" doc:"payments of which WeChat was not told that the customer has come, the oldest first, at most one page"`
	BillTries       []BillTryView      `json:"bill_tries" doc:"bills of the last days that the rounds could not fetch yet"`
	Refunds         []RefundOnItsWay   `json:"refunds" doc:"refunds that are not done, the oldest first, at most one page"`
	FlaggedMoney    []FlaggedView      `json:"flagged_money" doc:"the oldest first, at most one page"`
	Differences     int64              `json:"differences" doc:"derived answers that settling changed since the start; always 0"`
}

// ParkedView is an effect that could not be posted.
type ParkedView struct {
	Claim   string     `json:"claim"`
	Order   string     `json:"order"`
	Number  string     `json:"number" doc:"of the order"`
	Effect  string     `json:"effect" enum:"settle,restock,refund,notice,event"`
	Tries   int        `json:"tries"`
	At      time.Time  `json:"at" doc:"of the last try"`
	Since   *time.Time `json:"since" doc:"when the claim ended and the effect was due"`
	GivenUp bool       `json:"given_up" doc:"whether rounds have stopped trying and a person must ask for it"`
	Error   string     `json:"error"`
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
		if err := tx.ForgetEvents(tx.Now.Add(-domain.EventLife), domain.SettleBatch); err != nil {
			return err
		}
		_, err = tx.Purge(tx.Now.Add(-domain.IdempotencyLife), tx.Now.Add(-domain.LoginCodesWindow), tx.Now.Add(-domain.SessionLife))
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

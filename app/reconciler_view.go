package app

import (
	"context"
	"encoding/json"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// Why the reconciler is late.
const (
	lateNeverRan  = "never_ran"
	lateNoGoodRun = "no_good_run"
	lateBehind    = "behind"
)

// NoticeCounts count the outbox by state. What is out of the way is counted for
// the last 24 hours only.
type NoticeCounts struct {
	Waiting  int `json:"waiting" doc:"all that have to go out"`
	Retrying int `json:"retrying" doc:"those of them that failed at least once"`
	GaveUp   int `json:"gave_up" doc:"given up after too many tries"`
	Sent     int `json:"sent" doc:"of those queued in the last 24 hours"`
	Dropped  int `json:"dropped" doc:"likewise, because they had come to be untrue"`
}

// ShipmentCounts count what WeChat has to be told of customers who have come.
type ShipmentCounts struct {
	Waiting int `json:"waiting"`
	GaveUp  int `json:"gave_up" doc:"WeChat was not told; do it on its merchant page, or the money stays frozen"`
}

// RefundOnItsWay is a refund that is not done.
type RefundOnItsWay struct {
	RefundView
	Order      string     `json:"order"`
	Number     string     `json:"number" doc:"of the order"`
	Since      time.Time  `json:"since"`
	AgeSeconds int64      `json:"age_seconds"`
	Tries      int        `json:"tries" doc:"failed ones"`
	NextTry    *time.Time `json:"next_try"`
	ForStaff   bool       `json:"for_staff" doc:"cash to hand back, or a refund that the provider gave up on"`
}

// FlaggedView is money that does not match its attempt.
type FlaggedView struct {
	Payment  string    `json:"payment"`
	Order    string    `json:"order"`
	Number   string    `json:"number" doc:"of the order"`
	Via      string    `json:"via"`
	Amount   int64     `json:"amount" doc:"fen that were asked for"`
	Reason   string    `json:"reason" doc:"in what the money differs"`
	OpenedAt time.Time `json:"opened_at"`
}

// Reconciler says what waits to be written down, sent or asked.
func (a *App) Reconciler(ctx context.Context) (ReconcilerView, error) {
	out := ReconcilerView{ID: "reconciler", State: "idle", Differences: a.selfDiffs.Load(), LateAfter: int64(a.lateAfter / time.Second)}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		b, err := s.Backlog()
		if err != nil {
			return err
		}
		out.count(b, venue, s.Now)
		out.LateWhy = whyLate(b, s.Now, a.lateAfter)
		out.Late = out.LateWhy != ""
		if err := out.list(s, venue); err != nil {
			return err
		}
		if out.Shipments.Waiting, out.Shipments.GaveUp, err = s.CountShipments(); err != nil {
			return err
		}
		lost, err := s.LostShipments(domain.MaxPageItems)
		if err != nil {
			return err
		}
		out.LostShipments = viewLostShipments(venue, lost)
		if out.BillTries, err = a.billTries(s, venue); err != nil {
			return err
		}
		_, ended, ok, report, problem, found, err := s.LastRun()
		if found {
			out.LastRun, out.LastRunOK, out.LastReport, out.LastError = maybe(venue, ended), ok, json.RawMessage(report), problem
		}
		return err
	})
	return out, err
}

func (v *ReconcilerView) count(b sqlite.Backlog, venue sqlite.Venue, now domain.Instant) {
	v.Now = now.In(venue.Calendar.Zone)
	v.Due, v.Parked, v.Outbox, v.GaveUp = b.Due, b.Parked, b.Outbox, b.GaveUp
	v.RefundsUnderWay, v.RefundsForStaff, v.OpenAttempts, v.Flagged = b.RefundsUnderWay, b.RefundsForStaff, b.OpenAttempts, b.Flagged
	v.RefundsTwice = b.RefundsTwice
	v.LastGoodRun = maybe(venue, b.LastGoodRun)
	v.Notices = NoticeCounts{Waiting: b.Outbox, Retrying: b.NoticesTriedOnce, GaveUp: b.GaveUp, Sent: b.NoticesSent, Dropped: b.NoticesDropped}
	if b.OldestReleaseAt.IsSet() {
		v.LagSeconds = int64(now - b.OldestReleaseAt)
	}
	switch {
	case b.Parked > 0:
		v.State = "parked"
	case b.Due > 0:
		v.State = "due"
	}
}

// whyLate says what rounds have left undone for too long, or "". A round begins as
// soon as the program does, so a venue that never had one is late by its own age.
func whyLate(b sqlite.Backlog, now domain.Instant, limit time.Duration) string {
	tooLong := func(since domain.Instant) bool { return since.IsSet() && now >= since.Add(limit) }
	switch {
	case !b.LastGoodRun.IsSet() && tooLong(b.SetUpAt):
		return lateNeverRan
	case tooLong(b.LastGoodRun):
		return lateNoGoodRun
	case tooLong(b.OldestDriven):
		return lateBehind
	}
	return ""
}

// list adds the rows that somebody may have to look at, one page of each.
func (v *ReconcilerView) list(s *sqlite.Snapshot, venue sqlite.Venue) error {
	parked, err := s.ParkedEffects(1<<30, domain.MaxPageItems)
	if err != nil {
		return err
	}
	refunds, err := s.RefundsUnderWay(domain.MaxPageItems)
	if err != nil {
		return err
	}
	flagged, err := s.FlaggedPayments(domain.MaxPageItems)
	if err != nil {
		return err
	}
	var orders, claims []string
	for _, k := range parked {
		orders, claims = append(orders, k.OrderID), append(claims, k.ClaimID)
	}
	for _, r := range refunds {
		orders = append(orders, r.OrderID)
	}
	for _, p := range flagged {
		orders = append(orders, p.OrderID)
	}
	numbers, err := s.OrderNumbers(orders)
	if err != nil {
		return err
	}
	ended, err := s.Releases(claims)
	if err != nil {
		return err
	}
	face := clockFace(venue)
	v.ParkedRows, v.Refunds, v.FlaggedMoney = []ParkedView{}, []RefundOnItsWay{}, []FlaggedView{}
	for _, k := range parked {
		v.ParkedRows = append(v.ParkedRows, ParkedView{Claim: k.ClaimID, Order: k.OrderID, Number: numbers[k.OrderID], Effect: k.Effect, Tries: k.Tries,
			At: face(k.At), Since: maybe(venue, ended[k.ClaimID]), GivenUp: k.Tries >= domain.MaxEffectTries, Error: k.Error})
	}
	for _, r := range refunds {
		v.Refunds = append(v.Refunds, RefundOnItsWay{RefundView: viewRefund(venue, r, Actor{Role: RoleOwner}), Order: r.OrderID, Number: numbers[r.OrderID],
			Since: face(r.CreatedAt), AgeSeconds: int64(s.Now - r.CreatedAt), Tries: r.Tries, NextTry: maybe(venue, r.NextTryAt),
			ForStaff: r.Via == payCash || r.AbnormalAt.IsSet()})
	}
	for _, p := range flagged {
		v.FlaggedMoney = append(v.FlaggedMoney, FlaggedView{Payment: p.ID, Order: p.OrderID, Number: numbers[p.OrderID], Via: p.Via,
			Amount: p.AmountFen, Reason: p.VerdictReason, OpenedAt: face(p.OpenedAt)})
	}
	return nil
}

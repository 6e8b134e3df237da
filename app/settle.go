package app

import (
	"context"
	"errors"
	"fmt"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// The effects of an ending. Each is posted at most once; one that cannot be
// posted is parked by this name and stops no other.
const (
	effectSettle  = "settle" // writing down the ending itself
	effectRestock = "restock"
	effectRefund  = "refund"
	effectNotice  = "notice"
	effectEvent   = "event" // a slot that is free again
)

// ending is one claim that time has ended, with the order it belongs to.
type ending struct {
	order       domain.Order
	claimID     string
	reservation *domain.Reservation // nil for a basket
	basket      *domain.Basket      // nil for a reservation
	unread      error               // why nothing of the order but its claims is known
}

// settling counts what settling an order came to.
type settling struct {
	claims  int   // written down here first
	parked  int   // endings and effects that wait for another try
	problem error // of an ending that could not be written down
}

func (e ending) claim() domain.Claim {
	if e.basket != nil {
		return e.basket.Claim
	}
	return e.reservation.Claim
}

// settleSlot settles what has ended on a court within a slot, on contact.
func (a *App) settleSlot(tx *sqlite.Tx, courtID string, slot domain.Slot) error {
	rows, err := tx.UnsettledOn(courtID, slot)
	if err != nil {
		return err
	}
	return a.settleRows(tx, rows)
}

// settleRows settles those of some rows that have ended.
func (a *App) settleRows(tx *sqlite.Tx, rows []domain.Reservation) error {
	for _, r := range rows {
		if r.Ended(tx.Now) {
			if _, err := a.settleOrder(tx, r.OrderID); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleGood settles ended claims on a good, oldest first, until the shelf holds enough.
func (a *App) settleGood(tx *sqlite.Tx, goodID string, need int) error {
	owing, err := tx.EndedBasketsOwing(goodID)
	if err != nil {
		return err
	}
	for _, b := range owing {
		good, err := tx.Good(goodID)
		if err != nil {
			return err
		}
		if good.Balance >= need {
			return nil
		}
		if _, err := a.settleOrder(tx, b.OrderID); err != nil {
			return err
		}
	}
	return nil
}

// settleOrder writes down every ending of an order that time has decided, and
// posts the effects of each; what cannot be done about one is parked, and the
// others go on. It is called on contact, by the exits themselves, and in bulk.
func (a *App) settleOrder(tx *sqlite.Tx, orderID string) (settled settling, err error) {
	order, unread, err := orderToSettle(tx, orderID)
	if err != nil {
		return settled, err
	}
	for _, e := range endings(order, tx.Now) {
		e.unread = unread
		first, err := settleClaim(tx, e)
		if err != nil && !isUnavailable(err) {
			settled.problem = err
			settled.parked++
			err = a.park(tx, e, effectSettle, err)
		}
		if err != nil {
			return settled, err
		}
		if !first {
			continue
		}
		settled.claims++
		// It may have been given up before; now it is done.
		if err := tx.UnparkEffect(e.claimID, effectSettle); err != nil {
			return settled, err
		}
		for _, effect := range effectsOf(e) {
			posted, err := a.postOrPark(tx, e, effect)
			if err != nil {
				return settled, err
			}
			if !posted {
				settled.parked++
			}
		}
	}
	return settled, nil
}

// orderToSettle gives an order, or no more than its claims if what else belongs to
// it cannot be read: a claim ends all the same, and what cannot be posted is parked.
func orderToSettle(tx *sqlite.Tx, orderID string) (order domain.Order, unread, err error) {
	order, err = tx.Order(orderID)
	if err == nil || isUnavailable(err) || domain.IsReason(err, "not_found") {
		return order, nil, err
	}
	unread, order = err, domain.Order{ID: orderID}
	if order.Reservations, err = tx.ReservationsOfOrder(orderID); err != nil {
		return order, unread, err
	}
	order.Baskets, err = tx.BasketsOfOrder(orderID)
	return order, unread, err
}

// endings are the claims of an order that have ended and are not settled.
func endings(o domain.Order, now domain.Instant) []ending {
	var out []ending
	for i := range o.Reservations {
		if r := &o.Reservations[i]; r.Ended(now) && !r.SettledAt.IsSet() {
			out = append(out, ending{order: o, claimID: r.ID, reservation: r})
		}
	}
	for i := range o.Baskets {
		if b := &o.Baskets[i]; b.Ended(now) && !b.SettledAt.IsSet() {
			out = append(out, ending{order: o, claimID: b.ID, basket: b})
		}
	}
	return out
}

func settleClaim(tx *sqlite.Tx, e ending) (bool, error) {
	if e.basket != nil {
		return tx.SettleBasket(e.claimID)
	}
	return tx.SettleReservation(e.claimID)
}

// effectsOf lists what an ending causes. A cancellation's own command has sent
// its money and its notice already; a completion causes nothing.
func effectsOf(e ending) []string {
	var effects []string
	end := e.claim().Ending()
	if e.basket != nil && len(e.basket.Lines) > 0 && domain.GivesGoodsBack(end) {
		effects = append(effects, effectRestock)
	}
	if e.reservation != nil && end == domain.NoShow && (e.order.Terms.NoShowRefundPercent > 0 || e.unread != nil) {
		effects = append(effects, effectRefund)
	}
	if end == domain.Lapsed || (e.reservation != nil && end == domain.NoShow) {
		effects = append(effects, effectNotice)
	}
	if e.reservation != nil && freesItsSlot(*e.reservation) {
		effects = append(effects, effectEvent)
	}
	return effects
}

// postOrPark posts one effect in a step of its own. If that fails for any reason
// but the store itself, the ending stands and the effect waits for another try.
func (a *App) postOrPark(tx *sqlite.Tx, e ending, effect string) (posted bool, err error) {
	err = tx.Try(func() error { return a.post(tx, e, effect) })
	if err == nil || isUnavailable(err) {
		return err == nil, err
	}
	return false, a.park(tx, e, effect, err)
}

func (a *App) park(tx *sqlite.Tx, e ending, effect string, err error) error {
	a.log.Error("effect parked", "claim", e.claimID, "order", e.order.ID, "effect", effect, "error", err)
	return tx.ParkEffect(e.claimID, effect, e.order.ID, firstLine(err))
}

func (a *App) post(tx *sqlite.Tx, e ending, effect string) error {
	venue, err := mustVenue(&tx.Snapshot)
	if err != nil {
		return err
	}
	if e.unread != nil && effect != effectRestock && effect != effectEvent {
		return e.unread
	}
	switch effect {
	case effectRestock:
		for _, l := range e.basket.Lines {
			if _, err := tx.MoveStock(sqlite.StockMove{GoodID: l.GoodID, Kind: "restock", Qty: l.Qty, BasketID: e.claimID}); err != nil {
				return err
			}
		}
		return nil
	case effectRefund:
		amount := e.reservation.NetFen() * int64(e.order.Terms.NoShowRefundPercent) / 100
		_, err := a.giveBack(tx, e.order.ID, amount, noShowGiving(e.claimID))
		return err
	case effectEvent:
		return queueFreed(tx, venue, e.order, *e.reservation)
	case effectNotice:
		if e.claim().Ending() == domain.Lapsed {
			return a.queue(tx, venue, e.order, notice{kind: notify.KindLapsed, occasion: fmt.Sprint(int64(e.claim().PayBy))})
		}
		refund, _, err := givenFen(tx, e.order.ID, noShowGiving(e.claimID))
		if err != nil {
			return err
		}
		return a.queue(tx, venue, e.order, notice{kind: notify.KindNoShow, occasion: "no_show", reservation: e.reservation, refundFen: refund})
	}
	return fmt.Errorf("no effect is called %q", effect)
}

// noShowGiving is the part of a slot's price that a no-show may get back.
func noShowGiving(claimID string) giving {
	return giving{purpose: "no_show", cause: claimID, reason: "no_show"}
}

// SettleReport counts what one pass of SettleDue did.
type SettleReport struct {
	Settled     int `json:"settled"`
	Parked      int `json:"parked"`
	Differences int `json:"differences"` // answers that settling changed; always 0
}

// SettleDue settles a batch of orders with ended claims, oldest first, from after
// a place in that order. Orders in skip are left for later. It returns the place
// it came to; done says that nothing was left behind it.
func (a *App) SettleDue(ctx context.Context, after sqlite.Cursor, skip map[string]bool) (rep SettleReport, next sqlite.Cursor, done bool, err error) {
	var due []sqlite.DueClaim
	if err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
		due, err = s.DueClaims(after, domain.SettlePerCommand)
		return err
	}); err != nil || len(due) == 0 {
		return rep, after, true, err
	}
	last := due[len(due)-1]
	next = sqlite.Cursor{At: last.ReleaseAt, ID: last.ID}
	var orders []string
	seen := map[string]bool{}
	for _, d := range due {
		if !seen[d.OrderID] && !skip[d.OrderID] {
			seen[d.OrderID] = true
			orders = append(orders, d.OrderID)
		}
	}
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		rep = SettleReport{}
		before, err := answersAbout(&tx.Snapshot, orders)
		if err != nil {
			return err
		}
		for _, id := range orders {
			if err := a.settleOrPark(tx, id, &rep); err != nil {
				return err
			}
		}
		after, err := answersAbout(&tx.Snapshot, orders)
		if err != nil {
			return err
		}
		rep.Differences = before.differences(after)
		return nil
	})
	if rep.Differences > 0 {
		a.selfDiffs.Add(int64(rep.Differences))
		a.log.Error("settling changed derived answers", "differences", rep.Differences)
	}
	return rep, next, len(due) < domain.SettlePerCommand, err
}

// settleOrPark settles one order in a step of its own; a poisoned one stops nobody else.
func (a *App) settleOrPark(tx *sqlite.Tx, orderID string, rep *SettleReport) error {
	var did settling
	err := tx.Try(func() (err error) {
		did, err = a.settleOrder(tx, orderID)
		return err
	})
	if err == nil || isUnavailable(err) {
		rep.Settled += did.claims
		rep.Parked += did.parked
		return err
	}
	a.log.Error("order not settled", "order", orderID, "error", err)
	rep.Parked++
	claims, readErr := unsettledClaims(&tx.Snapshot, orderID)
	if readErr != nil {
		claims = []string{orderID}
	}
	for _, id := range claims {
		if err := tx.ParkEffect(id, effectSettle, orderID, firstLine(err)); err != nil {
			return err
		}
	}
	return nil
}

func unsettledClaims(s *sqlite.Snapshot, orderID string) ([]string, error) {
	order, err := s.Order(orderID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range endings(order, s.Now) {
		ids = append(ids, e.claimID)
	}
	return ids, nil
}

// RetryParked tries effects that were parked and have tries left (or all of
// them, when a person asks) once more. It returns how many were posted.
func (a *App) RetryParked(ctx context.Context, all bool) (posted int, err error) {
	maxTries := domain.MaxEffectTries
	if all {
		maxTries = 1 << 30
	}
	var parked []sqlite.ParkedEffect
	if err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
		parked, err = s.ParkedEffects(maxTries, domain.SettleBatch)
		return err
	}); err != nil {
		return 0, err
	}
	for _, k := range parked {
		if k.Effect == effectSettle && !all {
			continue // still due, so every round tries it anyway
		}
		err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error { return a.retry(tx, k, &posted) })
		if err != nil {
			return posted, err
		}
	}
	return posted, nil
}

func (a *App) retry(tx *sqlite.Tx, k sqlite.ParkedEffect, posted *int) error {
	err := tx.Try(func() error {
		if k.Effect == effectSettle {
			did, err := a.settleOrder(tx, k.OrderID)
			return errors.Join(err, did.problem)
		}
		order, err := tx.Order(k.OrderID)
		if err != nil {
			return err
		}
		for i := range order.Reservations {
			if r := &order.Reservations[i]; r.ID == k.ClaimID {
				return a.post(tx, ending{order: order, claimID: r.ID, reservation: r}, k.Effect)
			}
		}
		for i := range order.Baskets {
			if b := &order.Baskets[i]; b.ID == k.ClaimID {
				return a.post(tx, ending{order: order, claimID: b.ID, basket: b}, k.Effect)
			}
		}
		return fmt.Errorf("parked effect of unknown claim %s", k.ClaimID)
	})
	switch {
	case err == nil:
		*posted++
		return tx.UnparkEffect(k.ClaimID, k.Effect)
	case isUnavailable(err):
		return err
	}
	return tx.ParkEffect(k.ClaimID, k.Effect, k.OrderID, firstLine(err))
}

func isUnavailable(err error) bool {
	e, ok := domain.AsError(err)
	return ok && e.Kind == domain.Unavailable
}

func firstLine(err error) string {
	var p *sqlite.PanicError
	if errors.As(err, &p) {
		return fmt.Sprintf("panic: %v", p.Value)
	}
	return err.Error()
}

package app

import (
	"context"
	"fmt"

	"courtd/app/notify"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// MoveResult is what a move came to.
type MoveResult struct {
	Order      OrderView `json:"order"`
	Difference int64     `json:"difference" doc:"fen: positive was taken from the customer at the desk, negative goes back"`
}

// MoveReservation puts a live booking onto another slot: a new row replaces the
// old one, with a new ticket. Goods, coupon and money go along; the difference in
// price is the desk's cash in, or a refund.
func (a *App) MoveReservation(ctx context.Context, actor Actor, reservationID string, to SlotRef, reason string, key Key, shown ...ShownMove) (MoveResult, error) {
	if err := actor.mustWorkHere(); err != nil {
		return MoveResult{}, err
	}
	reason, err := domain.ParseNote("reason", reason)
	if err != nil {
		return MoveResult{}, err
	}
	ticket := secret.NewTicketCode()
	var out MoveResult
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		old, err := tx.Reservation(reservationID)
		if err != nil {
			return err
		}
		ref, _, err := once(tx, actor, key, "move", []any{reservationID, to, reason}, func() (string, error) {
			order, err := tx.Order(old.OrderID)
			if err != nil {
				return "", err
			}
			diff, err := a.move(tx, venue, order, old, to, ticket, shown)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(diff), tx.Audit(actor.audit("move", reservationID, reason,
				map[string]any{"order": order.ID, "from_court": old.CourtID, "from_start": int64(old.StartsAt), "court": to.Court, "start": int64(to.Start), "difference": diff}))
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Sscan(ref, &out.Difference); err != nil {
			return fmt.Errorf("difference of move: %w", err)
		}
		out.Order, err = a.viewByID(&tx.Snapshot, venue, old.OrderID, actor)
		return err
	})
	return out, err
}

// moving is a move that has been judged and not yet made: both the act and its
// preview go by it.
type moving struct {
	order  domain.Order
	old    domain.Reservation
	state  domain.State // of old
	target plannedSlot  // with the share of the discount that it uses
}

// differenceFen is what the target costs more than the slot that is left.
func (m moving) differenceFen() int64 {
	return m.target.rule.PriceFen - m.target.discountFen - m.old.NetFen()
}

// judgeMove works out a move at one instant, or refuses it.
func judgeMove(s *sqlite.Snapshot, venue sqlite.Venue, order domain.Order, old domain.Reservation, to SlotRef) (moving, error) {
	m := moving{order: order, old: old, state: old.State(s.Now)}
	if m.state != domain.Held && m.state != domain.Confirmed || !old.Counts(s.Now) {
		return m, domain.Refuse(domain.Conflict, "too_late", "a booking that is %s cannot be moved", m.state)
	}
	target, err := planSlot(s, venue, to, "slot")
	if err != nil {
		return m, err
	}
	if target.cell.Blocker != nil && target.cell.Blocker.ID == old.ID {
		target.cell.Blocker = nil
		if to.Court == old.CourtID && to.Start == old.StartsAt {
			return m, domain.BadField("start", "it is there already")
		}
	}
	if err := aboutSlot(target.cell.RefuseDesk(), target.cell, "start"); err != nil {
		return m, err
	}
	if m.state == domain.Held && target.cell.Slot.Start <= s.Now {
		return m, aboutSlot(domain.Refuse(domain.Conflict, "slot_past", "an unpaid booking cannot be moved into a slot that has begun"), target.cell, "start")
	}
	target.discountFen = min(order.DiscountOf(old), target.rule.PriceFen)
	m.target = target
	return m, nil
}

// agreedMove refuses a move that comes to something else than was shown.
func agreedMove(s *sqlite.Snapshot, m moving, shown []ShownMove) error {
	for _, seen := range shown {
		now, err := m.settles(s)
		if err != nil {
			return err
		}
		if now != seen {
			return domain.Refuse(domain.Conflict, "amount_changed", "the difference is %d fen by now, of which the desk takes %d and gives back %d",
				now.Difference, now.Take, now.Back).With("amount", now.Difference)
		}
	}
	return nil
}

func (a *App) move(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, old domain.Reservation, to SlotRef, ticket string, shown []ShownMove) (diff int64, err error) {
	m, err := judgeMove(&tx.Snapshot, venue, order, old, to)
	if err != nil {
		return 0, err
	}
	diff = m.differenceFen()
	if err := agreedMove(&tx.Snapshot, m, shown); err != nil {
		return 0, err
	}
	if err := a.settleSlot(tx, to.Court, m.target.cell.Slot); err != nil {
		return 0, err
	}
	moved, err := a.moveRow(tx, venue, m)
	if err != nil {
		return 0, err
	}
	if err := a.moveRest(tx, order, old, moved); err != nil {
		return 0, err
	}
	if err := tx.NewTicket(order.ID, ticket); err != nil {
		return 0, err
	}
	return diff, a.afterMove(tx, venue, order, old, moved, diff, m.state == domain.Confirmed)
}

// endAsMoved ends a row whose place another takes: nothing is restocked,
// refunded or announced for it.
func endAsMoved(tx *sqlite.Tx, r domain.Reservation) error {
	if err := tx.CancelReservation(r.ID, byVenue, "moved", true); err != nil {
		return err
	}
	_, err := tx.SettleReservation(r.ID)
	return err
}

func (a *App) moveRow(tx *sqlite.Tx, venue sqlite.Venue, m moving) (domain.Reservation, error) {
	order, old, target := m.order, m.old, m.target
	if err := endAsMoved(tx, old); err != nil {
		return old, err
	}
	slot := target.cell.Slot
	moved := old
	err := replaceReservation(tx, order, old, func(n *domain.Reservation) {
		n.ReplacedAs, n.CourtID, n.Day = "moved", target.cell.CourtID, target.day.String()
		n.StartsAt, n.EndsAt = slot.Start, slot.End
		n.CheckInFrom, n.CheckInBy = venue.Policy.CheckInWindow(slot.Start, slot.End)
		n.PriceFen, n.PriceRule = target.rule.PriceFen, target.rule.Name
		n.DiscountFen = target.discountFen
		n.PayBy = movedPayBy(order, old, slot.Start, tx.Now)
		if old.PaidAt.IsSet() {
			n.PayBy, n.PaidAt = 0, tx.Now
			if slot.Start <= tx.Now {
				n.CheckedInAt, n.OutOfWindow = tx.Now, !n.DoorOpen(tx.Now)
			}
		}
		moved = *n
	})
	return moved, aboutSlotTaken(err, target.cell, "start")
}

// movedPayBy is the deadline of a hold that was moved: never later than it was,
// except that paying on arrival means the start of the first slot.
func movedPayBy(order domain.Order, old domain.Reservation, newStart, now domain.Instant) domain.Instant {
	first := newStart
	for _, r := range order.Slots(now) {
		if r.ID != old.ID && r.Live(now) {
			first = domain.Min(first, r.StartsAt)
		}
	}
	if order.Pay == payOnArrival {
		return first
	}
	return domain.Min(old.PayBy, first)
}

// moveRest brings the order's other claims in line with a moved row: a hold's
// deadline is shared, and goods wait until the end of the last slot.
func (a *App) moveRest(tx *sqlite.Tx, order domain.Order, old, moved domain.Reservation) error {
	lastEnd := moved.EndsAt
	for _, r := range order.Slots(tx.Now) {
		if r.ID == old.ID || !r.Live(tx.Now) {
			continue
		}
		lastEnd = max(lastEnd, r.EndsAt)
		if r.PaidAt.IsSet() || r.PayBy == moved.PayBy {
			continue
		}
		if err := endAsMoved(tx, r); err != nil {
			return err
		}
		if err := replaceReservation(tx, order, r, func(n *domain.Reservation) { n.ReplacedAs, n.PayBy = "moved", moved.PayBy }); err != nil {
			return err
		}
	}
	b, ok := order.Basket(tx.Now)
	if !ok || !b.Live(tx.Now) || (b.CheckInBy == lastEnd && (b.PaidAt.IsSet() || b.PayBy == moved.PayBy)) {
		return nil
	}
	if err := tx.CancelBasket(b.ID, byVenue, "moved", false, true); err != nil {
		return err
	}
	if _, err := tx.SettleBasket(b.ID); err != nil {
		return err
	}
	return replaceBasket(tx, order, b, false, func(n *domain.Basket) {
		n.CheckInBy = lastEnd
		if b.PaidAt.IsSet() {
			n.PayBy, n.PaidAt = 0, tx.Now
		} else {
			n.PayBy = moved.PayBy
		}
	})
}

// afterMove settles the difference in price and tells the customer.
func (a *App) afterMove(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, old, moved domain.Reservation, diff int64, paid bool) error {
	n := notice{kind: notify.KindMoved, occasion: moved.ID, reservation: &moved, old: &old}
	if paid && diff > 0 {
		n.amountFen = diff
		if err := takeCash(tx, venue, order.ID, diff, "move"); err != nil {
			return err
		}
	}
	if paid && diff < 0 {
		// What a no-show gets back is owed since its deadline, whoever writes that down.
		if _, err := a.settleOrder(tx, order.ID); err != nil {
			return err
		}
		given, err := a.giveBack(tx, order.ID, -diff, giving{purpose: "move", cause: moved.ID, reason: "moved"})
		if err != nil {
			return err
		}
		n.refundFen = given
	}
	after, err := tx.Order(order.ID)
	if err != nil {
		return err
	}
	if err := a.payIfFree(tx, venue, after); err != nil {
		return err
	}
	return a.queue(tx, venue, after, n)
}

// UndoNoShow lets a no-show in after all, once, with a reason, if the slot has not
// been resold. After the slot's end it mends the record only.
func (a *App) UndoNoShow(ctx context.Context, actor Actor, reservationID, reason string, key Key) (OrderView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return OrderView{}, err
	}
	reason, err := needReason(reason)
	if err != nil {
		return OrderView{}, err
	}
	var orderID string
	err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		r, err := s.Reservation(reservationID)
		orderID = r.OrderID
		return err
	})
	if err != nil {
		return OrderView{}, err
	}
	return a.onOrder(ctx, actor, orderID, "undo no-show", reason, key, func(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order) error {
		old, err := tx.Reservation(reservationID)
		if err != nil {
			return err
		}
		return a.undoNoShow(tx, venue, order, old)
	}, reservationID)
}

func (a *App) undoNoShow(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, old domain.Reservation) error {
	switch {
	case old.ReplacedAt.IsSet():
		return domain.Refuse(domain.Conflict, "already_undone", "this no-show was undone before")
	case old.State(tx.Now) != domain.NoShow:
		return domain.Refuse(domain.Conflict, "not_no_show", "this booking is no no-show")
	}
	// The no-show comes first, whether or not anybody has written it down.
	if _, err := a.settleOrder(tx, order.ID); err != nil {
		return err
	}
	running := tx.Now < old.EndsAt
	if err := a.slotForUndo(tx, old, running); err != nil {
		return err
	}
	if err := replaceReservation(tx, order, old, func(n *domain.Reservation) {
		n.ReplacedAs, n.OutOfWindow = "undone", true
		n.PayBy, n.PaidAt, n.CheckedInAt = 0, tx.Now, tx.Now
		if !running {
			n.SettledAt = tx.Now
		}
	}); err != nil || !running {
		return err
	}
	if b, ok := order.Basket(tx.Now); ok && len(b.Lines) > 0 && b.State(tx.Now) == domain.Confirmed {
		return a.handOver(tx, order.ID, b)
	}
	return nil
}

// slotForUndo refuses an undo whose slot is taken or closed, or has been played on by
// somebody else since: two cannot both have been there.
func (a *App) slotForUndo(tx *sqlite.Tx, old domain.Reservation, running bool) error {
	if err := a.settleSlot(tx, old.CourtID, old.Slot()); err != nil {
		return err
	}
	rows, err := tx.ReservationsBetween(old.StartsAt, old.EndsAt, old.ReleaseAt())
	if err != nil {
		return err
	}
	if !running {
		for _, r := range rows {
			end := r.State(tx.Now)
			if r.CourtID == old.CourtID && r.Counts(tx.Now) && (end == domain.Completed || end == domain.NoShow) {
				return domain.Refuse(domain.Conflict, "slot_taken", "somebody else has had this slot since")
			}
		}
		return nil
	}
	closures, err := tx.ClosuresBetween(old.StartsAt, old.EndsAt)
	if err != nil {
		return err
	}
	cell := domain.Judge(old.CourtID, old.Slot(), 0, domain.Never, tx.Now, rows, closures)
	return aboutSlot(cell.RefuseDesk(), cell, "id")
}

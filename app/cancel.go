package app

import (
	"context"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// Who ended a claim before its time.
const (
	byCustomer = "customer"
	byVenue    = "venue"
	bySystem   = "system"
)

// cancelling says by whom and why.
type cancelling struct {
	by     string // customer, venue or system
	reason string
}

// refuseCancel says why somebody may not cancel an order now, or nil.
func refuseCancel(o domain.Order, actor Actor, now domain.Instant) error {
	switch o.State(now) {
	case domain.Held:
		return nil
	case domain.Lapsed:
		return domain.Refuse(domain.Conflict, "hold_lapsed", "this order has lapsed")
	case domain.Cancelled:
		return domain.Refuse(domain.Conflict, "already_cancelled", "this order was cancelled before")
	case domain.Paid:
	default:
		return domain.Refuse(domain.Conflict, "too_late", "this order is over")
	}
	if actor.IsStaff() || actor.Role == RoleSystem {
		return nil
	}
	if first := o.FirstStart(now); first.IsSet() && first <= now {
		return domain.Refuse(domain.Conflict, "too_late", "it has begun; only the desk can cancel now")
	}
	for _, c := range o.Claims(now) {
		if c.CheckedInAt.IsSet() {
			return domain.Refuse(domain.Conflict, "too_late", "you have checked in; only the desk can cancel now")
		}
	}
	return nil
}

// CancelOrder cancels a customer's own order: a hold for nothing, a paid one by
// the refund ladder it was booked under.
func (a *App) CancelOrder(ctx context.Context, actor Actor, orderID string, key Key, shown ...ShownRefund) (OrderView, error) {
	if actor.Role != RoleCustomer {
		return OrderView{}, errNotACustomer()
	}
	return a.cancelOrder(ctx, actor, orderID, cancelling{by: byCustomer}, key, shown)
}

// CancelAtDesk cancels for the venue (everything back) or for the customer (by
// the ladder), with a reason that is kept.
func (a *App) CancelAtDesk(ctx context.Context, actor Actor, orderID, by, reason string, key Key, shown ...ShownRefund) (OrderView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return OrderView{}, err
	}
	if by != byCustomer && by != byVenue {
		return OrderView{}, domain.BadField("by", `must be "venue" or "customer"`)
	}
	reason, err := needReason(reason)
	if err != nil {
		return OrderView{}, err
	}
	return a.cancelOrder(ctx, actor, orderID, cancelling{by: by, reason: reason}, key, shown)
}

func needReason(reason string) (string, error) {
	reason, err := domain.ParseNote("reason", reason)
	if err == nil && reason == "" {
		err = domain.BadField("reason", "is required")
	}
	return reason, err
}

func (a *App) cancelOrder(ctx context.Context, actor Actor, orderID string, c cancelling, key Key, shown []ShownRefund) (OrderView, error) {
	var view OrderView
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		order, err := tx.Order(orderID)
		if err != nil {
			return err
		}
		if err := mayActNow(&tx.Snapshot, actor, order); err != nil {
			return err
		}
		_, _, err = once(tx, actor, key, "cancel", []string{orderID, c.by, c.reason}, func() (string, error) {
			if err := refuseCancel(order, actor, tx.Now); err != nil {
				return "", err
			}
			back, err := previewRefund(&tx.Snapshot, venue, order, c.by == byVenue)
			if err == nil {
				err = agreedRefund(shown, back)
			}
			if err != nil {
				return "", err
			}
			if actor.IsStaff() {
				if err := tx.Audit(actor.audit("cancel order", orderID, c.reason, map[string]any{"by": c.by, "number": order.Number})); err != nil {
					return "", err
				}
			}
			return orderID, a.cancelAll(tx, venue, order, c)
		})
		if err != nil {
			return err
		}
		view, err = a.viewByID(&tx.Snapshot, venue, orderID, actor)
		return err
	})
	return view, err
}

// cancelAll ends every live claim of an order now, gives back the money the exit
// is worth, settles, and tells the customer.
func (a *App) cancelAll(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, c cancelling) error {
	wasPaid := order.State(tx.Now) == domain.Paid
	refund := domain.Refund{Percent: 100}
	if wasPaid {
		refund = order.CancelRefund(tx.Now, c.by == byVenue)
	}
	for _, r := range order.Slots(tx.Now) {
		if !r.Live(tx.Now) {
			continue
		}
		if err := tx.CancelReservation(r.ID, c.by, c.reason, false); err != nil {
			return err
		}
	}
	if b, ok := order.Basket(tx.Now); ok && b.Live(tx.Now) {
		if err := tx.CancelBasket(b.ID, c.by, c.reason, refund.Percent < 100, false); err != nil {
			return err
		}
	}
	return a.afterCancel(tx, venue, order.ID, refund.AmountFen, giving{purpose: "cancel", cause: order.ID, reason: c.reason}, notice{
		kind: notify.KindCancelled, occasion: "cancelled", reason: c.reason})
}

// afterCancel settles what a cancellation ended, sends back its money and queues the
// notice about it.
func (a *App) afterCancel(tx *sqlite.Tx, venue sqlite.Venue, orderID string, refundFen int64, g giving, n notice) error {
	// Settled first: what a no-show gets back was owed before.
	if _, err := a.settleOrder(tx, orderID); err != nil {
		return err
	}
	given, err := a.giveBack(tx, orderID, refundFen, g)
	if err != nil {
		return err
	}
	order, err := tx.Order(orderID)
	if err != nil {
		return err
	}
	if err := a.payIfFree(tx, venue, order); err != nil {
		return err
	}
	n.refundFen = given
	if anyPaid(order, tx.Now) {
		if n.amountFen, err = paidSoFar(tx, orderID); err != nil {
			return err
		}
	}
	return a.queue(tx, venue, order, n)
}

// paidSoFar is the money that an order was paid with, in fen.
func paidSoFar(tx *sqlite.Tx, orderID string) (int64, error) {
	payments, err := tx.PaymentsOfOrder(orderID)
	var sum int64
	for _, p := range payments {
		if p.Verdict == verdictPaid || p.Verdict == verdictRevived {
			sum += p.AmountFen
		}
	}
	return sum, err
}

// RefundPreview is what cancelling would give back now.
type RefundPreview struct {
	Order    string `json:"order"`
	State    string `json:"state" enum:"held,paid" doc:"of the order"`
	Percent  int    `json:"percent" doc:"of the slots, by the ladder the order was booked under"`
	Slots    int64  `json:"slots"`
	Goods    int64  `json:"goods"`
	Amount   int64  `json:"amount" doc:"fen that would go back"`
	Paid     int64  `json:"paid"`
	Coupon   bool   `json:"coupon_back" doc:"whether the coupon could be used again"`
	Currency string `json:"currency"`
	Step     int    `json:"-"` // of the ladder that the order was booked under
}

// PreviewRefund says what a customer would get back for cancelling now, or why it
// cannot be cancelled.
func (a *App) PreviewRefund(ctx context.Context, actor Actor, orderID string) (RefundPreview, error) {
	var out RefundPreview
	err := a.previewCancel(ctx, actor, orderID, func(s *sqlite.Snapshot, venue sqlite.Venue, order domain.Order) (err error) {
		out, err = previewRefund(s, venue, order, false)
		return err
	})
	return out, err
}

// CancelPreview is what cancelling at the desk would give back now, by who is the
// cause of it.
type CancelPreview struct {
	ByCustomer RefundPreview `json:"by_customer"`
	ByVenue    RefundPreview `json:"by_venue"`
}

// PreviewCancel says what CancelAtDesk would give back either way, or why it would
// refuse.
func (a *App) PreviewCancel(ctx context.Context, actor Actor, orderID string) (CancelPreview, error) {
	var out CancelPreview
	if err := actor.mustWorkHere(); err != nil {
		return out, err
	}
	err := a.previewCancel(ctx, actor, orderID, func(s *sqlite.Snapshot, venue sqlite.Venue, order domain.Order) (err error) {
		if out.ByCustomer, err = previewRefund(s, venue, order, false); err == nil {
			out.ByVenue, err = previewRefund(s, venue, order, true)
		}
		return err
	})
	return out, err
}

func (a *App) previewCancel(ctx context.Context, actor Actor, orderID string, run func(*sqlite.Snapshot, sqlite.Venue, domain.Order) error) error {
	return a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		order, err := s.Order(orderID)
		if err != nil {
			return err
		}
		if err := mayActNow(s, actor, order); err != nil {
			return err
		}
		if err := refuseCancel(order, actor, s.Now); err != nil {
			return err
		}
		return run(s, venue, order)
	})
}

func previewRefund(s *sqlite.Snapshot, venue sqlite.Venue, order domain.Order, forVenue bool) (RefundPreview, error) {
	state := order.State(s.Now)
	out := RefundPreview{Order: order.ID, State: string(state), Percent: 100, Currency: venue.Currency, Coupon: true}
	if state == domain.Held {
		return out, nil
	}
	r := order.CancelRefund(s.Now, forVenue)
	out.Percent, out.Step, out.Slots, out.Goods, out.Amount, out.Coupon = r.Percent, r.Step, r.SlotsFen, r.GoodsFen, r.AmountFen, r.Percent == 100
	paid, left, err := paidAndLeft(s, order.ID)
	out.Paid, out.Amount = paid, min(out.Amount, left)
	return out, err
}

// paidAndLeft is the money that came in for an order, and what of it no refund has
// taken yet.
func paidAndLeft(s *sqlite.Snapshot, orderID string) (paidFen, leftFen int64, err error) {
	payments, err := s.PaymentsOfOrder(orderID)
	if err != nil {
		return 0, 0, err
	}
	for _, p := range payments {
		if !p.SucceededAt.IsSet() || p.Verdict == verdictFlagged {
			continue
		}
		part, err := s.Refundable(p.ID)
		if err != nil {
			return 0, 0, err
		}
		paidFen, leftFen = paidFen+p.AmountFen, leftFen+part
	}
	return paidFen, leftFen, nil
}

// cancelHit cancels the reservations of an order that a closure hits and refunds
// their price less their share of the discount. Goods and coupon come back when
// no reservation is left.
func (a *App) cancelHit(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order, hit []domain.Reservation, closure domain.Closure) error {
	refund, lastOne := order.ClosureRefund(tx.Now, hit)
	for _, r := range hit {
		if err := tx.CancelReservation(r.ID, byVenue, closure.Reason, false); err != nil {
			return err
		}
	}
	if b, ok := order.Basket(tx.Now); ok && lastOne && b.Live(tx.Now) {
		if err := tx.CancelBasket(b.ID, byVenue, closure.Reason, false, false); err != nil {
			return err
		}
	}
	return a.afterCancel(tx, venue, order.ID, refund, giving{purpose: "closure", cause: closure.ID, reason: closure.Reason},
		notice{kind: notify.KindClosure, occasion: closure.ID, reason: closure.Reason})
}

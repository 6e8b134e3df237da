package app

import (
	"errors"
	"fmt"
	"slices"

	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// What became of money that came in.
const (
	verdictPaid     = "paid"
	verdictRevived  = "revived"
	verdictRefunded = "refunded"
	verdictFlagged  = "flagged" // it is for a person to find out
)

// reasonGivenBack is why money is flagged of which the provider says that it came and went
// back, although nobody here knew of it.
const reasonGivenBack = "given_back"

// judgeMoney is the one function that decides about a provider's success, in the
// transaction that records it. The order is paid, or revived whole, or all of
// the money goes back; exactly one of them, however often and in whatever order
// the provider says so. It returns the outcome in a word.
func (a *App) judgeMoney(tx *sqlite.Tx, venue sqlite.Venue, p sqlite.Payment, r pay.Result) (string, error) {
	if p.SucceededAt.IsSet() {
		return "duplicate", nil
	}
	if mismatch := mismatch(p, r); mismatch != "" {
		a.log.Error("money does not match its attempt", "payment", p.ID, "order", p.OrderID, "mismatch", mismatch)
		return verdictFlagged, tx.FlagPayment(p.ID, mismatch)
	}
	if r.GivenBack {
		return verdictFlagged, a.flagGivenBack(tx, p, r)
	}
	order, err := tx.Order(p.OrderID)
	if err != nil {
		return "", err
	}
	verdict, reason := verdictPaid, ""
	switch state := order.State(tx.Now); {
	case anyPaid(order, tx.Now):
		verdict, reason = verdictRefunded, "already_paid"
	case state == domain.Cancelled:
		verdict, reason = verdictRefunded, "already_cancelled"
	case p.AmountFen < payable(order, tx.Now):
		verdict, reason = verdictRefunded, "price_changed"
	case state == domain.Lapsed:
		if verdict, reason, err = a.reviveOrRefund(tx, venue, order); err != nil {
			return "", err
		}
	}
	if err := tx.RecordSuccess(p.ID, r.SuccessTime, r.TransactionID, r.Payer, verdict, reason); err != nil {
		return "", err
	}
	return verdict, a.carryOut(tx, venue, p, verdict, reason)
}

// flagGivenBack records money that came and of which something went back at the provider
// before courtd heard of it. A refund of ours cannot be why: those are made only of what
// is recorded here. The provider does not say how much went back, so the money pays for
// nothing, brings no order back and is not refunded from here: a person looks at it.
func (a *App) flagGivenBack(tx *sqlite.Tx, p sqlite.Payment, r pay.Result) error {
	a.log.Error("money came and was given back at the provider", "payment", p.ID, "order", p.OrderID)
	return tx.RecordSuccess(p.ID, r.SuccessTime, r.TransactionID, r.Payer, verdictFlagged, reasonGivenBack)
}

// carryOut does what the verdict says: the order was held and is paid now, was
// lapsed and stands again, or the money goes back.
func (a *App) carryOut(tx *sqlite.Tx, venue sqlite.Venue, p sqlite.Payment, verdict, reason string) error {
	if verdict == verdictPaid {
		paid, err := tx.PayClaims(p.OrderID)
		if err != nil {
			return err
		}
		if paid == 0 {
			return fmt.Errorf("order %s: judged payable, but no claim was", p.OrderID)
		}
	}
	order, err := tx.Order(p.OrderID)
	if err != nil {
		return err
	}
	if verdict == verdictRefunded {
		purpose := "late"
		if reason == "already_paid" {
			purpose = "duplicate"
		}
		if _, err := a.giveBack(tx, order.ID, p.AmountFen, giving{purpose: purpose, cause: p.ID, reason: reason, payment: p.ID}); err != nil {
			return err
		}
		return a.queue(tx, venue, order, notice{kind: notify.KindLateMoney, occasion: p.ID, amountFen: p.AmountFen, refundFen: p.AmountFen, reason: reason})
	}
	excess := p.AmountFen - paidClaims(order, tx.Now)
	if _, err := a.giveBack(tx, order.ID, excess, excessOf(order, p)); err != nil {
		return err
	}
	kind := notify.KindPaid
	if verdict == verdictRevived {
		kind = notify.KindLateMoney
	}
	return a.queue(tx, venue, order, notice{kind: kind, occasion: p.ID, amountFen: p.AmountFen, revived: verdict == verdictRevived})
}

// excessOf says why an order costs less than was asked for when its payment was opened:
// a slot has been closed since, so that it has no claim any more, or one was moved to a
// cheaper time.
func excessOf(o domain.Order, p sqlite.Payment) giving {
	g := giving{purpose: "move", cause: p.ID, reason: "moved_cheaper", payment: p.ID}
	for _, r := range o.Reservations {
		if r.CancelledBy == byVenue && !r.Moved {
			g.purpose, g.reason = "closure", "slot_closed"
		}
	}
	return g
}

// mismatch says in what a success differs from the attempt that courtd made, or "".
func mismatch(p sqlite.Payment, r pay.Result) string {
	switch {
	case r.AmountFen != p.AmountFen:
		return fmt.Sprintf("amount %d instead of %d fen", r.AmountFen, p.AmountFen)
	case r.Currency != p.Currency:
		return fmt.Sprintf("currency %q instead of %q", r.Currency, p.Currency)
	case r.Merchant != p.Merchant:
		return fmt.Sprintf("merchant %q instead of %q", r.Merchant, p.Merchant)
	case r.App != p.App:
		return fmt.Sprintf("app %q instead of %q", r.App, p.App)
	}
	return ""
}

func anyPaid(o domain.Order, at domain.Instant) bool {
	for _, c := range o.Claims(at) {
		if c.PaidAt.IsSet() {
			return true
		}
	}
	return false
}

// payable is what the unpaid claims of an order cost that were not cancelled.
func payable(o domain.Order, at domain.Instant) int64 {
	return claimsFen(o, at, func(c domain.Claim) bool { return !c.CancelledAt.IsSet() && !c.PaidAt.IsSet() })
}

// payIfFree pays an order of which all that is left costs nothing: no provider is called
// for that.
func (a *App) payIfFree(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order) error {
	if o.State(tx.Now) != domain.Held || payable(o, tx.Now) > 0 {
		return nil
	}
	if _, err := tx.PayClaims(o.ID); err != nil {
		return err
	}
	paid, err := tx.Order(o.ID)
	if err != nil {
		return err
	}
	return a.queue(tx, venue, paid, notice{kind: notify.KindPaid, occasion: "free"})
}

func paidClaims(o domain.Order, at domain.Instant) int64 {
	return claimsFen(o, at, func(c domain.Claim) bool { return !c.CancelledAt.IsSet() && c.PaidAt.IsSet() })
}

func claimsFen(o domain.Order, at domain.Instant, count func(domain.Claim) bool) int64 {
	var sum int64
	for _, r := range o.Slots(at) {
		if count(r.AsOf(at)) {
			sum += r.NetFen()
		}
	}
	if b, ok := o.Basket(at); ok && count(b.AsOf(at)) {
		sum += b.GoodsFen() - b.DiscountFen
	}
	return sum
}

// errCannotRevive says why a lapsed order cannot stand again.
type errCannotRevive struct{ reason string }

func (e errCannotRevive) Error() string { return "cannot revive: " + e.reason }

// reviveOrRefund brings a lapsed order back whole, if everything it claimed can
// still be had. If only the same customer's own unpaid orders stand in the way,
// those are cancelled: the paid one goes before. Limits of fairness do not count.
func (a *App) reviveOrRefund(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order) (verdict, reason string, err error) {
	// The lapse comes first, whether or not anybody has written it down.
	if _, err := a.settleOrder(tx, o.ID); err != nil {
		return "", "", err
	}
	if o, err = tx.Order(o.ID); err != nil {
		return "", "", err
	}
	var ownOrders []domain.Order // cancelled to make room, no more than needed
	for {
		err = tx.Try(func() error { return a.revive(tx, venue, o, ownOrders) })
		var cannot errCannotRevive
		if err == nil {
			return verdictRevived, "", nil
		}
		if !errors.As(err, &cannot) {
			return "", "", err
		}
		own, found, err := ownInTheWay(tx, o, ownOrders, cannot.reason)
		if err != nil {
			return "", "", err
		}
		if !found {
			return verdictRefunded, cannot.reason, nil
		}
		ownOrders = append(ownOrders, own)
	}
}

// revive makes new claims that replace the lapsed ones, after cancelling those
// of the customer's own unpaid orders that stand in the way.
func (a *App) revive(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, ownOrders []domain.Order) error {
	for _, own := range ownOrders {
		if err := a.cancelAll(tx, venue, own, cancelling{by: bySystem, reason: "own_order_paid"}); err != nil {
			return err
		}
	}
	for _, r := range o.Slots(tx.Now) {
		if r.State(tx.Now) != domain.Lapsed {
			continue
		}
		if err := a.reviveSlot(tx, venue, o, r); err != nil {
			return err
		}
	}
	if basket, ok := o.Basket(tx.Now); ok && basket.State(tx.Now) == domain.Lapsed {
		return a.reviveBasket(tx, o, basket)
	}
	return nil
}

func (a *App) reviveSlot(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, r domain.Reservation) error {
	if r.StartsAt <= tx.Now {
		return errCannotRevive{"slot_past"}
	}
	if err := a.settleSlot(tx, r.CourtID, r.Slot()); err != nil {
		return err
	}
	rows, err := tx.ReservationsBetween(r.StartsAt, r.EndsAt, tx.Now)
	if err != nil {
		return err
	}
	closures, err := tx.ClosuresBetween(r.StartsAt, r.EndsAt)
	if err != nil {
		return err
	}
	cell := domain.Judge(r.CourtID, r.Slot(), 0, domain.Never, tx.Now, rows, closures)
	if refusal := cell.RefuseDesk(); refusal != nil {
		return errCannotRevive{refusal.Reason}
	}
	return replaceReservation(tx, o, r, func(n *domain.Reservation) {
		n.ReplacedAs = "revived"
		n.PayBy, n.PaidAt = 0, tx.Now
	})
}

func (a *App) reviveBasket(tx *sqlite.Tx, o domain.Order, b domain.Basket) error {
	if b.Coupon != "" {
		coupon, found, err := tx.Coupon(b.Coupon)
		if err != nil {
			return err
		}
		if !found {
			return errCannotRevive{"coupon_invalid"}
		}
		if err := couponFree(&tx.Snapshot, coupon, o.CustomerID, o.ID); domain.IsReason(err, "coupon_used") {
			return errCannotRevive{"coupon_used"}
		} else if err != nil {
			return err
		}
	}
	for _, l := range b.Lines {
		if err := a.settleGood(tx, l.GoodID, l.Qty); err != nil {
			return err
		}
		good, err := tx.Good(l.GoodID)
		if err != nil {
			return err
		}
		if good.Balance < l.Qty {
			return errCannotRevive{"out_of_stock"}
		}
	}
	return replaceBasket(tx, o, b, true, func(n *domain.Basket) { n.PayBy, n.PaidAt = 0, tx.Now })
}

// ownInTheWay finds one more of the customer's other unpaid orders that may be
// why the paid one cannot stand again: it holds a slot, the coupon or goods of it.
func ownInTheWay(tx *sqlite.Tx, o domain.Order, known []domain.Order, reason string) (domain.Order, bool, error) {
	live, err := tx.LiveUnpaidOrders(o.CustomerID)
	if err != nil {
		return domain.Order{}, false, err
	}
	for _, other := range live {
		isKnown := slices.ContainsFunc(known, func(k domain.Order) bool { return k.ID == other.ID })
		if !isKnown && inTheWay(other, o, reason, tx.Now) {
			return other, true, nil
		}
	}
	return domain.Order{}, false, nil
}

func inTheWay(other, o domain.Order, reason string, at domain.Instant) bool {
	theirs, _ := other.Basket(at)
	ours, _ := o.Basket(at)
	switch reason {
	case "slot_taken":
		for _, r := range other.Slots(at) {
			for _, s := range o.Slots(at) {
				if r.CourtID == s.CourtID && r.Slot().Overlaps(s.Slot()) && r.Live(at) {
					return true
				}
			}
		}
	case "coupon_used":
		return theirs.Coupon == ours.Coupon
	case "out_of_stock":
		for _, l := range ours.Lines {
			for _, t := range theirs.Lines {
				if l.GoodID == t.GoodID {
					return true
				}
			}
		}
	}
	return false
}

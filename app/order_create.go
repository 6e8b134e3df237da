package app

import (
	"context"
	"fmt"
	"slices"

	"courtd/app/notify"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// CreateOrder books slots and goods for a customer, all or nothing. It reports
// false when the order was there already: the same command again, or the same
// choice as a live unpaid order of one's own.
func (a *App) CreateOrder(ctx context.Context, actor Actor, req OrderRequest, key Key) (OrderView, bool, error) {
	if actor.Role != RoleCustomer {
		return OrderView{}, false, errNotACustomer()
	}
	id, ticket := secret.NewID(), secret.NewTicketCode()
	var view OrderView
	var created bool
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		created = false
		var made domain.Order
		mine, err := me(&tx.Snapshot, actor)
		if err != nil {
			return err
		}
		actor.ID = mine.ID // whoever has taken the account over since the command began
		orderID, repeated, err := once(tx, actor, key, "create order", req, func() (string, error) {
			own, live, err := a.ownLiveOrder(tx, actor, req)
			if err != nil || own != "" {
				return own, err
			}
			created = true
			made, err = a.book(tx, venue, booking{id: id, ticket: ticket, customerID: actor.ID, live: live, req: req, pay: payOnline})
			return id, err
		})
		if err != nil {
			return err
		}
		created = created && !repeated
		if created {
			view = a.viewClaims(venue, made, actor, tx.Now) // no money has come or gone yet
			return nil
		}
		view, err = a.viewByID(&tx.Snapshot, venue, orderID, actor)
		return err
	})
	return view, created && err == nil, err
}

// errNotACustomer keeps staff from buying for themselves what they book for others.
func errNotACustomer() error {
	return domain.Refuse(domain.Forbidden, "forbidden", "only a customer can do this for themselves")
}

// How an order is paid.
const (
	payOnline    = "online"
	payOnArrival = "on_arrival"
	payCash      = "cash"
)

// booking is one order about to be made.
type booking struct {
	id, ticket string
	customerID string
	live       []domain.Order // that this customer has not paid yet; the desk's bookings need not know
	contact    string
	staff      Actor // who books for a caller; empty for customers
	req        OrderRequest
	pay        string
	shown      []Shown // the total, if somebody has agreed to one
}

func (b booking) desk() bool { return b.staff.IsStaff() }

// ownLiveOrder finds a customer's live unpaid orders, and among them the one with
// exactly this choice. One that shares a slot and is otherwise different is a conflict
// that names it.
func (a *App) ownLiveOrder(tx *sqlite.Tx, actor Actor, req OrderRequest) (same string, live []domain.Order, err error) {
	if err := req.check(); err != nil {
		return "", nil, err
	}
	if live, err = tx.LiveUnpaidOrders(actor.ID); err != nil {
		return "", nil, err
	}
	for _, o := range live {
		if sameChoice(o, req, tx.Now) {
			return o.ID, live, nil
		}
	}
	for _, o := range live {
		for _, r := range o.Slots(tx.Now) {
			i := slices.Index(req.Slots, SlotRef{Court: r.CourtID, Start: r.StartsAt})
			if i < 0 || !r.Live(tx.Now) {
				continue
			}
			refusal := domain.Refuse(domain.Conflict, "slot_taken", "you hold this slot yourself, in order %s", o.Number).
				With("order", o.ID).With("slot", map[string]any{"court": r.CourtID, "start": r.StartsAt})
			refusal.Fields = []domain.FieldError{{Field: fmt.Sprintf("slots[%d]", i), Message: refusal.Message}}
			return "", live, refusal
		}
	}
	return "", live, nil
}

func sameChoice(o domain.Order, req OrderRequest, at domain.Instant) bool {
	slots := o.Slots(at)
	basket, _ := o.Basket(at)
	code, err := domain.ParseCouponCode("coupon", req.Coupon)
	if err != nil && req.Coupon != "" {
		return false // what can be no code is not the same as none
	}
	if len(slots) != len(req.Slots) || len(basket.Lines) != len(req.Goods) || basket.Coupon != code {
		return false
	}
	for _, r := range slots {
		if !r.Live(at) || !slices.Contains(req.Slots, SlotRef{Court: r.CourtID, Start: r.StartsAt}) {
			return false
		}
	}
	for _, l := range basket.Lines {
		if !slices.Contains(req.Goods, GoodRef{ID: l.GoodID, Qty: l.Qty}) {
			return false
		}
	}
	return true
}

// book plans an order, judges it, and writes it with all its claims.
func (a *App) book(tx *sqlite.Tx, venue sqlite.Venue, b booking) (domain.Order, error) {
	p, err := planOrder(&tx.Snapshot, venue, b.req, b.customerID)
	if err != nil {
		return domain.Order{}, err
	}
	if err := p.judgeSlots(b.desk()); err != nil {
		return domain.Order{}, err
	}
	if !b.desk() {
		if err := fairness(&tx.Snapshot, venue, b.customerID, p, b.live); err != nil {
			return domain.Order{}, err
		}
	}
	if err := p.judgeGoods(&tx.Snapshot); err != nil {
		return domain.Order{}, err
	}
	if err := agreed(b.shown, p.totalFen); err != nil {
		return domain.Order{}, err
	}
	if err := a.settleInTheWay(tx, p); err != nil {
		return domain.Order{}, err
	}
	return a.writeOrder(tx, venue, b, p)
}

// settleInTheWay settles what has ended on the plan's slots and goods, so that
// the database's own guards see only what is live.
func (a *App) settleInTheWay(tx *sqlite.Tx, p plan) error {
	for _, s := range p.slots {
		if err := a.settleRows(tx, s.unsettled); err != nil {
			return err
		}
	}
	for _, l := range p.lines {
		if err := a.settleGood(tx, l.GoodID, l.Qty); err != nil {
			return err
		}
	}
	return nil
}

// writeOrder writes an order that nothing stands in the way of, and gives it as it would
// be read.
func (a *App) writeOrder(tx *sqlite.Tx, venue sqlite.Venue, b booking, p plan) (order domain.Order, err error) {
	day := venue.Calendar.LocalDate(tx.Now).String()
	seq, number, err := tx.NextNumber(day)
	if err != nil {
		return order, err
	}
	order = domain.Order{ID: b.id, Number: number, CustomerID: b.customerID, Contact: b.contact, Channel: "online", Pay: b.pay,
		BookedAt: tx.Now, TicketCode: b.ticket,
		Terms: domain.Terms{RefundLadder: venue.Policy.RefundLadder, NoShowRefundPercent: venue.Policy.NoShowRefundPercent}}
	if b.desk() {
		order.Channel, order.BookedBy = "desk", b.staff.ID
	}
	if err := tx.InsertOrder(order, day, seq); err != nil {
		return order, err
	}
	claim, err := b.promise(venue.Policy, p, tx.Now)
	if err != nil {
		return order, err
	}
	if order.Reservations, err = writeReservations(tx, venue.Policy, order, p, claim); err != nil {
		return order, err
	}
	if order.Baskets, err = writeBasket(tx, order, p, claim); err != nil {
		return order, err
	}
	if b.pay == payCash && p.totalFen > 0 {
		if err := takeCash(tx, venue, order.ID, p.totalFen, "order"); err != nil {
			return order, err
		}
	}
	return order, a.announceBooked(tx, venue, order)
}

// promise gives the deadline and the facts that all claims of the order are born with.
func (b booking) promise(policy domain.Policy, p plan, now domain.Instant) (domain.Claim, error) {
	claim := domain.Claim{BookedAt: now, PayBy: policy.PayBy(now, p.firstStart())}
	if b.pay == payOnArrival {
		if !p.firstStart().IsSet() {
			return claim, domain.BadField("pay", "goods alone cannot be paid on arrival")
		}
		claim.PayBy = p.firstStart()
	}
	switch {
	case b.pay == payCash:
		claim.PayBy, claim.PaidAt = 0, now
	case claim.PayBy <= now:
		return claim, domain.Refuse(domain.Conflict, "slot_past", "a slot that has begun must be paid at once: take cash")
	case p.totalFen == 0:
		claim.PaidAt = now
	}
	return claim, nil
}

func writeReservations(tx *sqlite.Tx, policy domain.Policy, o domain.Order, p plan, born domain.Claim) (made []domain.Reservation, err error) {
	for i, s := range p.slots {
		c := born
		c.StartsAt, c.EndsAt = s.cell.Slot.Start, s.cell.Slot.End
		c.CheckInFrom, c.CheckInBy = policy.CheckInWindow(c.StartsAt, c.EndsAt)
		r := domain.Reservation{ID: fmt.Sprintf("%s-%d", o.ID, i+1), OrderID: o.ID, Seq: i + 1, CustomerID: o.CustomerID,
			CourtID: s.cell.CourtID, Day: s.day.String(), PriceFen: s.rule.PriceFen, DiscountFen: s.discountFen, PriceRule: s.rule.Name}
		if c.StartsAt <= tx.Now && c.PaidAt.IsSet() {
			// Sold at the counter while the slot runs: they walk straight in.
			c.CheckedInAt, r.OutOfWindow = tx.Now, !c.DoorOpen(tx.Now)
		}
		r.Claim = c
		if err := tx.InsertReservation(r); err != nil {
			return nil, aboutSlotTaken(err, s.cell, fmt.Sprintf("slots[%d]", i))
		}
		made = append(made, r)
	}
	return made, nil
}

// aboutSlotTaken makes the database's own refusal say which slot it is about.
func aboutSlotTaken(err error, cell domain.Cell, field string) error {
	if refusal, ok := domain.AsError(err); ok && refusal.Kind == domain.Conflict {
		return aboutSlot(refusal, cell, field)
	}
	return err
}

func writeBasket(tx *sqlite.Tx, o domain.Order, p plan, born domain.Claim) ([]domain.Basket, error) {
	if len(p.lines) == 0 && p.coupon == nil {
		return nil, nil
	}
	b := domain.Basket{ID: o.ID + "-b1", OrderID: o.ID, Seq: 1, CustomerID: o.CustomerID, DiscountFen: p.restFen, Lines: p.lines, Claim: born}
	b.CheckInBy = p.lastEnd()
	if p.coupon != nil {
		b.Coupon = p.coupon.Code
	}
	if err := tx.InsertBasket(b); err != nil {
		return nil, err
	}
	if err := sellLines(tx, b); err != nil || len(b.Lines) < 2 {
		return []domain.Basket{b}, err
	}
	return tx.BasketsOfOrder(o.ID) // its goods in the order of the shelf, as everybody sees them
}

// sellLines takes a basket's goods off the shelf.
func sellLines(tx *sqlite.Tx, b domain.Basket) error {
	for _, l := range b.Lines {
		if _, err := tx.MoveStock(sqlite.StockMove{GoodID: l.GoodID, Kind: "sold", Qty: -l.Qty, BasketID: b.ID}); err != nil {
			return err
		}
	}
	return nil
}

// announceBooked queues the first notice of a new order: pay by, or paid.
func (a *App) announceBooked(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order) error {
	kind := notify.KindHeld
	if order.State(tx.Now) != domain.Held {
		kind = notify.KindPaid
	}
	return a.queue(tx, venue, order, notice{kind: kind, occasion: "booked"})
}

// takeCash records money that the desk has in its hand.
func takeCash(tx *sqlite.Tx, venue sqlite.Venue, orderID string, amountFen int64, purpose string) error {
	payments, err := tx.PaymentsOfOrder(orderID)
	if err != nil {
		return err
	}
	return tx.InsertPayment(sqlite.Payment{ID: cashID(orderID, len(payments)), OrderID: orderID, Via: payCash, Purpose: purpose,
		AmountFen: amountFen, Currency: venue.Currency, OpenedAt: tx.Now, SucceededAt: tx.Now, Verdict: "paid"})
}

// cashID names an order's n-th payment; it stays within the 32 characters of every out_trade_no.
func cashID(orderID string, n int) string { return fmt.Sprintf("%s-c%d", orderID, n+1) }

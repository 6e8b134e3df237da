package app

import (
	"context"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// Caller is somebody the desk books for.
type Caller struct {
	Name  string
	Phone string
}

// DeskOrder books for a walk-in or a caller: paid in cash now, paid on arrival,
// or online by the customer. What has begun must be paid now. shown is the total
// that the desk has named to the customer.
func (a *App) DeskOrder(ctx context.Context, actor Actor, req OrderRequest, who Caller, pay string, key Key, shown ...Shown) (OrderView, bool, error) {
	if err := actor.mustWorkHere(); err != nil {
		return OrderView{}, false, err
	}
	who, err := who.parse()
	if err != nil {
		return OrderView{}, false, err
	}
	if pay != payOnline && pay != payOnArrival && pay != payCash {
		return OrderView{}, false, domain.BadField("pay", `must be "cash", "on_arrival" or "online"`)
	}
	id, ticket, customerID := secret.NewID(), secret.NewTicketCode(), secret.NewID()
	var view OrderView
	var created bool
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		body := []any{req, who, pay}
		orderID, repeated, err := once(tx, actor, key, "desk order", body, func() (string, error) {
			customer, err := findOrAdd(tx, who, customerID)
			if err != nil {
				return "", err
			}
			b := booking{id: id, ticket: ticket, customerID: customer, contact: who.Name, staff: actor, req: req, pay: pay, shown: shown}
			if _, err := a.book(tx, venue, b); err != nil {
				return "", err
			}
			return id, tx.Audit(actor.audit("book for caller", id, "", map[string]any{"pay": pay, "name": who.Name}))
		})
		if err != nil {
			return err
		}
		created = !repeated
		view, err = a.viewByID(&tx.Snapshot, venue, orderID, actor)
		return err
	})
	return view, created && err == nil, err
}

func (c Caller) parse() (Caller, error) {
	name, err := domain.ParseName("customer.name", c.Name)
	if err != nil {
		return c, err
	}
	phone := c.Phone
	if phone != "" {
		if phone, err = domain.ParsePhone("customer.phone", phone); err != nil {
			return c, err
		}
	}
	return Caller{Name: name, Phone: phone}, nil
}

// findOrAdd gives the customer with a phone, or a new one. The name that a
// customer has given is not overwritten by what the desk heard.
func findOrAdd(tx *sqlite.Tx, who Caller, newID string) (string, error) {
	if who.Phone != "" {
		c, err := tx.CustomerByPhone(who.Phone)
		if err == nil {
			if c.Name == "" && who.Name != "" {
				return c.ID, tx.NameCustomer(c.ID, who.Name)
			}
			return c.ID, nil
		}
		if !domain.IsReason(err, "not_found") {
			return "", err
		}
	}
	return newID, tx.InsertCustomer(sqlite.Customer{ID: newID, Phone: who.Phone, Name: who.Name})
}

// MarkPaid records that a held order has been paid in cash at the desk.
func (a *App) MarkPaid(ctx context.Context, actor Actor, orderID string, key Key, shown ...Shown) (OrderView, error) {
	return a.onOrder(ctx, actor, orderID, "mark paid", "", key, func(tx *sqlite.Tx, venue sqlite.Venue, order domain.Order) error {
		if err := refuseUnlessHeld(order, tx.Now); err != nil {
			return err
		}
		amount := payable(order, tx.Now)
		if err := agreed(shown, amount); err != nil {
			return err
		}
		if _, err := tx.PayClaims(orderID); err != nil {
			return err
		}
		if amount > 0 {
			if err := takeCash(tx, venue, orderID, amount, "order"); err != nil {
				return err
			}
		}
		paid, err := tx.Order(orderID)
		if err != nil {
			return err
		}
		return a.queue(tx, venue, paid, notice{kind: "paid", occasion: "desk", amountFen: amount})
	})
}

// HandOver records that an order's goods were handed over at the desk.
func (a *App) HandOver(ctx context.Context, actor Actor, orderID string, key Key) (OrderView, error) {
	return a.onOrder(ctx, actor, orderID, "hand over", "", key, func(tx *sqlite.Tx, _ sqlite.Venue, order domain.Order) error {
		b, ok := order.Basket(tx.Now)
		switch {
		case !ok || len(b.Lines) == 0:
			return domain.Refuse(domain.Conflict, "no_goods", "this order has no goods")
		case b.State(tx.Now) == domain.Completed:
			return domain.Refuse(domain.Conflict, "already_handed_over", "the goods were handed over before")
		case b.State(tx.Now) == domain.Held:
			return domain.Refuse(domain.Conflict, "not_paid", "the goods have not been paid")
		case b.State(tx.Now) != domain.Confirmed:
			return domain.Refuse(domain.Conflict, "too_late", "these goods are back on the shelf")
		}
		return a.handOver(tx, orderID, b)
	})
}

// Forgive takes an order's no-show out of the customer's strikes.
func (a *App) Forgive(ctx context.Context, actor Actor, orderID, reason string, key Key) (OrderView, error) {
	reason, err := domain.ParseNote("reason", reason)
	if err != nil {
		return OrderView{}, err
	}
	return a.onOrder(ctx, actor, orderID, "forgive", reason, key, func(tx *sqlite.Tx, _ sqlite.Venue, order domain.Order) error {
		for _, r := range order.Slots(tx.Now) {
			if r.State(tx.Now) != domain.NoShow {
				continue
			}
			if first, err := tx.ForgiveOrder(orderID); err != nil || first {
				return err
			}
			return domain.Refuse(domain.Conflict, "already_forgiven", "this no-show was forgiven before")
		}
		return domain.Refuse(domain.Conflict, "no_strike", "this order has no no-show to forgive")
	})
}

// Goodwill gives money back without touching any claim.
func (a *App) Goodwill(ctx context.Context, actor Actor, orderID string, amountFen int64, reason string, key Key) (OrderView, error) {
	reason, err := needReason(reason)
	if err != nil {
		return OrderView{}, err
	}
	if amountFen <= 0 || amountFen > domain.MaxPriceFen*domain.MaxSlotsPerOrder {
		return OrderView{}, domain.BadField("amount", "must be a positive number of fen")
	}
	cause := secret.NewID()
	return a.onOrder(ctx, actor, orderID, "goodwill refund", reason, key, func(tx *sqlite.Tx, _ sqlite.Venue, _ domain.Order) error {
		// What a no-show gets back is owed since its deadline, whoever writes that down.
		if _, err := a.settleOrder(tx, orderID); err != nil {
			return err
		}
		given, err := a.giveBack(tx, orderID, amountFen, giving{purpose: "goodwill", cause: cause, reason: reason})
		if err == nil && given < amountFen {
			err = domain.Refuse(domain.Conflict, "refund_exceeds_paid", "only %d fen of this order can still be refunded", given).With("refundable", given)
		}
		return err
	}, amountFen)
}

// onOrder runs one act of the desk on an order: once per key, with a record of who,
// when and why.
func (a *App) onOrder(ctx context.Context, actor Actor, orderID, action, reason string, key Key,
	act func(*sqlite.Tx, sqlite.Venue, domain.Order) error, more ...any) (OrderView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return OrderView{}, err
	}
	var view OrderView
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		order, err := tx.Order(orderID)
		if err != nil {
			return err
		}
		_, _, err = once(tx, actor, key, action, []any{orderID, reason, more}, func() (string, error) {
			if err := act(tx, venue, order); err != nil {
				return "", err
			}
			return orderID, tx.Audit(actor.audit(action, orderID, reason, map[string]any{"number": order.Number, "more": more}))
		})
		if err != nil {
			return err
		}
		view, err = a.viewByID(&tx.Snapshot, venue, orderID, actor)
		return err
	})
	return view, err
}

package app

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// ScanResult is the one answer to a scanned ticket.
type ScanResult struct {
	Result       string            `json:"result" enum:"ok,already_in,wrong_day,too_early,too_late,unknown,not_paid,lapsed,cancelled"`
	At           time.Time         `json:"at"`
	CheckedInAt  *time.Time        `json:"checked_in_at,omitempty" doc:"of already_in: when the ticket came in"`
	OpensAt      *time.Time        `json:"opens_at,omitempty" doc:"of too_early: when the door opens"`
	Order        *ScanOrder        `json:"order"`
	Reservations []ReservationView `json:"reservations" doc:"those this scan checked in, or that the answer is about"`
	GoodsOut     []LineView        `json:"goods_out,omitempty" doc:"goods to hand over now"`
}

// ScanOrder is what the door needs to know of an order.
type ScanOrder struct {
	ID       string `json:"id"`
	Number   string `json:"number"`
	State    string `json:"state"`
	Customer string `json:"customer"`
}

// CheckIn judges a scanned ticket and lets the customer in. A nonce belongs to
// one staff session and one code: the same again gets the same answer.
func (a *App) CheckIn(ctx context.Context, actor Actor, code, nonce string) (ScanResult, error) {
	if err := actor.mustWorkHere(); err != nil {
		return ScanResult{}, err
	}
	code = domain.ParseTicketCode(code)
	if code == "" || len(code) > 128 {
		return ScanResult{}, domain.BadField("code", "is required")
	}
	if nonce != "" {
		if _, err := domain.ParseKey("nonce", nonce); err != nil {
			return ScanResult{}, err
		}
	}
	var out ScanResult
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		id := hash("scan|" + actor.Session + "|" + code + "|" + nonce)
		if nonce != "" {
			_, kept, found, err := tx.Answered(id, tx.Now.Add(-domain.IdempotencyLife))
			if err != nil {
				return err
			}
			if found {
				return json.Unmarshal([]byte(kept), &out)
			}
		}
		var err error
		if out, err = a.scan(tx, venue, actor, code); err != nil || nonce == "" {
			return err
		}
		text, err := json.Marshal(out)
		if err != nil {
			return fmt.Errorf("keep scan: %w", err)
		}
		return tx.KeepAnswer(id, "", string(text))
	})
	return out, err
}

// scan finds the first result that fits: validity before all else.
func (a *App) scan(tx *sqlite.Tx, venue sqlite.Venue, actor Actor, code string) (ScanResult, error) {
	out := ScanResult{At: tx.Now.In(venue.Calendar.Zone), Reservations: []ReservationView{}}
	order, err := tx.OrderByTicket(code)
	if domain.IsReason(err, "not_found") {
		a.log.Warn("unknown ticket code scanned", "staff", actor.ID)
		out.Result = "unknown"
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if err := describe(&tx.Snapshot, &out, order); err != nil {
		return out, err
	}
	switch order.State(tx.Now) {
	case domain.Held:
		out.Result = "not_paid"
		return out, nil
	case domain.Lapsed:
		out.Result = "lapsed"
		return out, nil
	case domain.Cancelled:
		out.Result = "cancelled"
		return out, nil
	}
	if len(order.Slots(tx.Now)) == 0 {
		return a.scanGoods(tx, venue, actor, order, out)
	}
	if allSlotsCancelled(order, tx.Now) {
		// Goods that were handed over before do not make the slots good again.
		out.Result = "cancelled"
		return out, nil
	}
	in := toCheckIn(order, tx.Now)
	if len(in) == 0 {
		return out, refuseScan(&tx.Snapshot, venue, order, &out)
	}
	for _, r := range in {
		if err := tx.CheckInReservation(r.ID, !r.DoorOpen(tx.Now)); err != nil {
			return out, err
		}
	}
	return a.scanOK(tx, venue, actor, order, in, out)
}

func describe(s *sqlite.Snapshot, out *ScanResult, o domain.Order) error {
	c, err := s.Customer(o.CustomerID)
	if err != nil {
		return err
	}
	out.Order = &ScanOrder{ID: o.ID, Number: o.Number, State: string(o.State(s.Now)), Customer: orElse(o.Contact, orElse(c.Name, domain.MaskPhone(c.Phone)))}
	return nil
}

func allSlotsCancelled(o domain.Order, now domain.Instant) bool {
	for _, r := range o.Slots(now) {
		if r.State(now) != domain.Cancelled {
			return false
		}
	}
	return true
}

// toCheckIn gives the confirmed slots whose door is open, and those that follow
// one of them without a gap, on any court, and so on along the chain.
func toCheckIn(o domain.Order, now domain.Instant) []domain.Reservation {
	var in, rest []domain.Reservation
	for _, r := range o.Slots(now) {
		switch {
		case r.State(now) != domain.Confirmed:
		case r.DoorOpen(now):
			in = append(in, r)
		default:
			rest = append(rest, r)
		}
	}
	for i := 0; i < len(in); i++ {
		for j := 0; j < len(rest); j++ {
			if rest[j].StartsAt == in[i].EndsAt {
				in = append(in, rest[j])
				rest = append(rest[:j], rest[j+1:]...)
				j--
			}
		}
	}
	return in
}

func (a *App) scanOK(tx *sqlite.Tx, venue sqlite.Venue, actor Actor, order domain.Order, in []domain.Reservation, out ScanResult) (ScanResult, error) {
	out.Result = "ok"
	if b, ok := order.Basket(tx.Now); ok && len(b.Lines) > 0 && b.State(tx.Now) == domain.Confirmed {
		if err := a.handOver(tx, order.ID, b); err != nil {
			return out, err
		}
		for _, l := range b.Lines {
			out.GoodsOut = append(out.GoodsOut, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
		}
	}
	after, err := tx.Order(order.ID)
	if err != nil {
		return out, err
	}
	names, err := courtNames(&tx.Snapshot)
	if err != nil {
		return out, err
	}
	checked := map[string]bool{}
	for _, r := range in {
		checked[r.ID] = true
	}
	for _, r := range after.Slots(tx.Now) {
		if checked[r.ID] {
			out.Reservations = append(out.Reservations, viewReservation(venue, r, names[r.CourtID], tx.Now))
		}
	}
	if err := describe(&tx.Snapshot, &out, after); err != nil {
		return out, err
	}
	if err := queueShipments(tx, venue, order.ID); err != nil {
		return out, err
	}
	return out, tx.Audit(actor.audit("check in", order.ID, "", map[string]any{"number": order.Number, "reservations": len(in)}))
}

// scanGoods hands over an order of goods alone.
func (a *App) scanGoods(tx *sqlite.Tx, venue sqlite.Venue, actor Actor, order domain.Order, out ScanResult) (ScanResult, error) {
	b, ok := order.Basket(tx.Now)
	if !ok || b.State(tx.Now) != domain.Confirmed {
		out.Result, out.CheckedInAt = "already_in", maybe(venue, b.CheckedInAt)
		return out, nil
	}
	if err := a.handOver(tx, order.ID, b); err != nil {
		return out, err
	}
	out.Result = "ok"
	for _, l := range b.Lines {
		out.GoodsOut = append(out.GoodsOut, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
	}
	after, err := tx.Order(order.ID)
	if err != nil {
		return out, err
	}
	if err := describe(&tx.Snapshot, &out, after); err != nil {
		return out, err
	}
	return out, tx.Audit(actor.audit("hand over", order.ID, "", map[string]any{"number": order.Number}))
}

// handOver records that goods left the shelf for good; that ends the basket.
func (a *App) handOver(tx *sqlite.Tx, orderID string, b domain.Basket) error {
	if err := tx.HandOverBasket(b.ID); err != nil {
		return err
	}
	if _, err := a.settleOrder(tx, orderID); err != nil {
		return err
	}
	venue, err := mustVenue(&tx.Snapshot)
	if err != nil {
		return err
	}
	return queueShipments(tx, venue, orderID)
}

// refuseScan says why nobody was let in with a valid ticket.
func refuseScan(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, out *ScanResult) error {
	names, err := courtNames(s)
	if err != nil {
		return err
	}
	today := venue.Calendar.DayOf(s.Now).String()
	var sameDay bool
	var opens domain.Instant
	for _, r := range o.Slots(s.Now) {
		if r.State(s.Now) == domain.Cancelled {
			continue // it is no slot of this day any more
		}
		switch state := r.State(s.Now); {
		case state == domain.Playing:
			out.Result = "already_in"
			if first := maybe(venue, r.CheckedInAt); out.CheckedInAt == nil || first.Before(*out.CheckedInAt) {
				out.CheckedInAt = first
			}
		case r.Day == today && state == domain.Confirmed && s.Now < r.CheckInFrom:
			opens = earlier(opens, r.CheckInFrom)
		}
		if r.Day == today {
			sameDay = true
		}
		if r.Day == today || r.State(s.Now) == domain.Playing {
			out.Reservations = append(out.Reservations, viewReservation(venue, r, names[r.CourtID], s.Now))
		}
	}
	switch {
	case out.Result == "already_in":
	case !sameDay:
		out.Result = "wrong_day"
	case opens.IsSet():
		out.Result, out.OpensAt = "too_early", maybe(venue, opens)
	default:
		out.Result = "too_late"
	}
	return nil
}

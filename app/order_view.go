package app

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	qrcode "github.com/skip2/go-qrcode"

	"courtd/domain"
	"courtd/sqlite"
)

// OrderView is an order as its owner or the desk sees it at one instant.
type OrderView struct {
	ID            string            `json:"id"`
	Number        string            `json:"number"`
	State         string            `json:"state" enum:"held,lapsed,cancelled,paid,no_show,completed"`
	Now           time.Time         `json:"now"`
	ChangesAt     *time.Time        `json:"changes_at" doc:"the next instant at which the order, its door or what may be done with it changes with nobody doing anything; null if it never does"`
	BookedAt      time.Time         `json:"booked_at"`
	PayBy         *time.Time        `json:"pay_by" doc:"null for an order that was paid when it was made"`
	Pay           string            `json:"pay" enum:"online,on_arrival,cash"`
	Total         int64             `json:"total" doc:"fen"`
	Due           int64             `json:"due" doc:"fen that paying costs now; 0 when there is nothing to pay"`
	Paid          int64             `json:"paid" doc:"fen that came in, including what went back since"`
	Refunded      int64             `json:"refunded" doc:"fen that are back with the customer"`
	RefundPending int64             `json:"refund_pending" doc:"fen on their way back"`
	Currency      string            `json:"currency"`
	Reservations  []ReservationView `json:"reservations"`
	Goods         []LineView        `json:"goods"`
	GoodsState    string            `json:"goods_state,omitempty" doc:"what the goods are: as of a reservation; completed once handed over"`
	Discount      int64             `json:"discount"`
	Coupon        *string           `json:"coupon"`
	Ticket        *TicketView       `json:"ticket"`
	Actions       []string          `json:"actions" doc:"what this caller may do now"`
	LateMoney     *LateMoneyView    `json:"late_money,omitempty" doc:"money that came too late, and what became of it"`
	Customer      *PersonView       `json:"customer,omitempty" doc:"for the desk"`
	Payments      []PaymentView     `json:"payments,omitempty" doc:"for the desk"`
	Refunds       []RefundView      `json:"refunds"`
	Unheard       bool              `json:"unheard,omitempty" doc:"after a question how payments stand: the provider has not answered in time, so money may have come all the same"`
}

// Left is what of the money that came in nothing has been promised back for, in fen.
func (v OrderView) Left() int64 { return v.Paid - v.Refunded - v.RefundPending }

// ReservationView is one slot of an order.
type ReservationView struct {
	ID           string     `json:"id"`
	Court        CourtRef   `json:"court"`
	Start        time.Time  `json:"start"`
	End          time.Time  `json:"end"`
	Label        string     `json:"label"`
	LabelEN      string     `json:"label_en"`
	State        string     `json:"state" enum:"held,confirmed,playing,lapsed,cancelled,moved,no_show,completed"`
	Price        int64      `json:"price"`
	Discount     int64      `json:"discount"`
	PriceRule    string     `json:"price_rule"`
	CheckInFrom  time.Time  `json:"check_in_from"`
	CheckInBy    time.Time  `json:"check_in_by"`
	CheckedInAt  *time.Time `json:"checked_in_at"`
	CancelledAt  *time.Time `json:"cancelled_at,omitempty"`
	CancelReason string     `json:"cancel_reason,omitempty"`
	Replaces     string     `json:"replaces,omitempty"`
	Actions      []string   `json:"actions,omitempty" doc:"for the desk: what may be done with this slot now: move, undo_no_show"`
}

// CourtRef names a court.
type CourtRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// LineView is some pieces of one good in an order.
type LineView struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Qty   int    `json:"qty"`
	Price int64  `json:"price" doc:"fen for one piece"`
}

// TicketView is what the customer shows at the door.
type TicketView struct {
	Code string `json:"code"`
	QR   QR     `json:"qr" doc:"a PNG as a data URI"`
}

// QR is what a QR code says. It is drawn where it is sent and not before: drawing
// takes longer than a transaction may.
type QR string

// MarshalText draws the code as a PNG in a data URI.
func (q QR) MarshalText() ([]byte, error) {
	png, err := qrcode.Encode(string(q), qrcode.Medium, 320)
	if err != nil {
		return nil, fmt.Errorf("draw a QR code: %w", err)
	}
	return append([]byte("data:image/png;base64,"), base64.StdEncoding.EncodeToString(png)...), nil
}

// LateMoneyView says what became of money that came too late.
type LateMoneyView struct {
	Amount  int64  `json:"amount"`
	Verdict string `json:"verdict" enum:"revived,refunded,flagged"`
	Reason  string `json:"reason,omitempty"`
}

// PersonView is a customer as the desk sees them.
type PersonView struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Phone string `json:"phone"`
}

// PaymentView is one payment as the desk sees it.
type PaymentView struct {
	ID      string     `json:"id"`
	Via     string     `json:"via"`
	Purpose string     `json:"purpose" enum:"order,move"`
	Amount  int64      `json:"amount"`
	State   string     `json:"state" enum:"open,succeeded,closed,flagged"`
	Verdict string     `json:"verdict,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	At      *time.Time `json:"at"`
}

// RefundView is one refund.
type RefundView struct {
	ID      string     `json:"id"`
	Amount  int64      `json:"amount"`
	Purpose string     `json:"purpose"`
	Reason  string     `json:"reason,omitempty"`
	State   string     `json:"state" enum:"pending,processing,done,abnormal"`
	Via     string     `json:"via"`
	Problem string     `json:"problem,omitempty" doc:"for the desk"`
	ByHand  bool       `json:"by_hand,omitempty" doc:"for the desk: a person confirms it and hands the money back"`
	HandWhy string     `json:"hand_why,omitempty" enum:"cash,abnormal,amount,refused,failing" doc:"for the desk, why by hand: it was cash; the provider gave up; it gave back another sum; it refuses for good; nothing has come of it for three days"`
	TwiceAt *time.Time `json:"twice_at,omitempty" doc:"for the desk: it was handed back by hand, and then the provider said that it arrived, too"`
	DoneAt  *time.Time `json:"done_at"`
}

// Order gives one order to its owner or the desk.
func (a *App) Order(ctx context.Context, actor Actor, id string) (OrderView, error) {
	var view OrderView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) (err error) {
		view, err = a.viewByID(s, venue, id, actor)
		return err
	})
	return view, err
}

// OrderOfReservation gives the order that a reservation belongs to, or belonged to
// before another row took its place.
func (a *App) OrderOfReservation(ctx context.Context, actor Actor, reservationID string) (OrderView, error) {
	var view OrderView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		r, err := s.Reservation(reservationID)
		if err != nil {
			return err
		}
		view, err = a.viewByID(s, venue, r.OrderID, actor)
		return err
	})
	return view, err
}

func (a *App) viewByID(s *sqlite.Snapshot, venue sqlite.Venue, id string, actor Actor) (OrderView, error) {
	order, err := s.Order(id)
	if err != nil {
		return OrderView{}, err
	}
	if err := mayActNow(s, actor, order); err != nil {
		return OrderView{}, err
	}
	return a.viewOrder(s, venue, order, actor)
}

// viewOrder shows an order.
func (a *App) viewOrder(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, actor Actor) (OrderView, error) {
	v := a.viewClaims(venue, o, actor, s.Now)
	if err := v.addMoney(s, venue, o, actor); err != nil {
		return v, err
	}
	if actor.IsStaff() {
		c, err := s.Customer(o.CustomerID)
		if err != nil {
			return v, err
		}
		v.Customer = &PersonView{ID: c.ID, Name: orElse(o.Contact, c.Name), Phone: c.Phone}
	}
	return v, nil
}

// viewClaims shows what an order claims; where there is no way to pay, paying is no action.
func (a *App) viewClaims(venue sqlite.Venue, o domain.Order, actor Actor, now domain.Instant) OrderView {
	at := clockFace(venue)
	state := o.State(now)
	v := OrderView{ID: o.ID, Number: o.Number, State: string(state), Now: at(now), ChangesAt: maybe(venue, o.NextChange(now)),
		BookedAt: at(o.BookedAt), PayBy: maybe(venue, o.PayBy(now)), Pay: o.Pay, Total: o.TotalFen(now), Currency: venue.Currency, Discount: o.DiscountFen(now),
		Reservations: []ReservationView{}, Goods: []LineView{}, Refunds: []RefundView{}, Actions: actionsFor(o, actor, now)}
	if len(a.providers) == 0 {
		v.Actions = slices.DeleteFunc(v.Actions, func(action string) bool { return action == "pay" })
	}
	names := namesOf(venue.Courts)
	if state == domain.Held {
		v.Due = payable(o, now)
	}
	for _, r := range o.Slots(now) {
		slot := viewReservation(venue, r, names[r.CourtID], now)
		if actor.IsStaff() {
			slot.Actions = slotActions(r, now)
		}
		v.Reservations = append(v.Reservations, slot)
	}
	if b, ok := o.Basket(now); ok {
		for _, l := range b.Lines {
			v.Goods = append(v.Goods, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
		}
		if len(b.Lines) > 0 {
			v.GoodsState = string(b.AsOf(now).State(now))
		}
		if b.Coupon != "" {
			v.Coupon = &b.Coupon
		}
	}
	if state == domain.Paid {
		v.Ticket = &TicketView{Code: o.TicketCode, QR: QR(o.TicketCode)}
	}
	return v
}

func viewReservation(venue sqlite.Venue, r domain.Reservation, court string, now domain.Instant) ReservationView {
	at, c := clockFace(venue), r.AsOf(now)
	zh, en := slotWords(venue, r.Slot(), court)
	return ReservationView{ID: r.ID, Court: CourtRef{ID: r.CourtID, Name: court}, Start: at(r.StartsAt), End: at(r.EndsAt),
		Label: zh, LabelEN: en, State: string(c.State(now)), Price: r.PriceFen, Discount: r.DiscountFen, PriceRule: r.PriceRule,
		CheckInFrom: at(r.CheckInFrom), CheckInBy: at(r.CheckInBy), CheckedInAt: maybe(venue, c.CheckedInAt),
		CancelledAt: maybe(venue, c.CancelledAt), CancelReason: r.CancelReason, Replaces: r.Replaces}
}

func (v *OrderView) addMoney(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, actor Actor) error {
	payments, err := s.PaymentsOfOrder(o.ID)
	if err != nil {
		return err
	}
	for _, p := range payments {
		if p.SucceededAt.IsSet() && p.Verdict != verdictFlagged { // that money pays for nothing
			v.Paid += p.AmountFen
		}
		if p.Verdict == verdictRevived || p.Verdict == verdictRefunded || p.Verdict == verdictFlagged {
			v.LateMoney = &LateMoneyView{Amount: p.AmountFen, Verdict: p.Verdict, Reason: p.VerdictReason}
		}
		if actor.IsStaff() {
			v.Payments = append(v.Payments, PaymentView{ID: p.ID, Via: p.Via, Purpose: p.Purpose, Amount: p.AmountFen,
				State: paymentState(p), Verdict: p.Verdict, Reason: p.VerdictReason, At: maybe(venue, p.SucceededAt)})
		}
	}
	refunds, err := s.RefundsOfOrder(o.ID)
	if err != nil {
		return err
	}
	for _, r := range refunds {
		if r.DoneAt.IsSet() {
			v.Refunded += r.AmountFen
		} else {
			v.RefundPending += r.AmountFen
		}
		v.Refunds = append(v.Refunds, viewRefund(venue, r, actor))
	}
	return nil
}

func viewRefund(venue sqlite.Venue, r sqlite.Refund, actor Actor) RefundView {
	v := RefundView{ID: r.ID, Amount: r.AmountFen, Purpose: r.Purpose, Reason: r.Reason, State: r.State(), Via: r.Via, DoneAt: maybe(venue, r.DoneAt)}
	if actor.IsStaff() {
		v.Problem, v.ByHand, v.TwiceAt = r.LastError, byHand(r), maybe(venue, r.TwiceAt)
		if v.ByHand {
			v.HandWhy = handWhy(r)
		}
	}
	return v
}

func paymentState(p sqlite.Payment) string {
	switch {
	case p.Verdict == verdictFlagged:
		return "flagged"
	case p.SucceededAt.IsSet():
		return "succeeded"
	case p.ClosedAt.IsSet():
		return "closed"
	}
	return "open"
}

// actionsFor lists what somebody may do with an order now; every use case judges
// again by itself.
func actionsFor(o domain.Order, actor Actor, now domain.Instant) []string {
	out := []string{}
	add := func(ok bool, name string) {
		if ok {
			out = append(out, name)
		}
	}
	state := o.State(now)
	add(state == domain.Held, "pay")
	add(refuseCancel(o, actor, now) == nil, "cancel")
	if !actor.IsStaff() {
		return out
	}
	add(state == domain.Held, "mark_paid")
	var noShow bool
	slots := map[string]bool{}
	for _, r := range o.Slots(now) {
		noShow = noShow || r.AsOf(now).State(now) == domain.NoShow
		for _, action := range slotActions(r, now) {
			slots[action] = true
		}
	}
	add(slots["move"], "move")
	add(slots["undo_no_show"], "undo_no_show")
	add(noShow && !o.ForgivenAt.IsSet(), "forgive")
	b, ok := o.Basket(now)
	add(ok && len(b.Lines) > 0 && b.AsOf(now).State(now) == domain.Confirmed, "handover")
	add(anyPaid(o, now), "refund")
	return out
}

// slotActions lists what the desk may do with one slot of an order now.
func slotActions(r domain.Reservation, now domain.Instant) []string {
	switch state := r.AsOf(now).State(now); {
	case state == domain.Held || state == domain.Confirmed:
		return []string{"move"}
	case state == domain.NoShow && r.ReplacedAs != "undone":
		return []string{"undo_no_show"}
	}
	return nil
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// BoardView is the desk's view of a business day at an instant: now, then, or
// what will be if nobody acts.
type BoardView struct {
	Date string    `json:"date"`
	Now  time.Time `json:"now"`
	At   time.Time `json:"at"`
	// ChangesAt is after At.
	ChangesAt *time.Time   `json:"changes_at" doc:"the next instant at which this answer changes with nobody doing anything"`
	Courts    []BoardCourt `json:"courts"`
}

// BoardCourt is one court's day.
type BoardCourt struct {
	ID    string      `json:"id"`
	Name  string      `json:"name"`
	Slots []BoardSlot `json:"slots"`
}

// BoardSlot is one slot of a court with who is, was or will be in it.
type BoardSlot struct {
	ID       string        `json:"id"`
	Start    time.Time     `json:"start"`
	End      time.Time     `json:"end"`
	Label    string        `json:"label"`
	State    string        `json:"state" enum:"past,closed,not_open,held,taken,free"`
	Sellable bool          `json:"sellable" doc:"whether the desk could put somebody in"`
	Price    int64         `json:"price"`
	Closure  *ClosureView  `json:"closure,omitempty"`
	Bookings []BookingView `json:"bookings" doc:"every booking of the slot that counts, the blocking one first"`
}

// BookingView is one reservation as the desk sees it.
type BookingView struct {
	ReservationView
	Order     string     `json:"order"`
	Number    string     `json:"number"`
	Customer  PersonView `json:"customer"`
	BookedAt  time.Time  `json:"booked_at"`
	Blocks    bool       `json:"blocks"`
	Late      bool       `json:"late" doc:"paid and begun, and nobody has checked in yet"`
	PayBy     *time.Time `json:"pay_by"`
	PaidAt    *time.Time `json:"paid_at"`
	Pay       string     `json:"pay"`
	Via       string     `json:"via,omitempty" doc:"the way in which the order was paid; empty when it was not, or cost nothing"`
	ReleaseAt *time.Time `json:"release_at"`
}

// board reads what was known at an instant: rows that had been booked, with the
// facts that had happened, and closures that had been made.
type board struct {
	s     *sqlite.Snapshot
	venue sqlite.Venue
	at    domain.Instant
	names map[string]string
	heads map[string]sqlite.OrderHead // of the orders of the day
	vias  map[string]string           // in which way orders were paid
}

// DeskDay derives a business day as it was, is, or will be at an instant.
func (a *App) DeskDay(ctx context.Context, day domain.Date, at domain.Instant) (BoardView, error) {
	var out BoardView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		if !at.IsSet() {
			at = s.Now
		}
		names, err := courtNames(s)
		if err != nil {
			return err
		}
		b := board{s: s, venue: venue, at: at, names: names}
		out = BoardView{Date: day.String(), Now: s.Now.In(venue.Calendar.Zone), At: at.In(venue.Calendar.Zone), Courts: []BoardCourt{}}
		return b.fill(&out, day)
	})
	return out, err
}

func (b board) fill(out *BoardView, day domain.Date) error {
	slots := b.venue.Calendar.Slots(day)
	courts, err := b.s.Courts()
	if err != nil || len(slots) == 0 {
		return err
	}
	span := domain.Slot{Start: slots[0].Start, End: slots[len(slots)-1].End}
	rows, err := b.s.ReservationsBetween(span.Start, span.End, 0)
	if err != nil {
		return err
	}
	closures, err := b.s.ClosuresBetween(span.Start, span.End)
	if err != nil {
		return err
	}
	if err := b.readOrders(rows, span); err != nil {
		return err
	}
	byCourt := map[string][]domain.Reservation{}
	for _, r := range rows {
		byCourt[r.CourtID] = append(byCourt[r.CourtID], r)
	}
	var next domain.Instant
	opens := b.venue.Policy.BookingOpens(b.venue.Calendar, day)
	for _, c := range courts {
		if !c.Active {
			continue
		}
		court := BoardCourt{ID: c.ID, Name: c.Name}
		for _, slot := range slots {
			cell := domain.Judge(c.ID, slot, opens, b.venue.Policy.SaleEnds(slot.Start), b.at, byCourt[c.ID], closures)
			next = earlier(next, cell.NextAtDesk(byCourt[c.ID]))
			court.Slots = append(court.Slots, b.slot(cell, day, byCourt[c.ID]))
		}
		out.Courts = append(out.Courts, court)
	}
	out.ChangesAt = maybe(b.venue, next)
	return nil
}

// readOrders reads whose some rows are and how they were paid, all at once: the board
// is asked for again every few seconds.
func (b *board) readOrders(rows []domain.Reservation, within domain.Slot) (err error) {
	orders := make([]string, len(rows))
	for i, r := range rows {
		orders[i] = r.OrderID
	}
	if b.heads, err = b.s.OrderHeads(orders); err != nil {
		return err
	}
	b.vias, err = b.s.PaidVias(within.Start, within.End, b.at)
	return err
}

func (b board) slot(cell domain.Cell, day domain.Date, rows []domain.Reservation) BoardSlot {
	face := clockFace(b.venue)
	v := BoardSlot{ID: slotID(cell.CourtID, cell.Slot.Start), Start: face(cell.Slot.Start), End: face(cell.Slot.End), Label: b.venue.Calendar.Label(cell.Slot.Start),
		State: string(cell.State()), Sellable: cell.RefuseDesk() == nil, Price: priceOf(b.venue, cell.CourtID, day, cell.Slot.Start).PriceFen, Bookings: []BookingView{}}
	if cell.Closure != nil {
		closure := viewClosure(b.venue, *cell.Closure)
		v.Closure = &closure
	}
	for _, r := range rows {
		if r.CourtID != cell.CourtID || !r.Slot().Overlaps(cell.Slot) || !r.Counts(b.at) {
			continue
		}
		booking := b.booking(r)
		if booking.Blocks {
			v.Bookings = append([]BookingView{booking}, v.Bookings...)
		} else {
			v.Bookings = append(v.Bookings, booking)
		}
	}
	return v
}

func (b board) booking(r domain.Reservation) BookingView {
	head := b.heads[r.OrderID]
	known, view := r.AsOf(b.at), viewReservation(b.venue, r, b.names[r.CourtID], b.at)
	if b.at == b.s.Now && r.Counts(b.at) {
		view.Actions = slotActions(r, b.at)
	}
	return BookingView{ReservationView: view, Order: r.OrderID, Number: head.Number, BookedAt: r.BookedAt.In(b.venue.Calendar.Zone),
		Customer: PersonView{ID: head.CustomerID, Name: head.Name, Phone: head.Phone}, Blocks: known.Live(b.at), Pay: head.Pay, Via: b.vias[r.OrderID],
		Late:  known.State(b.at) == domain.Confirmed && r.StartsAt <= b.at,
		PayBy: maybe(b.venue, known.PayBy), PaidAt: maybe(b.venue, known.PaidAt), ReleaseAt: maybe(b.venue, known.ReleaseAt())}
}

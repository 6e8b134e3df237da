package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// MovePreview is what moving a booking to another slot would come to now.
type MovePreview struct {
	Order      string    `json:"order"`
	Number     string    `json:"number"`
	From       MoveSlot  `json:"from"`
	To         MoveSlot  `json:"to"`
	Paid       bool      `json:"paid" doc:"whether the booking is paid, so that the difference is settled at once"`
	Difference int64     `json:"difference" doc:"fen: what the new slot costs more, or less when negative"`
	Take       int64     `json:"take" doc:"fen that the desk takes in cash at once"`
	Back       int64     `json:"back" doc:"fen that go back to the customer"`
	Now        time.Time `json:"now"`
}

// MoveSlot is one end of a move.
type MoveSlot struct {
	Court     CourtRef  `json:"court"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Label     string    `json:"label"`
	LabelEN   string    `json:"label_en"`
	Price     int64     `json:"price"`
	Discount  int64     `json:"discount"`
	PriceRule string    `json:"price_rule"`
}

// PreviewMove judges a move as MoveReservation does, and changes nothing.
func (a *App) PreviewMove(ctx context.Context, actor Actor, reservationID string, to SlotRef) (MovePreview, error) {
	if err := actor.mustWorkHere(); err != nil {
		return MovePreview{}, err
	}
	var out MovePreview
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		old, err := s.Reservation(reservationID)
		if err != nil {
			return err
		}
		order, err := s.Order(old.OrderID)
		if err != nil {
			return err
		}
		m, err := judgeMove(s, venue, order, old, to)
		if err != nil {
			return err
		}
		names, err := courtNames(s)
		if err != nil {
			return err
		}
		end := func(court string, slot domain.Slot, price, discount int64, rule string) MoveSlot {
			zh, en := slotWords(venue, slot, names[court])
			return MoveSlot{Court: CourtRef{ID: court, Name: names[court]}, Start: slot.Start.In(venue.Calendar.Zone), End: slot.End.In(venue.Calendar.Zone),
				Label: zh, LabelEN: en, Price: price, Discount: discount, PriceRule: rule}
		}
		comes, err := m.settles(s)
		if err != nil {
			return err
		}
		out = MovePreview{Order: order.ID, Number: order.Number, Paid: m.state == domain.Confirmed, Difference: comes.Difference, Take: comes.Take, Back: comes.Back,
			Now:  s.Now.In(venue.Calendar.Zone),
			From: end(old.CourtID, old.Slot(), old.PriceFen, old.DiscountFen, old.PriceRule),
			To:   end(to.Court, m.target.cell.Slot, m.target.rule.PriceFen, m.target.discountFen, m.target.rule.Name)}
		return nil
	})
	return out, err
}

// settles says what a move comes to, and which part of that changes hands: nothing
// for a booking that is not paid, and never more back than earlier refunds have left.
func (m moving) settles(s *sqlite.Snapshot) (ShownMove, error) {
	comes := ShownMove{Difference: m.differenceFen()}
	switch {
	case m.state != domain.Confirmed:
	case comes.Difference > 0:
		comes.Take = comes.Difference
	case comes.Difference < 0:
		_, left, err := paidAndLeft(s, m.order.ID)
		if err != nil {
			return comes, err
		}
		comes.Back = min(-comes.Difference, left)
	}
	return comes, nil
}

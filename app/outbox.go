package app

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"courtd/app/notify"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// notice is one message about to be put into the outbox.
type notice struct {
	kind        string
	occasion    string
	reservation *domain.Reservation // when it is about one slot
	old         *domain.Reservation // the slot that was moved
	refundFen   int64
	amountFen   int64
	reason      string
	revived     bool
}

// queue writes a notice into the outbox, with a delivery by each channel of its kind,
// and the event that goes with it, in the transaction that causes them. The same
// notice (order or reservation, kind, occasion) is written once.
func (a *App) queue(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, n notice) error {
	facts, err := factsOf(&tx.Snapshot, venue, o, n)
	if err != nil {
		return err
	}
	facts.AtDesk = o.Pay == payOnArrival || !a.PaysOnline()
	words, values := wordsOf(venue, n.kind, facts)
	stored, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("facts of a %s notice: %w", n.kind, err)
	}
	row := sqlite.Notice{CustomerID: o.CustomerID, OrderID: o.ID, Kind: n.kind, Occasion: n.occasion, Facts: string(stored),
		Title: words.Title, Text: words.Text, TitleEN: words.TitleEN, TextEN: words.TextEN}
	if n.reservation != nil {
		row.ReservationID = n.reservation.ID
	}
	if err := tx.QueueNotice(row, venue.Messages.Ways(n.kind)); err != nil {
		return err
	}
	return queueEvent(tx, venue, o, n)
}

// wordsOf puts a notice into the owner's words, or the program's where there are none.
func wordsOf(venue sqlite.Venue, kind string, facts notify.Facts) (notify.Texts, map[string]string) {
	words, values := notify.Render(kind, facts), facts.Values()
	values["title"] = words.Title
	if own, ok := venue.Messages.Texts[kind]; ok {
		words = notify.Texts{Title: domain.Fill(own.Title, values), Text: domain.Fill(own.Text, values),
			TitleEN: domain.Fill(own.TitleEN, values), TextEN: domain.Fill(own.TextEN, values)}
	}
	return words, values
}

func factsOf(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, n notice) (notify.Facts, error) {
	names := namesOf(venue.Courts)
	f := notify.Facts{OrderNumber: o.Number, RefundFen: n.refundFen, AmountFen: n.amountFen, Reason: n.reason, Revived: n.revived,
		Venue: venue.Name, VenuePhone: venue.Phone}
	slots := o.Slots(s.Now)
	if n.reservation != nil {
		slots = []domain.Reservation{*n.reservation}
	}
	for _, r := range slots {
		zh, en := slotWords(venue, r.Slot(), names[r.CourtID])
		f.Slots, f.SlotsEN = append(f.Slots, zh), append(f.SlotsEN, en)
		if f.Court == "" {
			f.Court, f.Start = names[r.CourtID], r.StartsAt.In(venue.Calendar.Zone).Format("2006年1月2日 15:04")
		}
	}
	if basket, ok := o.Basket(s.Now); ok && n.reservation == nil {
		for _, l := range basket.Lines {
			f.Goods = append(f.Goods, fmt.Sprintf("%s × %d", l.Name, l.Qty))
		}
	}
	if by := o.PayBy(s.Now); by.IsSet() {
		f.PayBy = venue.Calendar.Label(by)
		if venue.Calendar.LocalDate(by) != venue.Calendar.LocalDate(s.Now) {
			f.PayBy = by.In(venue.Calendar.Zone).Format("01-02 15:04")
		}
	}
	if n.old != nil && n.reservation != nil {
		f.OldSlot, f.OldSlotEN = slotWords(venue, n.old.Slot(), names[n.old.CourtID])
		f.NewSlot, f.NewSlotEN = f.Slots[0], f.SlotsEN[0]
	}
	if n.amountFen == 0 && (n.kind == notify.KindHeld || n.kind == notify.KindPaid) {
		f.AmountFen = o.TotalFen(s.Now)
	}
	return f, nil
}

func courtNames(s *sqlite.Snapshot) (map[string]string, error) {
	courts, err := s.Courts()
	if err != nil {
		return nil, err
	}
	return namesOf(courts), nil
}

func namesOf(courts []sqlite.Court) map[string]string {
	names := make(map[string]string, len(courts))
	for _, c := range courts {
		names[c.ID] = c.Name
	}
	return names
}

// backoff is the wait after the n-th failed try.
func backoff(n int) time.Duration {
	wait := domain.FirstRetry
	for ; n > 1 && wait < domain.MaxRetry; n-- {
		wait *= 2
	}
	return min(wait, domain.MaxRetry)
}

// QueueReminders queues the reminders that are due: one for an order's first
// slot of a business day, unless it was booked closer to the start than that.
func (a *App) QueueReminders(ctx context.Context) (queued int, err error) {
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		queued = 0
		before := domain.Instant(venue.Policy.ReminderBeforeMinutes) * 60
		if before == 0 {
			return nil
		}
		rows, err := tx.RemindersDue(before, domain.SettleBatch)
		if err != nil {
			return err
		}
		for i := range rows {
			err := tx.Try(func() error {
				order, err := tx.Order(rows[i].OrderID)
				if err != nil {
					return err
				}
				return a.queue(tx, venue, order, notice{kind: notify.KindReminder, occasion: fmt.Sprint(int64(rows[i].StartsAt)), reservation: &rows[i]})
			})
			switch {
			case err == nil:
				queued++
			case isUnavailable(err):
				return err
			default:
				a.log.Error("reminder not queued", "reservation", rows[i].ID, "error", err)
			}
		}
		return nil
	})
	return queued, err
}

// ResendNotice puts a notice back into the outbox for the desk, with a record of who asked.
func (a *App) ResendNotice(ctx context.Context, actor Actor, id string) error {
	return a.ResendNoticeOnce(ctx, actor, id, "")
}

// NewID is a new time-ordered id.
func NewID() string { return secret.NewID() }

package app

import (
	"context"
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

// queue writes a notice into the outbox, in the transaction that causes it. The
// same notice (order or reservation, kind, occasion) is written once.
func (a *App) queue(tx *sqlite.Tx, venue sqlite.Venue, o domain.Order, n notice) error {
	facts, err := factsOf(&tx.Snapshot, venue, o, n)
	if err != nil {
		return err
	}
	facts.AtDesk = o.Pay == payOnArrival || !a.PaysOnline()
	words := notify.Render(n.kind, facts)
	row := sqlite.Notice{CustomerID: o.CustomerID, OrderID: o.ID, Kind: n.kind, Occasion: n.occasion,
		Title: words.Title, Text: words.Text, TitleEN: words.TitleEN, TextEN: words.TextEN}
	if n.reservation != nil {
		row.ReservationID = n.reservation.ID
	}
	return tx.QueueNotice(row)
}

func factsOf(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, n notice) (notify.Facts, error) {
	names, err := courtNames(s)
	if err != nil {
		return notify.Facts{}, err
	}
	f := notify.Facts{OrderNumber: o.Number, RefundFen: n.refundFen, AmountFen: n.amountFen, Reason: n.reason, Revived: n.revived}
	slots := o.Slots(s.Now)
	if n.reservation != nil {
		slots = []domain.Reservation{*n.reservation}
	}
	for _, r := range slots {
		zh, en := slotWords(venue, r.Slot(), names[r.CourtID])
		f.Slots, f.SlotsEN = append(f.Slots, zh), append(f.SlotsEN, en)
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
	names := map[string]string{}
	for _, c := range courts {
		names[c.ID] = c.Name
	}
	return names, nil
}

// whyStale says why a notice has lost its reason, or "". It is asked when a
// notice is sent and when a customer reads the list, not when it is queued.
func whyStale(n sqlite.Notice, o domain.Order, now domain.Instant) string {
	state := o.State(now)
	switch n.Kind {
	case notify.KindHeld:
		if state != domain.Held {
			return "the order is " + string(state)
		}
	case notify.KindLapsed:
		if state != domain.Lapsed {
			return "the order is " + string(state)
		}
	case notify.KindReminder:
		for _, r := range o.Slots(now) {
			if r.ID == n.ReservationID && r.State(now) == domain.Confirmed && now < r.StartsAt {
				return ""
			}
		}
		return "the booking is gone, has begun or was checked in"
	case notify.KindNoShow:
		for _, r := range o.Slots(now) {
			if r.ID == n.ReservationID && r.State(now) == domain.NoShow {
				return ""
			}
		}
		return "the no-show was undone"
	}
	return ""
}

// hiddenFromList reports whether a customer's list leaves a notice out. What was
// true when it was written stays in the list, except what would mislead.
func hiddenFromList(n sqlite.Notice, o domain.Order, now domain.Instant) bool {
	return n.Kind != notify.KindHeld && n.Kind != notify.KindReminder && whyStale(n, o, now) != ""
}

// DeliverReport counts what one pass of the outbox did.
type DeliverReport struct {
	Sent    int `json:"sent"`
	Dropped int `json:"dropped"`
	Failed  int `json:"failed"`
}

// DeliverNotices sends what waits in the outbox until nothing is due. One that
// fails is tried again later and holds up no other.
func (a *App) DeliverNotices(ctx context.Context) (DeliverReport, error) {
	var rep DeliverReport
	after := ""
	for ctx.Err() == nil {
		var batch []sqlite.Notice
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			batch, err = s.NoticesToSend(after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return rep, err
		}
		for _, n := range batch {
			after = n.ID
			err := ctx.Err()
			if err == nil {
				err = a.deliver(ctx, n, &rep)
			}
			if err != nil && !stops(ctx, err) {
				err = a.notDelivered(ctx, n, err, &rep)
			}
			if err != nil {
				return rep, err
			}
		}
	}
	return rep, ctx.Err()
}

// deliver takes one notice for one try, judges it again, sends it and writes
// down what came of it. Between sending and writing it down the process may die:
// then the notice goes out once more after its lease.
func (a *App) deliver(ctx context.Context, n sqlite.Notice, rep *DeliverReport) error {
	var mine bool
	err := a.db.Write(ctx, func(tx *sqlite.Tx) error {
		mine = false
		order, err := tx.Order(n.OrderID)
		if err != nil {
			return err
		}
		if why := whyStale(n, order, tx.Now); why != "" {
			rep.Dropped++
			return tx.NoticeDropped(n.ID, why)
		}
		mine, err = tx.LeaseNotice(n.ID, tx.Now.Add(domain.NoticeLease))
		return err
	})
	if err != nil || !mine {
		return err
	}
	sendErr := a.send(ctx, notify.Message{ID: n.ID, Kind: n.Kind, CustomerName: n.CustomerName, Phone: n.Phone,
		Title: n.Title, Text: n.Text, TitleEN: n.TitleEN, TextEN: n.TextEN})
	if sendErr != nil {
		return a.notDelivered(ctx, n, sendErr, rep)
	}
	rep.Sent++
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.NoticeSent(n.ID) })
}

// notDelivered counts a failed try, whatever it failed at: it is made again later,
// or was the last.
func (a *App) notDelivered(ctx context.Context, n sqlite.Notice, problem error, rep *DeliverReport) error {
	rep.Failed++
	tries := n.Tries + 1
	a.log.Warn("notice not delivered", "notice", n.ID, "order", n.OrderID, "tries", tries, "error", problem)
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		return tx.NoticeFailed(n.ID, firstLine(problem), tries, tx.Now.Add(backoff(tries)), tries >= domain.MaxNoticeTries)
	})
}

// send gives one message to the channel, with a time limit, and survives its
// panics. It is not broken off when ctx ends: nobody would know whether it arrived.
func (a *App) send(ctx context.Context, m notify.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in channel %s: %v", a.channel.Name(), p)
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), domain.CommandTimeout)
	defer cancel()
	return a.channel.Send(ctx, m)
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

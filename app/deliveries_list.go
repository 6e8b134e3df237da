package app

import (
	"context"
	"strconv"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// deliveriesLookedThrough bounds how many of the newest messages one page of the outbox
// looks through for those in a state.
const deliveriesLookedThrough = 5000

// DeliveryView is one message on its way by one channel.
type DeliveryView struct {
	ID        int64
	At        time.Time
	Channel   string
	Notice    string // its id; empty for an event
	Kind      string
	Order     string
	Number    string
	Customer  string
	Phone     string // masked
	State     string // waiting, sent, dropped or gave_up
	Tries     int
	NextTry   *time.Time // while it waits
	Done      *time.Time // when it came to its state
	Why       string     // a word for why it was dropped
	LastError string
}

// Deliveries lists what went and goes out by a channel, or by all, in a state, or in
// any, newest first. A page may be short of its limit although there are more: it says
// where to look further.
func (a *App) Deliveries(ctx context.Context, actor Actor, channel, state string, page Page) (List[DeliveryView], error) {
	out := List[DeliveryView]{Items: []DeliveryView{}}
	if err := actor.mustBeOwner(); err != nil {
		return out, err
	}
	before, err := rowCursor(page.Cursor)
	if err != nil {
		return out, err
	}
	look := sqlite.DeliveryLook{Channel: channel, State: state, Before: before}
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out.Now = s.Now.In(venue.Calendar.Zone)
		rows, next, err := s.DeliveriesLike(look, deliveriesLookedThrough, page.limit())
		if err != nil {
			return err
		}
		for _, d := range rows {
			out.Items = append(out.Items, viewDelivery(venue, d))
		}
		if next != 0 {
			cursor := strconv.FormatInt(next, 10)
			out.Next = &cursor
		}
		return nil
	})
	return out, err
}

func viewDelivery(venue sqlite.Venue, d sqlite.DeliveryRow) DeliveryView {
	v := DeliveryView{ID: d.ID, At: d.CreatedAt.In(venue.Calendar.Zone), Channel: d.Channel, Notice: d.NoticeID, Kind: d.Kind, Order: d.OrderID, Number: d.OrderNumber,
		Customer: d.Name, State: d.State(), Tries: d.Tries, Why: d.Why, LastError: d.LastError}
	if d.Phone != "" {
		v.Phone = domain.MaskPhone(d.Phone)
	}
	switch v.State {
	case "waiting":
		v.NextTry = maybe(venue, d.NextTryAt)
	case "sent":
		v.Done = maybe(venue, d.SentAt)
	case "dropped":
		v.Done = maybe(venue, d.DroppedAt)
	default:
		v.Done = maybe(venue, d.GaveUpAt)
	}
	return v
}

// OutcomesOf says what became of notices by each of their channels, by the notice's id.
func (a *App) OutcomesOf(ctx context.Context, actor Actor, notices []string) (map[string][]DeliveryView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return nil, err
	}
	out := map[string][]DeliveryView{}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		rows, err := s.DeliveriesOfNotices(notices)
		for _, d := range rows {
			out[d.NoticeID] = append(out[d.NoticeID], viewDelivery(venue, sqlite.DeliveryRow{Delivery: d}))
		}
		return err
	})
	return out, err
}

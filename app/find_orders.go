package app

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"courtd/domain"
	"courtd/sqlite"
)

// FoundOrder is an order in a list of those that were looked for.
type FoundOrder struct {
	ID           string            `json:"id"`
	Number       string            `json:"number"`
	State        string            `json:"state"`
	BookedAt     time.Time         `json:"booked_at"`
	Customer     PersonView        `json:"customer"`
	Reservations []ReservationView `json:"reservations"`
	Goods        []LineView        `json:"goods"`
	Total        int64             `json:"total" doc:"fen"`
}

// numberYears is in how many years an order is looked for by its number, which
// does not tell the year.
const numberYears = 5

// minPhonePart is how many digits of a phone say whose it is.
const minPhonePart = 4

// FindOrders finds orders for the desk, newest first: by their number (1210-0042,
// its last digits, or up to three digits for the place on its day), by four or more
// digits of a phone, or by a part of a name. Numbers are found in any of the last
// years, all else among the newest orders.
func (a *App) FindOrders(ctx context.Context, actor Actor, text string) ([]FoundOrder, error) {
	if err := actor.mustWorkHere(); err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > domain.MaxNameChars {
		return nil, domain.BadField("q", "must not be longer than %d characters", domain.MaxNameChars)
	}
	var out []FoundOrder
	if text == "" {
		return out, nil
	}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		found, err := find(s, venue, text)
		if err != nil {
			return err
		}
		names, err := courtNames(s)
		if err != nil {
			return err
		}
		for _, o := range found {
			v, err := viewFound(s, venue, o, names)
			if err != nil {
				return err
			}
			out = append(out, v)
		}
		return nil
	})
	return out, err
}

// wholeNumber is an order's number as it is printed, with or without its hyphen.
var wholeNumber = regexp.MustCompile(`^(\d\d)(\d\d)-?(\d{4,})$`)

func find(s *sqlite.Snapshot, venue sqlite.Venue, text string) ([]domain.Order, error) {
	compact := strings.TrimPrefix(strings.NewReplacer(" ", "", "-", "").Replace(text), "+86")
	wanted := sqlite.Wanted{Name: text}
	if strings.Trim(compact, "0123456789") == "" && compact != "" {
		if len(compact) < minPhonePart {
			wanted.Seq, _ = strconv.Atoi(compact)
		} else {
			wanted.Number, wanted.Phone = compact, compact
		}
	}
	var found []domain.Order
	if parts := wholeNumber.FindStringSubmatch(strings.ReplaceAll(text, " ", "")); parts != nil {
		seq, _ := strconv.Atoi(parts[3])
		var days []domain.Date
		for n := range numberYears {
			year := venue.Calendar.LocalDate(s.Now).Year - n
			if day, err := domain.ParseDate("date", strconv.Itoa(year)+"-"+parts[1]+"-"+parts[2]); err == nil {
				days = append(days, day)
			}
		}
		var err error
		if found, err = s.OrdersNumbered(days, seq); err != nil {
			return nil, err
		}
	}
	rest, err := s.FindOrders(wanted, domain.FindAmong, domain.MaxFound)
	for _, o := range rest {
		if !slices.ContainsFunc(found, func(f domain.Order) bool { return f.ID == o.ID }) {
			found = append(found, o)
		}
	}
	return found[:min(len(found), domain.MaxFound)], err
}

func viewFound(s *sqlite.Snapshot, venue sqlite.Venue, o domain.Order, names map[string]string) (FoundOrder, error) {
	head, err := s.OrderHead(o.ID)
	v := FoundOrder{ID: o.ID, Number: o.Number, State: string(o.State(s.Now)), BookedAt: o.BookedAt.In(venue.Calendar.Zone),
		Customer: PersonView{ID: head.CustomerID, Name: head.Name, Phone: head.Phone}, Total: o.TotalFen(s.Now)}
	for _, r := range o.Slots(s.Now) {
		v.Reservations = append(v.Reservations, viewReservation(venue, r, names[r.CourtID], s.Now))
	}
	if b, ok := o.Basket(s.Now); ok {
		for _, l := range b.Lines {
			v.Goods = append(v.Goods, LineView{ID: l.GoodID, Name: l.Name, Qty: l.Qty, Price: l.PriceFen})
		}
	}
	return v, err
}

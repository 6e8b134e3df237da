package app

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// Page asks for one page of a list. Cursor is what the page before gave as next;
// the whole walk is judged at the instant of its first page.
type Page struct {
	Cursor string
	Limit  int
}

// place is a decoded cursor: the instant of the walk and where it has come to.
type place struct {
	walkAt domain.Instant
	before sqlite.Cursor
}

func (p Page) limit() int {
	if p.Limit < 1 || p.Limit > domain.MaxPageItems {
		return domain.MaxPageItems
	}
	return p.Limit
}

func (p Page) place(now domain.Instant) (place, error) {
	if p.Cursor == "" {
		return place{walkAt: now, before: sqlite.FromNewest}, nil
	}
	var out place
	text, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d %d %s", &out.walkAt, &out.before.At, &out.before.ID)
	}
	if err != nil || out.walkAt > now || *out.next(out.before.At, out.before.ID) != p.Cursor {
		return out, errCursor()
	}
	return out, nil
}

func errCursor() error { return domain.BadField("cursor", "is not one that this list gave out") }

// rowCursor reads the cursor of a list that goes by the numbers of its rows; without one it
// is 0.
func rowCursor(cursor string) (before int64, err error) {
	if cursor == "" {
		return 0, nil
	}
	before, err = strconv.ParseInt(cursor, 10, 64)
	if err != nil || before < 1 || strconv.FormatInt(before, 10) != cursor {
		return 0, errCursor()
	}
	return before, nil
}

func (p place) next(at domain.Instant, id string) *string {
	text := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %d %s", p.walkAt, at, id))
	return &text
}

// List is one page of a list.
type List[T any] struct {
	Items []T       `json:"items"`
	Next  *string   `json:"next" doc:"cursor of the next page, or null"`
	Now   time.Time `json:"now" doc:"the instant at which the whole list is judged"`
}

// NoticeView is one notice as its customer sees it.
type NoticeView struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Order   string    `json:"order"`
	At      time.Time `json:"at"`
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	TitleEN string    `json:"title_en"`
	TextEN  string    `json:"text_en"`
}

// Notices lists a customer's own notices, newest first.
func (a *App) Notices(ctx context.Context, actor Actor, page Page) (List[NoticeView], error) {
	out := List[NoticeView]{Items: []NoticeView{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		at, err := page.place(s.Now)
		if err != nil {
			return err
		}
		out.Now = at.walkAt.In(venue.Calendar.Zone)
		notices, err := s.NoticesOf(actor.ID, at.walkAt, at.before, page.limit()+1)
		if err != nil {
			return err
		}
		for i, n := range notices {
			if i == page.limit() {
				out.Next = at.next(notices[i-1].CreatedAt, notices[i-1].ID)
				break
			}
			order, err := s.Order(n.OrderID)
			if err != nil {
				return err
			}
			if !hiddenFromList(n, order, s.Now) {
				out.Items = append(out.Items, viewNotice(venue, n))
			}
		}
		return nil
	})
	return out, err
}

// NoticesAbout gives what a customer has been told about one order of their own,
// newest first, as far as it is still true.
func (a *App) NoticesAbout(ctx context.Context, actor Actor, orderID string) ([]NoticeView, error) {
	var out []NoticeView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		notices, err := s.NoticesOfOrder(actor.ID, orderID, domain.MaxPageItems)
		if err != nil || len(notices) == 0 {
			return err
		}
		order, err := s.Order(orderID)
		for _, n := range notices {
			if !hiddenFromList(n, order, s.Now) {
				out = append(out, viewNotice(venue, n))
			}
		}
		return err
	})
	return out, err
}

func viewNotice(venue sqlite.Venue, n sqlite.Notice) NoticeView {
	return NoticeView{ID: n.ID, Kind: n.Kind, Order: n.OrderID, At: n.CreatedAt.In(venue.Calendar.Zone),
		Title: n.Title, Text: n.Text, TitleEN: n.TitleEN, TextEN: n.TextEN}
}

// OutboxView is one notice as the desk sees it.
type OutboxView struct {
	NoticeView
	State    string `json:"state" enum:"waiting,sent,dropped,gave_up"`
	Why      string `json:"why,omitempty" doc:"why it was not sent, or what the last try met with"`
	WhyCode  string `json:"why_code,omitempty" doc:"a word for why it was dropped"`
	Tries    int    `json:"tries"`
	Customer string `json:"customer"`
}

// why says why a notice was not sent, or what its last try met with.
func why(n sqlite.Notice) string {
	_, en := notify.WhyWords(n.DropReason)
	return orElse(en, n.LastError)
}

// Outbox lists all notices for the desk, newest first.
func (a *App) Outbox(ctx context.Context, page Page) (List[OutboxView], error) {
	out := List[OutboxView]{Items: []OutboxView{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		at, err := page.place(s.Now)
		if err != nil {
			return err
		}
		out.Now = at.walkAt.In(venue.Calendar.Zone)
		notices, err := s.AllNotices(at.walkAt, at.before, page.limit()+1)
		for i, n := range notices {
			if i == page.limit() {
				out.Next = at.next(notices[i-1].CreatedAt, notices[i-1].ID)
				break
			}
			out.Items = append(out.Items, OutboxView{NoticeView: viewNotice(venue, n), State: n.State(),
				Why: why(n), WhyCode: n.DropReason, Tries: n.Tries, Customer: n.CustomerName})
		}
		return err
	})
	return out, err
}

// RefundsForStaff lists refunds that wait for a person.
func (a *App) RefundsForStaff(ctx context.Context, actor Actor) (List[RefundView], error) {
	out := List[RefundView]{Items: []RefundView{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out.Now = s.Now.In(venue.Calendar.Zone)
		rows, err := s.RefundsForStaff(domain.MaxPageItems)
		for _, r := range rows {
			out.Items = append(out.Items, viewRefund(venue, r, actor))
		}
		return err
	})
	return out, err
}

// CountRefundsForStaff says how many refunds wait for a person at the desk.
func (a *App) CountRefundsForStaff(ctx context.Context) (n int, err error) {
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		n, err = s.CountRefundsForStaff()
		return err
	})
	return n, err
}

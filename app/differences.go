package app

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// What can be the matter between a bill and our rows.
const (
	ThereNotHere       = "there_not_here"
	HereNotThere       = "here_not_there"
	AmountDiffers      = "amount"
	RefundThereNotHere = "refund_there_not_here"
	RefundHereNotThere = "refund_here_not_there"
	RefundDiffers      = "refund_amount"
	Flagged            = "flagged"
)

// DifferenceView is one payment or refund on which WeChat's bill and our rows do not
// agree, or money that was flagged here.
type DifferenceView struct {
	Key         string           `json:"key" doc:"its name as long as it exists"`
	Code        string           `json:"code" enum:"there_not_here,here_not_there,amount,refund_there_not_here,refund_here_not_there,refund_amount,flagged"`
	Day         string           `json:"day" doc:"of China"`
	At          time.Time        `json:"at"`
	Merchant    string           `json:"merchant"`
	Payment     string           `json:"payment" doc:"out_trade_no"`
	Refund      string           `json:"refund,omitempty" doc:"out_refund_no"`
	Transaction string           `json:"transaction,omitempty" doc:"WeChat's own number of the payment"`
	There       *int64           `json:"there" doc:"fen that the bill names; null when it names none"`
	Here        *int64           `json:"here" doc:"fen by our rows; null when there is no such row"`
	Order       string           `json:"order,omitempty"`
	Number      string           `json:"number,omitempty" doc:"of the order"`
	Via         string           `json:"via,omitempty"`
	Reason      string           `json:"reason,omitempty" doc:"of flagged: in what the money differs"`
	WillAsk     bool             `json:"will_ask" doc:"the next round asks WeChat about it"`
	Explained   *ExplanationView `json:"explained"`
}

// ExplanationView is what somebody has said about a difference.
type ExplanationView struct {
	Text   string    `json:"text"`
	By     string    `json:"by"`
	ByName string    `json:"by_name"`
	At     time.Time `json:"at"`
}

// DifferenceFilter narrows the differences down; what is left out narrows nothing.
type DifferenceFilter struct {
	State string // open or explained
	Day   string // of China
	Code  string
}

// Differences lists what does not add up, the newest day first. They are derived at the
// instant of asking from the newest bill of each day, the payments and the refunds: one
// that has resolved itself is not there any more.
func (a *App) Differences(ctx context.Context, actor Actor, filter DifferenceFilter, page Page) (List[DifferenceView], error) {
	out := List[DifferenceView]{Items: []DifferenceView{}}
	if err := actor.mustBeOwner(); err != nil {
		return out, err
	}
	find, err := filter.search(page.Cursor)
	if err != nil {
		return out, err
	}
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out.Now = s.Now.In(venue.Calendar.Zone)
		found, err := a.counts.list(s, find, page.limit()+1)
		for i, d := range found {
			if i == page.limit() {
				next := base64.RawURLEncoding.EncodeToString([]byte(found[i-1].Day + " " + found[i-1].Key))
				out.Next = &next
				break
			}
			out.Items = append(out.Items, viewDifference(venue, d))
		}
		return err
	})
	return out, err
}

func (f DifferenceFilter) search(cursor string) (sqlite.DifferenceSearch, error) {
	find := sqlite.DifferenceSearch{State: f.State, Day: f.Day, Code: f.Code}
	if f.State != "" && f.State != "open" && f.State != "explained" {
		return find, domain.BadField("state", `must be "open" or "explained"`)
	}
	if _, err := billDay(f.Day); err != nil {
		return find, err
	}
	if cursor == "" {
		return find, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	day, key, ok := strings.Cut(string(text), " ")
	if _, wrong := domain.ParseDate("day", day); err != nil || !ok || wrong != nil {
		return find, errCursor()
	}
	find.AfterDay, find.After = day, key
	return find, nil
}

// AllDifferences gives those of a run of days at one instant, for a table to keep: of all
// years at once they would be read, sorted and held in memory for one file.
func (a *App) AllDifferences(ctx context.Context, actor Actor, span domain.DateSpan) ([]DifferenceView, error) {
	if err := actor.mustBeOwner(); err != nil {
		return nil, err
	}
	if err := span.Validate(); err != nil {
		return nil, err
	}
	var out []DifferenceView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		found, err := s.Differences(sqlite.DifferenceSearch{From: span.From.String(), Until: span.Until.String()}, domain.MaxTableRows+1)
		if err == nil && len(found) > domain.MaxTableRows {
			return domain.BadField("until", "the days have more than %d rows", domain.MaxTableRows)
		}
		for _, d := range found {
			out = append(out, viewDifference(venue, d))
		}
		return err
	})
	return out, err
}

// CountDifferences says how many differences wait for somebody to explain them. It may be
// a minute behind what the newest payments say, but not behind a bill or an explanation.
func (a *App) CountDifferences(ctx context.Context) (open int, err error) {
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		open, err = a.counts.glance(s)
		return err
	})
	return open, err
}

func viewDifference(venue sqlite.Venue, d sqlite.Difference) DifferenceView {
	out := DifferenceView{Key: d.Key, Code: d.Code, Day: d.Day, At: d.At.In(venue.Calendar.Zone), Merchant: d.Merchant, Payment: d.PaymentID,
		Transaction: d.TransactionID, Order: d.OrderID, Number: d.Number, Via: d.Via, WillAsk: d.WillAsk}
	if d.Kind == "refund" && d.No != d.PaymentID {
		out.Refund = d.No
	}
	if d.Code == Flagged {
		out.Reason = d.Reason
	}
	if d.ThereFen.Valid {
		out.There = &d.ThereFen.V
	}
	if d.HereFen.Valid {
		out.Here = &d.HereFen.V
	}
	if d.Text != "" {
		out.Explained = &ExplanationView{Text: d.Text, By: d.By, ByName: d.ByName, At: d.ExplainedAt.In(venue.Calendar.Zone)}
	}
	return out
}

// Explaining is what somebody has to say about a difference. Seen is what was said about
// it before, as they have read it; empty when nothing was.
type Explaining struct {
	Key, Text, Seen string
}

// ExplainDifference keeps what the owner says about a difference that exists. Saying
// something else later takes its place, because the first word is often "we have asked";
// each stays in the audit. Who has not seen what stands there now does not write over it.
func (a *App) ExplainDifference(ctx context.Context, actor Actor, e Explaining, key Key) (DifferenceView, error) {
	if actor.Role != RoleOwner { // by name: the program has nothing to say here
		return DifferenceView{}, domain.Refuse(domain.Forbidden, "forbidden", "this is for the owner")
	}
	text, err := domain.ParseNote("text", e.Text)
	if err == nil && text == "" {
		err = domain.BadField("text", "must not be empty")
	}
	if err != nil {
		return DifferenceView{}, err
	}
	var out DifferenceView
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		_, _, err := once(tx, actor, key, "explain difference", []string{e.Key, text}, func() (string, error) {
			return e.Key, explain(tx, actor, e, text)
		})
		if err != nil {
			return err
		}
		found, err := tx.Differences(sqlite.DifferenceSearch{Key: e.Key}, 1)
		if err != nil {
			return err
		}
		if len(found) == 0 { // it has resolved itself since the first time
			return errNoDifference()
		}
		out = viewDifference(venue, found[0])
		return nil
	})
	if err == nil {
		a.counts.forget()
	}
	return out, err
}

func errNoDifference() error {
	return domain.Refuse(domain.NotFound, "no_difference", "there is no such difference any more")
}

func explain(tx *sqlite.Tx, actor Actor, e Explaining, text string) error {
	found, err := tx.Differences(sqlite.DifferenceSearch{Key: e.Key}, 1)
	if err != nil {
		return err
	}
	if e.Key == "" || len(found) == 0 {
		return errNoDifference()
	}
	d := found[0]
	if d.Text == text {
		return nil
	}
	if d.Text != strings.TrimSpace(strings.ReplaceAll(e.Seen, "\r\n", "\n")) {
		return domain.Refuse(domain.Conflict, "changed_meanwhile", "somebody has explained this since you looked").With("text", d.Text)
	}
	if err := tx.Explain(d.Key, text, actor.ID); err != nil {
		return err
	}
	detail := map[string]any{"difference_code": d.Code, "day": d.Day, "payment": d.PaymentID}
	if d.OrderID != "" {
		detail["order"] = d.OrderID
	}
	if d.Text != "" {
		detail["before"] = d.Text
	}
	return tx.Audit(actor.audit("explain difference", d.Key, text, detail))
}

package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"courtd/app/pay/wechat/bill"
	"courtd/domain"
	"courtd/sqlite"
)

// Bills are fetched by the rounds: yesterday's, and those that were missed meanwhile.
// Which are to be fetched follows from which are here; what failed waits for an hour,
// and after some hours for a day.
const (
	BillsBack   = 7 // days that the rounds look back
	billPause   = time.Hour
	billHourly  = 6 // tries
	billTooLong = 24 * time.Hour
)

// Why the bill of a day could not be fetched.
const (
	BillNotReady    = "not_ready"
	BillUnavailable = "unavailable"
	BillRefused     = "refused"
)

// BillsReport says what one round did about bills.
type BillsReport struct {
	Fetched  int `json:"fetched"`
	NotReady int `json:"not_ready"`
	Failed   int `json:"failed"`
}

// BillTryView is what has come of the tries to fetch the bill of a day that is missing.
type BillTryView struct {
	Day   string     `json:"day" doc:"of China"`
	Tries int        `json:"tries"`
	Why   string     `json:"why,omitempty" enum:",not_ready,unavailable,refused" doc:"not_ready: WeChat is still making it; unavailable: WeChat did not hand it out; refused: what it handed out is no bill that can be taken; empty while a try is under way"`
	Error string     `json:"error,omitempty"`
	Last  *time.Time `json:"last" doc:"the last try"`
	Next  *time.Time `json:"next" doc:"no other is made before"`
}

// FetchMissingBill fetches the newest bill that is missing of the last days, if there is
// one and its time has come. That it cannot be had is no fault of the round: it is kept,
// and shown.
func (a *App) FetchMissingBill(ctx context.Context) (rep BillsReport, err error) {
	try, err := a.claimBill(ctx)
	if err != nil || try.Day == "" {
		return rep, err
	}
	_, failed := a.FetchBill(ctx, Actor{Role: RoleSystem, ID: "bills"}, try.Day)
	if failed != nil && ctx.Err() != nil {
		return rep, errors.Join(failed, ctx.Err()) // it was stopped; the next try is in an hour
	}
	try.Why = whyNoBill(failed)
	switch try.Why {
	case "":
		rep.Fetched++
	case BillNotReady:
		rep.NotReady++
	default:
		rep.Failed++
		a.log.Warn("the bill of a day was not fetched", "day", try.Day, "tries", try.Tries, "error", failed)
	}
	if failed != nil {
		try.Problem = billProblem(try.Why, failed)
	}
	return rep, a.db.Write(ctx, func(tx *sqlite.Tx) error {
		if failed == nil {
			return tx.ForgetBillTries(try.Merchant, try.Day, lastReady(tx.Now).AddDays(-BillsBack).String())
		}
		try.NextAt = nextBillTry(tx.Now, try.Tries)
		return tx.BillTried(try)
	})
}

// claimBill gives the try at the bill that is to be fetched now; without a day there is
// none. It is counted before it is made: nobody else makes it too, and one that is broken
// off counts.
func (a *App) claimBill(ctx context.Context) (try sqlite.BillTry, err error) {
	via, ok := a.billVia()
	if !ok {
		return try, nil
	}
	merchant, _ := a.providers[via].Merchant()
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		try, err = missingBill(s, merchant)
		return err
	})
	if err != nil || try.Day == "" {
		return try, err
	}
	err = a.db.Write(ctx, func(tx *sqlite.Tx) error {
		if try, err = missingBill(&tx.Snapshot, merchant); err != nil || try.Day == "" {
			return err
		}
		try.Tries++
		try.NextAt = nextBillTry(tx.Now, try.Tries)
		return tx.BillTried(try)
	})
	return try, err
}

// missingBill is about the newest of the last days whose bill WeChat has made, that is not
// here and does not wait after a try. Before the first payment by WeChat there is none.
func missingBill(s *sqlite.Snapshot, merchant string) (none sqlite.BillTry, err error) {
	last := lastReady(s.Now)
	days, first := daysBack(last), ""
	if first, err = s.FirstAttempt(merchant); err != nil || first == "" {
		return none, err
	}
	here, err := s.BilledDays(merchant, days[len(days)-1], days[0])
	if err != nil {
		return none, err
	}
	tried, err := s.BillTries(merchant, days[len(days)-1])
	if err != nil {
		return none, err
	}
	for _, d := range days {
		if d < first || slices.Contains(here, d) {
			continue
		}
		i := slices.IndexFunc(tried, func(t sqlite.BillTry) bool { return t.Day == d })
		if i < 0 {
			return sqlite.BillTry{Merchant: merchant, Day: d}, nil
		}
		// A wait that is longer than any is from a clock that was ahead.
		if t := tried[i]; s.Now >= t.NextAt || t.NextAt > s.Now.Add(billTooLong) {
			return sqlite.BillTry{Merchant: merchant, Day: d, Tries: t.Tries}, nil
		}
	}
	return none, nil
}

// daysBack are the days whose bills are fetched, the newest first.
func daysBack(last domain.Date) (out []string) {
	for n := range BillsBack {
		out = append(out, last.AddDays(-n).String())
	}
	return out
}

func nextBillTry(now domain.Instant, tries int) domain.Instant {
	if tries >= billHourly {
		return now.Add(billTooLong)
	}
	return now.Add(billPause)
}

// whyNoBill is the word for what kept a bill from being fetched.
func whyNoBill(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, bill.ErrNotReady):
		return BillNotReady
	case domain.IsReason(err, "invalid_field"):
		return BillRefused
	}
	return BillUnavailable
}

// billProblem is what is kept of an error beside its word.
func billProblem(why string, err error) string {
	const most = 300
	text := firstLine(err)
	refusal, ok := domain.AsError(err)
	switch {
	case why == BillNotReady:
		return ""
	case ok && why == BillRefused && len(refusal.Fields) == 1:
		text = refusal.Fields[0].Field + " " + refusal.Fields[0].Message
	case ok && refusal.Unwrap() != nil: // the refusal's own words are the word beside it
		text = firstLine(refusal.Unwrap())
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// billTries are the tries for bills that are still missing.
func (a *App) billTries(s *sqlite.Snapshot, venue sqlite.Venue) ([]BillTryView, error) {
	out := []BillTryView{}
	via, ok := a.billVia()
	if !ok {
		return out, nil
	}
	merchant, _ := a.providers[via].Merchant()
	days := daysBack(lastReady(s.Now))
	here, err := s.BilledDays(merchant, days[len(days)-1], days[0])
	if err != nil {
		return out, err
	}
	tried, err := s.BillTries(merchant, days[len(days)-1])
	for _, t := range tried {
		if !slices.Contains(days, t.Day) || slices.Contains(here, t.Day) {
			continue
		}
		out = append(out, BillTryView{Day: t.Day, Tries: t.Tries, Why: t.Why, Error: t.Problem, Last: maybe(venue, t.TriedAt), Next: maybe(venue, t.NextAt)})
	}
	return out, err
}

package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/wechat/bill"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// wechat is the provider of bills, and what its ways to pay begin with.
const (
	wechat     = "wechat"
	wechatVias = domain.ViaWeChat
)

// givesBills is a provider that hands out its own bill of a day of China.
type givesBills interface {
	FetchTradeBill(ctx context.Context, day string) ([]byte, error)
}

// BillImported says what has come of a bill.
type BillImported struct {
	Bill        string `json:"bill" doc:"id of the import"`
	Day         string `json:"day" doc:"of China"`
	Merchant    string `json:"merchant"`
	Payments    int    `json:"payments" doc:"lines of money that came"`
	Refunds     int    `json:"refunds" doc:"lines of money that went back"`
	Matched     int    `json:"matched" doc:"lines on which both sides agree"`
	Differences int    `json:"differences" doc:"of this day, that nobody has explained"`
	WillAsk     int    `json:"will_ask" doc:"payments that WeChat says it has and we do not: the next round asks it about them"`
	Already     bool   `json:"already" doc:"this very file was imported before; what is still not paid here is asked about again"`
	Superseded  bool   `json:"superseded" doc:"a newer bill of that day counts instead"`
}

// ImportBill takes WeChat's bill of a day: all of it or nothing. Without a day it is
// that of the file's lines. The same file again is the same import; another file of the
// same day counts from then on. Payments that WeChat has and we do not are asked about
// in the next round, and judged as all money is.
func (a *App) ImportBill(ctx context.Context, actor Actor, day string, file []byte) (BillImported, error) {
	if err := actor.mustBeOwner(); err != nil {
		return BillImported{}, err
	}
	asked, err := billDay(day)
	if err != nil {
		return BillImported{}, err
	}
	read, err := bill.Parse(file, asked)
	if err != nil {
		return BillImported{}, err
	}
	return a.keepBill(ctx, actor, read, hash(string(file)), "")
}

// billDay reads a day that may be left out.
func billDay(text string) (d domain.Date, err error) {
	if text == "" {
		return d, nil
	}
	return domain.ParseDate("day", text)
}

// FetchBill has WeChat hand out its bill of a day and takes it. A day on which WeChat
// says that nothing was traded has an empty bill.
func (a *App) FetchBill(ctx context.Context, actor Actor, day string) (BillImported, error) {
	if err := actor.mustBeOwner(); err != nil {
		return BillImported{}, err
	}
	asked, err := domain.ParseDate("day", day)
	if err != nil {
		return BillImported{}, err
	}
	now, err := a.Now(ctx)
	if err != nil {
		return BillImported{}, err
	}
	if err := refuseUnlessReady(asked, now); err != nil {
		return BillImported{}, err
	}
	via, ok := a.billVia()
	if !ok {
		return BillImported{}, domain.Refuse(domain.Conflict, "no_bills", "no provider is set up here that hands out bills; upload the file")
	}
	merchant, _ := a.providers[via].Merchant()
	file, err := callProvider(ctx, a, via, CallBill, func(ctx context.Context, p pay.Provider) ([]byte, error) {
		return p.(givesBills).FetchTradeBill(ctx, asked.String())
	})
	switch {
	case errors.Is(err, bill.ErrNone):
		return a.keepBill(ctx, actor, bill.Bill{Merchant: merchant, Day: asked}, hash("none"), merchant)
	case errors.Is(err, bill.ErrNotReady):
		return BillImported{}, domain.BadField("day", "is not ready yet: WeChat is still making its bill; try again later").Because(err)
	case err != nil:
		return BillImported{}, domain.Refuse(domain.Unavailable, "bill_unavailable", "WeChat did not hand out the bill: %s", firstLine(err)).Because(err)
	}
	read, err := bill.ParseProven(file, asked)
	if err != nil {
		return BillImported{}, err
	}
	return a.keepBill(ctx, actor, read, hash(string(file)), merchant)
}

// refuseUnlessReady says in plain words why WeChat has no bill of a day to give.
func refuseUnlessReady(day domain.Date, now domain.Instant) error {
	switch {
	case now < bill.ReadyAt(day):
		return errNoBillYet()
	case day.Before(bill.Day(now).AddDays(-bill.KeptFor)):
		return domain.BadField("day", "is too far back: WeChat gives bills of the last three months; upload the file if you have kept it")
	}
	return nil
}

func errNoBillYet() error {
	return domain.BadField("day", "is not over yet: WeChat makes a day's bill the next morning at 10:00 (China time)")
}

// billVia is a way to pay whose provider hands out bills.
func (a *App) billVia() (via string, ok bool) {
	for _, via := range a.Vias() {
		if _, gives := a.providers[via].(givesBills); gives && strings.HasPrefix(via, wechatVias) {
			return via, true
		}
	}
	return "", false
}

// FetchesBills reports whether bills can be had from WeChat without a file.
func (a *App) FetchesBills() bool {
	_, ok := a.billVia()
	return ok
}

// keepBill writes a bill down with all that follows from it. Fetched names the merchant
// whose bill was asked for; it is empty for a file that somebody brought.
func (a *App) keepBill(ctx context.Context, actor Actor, read bill.Bill, digest, fetched string) (BillImported, error) {
	var out BillImported
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		if tx.Now < bill.Start(read.Day.AddDays(1)) {
			return errNoBillYet()
		}
		merchant, err := a.ourMerchant(&tx.Snapshot, read.Merchant, fetched)
		if err != nil {
			return err
		}
		kept, found, err := tx.BillWith(wechat, merchant, read.Day.String(), digest)
		if err != nil {
			return err
		}
		out = BillImported{Bill: kept.ID, Day: read.Day.String(), Merchant: merchant, Already: found}
		for _, l := range read.Lines {
			if l.Kind == bill.Payment {
				out.Payments++
			} else {
				out.Refunds++
			}
		}
		if !found {
			if out.Bill, err = insertBill(tx, actor, read, merchant, digest); err != nil {
				return err
			}
			from := "file"
			if fetched != "" {
				from = wechat
			}
			if err := tx.Audit(actor.audit("import bill", out.Day, "", map[string]any{"merchant": merchant, "payments": out.Payments, "refunds": out.Refunds, "source": from})); err != nil {
				return err
			}
		}
		// The same file again asks again: its first question may have had no answer.
		return askAbout(tx, out.Bill)
	})
	if err != nil {
		return out, err
	}
	a.counts.forget()
	// What comes of it is read afterwards: nobody who books waits for that.
	return out, a.db.Read(ctx, out.compare)
}

// askAbout has the next round ask about what a bill calls paid and is not paid here.
func askAbout(tx *sqlite.Tx, billID string) error {
	ask, err := tx.PaidThereOnly(billID)
	if err != nil {
		return err
	}
	for _, payment := range ask {
		if err := tx.LookAgain(payment, tx.Now); err != nil {
			return err
		}
	}
	return nil
}

func insertBill(tx *sqlite.Tx, actor Actor, read bill.Bill, merchant, digest string) (id string, err error) {
	lines := make([]sqlite.BillLine, len(read.Lines))
	for i, l := range read.Lines {
		lines[i] = sqlite.BillLine{Line: l.No, Kind: l.Kind, OutTradeNo: l.OutTradeNo, OutRefundNo: l.OutRefundNo, TransactionID: l.TransactionID,
			AmountFen: l.AmountFen, At: l.At, State: l.State}
	}
	b := sqlite.Bill{ID: secret.NewID(), Provider: wechat, Merchant: merchant, Day: read.Day.String(), Digest: digest}
	if actor.Role != RoleSystem {
		b.ImportedBy = actor.ID
	}
	return b.ID, tx.InsertBill(b, lines)
}

// compare counts what the bill that counts agrees with.
func (b *BillImported) compare(s *sqlite.Snapshot) error {
	counted, err := s.CountedBill(wechat, b.Merchant, b.Day)
	if err != nil {
		return err
	}
	b.Superseded = counted != b.Bill
	found, err := s.Differences(sqlite.DifferenceSearch{Day: b.Day}, 2*domain.MaxBillLines)
	b.Matched = b.Payments + b.Refunds
	for _, d := range found {
		if d.Merchant != b.Merchant {
			continue
		}
		if d.ThereFen.Valid {
			b.Matched--
		}
		if d.Text == "" {
			b.Differences++
		}
		if d.WillAsk {
			b.WillAsk++
		}
	}
	b.Matched = max(0, b.Matched)
	return err
}

// ourMerchant refuses the bill of a merchant who has nothing to do with this venue. A
// bill without lines names none: then it is the merchant that we are.
func (a *App) ourMerchant(s *sqlite.Snapshot, merchant, fetched string) (string, error) {
	ours, err := s.WeChatMerchants()
	if err != nil {
		return "", err
	}
	for _, via := range a.Vias() {
		if m, _ := a.providers[via].Merchant(); strings.HasPrefix(via, wechatVias) && !slices.Contains(ours, m) {
			ours = append(ours, m)
		}
		if m, _ := a.providers[via].Merchant(); strings.HasPrefix(via, wechatVias) && merchant == "" && fetched == "" {
			merchant = m
		}
	}
	switch {
	case len(ours) == 0:
		return "", domain.BadField("file", "cannot be compared: this venue has no payments by WeChat, and none are set up")
	case merchant == "" && fetched != "":
		return fetched, nil
	case merchant == "":
		return ours[len(ours)-1], nil
	case !slices.Contains(ours, merchant), fetched != "" && merchant != fetched:
		return "", domain.BadField("file", "is the bill of merchant %s, which has taken no money for this venue (ours: %s)", merchant, strings.Join(ours, ", "))
	}
	return merchant, nil
}

// BillDayView is a day on which WeChat took money, by its bill or by our rows.
type BillDayView struct {
	Day         string     `json:"day" doc:"of China"`
	Merchant    string     `json:"merchant"`
	State       string     `json:"state" enum:"imported,missing,not_yet"`
	Bill        string     `json:"bill,omitempty" doc:"id of the import that counts"`
	ImportedAt  *time.Time `json:"imported_at"`
	ImportedBy  string     `json:"imported_by,omitempty"`
	Payments    int        `json:"payments" doc:"in the bill"`
	PaymentsSum int64      `json:"payments_sum" doc:"fen"`
	Refunds     int        `json:"refunds" doc:"in the bill"`
	RefundsSum  int64      `json:"refunds_sum" doc:"fen"`
	Here        int        `json:"here" doc:"payments of that day that succeeded here"`
	HereSum     int64      `json:"here_sum" doc:"fen"`
	Differences int        `json:"differences" doc:"that nobody has explained"`
	Explained   int        `json:"explained"`
}

// BillsView is one page of such days, the newest first.
type BillsView struct {
	List[BillDayView]
	Differences int           `json:"differences" doc:"of all days, that nobody has explained"`
	Explained   int           `json:"explained"`
	Tries       []BillTryView `json:"tries" doc:"bills of the last days that the rounds could not fetch yet"`
	Fetches     bool          `json:"fetches" doc:"whether bills can be fetched from WeChat"`
	LastReady   string        `json:"last_ready" doc:"the newest day of which WeChat has made the bill"`
}

// Bills lists the days on which WeChat took money, with and without their bills.
func (a *App) Bills(ctx context.Context, actor Actor, page Page) (BillsView, error) {
	out := BillsView{List: List[BillDayView]{Items: []BillDayView{}}, Tries: []BillTryView{}, Fetches: a.FetchesBills()}
	if err := actor.mustBeOwner(); err != nil {
		return out, err
	}
	before := page.Cursor
	if _, err := billDay(before); err != nil {
		return out, domain.BadField("cursor", "is not one that this list gave out")
	}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) (err error) {
		out.Now, out.LastReady = s.Now.In(venue.Calendar.Zone), lastReady(s.Now).String()
		if out.Differences, out.Explained, err = a.counts.all(s); err != nil {
			return err
		}
		if out.Tries, err = a.billTries(s, venue); err != nil {
			return err
		}
		days, err := s.BillDays(before, page.limit()+1)
		for i, d := range days {
			// A day may stand there once for each merchant: a page ends between two days.
			if i >= page.limit() && d.Day != days[i-1].Day {
				next := days[i-1].Day
				out.Next = &next
				break
			}
			view, err := viewBillDay(venue, d, s.Now)
			if err != nil {
				return err
			}
			out.Items = append(out.Items, view)
		}
		return err
	})
	return out, err
}

// lastReady is the newest day of which WeChat has made the bill.
func lastReady(now domain.Instant) domain.Date {
	day := bill.Day(now).AddDays(-1)
	if now < bill.ReadyAt(day) {
		day = day.AddDays(-1)
	}
	return day
}

func viewBillDay(venue sqlite.Venue, d sqlite.BillDay, now domain.Instant) (BillDayView, error) {
	day, err := billDay(d.Day)
	if err != nil {
		return BillDayView{}, fmt.Errorf("day of a bill: %w", err)
	}
	view := BillDayView{Day: d.Day, Merchant: d.Merchant, State: "not_yet", Payments: d.Payments, PaymentsSum: d.PaymentsFen, Refunds: d.Refunds,
		RefundsSum: d.RefundsFen, Here: d.Here, HereSum: d.HereFen, Differences: d.Open, Explained: d.Explained}
	switch {
	case d.Bill != nil:
		view.State, view.Bill, view.ImportedAt, view.ImportedBy = "imported", d.Bill.ID, maybe(venue, d.Bill.ImportedAt), d.ImportedBy
	case now >= bill.ReadyAt(day):
		view.State = "missing"
	}
	return view, nil
}

package records

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// billsPage is the day close: WeChat's bills, and what does not add up.
type billsPage struct {
	kit.Frame
	kit.Trouble
	View      app.BillsView
	Tries     []kit.Say // what came of fetching the bills that are missing
	Days      []billDay
	Imported  bool   // there is a bill among them
	OlderDays string // address; empty on the last page
	FetchDay  kit.Field
	FileDay   kit.Field
	File      kit.Field
	From      kit.Field // of the table to save
	Until     kit.Field
	Explained bool // which of both lists is shown
	Rows      []differenceRow
	More      string
}

type billDay struct {
	app.BillDayView
	Words kit.Words
}

// differenceRow is a difference with the form to explain it.
type differenceRow struct {
	app.DifferenceView
	ID    string
	What  kit.Words
	Do    kit.Words
	Seen  string // what is said about it now
	Typed string
	Wrong *kit.Words
}

// How many one page shows.
const (
	differencesOnPage = 50
	daysOnPage        = 31
)

// billForm is a form of the page that came back.
type billForm struct {
	name string // fetch, file or explain
	err  error
}

func (p *pages) showBills(c *fiber.Ctx) error { return p.drawBills(c, http.StatusOK, billForm{}) }

func (p *pages) drawBills(c *fiber.Ctx, status int, back billForm) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"微信对账", "WeChat bills"})
	if err != nil {
		return err
	}
	f.Styles, f.Said = []string{"records.css"}, kit.SaidOf(c, billsSaid)
	page := billsPage{Frame: f, Explained: c.Query("state") == "explained"}
	actor := httpx.ActorOf(c)
	if page.View, err = p.App.Bills(c.UserContext(), actor, app.Page{Cursor: c.Query("days"), Limit: daysOnPage}); err != nil {
		return err
	}
	for _, d := range page.View.Items {
		page.Days = append(page.Days, billDay{d, billStates[d.State]})
		page.Imported = page.Imported || d.State == "imported"
	}
	page.Tries = tryWords(page.View.Tries)
	page.OlderDays = billsAddress(page.Explained, "days", page.View.Next)
	state := "open"
	if page.Explained {
		state = "explained"
	}
	list, err := p.App.Differences(c.UserContext(), actor, app.DifferenceFilter{State: state}, app.Page{Cursor: c.Query("cursor"), Limit: differencesOnPage})
	if err != nil {
		return err
	}
	page.More = billsAddress(page.Explained, "cursor", list.Next)
	sheets := []*kit.Sheet{billSheet(c, back, "fetch", page.View.LastReady), billSheet(c, back, "file", "")}
	page.FetchDay = sheets[0].Draw(kit.Field{Name: "day", Kind: "date", Label: kit.Words{"日期（北京时间）", "Day (China time)"}, Required: true})
	page.File = sheets[1].Draw(kit.Field{Name: "file", Kind: "file", Label: kit.Words{"账单文件（CSV）", "The bill's file (CSV)"}, Required: true,
		Hint: kit.Words{"商户平台 → 账单管理 → 所有交易", "Merchant platform → bills → all trades"}})
	page.FileDay = sheets[1].Draw(kit.Field{Name: "day", Kind: "date", Label: kit.Words{"日期", "Day"},
		Hint: kit.Words{"可不填：以文件里的日期为准", "May be left out: the file tells it"}})
	span := tableDays(page.View.LastReady)
	days := kit.NewSheet("table", func(name string) string {
		return map[string]string{"from": span.From.String(), "until": span.Until.String()}[name]
	}, kit.Wrong{})
	page.From = days.Draw(kit.Field{Name: "from", Kind: "date", Label: kit.Words{"从", "From"}})
	page.Until = days.Draw(kit.Field{Name: "until", Kind: "date", Label: kit.Words{"到", "Until"}})
	rows, sheet := differenceRows(c, list.Items, back)
	page.Rows = rows
	page.Trouble = kit.TroubleOf(back.err, append(sheets, sheet)...)
	return p.Render(c, status, "bills", page)
}

// billsAddress is the page from a place of one of its lists on; empty when that ends.
func billsAddress(explained bool, list string, cursor *string) string {
	if cursor == nil {
		return ""
	}
	query := url.Values{list: {*cursor}}
	if explained {
		query.Set("state", "explained")
	}
	return "/owner/bills?" + query.Encode()
}

// billSheet draws one of the forms that bring a bill: with what was typed, if it came back.
func billSheet(c *fiber.Ctx, back billForm, name, day string) *kit.Sheet {
	if back.name == name {
		return kit.NewSheet(name, func(field string) string {
			if field == "file" {
				return "" // a browser lets nobody fill that in
			}
			return kit.Sent(c, field)
		}, kit.WrongOf(back.err))
	}
	return kit.NewSheet(name, func(field string) string {
		if field == "day" {
			return day
		}
		return ""
	}, kit.Wrong{})
}

func differenceRows(c *fiber.Ctx, list []app.DifferenceView, back billForm) ([]differenceRow, *kit.Sheet) {
	var wrong kit.Wrong
	if back.name == "explain" {
		wrong = kit.WrongOf(back.err)
	}
	sheet := kit.NewSheet("explain", func(string) string { return "" }, wrong)
	var out []differenceRow
	for i, d := range list {
		words := differenceWords[d.Code]
		row := differenceRow{DifferenceView: d, ID: fmt.Sprintf("text-%d", i+1), What: words.What, Do: words.Do}
		if d.Explained != nil {
			row.Seen, row.Typed = d.Explained.Text, d.Explained.Text
		}
		if back.name == "explain" && kit.Sent(c, "key") == d.Key {
			row.Typed = kit.Sent(c, "text")
			row.Wrong = sheet.AtID("text", row.ID, kit.Words{"说明", "Explanation"})
		}
		out = append(out, row)
	}
	return out, sheet
}

// billBack shows the page with why one of its forms was refused.
func (p *pages) billBack(c *fiber.Ctx, form string, err error) error {
	return kit.Beside(c, err, func(status int) error { return p.drawBills(c, status, billForm{form, err}) }, domain.NotFound)
}

// importBill takes the file that was sent.
func (p *pages) importBill(c *fiber.Ctx) error {
	file := kit.File(c, "file")
	if len(file) == 0 {
		return p.billBack(c, "file", domain.BadField("file", "is required"))
	}
	got, err := p.App.ImportBill(c.UserContext(), httpx.ActorOf(c), kit.Sent(c, "day"), file)
	if err != nil {
		return p.billBack(c, "file", err)
	}
	return kit.Done(c, "/owner/bills", saidOf(got))
}

func (p *pages) fetchBill(c *fiber.Ctx) error {
	got, err := p.App.FetchBill(c.UserContext(), httpx.ActorOf(c), kit.Sent(c, "day"))
	if err != nil {
		return p.billBack(c, "fetch", err)
	}
	return kit.Done(c, "/owner/bills", saidOf(got))
}

func (p *pages) explainDifference(c *fiber.Ctx) error {
	_, err := p.App.ExplainDifference(c.UserContext(), httpx.ActorOf(c),
		app.Explaining{Key: kit.Sent(c, "key"), Text: kit.Sent(c, "text"), Seen: kit.Sent(c, "seen")}, "")
	if err != nil {
		return p.billBack(c, "explain", err)
	}
	return kit.Done(c, "/owner/bills", "explained")
}

// tableDays are those that a table holds if none are asked for: as many as it may, up to
// the newest that has a bill.
func tableDays(lastReady string) domain.DateSpan {
	until, _ := domain.ParseDate("until", lastReady) // it is one of ours
	return domain.DateSpan{From: until.AddDays(1 - domain.MaxReportDays), Until: until}
}

// saveDifferences has the browser save the differences of some days, explained or not.
func (p *pages) saveDifferences(c *fiber.Ctx) error {
	view, err := p.App.Bills(c.UserContext(), httpx.ActorOf(c), app.Page{Limit: 1})
	if err != nil {
		return err
	}
	span := tableDays(view.LastReady)
	if c.Query("from") != "" || c.Query("until") != "" {
		if span, err = domain.ParseDateSpan(c.Query("from"), c.Query("until")); err != nil {
			return err
		}
	}
	list, err := p.App.AllDifferences(c.UserContext(), httpx.ActorOf(c), span)
	if err != nil {
		return err
	}
	t := csv.NewTable("日期 Day", "时间 At", "差异 Difference", "商户订单号 Payment", "商户退款单号 Refund", "微信订单号 WeChat's number", "订单 Order",
		"微信 There", "这里 Here", "说明 Explanation", "谁 By", "说明时间 Explained at")
	for _, d := range list {
		text, by, at := "", "", ""
		if e := d.Explained; e != nil {
			text, by, at = e.Text, e.ByName, e.At.Format("2006-01-02 15:04:05")
		}
		t.Row(csv.Text(d.Day), csv.Text(d.At.Format("2006-01-02 15:04:05")), csv.Text(both(differenceWords[d.Code].What)), csv.Text(d.Payment), csv.Text(d.Refund),
			csv.Text(d.Transaction), csv.Text(d.Number), yuanOrNone(d.There), yuanOrNone(d.Here), csv.Text(text), csv.Text(by), csv.Text(at))
	}
	return sendFile(c, csv.File{Name: "courtd-differences-" + span.From.String() + "-" + span.Until.String() + ".csv", Body: t.Bytes()})
}

// yuanOrNone is a sum, or an empty cell where there is none.
func yuanOrNone(fen *int64) csv.Cell {
	if fen == nil {
		return csv.Text("")
	}
	return csv.Yuan(*fen)
}

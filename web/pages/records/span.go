package records

import (
	"net/http"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/csv"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// preset is a run of days that people ask for by its name.
type preset struct {
	name  string
	words kit.Words
	span  func(today domain.Date) domain.DateSpan
}

// presets end today at the latest: what has not happened yet is no figure.
var presets = []preset{
	{"week", kit.Words{"本周", "This week"}, func(today domain.Date) domain.DateSpan {
		return domain.DateSpan{From: monday(today), Until: today}
	}},
	{"days7", kit.Words{"近 7 天", "Last 7 days"}, func(today domain.Date) domain.DateSpan {
		return domain.DateSpan{From: today.AddDays(-6), Until: today}
	}},
	{"month", kit.Words{"本月", "This month"}, func(today domain.Date) domain.DateSpan {
		return domain.DateSpan{From: first(today), Until: today}
	}},
	{"last-month", kit.Words{"上月", "Last month"}, func(today domain.Date) domain.DateSpan {
		end := first(today).AddDays(-1)
		return domain.DateSpan{From: first(end), Until: end}
	}},
}

// usual is the preset of a page that is asked for without days.
const usual = "days7"

func monday(d domain.Date) domain.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

func first(d domain.Date) domain.Date { return domain.Date{Year: d.Year, Month: d.Month, Day: 1} }

// asked is the run of days that an address asks for, and the preset by which it did.
func asked(c *fiber.Ctx, today domain.Date) (domain.DateSpan, string, error) {
	if c.Query("from") != "" || c.Query("until") != "" {
		span, err := domain.ParseDateSpan(c.Query("from"), c.Query("until"))
		return span, "", err
	}
	name := c.Query("range", usual)
	for _, p := range presets {
		if p.name == name {
			return p.span(today), name, nil
		}
	}
	return presets[1].span(today), usual, nil
}

// dayWords name a day of a table: the year only where days of several stand in it.
func dayWords(d domain.Date, span domain.DateSpan) kit.Words {
	name, date := kit.Weekday(int(d.Weekday())), d.String()
	if span.From.Year == span.Until.Year {
		date = date[len("2006-"):]
	}
	return kit.Words{name[0] + " " + date, name[1][:3] + " " + date}
}

// reportHead is what stands above every report: which report, of which days.
type reportHead struct {
	kit.Frame
	Tabs        []kit.NavLink
	Presets     []kit.NavLink
	Path        string
	From, Until string
	Wrong       kit.Wrong
	Refusal     *kit.Say
	Span        kit.Words
	CSV         string
	Ready       bool // the days are good and there are figures
	Empty       bool // there is nothing in them
	status      int
	days        domain.DateSpan
}

// tabs are the reports in their order.
var tabs = []kit.NavLink{
	{Href: "/owner/reports", Words: kit.Words{"收入", "Takings"}},
	{Href: "/owner/reports/utilisation", Words: kit.Words{"使用率", "Utilisation"}},
	{Href: "/owner/reports/rates", Words: kit.Words{"爽约与失效", "No-shows and lapses"}},
	{Href: "/owner/reports/goods", Words: kit.Words{"商品", "Goods"}},
}

// head reads which days are wanted; days that cannot be are said on the page. The file
// of the same figures is called name.
func (p *pages) head(c *fiber.Ctx, title kit.Words, name string) (reportHead, error) {
	f, venue, now, err := p.OwnerFrame(c, title)
	if err != nil {
		return reportHead{}, err
	}
	f.Styles = []string{"records.css"}
	h := reportHead{Frame: f, Path: c.Path(), From: c.Query("from"), Until: c.Query("until"), status: http.StatusOK}
	span, chosen, err := asked(c, venue.Calendar.DayOf(now))
	if err != nil {
		h.refuse(err)
	} else {
		h.days, h.Ready, h.From, h.Until = span, true, span.From.String(), span.Until.String()
		h.Span = spanWords(span)
		h.CSV = "/owner/reports/" + name + ".csv?" + daysQuery(span).Encode()
	}
	query := url.Values{"from": {h.From}, "until": {h.Until}}
	if chosen != "" {
		query = url.Values{"range": {chosen}}
	}
	for _, tab := range tabs {
		tab.Current = tab.Href == h.Path
		tab.Href += "?" + query.Encode()
		h.Tabs = append(h.Tabs, tab)
	}
	for _, p := range presets {
		h.Presets = append(h.Presets, kit.NavLink{Href: h.Path + "?range=" + p.name, Words: p.words, Current: p.name == chosen})
	}
	return h, nil
}

// refuse keeps what was typed and says what is wrong with it.
func (h *reportHead) refuse(err error) {
	said := kit.Explain(err, time.UTC)
	h.Refusal, h.Wrong, h.status, h.Ready = &said, kit.WrongOf(err), httpx.ProblemOf(err, time.UTC).Status, false
}

func daysQuery(span domain.DateSpan) url.Values {
	return url.Values{"from": {span.From.String()}, "until": {span.Until.String()}}
}

func spanWords(span domain.DateSpan) kit.Words {
	if span.From == span.Until {
		return kit.Words{span.From.String(), span.From.String()}
	}
	return kit.Words{span.From.String() + " 至 " + span.Until.String(), span.From.String() + " to " + span.Until.String()}
}

// saved is the run of days of a file, which is asked for like a page.
func (p *pages) saved(c *fiber.Ctx) (domain.DateSpan, error) {
	venue, _, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return domain.DateSpan{}, err
	}
	span, _, err := asked(c, venue.Calendar.DayOf(now))
	return span, err
}

// sendFile has the browser save a table.
func sendFile(c *fiber.Ctx, f csv.File) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, csv.ContentType)
	c.Set(fiber.HeaderContentDisposition, f.Disposition())
	return c.Send(f.Body)
}

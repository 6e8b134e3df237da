package records

import (
	"fmt"
	"math"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
	"courtd/web/pages/kit"
)

// ratesPage shows what became of orders and slots.
type ratesPage struct {
	reportHead
	Per           kit.Words
	Figure        figure
	Lapse, NoShow string // shares of the whole run
	Days          []ratesRow
	Sum           ratesRow
	Long          bool
}

type ratesRow struct {
	Day           kit.Words
	Lapse, NoShow string
	app.RateFigures
}

func (p *pages) showRates(c *fiber.Ctx) error {
	h, err := p.head(c, kit.Words{"爽约与失效报表", "No-shows and lapses"}, "rates")
	if err != nil {
		return err
	}
	page := ratesPage{reportHead: h}
	if h.Ready {
		report, err := p.App.Rates(c.UserContext(), h.days)
		if err != nil {
			return err
		}
		page.fill(report)
	}
	return p.Render(c, h.status, "rates", page)
}

func (p *pages) saveRates(c *fiber.Ctx) error {
	span, err := p.saved(c)
	if err != nil {
		return err
	}
	report, err := p.App.Rates(c.UserContext(), span)
	if err != nil {
		return err
	}
	return sendFile(c, csv.Rates(report))
}

func (t *ratesPage) fill(r app.RatesReport) {
	t.Empty = r.Total.Orders.Made+r.Total.Slots.Booked == 0
	if t.Empty {
		return
	}
	days := make([]domain.Date, len(r.Days))
	for i, d := range r.Days {
		days[i] = d.Date
		t.Days = append(t.Days, ratesRowOf(dayWords(d.Date, t.days), d.RateFigures))
	}
	t.Sum = ratesRowOf(kit.Words{}, r.Total)
	t.Lapse, t.NoShow, t.Long = t.Sum.Lapse, t.Sum.NoShow, len(days) > mostDayBars
	parts, per := buckets(days)
	t.Per = per
	lapse := series{Name: kit.Words{"失效率（按下单日）", "Lapsed, by the day of the order"}, Look: "s3"}
	noShow := series{Name: kit.Words{"爽约率（按打球日）", "No-shows, by the day of play"}, Look: "s4"}
	for _, b := range parts {
		var lapsed, made, missed, over int
		for _, d := range r.Days[b.from:b.to] {
			lapsed, made = lapsed+d.Orders.Lapsed, made+d.Orders.Made
			missed, over = missed+d.Slots.NoShowsOver, over+d.Slots.Over
		}
		lapse.values = append(lapse.values, share(lapsed, made))
		noShow.values = append(noShow.values, share(missed, over))
	}
	t.Figure = plot{id: "rates", columns: columnsOf(parts), quantity: permille, beside: []series{lapse, noShow},
		title: kit.Words{"爽约与失效图 " + t.Span[0], "Chart of no-shows and lapses, " + t.Span[1]},
		desc: kit.Words{fmt.Sprintf("失效率 %s，爽约率 %s。", t.Lapse, t.NoShow),
			fmt.Sprintf("%s of the orders lapsed; %s of the slots that are over were no-shows.", t.Lapse, t.NoShow)}}.figure()
}

func ratesRowOf(day kit.Words, f app.RateFigures) ratesRow {
	return ratesRow{Day: day, Lapse: percent(f.LapsePercent), NoShow: percent(f.NoShowPercent), RateFigures: f}
}

// share is part of whole in tenths of a per cent, rounded half up as in the report.
func share(part, whole int) int64 {
	if whole == 0 {
		return gap
	}
	return int64((2000*part + whole) / (2 * whole))
}

// percent tells a share of a report; a dash where there is no whole.
func percent(p *float64) string {
	if p == nil {
		return "–"
	}
	return percentText(int64(math.Round(*p * 10)))
}

package records

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
	"courtd/web/pages/kit"
)

// takingsPage shows the money of a run of days.
type takingsPage struct {
	reportHead
	Per    kit.Words
	Figure figure
	Routes []kit.Words // columns of the table
	Days   []takingsRow
	Sum    takingsRow
	Report app.TakingsReport
	Long   bool // the table is folded
}

type takingsRow struct {
	Day kit.Words
	In  []int64 // by route
	app.MoneyFigures
}

func (p *pages) showTakings(c *fiber.Ctx) error {
	h, err := p.head(c, kit.Words{"收入报表", "Takings"}, "takings")
	if err != nil {
		return err
	}
	page := takingsPage{reportHead: h}
	if h.Ready {
		if page.Report, err = p.App.Takings(c.UserContext(), h.days); err != nil {
			return err
		}
		page.fill()
	}
	return p.Render(c, h.status, "takings", page)
}

func (p *pages) saveTakings(c *fiber.Ctx) error {
	span, err := p.saved(c)
	if err != nil {
		return err
	}
	report, err := p.App.Takings(c.UserContext(), span)
	if err != nil {
		return err
	}
	return sendFile(c, csv.Takings(report))
}

func (t *takingsPage) fill() {
	r, total := t.Report, t.Report.Total
	t.Empty = total.Payments+total.Refunds+total.UnderWayCount+total.FlaggedCount == 0
	if t.Empty {
		return
	}
	var place []int
	t.Routes, place = routesOf(r.Routes)
	days := make([]domain.Date, len(r.Days))
	for i, d := range r.Days {
		days[i] = d.Date
		t.Days = append(t.Days, takingsRow{Day: dayWords(d.Date, t.days), In: inByRoute(d.Routes, place, len(t.Routes)), MoneyFigures: d.MoneyFigures})
	}
	t.Sum = takingsRow{In: inByRoute(r.Routes, place, len(t.Routes)), MoneyFigures: total}
	t.Long = len(days) > mostDayBars
	parts, per := buckets(days)
	t.Per, t.Figure = per, t.plot(parts).figure()
}

// routesOf names the ways to pay and gives the column of each. Ways that people
// know under one name share one.
func routesOf(routes []app.TakingsRoute) (names []kit.Words, place []int) {
	known := map[kit.Words]int{}
	for _, r := range routes {
		name := kit.ViaWords(r.Via)
		if _, ok := known[name]; !ok {
			known[name] = len(names)
			names = append(names, name)
		}
		place = append(place, known[name])
	}
	return names, place
}

func inByRoute(routes []app.TakingsRoute, place []int, columns int) []int64 {
	out := make([]int64, columns)
	for i, r := range routes {
		out[place[i]] += r.In
	}
	return out
}

// plot stacks what came in, by route, over the axis and puts what went back under it.
func (t *takingsPage) plot(parts []bucket) plot {
	out := series{Name: kit.Words{"退款", "Refunds"}, Look: "out"}
	net := series{Name: kit.Words{"净额", "Net"}, Look: "line"}
	routes := make([]series, len(t.Routes))
	for i, name := range t.Routes {
		routes[i] = series{Name: name, Look: fmt.Sprintf("s%d", i%4+1)}
	}
	best := 0
	for n, b := range parts {
		sums, back := make([]int64, len(routes)), int64(0)
		for _, day := range t.Days[b.from:b.to] {
			for i, fen := range day.In {
				sums[i] += fen
			}
			back += day.Out
		}
		in := int64(0)
		for i := range routes {
			routes[i].values = append(routes[i].values, sums[i])
			in += sums[i]
		}
		out.values = append(out.values, back)
		net.values = append(net.values, in-back)
		if net.values[n] > net.values[best] {
			best = n
		}
	}
	total, top := t.Report.Total, parts[best].tip
	return plot{id: "takings", columns: columnsOf(parts), quantity: money, stacked: routes, below: &out, line: &net,
		title: kit.Words{"收入图 " + t.Span[0], "Chart of takings, " + t.Span[1]},
		desc: kit.Words{
			fmt.Sprintf("收款 %s，退款 %s，净额 %s。净额最高：%s，%s。", yuan(total.In), yuan(total.Out), yuan(total.Net), top[0], yuan(net.values[best])),
			fmt.Sprintf("%s came in, %s went back, net %s. The highest net: %s, %s.", yuan(total.In), yuan(total.Out), yuan(total.Net), top[1], yuan(net.values[best]))}}
}

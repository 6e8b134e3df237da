package records

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
	"courtd/web/pages/kit"
)

// utilisationPage shows how full the courts were.
type utilisationPage struct {
	reportHead
	Court   string // whose heat map it is; empty: all
	Courts  []courtChoice
	Days    []kit.Words // columns: weekdays, Monday first
	Short   []kit.Words
	Rows    []heatRow
	Foot    []heat
	Total   heat
	Bars    []rankBar
	Rates   []courtRow
	OffGrid int
	Scale   []heat // the legend
}

type courtChoice struct {
	ID, Name string
	Chosen   bool
}

// heatRow is one time of day.
type heatRow struct {
	Label string
	Cells []heat
}

// heat is one cell: how full in words, and how dark.
type heat struct {
	Look          string // h0 to h10, or none
	Text          string
	Whole         string // without decimals, for the narrow cells of a phone
	Used, Offered int
}

type courtRow struct {
	Name string
	heat
}

func (p *pages) showUtilisation(c *fiber.Ctx) error {
	h, err := p.head(c, kit.Words{"使用率报表", "Utilisation"}, "utilisation")
	if err != nil {
		return err
	}
	page := utilisationPage{reportHead: h, Court: c.Query("court")}
	if page.Ready {
		report, err := p.App.Utilisation(c.UserContext(), h.days, page.Court)
		if _, refused := domain.AsError(err); refused && page.Court != "" {
			page.refuse(err)
		} else if err != nil {
			return err
		} else {
			page.fill(report)
		}
	}
	return p.Render(c, page.status, "utilisation", page)
}

func (p *pages) saveUtilisation(c *fiber.Ctx) error {
	span, err := p.saved(c)
	if err != nil {
		return err
	}
	report, err := p.App.Utilisation(c.UserContext(), span, c.Query("court"))
	if err != nil {
		return err
	}
	return sendFile(c, csv.Utilisation(report))
}

func (u *utilisationPage) fill(r app.UtilisationReport) {
	for _, court := range r.Courts {
		u.Courts = append(u.Courts, courtChoice{ID: court.Court.ID, Name: court.Court.Name, Chosen: court.Court.ID == u.Court})
		row := courtRow{Name: court.Court.Name, heat: heatOf(court.UseFigures)}
		u.Rates = append(u.Rates, row)
		bar := rankBar{Name: row.Name, Value: row.Text, Note: kit.Words{fmt.Sprintf("%d / %d 场次", row.Used, row.Offered), fmt.Sprintf("%d of %d slots", row.Used, row.Offered)}}
		if court.Percent != nil {
			bar.Tenths = round(*court.Percent * 10)
		}
		u.Bars = append(u.Bars, bar)
	}
	if u.Court != "" {
		u.CSV += "&" + url.Values{"court": {u.Court}}.Encode()
	}
	u.OffGrid, u.Total, u.Empty = r.OffGrid, heatOf(r.Total), r.Total.Offered == 0
	for _, day := range r.Weekdays {
		name := kit.Weekday(day.Weekday)
		u.Days = append(u.Days, name)
		u.Short = append(u.Short, kit.Words{name[0], name[1][:3]})
		u.Foot = append(u.Foot, heatOf(day.UseFigures))
	}
	for i, start := range r.Starts {
		row := heatRow{Label: start.Label}
		for _, day := range r.Weekdays {
			row.Cells = append(row.Cells, heatOf(day.Cells[i]))
		}
		u.Rows = append(u.Rows, row)
	}
	for tenth := range 11 {
		u.Scale = append(u.Scale, heat{Look: fmt.Sprintf("h%d", tenth), Text: fmt.Sprint(tenth * 10)})
	}
}

// heatOf shades a cell in steps of ten per cent; only what is quite full is darkest.
func heatOf(f app.UseFigures) heat {
	h := heat{Look: "none", Text: percent(f.Percent), Used: f.Used, Offered: f.Offered}
	if f.Offered > 0 {
		h.Look = fmt.Sprintf("h%d", 10*f.Used/f.Offered)
		h.Whole = fmt.Sprintf("%d%%", (200*f.Used+f.Offered)/(2*f.Offered))
	}
	return h
}

func pieces(n int) string { return strconv.Itoa(n) }

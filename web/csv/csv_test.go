package csv_test

import (
	stdcsv "encoding/csv"
	"math"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
)

// read takes a file apart as a spreadsheet program would.
func read(t *testing.T, file []byte) [][]string {
	t.Helper()
	text, found := strings.CutPrefix(string(file), "\xEF\xBB\xBF")
	if !found {
		t.Fatalf("no byte order mark: %q", file)
	}
	rows, err := stdcsv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	return rows
}

func TestHostileTextStaysText(t *testing.T) {
	for text, want := range map[string]string{
		"1号场":                            "1号场",
		"":                               "",
		"a=1+1":                          "a=1+1",
		"13800000001":                    "13800000001",
		"+8613800000001":                 "'+8613800000001",
		"=1+1":                           "'=1+1",
		"-1":                             "'-1",
		"@SUM(A1)":                       "'@SUM(A1)",
		"\t=1":                           "'\t=1",
		"\tname":                         "'\tname",
		"\r=1":                           "'\r=1",
		"\n=1":                           "'\n=1",
		"  =1":                           "'  =1",
		"\u00a0\u3000=1":                 "'\u00a0\u3000=1",
		"\u200b=1":                       "'\u200b=1",
		"\ufeff=1":                       "'\ufeff=1",
		"\u202e=1":                       "'\u202e=1",
		"\u2066\u200f@x":                 "'\u2066\u200f@x",
		"\x01\x7f\u0085=1":               "'\x01\x7f\u0085=1",
		"\ufe0f=1":                       "'\ufe0f=1",
		"\u115f\u3164=1":                 "'\u115f\u3164=1",
		"\U000e0041=1":                   "'\U000e0041=1",
		"\xff=1":                         "'\uFFFD=1",
		"\x00=1":                         "'\uFFFD=1",
		"＝1+1":                           "'＝1+1",
		"＋1":                             "'＋1",
		"－1":                             "'－1",
		"＠x":                             "'＠x",
		"﹦1":                             "'﹦1",
		"−1":                             "'−1",
		`=HYPERLINK("http://x","y")`:     `'=HYPERLINK("http://x","y")`,
		`"=1`:                            `"=1`,
		`a","=1`:                         `a","=1`,
		"<script>alert(1)</script>":      "<script>alert(1)</script>",
		strings.Repeat("🏸", 40):          strings.Repeat("🏸", 40),
		"👨‍👩‍👧":                          "👨‍👩‍👧",
		"\u202eevil":                     "\u202eevil",
		"line one\nline two, \"quoted\"": "line one\nline two, \"quoted\"",
		"a;=1":                           "a;=1",
	} {
		table := csv.NewTable("名字", "n")
		table.Row(csv.Text(text), csv.Int(-1))
		rows := read(t, table.Bytes())
		// A reader of the standard library makes one line end of two characters.
		if len(rows) != 2 || rows[1][0] != want || rows[1][1] != "-1" {
			t.Errorf("%q: %q, want %q", text, rows, want)
		}
	}
}

func TestNumbersStayNumbers(t *testing.T) {
	third := 33.3
	table := csv.NewTable("a")
	for _, c := range []csv.Cell{csv.Int(-5), csv.Int(int64(math.MaxInt64)), csv.Yuan(0), csv.Yuan(5), csv.Yuan(12050), csv.Yuan(-5), csv.Yuan(-12000),
		csv.Yuan(math.MinInt64), csv.Percent(&third), csv.Percent(nil), csv.Percent(new(float64))} {
		table.Row(c)
	}
	want := "\xEF\xBB\xBF\"a\"\r\n-5\r\n9223372036854775807\r\n0.00\r\n0.05\r\n120.50\r\n-0.05\r\n-120.00\r\n-92233720368547758.08\r\n33.3\r\n\r\n0.0\r\n"
	if got := string(table.Bytes()); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestARowFitsItsHeadings(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row of another width is accepted")
		}
	}()
	csv.NewTable("a", "b").Row(csv.Int(1))
}

var head = app.ReportHead{From: domain.Date{Year: 2026, Month: 12, Day: 1}, Until: domain.Date{Year: 2026, Month: 12, Day: 2},
	Now: time.Unix(1796875200, 0), Currency: "CNY"}

func TestReportFiles(t *testing.T) {
	half := 50.0
	evil := "=cmd|' /C calc'!A0"
	out := app.MoneyFigures{In: 6000, Payments: 1, Out: 12000, Refunds: 2, Net: -6000}
	none := app.MoneyFigures{}
	takings := csv.Takings(app.TakingsReport{ReportHead: head, Total: out, Routes: []app.TakingsRoute{{Via: "cash", MoneyFigures: out}},
		Days: []app.TakingsDay{{Date: head.From, Routes: []app.TakingsRoute{{Via: "cash", MoneyFigures: out}}}, {Date: head.Until, Routes: []app.TakingsRoute{{Via: "cash", MoneyFigures: none}}}}})
	use := app.UseFigures{Offered: 2, Used: 1, Percent: &half}
	utilisation := csv.Utilisation(app.UtilisationReport{ReportHead: head, Total: use, Starts: []app.UtilisationStart{{Label: "08:30"}},
		Weekdays: []app.UtilisationWeekday{{Weekday: 1, Cells: []app.UseFigures{use}, UseFigures: use}, {Weekday: 0, Cells: []app.UseFigures{{}}}},
		Courts:   []app.UtilisationCourt{{Court: app.CourtRef{ID: "c1", Name: evil}, UseFigures: use}}})
	rates := csv.Rates(app.RatesReport{ReportHead: head, Days: []app.RatesDay{{Date: head.From}},
		Total: app.RateFigures{Orders: app.OrderCounts{Made: 2, Lapsed: 1}, LapsePercent: &half}})
	goods := csv.Goods(app.GoodsReport{ReportHead: head, Goods: []app.GoodsRow{{ID: "g1", Name: evil, GoodsFigures: app.GoodsFigures{Sold: 3, Revenue: 9050}}}})
	for name, c := range map[string]struct {
		file csv.File
		rows []string // joined by |, without the headings
	}{
		"takings": {takings, []string{"2026-12-01|cash|60.00|1|120.00|2|-60.00|0.00|0|0.00|0", "2026-12-02|cash|0.00|0|0.00|0|0.00|0.00|0|0.00|0",
			"合计 Total|cash|60.00|1|120.00|2|-60.00|0.00|0|0.00|0", "合计 Total|全部 All|60.00|1|120.00|2|-60.00|0.00|0|0.00|0"}},
		"utilisation": {utilisation, []string{"全部 All|周一 Mon|08:30|1|2|50.0", "全部 All|周一 Mon|全部 All|1|2|50.0", "全部 All|周日 Sun|08:30|0|0|", "全部 All|周日 Sun|全部 All|0|0|",
			"全部 All|全部 All|全部 All|1|2|50.0", "'" + evil + "|全部 All|全部 All|1|2|50.0"}},
		"rates": {rates, []string{"2026-12-01|0|0|0|0|0|0|0|0|0||0|0|0|0|0|0|0|0|0|0|", "合计 Total|2|0|0|0|0|1|0|0|0|50.0|0|0|0|0|0|0|0|0|0|0|"}},
		"goods": {goods, []string{"g1|'" + evil + "|3|90.50|0|0.00", "合计 Total|全部 All|0|0.00|0|0.00"}},
	} {
		rows := read(t, c.file.Body)
		var got []string
		for _, row := range rows[1:] {
			got = append(got, strings.Join(row, "|"))
		}
		if strings.Join(got, "\n") != strings.Join(c.rows, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.rows, "\n"))
		}
		if want := `attachment; filename="courtd-` + name + `-2026-12-01-to-2026-12-02.csv"`; c.file.Disposition() != want {
			t.Errorf("%s is sent as %s", name, c.file.Disposition())
		}
		if n := strings.Count(string(c.file.Body), "\r\n"); n != len(rows) {
			t.Errorf("%s: %d line ends for %d rows", name, n, len(rows))
		}
	}
}

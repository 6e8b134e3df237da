package records_test

import (
	"regexp"
	"strings"
	"testing"

	"courtd/sqlite"
	"courtd/web/pages/clubtest"
	"courtd/web/pages/records"
)

const ofTwoDays = "?from=2026-12-10&until=2026-12-11"

// rowOf is the row of a table that begins with a heading, as a reader sees it.
func rowOf(p clubtest.Page, heading string) string {
	for _, row := range regexp.MustCompile(`(?s)<tr>.*?</tr>`).FindAllString(p.Body, -1) {
		text := clubtest.Page{Body: row}.Text()
		if strings.HasPrefix(text, heading+" ") {
			return strings.TrimPrefix(text, heading+" ")
		}
	}
	return ""
}

func wantRow(t *testing.T, p clubtest.Page, heading, want string) {
	t.Helper()
	if got := rowOf(p, heading); got != want {
		t.Errorf("the row %s is %q, want %q", heading, got, want)
	}
}

func TestTakingsAreTheMoneyThatCame(t *testing.T) {
	h := open(t)
	h.twoDays()
	p := h.owner.Get("/owner/reports" + ofTwoDays).Want(200)
	// Cash, sandbox, refunds, net, payments, refunds made.
	wantRow(t, p, "周四 12-10", "￥60 ￥150 −￥30 ￥180 3 1")
	wantRow(t, p, "周五 12-11", "– ￥40 – ￥40 1 0")
	wantRow(t, p, "合计", "￥60 ￥190 −￥30 ￥220 4 1")
	p.Says("收款 ￥250 4 笔", "退款 −￥30 1 笔", "净额 ￥220", "收款 ￥250，退款 ￥30，净额 ￥220。净额最高：2026-12-10 周四，￥180。")
	p.Says("2026-12-10 周四 · 现金 ￥60", "2026-12-10 周四 · 沙箱 ￥150", "2026-12-10 周四 · 退款 ￥30", "2026-12-11 周五 · 沙箱 ￥40")
	p.Has(`role="img" aria-labelledby="takings-small-title takings-small-desc"`, `fill="url(#s1)"`, `fill="url(#out)"`, `href="/owner/reports/takings.csv?from=2026-12-10&amp;until=2026-12-11"`)
	if n := strings.Count(p.Body, `class="edge"><title>`); n != 2*4 {
		t.Errorf("%d bars in both charts, want 8", n)
	}
	english := h.owner.Get("/owner/reports" + ofTwoDays + "&lang=en")
	p = h.owner.Get(english.Location).Says("Came in ¥250 payments: 4", "¥250 came in, ¥30 went back, net ¥220.", "Thursday 2026-12-10 · cash ¥60").HasNot("￥")
}

func TestBarsAreAsHighAsTheirMoney(t *testing.T) {
	h := open(t)
	h.twoDays()
	p := h.owner.Get("/owner/reports" + ofTwoDays)
	wide := clubtest.Around(p.Body, `<svg class="wide"`, "</svg>")
	bars := regexp.MustCompile(`y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="url\(#(\w+)\)" class="edge"><title>([^<]*)`).FindAllStringSubmatch(wide, -1)
	high := map[string]string{}
	for _, b := range bars {
		high[b[4]] = b[1] + " " + b[2]
	}
	// The axis goes from -50 to 250 in steps of 50, over 251 units: ￥1 is 0.8367 of
	// them, and nothing is 232.2 from above. A bar is told by its top and its height.
	for tip, want := range map[string]string{"2026-12-10 周四 · 现金 ￥60": "182 50.2", "2026-12-10 周四 · 沙箱 ￥150": "56.5 125.5",
		"2026-12-10 周四 · 退款 ￥30": "232.2 25.1", "2026-12-11 周五 · 沙箱 ￥40": "198.7 33.5"} {
		if high[tip] != want {
			t.Errorf("%s is at %s, want %s", tip, high[tip], want)
		}
	}
	if ticks := regexp.MustCompile(`class="word">([^<]+)<`).FindAllStringSubmatch(wide, -1); len(ticks) != 7 || ticks[0][1] != "−￥50" || ticks[6][1] != "￥250" {
		t.Errorf("the axis says %v", ticks)
	}
}

func TestUtilisationIsWhatWasUsedOfWhatWasOffered(t *testing.T) {
	h := open(t)
	h.twoDays()
	p := h.owner.Get("/owner/reports/utilisation" + ofTwoDays).Want(200)
	// Six courts of nine slots on each of two days; the no-show had the use of its slot.
	p.Says("2.8% 108 个可用场次中 3 个付了款且没有放弃")
	wantRow(t, p, "17:30", "– – – 33% · 2/6 0% · 0/6 – –")
	wantRow(t, p, "10:00", "– – – 0% · 0/6 17% · 1/6 – –")
	wantRow(t, p, "全天", "– – – 4% · 2/54 2% · 1/54 – –")
	wantRow(t, p, "1号场", "2 18 11.1%")
	p.Has(`<td class="h3"><b>33%</b>`, `<td class="h1"><b>17%</b>`, `<td class="h0"><b>0%</b>`, `<td class="none"><b>–</b>`)
	one := h.owner.Get("/owner/reports/utilisation" + ofTwoDays + "&court=c3").Want(200)
	wantRow(t, one, "17:30", "– – – 100% · 1/1 0% · 0/1 – –")
	one.Has(`<td class="h10">`, `<option value="c3" selected>`, "utilisation.csv?from=2026-12-10&amp;until=2026-12-11&amp;court=c3")
	h.owner.Get("/owner/reports/utilisation?court=nobody").Want(422).HasNot("class=\"heat\"")
}

func TestRatesAreLapsesAndNoShows(t *testing.T) {
	h := open(t)
	h.twoDays()
	p := h.owner.Get("/owner/reports/rates" + ofTwoDays).Want(200)
	// Orders, lapsed, rate, cancelled by customer and venue; slots, played, over, no-shows, rate.
	wantRow(t, p, "周四 12-10", "4 1 25% 1 0 4 1 2 1 50%")
	wantRow(t, p, "周五 12-11", "1 0 0% 0 0 1 1 1 0 0%")
	wantRow(t, p, "合计", "5 1 20% 1 0 5 2 3 1 33.3%")
	p.Says("失效率 20% 5 张订单中 1 张没有付款", "爽约率 33.3% 3 个已结束场次中 1 个无人到场", "2026-12-10 周四 · 爽约率（按打球日） 50%")
}

func TestGoodsAreRanked(t *testing.T) {
	h := open(t)
	h.twoDays()
	p := h.owner.Get("/owner/reports/goods" + ofTwoDays).Want(200)
	wantRow(t, p, "羽毛球 一筒", "1 ￥30 0 ￥0")
	wantRow(t, p, "合计", "1 ￥30 0 ￥0")
	p.Has(`<rect width="1000" height="20" class="c1"/>`)
	if n := strings.Count(p.Body, `<span class="who">`); n != 1 {
		t.Errorf("%d goods are drawn, want the one that was sold", n)
	}
}

func TestFilesAreThoseOfTheAPI(t *testing.T) {
	h := open(t)
	h.twoDays()
	for name, line := range map[string]string{
		"takings": "\"2026-12-10\",\"sandbox\",150.00,2,30.00,1,120.00,0.00,0,0.00,0\r\n",
		"rates":   "\"合计 Total\",5,0,0,2,1,1,1,0,0,20.0,", "goods": "\"g1\",\"羽毛球 一筒\",1,30.00,0,0.00\r\n",
		"utilisation": "\"全部 All\",\"周四 Thu\",\"17:30\",2,6,33.3\r\n",
	} {
		p := h.owner.Get("/owner/reports/" + name + ".csv" + ofTwoDays).Want(200).Has(line)
		if !strings.HasPrefix(p.Body, "\xef\xbb\xbf\"") || p.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			p.Header.Get("Content-Disposition") != `attachment; filename="courtd-`+name+`-2026-12-10-to-2026-12-11.csv"` {
			t.Errorf("%s: %q, %q, %q", name, p.Body[:10], p.Header.Get("Content-Type"), p.Header.Get("Content-Disposition"))
		}
		if api := h.owner.Get("/api/v1/owner/reports/" + name + ".csv" + ofTwoDays); api.Status == 200 && api.Body != p.Body {
			t.Errorf("%s: the API's file is another", name)
		}
	}
	h.owner.Get("/owner/reports/takings.csv?from=2026-12-11&until=2026-12-10").Want(422)
}

// It is Saturday, 12 December.
func TestRangesThatPeopleAskFor(t *testing.T) {
	h := open(t)
	h.twoDays()
	for query, want := range map[string]string{
		"": "from=2026-12-06&amp;until=2026-12-12", "?range=days7": "from=2026-12-06&amp;until=2026-12-12", "?range=week": "from=2026-12-07&amp;until=2026-12-12",
		"?range=month": "from=2026-12-01&amp;until=2026-12-12", "?range=last-month": "from=2026-11-01&amp;until=2026-11-30",
		"?range=never": "from=2026-12-06&amp;until=2026-12-12", "?from=2026-01-01&until=2026-12-31": "from=2026-01-01&amp;until=2026-12-31",
	} {
		h.owner.Get("/owner/reports" + query).Want(200).Has("takings.csv?" + want)
	}
	h.owner.Get("/owner/reports?range=week").Has(`href="/owner/reports?range=week" aria-current="true"`, `href="/owner/reports/rates?range=week"`)
	for _, path := range []string{"/owner/reports", "/owner/reports/rates", "/owner/reports/goods"} {
		h.owner.Get(path + "?range=last-month").Want(200).Says("这段时间还没有数据").HasNot("<svg class")
	}
	// A chart of a year has a column for each month, one of two months for each week.
	year := h.owner.Get("/owner/reports?from=2026-01-01&until=2026-12-31").Says("每月", "365 天", "2026-12-01 至 2026-12-31 · 沙箱 ￥190").HasNot("<details open>")
	if n := strings.Count(year.Body, `class="dot"`); n != 2*12+1 {
		t.Errorf("%d places on the line, want 12 in each chart and one in the legend", n)
	}
	weeks := h.owner.Get("/owner/reports?from=2026-11-01&until=2026-12-12").Says("每周", "2026-12-07 至 2026-12-12 · 沙箱 ￥190")
	if n := strings.Count(weeks.Body, `class="dot"`); n != 2*7+1 {
		t.Errorf("%d places on the line of seven weeks", n)
	}
}

func TestDaysThatCannotBe(t *testing.T) {
	h := open(t)
	for query, field := range map[string]string{
		"?from=2026-12-11&until=2026-12-10": "until", "?from=2024-01-01&until=2026-12-10": "until", "?from=yesterday&until=2026-12-10": "from", "?until=2026-12-10": "from",
	} {
		for _, path := range []string{"/owner/reports", "/owner/reports/utilisation", "/owner/reports/rates", "/owner/reports/goods"} {
			p := h.owner.Get(path + query).Want(422)
			p.Has(`aria-invalid="true" aria-describedby="`+field+`-wrong"`).HasNot("<svg class", ".csv", "ZgotmplZ")
			if n := strings.Count(p.Body, "aria-invalid"); n != 1 {
				t.Errorf("%s%s: %d fields are marked", path, query, n)
			}
		}
	}
	h.owner.Get(`/owner/reports?from="><b>&until=2026-12-10`).Want(422).HasNot("<b>&until", `"><b>`)
}

func TestHostileNamesAreText(t *testing.T) {
	h := open(t)
	const script, formula = `<script>alert(1)</script>`, `=HYPERLINK("http://evil.example")`
	for id, name := range map[string]string{"c1": script, "c2": "כדור " + strings.Repeat("🏸", 30)} {
		_, err := h.App.ChangeCourt(t.Context(), h.me, id, func(c *sqlite.Court) error { c.Name = name; return nil })
		clubtest.Must(t, err)
	}
	_, err := h.App.ChangeGood(t.Context(), h.me, "g1", func(g *sqlite.Good) error { g.Name = formula; return nil })
	clubtest.Must(t, err)
	h.twoDays()
	h.sell(script, "c5", "2026-12-12", "17:30")
	seen := 0
	for _, path := range []string{"/owner", "/owner/reports" + ofTwoDays, "/owner/reports/utilisation" + ofTwoDays, "/owner/reports/goods" + ofTwoDays,
		"/owner/reports/rates" + ofTwoDays, "/owner/reconciler", "/owner/reconciler/foresee", "/owner/audit"} {
		p := h.owner.Get(path).Want(200).HasNot("<script>alert", "ZgotmplZ", ` style="`)
		seen += strings.Count(p.Body, "&lt;script&gt;alert(1)") + strings.Count(p.Body, "=HYPERLINK(&#34;")
	}
	if seen < 6 {
		t.Errorf("the names were seen %d times only", seen)
	}
	h.owner.Get("/owner/reports/goods.csv" + ofTwoDays).Has(`"'=HYPERLINK(""http://evil.example"")"`)
	h.owner.Get("/owner/audit.csv").Has(`名称 Name: =HYPERLINK`, script)
}

func TestAxesHaveRoundNumbers(t *testing.T) {
	for _, row := range []struct {
		lo, hi int64
		want   []int64
	}{
		{0, 0, []int64{0, 100}}, {0, 1, []int64{0, 100}}, {0, 500, []int64{0, 100, 200, 300, 400, 500}}, {0, 501, []int64{0, 200, 400, 600}},
		{-3000, 21000, []int64{-5000, 0, 5000, 10000, 15000, 20000, 25000}}, {0, 9_999_999, []int64{0, 2_000_000, 4_000_000, 6_000_000, 8_000_000, 10_000_000}}, {-1, 0, []int64{-100, 0}},
	} {
		got := records.Ticks(row.lo, row.hi, 100, 5)
		if len(got) != len(row.want) {
			t.Errorf("from %d to %d: %v, want %v", row.lo, row.hi, got, row.want)
			continue
		}
		for i := range got {
			if got[i] != row.want[i] {
				t.Errorf("from %d to %d: %v, want %v", row.lo, row.hi, got, row.want)
			}
		}
	}
	for fen, want := range map[int64][2]string{0: {"￥0", "￥0"}, -5000: {"−￥50", "−￥50"}, 999_900: {"￥9999", "￥9999"}, 1_000_000: {"￥1万", "￥10k"}, 1_250_000: {"￥1.25万", "￥12.5k"}, 10_000_000: {"￥10万", "￥100k"}} {
		if got := records.YuanTick(fen); [2]string(got) != want {
			t.Errorf("%d fen: %q, want %q", fen, got, want)
		}
	}
}

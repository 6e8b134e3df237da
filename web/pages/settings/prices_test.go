package settings_test

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func (o owner) rules() string {
	v, _ := o.venue()
	var out []string
	for _, r := range v.Prices {
		out = append(out, r.Name)
	}
	return strings.Join(out, " ")
}

// rowsOf are the ids of a form's rules in their order.
func rowsOf(p clubtest.Page) []string {
	return formOf(p, "/owner/prices")["row"]
}

func TestPricesAreEditedInOneForm(t *testing.T) {
	o := open(t)
	p := o.Get("/owner/prices").Want(200).Says("周末", "17:00–24:00 开始的场次", "没有条件：其余所有场次")
	if got := strings.Join(rowsOf(p), " "); got != "1 2 3" {
		t.Fatalf("rows %s", got)
	}
	// A new rule comes before the last one, which is for all the rest.
	form := formOf(p, "/owner/prices")
	form.Set("act", "add")
	p = o.Send("/owner/prices", form).Want(200)
	if got := strings.Join(rowsOf(p), " "); got != "1 2 4 3" || o.rules() != "周末 晚间 日场" {
		t.Fatalf("rows %s; saved %s", got, o.rules())
	}
	form = formOf(p, "/owner/prices")
	for name, value := range map[string]string{"r.4.name": "早场", "r.4.price": "25.5", "r.4.band_from": "8:30", "r.4.band_to": "1200", "r.4.from": "2026-12-01",
		"r.4.until": "2026-12-31", "r.4.holidays": "", "r.1.price": "￥90", "act": "save"} {
		form.Set(name, value)
	}
	form["r.4.day"] = []string{"1", "2", "3", "4", "5"}
	form["r.4.court"] = []string{"c1", "c2"}
	form.Del("r.4.holidays")
	o.Send("/owner/prices", form).WantRedirect("/owner/prices?day=2026-12-10&said=saved")
	v, _ := o.venue()
	early := v.Prices[2]
	if o.rules() != "周末 晚间 早场 日场" || v.Prices[0].PriceFen != 9000 || early.PriceFen != 2550 || early.Band != (domain.Band{From: clock(t, "08:30"), To: clock(t, "12:00")}) ||
		early.From != mustDate(t, "2026-12-01") || early.Until != mustDate(t, "2026-12-31") || early.Holidays || len(early.Weekdays) != 5 || strings.Join(early.Courts, " ") != "c1 c2" {
		t.Errorf("%+v", v.Prices)
	}
	o.Get("/owner/prices").Says("周一至周五 · 2026-12-01 至 2026-12-31 · 08:30–12:00 开始的场次 · 1号场、2号场", "早场 ￥25.50")
}

func TestPricesAreOrderedByButtonsAndByNumbers(t *testing.T) {
	o := open(t)
	for _, c := range []struct {
		name string
		set  []string // fields
		want string
	}{
		{"up", []string{"act", "up.2"}, "晚间 周末 日场"},
		{"down", []string{"act", "down.1"}, "晚间 周末 日场"},
		{"up at the top", []string{"act", "up.1"}, "周末 晚间 日场"},
		{"away", []string{"act", "drop.1"}, "晚间 日场"},
		{"the second to the first place", []string{"r.2.order", "1", "act", "preview"}, "晚间 周末 日场"},
		{"the first to the second place", []string{"r.1.order", "2", "act", "preview"}, "晚间 周末 日场"},
		{"the third to the first place", []string{"r.3.order", "1", "act", "preview"}, "日场 周末 晚间"},
		{"by tens", []string{"r.1.order", "30", "r.2.order", "20", "r.3.order", "10", "act", "preview"}, "日场 晚间 周末"},
		{"a number that is none", []string{"r.2.order", "first", "act", "preview"}, "周末 晚间 日场"},
	} {
		form := o.fill("/owner/prices", c.set...)
		p := o.Send("/owner/prices", form)
		sent := formOf(p, "/owner/prices")
		var got []string
		for _, id := range sent["row"] {
			got = append(got, sent.Get("r."+id+".name"))
		}
		if strings.Join(got, " ") != c.want || o.rules() != "周末 晚间 日场" {
			t.Errorf("%s: %v, want %s; saved %s", c.name, got, c.want, o.rules())
		}
		if part := o.ask("/owner/prices", form); strings.HasPrefix(c.set[1], "up") && (part.Status != 200 || !strings.HasPrefix(strings.TrimSpace(part.Body), `<div id="editor"`)) {
			t.Errorf("%s: for a script: %d %.200s", c.name, part.Status, part.Body)
		}
	}
}

// cells are the price table: for each time what stands in each column.
func cells(p clubtest.Page) map[string][]string {
	out := map[string][]string{}
	for _, row := range regexp.MustCompile(`(?s)<tr><th scope="row" class="num">(\d\d:\d\d).*?</tr>`).FindAllStringSubmatch(p.Body, -1) {
		for _, cell := range regexp.MustCompile(`(?s)<td.*?</td>`).FindAllString(row[0], -1) {
			out[row[1]] = append(out[row[1]], strings.Join(strings.Fields(clubtest.Tags.ReplaceAllString(cell, " ")), " "))
		}
	}
	return out
}

func TestWhatWouldThisCostAndWhy(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/prices", "day", "2026-12-10")
	form.Set("act", "add")
	form = formOf(o.Send("/owner/prices", form), "/owner/prices")
	form.Set("r.4.name", "贵宾")
	form.Set("r.4.price", "100")
	form["r.4.court"] = []string{"c6"}
	p := o.ask("/owner/prices/preview", form).Want(200).HasNot("<html").Has(`<span id="words-4" hx-swap-oob="true">6号场</span>`).Says("今天 12-10", "1号场 · 2号场 · 3号场 · 4号场 · 5号场", "6号场")
	got := cells(p)
	if len(got) != 9 || strings.Join(got["16:00"], "|") != "￥40 4 日场|￥100 3 贵宾" || strings.Join(got["17:30"], "|") != "￥60 2 晚间|￥60 2 晚间" {
		t.Errorf("%v", got)
	}
	p.Says("周末 ￥80 · 周末 · 这一天 0 场", "晚间 ￥60 · 17:00–24:00 开始的场次 · 这一天 18 场", "贵宾 ￥100 · 6号场 · 这一天 6 场", "日场 ￥40 · 没有条件：其余所有场次 · 这一天 30 场")
	p.HasNot("从来用不上", "没有任何规则定价")
	if o.rules() != "周末 晚间 日场" {
		t.Error("a preview saves")
	}
	// On a Saturday one rule prices everything, and all courts are alike.
	form.Set("day", "2026-12-12")
	p = o.ask("/owner/prices/preview", form).Says("全部 6 片场地", "这一天 54 场")
	if got := cells(p); strings.Join(got["08:30"], "|") != "￥80 1 周末" {
		t.Errorf("%v", got)
	}
	// Without scripts the button shows the whole page with the same.
	form.Set("act", "preview")
	if got := cells(o.Send("/owner/prices", form).Want(200).Says("全部 6 片场地").Has("<html")); len(got) != 9 {
		t.Errorf("%v", got)
	}
	o.change("hours", func(v *sqlite.Venue) { v.Calendar.Hours.Weekly[6] = domain.DayHours{Closed: true} })
	o.ask("/owner/prices/preview", form).Says("这一天不营业")
}

func TestRulesThatAreNeverUsed(t *testing.T) {
	o := open(t)
	o.change("price rules", func(v *sqlite.Venue) {
		evening := domain.Band{From: 17 * 60, To: 24 * 60}
		v.Prices = domain.PriceRules{
			{Name: "晚间", Band: evening, PriceFen: 6000},
			{Name: "周六晚", Weekdays: []int{6}, Band: evening, PriceFen: 9000},
			{Name: "去年", Until: mustDate(t, "2025-12-31"), PriceFen: 1},
			{Name: "过节", Holidays: true, PriceFen: 2},
			{Name: "凌晨", Band: domain.Band{From: 24 * 60, To: 26 * 60}, PriceFen: 3},
			{Name: "明年夏天", From: mustDate(t, "2028-07-01"), Until: mustDate(t, "2028-07-31"), PriceFen: 4},
			{Name: "停售的场地", Courts: []string{"c6"}, PriceFen: 5},
			{Name: "平时", PriceFen: 4000},
		}
	})
	o.Post("/owner/courts/c6/sale", "active", "0").Want(303)
	p := o.Get("/owner/prices")
	lines := clubtest.Around(p.Body, `class="list rule-lines"`, "</ul>")
	for rule, why := range map[string]string{"晚间": "", "周六晚": "前面的规则总是先符合：1 晚间", "去年": "日期已经过去", "过节": "以后没有符合的节假日场次", "凌晨": "没有这样的场次", "明年夏天": "", "停售的场地": "没有这样的场次", "平时": ""} {
		line := clubtest.Around(lines, "<b>"+rule+"</b>", "</li>")
		if never := strings.Contains(line, "从来用不上"); never != (why != "") || !strings.Contains(line, why) || line == "" {
			t.Errorf("%s: %s", rule, line)
		}
	}
}

func TestSlotsWithoutAPrice(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/prices", "act", "drop.3", "day", "2026-12-10")
	form = formOf(o.Send("/owner/prices", form).Want(200), "/owner/prices")
	p := o.ask("/owner/prices/preview", form).Want(200).Says("有的场次没有任何规则定价", "今天 12-10 08:30 1号场", "既不会按 0 元卖，也没法卖")
	if got := cells(p); strings.Join(got["16:00"], "|") != "✕ 没有价格" || strings.Join(got["17:30"], "|") != "￥60 2 晚间" {
		t.Errorf("%v", got)
	}
	form.Set("act", "save")
	o.Send("/owner/prices", form).Want(422).Says("是最后一条，不能有任何条件，这样每个场次才都有价格").Has(`href="#r.2"`, `id="r.2"`)
	if o.rules() != "周末 晚间 日场" {
		t.Errorf("%s", o.rules())
	}
}

func TestPricesSayWhatIsWrong(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/prices", "r.1.name", "", "r.1.price", "abc", "r.2.price", "100001", "r.2.band_to", "16:00", "r.3.price", "-1")
	form.Set("act", "save")
	p := o.Send("/owner/prices", form).Want(422)
	wantFault(t, p, "r.1.name", "不能为空")
	wantFault(t, p, "r.1.price", "须为金额")
	wantFault(t, p, "r.2.price", "不能超过 100000 元")
	wantFault(t, p, "r.3.price", "须为金额")
	p.Has(`value="abc"`, `value="100001"`).Says("有几处还填得不对")
	for name, value := range map[string]string{"r.1.name": "周末", "r.1.price": "1", "r.2.price": "1", "r.3.price": "1", "r.1.from": "2026-12-10", "r.1.until": "2026-12-09"} {
		form.Set(name, value)
	}
	p = o.Send("/owner/prices", form).Want(422)
	wantFault(t, p, "r.1.until", "不能早于开始日期")
	wantFault(t, p, "r.2.band_to", "须晚于开始时间")
	// What is wrong is not folded away.
	if !strings.Contains(clubtest.Around(p.Body, `id="more-1"`, "<summary>")+p.Body, `<details open id="more-1">`) {
		t.Error("the conditions of rule 1 are folded")
	}
	form["r.1.court"] = []string{"c99"}
	form.Set("r.1.until", "")
	form.Set("r.2.band_to", "24:00")
	o.Send("/owner/prices", form).Want(422).Says("不是本馆的场地")
	o.Send("/owner/prices", url.Values{"csrf": form["csrf"], "mark": form["mark"], "act": {"save"}}).Want(422).Says("至少要有一条价格规则")
}

func TestPricesOfTwoOwners(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/prices", "r.3.price", "45")
	form.Set("act", "save")
	o.change("price rules", func(v *sqlite.Venue) {
		v.Prices = append(domain.PriceRules{{Name: "早鸟", Band: domain.Band{From: 480, To: 600}, PriceFen: 2000}}, v.Prices...)
	})
	p := o.Send("/owner/prices", form).Want(409).Says("别人改了这里", "早鸟 ￥20：08:00–10:00 开始的场次").Has(`value="45"`)
	if o.rules() != "早鸟 周末 晚间 日场" {
		t.Errorf("%s", o.rules())
	}
	form = formOf(p, "/owner/prices")
	form.Set("act", "save")
	o.Send("/owner/prices", form).Want(303)
	if v, _ := o.venue(); o.rules() != "周末 晚间 日场" || v.Prices[2].PriceFen != 4500 {
		t.Errorf("%+v", v.Prices)
	}
}

func TestTooManyRulesAreRefusedBeforeTheyAreWorkedOut(t *testing.T) {
	o := open(t)
	form := formOf(o.Get("/owner/prices"), "/owner/prices")
	form["row"] = nil
	for i := range domain.MaxPriceRules + 1 {
		id := strconv.Itoa(i + 1)
		form["row"] = append(form["row"], id)
		form.Set("r."+id+".name", "日场")
		form.Set("r."+id+".price", "1")
	}
	o.ask("/owner/prices/preview", form).Want(422).Says("价格规则：不能超过 100 条规则").HasNot("price_rules")
	o.Send("/owner/prices", form).Want(422).Says("价格规则：不能超过 100 条规则").HasNot("price_rules", `name="r.101.name"`)
	form["row"] = form["row"][:domain.MaxPriceRules]
	o.ask("/owner/prices/preview", form).Want(200).HasNot("不能超过")
}

func TestWhatNoFormSendsIsToldInWords(t *testing.T) {
	o := open(t)
	none := formOf(o.Get("/owner/prices"), "/owner/prices")
	none.Del("row")
	o.Send("/owner/prices", none).Want(422).Says("价格规则：至少要有一条").HasNot("price_rules")
	o.Send("/owner/prices", o.fill("/owner/prices", "r.1.day", "9")).Want(422).Says("规则 1 的星期 ：").Has(`href="#r.1.name">规则 1 的星期`).HasNot("r.1.day：")
	o.Send("/owner/prices", o.fill("/owner/prices", "r.1.day", "x", "r.1.court", "c99")).Want(422).Says("规则 1 的星期 ：").Has(`href="#r.1.name">规则 1 的星期`).HasNot("r.1.day：")
	o.Send("/owner/prices", o.fill("/owner/prices", "r.1.court", "c99")).Want(422).Says("规则 1 的场地 ：").Has(`href="#r.1.name">规则 1 的场地`).HasNot("r.1.court：")
}

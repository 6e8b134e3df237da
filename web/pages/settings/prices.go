package settings

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// pricesPage is the ordered list of price rules, and what follows from it.
type pricesPage struct {
	formPage
	Rules   []ruleRow
	Preview pricePreview
	Full    bool
	Most    int
	Part    bool // the preview alone: what rules come to in words goes with it
}

type ruleRow struct {
	ID, At      string
	Place       int
	Tint        int
	Last        bool
	Words       kit.Words // its conditions
	Wrong       *kit.Words
	Open        bool // its conditions are shown
	Fresh       bool // just added
	Order       kit.Field
	Name, Price kit.Field
	Days        []tick
	Holidays    bool
	From, Until kit.Field
	BandFrom    kit.Field
	BandTo      kit.Field
	Courts      []tick
}

// tick is one box to tick.
type tick struct {
	Value   string
	Label   kit.Words
	Checked bool
}

func (p *pages) showPrices(c *fiber.Ctx) error {
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	page, err := p.pricesPage(c, formOfPrices(venue.Prices), c.Query("day"), "", nil)
	if err != nil {
		return err
	}
	page.Said = kit.SaidOf(c, map[string]kit.Words{"saved": {"价格已保存", "The prices are saved"}})
	return p.Render(c, http.StatusOK, "prices", page)
}

// savePrices saves the list, or does to the form what another of its buttons says.
func (p *pages) savePrices(c *fiber.Ctx) error {
	f, act := formOfSentPrices(c), kit.Sent(c, "act")
	if err := f.refuseTooMany(); err != nil {
		return p.drawPrices(c, f, "", "", err)
	}
	if act != "" && act != "save" && act != "preview" {
		return p.drawPrices(c, f, f.act(act), "editor", nil)
	}
	_, courts, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	rs, wrong := f.read()
	if wrong == nil {
		wrong = rs.validate(idsOf(courts))
	}
	if act == "preview" || wrong != nil {
		return p.drawPrices(c, f, "", "", wrong)
	}
	_, err = p.App.ChangeVenue(c.UserContext(), httpx.ActorOf(c), "price rules", func(v *sqlite.Venue) error {
		return app.Change(&v.Prices, rs.rules, kit.Sent(c, "mark"))
	})
	if err == nil {
		return kit.Done(c, "/owner/prices?day="+kit.Sent(c, "day"), "saved")
	}
	return kit.Beside(c, err, func(int) error { return p.drawPrices(c, f, "", "", err) })
}

// previewPrices shows what the rules of the form as it is would make of a day.
func (p *pages) previewPrices(c *fiber.Ctx) error {
	f := formOfSentPrices(c)
	return p.drawPrices(c, f, "", "preview", f.refuseTooMany())
}

func idsOf(courts []sqlite.Court) []string {
	var out []string
	for _, c := range courts {
		out = append(out, c.ID)
	}
	return out
}

// drawPrices answers with the page, or with a part of it if a script asks for that.
func (p *pages) drawPrices(c *fiber.Ctx, f *pricesForm, fresh, part string, refusal error) error {
	page, err := p.pricesPage(c, f, kit.Sent(c, "day"), fresh, refusal)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refusal != nil {
		status, _ = kit.ToldBeside(refusal)
	}
	if part != "" && byPart(c) {
		page.Part = part == "preview"
		return p.RenderPart(c, status, "prices", part, page)
	}
	return p.Render(c, status, "prices", page)
}

// pricesPage draws a form with what follows from it on a day.
func (p *pages) pricesPage(c *fiber.Ctx, f *pricesForm, dayText, fresh string, refusal error) (pricesPage, error) {
	frame, venue, now, err := p.OwnerFrame(c, kit.Words{"价格", "Prices"})
	if err != nil {
		return pricesPage{}, err
	}
	_, courts, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return pricesPage{}, err
	}
	dress(&frame)
	frame.Live = true
	page := pricesPage{Most: domain.MaxPriceRules, Full: len(f.rows) >= domain.MaxPriceRules}
	page.Frame, page.Self, page.Mark = frame, "/owner/prices", kit.MarkOn(c, venue.Prices, refusal)
	same := func(name string) string { return name }
	s := kit.NewSheet("", func(name string) string { return f.values[name] }, kit.WrongAt(refusal, same))
	page.addRules(s, f, courts, fresh)
	page.Trouble = kit.TroubleOf(refusal, s)
	if domain.IsReason(refusal, "changed_meanwhile") {
		page.Theirs = priceLines(venue.Prices, courts)
	}
	today := venue.Calendar.DayOf(now)
	day, err := kit.DayOf(dayText, today)
	if err != nil {
		day = today
	}
	rs, wrong := f.read()
	if wrong == nil && names(refusal, "price_rules") {
		wrong = refusal
	}
	if wrong != nil {
		silent := kit.NewSheet("", s.Value, kit.WrongAt(wrong, same))
		(&pricesPage{}).addRules(silent, f, courts, "")
		page.Preview = pricePreview{Day: day.String(), DayWords: kit.DayWords(day, today), Days: dayChoices(nil, venue.Calendar, today), Bad: silent.Faults()}
		return page, nil
	}
	page.Preview = previewOf(rs.rules, venue.Calendar, courts, today, day)
	return page, nil
}

func (page *pricesPage) addRules(s *kit.Sheet, f *pricesForm, courts []sqlite.Court, fresh string) {
	for i, id := range f.rows {
		at, no := "r."+id+".", i+1
		name := func(zh, en string) kit.Words {
			return kit.Words{fmt.Sprintf("规则 %d 的%s", no, zh), fmt.Sprintf("Rule %d, %s", no, en)}
		}
		row := ruleRow{ID: id, At: at, Place: no, Tint: tint(no), Last: no == len(f.rows), Fresh: id == fresh}
		before := s.Found()
		row.Wrong = s.At("r."+id, kit.Words{fmt.Sprintf("规则 %d", no), fmt.Sprintf("Rule %d", no)})
		row.Name = textField(s, at+"name", name("名称", "name"), 2*domain.MaxNameChars)
		row.Price = s.Draw(kit.Field{Name: at + "price", Label: name("每场价格", "price of a slot"), Mode: "decimal", Most: 12, Unit: kit.Words{"元", "yuan"}})
		shown := s.Found()
		row.From, row.Until = dateField(s, at+"from", name("开始日期", "first day")), dateField(s, at+"until", name("结束日期", "last day"))
		row.BandFrom, row.BandTo = clockField(s, at+"band_from", name("开始时间", "from")), clockField(s, at+"band_to", name("结束时间", "until"))
		row.Order = kit.Field{Name: at + "order", ID: at + "order", Label: name("序号", "place"), Mode: "numeric", Most: 3, Value: fmt.Sprint(no)}
		row.Open = row.Fresh || s.Found() > shown || (s.Found() > before && row.Wrong != nil)
		s.AtID(at+"day", row.Name.ID, name("星期", "weekdays"))
		s.AtID(at+"court", row.Name.ID, name("场地", "courts"))
		row.Holidays = f.values[at+"holidays"] != ""
		for _, day := range weekOrder {
			value := fmt.Sprint(day)
			row.Days = append(row.Days, tick{Value: value, Label: kit.Weekday(day), Checked: slices.Contains(f.lists[at+"day"], value)})
		}
		for _, court := range courts {
			row.Courts = append(row.Courts, tick{Value: court.ID, Label: kit.Words{court.Name, court.Name}, Checked: slices.Contains(f.lists[at+"court"], court.ID)})
		}
		row.Words = kit.Words{"条件", "Conditions"}
		if rule, err := f.readConditions(at); err == nil {
			row.Words = ruleWords(rule, courts)
		}
		page.Rules = append(page.Rules, row)
	}
}

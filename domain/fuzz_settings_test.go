package domain_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"courtd/domain"
)

// read reads JSON as settings are kept; false when it is none of this type.
func read[T any](data []byte) (v T, ok bool) {
	return v, json.Unmarshal(data, &v) == nil
}

// wantKept fails unless settings that were accepted are the same after they were kept.
func wantKept[T any](t *testing.T, v T) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	again, ok := read[T](text)
	second, err := json.Marshal(again)
	if !ok || err != nil || string(second) != string(text) {
		t.Errorf("kept as %s and read as %s", text, second)
	}
}

func asSeed(f *testing.F, values ...any) {
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

func FuzzPolicy(f *testing.F) {
	strict := domain.DefaultPolicy()
	strict.ReleaseAfterMinutes, strict.OpensAt, strict.RefundLadder = 15, 24*60, domain.RefundLadder{{5, 50}, {12, 80}}
	midnight := domain.DefaultPolicy()
	midnight.OpensAt = 24 * 60
	asSeed(f, domain.DefaultPolicy(), strict, midnight)
	f.Add([]byte(`{"hold_minutes":9223372036854775807}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := read[domain.Policy](data)
		if !ok {
			return
		}
		if err := p.Validate(); err != nil {
			wantBadField(t, err, "")
			return
		}
		wantKept(t, p)
		if p.OpensAt < 0 || p.OpensAt >= 24*60 {
			t.Errorf("the newest day opens at %s", p.OpensAt)
		}
		const booked, start, end = 1796875200, 1796893200, 1796898600 // noon, 17:00 and 18:30 of the same day
		from, by := p.CheckInWindow(start, end)
		if payBy := p.PayBy(booked, start); payBy <= booked || payBy > start {
			t.Errorf("what is booked at %d is paid by %d", booked, payBy)
		}
		if from > start || by <= start || by > end || p.SaleEnds(start) > start {
			t.Errorf("the door is open from %d until %d for %d to %d", from, by, start, end)
		}
		last := 100
		for hours := domain.MaxRefundHoursBefore; hours >= 0; hours-- {
			percent := p.RefundLadder.Percent(start, domain.Instant(start).Add(-time.Duration(hours)*time.Hour))
			if percent < 0 || percent > 100 {
				t.Fatalf("%d %% go back %d hours before", percent, hours)
			}
			if last = percent; hours == 0 && len(p.RefundLadder) == 0 && last != 0 {
				t.Errorf("without a ladder %d %% go back", last)
			}
		}
	})
}

// FuzzHours asks of hours that were accepted that no court can be sold twice.
func FuzzHours(f *testing.F) {
	late := domain.DefaultHours()
	for day := range late.Weekly {
		late.Weekly[day] = domain.DayHours{Opens: 12 * 60, Closes: 36 * 60, Note: "通宵"}
	}
	thursday, _ := domain.ParseDate("", "2026-12-10")
	odd := domain.DefaultHours()
	odd.Exceptions[thursday] = domain.DayHours{Opens: 60, Closes: 26 * 60}
	odd.Exceptions[thursday.AddDays(1)] = domain.DayHours{Closed: true}
	odd.Holidays[thursday] = "元旦"
	overlapping := domain.DefaultHours()
	for day := range overlapping.Weekly {
		overlapping.Weekly[day] = domain.DayHours{Opens: 8 * 60, Closes: 36 * 60}
	}
	asSeed(f, domain.DefaultHours(), late, odd, overlapping)
	zones := []string{"Asia/Shanghai", "Australia/Lord_Howe"}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, ok := read[domain.Hours](data)
		if !ok {
			return
		}
		if err := h.Validate(); err != nil {
			wantBadField(t, err, "")
			return
		}
		wantKept(t, h)
		days := map[domain.Date]bool{thursday: true, {Year: 2026, Month: 4, Day: 4}: true, {Year: 2026, Month: 10, Day: 3}: true}
		for d := range h.Exceptions {
			if days[d] = true; len(days) > 8 {
				break
			}
		}
		for _, name := range zones {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			cal := domain.Calendar{Zone: zone, Hours: h}
			for d := range days {
				wantGrid(t, cal, d)
			}
		}
	})
}

// wantGrid fails unless the slots of a day and of the days around it follow each other.
func wantGrid(t *testing.T, cal domain.Calendar, d domain.Date) {
	t.Helper()
	var last domain.Slot
	for _, day := range []domain.Date{d.AddDays(-1), d, d.AddDays(1)} {
		slots := cal.Slots(day)
		if len(slots) > domain.MaxSlotsPerDay+domain.MaxSlotsPerDay/8 { // a day may have hours more by the clocks' change
			t.Fatalf("%s has %d slots", day, len(slots))
		}
		for _, s := range slots {
			if s.End.Sub(s.Start) != time.Duration(cal.Hours.SlotMinutes)*time.Minute || s.Start < last.End {
				t.Fatalf("%s: a slot from %s to %s after %s", day, s.Start.In(cal.Zone), s.End.In(cal.Zone), last.End.In(cal.Zone))
			}
			last = s
			if found, on, ok := cal.SlotAt(s.Start); !ok || found != s || on != day {
				t.Fatalf("the slot of %s at %s is found as %v of %s, %t", day, s.Start.In(cal.Zone), found, on, ok)
			}
		}
	}
}

// FuzzPriceRules asks rules that were accepted for a price at every hour.
func FuzzPriceRules(f *testing.F) {
	courts := []string{"c1", "c2"}
	asSeed(f, domain.PriceRules{{Name: "周末", Weekdays: []int{0, 6}, PriceFen: 8000}, {Name: "晚间", Band: domain.Band{From: 17 * 60, To: 24 * 60}, Courts: []string{"c2"}, PriceFen: 6000}, {Name: "日场", PriceFen: 4000}},
		domain.PriceRules{{Name: "x", Holidays: true}}, domain.PriceRules{})
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, ok := read[domain.PriceRules](data)
		if !ok {
			return
		}
		if err := rules.Validate(courts); err != nil {
			wantBadField(t, err, "price_rules")
			return
		}
		wantKept(t, rules)
		for _, court := range courts {
			for m := domain.Minute(0); m < domain.MaxClosesMinute; m += 30 {
				for n := range 8 {
					day := domain.Date{Year: 2026, Month: 12, Day: 10 + n}
					rule := rules.PriceOf(court, day, m, n == 3)
					if rule.PriceFen < 0 || rule.PriceFen > domain.MaxPriceFen || !rule.Matches(court, day, m, n == 3) {
						t.Fatalf("%s on %s at %s costs %+v", court, day, m, rule)
					}
				}
			}
		}
	})
}

func FuzzCoupon(f *testing.F) {
	asSeed(f, domain.Coupon{Code: "NEW10", Name: "九折", Percent: 10, MaxUsesPerCustomer: 1, Active: true}, domain.Coupon{Code: "ONCE20", Name: "x", AmountFen: 2000, MaxUses: 1, Active: true},
		domain.Coupon{Code: "b", Name: "x", Percent: 10, AmountFen: 1}, domain.Coupon{Code: "BOTH", Name: "x", Percent: 10, AmountFen: 1}, domain.Coupon{Code: "T", Name: "x", Percent: 100, ValidFrom: 2, ValidUntil: 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		c, ok := read[domain.Coupon](data)
		if !ok {
			return
		}
		if err := c.Validate(); err != nil {
			wantBadField(t, err, "")
			return
		}
		wantKept(t, c)
		if (c.Percent == 0) == (c.AmountFen == 0) {
			t.Errorf("it takes off %d %% or %d fen", c.Percent, c.AmountFen)
		}
		for _, total := range []int64{-1, 0, 1, c.MinTotalFen - 1, c.MinTotalFen, domain.MaxPriceFen * domain.MaxSlotsPerOrder} {
			if off := c.Discount(total); off < 0 || off > max(total, 0) || (off > 0 && total < c.MinTotalFen) {
				t.Errorf("%d off %d with %+v", off, total, c)
			}
		}
		if at := c.ValidUntil; at.IsSet() && c.UsableAt(at) {
			t.Errorf("it can be used at its end: %+v", c)
		}
	})
}

// FuzzMessages asks of own words that were accepted that nothing in braces is left in them.
func FuzzMessages(f *testing.F) {
	asSeed(f, domain.Messages{}, domain.Messages{Routes: map[string][]string{"paid": {"sms", "mail"}}, Daily: map[string]int{"sms": 10, "login_code": 5}, CodeCountries: []string{"86", "852"},
		Texts:    map[string]domain.MessageText{"paid": {Title: "已支付 {number}", Text: "{slots}\n{goods}", TitleEN: "Paid", TextEN: "{slots}"}},
		WeChat:   map[string]domain.MessageTemplate{"paid": {ID: "t1", Params: []domain.TemplateParam{{Name: "thing2", From: "{slots}"}}}},
		SMS:      map[string]domain.MessageTemplate{"login_code": {ID: "1", Params: []domain.TemplateParam{{From: "{code}"}}}},
		Webhooks: []domain.Webhook{{ID: "w", URL: "https://club.example/hook", Kinds: []string{"order.paid"}, Active: true}}})
	f.Add([]byte(`{"texts":{"paid":{"title":"{x}","text":"{","title_en":" ","text_en":"\u202e"}},"webhooks":[{"url":"http://169.254.169.254/"}]}`))
	asSeed(f, domain.Messages{Texts: map[string]domain.MessageText{"paid": {Title: "{nothing}", Text: "x", TitleEN: "x", TextEN: "x"}}})
	facts := map[string]string{}
	for _, name := range domain.Placeholders {
		facts[name] = "x"
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, ok := read[domain.Messages](data)
		if !ok {
			return
		}
		if err := m.Validate(); err != nil {
			wantBadField(t, err, "")
			return
		}
		wantKept(t, m)
		for kind, text := range m.Texts {
			for _, part := range []string{text.Title, text.Text, text.TitleEN, text.TextEN} {
				if strings.Contains(domain.Fill(part, facts), "{") {
					t.Errorf("%s says %q", kind, part)
				}
			}
		}
		for _, w := range m.Webhooks {
			if got, ok := m.WebhookOf(w.Channel()); !ok || got.ID != w.ID {
				t.Errorf("%q names %q", w.Channel(), got.ID)
			}
		}
		if c := m.Clone(); !reflect.DeepEqual(c.Webhooks, m.Webhooks) || len(c.Texts) != len(m.Texts) {
			t.Errorf("a copy of %+v is %+v", m, c)
		}
	})
}

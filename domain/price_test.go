package domain_test

import (
	"encoding/json"
	"testing"

	"courtd/domain"
)

func venuePrices(t *testing.T) domain.PriceRules {
	return domain.PriceRules{
		{Name: "国庆", Holidays: true, PriceFen: 9000},
		{Name: "夏季", From: date(t, "2026-07-01"), Until: date(t, "2026-08-31"), PriceFen: 5000},
		{Name: "深夜", Band: domain.Band{From: 1440, To: 1560}, PriceFen: 3000},
		{Name: "周末晚间", Weekdays: []int{0, 6}, Band: domain.Band{From: 1080, To: 1320}, PriceFen: 8000},
		{Name: "晚间", Band: domain.Band{From: 1080, To: 1320}, PriceFen: 6000},
		{Name: "VIP", Courts: []string{"c6"}, PriceFen: 7000},
		{Name: "平时", PriceFen: 4000},
	}
}

func TestPriceOfFirstMatch(t *testing.T) {
	rules := venuePrices(t)
	wantFields(t, rules.Validate([]string{"c1", "c6"}))
	for _, tc := range []struct {
		court, day string
		minute     domain.Minute
		holiday    bool
		want       string
	}{
		{"c1", "2026-12-10", 1079, false, "平时"},
		{"c1", "2026-12-10", 1080, false, "晚间"},
		{"c1", "2026-12-10", 1319, false, "晚间"},
		{"c1", "2026-12-10", 1320, false, "平时"},
		{"c1", "2026-12-12", 1080, false, "周末晚间"}, // Saturday
		{"c1", "2026-12-13", 1080, false, "周末晚间"}, // Sunday
		{"c1", "2026-12-14", 1080, false, "晚间"},
		{"c6", "2026-12-10", 600, false, "VIP"},
		{"c6", "2026-12-10", 1080, false, "晚间"},
		{"c1", "2026-12-10", 1439, false, "平时"},
		{"c1", "2026-12-10", 1440, false, "深夜"},
		{"c1", "2026-12-10", 1560, false, "平时"},
		{"c1", "2026-12-10", 0, false, "平时"}, // midnight at the beginning of the day
		{"c1", "2026-06-30", 600, false, "平时"},
		{"c1", "2026-07-01", 600, false, "夏季"},
		{"c1", "2026-08-31", 600, false, "夏季"},
		{"c1", "2026-09-01", 600, false, "平时"},
		{"c6", "2026-07-01", 1080, true, "国庆"},
	} {
		if got := rules.PriceOf(tc.court, date(t, tc.day), tc.minute, tc.holiday); got.Name != tc.want {
			t.Errorf("%+v: rule %s", tc, got.Name)
		}
	}
}

func TestPriceOfNeverSellsForNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a slot that no rule matches got a price")
		}
	}()
	domain.PriceRules{{Name: "假日", Holidays: true, PriceFen: 1}}.PriceOf("c1", date(t, "2026-12-10"), 0, false)
}

func TestPriceRulesValidate(t *testing.T) {
	rest := domain.PriceRule{Name: "平时", PriceFen: 4000}
	many := make(domain.PriceRules, domain.MaxPriceRules)
	for i := range many {
		many[i] = rest
	}
	for _, tc := range []struct {
		name   string
		rules  domain.PriceRules
		fields []string
	}{
		{"none", nil, []string{"price_rules"}},
		{"one", domain.PriceRules{rest}, nil},
		{"as many as there may be", many, nil},
		{"one more", append(many[:len(many):len(many)], rest), []string{"price_rules"}},
		{"last has a condition", domain.PriceRules{rest, {Name: "晚间", Band: domain.Band{From: 1, To: 2}}}, []string{"price_rules[1]"}},
		{"free and dearest", domain.PriceRules{{Name: "a", PriceFen: 0}, {Name: "b", PriceFen: 10_000_000}}, nil},
		{"prices out of bounds", domain.PriceRules{{Name: "a", PriceFen: -1}, {Name: "b", PriceFen: 10_000_001}}, []string{"price_rules[0].price_fen", "price_rules[1].price_fen"}},
		{"names", domain.PriceRules{{Name: ""}, {Name: "a\nb"}}, []string{"price_rules[0].name", "price_rules[1].name"}},
		{"weekdays", domain.PriceRules{{Name: "a", Weekdays: []int{1, 7, -1, 1}}, rest},
			[]string{"price_rules[0].weekdays[1]", "price_rules[0].weekdays[2]", "price_rules[0].weekdays[3]"}},
		{"dates", domain.PriceRules{{Name: "a", From: date(t, "2026-07-02"), Until: date(t, "2026-07-01")}, rest}, []string{"price_rules[0].until"}},
		{"one date", domain.PriceRules{{Name: "a", From: date(t, "2026-07-01"), Until: date(t, "2026-07-01")}, rest}, nil},
		{"bands", domain.PriceRules{{Name: "a", Band: domain.Band{From: 60, To: 60}}, {Name: "b", Band: domain.Band{From: -1, To: 5}}, {Name: "c", Band: domain.Band{From: 0, To: 2161}}, rest},
			[]string{"price_rules[0].band.to", "price_rules[1].band.from", "price_rules[2].band.to"}},
		{"courts", domain.PriceRules{{Name: "a", Courts: []string{"c1", "c9", "c1"}}, rest}, []string{"price_rules[0].courts[1]", "price_rules[0].courts[2]"}},
	} {
		t.Run(tc.name, func(t *testing.T) { wantFields(t, tc.rules.Validate([]string{"c1", "c2"}), tc.fields...) })
	}
}

func TestPriceRuleAsJSON(t *testing.T) {
	text, err := json.Marshal(domain.PriceRules{venuePrices(t)[3], venuePrices(t)[6]})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"周末晚间","weekdays":[0,6],"band":{"from":"18:00","to":"22:00"},"price_fen":8000},{"name":"平时","price_fen":4000}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

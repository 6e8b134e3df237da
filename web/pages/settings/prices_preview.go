package settings

import (
	"slices"
	"strings"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// pricePreview is what the rules of a form make of one day, and of all days to come.
type pricePreview struct {
	Day      string
	DayWords kit.Words
	Days     []dayChoice
	Closed   bool
	Columns  []column
	Times    []priceTime
	Rules    []ruleLine
	Unpriced []kit.Words
	Bad      []kit.Fault // why there is nothing to see
}

type dayChoice struct {
	Date    string
	Words   kit.Words
	Holiday string
}

// column is the courts whose prices are the same at all times of the day.
type column struct {
	Names string
	Count int
	All   bool
	court string
}

type priceTime struct {
	Start, End string
	Cells      []priceCell
}

type priceCell struct {
	Priced bool
	Price  int64
	Rule   string
	Place  int // of the rule, from 1
	Tint   int // from 1 to tints
}

type ruleLine struct {
	Place, Tint int
	Name        string
	Price       int64
	Words       kit.Words
	Count       int // slots of the day
	Never       kit.Words
}

// tints are the colours that tell neighbouring rules apart; the number beside them is
// what counts.
const tints = 8

func tint(place int) int { return (place-1)%tints + 1 }

// dayChoices are days worth looking at: two weeks, the holidays to come, and the dates
// that rules name.
func dayChoices(rules domain.PriceRules, cal domain.Calendar, today domain.Date) []dayChoice {
	const most = 40
	seen := map[domain.Date]bool{}
	var days []domain.Date
	add := func(d domain.Date) {
		if !d.IsZero() && !d.Before(today) && !seen[d] && len(days) < most {
			seen[d], days = true, append(days, d)
		}
	}
	for n := range 14 {
		add(today.AddDays(n))
	}
	for _, d := range datesOf(cal.Hours.Holidays) {
		add(d)
	}
	for _, r := range rules {
		add(r.From)
		add(r.Until)
	}
	var out []dayChoice
	for _, d := range days {
		name, _ := cal.Holiday(d)
		out = append(out, dayChoice{Date: d.String(), Words: kit.DayWords(d, today), Holiday: name})
	}
	return out
}

// previewOf works out what rules make of a day.
func previewOf(rules domain.PriceRules, cal domain.Calendar, courts []sqlite.Court, today, day domain.Date) pricePreview {
	p := pricePreview{Day: day.String(), DayWords: kit.DayWords(day, today), Days: dayChoices(rules, cal, today)}
	if !slices.ContainsFunc(p.Days, func(d dayChoice) bool { return d.Date == p.Day }) {
		name, _ := cal.Holiday(day)
		p.Days = append(p.Days, dayChoice{Date: p.Day, Words: p.DayWords, Holiday: name})
	}
	onSale := slices.DeleteFunc(slices.Clone(courts), func(c sqlite.Court) bool { return !c.Active })
	slots := cal.Slots(day)
	p.Closed = len(slots) == 0
	_, holiday := cal.Holiday(day)
	counts := make([]int, len(rules))
	perCourt := map[string][]priceCell{}
	for _, c := range onSale {
		for _, slot := range slots {
			cell := priceCell{}
			if i, ok := rules.First(c.ID, day, cal.MinuteOf(day, slot.Start), holiday); ok {
				counts[i]++
				cell = priceCell{Priced: true, Price: rules[i].PriceFen, Rule: rules[i].Name, Place: i + 1, Tint: tint(i + 1)}
			}
			perCourt[c.ID] = append(perCourt[c.ID], cell)
		}
	}
	p.Columns = columnsOf(onSale, perCourt)
	for i, slot := range slots {
		row := priceTime{Start: cal.Label(slot.Start), End: cal.Label(slot.End)}
		for _, col := range p.Columns {
			row.Cells = append(row.Cells, perCourt[col.court][i])
		}
		p.Times = append(p.Times, row)
	}
	covered := cover(rules, cal, courts, today)
	p.Unpriced = covered.unpriced
	for i, r := range rules {
		p.Rules = append(p.Rules, ruleLine{Place: i + 1, Tint: tint(i + 1), Name: r.Name, Price: r.PriceFen, Words: ruleWords(r, courts),
			Count: counts[i], Never: covered.never[i]})
	}
	return p
}

// columnsOf puts courts together whose prices are the same all day.
func columnsOf(courts []sqlite.Court, perCourt map[string][]priceCell) []column {
	var out []column
	var names [][]string
	for _, c := range courts {
		i := slices.IndexFunc(out, func(col column) bool { return slices.Equal(perCourt[col.court], perCourt[c.ID]) })
		if i < 0 {
			i, out, names = len(out), append(out, column{court: c.ID}), append(names, nil)
		}
		names[i] = append(names[i], c.Name)
	}
	for i := range out {
		out[i].Names, out[i].Count, out[i].All = strings.Join(names[i], " · "), len(names[i]), len(names[i]) == len(courts)
	}
	return out
}

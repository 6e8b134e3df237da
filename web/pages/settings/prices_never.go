package settings

import (
	"fmt"
	"slices"
	"strings"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// lookAhead is how many days from today on are looked through for slots that a rule
// prices; dates that rules and holidays name later are looked at as well.
const lookAhead = 366

// dayKind stands for all days that no rule can tell apart.
type dayKind struct {
	date    domain.Date
	holiday bool
	starts  []domain.Minute
}

// coverage is what a list of rules does with all the slots to come.
type coverage struct {
	used     []bool
	never    []kit.Words // by rule: why it prices nothing; empty if it does
	unpriced []kit.Words // some slots that no rule prices
}

const mostUnpriced = 6

// cover looks which rules price anything, and which slots none does.
func cover(rules domain.PriceRules, cal domain.Calendar, courts []sqlite.Court, today domain.Date) coverage {
	out := coverage{used: make([]bool, len(rules)), never: make([]kit.Words, len(rules))}
	kinds, groups := dayKinds(rules, cal, today), courtKinds(rules, courts)
	each := func(do func(k dayKind, m domain.Minute, court sqlite.Court)) {
		for _, k := range kinds {
			for _, m := range k.starts {
				for _, court := range groups {
					do(k, m, court)
				}
			}
		}
	}
	each(func(k dayKind, m domain.Minute, court sqlite.Court) {
		if i, ok := rules.First(court.ID, k.date, m, k.holiday); ok {
			out.used[i] = true
		} else if len(out.unpriced) < mostUnpriced {
			w := kit.DayWords(k.date, today)
			out.unpriced = append(out.unpriced, kit.Words{fmt.Sprintf("%s %s %s", w[0], m, court.Name), fmt.Sprintf("%s %s %s", w[1], m, court.Name)})
		}
	})
	for i, rule := range rules {
		if out.used[i] {
			continue
		}
		var before []int // the rules that come first wherever this one would fit
		each(func(k dayKind, m domain.Minute, court sqlite.Court) {
			if !rule.Matches(court.ID, k.date, m, k.holiday) {
				return
			}
			if first, ok := rules.First(court.ID, k.date, m, k.holiday); ok && !slices.Contains(before, first) {
				before = append(before, first)
			}
		})
		out.never[i] = neverWords(rules, rule, before, today)
	}
	return out
}

func neverWords(rules domain.PriceRules, r domain.PriceRule, before []int, today domain.Date) kit.Words {
	switch {
	case len(before) > 0:
		var zh []string
		slices.Sort(before)
		for _, i := range before {
			zh = append(zh, fmt.Sprintf("%d %s", i+1, rules[i].Name))
		}
		return kit.Words{"前面的规则总是先符合：" + strings.Join(zh, "、") + "。把这条往上移",
			"an earlier rule always comes first: " + strings.Join(zh, ", ") + ". Move this one up"}
	case !r.Until.IsZero() && r.Until.Before(today):
		return kit.Words{"日期已经过去", "its dates are over"}
	case r.Holidays:
		return kit.Words{"以后没有符合的节假日场次；节假日在“营业时间”里填", "there is no such slot on a holiday to come; holidays are named under Hours"}
	}
	return kit.Words{"没有这样的场次：看看时段、星期和营业时间", "there is no such slot: look at the times, the weekdays and the opening hours"}
}

// dayKinds gives one day of each kind that is to come.
func dayKinds(rules domain.PriceRules, cal domain.Calendar, today domain.Date) []dayKind {
	var days []domain.Date
	for n := range lookAhead + 1 {
		days = append(days, today.AddDays(n))
	}
	end := today.AddDays(lookAhead)
	for _, r := range rules {
		for n := range 7 {
			if d := r.From.AddDays(n); !r.From.IsZero() && end.Before(d) {
				days = append(days, d)
			}
		}
	}
	for d := range cal.Hours.Holidays {
		if end.Before(d) {
			days = append(days, d)
		}
	}
	var out []dayKind
	seen := map[string]bool{}
	for _, d := range days {
		_, holiday := cal.Holiday(d)
		hours := cal.DayHours(d)
		kind := fmt.Sprint(int(d.Weekday()), holiday, hours.Closed, hours.Opens, hours.Closes)
		for _, r := range rules {
			kind += fmt.Sprint((r.From.IsZero() || !d.Before(r.From)) && (r.Until.IsZero() || !r.Until.Before(d)))
		}
		if seen[kind] {
			continue
		}
		seen[kind] = true
		k := dayKind{date: d, holiday: holiday}
		for _, slot := range cal.Slots(d) {
			k.starts = append(k.starts, cal.MinuteOf(d, slot.Start))
		}
		out = append(out, k)
	}
	return out
}

// courtKinds gives one court on sale of each kind that no rule can tell apart.
func courtKinds(rules domain.PriceRules, courts []sqlite.Court) []sqlite.Court {
	var out []sqlite.Court
	seen := map[string]bool{}
	for _, c := range courts {
		kind := ""
		for _, r := range rules {
			kind += fmt.Sprint(slices.Contains(r.Courts, c.ID))
		}
		if c.Active && !seen[kind] {
			seen[kind] = true
			out = append(out, c)
		}
	}
	return out
}

package settings

import (
	"slices"
	"strings"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// ruleWords say the conditions of a rule.
func ruleWords(r domain.PriceRule, courts []sqlite.Court) kit.Words {
	var zh, en []string
	say := func(w kit.Words) { zh, en = append(zh, w[0]), append(en, w[1]) }
	if len(r.Weekdays) > 0 {
		say(weekdayWords(r.Weekdays))
	}
	if r.Holidays {
		say(kit.Words{"仅节假日", "on holidays only"})
	}
	switch from, until := r.From.String(), r.Until.String(); {
	case from != "" && until != "":
		say(kit.Words{from + " 至 " + until, from + " to " + until})
	case from != "":
		say(kit.Words{from + " 起", "from " + from})
	case until != "":
		say(kit.Words{"到 " + until + " 为止", "until " + until})
	}
	if !r.Band.IsZero() {
		say(kit.Words{r.Band.From.String() + "–" + r.Band.To.String() + " 开始的场次", "starting " + r.Band.From.String() + "–" + r.Band.To.String()})
	}
	if len(r.Courts) > 0 {
		var names []string
		for _, c := range courts {
			if slices.Contains(r.Courts, c.ID) {
				names = append(names, c.Name)
			}
		}
		say(kit.Words{strings.Join(names, "、"), strings.Join(names, ", ")})
	}
	if len(zh) == 0 {
		return kit.Words{"没有条件：其余所有场次", "no conditions: all other slots"}
	}
	return kit.Words{strings.Join(zh, " · "), strings.Join(en, " · ")}
}

// weekdayWords name some days of the week, a run of them by its ends.
func weekdayWords(days []int) kit.Words {
	var have []int
	for _, day := range weekOrder {
		if slices.Contains(days, day) {
			have = append(have, day)
		}
	}
	switch {
	case len(have) == 7:
		return kit.Words{"每天", "every day"}
	case slices.Equal(have, []int{6, 0}):
		return kit.Words{"周末", "weekends"}
	case len(have) > 2 && slices.Index(weekOrder, have[len(have)-1])-slices.Index(weekOrder, have[0]) == len(have)-1:
		first, last := kit.Weekday(have[0]), kit.Weekday(have[len(have)-1])
		return kit.Words{first[0] + "至" + last[0], first[1] + " to " + last[1]}
	}
	var zh, en []string
	for _, day := range have {
		w := kit.Weekday(day)
		zh, en = append(zh, w[0]), append(en, w[1])
	}
	return kit.Words{strings.Join(zh, "、"), strings.Join(en, ", ")}
}

// priceLines say a list of rules, for whoever finds that somebody else has changed it.
func priceLines(rules domain.PriceRules, courts []sqlite.Court) []kit.Words {
	var out []kit.Words
	for _, r := range rules {
		w, price := ruleWords(r, courts), notify.Yuan(r.PriceFen)
		out = append(out, kit.Words{r.Name + " " + price + "：" + w[0], r.Name + " " + price + ": " + w[1]})
	}
	return out
}

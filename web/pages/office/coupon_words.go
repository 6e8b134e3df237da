package office

import (
	"fmt"
	"strings"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// couponSays tells what a coupon does as people do: 满 100 减 20，每人一次.
func couponSays(c domain.Coupon, cal domain.Calendar) kit.Words {
	zh, en := "减 "+kit.Yuan(c.AmountFen)+" 元", kit.Yuan(c.AmountFen)+" yuan off"
	switch {
	case c.Percent == 100:
		zh, en = "全免", "free of charge"
	case c.Percent > 0:
		zh, en = "打 "+folds(c.Percent)+" 折", fmt.Sprintf("%d%% off", c.Percent)
	}
	if c.MinTotalFen > 0 {
		zh, en = "满 "+kit.Yuan(c.MinTotalFen)+" 元"+zh, en+" from "+kit.Yuan(c.MinTotalFen)+" yuan"
	}
	switch n := c.MaxUsesPerCustomer; {
	case n == 1:
		zh, en = zh+"，每人一次", en+", once for each customer"
	case n > 1:
		zh, en = fmt.Sprintf("%s，每人 %d 次", zh, n), fmt.Sprintf("%s, %d times for each customer", en, n)
	}
	switch n := c.MaxUses; {
	case n == 1:
		zh, en = zh+"，只能用一次", en+", once in all"
	case n > 1:
		zh, en = fmt.Sprintf("%s，共 %d 次", zh, n), fmt.Sprintf("%s, %d times in all", en, n)
	}
	from, until := validWords(c, cal)
	switch {
	case from != "" && until != "":
		return kit.Words{zh + "，" + from + " 至 " + until, en + ", " + from + " to " + until}
	case from != "":
		return kit.Words{zh + "，" + from + " 起", en + ", from " + from}
	case until != "":
		return kit.Words{zh + "，至 " + until, en + ", until " + until}
	}
	return kit.Words{zh, en}
}

// folds says a share that comes off as Chinese prices do: 10 off are 9 折, 12 off 8.8.
func folds(percent int) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%d", (100-percent)/10, (100-percent)%10), ".0")
}

// validWords are the first and last day of a coupon, with a time where it does not
// begin or end with the day; empty where there is no bound.
func validWords(c domain.Coupon, cal domain.Calendar) (from, until string) {
	if c.ValidFrom.IsSet() {
		day := cal.LocalDate(c.ValidFrom)
		from = day.String()
		if cal.Wall(day, 0) != c.ValidFrom {
			from += " " + cal.Label(c.ValidFrom)
		}
	}
	if c.ValidUntil.IsSet() {
		until = lastDay(c, cal).String()
		if cal.Wall(cal.LocalDate(c.ValidUntil), 0) != c.ValidUntil {
			until += " " + cal.Label(c.ValidUntil)
		}
	}
	return from, until
}

// lastDay is the last day on which a coupon can be used.
func lastDay(c domain.Coupon, cal domain.Calendar) domain.Date {
	return cal.LocalDate(c.ValidUntil - 1)
}

var standingWords = map[domain.CouponStanding]kit.Words{
	domain.CouponUsable: {"可用", "usable"},
	domain.CouponNotYet: {"未开始", "not yet"},
	domain.CouponOver:   {"已过期", "over"},
	domain.CouponUsedUp: {"已用完", "used up"},
	domain.CouponOff:    {"已停用", "switched off"},
}

// couponRow is a coupon in words.
type couponRow struct {
	Code, Name string
	Says       kit.Words
	Standing   string
	Words      kit.Words
	Uses, Most int
	Active     bool
}

func couponRowOf(v app.CouponView, cal domain.Calendar) couponRow {
	return couponRow{Code: v.Code, Name: v.Name, Says: couponSays(v.Coupon, cal), Standing: string(v.Standing), Words: standingWords[v.Standing],
		Uses: v.Uses, Most: v.MaxUses, Active: v.Active}
}

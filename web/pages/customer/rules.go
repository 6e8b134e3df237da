package customer

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// rulesPage says in words what the venue has decided.
type rulesPage struct {
	kit.Frame
	Week        []dayHours
	SlotMinutes int
	Prices      []priceLine
	Ladder      []ladderStep
	Rules       []ruleGroup
	AtDesk      bool // what is to be paid is paid at the desk, as Pay says
	Pay         deskPay
}

type dayHours struct {
	Day     kit.Words
	Hours   kit.Words
	Holiday string
	Note    string
}

type priceLine struct {
	Name  string
	When  kit.Words
	Price int64
}

type ruleGroup struct {
	Title kit.Words
	Lines []kit.Words
}

// showRules says the opening hours, the prices and the rules.
func (p *pages) showRules(c *fiber.Ctx) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"预订须知", "Rules and prices"})
	if err != nil {
		return err
	}
	venue, courts, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	page := rulesPage{Frame: f, SlotMinutes: venue.Calendar.Hours.SlotMinutes, Ladder: ladderWords(venue.Policy.RefundLadder), Rules: ruleGroups(venue.Policy), AtDesk: p.onlyAtDesk(), Pay: payWithin(venue)}
	today := venue.Calendar.DayOf(now)
	for n := range 7 {
		day := today.AddDays(n)
		hours := venue.Calendar.DayHours(day)
		line := dayHours{Day: kit.DayWords(day, today), Hours: hoursWords(hours), Note: hours.Note}
		line.Holiday, _ = venue.Calendar.Holiday(day)
		page.Week = append(page.Week, line)
	}
	names := map[string]string{}
	for _, court := range courts {
		names[court.ID] = court.Name
	}
	for i, rule := range venue.Prices {
		page.Prices = append(page.Prices, priceLine{Name: rule.Name, When: priceWords(rule, names, i == 0), Price: rule.PriceFen})
	}
	return p.Render(c, http.StatusOK, "rules", page)
}

// priceWords say when a price rule counts.
func priceWords(rule domain.PriceRule, courts map[string]string, first bool) kit.Words {
	if rule.Unconditional() {
		if first {
			return kit.Words{"所有时间", "at all times"}
		}
		return kit.Words{"其他时间", "at all other times"}
	}
	var zh, en []string
	add := func(w kit.Words) { zh, en = append(zh, w[0]), append(en, w[1]) }
	if rule.Holidays {
		add(kit.Words{"节假日", "holidays"})
	}
	if !rule.From.IsZero() || !rule.Until.IsZero() {
		add(spanWords(rule.From, rule.Until))
	}
	if len(rule.Weekdays) > 0 {
		add(weekdayWords(rule.Weekdays))
	}
	if !rule.Band.IsZero() {
		band := rule.Band.From.String() + "–" + rule.Band.To.String()
		add(kit.Words{band + " 开始的场次", "slots that start " + band})
	}
	if len(rule.Courts) > 0 {
		var names []string
		for _, id := range rule.Courts {
			names = append(names, apart(courts[id]))
		}
		add(kit.Words{strings.Join(names, "、"), strings.Join(names, ", ")})
	}
	return kit.Words{strings.Join(zh, "，"), strings.Join(en, "; ")}
}

func spanWords(from, until domain.Date) kit.Words {
	switch {
	case from.IsZero():
		return kit.Words{until.String() + " 为止", "until " + until.String()}
	case until.IsZero():
		return kit.Words{from.String() + " 起", "from " + from.String()}
	}
	return kit.Words{from.String() + " 至 " + until.String(), from.String() + " to " + until.String()}
}

// weekdayWords name days of the week, Monday first.
func weekdayWords(days []int) kit.Words {
	var on [7]bool // Monday is 0
	for _, day := range days {
		on[(day+6)%7] = true
	}
	switch on {
	case [7]bool{true, true, true, true, true, false, false}:
		return kit.Words{"周一至周五", "Monday to Friday"}
	case [7]bool{false, false, false, false, false, true, true}:
		return kit.Words{"周六、周日", "Saturday and Sunday"}
	}
	var zh, en []string
	for i, is := range on {
		if is {
			name := kit.Weekday((i + 1) % 7)
			zh, en = append(zh, name[0]), append(en, name[1])
		}
	}
	return kit.Words{strings.Join(zh, "、"), strings.Join(en, ", ")}
}

// ruleGroups say the policy.
func ruleGroups(policy domain.Policy) []ruleGroup {
	line := func(zh, en string, args ...any) kit.Words {
		return kit.Words{fmt.Sprintf(zh, args...), fmt.Sprintf(en, args...)}
	}
	book := ruleGroup{Title: kit.Words{"预订与付款", "Booking and paying"}, Lines: []kit.Words{
		line("可提前 %d 天预订，最远的一天当日 %s 开放。", "Book up to %d days ahead; the last of them opens at %s.", policy.DaysAhead, policy.OpensAt),
		line("下单后 %d 分钟内付款，只买商品为 %d 分钟；逾期自动释放，不收费用。", "Pay within %d minutes, or %d for goods alone; after that all of it is released and nothing is charged.", policy.HoldMinutes, policy.GoodsHoldMinutes),
		line("每人每天最多 %d 场，一次最多 %d 场，同时最多 %d 张未付款订单。", "At most %d slots a day and %d at once for one person, and %d unpaid orders at the same time.", policy.MaxSlotsPerDay, domain.MaxSlotsPerOrder, policy.MaxLiveOrders),
		line("24 小时内 %d 次下单不付款，暂停预订 %d 分钟，再犯加倍。", "%d orders left unpaid within 24 hours pause booking for %d minutes, doubling each time.", domain.CoolDownFrom, int(domain.CoolDownBase.Minutes())),
	}}
	if policy.SaleEndsBeforeMinutes > 0 {
		book.Lines = append(book.Lines, line("开始前 %d 分钟停止网上预订，之后请到前台。", "Online booking ends %d minutes before the start; ask at the desk after that.", policy.SaleEndsBeforeMinutes))
	}
	door := ruleGroup{Title: kit.Words{"入场与爽约", "Coming in"}, Lines: []kit.Words{
		line("开始前 %d 分钟起，凭二维码到前台核销入场。", "From %d minutes before the start, show the code at the desk.", policy.CheckInBeforeMinutes)}}
	if policy.ReleaseAfterMinutes > 0 {
		door.Lines = append(door.Lines, line("开始后 %d 分钟仍未核销，视为爽约，场次释放。", "Not checked in %d minutes after the start is a no-show and the slot is released.", policy.ReleaseAfterMinutes))
	} else {
		door.Lines = append(door.Lines, line("到场次结束仍未核销，视为爽约。", "Not checked in by the end of the slot is a no-show."))
	}
	if policy.NoShowRefundPercent > 0 {
		door.Lines = append(door.Lines, line("爽约退场地费的 %d%%。", "A no-show gets %d%% of the slots back.", policy.NoShowRefundPercent))
	} else {
		door.Lines = append(door.Lines, line("爽约不退场地费。", "A no-show gets nothing back for the slots."))
	}
	if policy.Strikes > 0 {
		door.Lines = append(door.Lines, line("%d 天内爽约 %d 次，暂停预订，直到最早一次满 %[1]d 天。", "No-shows count for %d days; %d of them stop booking until the oldest no longer counts.", policy.StrikeDays, policy.Strikes))
	}
	if policy.ReminderBeforeMinutes > 0 {
		long := minutesWords(policy.ReminderBeforeMinutes)
		door.Lines = append(door.Lines, kit.Words{"开始前 " + long[0] + "会提醒您。", "You are reminded " + long[1] + " before the start."})
	}
	return []ruleGroup{book, door}
}

func minutesWords(minutes int) kit.Words {
	if minutes%60 == 0 {
		return kit.Words{fmt.Sprintf("%d 小时", minutes/60), fmt.Sprintf("%d h", minutes/60)}
	}
	return kit.Words{fmt.Sprintf("%d 分钟", minutes), fmt.Sprintf("%d minutes", minutes)}
}

package settings

import (
	"fmt"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// consequence is what one group of the policy comes to for an example.
type consequence struct {
	Title kit.Words
	Lines []kit.Words
}

// example is a slot that the policy is explained by.
type example struct {
	slot  domain.Slot
	day   domain.Date
	cal   domain.Calendar
	price int64
	today domain.Date
}

// exampleOf picks an evening slot a few days ahead; false when the venue is never open.
func exampleOf(v sqlite.Venue, courts []sqlite.Court, today domain.Date) (example, bool) {
	const evening = 19 * 60
	for n := 3; n < 3+21; n++ {
		e := example{day: today.AddDays(n), cal: v.Calendar, today: today}
		for _, slot := range v.Calendar.Slots(e.day) {
			if !e.slot.Start.IsSet() || v.Calendar.MinuteOf(e.day, slot.Start) <= evening {
				e.slot = slot
			}
		}
		if !e.slot.Start.IsSet() {
			continue
		}
		_, holiday := v.Calendar.Holiday(e.day)
		for _, c := range courts {
			if c.Active {
				e.price = v.Prices.PriceOf(c.ID, e.day, v.Calendar.MinuteOf(e.day, e.slot.Start), holiday).PriceFen
				break
			}
		}
		return e, true
	}
	return example{}, false
}

// clock says an instant: the time alone on the example's own day, else with its day.
func (e example) clock(at domain.Instant) kit.Words {
	label := e.cal.Label(at)
	if d := e.cal.LocalDate(at); d != e.day {
		w := kit.DayWords(d, e.today)
		return kit.Words{w[0] + " " + label, w[1] + " " + label}
	}
	return kit.Words{label, label}
}

func (e example) name() kit.Words {
	w := kit.DayWords(e.day, e.today)
	span := e.cal.Label(e.slot.Start) + "–" + e.cal.Label(e.slot.End)
	return kit.Words{w[0] + " " + span, w[1] + " " + span}
}

// lines collects sentences in both languages. What is filled in is itself in both.
type lines []kit.Words

func (l *lines) say(zh, en string, filled ...any) {
	var z, e []any
	for _, f := range filled {
		if w, ok := f.(kit.Words); ok {
			z, e = append(z, w[0]), append(e, w[1])
		} else {
			z, e = append(z, f), append(e, f)
		}
	}
	*l = append(*l, kit.Words{fmt.Sprintf(zh, z...), fmt.Sprintf(en, e...)})
}

// consequences say what a policy comes to for the example, group by group.
func consequences(p domain.Policy, e example) []consequence {
	return []consequence{
		{policyGroups[0].title, e.paying(p)}, {policyGroups[1].title, e.booking(p)}, {policyGroups[2].title, e.door(p)},
		{policyGroups[3].title, e.refunds(p)}, {policyGroups[4].title, e.noShows(p)},
	}
}

func (e example) paying(p domain.Policy) []kit.Words {
	var out lines
	bookedAt := e.cal.Wall(e.day, 9*60)
	if bookedAt >= e.slot.Start {
		bookedAt = e.cal.Wall(e.day.AddDays(-1), 9*60)
	}
	out.say("%s 下单，须在 %s 前付款；到 %[2]s 整还没付，场次就放出来了。", "Booked at %s, it must be paid before %s; at %[2]s sharp the slot is free again.",
		e.clock(bookedAt), e.clock(p.PayBy(bookedAt, e.slot.Start)))
	late := e.slot.Start.Add(-time.Minute)
	if p.PayBy(late, e.slot.Start) == e.slot.Start {
		out.say("快开场才下单的，付款期限不会晚于开场 %s。", "Booked shortly before, it must be paid by the start, %s.", e.clock(e.slot.Start))
	}
	out.say("只买商品：%s 下单，须在 %s 前付款。", "Goods alone: ordered at %s, to be paid before %s.", e.clock(bookedAt), e.clock(p.PayBy(bookedAt, 0)))
	out.say("有 %d 张订单没付款的人，不能再下新单。", "Who has %d unpaid orders cannot make another.", p.MaxLiveOrders)
	out.say("24 小时内 %d 次不付款的，%d 分钟内不能再订，以后每次加倍（固定，不能改）。", "After %d unpaid orders within 24 hours one has to wait %d minutes, twice as long each further time (fixed).",
		domain.CoolDownFrom, int(domain.CoolDownBase.Minutes()))
	return out
}

func (e example) booking(p domain.Policy) []kit.Words {
	var out lines
	out.say("这一场从 %s 起可以订。", "It can be booked from %s on.", e.clock(p.BookingOpens(e.cal, e.day)))
	if ends := p.SaleEnds(e.slot.Start); ends < e.slot.Start {
		out.say("网上卖到 %s；之后只有前台能卖。", "It is sold online until %s; after that by the desk only.", e.clock(ends))
	} else {
		out.say("网上一直卖到开场 %s。", "It is sold online until it starts, %s.", e.clock(ends))
	}
	out.say("同一个人这一天最多订 %d 场。", "One person may have %d slots on this day.", p.MaxSlotsPerDay)
	return out
}

func (e example) door(p domain.Policy) []kit.Words {
	var out lines
	from, by := p.CheckInWindow(e.slot.Start, e.slot.End)
	out.say("%s 起可以核销入场。", "People are let in from %s on.", e.clock(from))
	if by < e.slot.End {
		out.say("到 %s 还没到场就放出，剩下的时间前台可以再卖；之后来的不能入场。", "If nobody has come by %s the slot is given up, and the desk may sell the rest of it; who comes later is not let in.", e.clock(by))
	} else {
		out.say("迟到也能入场，直到散场 %s；场地一直为他留着。", "Who comes late is let in until the end, %s; the court is kept.", e.clock(by))
	}
	if p.ReminderBeforeMinutes > 0 {
		out.say("%s 发一条提醒。", "A reminder goes out at %s.", e.clock(e.slot.Start.Add(-time.Duration(p.ReminderBeforeMinutes)*time.Minute)))
	} else {
		out.say("不发提醒。", "No reminder is sent.")
	}
	return out
}

func (e example) refunds(p domain.Policy) []kit.Words {
	var out lines
	back := func(percent int) string { return notify.Yuan(e.price * int64(percent) / 100) }
	for _, step := range p.RefundLadder {
		last := e.slot.Start.Add(-time.Duration(step.HoursBefore) * time.Hour)
		share := p.RefundLadder.Percent(e.slot.Start, last)
		out.say("%s 及以前取消：退 %d%%（%s）。", "Cancelled by %s: %d %% comes back (%s).", e.clock(last), share, back(share))
	}
	if share := p.RefundLadder.Percent(e.slot.Start, e.slot.Start.Add(-time.Second)); share > 0 {
		out.say("再晚，直到开场：退 %d%%（%s）。", "Later, until the start: %d %% (%s).", share, back(share))
	} else {
		out.say("再晚取消：不退。", "Later than that nothing comes back.")
	}
	if p.NoShowRefundPercent > 0 {
		out.say("没来：退 %d%%（%s）。", "Who does not come gets %d %% (%s).", p.NoShowRefundPercent, back(p.NoShowRefundPercent))
	} else {
		out.say("没来：不退。", "Who does not come gets nothing back.")
	}
	out.say("场馆取消或封场：总是全额退。", "If the venue cancels or closes, everything comes back, always.")
	return out
}

func (e example) noShows(p domain.Policy) []kit.Words {
	var out lines
	if p.Strikes == 0 {
		out.say("爽约不影响以后订场。", "No-shows never stop anybody from booking.")
		return out
	}
	_, by := p.CheckInWindow(e.slot.Start, e.slot.End)
	out.say("这一场没来，记一次爽约，算到 %s。", "Not coming to it counts as a no-show until %s.", e.clock(by.Add(time.Duration(p.StrikeDays)*24*time.Hour)))
	out.say("%d 天里爽约 %d 次，就不能再订，直到最早的一次不再算。前台可以免除一次。", "With %[2]d no-shows in %[1]d days one cannot book until the oldest counts no more. The desk can forgive one.", p.StrikeDays, p.Strikes)
	return out
}

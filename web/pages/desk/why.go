package desk

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/pages/kit"
)

// whyView explains a slot's state: which row and which deadline decide, and what has
// happened, each thing beside its own time.
type whyView struct {
	Words  kit.Words
	Events []whyEvent
}

type whyEvent struct {
	At, Number, Name, Href string
	Words                  kit.Words
	Decides                bool // the last of the row that holds the slot
}

// whyOf explains the slot of a place.
func (p *pages) whyOf(c *fiber.Ctx, at spot, board app.BoardView) (*whyView, error) {
	ref, err := app.ParseSlotID("slot", at.Slot)
	if err != nil {
		return nil, err
	}
	why, err := p.App.Why(c.UserContext(), ref, at.at)
	if err != nil {
		return nil, err
	}
	view := &whyView{Words: whyWords(why)}
	last := map[string]int{}
	for i, e := range why.Happened {
		view.Events = append(view.Events, whyEvent{At: clockText(e.At, board.At), Number: e.Number, Name: e.Customer, Href: "/desk/orders/" + e.Order, Words: eventWords(e)})
		last[e.Reservation] = i
	}
	for _, b := range why.Bookings {
		if i, told := last[b.ID]; told && b.Blocks {
			view.Events[i].Decides = true
		}
	}
	return view, nil
}

// whyWords say what decides a slot's state for customers.
func whyWords(why app.WhyView) kit.Words {
	start := clockText(why.Start, why.At)
	var until string
	if why.Until != nil {
		until = clockText(*why.Until, why.At)
	}
	switch why.DecidedBy {
	case "start":
		return kit.Words{"场次在 " + start + " 已开始，网上不再出售；谁在场由下面的记录决定。",
			"It began at " + start + ", so it is no longer sold online; the rows below decide who is in it."}
	case "closure":
		return kit.Words{"有封场，所以不能订。", "A closure covers it, so it cannot be booked."}
	case "booking_window":
		return kit.Words{"这一天 " + until + " 才对顾客开放；前台现在就可以订。", "Customers may book this day from " + until + "; the desk may now."}
	case "reservation":
		return reservationWhy(why.Deadline, until)
	}
	return kit.Words{"没有记录占着它，也没有封场，所以可订。", "No row holds it and no closure covers it, so it is free."}
}

func reservationWhy(deadline, until string) kit.Words {
	switch deadline {
	case "pay_by":
		return kit.Words{"有人占着，还没付款：到 " + until + " 不付款就自动放出。", "Somebody holds it and has not paid: unless they do, it is free at " + until + "."}
	case "check_in_by":
		return kit.Words{"已付款，还没核销：到 " + until + " 不来就算爽约并放出。", "It is paid, and nobody has checked in: if nobody does, it is a no-show at " + until + "."}
	}
	return kit.Words{"已核销，占用到 " + until + " 结束。", "They have checked in; it is theirs until " + until + "."}
}

// eventWords say one thing that happened to a booking. Its time stands beside it.
func eventWords(e app.EventView) kit.Words {
	words, known := eventNames[e.What]
	if !known {
		words = kit.Words{e.What, e.What}
	}
	if e.Elsewhere != "" {
		words = kit.Words{words[0] + " " + e.Elsewhere, words[1] + " " + e.ElsewhereEN}
	}
	if e.Reason != "" {
		reason := kit.ReasonWords(e.Reason)
		words = kit.Words{words[0] + "：" + reason[0], words[1] + ": " + reason[1]}
	}
	return words
}

var eventNames = map[string]kit.Words{
	"booked":     {"预订", "booked"},
	"revived":    {"付款晚到，场次还空着，恢复预订", "paid late while the slot was still free: booked again"},
	"moved_here": {"改期到这里，原来是", "moved here from"},
	"undone":     {"撤销爽约，顾客已入场", "the no-show was undone; the customer is in"},
	"paid":       {"付款", "paid"},
	"checked_in": {"核销", "checked in"},
	"moved_away": {"改到", "moved to"},
	"cancelled":  {"取消", "cancelled"},
	"lapsed":     {"没有付款，失效并放出", "not paid: lapsed and free again"},
	"no_show":    {"没有核销，爽约并放出", "nobody checked in: a no-show, and free again"},
	"completed":  {"结束", "over"},
}

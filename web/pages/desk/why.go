package desk

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// whyView explains a slot's state: which row and which deadline decide, and every
// row there is.
type whyView struct {
	Words kit.Words
	Rows  []whyRow
}

type whyRow struct {
	State, Number, Name, Href string
	Words                     kit.Words
	Decides                   bool
	Booked                    string
}

// whyOf explains the slot of a place.
func (p *pages) whyOf(c *fiber.Ctx, at spot, board app.BoardView) (*whyView, error) {
	ref, err := parseSlot("slot", at.Slot)
	if err != nil {
		return nil, err
	}
	why, err := p.App.Why(c.UserContext(), ref, at.at)
	if err != nil {
		return nil, err
	}
	view := &whyView{Words: whyWords(why)}
	for _, b := range why.Bookings {
		view.Rows = append(view.Rows, whyRow{State: b.State, Number: b.Number, Name: b.Customer.Name, Href: "/desk/orders/" + b.Order,
			Words: rowWords(b), Decides: b.Blocks, Booked: clockText(b.BookedAt, board.At)})
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

// rowWords say in plain words what has become of a row and by which deadline.
func rowWords(b app.BookingView) kit.Words {
	payBy, by := "", clockText(b.CheckInBy, b.Start)
	if b.PayBy != nil {
		payBy = clockText(*b.PayBy, b.Start)
	}
	switch domain.State(b.State) {
	case domain.Held:
		return kit.Words{payBy + " 前付款，否则失效", "to be paid before " + payBy + ", or it lapses"}
	case domain.Lapsed:
		return kit.Words{"到 " + payBy + " 没有付款，失效", "not paid by " + payBy + ": lapsed"}
	case domain.Confirmed:
		return kit.Words{"已付款，" + by + " 前核销，否则算爽约", "paid; to check in before " + by + ", or it is a no-show"}
	case domain.NoShow:
		return kit.Words{"到 " + by + " 没有核销，爽约", "nobody checked in by " + by + ": no-show"}
	case domain.Playing, domain.Completed:
		in, end := clockText(*b.CheckedInAt, b.Start), b.End.Format("15:04")
		if domain.State(b.State) == domain.Playing {
			return kit.Words{in + " 核销，到 " + end + " 结束", "checked in at " + in + ", until " + end}
		}
		return kit.Words{in + " 核销，" + end + " 已结束", "checked in at " + in + "; over since " + end}
	case domain.Cancelled, domain.Moved:
		return endedWords(b)
	}
	return kit.Words{}
}

func endedWords(b app.BookingView) kit.Words {
	when := ""
	if b.CancelledAt != nil {
		when = clockText(*b.CancelledAt, b.Start)
	}
	if domain.State(b.State) == domain.Moved {
		return kit.Words{when + " 改到别的场次", "moved elsewhere at " + when}
	}
	words := kit.Words{when + " 取消", "cancelled at " + when}
	if b.CancelReason != "" {
		words = kit.Words{words[0] + "：" + b.CancelReason, words[1] + ": " + b.CancelReason}
	}
	return words
}

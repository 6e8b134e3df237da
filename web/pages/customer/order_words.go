package customer

import (
	"fmt"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// orderWords say what an order's state means for its customer.
var orderWords = map[string]kit.Words{
	"lapsed":    {"付款时间已过，场次已释放。如仍需要，请重新预订。", "The time to pay is over and the slots were released. Please book again."},
	"cancelled": {"订单已取消。", "This order was cancelled."},
	"no_show":   {"未到场核销，按爽约处理。如有误请联系前台。", "Nobody checked in, so it counts as a no-show. Ask the desk if this is wrong."},
	"completed": {"订单已完成，谢谢光临。", "This order is completed. Thank you."},
}

func (o *orderPart) addWords(more behind) {
	if w, ok := orderWords[o.Order.State]; ok {
		o.Explain = &w
	}
	if w, ok := kit.GoodsWords[o.Order.GoodsState]; ok && len(o.Order.Goods) > 0 {
		o.GoodsWords = &w
	}
	step := func(zh, en string) { o.Steps = append(o.Steps, kit.Words{zh, en}) }
	switch domain.State(o.Order.State) {
	case domain.Held:
		step("付款后，这里会出现入场二维码。", "Once it is paid, the code for the door appears here.")
		lost := kit.Words{"场次自动释放", "the slots are released"}
		if len(o.Order.Reservations) == 0 {
			lost = kit.Words{"商品不再为您保留", "the goods are no longer kept for you"}
		}
		step(o.PayByClock+" 前没有付款，"+lost[0]+"，不收任何费用。", "If it is not paid by "+o.PayByClock+", "+lost[1]+" and nothing is charged.")
	case domain.Paid:
		o.addPaidSteps(more.terms)
	case domain.Lapsed:
		if more.open != "" || more.unpaidSandbox != "" {
			step("如果其实已经付了款：到账后，场次还在就恢复订单，否则全额原路退回。", "If you did pay after all: once the money arrives the order is restored if all of it is still free, or all of it goes back.")
		}
	case domain.Cancelled:
		if o.Order.RefundPending > 0 {
			step("退款原路退回，通常几分钟内到账；到账后会通知您。", "The refund goes back the way it came, usually within minutes; you will be told.")
		}
	}
}

// failedWords say that the provider has given its final no to the latest attempt,
// and until when another can be made.
func (o *orderPart) failedWords(more behind) *kit.Say {
	switch {
	case !more.failed:
		return nil
	case o.AtDesk:
		return &kit.Say{Words: kit.Words{"付款没有成功", "The payment did not succeed"}, Tone: "bad"}
	}
	return &kit.Say{Words: kit.Words{"付款没有成功，请重试，" + o.PayByClock + " 前有效", "The payment did not succeed: please try again, before " + o.PayByClock}, Tone: "bad"}
}

func (o *orderPart) addPaidSteps(terms domain.Terms) {
	step := func(zh, en string) { o.Steps = append(o.Steps, kit.Words{zh, en}) }
	if o.Inside != nil {
		return
	}
	if r := o.nextSlot(); r != nil {
		step("到场出示二维码，由前台扫码入场。", "Show the code at the desk, which scans it and lets you in.")
		by := r.CheckInBy.Format("15:04")
		if terms.NoShowRefundPercent > 0 {
			step(fmt.Sprintf("%s 前没有核销视为爽约，场地费退 %d%%。", by, terms.NoShowRefundPercent), fmt.Sprintf("Not checked in by %s is a no-show: %d%% of the slots goes back.", by, terms.NoShowRefundPercent))
		} else {
			step(by+" 前没有核销视为爽约，场地费不退。", "Not checked in by "+by+" is a no-show: the slots are not refunded.")
		}
		return
	}
	if o.Order.GoodsState == string(domain.Confirmed) {
		step("到前台出示二维码领取商品。", "Show the code at the desk to collect your goods.")
	}
}

// nextSlot is the first slot that still waits for its customer.
func (o *orderPart) nextSlot() *app.ReservationView {
	for i, r := range o.Order.Reservations {
		if r.State == string(domain.Confirmed) {
			return &o.Order.Reservations[i]
		}
	}
	return nil
}

// addDoor says when the door lets the customer in, or that they are in.
func (o *orderPart) addDoor() {
	if r := o.nextSlot(); r != nil {
		from, by := whenWords(r.CheckInFrom, o.Order.Now), r.CheckInBy.Format("15:04")
		o.Door = &kit.Words{"核销时间 " + from + " – " + by, "Check in between " + from + " and " + by}
		o.DoorOpen = !o.Order.Now.Before(r.CheckInFrom) && o.Order.Now.Before(r.CheckInBy)
		return
	}
	for _, r := range o.Order.Reservations {
		if r.State == string(domain.Playing) && r.CheckedInAt != nil {
			at, until := r.CheckedInAt.Format("15:04"), r.End.Format("15:04")
			o.Inside = &kit.Words{at + " 已核销入场，" + until + " 结束", "Checked in at " + at + "; the slot ends at " + until}
			return
		}
	}
}

func lateWords(late *app.LateMoneyView) *kit.Say {
	if late == nil {
		return nil
	}
	switch late.Verdict {
	case "revived":
		return &kit.Say{Words: kit.Words{"付款迟到，但场次仍可用：订单已恢复", "The payment came late, but all was still free: the order is restored"}, Tone: "good"}
	case "refunded":
		why, ok := kit.LateReasons[late.Reason]
		if !ok {
			why = kit.Words{"订单已不能恢复", "the order could not be restored"}
		}
		return &kit.Say{Words: kit.Words{"有一笔付款无法使用（" + why[0] + "），全额退回", "A payment could not be used (" + why[1] + ") and goes back in full"}, Tone: "warn"}
	}
	return &kit.Say{Words: kit.Words{"有一笔付款需要人工核对，请联系前台", "A payment needs a person to look at it; please ask the desk"}, Tone: "warn"}
}

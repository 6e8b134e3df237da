package notify

import "fmt"

// showCode tells the customer what to bring.
func (f Facts) showCode() (zh, en string) {
	if len(f.Slots) == 0 {
		return "请到前台出示订单二维码领取。", "Show the order's QR code at the desk to collect."
	}
	return "到场请出示订单二维码。", "Show the order's QR code at the door."
}

// refund tells what goes back of a payment, if anything was paid.
func (f Facts) refund() (zh, en string) {
	if f.RefundFen > 0 {
		return fmt.Sprintf("退款 %s 将按原付款方式退回。", Yuan(f.RefundFen)),
			fmt.Sprintf(" A refund of %s is on its way to how you paid.", yuanEN(f.RefundFen))
	}
	return sentence(f.AmountFen > 0, "按退款规则，本次不退款。"),
		sentence(f.AmountFen > 0, " Under the refund rules nothing is refunded.")
}

func held(f Facts) Texts {
	desk, deskEN := sentence(f.AtDesk, "到前台"), sentence(f.AtDesk, " at the desk")
	return Texts{
		Title: fmt.Sprintf("请在 %s 前%s付款", f.PayBy, desk),
		Text: fmt.Sprintf("订单 %s 已为您保留：%s。请在 %s 前%s支付 %s，逾期自动释放。",
			f.OrderNumber, f.what(), f.PayBy, desk, Yuan(f.AmountFen)),
		TitleEN: fmt.Sprintf("Pay%s by %s", deskEN, f.PayBy),
		TextEN: fmt.Sprintf("Order %s is held for you: %s. Pay %s%s before %s or it will be released.",
			f.OrderNumber, f.whatEN(), yuanEN(f.AmountFen), deskEN, f.PayBy),
	}
}

// A payment may be under way while the order lapses, so nobody is told that no
// money was taken.
func lapsed(f Facts) Texts {
	by := sentence(f.PayBy != "", "在 %s 前", f.PayBy)
	byEN := sentence(f.PayBy != "", " by %s", f.PayBy)
	return Texts{
		Title: "订单已失效",
		Text: fmt.Sprintf("订单 %s %s未收到付款，已不再保留：%s。如仍需要，请重新预订；如果您已付款，我们会另行通知结果。",
			f.OrderNumber, by, f.what()),
		TitleEN: "Order lapsed",
		TextEN: fmt.Sprintf("Order %s was not paid%s and is no longer held: %s. Please book again if you still want it; if you did pay, we will tell you what becomes of it.",
			f.OrderNumber, byEN, f.whatEN()),
	}
}

func paid(f Facts) Texts {
	show, showEN := f.showCode()
	return Texts{
		Title: "预订成功",
		Text: fmt.Sprintf("订单 %s 已确认：%s。%s%s", f.OrderNumber, f.what(),
			sentence(f.AmountFen > 0, "已付 %s。", Yuan(f.AmountFen)), show),
		TitleEN: "Booking confirmed",
		TextEN: fmt.Sprintf("Order %s is confirmed: %s.%s %s", f.OrderNumber, f.whatEN(),
			sentence(f.AmountFen > 0, " Paid %s.", yuanEN(f.AmountFen)), showEN),
	}
}

func reminder(f Facts) Texts {
	show, showEN := f.showCode()
	return Texts{
		Title: "您的场次即将开始",
		Text: fmt.Sprintf("提醒您：%s（订单 %s）。%s如不能前来，请在开始前取消。",
			f.what(), f.OrderNumber, show),
		TitleEN: "Your slot starts soon",
		TextEN: fmt.Sprintf("A reminder: %s (order %s). %s If you cannot come, please cancel before it starts.",
			f.whatEN(), f.OrderNumber, showEN),
	}
}

func cancelled(f Facts) Texts {
	back, backEN := f.refund()
	why, whyEN := f.reason()
	return Texts{
		Title: "订单已取消",
		Text: fmt.Sprintf("订单 %s 已取消：%s。%s%s", f.OrderNumber, f.what(),
			sentence(why != "", "原因：%s。", why), back),
		TitleEN: "Order cancelled",
		TextEN: fmt.Sprintf("Order %s is cancelled: %s.%s%s", f.OrderNumber, f.whatEN(),
			sentence(whyEN != "", " Reason: %s.", whyEN), backEN),
	}
}

func moved(f Facts) Texts {
	oldEN, newEN := f.OldSlotEN, f.NewSlotEN
	if oldEN == "" {
		oldEN = f.OldSlot
	}
	if newEN == "" {
		newEN = f.NewSlot
	}
	return Texts{
		Title: "场次已更改",
		Text: fmt.Sprintf("订单 %s 已由 %s 改为 %s。旧二维码已作废，到场请出示新的订单二维码。%s%s", f.OrderNumber, f.OldSlot, f.NewSlot,
			sentence(f.AmountFen > 0, "请在前台补差价 %s。", Yuan(f.AmountFen)),
			sentence(f.RefundFen > 0, "差价 %s 将由前台退还。", Yuan(f.RefundFen))),
		TitleEN: "Slot changed",
		TextEN: fmt.Sprintf("Order %s has moved from %s to %s. The old QR code is void: show the order's new one at the door.%s%s",
			f.OrderNumber, oldEN, newEN,
			sentence(f.AmountFen > 0, " Please pay the difference of %s at the desk.", yuanEN(f.AmountFen)),
			sentence(f.RefundFen > 0, " The desk will return the difference of %s.", yuanEN(f.RefundFen))),
	}
}

func refunded(f Facts) Texts {
	why, whyEN := f.reason()
	return Texts{
		Title: "退款已完成",
		Text: fmt.Sprintf("订单 %s 的退款 %s 已退回%s，到账时间以付款平台为准。如有疑问请联系前台。",
			f.OrderNumber, Yuan(f.RefundFen), sentence(why != "", "（%s）", why)),
		TitleEN: "Refund completed",
		TextEN: fmt.Sprintf("The refund of %s for order %s has been made%s; when it shows depends on how you paid. Ask the desk if anything is unclear.",
			yuanEN(f.RefundFen), f.OrderNumber, sentence(whyEN != "", " (%s)", whyEN)),
	}
}

func lateMoney(f Facts) Texts {
	if f.Revived {
		show, showEN := f.showCode()
		return Texts{
			Title: "付款已收到，预订恢复",
			Text: fmt.Sprintf("订单 %s 的付款 %s 到达时订单已失效，现已为您恢复：%s。%s",
				f.OrderNumber, Yuan(f.AmountFen), f.what(), show),
			TitleEN: "Payment received, order restored",
			TextEN: fmt.Sprintf("Your payment of %s for order %s arrived after it had lapsed. We have restored it: %s. %s",
				yuanEN(f.AmountFen), f.OrderNumber, f.whatEN(), showEN),
		}
	}
	why, whyEN := f.reason()
	if why == "" {
		why, whyEN = "订单已不能恢复", "the order cannot be restored"
	}
	backFen := f.RefundFen
	if backFen == 0 {
		backFen = f.AmountFen
	}
	// Whoever paid twice still has the booking and need not book again.
	again := f.Reason != "already_paid"
	return Texts{
		Title: "付款无法使用，将全额退回",
		Text: fmt.Sprintf("订单 %s 收到付款 %s，但%s，%s 将全额退回。%s", f.OrderNumber, Yuan(f.AmountFen), why, Yuan(backFen),
			sentence(again, "如仍需要，请重新预订。")),
		TitleEN: "Payment will be refunded",
		TextEN: fmt.Sprintf("We received %s for order %s, but %s. %s will be refunded in full.%s",
			yuanEN(f.AmountFen), f.OrderNumber, whyEN, yuanEN(backFen),
			sentence(again, " Please book again if you still want to play.")),
	}
}

func noShow(f Facts) Texts {
	return Texts{
		Title: "未到场记录",
		Text: fmt.Sprintf("订单 %s 未核销，按爽约处理：%s。%s多次爽约会暂停预订。如有误，请联系前台。", f.OrderNumber, f.what(),
			sentence(f.RefundFen > 0, "退款 %s 将按原付款方式退回。", Yuan(f.RefundFen))),
		TitleEN: "Recorded as a no-show",
		TextEN: fmt.Sprintf("Order %s was not checked in and counts as a no-show: %s.%s Repeated no-shows pause booking. Ask the desk if this is wrong.",
			f.OrderNumber, f.whatEN(),
			sentence(f.RefundFen > 0, " A refund of %s is on its way to how you paid.", yuanEN(f.RefundFen))),
	}
}

func closure(f Facts) Texts {
	why, whyEN := f.reason()
	return Texts{
		Title: "场地封场，预订已取消",
		Text: fmt.Sprintf("很抱歉，因%s，订单 %s 的以下场次已取消：%s。%s欢迎改订其他场次。",
			orElse(why, "场地封场"), f.OrderNumber, f.what(),
			sentence(f.RefundFen > 0, "退款 %s 将按原付款方式退回。", Yuan(f.RefundFen))),
		TitleEN: "Court closed, booking cancelled",
		TextEN: fmt.Sprintf("We are sorry: the court is closed%s, so this part of order %s is cancelled: %s.%s You are welcome to book another slot.",
			sentence(whyEN != "", " (%s)", whyEN), f.OrderNumber, f.whatEN(),
			sentence(f.RefundFen > 0, " A refund of %s is on its way to how you paid.", yuanEN(f.RefundFen))),
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

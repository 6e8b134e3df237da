package kit

import (
	"time"

	"courtd/app"
	"courtd/domain"
)

// StateWords are the states of orders, reservations and goods.
var StateWords = map[string]Words{
	"held":      {"待付款", "held, to be paid"},
	"lapsed":    {"已失效", "lapsed"},
	"cancelled": {"已取消", "cancelled"},
	"moved":     {"已改期", "moved"},
	"paid":      {"已付款", "paid"},
	"confirmed": {"待核销", "confirmed"},
	"playing":   {"已核销", "checked in"},
	"no_show":   {"爽约", "no-show"},
	"completed": {"已完成", "completed"},
}

// StateMarks tell states apart without colour.
var StateMarks = map[string]string{
	"held": "…", "lapsed": "○", "cancelled": "✕", "moved": "→", "paid": "✓", "confirmed": "✓", "playing": "▶", "no_show": "!", "completed": "■",
}

// GoodsWords are the states of an order's goods.
var GoodsWords = map[string]Words{
	"held":      {"已为您留货，待付款", "kept for you, to be paid"},
	"confirmed": {"待领取", "to be collected"},
	"completed": {"已领取", "handed over"},
	"lapsed":    {"已退回货架", "back on the shelf"},
	"cancelled": {"已退回货架", "back on the shelf"},
	"no_show":   {"未领取，已退回货架", "not collected, back on the shelf"},
}

// ReasonWords say a reason that is kept with money: ours by its name, a person's
// as they wrote it.
func ReasonWords(reason string) Words {
	if w, known := LateReasons[reason]; known {
		return w
	}
	return Words{reason, ""}
}

func refundWords(r app.RefundView) Words {
	switch r.State {
	case "done":
		return Words{"已退回", "refunded"}
	case "abnormal":
		return Words{"退款遇到问题，前台会处理", "a problem; the desk sees to it"}
	case "processing":
		return Words{"退款处理中", "on its way"}
	}
	if r.Via == "cash" {
		return Words{"请到前台领取", "collect it at the desk"}
	}
	return Words{"即将退回", "about to be sent"}
}

func paymentWords(p app.PaymentView) Words {
	switch {
	case p.State == "flagged":
		return Words{"金额或账户不符，待人工处理", "does not match; for staff"}
	case p.Verdict == "refunded":
		return Words{"已收到，原路退回", "received, sent back"}
	case p.State == "succeeded":
		return Words{"已收款", "received"}
	case p.State == "closed":
		return Words{"已关闭", "closed"}
	}
	return Words{"等待付款", "open"}
}

// LateReasons are why money that came too late could not bring the order back.
var LateReasons = map[string]Words{
	"slot_taken":        {"场次已被他人订走", "somebody else has the slot now"},
	"slot_closed":       {"场地已封场", "the court is closed then"},
	"slot_past":         {"场次已开始", "the slot has begun"},
	"out_of_stock":      {"商品已售完", "the goods are sold out"},
	"coupon_used":       {"优惠券已被使用", "the coupon has been used"},
	"coupon_invalid":    {"优惠券已不可用", "the coupon can no longer be used"},
	"already_paid":      {"订单已付过款", "the order had been paid already"},
	"already_cancelled": {"订单已取消", "the order had been cancelled"},
	"moved_cheaper":     {"已改到较便宜的场次", "it was moved to a cheaper slot"},
	"price_changed":     {"金额与订单不符", "the amount does not match the order"},
	"given_back":        {"这笔钱已在支付渠道的商户平台退回", "it was given back on the provider's merchant platform"},
}

// ViaWords name a way to pay, or who provides it.
func ViaWords(via string) Words {
	switch {
	case via == "cash":
		return Words{"现金", "cash"}
	case via == "sandbox":
		return Words{"沙箱", "sandbox"}
	case via == "wechat", domain.ByWeChat(via):
		return Words{"微信支付", "WeChat Pay"}
	}
	return Words{via, ""}
}

var weekdaysZH = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}

// Weekday names a day of the week; 0 is Sunday.
func Weekday(n int) Words { return Words{weekdaysZH[n], time.Weekday(n).String()} }

// DayName names a day as one does today.
func DayName(day, today domain.Date) Words {
	switch day {
	case today:
		return Words{"今天", "Today"}
	case today.AddDays(1):
		return Words{"明天", "Tomorrow"}
	}
	return Weekday(int(day.Weekday()))
}

// DayWords name a day with its date; one that is far away with its year.
func DayWords(day, today domain.Date) Words {
	name, date := DayName(day, today), day.String()
	if !day.Before(today.AddDays(-7)) && day.Before(today.AddDays(domain.MaxDaysAhead)) {
		date = date[len("2006-"):]
	}
	return Words{name[0] + " " + date, name[1] + " " + date}
}

package kit

import (
	"time"

	"courtd/app/notify"
	"courtd/domain"
)

// couponWords say why a coupon cannot be used, by the word that its refusal carries.
var couponWords = map[string]Words{
	"unknown":          {"没有这个优惠码，请检查是否输错", "There is no such coupon: please check the code"},
	"off":              {"优惠券已停用", "This coupon has been withdrawn"},
	"over":             {"优惠券已过期", "This coupon is no longer valid"},
	"not_yet":          {"优惠券还没到使用时间", "This coupon is not valid yet"},
	"below_minimum":    {"订单金额不够，不能用这张优惠券", "This order is too small for the coupon"},
	"used_by_customer": {"这张优惠券每人限用，您已经用过", "This coupon is limited for each customer, and you have used it"},
	"used_up":          {"优惠券已被用完", "This coupon has been used up"},
}

// explainCoupon says why a coupon cannot be used for an order, with the instant or the
// sum that it hangs on.
func explainCoupon(refusal *domain.Error, zone *time.Location) (Words, bool) {
	why, _ := refusal.Detail["why"].(string)
	words, known := couponWords[why]
	if !known {
		return words, false
	}
	add := func(zh, en string) { words[0], words[1] = words[0]+"（"+zh+"）", words[1]+" ("+en+")" }
	if until, ok := refusal.Detail["valid_until"].(domain.Instant); ok && zone != nil {
		when := until.In(zone).Format("2006-01-02 15:04")
		add(when+" 止", "until "+when)
	}
	if from, ok := refusal.Detail["valid_from"].(domain.Instant); ok && zone != nil {
		when := from.In(zone).Format("2006-01-02 15:04")
		add(when+" 起", "from "+when)
	}
	if least, ok := refusal.Detail["min_total"].(int64); ok {
		add("满 "+notify.Yuan(least)+" 可用", "for "+sign(EN)+Yuan(least)+" or more")
	}
	return words, true
}

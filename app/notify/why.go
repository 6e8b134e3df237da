package notify

import (
	"strings"

	"courtd/domain"
)

// stateWords are the states of an order in the words of a notice that was not sent.
var stateWords = map[string]struct{ zh, en string }{
	"held": {"待付款", "held"}, "lapsed": {"已失效", "lapsed"}, "cancelled": {"已取消", "cancelled"},
	"paid": {"已付款", "paid"}, "no_show": {"爽约", "a no-show"}, "completed": {"已完成", "completed"},
}

var whyWords = map[string]struct{ zh, en string }{
	domain.WhySlotGone:   {"预约已取消、已开始或已核销", "the booking is gone, has begun or was checked in"},
	domain.WhyUndone:     {"爽约已撤销", "the no-show was undone"},
	domain.WhyTaken:      {"场次已不再空闲", "the slot is not free any more"},
	domain.WhyNoAddress:  {"顾客没有该渠道的联系方式", "the customer has no address for this channel"},
	domain.WhyNoTemplate: {"该类通知未设置模板", "this kind of notice has no template for this channel"},
	domain.WhyNotAllowed: {"顾客未允许（或已用完）此类微信消息", "the customer has allowed no (more) messages of this kind at WeChat"},
	domain.WhyRefused:    {"渠道拒绝发送", "the channel refused it"},
	domain.WhyNotSetUp:   {"该渠道已停用", "this channel is not set up any more"},
}

// WhyWords says in both languages why a message did not go out, from the word that was
// kept; what it does not know it gives back as it is.
func WhyWords(why string) (zh, en string) {
	if state, ok := strings.CutPrefix(why, domain.WhyOrderIs); ok {
		if words, ok := stateWords[state]; ok {
			return "订单" + words.zh, "the order is " + words.en
		}
	}
	if words, ok := whyWords[why]; ok {
		return words.zh, words.en
	}
	return why, why
}

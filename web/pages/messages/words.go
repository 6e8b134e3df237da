package messages

import (
	"strings"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// named is something with a name and a line that explains it.
type named struct{ Words, Why kit.Words }

// kinds are the kinds of messages.
var kinds = map[string]named{
	"held":               {kit.Words{"待付款", "To be paid"}, kit.Words{"订单已保留，请按时付款", "the order is held; please pay in time"}},
	"lapsed":             {kit.Words{"已失效", "Lapsed"}, kit.Words{"没按时付款，不再保留", "it was not paid in time and is held no more"}},
	"paid":               {kit.Words{"预订成功", "Booked"}, kit.Words{"已付款，订单确认", "it is paid and confirmed"}},
	"reminder":           {kit.Words{"开场提醒", "Reminder"}, kit.Words{"快开场了（提前多久在“规则”里设）", "the slot starts soon (how long before is in the policy)"}},
	"cancelled":          {kit.Words{"已取消", "Cancelled"}, kit.Words{"订单或其中一场取消了", "an order or a slot of it was cancelled"}},
	"moved":              {kit.Words{"已改期", "Moved"}, kit.Words{"场次改到了别的时间或场地", "a slot went to another time or court"}},
	"refunded":           {kit.Words{"已退款", "Refunded"}, kit.Words{"钱已经退回去了", "the money has gone back"}},
	"late_money":         {kit.Words{"迟到的付款", "Money that came late"}, kit.Words{"失效后才到账：恢复了订单，或原路退回", "it came after the order had lapsed: the order stands again, or it goes back"}},
	"no_show":            {kit.Words{"爽约", "No-show"}, kit.Words{"没有按时到场", "nobody came in time"}},
	"closure":            {kit.Words{"封场", "Closure"}, kit.Words{"场馆关闭了已订的场次", "the venue closed a court that was booked"}},
	domain.KindLoginCode: {kit.Words{"登录验证码", "Login code"}, kit.Words{"登录时的短信验证码", "the code by SMS that signs somebody in"}},
}

// placeholders say what each of domain.Placeholders stands for.
var placeholders = map[string]kit.Words{
	"number":      {"订单号", "the order's number"},
	"slots":       {"全部场次", "all slots"},
	"first_slot":  {"第一个场次", "the first slot"},
	"court":       {"第一个场次的场地", "court of the first slot"},
	"start":       {"第一个场次开始的日期和时间", "date and time at which the first slot starts"},
	"goods":       {"商品和件数", "goods and how many"},
	"pay_by":      {"最晚付款时间", "by when to pay"},
	"amount":      {"金额（应付，或已付）", "the amount, to be paid or paid"},
	"refund":      {"退款金额", "what goes back"},
	"reason":      {"原因", "the reason"},
	"old_slot":    {"改期前的场次", "the slot before it was moved"},
	"new_slot":    {"改期后的场次", "the slot that it was moved to"},
	"venue":       {"场馆名称", "the venue's name"},
	"venue_phone": {"场馆电话", "the venue's phone"},
	"title":       {"程序原文的标题", "the title in the program's words"},
	"code":        {"验证码（只用于登录验证码）", "the code (of login codes only)"},
}

// channels name the channels; a webhook is told apart by its address.
var channels = map[string]kit.Words{
	domain.ChannelWeChat: {"微信", "WeChat"},
	domain.ChannelSMS:    {"短信", "SMS"},
	domain.ChannelMail:   {"邮件", "Mail"},
	domain.ChannelLog:    {"仅网页", "Page only"},

	domain.ChannelShipping: {"微信的发货信息", "WeChat's shipping information"},
}

func channelWords(name string) kit.Words {
	if w, known := channels[name]; known {
		return w
	}
	if strings.HasPrefix(name, "webhook:") {
		return kit.Words{"推送", "Webhook"}
	}
	return kit.Words{name}
}

// toSetUp are the settings of the program that a channel needs.
var toSetUp = map[string]string{
	domain.ChannelWeChat: "COURTD_WECHAT_APP_ID, COURTD_WECHAT_APP_SECRET_FILE",
	domain.ChannelSMS:    "COURTD_SMS_URL, COURTD_SMS_SECRET_FILE / COURTD_SMS_TENCENT_…",
	domain.ChannelMail:   "COURTD_SMTP_HOST, COURTD_SMTP_FROM",
}

// events say when the venue's own software is told what.
var events = map[string]named{
	"order.held":          {kit.Words{"已下单", "Ordered"}, kit.Words{"订单保留，等待付款", "an order is held until it is paid"}},
	"order.lapsed":        {kit.Words{"已失效", "Lapsed"}, kit.Words{"没按时付款（登记时告知，可能晚几分钟）", "it was not paid in time (told when it is written down, maybe minutes later)"}},
	"order.paid":          {kit.Words{"已付款", "Paid"}, kit.Words{"订单付清并确认", "an order is paid and confirmed"}},
	"order.cancelled":     {kit.Words{"已取消", "Cancelled"}, kit.Words{"整单或其中一场取消", "an order or a slot of it was cancelled"}},
	"order.moved":         {kit.Words{"已改期", "Moved"}, kit.Words{"场次改到别的时间或场地", "a slot went to another time or court"}},
	"order.refunded":      {kit.Words{"已退款", "Refunded"}, kit.Words{"退款已完成", "a refund is done"}},
	"order.late_money":    {kit.Words{"迟到的付款", "Money that came late"}, kit.Words{"失效后才到账", "it came after the order had lapsed"}},
	"order.no_show":       {kit.Words{"爽约", "No-show"}, kit.Words{"没有按时到场", "nobody came in time"}},
	"order.closure":       {kit.Words{"封场", "Closure"}, kit.Words{"封场影响了这张订单", "a closure hit the order"}},
	domain.EventSlotFreed: {kit.Words{"场次空出", "Slot free again"}, kit.Words{"场次重新空出（包括只是时间到了）", "a slot can be had again (also when only time has caused it)"}},
}

// kindWords name a kind of notice or event.
func kindWords(kind string) kit.Words {
	if k, known := kinds[kind]; known {
		return k.Words
	}
	if e, known := events[kind]; known {
		return e.Words
	}
	return kit.Words{kind}
}

// channelStates say how a channel is.
var channelStates = map[string]struct {
	words kit.Words
	mark  string
	tone  string // as of a badge
}{
	"ok":         {kit.Words{"正常", "well"}, "✓", "paid"},
	"failing":    {kit.Words{"出错，继续重试", "failing, tried again"}, "!", "held"},
	"paused":     {kit.Words{"暂停中", "paused"}, "‖", "no_show"},
	"full":       {kit.Words{"今日已满", "full for today"}, "■", "held"},
	"not_set_up": {kit.Words{"未设置", "not set up"}, "○", "lapsed"},
}

// deliveryStates are the states of a message, in the order in which they are offered.
var deliveryStates = []struct {
	state string
	words kit.Words
	mark  string
	tone  string
}{
	{"waiting", kit.Words{"等待发送", "waiting"}, "…", "held"},
	{"sent", kit.Words{"已发送", "sent"}, "✓", "paid"},
	{"dropped", kit.Words{"未发送", "not sent"}, "○", "lapsed"},
	{"gave_up", kit.Words{"已放弃", "given up"}, "!", "no_show"},
}

// saidOfTrouble puts into words of these pages what needs more than the refusal has.
func saidOfTrouble(t kit.Trouble, err error) kit.Trouble {
	if t.Refusal == nil {
		return t
	}
	if domain.IsReason(err, "changed_meanwhile") {
		t.Refusal.Words = kit.Words{"您填写期间，别人改了这里。下面是您填写的；再保存一次，就以您的为准。",
			"Somebody changed this while you were at it. Below is what you typed; save again to make it count."}
	}
	return t
}

// answer says in both languages what a channel answered to a test.
func answer(err error) kit.Words {
	refusal, ok := domain.AsError(err)
	if !ok {
		return kit.Words{}
	}
	said := kit.ChannelSaid(strings.TrimPrefix(refusal.Message, "the channel said: "))
	return kit.Words{"测试没有发出，渠道的回答是：" + said[0], "The test was not sent. The channel said: " + said[1]}
}

// gone reports whether there is no such webhook (any more).
func gone(err error) bool { return domain.IsReason(err, "not_found") }

// channelOf is how one of the channels does.
func channelOf(views []app.ChannelView, name string) app.ChannelView {
	for _, v := range views {
		if v.Channel == name {
			return v
		}
	}
	return app.ChannelView{Channel: name, State: "not_set_up"}
}

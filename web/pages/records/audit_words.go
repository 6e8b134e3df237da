package records

import (
	"courtd/web/pages/kit"
)

// acts say what an action of the audit is. A test holds this list against the
// program's source.
var acts = map[string]kit.Words{
	// Orders.
	"book for caller": {"代客订场", "Booked for a caller"},
	"mark paid":       {"登记收到现金", "Took cash for an order"},
	"cancel order":    {"取消订单", "Cancelled an order"},
	"move":            {"改期", "Moved a booking"},
	"check in":        {"核销入场", "Checked in"},
	"hand over":       {"交付商品", "Handed goods over"},
	"undo no-show":    {"撤销爽约", "Undid a no-show"},
	"forgive":         {"免除爽约记录", "Forgave a no-show"},
	"goodwill refund": {"额外退款", "Refunded out of goodwill"},
	"confirm refund":  {"确认退款已交付", "Confirmed a refund"},
	"see to money":    {"处理了对不上的钱", "Saw to money that does not add up"},
	"resend notice":   {"重发通知", "Sent a notice again"},

	"import bill":        {"导入微信账单", "Imported a bill of WeChat's"},
	"explain difference": {"说明对账差异", "Explained a difference"},
	"ship by hand":       {"手工向微信登记发货", "Told WeChat by hand that a customer has come"},

	// What is sold.
	"change court":  {"修改场地", "Changed a court"},
	"move court":    {"调整场地顺序", "Moved a court in its list"},
	"close courts":  {"封场", "Closed courts"},
	"lift closure":  {"解除封场", "Lifted a closure"},
	"change good":   {"修改商品", "Changed goods"},
	"move good":     {"调整商品顺序", "Moved goods in their list"},
	"stock receipt": {"商品进货", "Received stock"},
	"stock adjust":  {"盘点调整", "Corrected stock"},
	"change coupon": {"修改优惠码", "Changed a coupon"},

	// Messages and accounts.
	"change messages": {"修改通知设置", "Changed how people are told things"},
	"change webhooks": {"修改事件推送", "Changed the webhooks"},
	"change channels": {"程序启动时的通知渠道有变", "The program was started with other channels"},
	"wake channel":    {"立即重试通知渠道", "Ended a channel's pause"},
	"send test":       {"发送测试消息", "Sent a test message"},
	"replay events":   {"重发事件", "Told events once more"},
	"change phone":    {"更换手机号", "Changed a phone number"},
	"merge accounts":  {"合并账号", "Merged two accounts"},

	// The venue.
	"sign in":            {"登录", "Signed in"},
	"change venue":       {"修改场馆资料", "Changed the venue"},
	"change hours":       {"修改营业时间", "Changed the opening hours"},
	"change price rules": {"修改价格", "Changed the prices"},
	"change policy":      {"修改规则", "Changed the policy"},
	"add staff":          {"添加员工", "Added a member of staff"},
	"change staff":       {"修改员工", "Changed a member of staff"},
	"accept clock":       {"接受机器时钟", "Accepted the machine's clock"},
}

// actWords say what was done; an action without words is told by its own name.
func actWords(action string) kit.Words {
	if w, known := acts[action]; known {
		return w
	}
	return kit.Words{action}
}

// detailNames say what a detail of an act is. Those that the page shows otherwise are "".
var detailNames = map[string]kit.Words{
	"number":          {},
	"merchant":        {"商户号", "Merchant"},
	"further":         {"其余改动", "Further changes"},
	"payments":        {"收款笔数", "Payments"},
	"refunds":         {"退款笔数", "Refunds"},
	"source":          {"来源", "From"},
	"difference_code": {"差异", "Difference"},
	"day":             {"日期", "Day"},
	"payment":         {"商户订单号", "Payment"},
	"before":          {"原说明", "Said before"},
	"order":           {},
	"by":              {"应谁要求", "For"},
	"pay":             {"付款", "Payment"},
	"name":            {"名称", "Name"},
	"username":        {"用户名", "User name"},
	"role":            {"身份", "Role"},
	"active":          {"启用", "Active"},
	"password":        {"新密码", "New password"},
	"amount":          {"金额", "Amount"},
	"price":           {"价格", "Price"},
	"difference":      {"差价", "Difference"},
	"qty":             {"数量", "Pieces"},
	"reservations":    {"场次", "Slots"},
	"court":           {"到场地", "To court"},
	"courts":          {"场地", "Courts"},
	"start":           {"开始", "Start"},
	"from_court":      {"原场地", "From court"},
	"from_start":      {"原开始", "Started"},
	"from":            {"从", "From"},
	"to":              {"到", "To"},
	"hits":            {"涉及场次", "Bookings hit"},
	"cancelled":       {"取消订单", "Orders cancelled"},
}

// detailOrder is the order in which details are told; others follow by name.
var detailOrder = []string{"name", "username", "role", "by", "pay", "price", "amount", "difference", "qty", "reservations", "from_court", "from_start", "court", "courts", "start", "from", "to",
	"hits", "cancelled", "active", "password"}

// targets name what acts are done to that is one of a kind.
var targets = map[string]kit.Words{
	"venue":    {"场馆", "Venue"},
	"messages": {"消息设置", "Messages"},
	"wechat":   {"微信", "WeChat"},
	"sms":      {"短信", "SMS"},
	"mail":     {"邮件", "Mail"},
}

// roles name who somebody is.
var roles = map[string]kit.Words{
	"owner":    {"馆主", "owner"},
	"desk":     {"前台", "desk"},
	"customer": {"顾客", "customer"},
	"system":   {"程序", "the program"},
	"venue":    {"场馆", "the venue"},
}

// ways are how an order made at the desk is paid.
var ways = map[string]kit.Words{
	"cash":       {"现金", "cash"},
	"on_arrival": {"到场付款", "on arrival"},
	"online":     {"在线支付", "online"},
}

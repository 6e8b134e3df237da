package httpx

// words are what people read for a reason: Chinese, then English.
var words = map[string][2]string{
	// Requests that cannot be read or are not allowed.
	"invalid_field":          {"填写有误", "Something is filled in wrongly"},
	"malformed":              {"请求无法识别", "The request cannot be read"},
	"body_too_large":         {"请求内容过大", "The request is too large"},
	"unsupported_media_type": {"请求格式不支持", "The request must be JSON"},
	"not_acceptable":         {"无法提供所要的格式", "The wanted format is not offered"},
	"request_timeout":        {"请求超时", "The request took too long"},
	"headers_too_large":      {"请求头过大", "The request's headers are too large"},
	"method_not_allowed":     {"不支持的操作", "This method is not allowed here"},
	"not_found":              {"找不到", "Not found"},
	"unauthenticated":        {"请先登录", "Please sign in"},
	"forbidden":              {"没有权限，请用有权限的账号登录", "You may not do this; sign in with an account that may"},
	"code_just_sent":         {"验证码刚刚发送过，请稍候查收", "A code was sent just now; wait for it before asking for another"},
	"confirm_again":          {"登录状态已变化，请再确认一次", "You have signed in or out meanwhile: please confirm once more"},
	"csrf":                   {"页面已过期，请刷新后重试", "This page is out of date; reload and try again"},
	"too_many":               {"操作太频繁，请稍后再试", "Too many requests; try again later"},
	"key_reused":             {"这份表单已经提交过，内容不同；请刷新页面后再填", "This was sent before with other content; reload the page and fill it in again"},

	// Signing in.
	"code_invalid":        {"验证码错误或已失效", "The code is wrong or no longer valid"},
	"code_not_sent":       {"验证码发送失败，请重试", "The code could not be sent; try again"},
	"code_in_doubt":       {"不确定验证码是否发出：收到就请填写，没收到请一分钟后再试", "It is not certain that the code was sent: enter it if it comes, or try again in a minute"},
	"too_many_codes":      {"今天获取验证码次数过多", "Too many codes were sent today"},
	"too_many_codes_here": {"您所在的网络今天获取验证码过多，请换一个网络（例如手机流量），或到前台预订", "Too many codes were asked for from your network today; use another one, or book at the desk"},
	"codes_used_up":       {"本馆今天的验证码已经发完，请明天再来；已登录的浏览器不受影响，也可到前台或打电话预订", "This venue has sent all its codes for today; come back tomorrow, or book at the desk or by phone. Browsers that are signed in stay so"},
	"no_codes_there":      {"本馆不向这个号码发送验证码（境外号码须以 + 和国家区号开头，且在本馆开通的范围内）；请换一个手机号，或请前台代订", "No codes are sent to this number (one from abroad must begin with + and a country code that this venue allows); use another phone, or have the desk book for you"},
	"credentials_invalid": {"用户名或密码错误", "The user name or password is wrong"},

	// Slots.
	"slot_taken":   {"场次已被占用", "The slot is taken"},
	"slot_closed":  {"该时段封场", "The court is closed then"},
	"slot_past":    {"场次已过或已停售", "The slot is past or no longer on sale"},
	"not_open_yet": {"尚未开放预订", "Not open for booking yet"},

	// Joining what somebody is known by.
	"wechat_code_invalid": {"微信登录码已失效，请重新打开小程序", "WeChat does not take this sign-in code any more; open the mini-program again"},
	"wechat_unavailable":  {"暂时连不上微信，请稍后再试", "WeChat cannot be reached; try again in a moment"},
	"wechat_not_set_up":   {"本馆没有开通微信登录", "This venue has not set up signing in with WeChat"},
	"mail_not_set_up":     {"本馆没有开通邮件", "This venue sends no mail"},
	"two_accounts":        {"它属于另一个账号，不能合并到当前账号", "This belongs to another account that cannot be joined with yours"},

	// Orders and money.
	"hold_lapsed":           {"已超过支付时限，请重新预订", "The time to pay is over; please book again"},
	"already_paid":          {"订单已支付", "The order has been paid"},
	"already_cancelled":     {"订单已取消", "The order was cancelled"},
	"not_paid":              {"订单未支付", "The order has not been paid"},
	"too_late":              {"已来不及", "It is too late"},
	"refund_exceeds_paid":   {"退款超过可退金额", "More than can still be refunded"},
	"refund_under_way":      {"退款处理中，请不要再把钱交给顾客", "The refund is under way; do not hand the money over"},
	"refund_partly_arrived": {"支付渠道已经退回了另一个金额，请只补差额，再确认", "The provider has given back another amount; settle the rest and confirm"},
	"refund_arrived":        {"这笔钱支付渠道已经退回给顾客，请不要再退一次", "The provider has given this money back already; do not hand it over again"},
	"refund_unheard":        {"没有问到这笔退款的情况：先不要把钱交给顾客，过一会儿再点", "The provider did not say whether this refund has arrived; do not hand the money over yet, and try again later"},
	"nothing_to_see_to":     {"这笔钱没有要处理的问题", "There is nothing to see to about this money"},
	"already_seen_to":       {"这笔钱已有人处理过", "Somebody has seen to this money already"},
	"provider_unavailable":  {"暂时无法发起支付，请重试", "The payment could not be opened; try again"},
	"bad_signature":         {"通知签名无效", "The notice is not signed by the provider"},
	"bad_notice":            {"通知无法识别", "The notice cannot be read"},
	"no_bills":              {"这里没有设置能提供账单的支付方式，请上传文件", "No provider is set up here that hands out bills; upload the file"},
	"bill_unavailable":      {"微信没有给出账单，请稍后再试，或下载后上传", "WeChat did not hand out the bill; try again later, or download it and upload the file"},
	"no_difference":         {"这条差异已经不存在了", "There is no such difference any more"},
	"unknown_payment":       {"没有这笔支付", "No payment has this number"},
	"wechat_sign_in_needed": {"请先用微信登录，再用这种方式付款", "Sign in with WeChat first to pay this way"},

	// Goods and coupons.
	"out_of_stock":        {"库存不足", "Out of stock"},
	"no_goods":            {"订单没有商品", "The order has no goods"},
	"already_handed_over": {"商品已领取", "The goods were handed over"},
	"coupon_invalid":      {"优惠券不可用", "The coupon cannot be used"},
	"coupon_used":         {"优惠券已用完", "The coupon has been used up"},
	"code_exists":         {"优惠码已存在", "There is a coupon with this code"},

	// Fairness.
	"limit_reached":    {"已达到预订上限", "You have reached the limit"},
	"cooling_down":     {"多次未支付，请稍后再订", "Too many unpaid orders; try again later"},
	"banned":           {"多次爽约，暂停预订", "Booking is suspended after no-shows"},
	"no_strike":        {"没有可免除的爽约", "There is no no-show to forgive"},
	"already_forgiven": {"爽约已免除", "The no-show was forgiven before"},
	"not_no_show":      {"该预约不是爽约", "This booking is no no-show"},
	"already_undone":   {"爽约已撤销", "The no-show was undone before"},

	// Messages.
	"test_not_sent":       {"测试消息没有发出", "The test message was not sent"},
	"webhooks_not_set_up": {"程序没有签名密钥，无法推送事件", "This program has no key to sign events with"},

	// The venue and its machine.
	"already_set_up":    {"场馆已设置", "The venue is set up already"},
	"not_a_demo":        {"这是真实场馆的数据库", "This database holds a real venue"},
	"not_set_up":        {"场馆尚未设置。请打开 courtd 启动时打印的设置链接", "The venue has not been set up yet. Open the link that courtd printed when it started"},
	"set_up_token":      {"请用 courtd 启动时打印的完整链接打开本页", "Open this page by the whole link that courtd printed when it started"},
	"amount_changed":    {"金额有变化，请看清新的金额再确认", "The amount has changed; please look at the new one and confirm it"},
	"refund_changed":    {"订单或退回的内容与刚才显示的不同了，请看清后再确认", "The order, or what comes back for it, has changed since it was shown; please look again and confirm"},
	"changed_meanwhile": {"在您填写期间，别人改了这里", "Somebody changed this while you were at it"},
	"last_owner":        {"至少保留一位馆主", "Somebody must remain the owner"},
	"username_exists":   {"用户名已存在", "The user name is taken"},
	"bookings_ahead":    {"时钟之后已有订单记录，暂不能接受", "Bookings lie ahead of this clock; it cannot be accepted yet"},
	"clock_behind":      {"系统时钟异常，暂停受理", "The clock is behind; bookings wait"},
	"unavailable":       {"系统繁忙，请稍后再试", "Busy; please try again"},
	"file_gone":         {"系统故障，暂停受理，请联系场馆", "The system is out of order and takes nothing in; please ask the venue"},
	"internal":          {"系统出错，请稍后再试", "Something went wrong; please try again"},
}

// Words gives what people read for a reason, in Chinese and in English. A reason
// without words of its own is shown as it is.
func Words(reason string) (zh, en string) {
	if w, ok := words[reason]; ok {
		return w[0], w[1]
	}
	return reason, reason
}

// HasWords reports whether a reason has words for people.
func HasWords(reason string) bool {
	_, ok := words[reason]
	return ok
}

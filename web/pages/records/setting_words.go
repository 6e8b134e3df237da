package records

import (
	"strconv"
	"strings"

	"courtd/web/pages/kit"
)

// settingNames name the parts of where a setting stands, such as policy.hold_minutes.
// What is not here is an id, a date, a place in a list or a kind, and stands for itself.
var settingNames = map[string]kit.Words{
	"name":     {"名称", "name"},
	"zone":     {"时区", "time zone"},
	"currency": {"货币", "currency"},
	"address":  {"地址", "address"},
	"phone":    {"电话", "phone"},

	"policy":                   {"规则", "policy"},
	"hold_minutes":             {"付款时限（分钟）", "minutes to pay"},
	"goods_hold_minutes":       {"只买商品的付款时限（分钟）", "minutes to pay goods alone"},
	"check_in_before_minutes":  {"开场前多久可入场（分钟）", "check-in opens, minutes before"},
	"release_after_minutes":    {"开场后多久放出（分钟）", "released, minutes after the start"},
	"sale_ends_before_minutes": {"开场前多久停售（分钟）", "sale ends, minutes before"},
	"no_show_refund_percent":   {"未到退款（%）", "back after a no-show (%)"},
	"refund_ladder":            {"退款阶梯", "refund ladder"},
	"hours_before":             {"提前小时数", "hours before"},
	"percent":                  {"退还（%）", "back (%)"},
	"max_live_orders":          {"未付订单上限", "unpaid orders at once"},
	"max_slots_per_day":        {"每日场次上限", "slots on a day"},
	"days_ahead":               {"可提前天数", "days ahead"},
	"opens_at":                 {"放票时间", "booking opens at"},
	"strikes":                  {"未到几次后停约", "no-shows that stop booking"},
	"strike_days":              {"未到记录保留天数", "days that a no-show counts"},
	"reminder_before_minutes":  {"提前提醒（分钟）", "reminder, minutes before"},

	"hours":        {"营业时间", "hours"},
	"slot_minutes": {"每场分钟数", "minutes of a slot"},
	"weekly":       {"每周", "weekly"},
	"exceptions":   {"特殊日期", "exceptions"},
	"holidays":     {"节假日", "holidays"},
	"closed":       {"停业", "closed"},
	"opens":        {"开门", "opens"},
	"closes":       {"关门", "closes"},
	"note":         {"说明", "note"},

	"prices":    {"价格", "prices"},
	"weekdays":  {"星期", "weekdays"},
	"from":      {"从", "from"},
	"until":     {"至", "until"},
	"to":        {"到", "to"},
	"band":      {"时段", "hours"},
	"courts":    {"场地", "courts"},
	"price_fen": {"单价", "price"},

	"set_up":              {"已接通的渠道", "channels that are set up"},
	"routes":              {"渠道", "channels"},
	"texts":               {"文案", "words"},
	"title":               {"标题", "title"},
	"text":                {"正文", "text"},
	"title_en":            {"英文标题", "English title"},
	"text_en":             {"英文正文", "English text"},
	"wechat":              {"微信模板", "WeChat template"},
	"sms":                 {"短信模板", "SMS template"},
	"params":              {"参数", "parameters"},
	"daily":               {"每日上限", "most on a day"},
	"code_countries":      {"验证码发到的区号", "Country codes of login codes"},
	"webhooks":            {"事件推送", "webhook"},
	"url":                 {"地址", "address"},
	"kinds":               {"事件", "events"},
	"generation":          {"密钥第几次", "secret, number"},
	"active":              {"启用", "active"},
	"ship_after_check_in": {"入场后上报发货", "shipping told after check-in"},
	"id":                  {"编号", "id"},
}

// weekdays name what stands under weekly by its place, from Sunday on.
var weekdays = []kit.Words{{"周日", "Sunday"}, {"周一", "Monday"}, {"周二", "Tuesday"}, {"周三", "Wednesday"}, {"周四", "Thursday"}, {"周五", "Friday"}, {"周六", "Saturday"}}

// changesOf tells each setting that an act changed, as it was and as it is.
func changesOf(changes any) []detail {
	list, _ := changes.([]any)
	var out []detail
	for _, item := range list {
		change, _ := item.(map[string]any)
		setting, _ := change["setting"].(string)
		before, after := settingValue(setting, change["before"]), settingValue(setting, change["after"])
		out = append(out, detail{settingWords(setting), kit.Words{before[0] + " → " + after[0], before.In(kit.EN) + " → " + after.In(kit.EN)}})
	}
	return out
}

func settingWords(setting string) kit.Words {
	var zh, en []string
	parts := strings.Split(setting, ".")
	for i, part := range parts {
		words, known := settingNames[part]
		if place, err := strconv.Atoi(part); err == nil && i > 0 && parts[i-1] == "weekly" && place >= 1 && place <= len(weekdays) {
			words, known = weekdays[place-1], true
		}
		if !known {
			words = kit.Words{part, part}
		}
		zh, en = append(zh, words[0]), append(en, words.In(kit.EN))
	}
	return kit.Words{strings.Join(zh, " · "), strings.Join(en, " · ")}
}

func settingValue(setting string, v any) kit.Words {
	text, _ := v.(string)
	switch {
	case text == "":
		return kit.Words{"无", "none"}
	case text == "[]":
		return kit.Words{"空", "nothing"}
	case text == "true":
		return kit.Words{"是", "yes"}
	case text == "false":
		return kit.Words{"否", "no"}
	case strings.HasSuffix(setting, ".price_fen"):
		if fen, err := strconv.ParseInt(text, 10, 64); err == nil {
			return kit.Words{yuan(fen)}
		}
	}
	return kit.Words{text}
}

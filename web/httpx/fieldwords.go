package httpx

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"courtd/domain"
)

// FieldError says what is wrong with one field of a request, in both languages.
type FieldError struct {
	Field     string `json:"field"`
	Message   string `json:"message"`
	MessageZH string `json:"message_zh" doc:"the same for people, in Chinese"`
}

// badValue is said of a field when nothing better is known.
const badValue = "填写有误"

// fieldWords are the Chinese for what is said of a field, by the English as it is
// written where it is said. %s, %d, %U and %q stand for what is filled in; the
// Chinese takes them in their order, or by number.
var fieldWords = map[string]string{
	// Numbers, dates and times.
	"must be between %d and %d":                                    "须在 %s 到 %s 之间",
	"must be from 1 to %d":                                         "须为 1 到 %s",
	"must be from 0 to %d fen":                                     "须为 0 到 %s 分",
	"must not be more than %d":                                     "不能超过 %s 个",
	"must not be more than %d yuan":                                "不能超过 %s 元",
	"must be positive":                                             "须大于 0",
	"must not be negative":                                         "不能为负",
	"must be a number of pieces":                                   "须为件数",
	"must be a whole number":                                       "须为整数",
	"must be a positive number of fen":                             "须为大于 0 的金额（分）",
	"must be a positive number of pieces, at most %d":              "须为大于 0 的件数，最多 %s",
	"must be an amount such as 60 or 60.50":                        "须为金额，例如 60 或 60.50",
	"must be a date such as 2026-12-10":                            "须为日期，例如 2026-12-10",
	"must have a year between %d and %d":                           "年份须在 %s 到 %s 之间",
	"must have a date":                                             "缺少日期",
	"must be within %d days of today":                              "须在今天前后 %s 天以内",
	"must be between 00:00 and 23:59":                              "须在 00:00 到 23:59 之间",
	"must not be later than %s":                                    "不能晚于 %s",
	"must be an instant of this calendar":                          "须为有效的时间",
	"must be a duration such as 90s, 10m or 24h, and not negative": "须为时长，例如 90s、10m 或 24h，不能为负",
	"must be a time in whole seconds with its offset, such as 2026-12-10T17:30:00+08:00": "须为带时区、精确到秒的时间，例如 2026-12-10T17:30:00+08:00",
	"must be a time such as 08:30, or 26:00 for two in the morning after; at most %s":    "须为时间，例如 08:30；次日凌晨两点写作 26:00；最晚 %s",
	"must be a time zone such as Asia/Shanghai":                                          "须为时区，例如 Asia/Shanghai",
	"no instant given": "没有给出时间",

	// Messages.
	"must not be an address at which nobody else's software can be":                            "不能是只属于本机或云平台内部的地址",
	"must not name more than %d templates":                                                     "一次最多 %s 个模板",
	"must be a bare email address of at most %d bytes":                                         "须为邮箱地址（不带姓名），最多 %s 字节",
	"must have a domain in ASCII letters; one such as 例子.中国 is written xn--fsqu00a.xn--fiqs8s": "域名须为英文字母；中文域名请写成 xn-- 开头的形式，例如 例子.中国 写作 xn--fsqu00a.xn--fiqs8s",
	"must be a template of this venue, named once":                                             "须为本馆的模板，每个一次",
	"is not set up": "尚未设置",
	"is of nobody who has signed in with WeChat": "没有用微信登录过的顾客使用此手机号",
	"must be after the beginning":                "须晚于开始时间",
	"is no kind of notice":                       "没有这种通知",
	"is no kind of message":                      "没有这种消息",
	"must be at most %d":                         "最多 %s 个",
	"must have from 1 to %d characters":          "须有 1 到 %s 个字符",
	"names {%s}, which is none of {%s}":          "用了 {%s}，可用的只有 {%s}",
	"must come to a date or time as WeChat writes it, such as 2026年12月10日 19:00, and comes to %q": "须得出微信要求的日期或时间，例如 2026年12月10日 19:00，而现在是 %s",
	"must be one line":                                                                        "只能写一行",
	"must be the id of the approved template":                                                 "须为已审核通过的模板编号",
	"must be the platform's, such as thing2":                                                  "须为平台的字段名，例如 thing2",
	"must be from 1 to %d, for wechat, sms, mail or login_code":                               "须为 1 到 %s，渠道为 wechat、sms、mail 或 login_code",
	"must be country codes of up to three digits without a plus sign, such as 852, each once": "须为国家或地区的电话区号（最多三位数字，不带 +，例如 852），每个一次",
	"must name each of wechat, sms and mail at most once":                                     "只能写 wechat、sms、mail，每个最多一次",
	"must be an http or https address without a password":                                     "须为 http 或 https 地址，不含密码",
	"must name kinds of events, each once":                                                    "须为事件种类，每种一次",
	"must name at least one kind of event":                                                    "至少选一种事件",

	// Texts.
	"must not be empty":                              "不能为空",
	"is required":                                    "必填",
	"is required for an adjustment":                  "盘点调整必须填写说明",
	"must not be longer than %d characters":          "不能超过 %s 个字符",
	"must be valid UTF-8":                            "不是有效的文字编码",
	"must not contain the character %U":              "不能含有字符 %s",
	"must be a phone number of %d to %d digits":      "须为 %s 到 %s 位的电话号码",
	"must have 1 to %d characters":                   "须为 1 到 %s 个字符",
	"must have from %d to %d characters":             "须为 %s 到 %s 个字符",
	"must consist of letters, digits, - and _":       "只能由字母、数字、- 和 _ 组成",
	"must consist of visible ASCII characters":       "只能由可见的英文字符组成，不能有空格",
	"must be written in capitals and without spaces": "须大写且不含空格",
	"must be the same as above":                      "两次输入不一致",

	// Lists and what they name.
	"is there twice":                       "重复了",
	"is named twice":                       "重复了",
	"a court is named twice":               "有场地重复了",
	"name at least one court":              "请至少选择一片场地",
	"there is no such court":               "没有这片场地",
	"is not a court of this venue":         "不是本馆的场地",
	"a venue has at most %d courts":        "最多 %s 片场地",
	"no slot starts then":                  "这个时间没有场次",
	"is not a slot of the grid":            "没有这个场次",
	"there is no such good on sale":        "没有这种在售商品",
	"choose at least one slot or one good": "请至少选择一个场次或一件商品",
	"must not be more than %d lines":       "不能超过 %s 种",
	"is not one that this list gave out":   "不是本列表给出的页码",

	// Hours and prices.
	"is later than the opening on %s":                                              "晚于 %s 的开门时间",
	"is earlier than the closing of %s":                                            "早于 %s 的关门时间",
	"must be later than opens":                                                     "须晚于开门时间",
	"leaves no room for a slot of %d minutes":                                      "不够一个 %s 分钟的场次",
	"makes more than %d slots":                                                     "一天超过 %s 个场次",
	"must not be more than %d dates":                                               "不能超过 %s 个日期",
	"must have at least one rule":                                                  "至少要有一条价格规则",
	"must not be more than %d rules":                                               "不能超过 %s 条规则",
	"is the last rule and must have no conditions, so that every slot has a price": "是最后一条，不能有任何条件，这样每个场次才都有价格",
	"must be between 0 (Sunday) and 6":                                             "须为 0（周日）到 6",
	"must not be before from":                                                      "不能早于开始日期",
	"there is no such court on sale":                                               "没有这片在售场地",
	"must be within %d days, counted from the day in from":                         "从开始日期算起，须在 %s 天以内",
	"must not be earlier than from":                                                "不能早于开始日期",
	"must be later than from; past midnight goes on as 25:00":                      "须晚于开始时间；过了午夜写作 25:00",

	// Policy and coupons.
	"must not be more than %d steps":           "不能超过 %s 档",
	"must be fewer than in the step before":    "小时数须比上一档少",
	"must be set, or amount_fen, and not both": "折扣与减免金额必须且只能填一个",
	"must be set, or amount, and not both":     "折扣与减免金额必须且只能填一个",
	"must be later than valid_from":            "须晚于开始时间",

	// Orders, the desk and closures.
	"must be later than from":                           "须晚于开始时间",
	"lies in the past":                                  "已经过去",
	"a closure may last %d days":                        "封场最长 %s 天",
	"a report may cover %d days":                        "报表最多 %s 天",
	"the days have more than %d rows":                   "这些日期超过 %s 行，请选少一些的日期",
	"it is there already":                               "已经在这里了",
	"goods alone cannot be paid on arrival":             "只买商品不能到店付款",
	"cannot be used here":                               "在这里不能使用",
	`must be "cash", "on_arrival" or "online"`:          `须为 "cash"、"on_arrival" 或 "online"`,
	`must be "desk" or "owner"`:                         `须为 "desk" 或 "owner"`,
	`must be "venue" or "customer"`:                     `须为 "venue" 或 "customer"`,
	`must be "waiting", "gave_up", "sent" or "dropped"`: `须为 "waiting"、"gave_up"、"sent" 或 "dropped"`,
	"say advance, set or frozen":                        "请给出 advance、set 或 frozen",

	// Bills.
	"is empty":                      "是空的",
	"must not be larger than %d MB": "不能超过 %s MB",
	"must not be more than %d lines of payments and refunds":                                        "交易和退款不能超过 %s 行",
	"is an Excel file: take the file as WeChat gives it (CSV)":                                      "是 Excel 文件：请用微信给的原始文件（CSV）",
	"is packed: unpack it first (gzip, zip)":                                                        "是压缩文件，请先解压（gzip、zip）",
	"is no UTF-8 text: take the file as WeChat gives it, not as a spreadsheet program has saved it": "不是 UTF-8 文本：请用微信给的原始文件，不要用表格软件另存过的",
	"is no trade bill of WeChat Pay: it does not begin with the headings of one":                    "不是微信支付的交易账单：开头不是账单的表头",
	"has the column %s twice":                                                                       "有两列“%s”",
	"has no column %s: take the bill of all trades (type ALL)":                                      "没有“%s”这一列：请用“所有交易”的账单（ALL）",
	"line %d is of merchant %s, and those above are of %s":                                          "第 %s 行是商户号 %s 的，前面的是 %s 的",
	"line %d is no line of a bill: each value of one begins with the mark `":                        "第 %s 行不是账单内容：账单的每个值前都有一个 ` 号",
	"line %d has %d values under %d headings: the file is damaged or cut off":                       "第 %s 行有 %s 个值，表头却有 %s 列：文件损坏或不完整",
	"line %d: %s is %q and must be a time such as 2026-12-10 18:00:01":                              "第 %s 行：%s 是 %s，须为时间，例如 2026-12-10 18:00:01",
	"line %d: %s is empty":                                                                              "第 %s 行：%s 是空的",
	"line %d: %s is %q and must be an amount such as 60.00":                                             "第 %s 行：%s 是 %s，须为金额，例如 60.00",
	"line %d: %s is %q, which is not known":                                                             "第 %s 行：%s 是 %s，无法识别",
	"line %d: %s is %q and must be a number":                                                            "第 %s 行：%s 是 %s，须为数字",
	"is incomplete: the summary at its end is missing":                                                  "不完整：末尾缺少汇总",
	"line %d repeats line %d: one payment or refund stands in a bill once":                              "第 %s 行与第 %s 行重复：一笔收款或退款在账单里只出现一次",
	"line %d: %s is %q, and the lines add up to %s: the file was changed or is damaged":                 "第 %s 行：%s 是 %s，而各行合计是 %s：文件被改过或已损坏",
	"line %d comes after the summary: take each day's file as it is":                                    "第 %s 行在汇总之后：请每天一个文件，原样上传",
	"is incomplete: its summary counts %d trades, and there are %d lines":                               "不完整：汇总说有 %s 笔，文件里有 %s 行",
	"is required: the file has no lines that would tell it":                                             "必填：文件里没有交易，看不出是哪一天",
	"line %d is of %s, and others are of %s: a bill is of one day":                                      "第 %s 行是 %s 的，别的行是 %s 的：一个账单只有一天",
	"is not ready yet: WeChat is still making its bill; try again later":                                "还没有账单：微信还在生成，请稍后再试",
	`must be "open" or "explained"`:                                                                     `须为 "open" 或 "explained"`,
	"line %d of the file is of %s, and not of %s":                                                       "文件第 %s 行是 %s 的，不是 %s 的",
	"is the bill of merchant %s, which has taken no money for this venue (ours: %s)":                    "是商户号 %s 的账单，不是本馆的（本馆：%s）",
	"cannot be compared: this venue has no payments by WeChat, and none are set up":                     "无法核对：本馆没有微信支付的收款，也没有设置微信支付",
	"is not over yet: WeChat makes a day's bill the next morning at 10:00 (China time)":                 "还没有账单：微信在第二天上午 10:00（北京时间）之后才出账单",
	"is too far back: WeChat gives bills of the last three months; upload the file if you have kept it": "太早了：微信只提供最近三个月的账单；如果留有文件，请上传",

	// What the API says of a body that does not fit its schema.
	"cannot be used":        "无法使用",
	"is not known":          "没有这一项",
	"does not fit its type": "类型不对",
	"must be a whole number, written without a point or an exponent, that is not too large": "须为整数，不带小数点和指数，且不过大",
	"expected boolean":                         "须为 true 或 false",
	"expected number":                          "须为数字",
	"expected integer":                         "须为整数",
	"expected string":                          "须为文字",
	"expected array":                           "须为列表",
	"expected object":                          "须为对象",
	`expected value to be one of %q`:           "须为其中之一：%s",
	"expected number >= %s":                    "不能小于 %s",
	"expected number <= %s":                    "不能大于 %s",
	"expected length >= %d":                    "长度不能少于 %s",
	"expected length <= %d":                    "长度不能超过 %s",
	"expected array length >= %d":              "不能少于 %s 项",
	"expected array length <= %d":              "不能超过 %s 项",
	"expected string to be RFC 3339 date":      "须为日期，例如 2026-12-10",
	"expected string to be RFC 3339 date-time": "须为时间，例如 2026-12-10T17:30:00+08:00",
}

// weekdayWords are what may be filled in and has to be said in Chinese too.
var weekdayWords = map[string]string{"Sunday": "周日", "Monday": "周一", "Tuesday": "周二", "Wednesday": "周三", "Thursday": "周四",
	"Friday": "周五", "Saturday": "周六"}

// said is one entry of fieldWords, ready to be looked for.
type said struct {
	pattern *regexp.Regexp
	english string // as it is written
	chinese string
}

var (
	verb  = regexp.MustCompile(`%[dsUq]`)
	verbs = map[string]string{"%d": `(-?\d+)`, "%s": `(.+)`, "%U": `(U\+[0-9A-F]+)`, "%q": `(".*")`}

	// allSaid holds the longest texts first: they are the most particular.
	allSaid = sync.OnceValue(func() []said {
		var out []said
		texts := slices.SortedFunc(maps.Keys(fieldWords), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
		for _, text := range texts {
			pattern, rest := "^", text
			for _, at := range verb.FindAllString(text, -1) {
				before, after, _ := strings.Cut(rest, at)
				pattern += regexp.QuoteMeta(before) + verbs[at]
				rest = after
			}
			out = append(out, said{regexp.MustCompile(pattern + regexp.QuoteMeta(rest) + "$"), text, fieldWords[text]})
		}
		return out
	})
)

// FieldWords gives in Chinese what is said of a field in English; ok is false when
// there are no words for it but that something is wrong.
func FieldWords(english string) (chinese string, ok bool) {
	if zh, known := fieldWords[english]; known {
		return zh, true
	}
	for _, s := range allSaid() {
		found := s.pattern.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		var filled []any
		for _, value := range found[1:] {
			filled = append(filled, cmp.Or(weekdayWords[value], value))
		}
		return fmt.Sprintf(s.chinese, filled...), true
	}
	return badValue, false
}

// FieldsOf gives the fields that a refusal names, in both languages. A conflict says of
// its field what it says of itself.
func FieldsOf(refusal *domain.Error) []FieldError {
	var out []FieldError
	for _, f := range refusal.Fields {
		zh, known := FieldWords(f.Message)
		if !known && f.Message == refusal.Message && HasWords(refusal.Reason) {
			zh, _ = Words(refusal.Reason)
		}
		out = append(out, FieldError{Field: f.Field, Message: f.Message, MessageZH: zh})
	}
	return out
}

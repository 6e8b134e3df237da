package notify

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// clauses are the Chinese for what errors of channels say, clause by clause: what stands
// between ": ", "; " and a bracket at the end. %s stands for what is filled in.
var clauses = map[string]string{
	"refused for good":                    "永久拒收",
	"not allowed by the receiver":         "接收者未允许",
	"channel does not work":               "渠道不可用",
	"the address answers that it is gone": "对方称此地址已停用",
	"wants to be asked again in %s":       "%s 后再试",
	"is asked again in %s":                "程序 %s 后就再试",
	"broken off":                          "已中断",
	"context canceled":                    "程序正在退出",

	// Over HTTP.
	"answered %s": "对方返回 %s",
	"redirects are not followed, set the final address":                        "不跟随跳转，请直接填写最终地址",
	"redirects are not followed":                                               "不跟随跳转",
	"does it know the same secret, and is its clock right?":                    "对方的密钥是否一致、时钟是否准确？",
	"is the address right?":                                                    "地址是否正确？",
	"link-local and metadata addresses are not posted to":                      "不向链路本地或云平台元数据地址发送",
	"no answer in time":                                                        "超时未响应",
	"the connection was refused":                                               "连接被拒绝",
	"nobody listens there":                                                     "该地址无服务在监听",
	"the host's name was not found":                                            "找不到该主机名",
	"its TLS certificate is not to be trusted":                                 "对方的 TLS 证书不可信",
	"the connection broke":                                                     "连接中断",
	"the address must be a whole address that begins with http:// or https://": "必须是以 http:// 或 https:// 开头的完整网址",
	"the address must not contain a user name or password":                     "网址中不能带用户名或密码",
	"the address must not be a link-local or metadata address":                 "不能使用链路本地或云平台元数据地址",
	"the secret must begin with whsec_":                                        "密钥必须以 whsec_ 开头",
	"the secret whsec_ must be followed by base64 of %s to %s bytes":           "密钥 whsec_ 之后必须是 %s 至 %s 字节的 base64",
	"a message's id must not be empty or contain dots or spaces":               "消息编号不能为空，也不能含点或空格",
	"the secret cannot be read":                                                "密钥无法读取",
	"the message cannot be signed":                                             "消息无法签名",
	"the address %s":                                                           "地址：%s",
	"the secret %s":                                                            "密钥：%s",
	"the address cannot be read":                                               "地址无法读取",
	"the message cannot be written as JSON":                                    "消息无法写成 JSON",

	// Mail.
	"mail":                             "邮件",
	"mail server":                      "邮件服务器",
	"mail is not set up":               "邮件未设置",
	"the mail server says too much":    "邮件服务器发来的内容过多，已断开",
	"the customer has no mail address": "顾客没有邮箱",
	"%s is no mail address that can be written to":                        "%s 不是可投递的邮箱",
	"the mail server did not answer in time":                              "邮件服务器超时未响应",
	"the mail server does not take the user name and password":            "邮件服务器不接受用户名和密码",
	"the mail server answered %s before any message":                      "邮件服务器在发信前返回 %s",
	"the mail server offers no STARTTLS, and nothing is sent in the open": "邮件服务器不支持 STARTTLS，程序不明文发送",
	"the mail server offers no way to sign in that is known here":         "邮件服务器的登录方式均不受支持",
	"the connection to the mail server broke":                             "与邮件服务器的连接中断",
	"the mail server answered %s to the sender":                           "邮件服务器对发件人返回 %s",
	"the mail server answered %s to the receiver":                         "邮件服务器对收件人返回 %s",
	"the mail server answered %s to the message":                          "邮件服务器对邮件内容返回 %s",
	"it wants to be signed in to":                                         "需要先登录",
	"may this account send from this address?":                            "该账号是否可以用此发件地址？",

	// SMS.
	"SMS gateway":               "短信网关",
	"Tencent SMS":               "腾讯云短信",
	"Tencent SMS is not set up": "腾讯云短信未设置",
	"Tencent SMS needs an approved template for %s, and none is set up":   "腾讯云短信需要 %s 的已审核模板，尚未设置",
	"Tencent SMS gave an answer that cannot be read":                      "腾讯云短信的响应无法读取",
	"Tencent SMS gave a code that cannot be read":                         "腾讯云短信的错误码无法读取",
	"the customer has no phone number":                                    "顾客没有手机号",
	"%s is not a mobile number":                                           "%s 不是手机号",
	"the receiver has unsubscribed, or is on the carrier's blacklist":     "接收者已退订或在运营商黑名单中",
	"no such phone number":                                                "手机号不存在",
	"the message is too long":                                             "内容过长",
	"this template reaches no number abroad":                              "该模板不能发往境外号码",
	"this template reaches no Chinese number":                             "该模板不能发往境内号码",
	"messages to this country are not possible":                           "不支持发往该国家或地区",
	"too many messages to this number within half a minute":               "该号码 30 秒内消息过多",
	"too many messages to this number within an hour":                     "该号码一小时内消息过多",
	"too many messages to this number for now":                            "该号码消息过于频繁",
	"too many messages to this number today":                              "该号码今日消息过多",
	"the parameters are not those of the approved template":               "参数与已审核模板不符",
	"the message contains a word that is not allowed":                     "内容含敏感词",
	"the template does not take such a parameter":                         "模板不接受该参数",
	"the template does not take such parameters":                          "模板不接受这些参数",
	"a parameter must not contain an address":                             "参数中不能含网址",
	"the account's limit of messages for today is reached":                "账号今日条数已达上限",
	"too many requests at once":                                           "请求过于频繁",
	"this machine's clock is wrong":                                       "本机时钟不准",
	"the SecretId or SecretKey is not accepted, or may not send messages": "SecretId 或 SecretKey 不被接受，或无发送权限",
	"the account's package of messages is used up":                        "短信套餐包已用完",
	"buy another": "请续购",
	"the signature is not approved, or not written as it was approved": "签名未审核，或与审核的不一致",
	"the template is not approved, or its id is wrong":                 "模板未审核，或编号有误",
	"there is no such template":                                        "模板不存在",
	"the template is not approved, or does not exist":                  "模板未审核或不存在",
	"there is no such region":                                          "没有这个地域",
	"there is no such SdkAppId":                                        "SdkAppId 不存在",
	"the SdkAppId is not this account's":                               "SdkAppId 不属于此账号",
	"the account may not send, or not from this machine's address":     "账号无发送权限，或本机地址不在白名单",
	"an error at Tencent Cloud":                                        "腾讯云内部错误",

	// WeChat.
	"the customer has not signed in with WeChat":    "顾客未用微信登录",
	"no template is set up for %s":                  "未设置 %s 的模板",
	"template %s":                                   "模板 %s",
	"nothing fit stands in %s":                      "%s 中没有可用内容",
	"the access token did not come in time":         "获取 access_token 超时",
	"WeChat %s gave no token":                       "微信 %s 未返回 token",
	"WeChat %s gave no openid":                      "微信 %s 未返回 openid",
	"WeChat %s":                                     "微信 %s",
	"WeChat %s answered %s":                         "微信 %s 返回 %s",
	"WeChat %s gave an answer that cannot be read":  "微信 %s 的响应无法读取",
	"WeChat %s gave an answer without errcode":      "微信 %s 的响应没有 errcode",
	"what is sent cannot be written as JSON":        "要发送的内容无法写成 JSON",
	"the address of WeChat's API cannot be read":    "微信接口地址无法读取",
	"the WeChat sign-in code is not valid any more": "微信登录 code 已失效",
	"try again":                                                                "请重试",
	"WeChat has blocked this user":                                             "微信已拦截该用户",
	"the openid is not one of this mini-program":                               "openid 不属于此小程序",
	"the mini-program has no template %s":                                      "小程序没有模板 %s",
	"template %s does not take these parameters":                               "模板 %s 不接受这些参数",
	"the mini-program has no such page":                                        "小程序没有该页面",
	"the payment's number, its payer or a description is missing":              "缺少支付单号、付款人或描述",
	"the payment is in no state to be picked up":                               "该支付单的状态不能上报发货",
	"the payment is not this user's":                                           "该支付单不属于此用户",
	"the AppID is wrong":                                                       "AppID 有误",
	"the AppSecret is wrong":                                                   "AppSecret 有误",
	"this machine's address is not on the mini-program's list of IP addresses": "本机地址不在小程序的 IP 白名单",
	"WeChat does not take the access token":                                    "微信不接受 access_token",
	"the mini-program may not make this call":                                  "小程序无此接口权限",
}

type clausePattern struct {
	english *regexp.Regexp
	chinese string
}

var clausePatterns = sync.OnceValue(func() []clausePattern {
	var out []clausePattern
	for english, chinese := range clauses {
		if strings.Contains(english, "%s") {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(english)+"$", "%s$", `(\S+)$`) // at the end one word: else it would take in what others say
			out = append(out, clausePattern{regexp.MustCompile("^" + strings.ReplaceAll(pattern, "%s", "(.+?)")), chinese})
		}
	}
	return out
})

var (
	clauseEnds = regexp.MustCompile(`: |; `)
	bracket    = regexp.MustCompile(`^(.+?)( \([^()]*\))$`)
	pausePair  = strings.NewReplacer(": ", "：", "; ", "；")
)

// SaidWords gives in Chinese what a channel's error says, as far as it is known here;
// what comes from others stays as they wrote it.
func SaidWords(problem string) string {
	var out strings.Builder
	for {
		end := clauseEnds.FindStringIndex(problem)
		if end == nil {
			out.WriteString(clauseWords(problem))
			return out.String()
		}
		out.WriteString(clauseWords(problem[:end[0]]))
		out.WriteString(pausePair.Replace(problem[end[0]:end[1]]))
		problem = problem[end[1]:]
	}
}

func clauseWords(clause string) string {
	if zh, ok := clauses[clause]; ok {
		return zh
	}
	if parts := bracket.FindStringSubmatch(clause); parts != nil {
		if zh := clauseWords(parts[1]); zh != parts[1] {
			return zh + strings.NewReplacer("template ", "模板 ", " (", "（", ")", "）", ", ", "，").Replace(parts[2])
		}
	}
	best, fewest := clause, len(clause)+1
	for _, p := range clausePatterns() {
		found := p.english.FindStringSubmatch(clause)
		if found == nil {
			continue
		}
		filled, open := make([]any, len(found)-1), 0
		for i, value := range found[1:] {
			filled[i], open = value, open+len(value)
		}
		if open < fewest { // of two that fit, the one that leaves less open
			best, fewest = fmt.Sprintf(p.chinese, filled...), open
		}
	}
	return best
}

package records

import (
	"strings"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// differenceWords say of each kind of difference what it is, and what to do about it.
var differenceWords = map[string]struct{ What, Do kit.Words }{
	app.ThereNotHere: {kit.Words{"微信收到了，这里没有", "WeChat has it, and we do not"},
		kit.Words{"商户订单号若不是本馆的，说明是哪里收的；若是本馆的，系统会去问微信，查到后自动登记或退款。", "If the number is not this venue's, say where the money was taken. If it is, WeChat will be asked, and the money is booked or goes back by itself."}},
	app.HereNotThere: {kit.Words{"这里收到了，微信账单里没有", "We have it, and WeChat's bill does not"},
		kit.Words{"到微信商户平台按商户订单号查询；查不到，请重新获取当天账单，仍没有就联系微信支付。", "Look for the number at WeChat's merchant platform. If it is not there, fetch that day's bill again, and else ask WeChat Pay."}},
	app.AmountDiffers: {kit.Words{"金额不同", "The amounts differ"},
		kit.Words{"到微信商户平台核对这笔订单的金额，差额请与顾客结清，再写明处理。", "Check the amount at WeChat's merchant platform, settle the rest with the customer, and say what was done."}},
	app.RefundThereNotHere: {kit.Words{"微信退了，这里没有登记", "WeChat has given it back, and we have not"},
		kit.Words{"多半是在商户平台手工退的：核对是哪位顾客，写明原因。若这里显示退款中，等下一轮对账。", "It was probably refunded by hand at the merchant platform: find out for whom, and say why. If it is under way here, wait for the next round."}},
	app.RefundHereNotThere: {kit.Words{"这里退了，微信账单里没有", "We have given it back, and WeChat's bills have not"},
		kit.Words{"前后三天的账单里都没有。到商户平台按商户退款单号查询，没有就联系微信支付。", "It is in none of the bills of three days. Look for the refund's number at the merchant platform, and else ask WeChat Pay."}},
	app.RefundDiffers: {kit.Words{"退款金额不同", "The refunded amounts differ"},
		kit.Words{"到商户平台核对退款金额，差额请与顾客结清，再写明处理。", "Check the refund at the merchant platform, settle the rest with the customer, and say what was done."}},
	app.Flagged: {kit.Words{"收款与请求不符", "The money does not match what was asked for"},
		kit.Words{"这笔钱没有确认任何订单。到商户平台查明并退回或与顾客结清，再写明处理。", "It has confirmed no order. Find out at the merchant platform what it is, give it back or settle it with the customer, and say what was done."}},
}

// billStates say what is known of a day's bill.
var billStates = map[string]kit.Words{
	"imported": {"已导入", "imported"},
	"missing":  {"缺账单", "bill missing"},
	"not_yet":  {"账单未出", "no bill yet"},
}

// tryWords say of each bill that could not be fetched yet why, and what comes next.
func tryWords(tries []app.BillTryView) []kit.Say {
	var out []kit.Say
	for _, t := range tries {
		say := kit.Say{Tone: "bad"}
		switch t.Why {
		case app.BillNotReady:
			say.Tone, say.Words = "warn", kit.Words{"微信还没有出 " + t.Day + " 的账单", "WeChat has not made the bill of " + t.Day + " yet"}
		case app.BillRefused:
			field, problem, _ := strings.Cut(t.Error, " ")
			chinese, known := httpx.FieldWords(problem)
			if !known {
				chinese = problem
			}
			if field == "file" {
				chinese, problem = "文件"+chinese, "the file "+problem
			}
			say.Words = kit.Words{"微信给出的 " + t.Day + " 的账单不能导入：" + chinese, "What WeChat handed out as the bill of " + t.Day + " cannot be imported: " + problem}
		case app.BillUnavailable:
			say.Words = kit.Words{"没能从微信获取 " + t.Day + " 的账单：" + t.Error, "The bill of " + t.Day + " could not be fetched from WeChat: " + t.Error}
		default:
			say.Tone, say.Words = "warn", kit.Words{"正在获取 " + t.Day + " 的账单", "The bill of " + t.Day + " is being fetched"}
		}
		times := count(int64(t.Tries), "次", "time")
		say.Words[0] += "（已试 " + times[0]
		say.Words[1] += " (tried " + times[1]
		if t.Next != nil {
			at := t.Next.Format("01-02 15:04")
			say.Words[0] += "，" + at + " 后再试"
			say.Words[1] += ", again after " + at
		}
		say.Words[0] += "）"
		say.Words[1] += ")"
		out = append(out, say)
	}
	return out
}

// billSources say where a bill came from.
var billSources = map[string]kit.Words{"file": {"上传的文件", "a file"}, "wechat": {"从微信获取", "fetched from WeChat"}}

// billsSaid are what the page says when it has done something.
var billsSaid = map[string]kit.Words{
	"agrees":    {"账单已导入，每一笔都对上了", "The bill was imported, and everything adds up"},
	"differs":   {"账单已导入，有对不上的，见下面", "The bill was imported; what does not add up is listed below"},
	"asks":      {"账单已导入。微信有、这里没有的收款，下一轮对账会去问微信", "The bill was imported. WeChat will be asked in the next round about money that it has and we do not"},
	"already":   {"这份账单以前导入过，没有重复登记", "This bill was imported before; nothing was done twice"},
	"again":     {"这份账单以前导入过，没有重复登记；微信有、这里没有的收款，下一轮对账会再去问微信", "This bill was imported before, and nothing was done twice; WeChat will be asked again in the next round about money that it has and we do not"},
	"older":     {"这份账单以前导入过，现在以同一天更新的账单为准", "This bill was imported before; a newer one of that day counts"},
	"explained": {"说明已保存", "The explanation was kept"},
}

// saidOf is the word for what has come of a bill.
func saidOf(b app.BillImported) string {
	switch {
	case b.Already && b.Superseded:
		return "older"
	case b.Already && b.WillAsk > 0:
		return "again"
	case b.Already:
		return "already"
	case b.WillAsk > 0:
		return "asks"
	case b.Differences > 0:
		return "differs"
	}
	return "agrees"
}

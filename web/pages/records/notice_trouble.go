package records

import (
	"context"
	"fmt"
	"time"

	"courtd/app"
	"courtd/web/pages/kit"
)

// whatToDo says of each trouble with a provider's notices what it is and what to do.
var whatToDo = map[string]kit.Words{
	app.TroubleClockDrift: {"支付通知被拒收：通知里的时间与这台机器的时钟相差太多。请用 NTP 校准机器的时钟。在此之前，收款靠每轮对账主动查询，会晚到",
		"Payment notices are refused: their time is too far from this machine's clock. Set the clock by NTP. Until then payments are found by asking at each round, and come late"},
	app.TroubleUnknownKey: {"支付通知被拒收：签名用的公钥这里没有设置。请核对 COURTD_WECHAT_PAY_PUBLIC_KEY_ID 与商户平台上的是否一致；微信正在更换公钥的，请把新的也设上",
		"Payment notices are refused: they are signed with a key that is not set up here. Compare COURTD_WECHAT_PAY_PUBLIC_KEY_ID with the one at the merchant platform; while WeChat changes its key, set the new one too"},
	app.TroubleUnreadable: {"支付通知读不出来：签名是真的，内容解不开。请核对 COURTD_WECHAT_PAY_API_V3_KEY 是不是商户平台上现在的 APIv3 密钥",
		"Payment notices cannot be read: their signature is right and their content cannot be opened. Check that COURTD_WECHAT_PAY_API_V3_KEY is the APIv3 key that the merchant platform has now"},
	app.TroubleNotUnderstood: {"有支付通知看不懂：签名和密钥都对，但内容是这个版本的 courtd 不认识的。请更新 courtd；款项由每轮对账主动查询补上，日志里有原因",
		"There are payment notices that are not understood: signature and key are right, but this version of courtd does not know what they say. Update courtd; payments are found by asking at each round, and the log says what it was"},
}

// noticeTroubles say what is wrong with the notices of providers.
func noticeTroubles(found []app.NoticeTrouble, zone *time.Location) []kit.Say {
	var out []kit.Say
	for _, t := range found {
		words, known := whatToDo[t.What]
		if !known {
			words = kit.Words{"支付通知有问题：" + t.What, "Something is wrong with payment notices: " + t.What}
		}
		times := count(int64(t.Count), "次", "time")
		last := [2]string{}
		if t.Last.IsSet() {
			at := t.Last.In(zone).Format("01-02 15:04")
			last = [2]string{"，最近一次 " + at, ", the last at " + at}
		}
		out = append(out, kit.Say{Tone: "bad", Words: kit.Words{
			fmt.Sprintf("%s（%s，%s%s）", words[0], kit.ViaWords(t.Provider)[0], times[0], last[0]),
			fmt.Sprintf("%s (%s, %s%s)", words[1], kit.ViaWords(t.Provider).In(kit.EN), times[1], last[1])}})
	}
	return out
}

// callWords name what a provider was called for.
var callWords = map[string]kit.Words{
	app.CallOpen:   {"发起付款", "beginning payments"},
	app.CallAsk:    {"查询或关闭付款", "asking about payments"},
	app.CallRefund: {"退款", "refunds"},
	app.CallBill:   {"下载对账单", "fetching the bill"},
}

// providerTroubles say what providers did not carry out, and what they said.
func providerTroubles(found []app.ProviderTrouble, zone *time.Location) []kit.Say {
	var out []kit.Say
	for _, t := range found {
		what := callWords[t.Call]
		last := t.Last.In(zone).Format("01-02 15:04")
		out = append(out, kit.Say{Tone: "bad", Words: kit.Words{
			fmt.Sprintf("支付平台没有完成“%s”：最近 %s，连续 %d 次。对方的回答：%s", what[0], last, t.Count, t.Said),
			fmt.Sprintf("The payment provider did not carry out %s: last at %s, %d in a row. It said: %s", what[1], last, t.Count, t.Said)}})
	}
	return out
}

// troubles are what is wrong with providers: with what they send, and what they do not do.
func (p *pages) troubles(ctx context.Context, zone *time.Location) []kit.Say {
	return append(noticeTroubles(p.App.NoticeTroubles(ctx), zone), providerTroubles(p.App.ProviderTroubles(ctx), zone)...)
}

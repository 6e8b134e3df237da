package wechat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/consts"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
)

// How far this machine's clock may be from WeChat's. From maxDrift on WeChat refuses
// every call and every notice is refused here.
const (
	warnDrift = time.Minute
	maxDrift  = 5 * time.Minute
)

// probeNo is an order number that no order of courtd's can have.
const probeNo = "courtd-probe_0000000000000000000"

// Probe asks WeChat one question that changes nothing and says everything that its
// answer shows to be wrong with the set-up; nil is all right. now is this machine's
// time, against which that of the answer is held.
func (p *Provider) Probe(ctx context.Context, now time.Time) []Problem {
	var list problems
	var header http.Header
	_, result, err := call(p, "probing", "", func() (*payments.Transaction, *core.APIResult, error) {
		no := probeNo
		return p.jsapi().QueryOrderByOutTradeNo(ctx, jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: &no, Mchid: &p.config.MchID})
	})
	if result != nil && result.Response != nil {
		header = result.Response.Header
	}
	drifted := list.checkDrift(header.Get("Date"), now)
	var refusal *Error
	switch {
	case err == nil:
	case isMissing(err, codeOrderNotExist):
		p.checkChain(&list, result.Response, drifted)
	case errors.As(err, &refusal):
		if !drifted {
			list.addRefusal(refusal)
		}
	case errors.Is(err, errUnknownKey):
		list.addUnknownKey()
	case errors.Is(err, errUnproven):
		list.addUnproven()
	case drifted:
	default:
		list.add("", "连不上微信支付："+err.Error(), "WeChat Pay cannot be reached: "+err.Error())
	}
	return list
}

// checkDrift holds the answer's time against now and reports whether calls and notices
// cannot work because of it.
func (list *problems) checkDrift(date string, now time.Time) bool {
	at, err := http.ParseTime(date)
	if err != nil {
		return false
	}
	drift := now.Sub(at)
	zh, en := "快", "fast"
	if drift < 0 {
		drift, zh, en = -drift, "慢", "slow"
	}
	drift = drift.Round(time.Second)
	switch {
	case drift >= maxDrift:
		list.add("", fmt.Sprintf("本机时间比微信支付%s %s，所有支付通知都会被拒绝，请校准时间", zh, drift),
			fmt.Sprintf("this machine's clock is %s %s: every notice will be refused; set the clock", drift, en))
	case drift >= warnDrift:
		list.warn("", fmt.Sprintf("本机时间比微信支付%s %s，相差 5 分钟时所有支付通知都会被拒绝，请校准时间", zh, drift),
			fmt.Sprintf("this machine's clock is %s %s; at 5 minutes every notice will be refused; set the clock", drift, en))
	}
	return drift >= maxDrift
}

// checkChain judges the signature of the refusal that shows that all is well. One
// without any says nothing about it.
func (p *Provider) checkChain(list *problems, answer *http.Response, drifted bool) {
	if answer.Header.Get(consts.WechatPaySignature) == "" || drifted || p.answers.Validate(context.Background(), answer) == nil {
		return
	}
	switch err := p.whyUnproven(answer); {
	case errors.Is(err, errUnknownKey):
		list.addUnknownKey()
	case errors.Is(err, errUnproven):
		list.addUnproven()
	}
}

func (list *problems) addUnknownKey() {
	list.add(SettingPublicKeyID, "微信支付用另一个公钥签名，请在商户平台核对微信支付公钥 ID 并下载公钥（或补充平台证书）",
		"WeChat Pay signs with another key; look up the public key's id in the merchant platform and download that key (or add the platform certificate)")
}

func (list *problems) addUnproven() {
	list.add(SettingPublicKeyFile, "应答的签名与此公钥不符，公钥文件和公钥 ID 可能不是一对",
		"does not fit the signature of WeChat's answer; the file and the id may not belong together")
}

// addRefusal says in plain words which setting a refusal points at.
func (list *problems) addRefusal(r *Error) {
	switch plain(r.Code) {
	case codeSignError:
		list.add(SettingKeyFile, "签名被拒绝：私钥与 "+SettingSerial+" 或 "+SettingMchID+" 不是一套",
			"the signature is refused: the private key does not belong to "+SettingSerial+" or "+SettingMchID)
	case "MCHNOTEXISTS":
		list.add(SettingMchID, "商户号不存在", "there is no merchant with this number")
	case "NOAUTH":
		list.add(SettingMchID, "商户号没有开通支付权限，请在商户平台的产品中心开通", "this merchant has not been given the product; ask for it in the merchant platform")
	case "APPIDMCHIDNOTMATCH":
		list.add(SettingAppID, "AppID 没有与商户号绑定，请在商户平台关联", "is not bound to the merchant number; bind them in the merchant platform")
	case "PARAMERROR", "INVALIDREQUEST":
		list.add(SettingMchID, "微信支付不接受此商户号："+r.Message, "WeChat Pay does not take this merchant number: "+r.Message)
	default:
		list.add("", "微信支付拒绝了测试请求："+r.Error(), "WeChat Pay refused the probe: "+r.Error())
	}
}

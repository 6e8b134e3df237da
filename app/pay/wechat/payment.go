package wechat

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/native"

	"courtd/app/pay"
	"courtd/domain"
)

// china is the zone of every time that is told to WeChat, so that a request that is
// sent again is the same to the byte wherever this runs.
var china = time.FixedZone("", 8*60*60)

// Open registers an attempt, or gives fresh parameters for the identical one. What
// comes out depends on the way to pay:
//
//   - ViaJSAPI: appId, timeStamp, nonceStr, package, signType, paySign
//   - ViaNative: code_url, for a QR code, good for two hours
//   - ViaH5: h5_url, to be opened within five minutes
//
// pay.ErrAlreadyPaid and pay.ErrNeedsNewNumber are final.
func (p *Provider) Open(ctx context.Context, request pay.Request) (pay.Opened, error) {
	if err := request.Validate(); err != nil {
		return pay.Opened{}, err
	}
	switch request.Via {
	case ViaJSAPI:
		return p.openJSAPI(ctx, request)
	case ViaNative:
		return p.openNative(ctx, request)
	case ViaH5:
		return p.openH5(ctx, request)
	}
	return pay.Opened{}, fmt.Errorf("wechat pay: payment %s: %q is no way to pay of WeChat's", request.OutTradeNo, request.Via)
}

func (p *Provider) openJSAPI(ctx context.Context, r pay.Request) (pay.Opened, error) {
	if r.PayerOpenID == "" {
		return pay.Opened{}, fmt.Errorf("wechat pay: payment %s: the payer has no openid", r.OutTradeNo)
	}
	opened, _, err := call(p, "opening "+r.OutTradeNo, r.PayerOpenID, func() (*jsapi.PrepayWithRequestPaymentResponse, *core.APIResult, error) {
		return p.jsapi().PrepayWithRequestPayment(ctx, jsapi.PrepayRequest{
			Appid: &p.config.AppID, Mchid: &p.config.MchID, NotifyUrl: &p.config.NotifyURL,
			Description: &r.Description, OutTradeNo: &r.OutTradeNo, TimeExpire: lastMoment(r),
			Amount: &jsapi.Amount{Total: &r.AmountFen, Currency: &r.Currency},
			Payer:  &jsapi.Payer{Openid: &r.PayerOpenID},
		})
	})
	if err != nil {
		return pay.Opened{}, err
	}
	return pay.Opened{Params: map[string]any{
		"appId":     text(opened.Appid),
		"timeStamp": text(opened.TimeStamp),
		"nonceStr":  text(opened.NonceStr),
		"package":   text(opened.Package),
		"signType":  text(opened.SignType),
		"paySign":   text(opened.PaySign),
	}}, nil
}

func (p *Provider) openNative(ctx context.Context, r pay.Request) (pay.Opened, error) {
	opened, _, err := call(p, "opening "+r.OutTradeNo, r.PayerOpenID, func() (*native.PrepayResponse, *core.APIResult, error) {
		return p.native().Prepay(ctx, native.PrepayRequest{
			Appid: &p.config.AppID, Mchid: &p.config.MchID, NotifyUrl: &p.config.NotifyURL,
			Description: &r.Description, OutTradeNo: &r.OutTradeNo, TimeExpire: lastMoment(r),
			Amount: &native.Amount{Total: &r.AmountFen, Currency: &r.Currency},
		})
	})
	if err != nil {
		return pay.Opened{}, err
	}
	return oneParam(r, "code_url", opened.CodeUrl)
}

func (p *Provider) openH5(ctx context.Context, r pay.Request) (pay.Opened, error) {
	if _, err := netip.ParseAddr(r.ClientIP); err != nil {
		return pay.Opened{}, fmt.Errorf("wechat pay: payment %s: the payer's address is not known", r.OutTradeNo)
	}
	opened, _, err := call(p, "opening "+r.OutTradeNo, r.PayerOpenID, func() (*h5.PrepayResponse, *core.APIResult, error) {
		return p.h5().Prepay(ctx, h5.PrepayRequest{
			Appid: &p.config.AppID, Mchid: &p.config.MchID, NotifyUrl: &p.config.NotifyURL,
			Description: &r.Description, OutTradeNo: &r.OutTradeNo, TimeExpire: lastMoment(r),
			Amount:    &h5.Amount{Total: &r.AmountFen, Currency: &r.Currency},
			SceneInfo: &h5.SceneInfo{PayerClientIp: &r.ClientIP, H5Info: &h5.H5Info{Type: core.String("Wap")}},
		})
	})
	if err != nil {
		return pay.Opened{}, err
	}
	return oneParam(r, "h5_url", opened.H5Url)
}

func oneParam(r pay.Request, name string, value *string) (pay.Opened, error) {
	if text(value) == "" {
		return pay.Opened{}, fmt.Errorf("wechat pay: opening %s: the answer has no %s", r.OutTradeNo, name)
	}
	return pay.Opened{Params: map[string]any{name: *value}}, nil
}

func lastMoment(r pay.Request) *time.Time {
	at := r.ExpiresAt.In(china)
	return &at
}

// Close ends an attempt that is not paid. After any error the caller asks Query: a
// refusal of WeChat's is not signed, so that nothing is concluded from it but
// pay.ErrAlreadyPaid and pay.ErrUnknownPayment, which Query confirms.
func (p *Provider) Close(ctx context.Context, outTradeNo string) error {
	_, _, err := call(p, "closing "+outTradeNo, "", func() (struct{}, *core.APIResult, error) {
		result, err := p.jsapi().CloseOrder(ctx, jsapi.CloseOrderRequest{OutTradeNo: &outTradeNo, Mchid: &p.config.MchID})
		return struct{}{}, result, err
	})
	if isCode(err, codeOrderNotExist) {
		return fmt.Errorf("%w: %w", pay.ErrUnknownPayment, err)
	}
	return err
}

// Query tells the state of an attempt; one never seen is pay.Unknown, not an error.
func (p *Provider) Query(ctx context.Context, outTradeNo string) (pay.Result, error) {
	doing := "querying " + outTradeNo
	said, _, err := call(p, doing, "", func() (*payments.Transaction, *core.APIResult, error) {
		return p.jsapi().QueryOrderByOutTradeNo(ctx, jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: &outTradeNo, Mchid: &p.config.MchID})
	})
	if isMissing(err, codeOrderNotExist) {
		return pay.Result{OutTradeNo: outTradeNo, State: pay.Unknown}, nil
	}
	if err != nil {
		return pay.Result{}, err
	}
	result, err := resultOf(*said)
	if err == nil && result.OutTradeNo != outTradeNo {
		err = fmt.Errorf("the answer is about another payment")
	}
	if err != nil {
		return pay.Result{}, fmt.Errorf("wechat pay: %s: %w", doing, err)
	}
	return result, nil
}

// isMissing reports whether WeChat itself says that it does not know a number; any
// other 404 may come from something in between.
func isMissing(err error, code string) bool {
	refusal, ok := err.(*Error)
	return ok && refusal.Status == http.StatusNotFound && plain(refusal.Code) == code
}

// stateRefund is the trade state of money that came and of which something has gone back
// since, or is on its way back: by our refunds, or by somebody on WeChat's merchant
// platform. WeChat does not say how much.
const stateRefund = "REFUND"

// states are WeChat's trade states. PAYERROR is not final: the payer may try again.
var states = map[string]pay.State{
	"NOTPAY":     pay.Pending,
	"USERPAYING": pay.Pending,
	"ACCEPT":     pay.Pending,
	"PAYERROR":   pay.Pending,
	"SUCCESS":    pay.Succeeded,
	stateRefund:  pay.Succeeded,
	"CLOSED":     pay.Closed,
	"REVOKED":    pay.Closed,
}

// resultOf reads an account of a payment, from an answer or a notice.
func resultOf(t payments.Transaction) (pay.Result, error) {
	state, ok := states[text(t.TradeState)]
	switch {
	case !ok:
		return pay.Result{}, fmt.Errorf("trade state %q is not known", oneLine(text(t.TradeState), 32))
	case text(t.OutTradeNo) == "":
		return pay.Result{}, fmt.Errorf("it names no out_trade_no")
	case state == pay.Succeeded && (t.Amount == nil || t.Amount.Total == nil):
		return pay.Result{}, fmt.Errorf("it says that payment %s succeeded, but no amount", text(t.OutTradeNo))
	}
	result := pay.Result{OutTradeNo: text(t.OutTradeNo), State: state, GivenBack: text(t.TradeState) == stateRefund, Merchant: text(t.Mchid), App: text(t.Appid),
		TransactionID: text(t.TransactionId)}
	if t.Payer != nil {
		result.Payer = text(t.Payer.Openid)
	}
	if t.Amount != nil {
		result.Currency = text(t.Amount.Currency)
		if t.Amount.Total != nil {
			result.AmountFen = *t.Amount.Total
		}
	}
	// The time is evidence only: one that cannot be read holds nothing up.
	if at, err := time.Parse(time.RFC3339, text(t.SuccessTime)); err == nil {
		result.SuccessTime = domain.InstantOf(at)
	}
	return result, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

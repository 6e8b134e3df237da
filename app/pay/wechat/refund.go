package wechat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"

	"courtd/app/pay"
)

// maxReasonBytes is the most that WeChat takes of a refund's reason.
const maxReasonBytes = 80

// refundStates are WeChat's states of a refund.
var refundStates = map[string]pay.RefundState{
	"PROCESSING": pay.RefundProcessing,
	"SUCCESS":    pay.RefundSucceeded,
	"CLOSED":     pay.RefundClosed,
	"ABNORMAL":   pay.RefundAbnormal,
}

// Refund asks for money to go back; an answer without error says that it was
// accepted. After any error the same request is sent again, never under another
// number. A payment that WeChat does not know, or that is not paid, is
// pay.ErrUnknownPayment; a refusal that WeChat would repeat is pay.ErrRefused.
func (p *Provider) Refund(ctx context.Context, r pay.RefundRequest) (pay.RefundResult, error) {
	if err := r.Validate(); err != nil {
		return pay.RefundResult{}, err
	}
	request := refunddomestic.CreateRequest{OutTradeNo: &r.OutTradeNo, OutRefundNo: &r.OutRefundNo,
		NotifyUrl: &p.config.RefundNotifyURL,
		Amount:    &refunddomestic.AmountReq{Refund: &r.AmountFen, Total: &r.PaymentFen, Currency: &r.Currency}}
	if reason := shorten(r.Reason, maxReasonBytes); reason != "" {
		request.Reason = &reason
	}
	doing := "refunding " + r.OutRefundNo
	said, _, err := call(p, doing, "", func() (*refunddomestic.Refund, *core.APIResult, error) {
		return p.refunds().Create(ctx, request)
	})
	if isMissing(err, codeNoResource) || isMissing(err, codeOrderNotExist) {
		return pay.RefundResult{}, fmt.Errorf("%w: %w", pay.ErrUnknownPayment, err)
	}
	if err != nil {
		return pay.RefundResult{}, forGood(err)
	}
	return refundOf(doing, r.OutRefundNo, *said)
}

// QueryRefund tells the state of a refund; one never seen is pay.RefundUnknown.
func (p *Provider) QueryRefund(ctx context.Context, outRefundNo string) (pay.RefundResult, error) {
	doing := "querying refund " + outRefundNo
	said, _, err := call(p, doing, "", func() (*refunddomestic.Refund, *core.APIResult, error) {
		return p.refunds().QueryByOutRefundNo(ctx, refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: &outRefundNo})
	})
	if isMissing(err, codeNoResource) {
		return pay.RefundResult{OutRefundNo: outRefundNo, State: pay.RefundUnknown}, nil
	}
	if err != nil {
		return pay.RefundResult{}, forGood(err)
	}
	return refundOf(doing, outRefundNo, *said)
}

// forGoodCodes are the codes by which WeChat refuses a refund, or a question about one, as
// it would the same call at any time: the request or the payment does not allow it (more
// than a year old, more than is left of it, the payer's account closed), or the merchant
// number is gone. Not among them is what time mends (NOT_ENOUGH, FREQUENCY_LIMITED,
// SYSTEM_ERROR) nor what the venue mends (SIGN_ERROR, NO_AUTH, APPID_MCHID_NOT_MATCH): that
// is tried again, and handed to a person only if it lasts.
var forGoodCodes = map[string]bool{
	"PARAMERROR": true, "INVALIDREQUEST": true, "USERACCOUNTABNORMAL": true, "TRADEOVERDUE": true,
	"MCHNOTEXISTS": true, codeOrderClosed: true, codeNoResource: true, codeOrderNotExist: true,
}

// forGood makes a refusal that would be repeated a pay.ErrRefused. Only a refusal of the
// request counts: whatever comes with a status of 429 or 5xx may pass.
func forGood(err error) error {
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Status >= 400 && refusal.Status < 500 && refusal.Status != http.StatusTooManyRequests &&
		forGoodCodes[plain(refusal.Code)] {
		return fmt.Errorf("%w: %w", pay.ErrRefused, err)
	}
	return err
}

func refundOf(doing, outRefundNo string, said refunddomestic.Refund) (pay.RefundResult, error) {
	var err error
	switch {
	case text(said.OutRefundNo) != outRefundNo:
		err = errors.New("the answer is about another refund")
	case said.Status == nil || refundStates[string(*said.Status)] == "":
		err = errors.New("the refund's state is not known")
	case said.Amount == nil || said.Amount.Refund == nil:
		err = errors.New("the answer has no amount")
	}
	if err != nil {
		return pay.RefundResult{}, fmt.Errorf("wechat pay: %s: %w", doing, err)
	}
	return pay.RefundResult{OutRefundNo: outRefundNo, State: refundStates[string(*said.Status)], AmountFen: *said.Amount.Refund}, nil
}

// shorten cuts a text between two characters to at most so many bytes.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

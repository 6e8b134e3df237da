package wechat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"

	"github.com/wechatpay-apiv3/wechatpay-go/core"

	"courtd/app/pay"
)

// Codes of WeChat Pay that are understood here. Some of them are spelt in two ways.
const (
	codeOrderPaid     = "ORDERPAID"
	codeOrderClosed   = "ORDERCLOSED"
	codeOrderNotExist = "ORDERNOTEXIST"
	codeNoResource    = "RESOURCENOTEXISTS"
	codeSignError     = "SIGNERROR"
)

// Error is a refusal of WeChat Pay. Its text holds nothing secret.
type Error struct {
	Doing   string // what was asked for
	Status  int    // of HTTP
	Code    string // of WeChat Pay, such as NOT_ENOUGH; may be empty
	Message string // of WeChat Pay, one line, what looks secret left out
	kind    error  // one of package pay's sentinels, or nil
}

// Error gives what was done, the code, WeChat's own message and what it means.
func (e *Error) Error() string {
	text := fmt.Sprintf("wechat pay: %s: %d %s", e.Doing, e.Status, e.Code)
	if e.kind != nil {
		text += ": " + e.kind.Error()
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	if meaning := meanings[plain(e.Code)]; meaning != "" {
		text += " (" + meaning + ")"
	} else if e.Status >= http.StatusInternalServerError {
		text += " (微信支付系统繁忙，稍后用原单号重试 / WeChat Pay is in trouble; the same number is tried again later)"
	}
	return text
}

// Unwrap gives the sentinel of package pay that the refusal amounts to, if any.
func (e *Error) Unwrap() error { return e.kind }

// meanings say what to do about a code, where WeChat's message may not.
var meanings = map[string]string{
	"NOTENOUGH": "商户号可用余额不足，请充值或等待入账，稍后用原退款单号自动重试 / " +
		"the merchant account has too little money; top it up, the refund is tried again under the same number",
	"FREQUENCYLIMITED": "请求太频繁，稍后用原单号重试 / too many requests; the same number is tried again later",
	codeSignError: "商户私钥与证书序列号或商户号不符，或本机时间不对 / " +
		"the private key does not belong to this serial and merchant number, or this machine's clock is wrong",
	"NOAUTH":             "商户号没有开通此产品权限 / the merchant has not been given this product",
	"MCHNOTEXISTS":       "商户号不存在 / there is no such merchant number",
	"APPIDMCHIDNOTMATCH": "AppID 未与商户号绑定 / the app id is not bound to the merchant number",
	"OUTTRADENOUSED":     "单号已被内容不同的请求使用 / the number was used by a different request",
}

// plain makes the two spellings of a code one.
func plain(code string) string { return strings.ReplaceAll(strings.ToUpper(code), "_", "") }

// isCode reports whether an error is WeChat's refusal with a code (in plain spelling).
func isCode(err error, code string) bool {
	var refusal *Error
	return errors.As(err, &refusal) && plain(refusal.Code) == code
}

// call makes one call through the library. What comes out is the answer or an error
// of this package; hide is left out of its text wherever it stands.
func call[T any](p *Provider, doing, hide string, do func() (T, *core.APIResult, error)) (out T, result *core.APIResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("wechat pay: %s: the answer cannot be read (%s)", doing, panicText(r))
		}
	}()
	out, result, err = do()
	if err != nil {
		err = p.explain(doing, hide, result, err)
	}
	return out, result, err
}

// panicText tells of a panic only what the runtime says; other values may hold anything.
func panicText(r any) string {
	if e, ok := r.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("panic of type %T", r)
}

// explain makes an error of the library into one that may be told.
func (p *Provider) explain(doing, hide string, result *core.APIResult, err error) error {
	var refusal *core.APIError
	if errors.As(err, &refusal) {
		return &Error{Doing: doing, Status: refusal.StatusCode, Code: oneLine(refusal.Code, 40),
			Message: p.clean(refusal.Message, hide), kind: kindOf(refusal.Code)}
	}
	var network *url.Error
	switch {
	case errors.As(err, &network):
		return fmt.Errorf("wechat pay: %s: %w", doing, p.unreached(network))
	case result == nil || result.Response == nil:
		return fmt.Errorf("wechat pay: %s: the request cannot be made", doing)
	}
	return fmt.Errorf("wechat pay: %s: %w", doing, p.whyUnproven(result.Response))
}

// kindOf gives what a refusal means to every caller.
func kindOf(code string) error {
	switch plain(code) {
	case codeOrderPaid:
		return pay.ErrAlreadyPaid
	case codeOrderClosed:
		return pay.ErrNeedsNewNumber
	}
	return nil
}

// unreached says that nobody answered, without the address that was asked.
func (p *Provider) unreached(network *url.Error) error {
	var timeout net.Error
	switch {
	case errors.Is(network.Err, context.Canceled):
		return context.Canceled
	case errors.As(network.Err, &timeout) && timeout.Timeout():
		return errors.New("no answer in time; the outcome is not known")
	}
	return errors.New("cannot be reached: " + p.clean(network.Err.Error(), ""))
}

var (
	errClock      = errors.New("the answer is WeChat's, but its time is five minutes or more from this machine's clock; set the clock")
	errUnreadable = errors.New("the answer cannot be read")
	errUnknownKey = errors.New("the answer is signed with a key that is not set up here")
	errUnproven   = errors.New("the answer is not signed by WeChat Pay")
)

// whyUnproven says why the library refused an answer of success.
func (p *Provider) whyUnproven(answer *http.Response) error {
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return errUnreadable
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if p.answers.Validate(context.Background(), answer) == nil {
		return errUnreadable
	}
	switch err := p.keys.whyRefused(answer.Header.Get, body); {
	case errors.Is(err, pay.ErrClockDrift):
		return errClock
	case errors.Is(err, pay.ErrUnknownKey):
		return errUnknownKey
	}
	return errUnproven
}

// Texts of others may repeat what they were sent: an Authorization header whole,
// signatures and keys, which are long and without a space, openids, which have a form
// of their own.
var looksSecret = regexp.MustCompile(`(?s)WECHATPAY2-.*|[0-9A-Za-z+/=_-]{40,}|\bo[0-9A-Za-z_-]{27}\b`)

// clean makes a text of somebody else's fit to be told: one short line, no secrets.
func (p *Provider) clean(text, hide string) string {
	for _, secret := range []string{hide, p.config.APIv3Key} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return oneLine(looksSecret.ReplaceAllString(text, "…"), 200)
}

// oneLine joins a text to one line of at most so many runes.
func oneLine(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
	if len(runes) > most {
		runes = append(runes[:most], '…')
	}
	return string(runes)
}

package wechat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/wechatpay-apiv3/wechatpay-go/core/consts"
	"github.com/wechatpay-apiv3/wechatpay-go/core/notify"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"courtd/app/pay"
)

// ErrAPIv3Key is what a notice is refused with that WeChat has signed but that cannot
// be decrypted. It is not pay.ErrBadSignature: the sender is proven, and the remedy is
// to set COURTD_WECHAT_PAY_API_V3_KEY to the key of the merchant platform.
var ErrAPIv3Key = fmt.Errorf("%w: it is signed by WeChat Pay, but the APIv3 key set up here is not the merchant's", pay.ErrUnreadable)

const (
	signatureType = "Wechatpay-Signature-Type"
	aesGCM        = "AEAD_AES_256_GCM"
	gcmNonceBytes = 12 // with any other the library panics
)

// events are the notices that courtd has a use for.
var events = map[string]func(p *Provider, plaintext []byte, n *pay.Notice) error{
	"TRANSACTION.SUCCESS": (*Provider).readPayment,
	"REFUND.SUCCESS":      (*Provider).readRefund,
	"REFUND.ABNORMAL":     (*Provider).readRefund,
	"REFUND.CLOSED":       (*Provider).readRefund,
}

// ParseNotice verifies the raw bytes of a notice and reads it, whichever of the two
// addresses it came to. Its errors:
//
//   - pay.ErrUnknownKey: signed under a key that is not set up here, but sealed with the
//     APIv3 key, which nobody but WeChat and the merchant has
//   - pay.ErrClockDrift: WeChat's signature, five minutes or more from this machine's clock
//   - pay.ErrBadSignature: anything else that does not prove WeChat, its probes included
//   - ErrAPIv3Key: proven, but encrypted with another key
//   - any other: proven, but not to be understood
//
// With the first two comes what the notice says, if it can be read. A notice of another
// kind has an ID and nothing else.
func (p *Provider) ParseNotice(header func(name string) string, body []byte) (notice pay.Notice, err error) {
	unproven := pay.ErrBadSignature // until it is seen who sent it, nothing is anybody's fault
	defer func() {
		if r := recover(); r != nil {
			notice, err = pay.Notice{}, unproven
			if err == nil {
				err = fmt.Errorf("wechat pay: the notice cannot be read (%s)", panicText(r))
			}
		}
	}()
	because := p.proveNotice(header, body)
	switch {
	case because == nil, errors.Is(because, pay.ErrClockDrift), errors.Is(because, pay.ErrUnknownKey) && p.sealedByWeChat(body):
		unproven = because
	default:
		return pay.Notice{}, unproven
	}
	notice, err = p.readNotice(body)
	if unproven != nil {
		err = unproven
	}
	return notice, err
}

// sealedByWeChat reports whether a notice holds content that was encrypted with the APIv3
// key. AES-GCM lets nobody else make such content.
func (p *Provider) sealedByWeChat(body []byte) bool {
	var told notify.Request
	if json.Unmarshal(body, &told) != nil || told.ID == "" {
		return false
	}
	_, err := p.decrypt(told.Resource)
	return err == nil
}

// readNotice reads a notice without asking who sent it.
func (p *Provider) readNotice(body []byte) (pay.Notice, error) {
	var told notify.Request
	if err := json.Unmarshal(body, &told); err != nil || told.ID == "" {
		return pay.Notice{}, errors.New("wechat pay: the notice is signed, but it is not a notice")
	}
	notice := pay.Notice{ID: told.ID}
	read, ok := events[told.EventType]
	if !ok {
		return notice, nil
	}
	plaintext, err := p.decrypt(told.Resource)
	if err != nil {
		return pay.Notice{}, fmt.Errorf("wechat pay: notice %s: %w", oneLine(told.ID, 64), err)
	}
	if err := read(p, plaintext, &notice); err != nil {
		return pay.Notice{}, fmt.Errorf("wechat pay: notice %s: %w", oneLine(told.ID, 64), err)
	}
	return notice, nil
}

// proveNotice asks WeChat's library whether the notice is WeChat's, and finds out why
// if it is not.
func (p *Provider) proveNotice(header func(name string) string, body []byte) error {
	if kind := header(signatureType); kind != "" && kind != rsaSignatures {
		return pay.ErrBadSignature
	}
	h := http.Header{}
	for _, name := range []string{consts.WechatPaySerial, consts.WechatPaySignature, consts.WechatPayTimestamp, consts.WechatPayNonce} {
		h.Set(name, header(name))
	}
	// The library's error holds the whole request, so that only its being there counts.
	if p.notices.Validate(context.Background(), &http.Request{Header: h, Body: io.NopCloser(bytes.NewReader(body))}) != nil {
		return p.keys.whyRefused(h.Get, body)
	}
	return nil
}

func (p *Provider) decrypt(sealed *notify.EncryptedResource) ([]byte, error) {
	if sealed == nil || sealed.Algorithm != aesGCM || len(sealed.Nonce) != gcmNonceBytes {
		return nil, errors.New("it is not encrypted as it should be")
	}
	plaintext, err := utils.DecryptAES256GCM(p.config.APIv3Key, sealed.AssociatedData, sealed.Nonce, sealed.Ciphertext)
	if err != nil {
		return nil, ErrAPIv3Key
	}
	return []byte(plaintext), nil
}

var errContent = errors.New("its content cannot be read")

func (p *Provider) readPayment(plaintext []byte, n *pay.Notice) error {
	var told payments.Transaction
	if json.Unmarshal(plaintext, &told) != nil {
		return errContent
	}
	result, err := resultOf(told)
	n.Payment = &result
	return err
}

// refundTold is the content of a notice about a refund; it is not that of an answer.
type refundTold struct {
	MchID       string `json:"mchid"`
	OutRefundNo string `json:"out_refund_no"`
	Status      string `json:"refund_status"`
	Amount      struct {
		Refund *int64 `json:"refund"`
	} `json:"amount"`
}

func (p *Provider) readRefund(plaintext []byte, n *pay.Notice) error {
	var told refundTold
	if json.Unmarshal(plaintext, &told) != nil {
		return errContent
	}
	state := refundStates[told.Status]
	switch {
	case told.MchID != p.config.MchID:
		return errors.New("it is about a refund of another merchant")
	case told.OutRefundNo == "" || state == "" || told.Amount.Refund == nil:
		return errContent
	}
	n.Refund = &pay.RefundResult{OutRefundNo: told.OutRefundNo, State: state, AmountFen: *told.Amount.Refund}
	return nil
}

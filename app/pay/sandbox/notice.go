package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"courtd/app/pay"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// The headers of a signed notice.
const (
	HeaderTimestamp = "Courtd-Sandbox-Timestamp" // unix seconds
	HeaderNonce     = "Courtd-Sandbox-Nonce"
	HeaderSignature = "Courtd-Sandbox-Signature" // base64 of HMAC-SHA256
)

// NoticeWindow is how far a notice's time may be from the venue's clock, either
// way; at exactly this distance it is refused.
const NoticeWindow = 5 * time.Minute

// parseTimeout bounds the one read that judging a notice needs.
const parseTimeout = 5 * time.Second

type noticeBody struct {
	ID      string       `json:"id"`
	Payment *paymentBody `json:"payment,omitempty"`
	Refund  *refundBody  `json:"refund,omitempty"`
}

type paymentBody struct {
	OutTradeNo    string         `json:"out_trade_no"`
	State         pay.State      `json:"state"`
	AmountFen     int64          `json:"amount_fen"`
	Currency      string         `json:"currency"`
	Merchant      string         `json:"merchant"`
	App           string         `json:"app"`
	TransactionID string         `json:"transaction_id"`
	Payer         string         `json:"-"` // nobody
	SuccessTime   domain.Instant `json:"success_time"`
	GivenBack     bool           `json:"given_back,omitempty"`
}

type refundBody struct {
	OutRefundNo string          `json:"out_refund_no"`
	State       pay.RefundState `json:"state"`
	AmountFen   int64           `json:"amount_fen"`
}

// SignNotice makes the notice about a payment as it stands. The same state has
// the same notice id however often it is told, like a provider's retries. An
// unknown number is a NotFound refusal.
func (p *Provider) SignNotice(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error) {
	result, err := p.Query(ctx, outTradeNo)
	if err != nil {
		return nil, nil, err
	}
	if result.State == pay.Unknown {
		return nil, nil, errNotFound("payment", outTradeNo)
	}
	told := paymentBody(result)
	return p.signJSON(ctx, noticeBody{ID: "payment:" + outTradeNo + ":" + string(result.State), Payment: &told})
}

// SignRefundNotice makes the notice about a refund as it stands, without the
// question that would complete it. An unknown number is a NotFound refusal.
func (p *Provider) SignRefundNotice(ctx context.Context, outRefundNo string) (headers map[string]string, body []byte, err error) {
	var told refundBody
	err = p.db.Read(ctx, func(snap *sqlite.Snapshot) error {
		known, found, err := findRefund(snap, outRefundNo)
		if err == nil && !found {
			err = errNotFound("refund", outRefundNo)
		}
		told = refundBody(known.result())
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: signing the notice of refund %s: %w", outRefundNo, err)
	}
	return p.signJSON(ctx, noticeBody{ID: "refund:" + outRefundNo + ":" + string(told.State), Refund: &told})
}

func (p *Provider) signJSON(ctx context.Context, notice noticeBody) (map[string]string, []byte, error) {
	body, err := json.Marshal(notice)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: encoding notice %s: %w", notice.ID, err)
	}
	headers, err := p.Sign(ctx, body)
	return headers, body, err
}

// Sign signs any body with the sandbox's key at the venue's present time.
func (p *Provider) Sign(ctx context.Context, body []byte) (headers map[string]string, err error) {
	signedAt, err := p.now(ctx)
	if err != nil {
		return nil, fmt.Errorf("sandbox: signing a notice: %w", err)
	}
	nonce, _ := secret.NewToken()
	timestamp := strconv.FormatInt(int64(signedAt), 10)
	return map[string]string{
		HeaderTimestamp: timestamp,
		HeaderNonce:     nonce,
		HeaderSignature: base64.StdEncoding.EncodeToString(p.mac(timestamp, nonce, body)),
	}, nil
}

// ParseNotice verifies the raw bytes of a notice and reads it. A header that is
// missing or wrong, a changed byte, and a time NoticeWindow or more away from
// the venue's are all pay.ErrBadSignature. The header function finds a header
// whatever its letter case.
func (p *Provider) ParseNotice(header func(name string) string, body []byte) (pay.Notice, error) {
	// The signature of the interface has no context, so the read brings its own bound.
	ctx, cancel := context.WithTimeout(context.Background(), parseTimeout)
	defer cancel()
	timestamp := header(HeaderTimestamp)
	signature, err := base64.StdEncoding.Strict().DecodeString(header(HeaderSignature))
	if err != nil || !hmac.Equal(signature, p.mac(timestamp, header(HeaderNonce), body)) {
		return pay.Notice{}, fmt.Errorf("sandbox: %w", pay.ErrBadSignature)
	}
	signedAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return pay.Notice{}, fmt.Errorf("sandbox: %w: timestamp is not a number", pay.ErrBadSignature)
	}
	now, err := p.now(ctx)
	if err != nil {
		return pay.Notice{}, fmt.Errorf("sandbox: judging the time of a notice: %w", err)
	}
	if age := now.Sub(domain.Instant(signedAt)); age >= NoticeWindow || age <= -NoticeWindow {
		return pay.Notice{}, fmt.Errorf("sandbox: %w: it is %s from the venue's clock", pay.ErrBadSignature, age)
	}
	return readNotice(body)
}

func readNotice(body []byte) (pay.Notice, error) {
	var told noticeBody
	if err := json.Unmarshal(body, &told); err != nil {
		return pay.Notice{}, fmt.Errorf("sandbox: reading a signed notice: %w", err)
	}
	if told.ID == "" || (told.Payment == nil) == (told.Refund == nil) {
		return pay.Notice{}, errors.New("sandbox: a signed notice must have an id and either a payment or a refund")
	}
	notice := pay.Notice{ID: told.ID}
	if told.Payment != nil {
		result := pay.Result(*told.Payment)
		notice.Payment = &result
	} else {
		result := pay.RefundResult(*told.Refund)
		notice.Refund = &result
	}
	return notice, nil
}

func (p *Provider) mac(timestamp, nonce string, body []byte) []byte {
	m := hmac.New(sha256.New, p.key)
	_, _ = fmt.Fprintf(m, "%s\n%s\n", timestamp, nonce)
	_, _ = m.Write(body)
	_, _ = m.Write([]byte("\n"))
	return m.Sum(nil)
}

// now reads the venue's clock, which a demonstration may have moved.
func (p *Provider) now(ctx context.Context) (now domain.Instant, err error) {
	err = p.db.Read(ctx, func(snap *sqlite.Snapshot) error {
		now = snap.Now
		return nil
	})
	return now, err
}

// Package wechat takes and returns money through WeChat Pay (API v3, public-key
// mode, one merchant). It keeps no state and reads no clock: whatever has to be
// remembered is remembered by its caller, and whatever has to be judged by time is
// judged by WeChat's own library or against a time that the caller brings.
//
// Errors are short and hold no secret: the library's own hold whole messages with
// their headers and never leave this package.
package wechat

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/validators"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/native"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"

	"courtd/app/pay"
	"courtd/domain"
)

// The ways to pay.
const (
	ViaJSAPI  = domain.ViaWeChat + "jsapi"  // in the mini-program or a page inside WeChat; needs the payer's openid
	ViaNative = domain.ViaWeChat + "native" // a QR code that is scanned from another screen
	ViaH5     = domain.ViaWeChat + "h5"     // a phone's browser outside WeChat; needs the payer's address
)

// DefaultBaseURL is where WeChat Pay is.
const DefaultBaseURL = "https://api.mch.weixin.qq.com"

// DefaultTimeout bounds one call from the first byte to the last.
const DefaultTimeout = 10 * time.Second

// shortest is what WeChat raises a nearer last moment to, without a word.
const shortest = time.Minute

// Config is one merchant and its keys.
type Config struct {
	MchID  string          // merchant number, 8 to 10 digits
	AppID  string          // "wx" and 16 more
	Serial string          // serial number of the merchant's certificate, 40 hex digits
	Key    *rsa.PrivateKey // the merchant's private key
	// APIv3Key decrypts notices; 32 bytes.
	APIv3Key string
	// PublicKeys are WeChat Pay's public keys by id ("PUB_KEY_ID_…"), at least one.
	PublicKeys map[string]*rsa.PublicKey
	// PublicKeyID is the one that outgoing calls name; may be empty if there is one only.
	PublicKeyID string
	// Certificates are WeChat Pay's platform certificates, which still sign while a
	// merchant moves to public keys. Optional.
	Certificates []*x509.Certificate
	NotifyURL    string // where notices of payments come in; https, no query string
	// RefundNotifyURL is where notices of refunds come in; empty: the last part of
	// NotifyURL's path becomes "refund-notify".
	RefundNotifyURL string
	BaseURL         string        // scheme and host; empty: DefaultBaseURL
	Ways            []string      // jsapi, native, h5: what the merchant may use; empty: all three
	Timeout         time.Duration // of one call; 0: DefaultTimeout
}

// Provider is WeChat Pay for one merchant. It is safe for concurrent use.
type Provider struct {
	config    Config
	keys      keys
	client    *core.Client // checks the signature of every answer
	unchecked *core.Client // for downloads, whose answers carry no signature
	notices   *validators.WechatPayNotifyValidator
	answers   *validators.WechatPayResponseValidator
}

var _ pay.Provider = (*Provider)(nil)

// New makes the provider. Its error names everything that is wrong with the
// configuration, in English; Load says it in words for people.
func New(c Config) (*Provider, error) {
	if c.PublicKeyID == "" && len(c.PublicKeys) == 1 {
		for id := range c.PublicKeys {
			c.PublicKeyID = id
		}
	}
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.RefundNotifyURL == "" {
		c.RefundNotifyURL = refundAddress(c.NotifyURL)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, errors.New("wechat pay: the base URL is not an address") // its text may be anything
	}
	known := keysOf(c)
	client, err := core.NewClient(context.Background(),
		option.WithWechatPayPublicKeyAuthCipher(c.MchID, c.Serial, c.Key, c.PublicKeyID, c.PublicKeys[c.PublicKeyID]),
		option.WithVerifier(known), // any of the keys may sign an answer, not only the one that calls name
		option.WithHTTPClient(httpClient(base, c.Timeout)))
	if err != nil {
		return nil, errors.New("wechat pay: the library refuses this configuration")
	}
	return &Provider{
		config: c, keys: known, client: client,
		unchecked: core.NewClientWithValidator(client, &validators.NullValidator{}),
		notices:   validators.NewWechatPayNotifyValidator(known),
		answers:   validators.NewWechatPayResponseValidator(known),
	}, nil
}

// Name is "wechat".
func (p *Provider) Name() string { return "wechat" }

// Via lists the three ways to pay, those that are not offered too: what was opened by
// them before is still asked about and refunded.
func (p *Provider) Via() []string { return []string{ViaJSAPI, ViaNative, ViaH5} }

// Offers reports whether new payments may be made by a way: not every merchant has been
// granted all three.
func (p *Provider) Offers(via string) bool {
	return len(p.config.Ways) == 0 || slices.Contains(p.config.Ways, strings.TrimPrefix(via, domain.ViaWeChat))
}

// Merchant gives the merchant number and the app id.
func (p *Provider) Merchant() (merchant, app string) { return p.config.MchID, p.config.AppID }

// Rules gives what a way to pay asks of an attempt.
func (p *Provider) Rules(via string) pay.Rules {
	return pay.Rules{Replays: true, AtLeast: shortest, NeedsOpenID: via == ViaJSAPI, NeedsClientIP: via == ViaH5}
}

func (p *Provider) jsapi() *jsapi.JsapiApiService { return &jsapi.JsapiApiService{Client: p.client} }
func (p *Provider) native() *native.NativeApiService {
	return &native.NativeApiService{Client: p.client}
}
func (p *Provider) h5() *h5.H5ApiService { return &h5.H5ApiService{Client: p.client} }
func (p *Provider) refunds() *refunddomestic.RefundsApiService {
	return &refunddomestic.RefundsApiService{Client: p.client}
}

// String keeps keys out of logs.
func (p *Provider) String() string { return fmt.Sprintf("wechat pay, merchant %s", p.config.MchID) }

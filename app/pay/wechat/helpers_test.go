package wechat_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
)

const (
	mchID    = "1900009191"
	appID    = "wxd678efh567hg6787"
	serial   = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1"
	apiV3Key = "Zq8vR2kTn5Xw1Lc7Hd4Bf9Jm3Ps6Gy0A"
	keyID    = "PUB_KEY_ID_0119000091912024110100000001"
	keyID2   = "PUB_KEY_ID_0119000091912026110100000002"
	openID   = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"
	notifyTo = "https://club.example/api/v1/pay/wechat/notify"
	refundTo = "https://club.example/api/v1/pay/wechat/refund-notify"
)

// makeKey makes each key once: that is the slow part of these tests.
func makeKey() func() *rsa.PrivateKey {
	return sync.OnceValue(func() *rsa.PrivateKey {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		return key
	})
}

var merchantKey, wechatKey, secondKey, oldCertKey, newCertKey, strangerKey = makeKey(), makeKey(), makeKey(), makeKey(), makeKey(), makeKey()

func certificate(t *testing.T, number int64, key *rsa.PrivateKey) *x509.Certificate {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "Tenpay.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// business is the time of business, which a test may move.
type business struct {
	mu sync.Mutex
	at time.Time
}

func (b *business) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}

func (b *business) move(by time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.at.Add(by)
}

type world struct {
	bank     *standin.Server
	provider *wechat.Provider
	clock    *business
	server   *httptest.Server
}

// newWorld is a merchant with one key of WeChat's, at noon of a day in China; change
// may alter the provider's configuration.
func newWorld(t *testing.T, change ...func(*wechat.Config)) world {
	t.Helper()
	clock := &business{at: time.Date(2026, 12, 10, 4, 0, 0, 0, time.UTC)}
	bank := standin.New(standin.Config{MchID: mchID, AppID: appID, Serial: serial, MerchantKey: &merchantKey().PublicKey,
		APIv3Key: apiV3Key, KeyID: keyID, Key: wechatKey(), Wall: time.Now, Now: clock.now})
	server := httptest.NewServer(bank)
	t.Cleanup(server.Close)
	c := goodConfig(server.URL)
	for _, f := range change {
		f(&c)
	}
	provider, err := wechat.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return world{bank, provider, clock, server}
}

func goodConfig(base string) wechat.Config {
	return wechat.Config{MchID: mchID, AppID: appID, Serial: serial, Key: merchantKey(), APIv3Key: apiV3Key,
		PublicKeys: map[string]*rsa.PublicKey{keyID: &wechatKey().PublicKey}, NotifyURL: notifyTo, BaseURL: base}
}

// request is for 60 yuan, ten minutes to pay.
func (w world) request(via, number string) pay.Request {
	r := pay.Request{Via: via, OutTradeNo: number, OrderID: "order", OrderNumber: "1210-0042", Description: "场地预订 1210-0042",
		AmountFen: 6000, Currency: "CNY", ExpiresAt: domain.InstantOf(w.clock.now().Add(10 * time.Minute))}
	switch via {
	case wechat.ViaJSAPI:
		r.PayerOpenID = openID
	case wechat.ViaH5:
		r.ClientIP = "203.0.113.7"
	}
	return r
}

func (w world) mustOpen(t *testing.T, number string) {
	t.Helper()
	if _, err := w.provider.Open(t.Context(), w.request(wechat.ViaNative, number)); err != nil {
		t.Fatal(err)
	}
}

func (w world) mustPay(t *testing.T, number string) {
	t.Helper()
	w.mustOpen(t, number)
	must(t, w.bank.Pay(number))
}

func (w world) wantState(t *testing.T, number string, want pay.State) pay.Result {
	t.Helper()
	r, err := w.provider.Query(t.Context(), number)
	if err != nil || r.State != want || r.OutTradeNo != number {
		t.Fatalf("payment %s is %+v, %v; want %s", number, r, err, want)
	}
	return r
}

func refundRequest(refundNo, tradeNo string, fen int64) pay.RefundRequest {
	return pay.RefundRequest{OutRefundNo: refundNo, OutTradeNo: tradeNo, AmountFen: fen, PaymentFen: 6000, Currency: "CNY", Reason: "取消"}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantNoSecret fails if a text holds anything that must not be told.
func wantNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{apiV3Key, openID, "WECHATPAY2-SHA256", "signature=", "Wechatpay-Signature", "Authorization:", "nonce_str",
		merchantKey().D.Text(16), "PRIVATE KEY"} {
		if strings.Contains(text, secret) {
			t.Errorf("tells %q: %s", secret, text)
		}
	}
	if strings.ContainsAny(text, "\r\n") || len(text) > 900 {
		t.Errorf("not one short line: %q", text)
	}
}

// anyCase finds a header in whatever letter case it stands.
func anyCase(h http.Header, how func(string) string) func(string) string {
	other := map[string]string{}
	for name, values := range h {
		other[how(name)] = values[0]
	}
	return func(name string) string {
		for have, value := range other {
			if strings.EqualFold(have, name) {
				return value
			}
		}
		return ""
	}
}

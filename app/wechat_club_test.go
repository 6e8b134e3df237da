package app_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay"
	wechatpay "courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/reconciler"
	"courtd/sqlite"
)

// The merchant of every test with WeChat Pay.
const (
	wechatMch    = "1900000001"
	wechatAppID  = "wx0123456789abcdef"
	wechatSerial = "ABCDEF0123456789ABCDEF0123456789ABCDEF01"
	wechatKeyID  = "PUB_KEY_ID_0119000000012026010100000001"
	wechatKeyID2 = "PUB_KEY_ID_0119000000012026070100000002"
	wechatAPIKey = "0123456789abcdefghijklmnopqrstuv"
)

// rsaKey makes each key once: that is the slow part of these tests.
func rsaKey() func() *rsa.PrivateKey {
	return sync.OnceValue(func() *rsa.PrivateKey {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		return key
	})
}

var merchantKey, wechatKey, wechatKey2, oldPlatformKey, newPlatformKey, strangersKey = rsaKey(), rsaKey(), rsaKey(), rsaKey(), rsaKey(), rsaKey()

// platformCertificate is one of WeChat's, by which older notices are signed.
func platformCertificate(t *testing.T, serial int64, key *rsa.PrivateKey) *x509.Certificate {
	t.Helper()
	form := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "Tenpay.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	must(t, err)
	c, err := x509.ParseCertificate(der)
	must(t, err)
	return c
}

// wechatClub is a club with WeChat Pay, played by a stand-in.
type wechatClub struct {
	*club
	bank     *standin.Server
	provider *wechatpay.Provider
	base     string
}

// withWeChat puts WeChat Pay behind a club, whose clock is WeChat's too.
func (c *club) withWeChat() wechatClub {
	c.t.Helper()
	w := wechatClub{club: c}
	w.bank = standin.New(standin.Config{MchID: wechatMch, AppID: wechatAppID, Serial: wechatSerial, MerchantKey: &merchantKey().PublicKey, APIv3Key: wechatAPIKey,
		KeyID: wechatKeyID, Key: wechatKey(), Wall: time.Now, Now: c.wall.time})
	server := httptest.NewServer(w.bank)
	c.t.Cleanup(server.Close)
	w.base = server.URL
	w.provider, c.app, c.rec = w.offering()
	return w
}

// offering is WeChat Pay with some of its ways, and a process with it.
func (w wechatClub) offering(ways ...string) (*wechatpay.Provider, *app.App, *reconciler.Reconciler) {
	w.t.Helper()
	provider, err := wechatpay.New(w.config(250*time.Millisecond, ways...))
	must(w.t, err)
	a, rec := w.wechatApp(provider)
	return provider, a, rec
}

// config is that of WeChat Pay behind the club.
func (w wechatClub) config(timeout time.Duration, ways ...string) wechatpay.Config {
	return wechatpay.Config{MchID: wechatMch, AppID: wechatAppID, Serial: wechatSerial, Key: merchantKey(), APIv3Key: wechatAPIKey,
		PublicKeyID: wechatKeyID, PublicKeys: map[string]*rsa.PublicKey{wechatKeyID: &wechatKey().PublicKey, wechatKeyID2: &wechatKey2().PublicKey},
		Certificates: []*x509.Certificate{platformCertificate(w.t, 0x1111, oldPlatformKey()), platformCertificate(w.t, 0x2222, newPlatformKey())},
		NotifyURL:    "http://127.0.0.1/pay/wechat/notify", BaseURL: w.base, Timeout: timeout, Ways: ways}
}

// wechatApp is one process with WeChat Pay on the club's file; it is no demonstration.
func (c *club) wechatApp(provider pay.Provider) (*app.App, *reconciler.Reconciler) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	a := app.New(app.Config{DB: c.db, Providers: []pay.Provider{provider}, Channel: c.mail, Log: log})
	return a, reconciler.New(a, log)
}

// bring brings a notice to courtd, as the web does.
func (w wechatClub) bring(n standin.Notice) error {
	return w.app.TakeNotice(ctx, "wechat", n.Header.Get, n.Body)
}

// deliver brings what waits, and gives the first refusal.
func (w wechatClub) deliver() (first error) {
	w.bank.Deliver(func(r *http.Request) int {
		body, err := io.ReadAll(r.Body)
		must(w.t, err)
		if err := w.app.TakeNotice(ctx, "wechat", r.Header.Get, body); err != nil {
			if first == nil {
				first = err
			}
			return http.StatusBadRequest
		}
		return http.StatusNoContent
	})
	return first
}

// native opens a payment by QR code.
func (w wechatClub) native(who app.Actor, o app.OrderView) string {
	w.t.Helper()
	p, err := w.app.OpenPayment(ctx, who, o.ID, wechatpay.ViaNative, "192.0.2.1", "")
	must(w.t, err)
	return p.OutTradeNo
}

// held is a customer with a slot that is held and a payment that is open.
func (w wechatClub) held(court string) (app.Actor, app.OrderView, string) {
	w.t.Helper()
	who := app.Actor{Role: app.RoleCustomer, ID: app.NewID()}
	must(w.t, w.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.InsertCustomer(sqlite.Customer{ID: who.ID}) }))
	o := w.book(who, slots(slot(court, "17:30")))
	return who, o, w.native(who, o)
}

func (w wechatClub) events(outcome string) int {
	return w.count("SELECT count(*) FROM provider_events WHERE provider = 'wechat' AND outcome = ?", outcome)
}

package wechat_test

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/verifiers"
	"github.com/wechatpay-apiv3/wechatpay-go/core/notify"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
)

// paidNotice is the notice of a payment of 60 yuan.
func (w world) paidNotice(t *testing.T) standin.Notice {
	t.Helper()
	w.mustPay(t, "trade-1")
	list := w.bank.Notices()
	if len(list) != 1 {
		t.Fatalf("%d notices", len(list))
	}
	return list[0]
}

func TestNoticeOfAPayment(t *testing.T) {
	w := newWorld(t)
	n := w.paidNotice(t)
	got, err := w.provider.ParseNotice(n.Header.Get, n.Body)
	if err != nil || got.ID != n.ID || got.Refund != nil || got.Payment == nil {
		t.Fatalf("got %+v, %v", got, err)
	}
	if want := w.wantState(t, "trade-1", pay.Succeeded); *got.Payment != want {
		t.Errorf("got %+v, want %+v", *got.Payment, want)
	}
	if got.Payment.Payer == "" {
		t.Error("nobody paid")
	}
	if n.URL != notifyTo {
		t.Errorf("sent to %s", n.URL)
	}
	for name, how := range map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper} {
		if _, err := w.provider.ParseNotice(anyCase(n.Header, how), n.Body); err != nil {
			t.Errorf("headers in %s case: %v", name, err)
		}
	}
}

// The stand-in is honest: WeChat's own library takes its notices.
func TestTheLibraryTakesTheStandInsNotices(t *testing.T) {
	w := newWorld(t)
	n := w.paidNotice(t)
	handler, err := notify.NewRSANotifyHandler(apiV3Key, verifiers.NewSHA256WithRSAPubkeyVerifier(keyID, wechatKey().PublicKey))
	must(t, err)
	var told payments.Transaction
	request, err := handler.ParseNotifyRequest(t.Context(), n.Request(), &told)
	must(t, err)
	if request.ID != n.ID || *told.OutTradeNo != "trade-1" || *told.Amount.Total != 6000 || *told.Payer.Openid == "" {
		t.Errorf("got %+v %+v", request, told)
	}
}

// A notice of a refund may come to the address for payments; both are read alike.
func TestNoticesOfRefunds(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	w.bank.Notices()
	w.bank.HoldRefunds(true)
	for end, want := range map[string]pay.RefundState{standin.Success: pay.RefundSucceeded, standin.Closed: pay.RefundClosed,
		standin.AbnormalRefund: pay.RefundAbnormal} {
		number := "refund-" + end
		_, err := w.provider.Refund(t.Context(), refundRequest(number, "trade-1", 1000))
		must(t, err)
		must(t, w.bank.FinishRefund(number, end))
		list := w.bank.Notices()
		if len(list) != 1 || list[0].URL != refundTo {
			t.Fatalf("%s: %+v", end, list)
		}
		got, err := w.provider.ParseNotice(list[0].Header.Get, list[0].Body)
		if err != nil || got.Payment != nil || got.Refund == nil || *got.Refund != (pay.RefundResult{OutRefundNo: number, State: want, AmountFen: 1000}) {
			t.Errorf("%s: %+v, %v", end, got, err)
		}
	}
	other := w.bank.Seal("", "REFUND.SUCCESS", "refund", notifyTo, map[string]any{"mchid": "1900000109", "out_refund_no": "refund-1",
		"refund_status": "SUCCESS", "amount": map[string]any{"refund": 1}})
	if got, err := w.provider.ParseNotice(other.Header.Get, other.Body); err == nil || errors.Is(err, pay.ErrBadSignature) || got.Refund != nil {
		t.Errorf("another merchant's refund: %+v, %v", got, err)
	}
}

func TestNoticesThatProveNobody(t *testing.T) {
	w := newWorld(t)
	n := w.paidNotice(t)
	changed := func(name, value string) http.Header {
		h := n.Header.Clone()
		h.Set(name, value)
		return h
	}
	sign := func(id string, key *rsa.PrivateKey, at time.Duration) http.Header {
		return standin.Sign(id, key, time.Now().Add(at), n.Body)
	}
	oneBit := append([]byte{}, n.Body...)
	oneBit[len(oneBit)/2] ^= 1
	probe := "WECHATPAY/SIGNTEST/" + n.Header.Get("Wechatpay-Signature")
	unknownProbe := changed("Wechatpay-Signature", probe)
	unknownProbe.Set("Wechatpay-Serial", "PUB_KEY_ID_99")
	for name, c := range map[string]struct {
		header http.Header
		body   []byte
		want   error
	}{
		"no headers":                {http.Header{}, n.Body, pay.ErrBadSignature},
		"no signature":              {changed("Wechatpay-Signature", ""), n.Body, pay.ErrBadSignature},
		"signature is no base64":    {changed("Wechatpay-Signature", "***"), n.Body, pay.ErrBadSignature},
		"no serial":                 {changed("Wechatpay-Serial", ""), n.Body, pay.ErrBadSignature},
		"no nonce":                  {changed("Wechatpay-Nonce", ""), n.Body, pay.ErrBadSignature},
		"other nonce":               {changed("Wechatpay-Nonce", "x"), n.Body, pay.ErrBadSignature},
		"no time":                   {changed("Wechatpay-Timestamp", ""), n.Body, pay.ErrBadSignature},
		"time is no number":         {changed("Wechatpay-Timestamp", "now"), n.Body, pay.ErrBadSignature},
		"other time":                {changed("Wechatpay-Timestamp", "1"), n.Body, pay.ErrBadSignature},
		"other kind of signature":   {changed("Wechatpay-Signature-Type", "WECHATPAY2-SM2-WITH-SM3"), n.Body, pay.ErrBadSignature},
		"one bit of the body":       {n.Header, oneBit, pay.ErrBadSignature},
		"a space more":              {n.Header, append(append([]byte{}, n.Body...), ' '), pay.ErrBadSignature},
		"no body":                   {n.Header, nil, pay.ErrBadSignature},
		"a stranger with our id":    {sign(keyID, strangerKey(), 0), n.Body, pay.ErrBadSignature},
		"a stranger, long ago":      {sign(keyID, strangerKey(), -time.Hour), n.Body, pay.ErrBadSignature},
		"WeChat's probe":            {changed("Wechatpay-Signature", probe), n.Body, pay.ErrBadSignature},
		"a probe of an unknown key": {unknownProbe, n.Body, pay.ErrBadSignature},
		"an unknown key":            {sign("PUB_KEY_ID_99", strangerKey(), 0), n.Body, pay.ErrUnknownKey},
		"six minutes ago":           {sign(keyID, wechatKey(), -6*time.Minute), n.Body, pay.ErrClockDrift},
		"in six minutes":            {sign(keyID, wechatKey(), 6*time.Minute), n.Body, pay.ErrClockDrift},
	} {
		got, err := w.provider.ParseNotice(c.header.Get, c.body)
		if err != c.want { // the plain sentinel, nothing added
			t.Errorf("%s: %v; want %v", name, err, c.want)
		}
		// What WeChat has said, though not now or not under this key, is told for comparison.
		if said := got.ID == n.ID && got.Payment != nil; said != (c.want != pay.ErrBadSignature) || !said && got != (pay.Notice{}) {
			t.Errorf("%s: %+v comes with it", name, got)
		}
	}
	if _, err := w.provider.ParseNotice(sign(keyID, wechatKey(), -4*time.Minute).Get, n.Body); err != nil {
		t.Errorf("four minutes ago: %v", err)
	}
}

// A slash at the end of the address for payments does not lead the notices of refunds astray.
func TestTheAddressForRefunds(t *testing.T) {
	for _, at := range []string{notifyTo, notifyTo + "/"} {
		w := newWorld(t, func(c *wechat.Config) { c.NotifyURL = at })
		w.mustPay(t, "trade-1")
		w.bank.Notices()
		w.bank.HoldRefunds(true)
		_, err := w.provider.Refund(t.Context(), refundRequest("refund-1", "trade-1", 1000))
		must(t, err)
		must(t, w.bank.FinishRefund("refund-1", standin.Success))
		if list := w.bank.Notices(); len(list) != 1 || list[0].URL != refundTo {
			t.Errorf("%s: %+v", at, list)
		}
	}
}

// TestNobodyElseCanClaimAKeyOfWeChats: under a key that is not set up here a notice is only
// told apart from a stranger's by its content, which is sealed with the APIv3 key.
func TestNobodyElseCanClaimAKeyOfWeChats(t *testing.T) {
	w := newWorld(t)
	n := w.paidNotice(t)
	of := func(nonce, ciphertext string) []byte {
		return []byte(`{"id":"EV-1","event_type":"TRANSACTION.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM","nonce":"` + nonce + `","ciphertext":"` + ciphertext + `"}}`)
	}
	sealed := bytes.Index(n.Body, []byte(`"ciphertext":"`)) + len(`"ciphertext":"`)
	changed := append([]byte{}, n.Body...)
	changed[sealed+4] ^= 1
	for name, body := range map[string][]byte{
		"nothing": nil, "no JSON": []byte("{"), "no content": []byte(`{"id":"EV-1","event_type":"TRANSACTION.SUCCESS"}`),
		"a kind that is of no use": []byte(`{"id":"EV-1","event_type":"COUPON.USE"}`), "content of nobody": of("123456789012", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
		"a nonce too short": of("x", "AAAA"), "no nonce": of("", ""), "no base64": of("123456789012", "***"), "content that was changed": changed,
		"sealed with a key of their own": w.bank.Seal("another key of thirty-two bytes!", "TRANSACTION.SUCCESS", "transaction", notifyTo, map[string]any{"out_trade_no": "trade-1"}).Body,
	} {
		got, err := w.provider.ParseNotice(standin.Sign("PUB_KEY_ID_99", strangerKey(), time.Now(), body).Get, body)
		if err != pay.ErrBadSignature || got != (pay.Notice{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	strange := w.bank.Seal("", "COUPON.USE", "coupon", notifyTo, map[string]any{"a": "b"}) // WeChat's, though we have no use for it
	if got, err := w.provider.ParseNotice(standin.Sign("PUB_KEY_ID_99", strangerKey(), time.Now(), strange.Body).Get, strange.Body); err != pay.ErrUnknownKey || got.ID != strange.ID {
		t.Errorf("another kind: %+v, %v", got, err)
	}
}

// The signature is over the bytes, so that spacing, order and letters are WeChat's business.
func TestSignedBytes(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{
		"{ \"summary\" :\n\"支付\\u6210功\", \"event_type\":\"COUPON.USE\",\t\"id\":\"EV-1\" }\n",
		`{"event_type":"PAYSCORE.USER_PAID","id":"EV-1","resource":{"algorithm":"other"}}`,
		`{"id":"EV-1"}`,
	} {
		h := standin.Sign(keyID, wechatKey(), time.Now(), []byte(body))
		got, err := w.provider.ParseNotice(h.Get, []byte(body))
		if err != nil || got != (pay.Notice{ID: "EV-1"}) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
		if _, err := w.provider.ParseNotice(h.Get, []byte(strings.Replace(body, "id", "iD", 1))); err != pay.ErrBadSignature {
			t.Errorf("one letter changed: %v", err)
		}
	}
}

// Proven, but of no use: an error that is no bad signature, and nothing of the content.
func TestProvenNoticesThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	resource := func(content map[string]any) standin.Notice {
		return w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", notifyTo, content)
	}
	raw := func(body string) standin.Notice {
		return standin.Notice{Header: standin.Sign(keyID, wechatKey(), time.Now(), []byte(body)), Body: []byte(body)}
	}
	for name, c := range map[string]struct {
		notice standin.Notice
		isKey  bool
	}{
		"another APIv3 key": {w.bank.Seal("another key of thirty-two bytes!", "TRANSACTION.SUCCESS", "transaction", notifyTo,
			map[string]any{"out_trade_no": "trade-1", "trade_state": "SUCCESS", "payer": map[string]any{"openid": openID}}), true},
		"no state":    {resource(map[string]any{"out_trade_no": "trade-1", "payer": map[string]any{"openid": openID}}), false},
		"no number":   {resource(map[string]any{"trade_state": "SUCCESS", "amount": map[string]any{"total": 1}}), false},
		"no amount":   {resource(map[string]any{"out_trade_no": "trade-1", "trade_state": "SUCCESS"}), false},
		"no JSON":     {raw("SIGNTEST"), false},
		"no id":       {raw(`{"event_type":"TRANSACTION.SUCCESS"}`), false},
		"no resource": {raw(`{"id":"EV-1","event_type":"TRANSACTION.SUCCESS"}`), false},
		"short nonce": {raw(`{"id":"EV-1","event_type":"REFUND.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM","nonce":"x","ciphertext":"AAAA"}}`), false},
	} {
		got, err := w.provider.ParseNotice(c.notice.Header.Get, c.notice.Body)
		if err == nil || errors.Is(err, pay.ErrBadSignature) || errors.Is(err, wechat.ErrAPIv3Key) != c.isKey || errors.Is(err, pay.ErrUnreadable) != c.isKey || got != (pay.Notice{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		} else {
			wantNoSecret(t, err.Error())
		}
	}
}

// While keys change, an old and a new certificate and two public keys all sign; each
// proves a notice and an answer, without a restart.
func TestKeyRotation(t *testing.T) {
	oldCert, newCert := certificate(t, 0x4A5B6C7D8E9F, oldCertKey()), certificate(t, 0x0A1B2C3D4E5F, newCertKey())
	w := newWorld(t, func(c *wechat.Config) {
		c.PublicKeys[keyID2] = &secondKey().PublicKey
		c.PublicKeyID = keyID
		c.Certificates = []*x509.Certificate{oldCert, newCert}
	})
	n := w.paidNotice(t)
	for _, k := range []struct {
		id  string
		key *rsa.PrivateKey
	}{{"4A5B6C7D8E9F", oldCertKey()}, {"0A1B2C3D4E5F", newCertKey()}, {keyID, wechatKey()}, {keyID2, secondKey()}} {
		w.bank.UseKey(k.id, k.key)
		if got, err := w.provider.ParseNotice(standin.Sign(k.id, k.key, time.Now(), n.Body).Get, n.Body); err != nil || got.Payment == nil {
			t.Errorf("notice under %s: %v", k.id, err)
		}
		w.wantState(t, "trade-1", pay.Succeeded)
		if err := func() error {
			_, err := w.provider.ParseNotice(standin.Sign(k.id, strangerKey(), time.Now(), n.Body).Get, n.Body)
			return err
		}(); err != pay.ErrBadSignature {
			t.Errorf("a stranger as %s: %v", k.id, err)
		}
	}
	if _, err := wechat.New(wechat.Config{PublicKeys: map[string]*rsa.PublicKey{keyID: &wechatKey().PublicKey, keyID2: &secondKey().PublicKey}}); err == nil {
		t.Error("two public keys and none named for calls")
	}
}

// An answer whose time is off is WeChat's all the same, and it is the clock that is told of.
func TestDriftOfAnswers(t *testing.T) {
	body := []byte(`{"out_trade_no":"trade-1","trade_state":"NOTPAY"}`)
	by := time.Duration(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range standin.Sign(keyID, wechatKey(), time.Now().Add(by), body) {
			w.Header()[name] = values
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	p, err := wechat.New(goodConfig(server.URL))
	must(t, err)
	if r, err := p.Query(t.Context(), "trade-1"); err != nil || r.State != pay.Pending {
		t.Fatalf("in time: %+v, %v", r, err)
	}
	by = -6 * time.Minute
	if _, err := p.Query(t.Context(), "trade-1"); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Errorf("six minutes ago: %v", err)
	}
	by = 0
	if _, err := p.Query(t.Context(), "trade-2"); err == nil || !strings.Contains(err.Error(), "another payment") {
		t.Errorf("about another payment: %v", err)
	}
}

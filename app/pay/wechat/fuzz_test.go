package wechat_test

import (
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
)

// FuzzNotice sends notices of anything: unsigned, signed by a stranger, and signed by
// WeChat over what the fuzzer wrote, sealed or not. Nothing is believed without a proof.
func FuzzNotice(f *testing.F) {
	c := goodConfig("http://127.0.0.1:1")
	provider, err := wechat.New(c)
	if err != nil {
		f.Fatal(err)
	}
	bank := standin.New(standin.Config{MchID: mchID, AppID: appID, Serial: serial, MerchantKey: &merchantKey().PublicKey,
		APIv3Key: apiV3Key, KeyID: keyID, Key: wechatKey(), Wall: time.Now, Now: time.Now})
	f.Add([]byte(`{"id":"EV-1","event_type":"TRANSACTION.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM","nonce":"x"}}`), "trade-1", int64(6000), uint8(0))
	f.Add([]byte(`{"id":1}`), "", int64(-1), uint8(1))
	f.Add([]byte(`WECHATPAY/SIGNTEST/`), "refund-1", int64(1<<62), uint8(2))
	f.Add([]byte{}, "a\xff\n", int64(0), uint8(3))
	f.Fuzz(func(t *testing.T, body []byte, number string, fen int64, how uint8) {
		sealed := bank.Seal(apiV3Key, []string{"TRANSACTION.SUCCESS", "REFUND.SUCCESS", "REFUND.CLOSED", "OTHER"}[how/8%4], "transaction", notifyTo, map[string]any{
			"mchid": mchID, "appid": appID, "out_trade_no": number, "out_refund_no": number, "transaction_id": "42", "trade_state": "SUCCESS", "refund_status": "SUCCESS",
			"amount": map[string]any{"total": fen, "refund": fen, "currency": "CNY"}, "payer": map[string]any{"openid": openID}, "success_time": "2026-12-10T12:00:00+08:00"})
		if how%2 == 0 {
			sealed.Body = body
		}
		var signed *rsa.PrivateKey
		switch how / 2 % 4 {
		case 1, 3:
			signed = wechatKey()
		case 2:
			signed = strangerKey()
		}
		header := func(string) string { return number }
		if signed != nil {
			header = standin.Sign(keyID, signed, time.Now(), sealed.Body).Get
		}
		n, err := provider.ParseNotice(header, sealed.Body)
		if err != nil && (!utf8.ValidString(err.Error()) || strings.Contains(err.Error(), apiV3Key) || len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\r\n")) {
			t.Errorf("its error is %q", err)
		}
		if signed != wechatKey() && (!errors.Is(err, pay.ErrBadSignature) || n.Payment != nil || n.Refund != nil) {
			t.Errorf("what nobody has proven is %+v, %v", n, err)
		}
		if err != nil || how%2 == 0 {
			return
		}
		switch {
		case n.ID == "":
			t.Error("a notice without an id")
		case n.Payment != nil && (n.Payment.OutTradeNo == "" || n.Payment.AmountFen != fen || n.Payment.State != pay.Succeeded):
			t.Errorf("of %q, %d it tells %+v", number, fen, n.Payment)
		case n.Refund != nil && (n.Refund.OutRefundNo == "" || n.Refund.AmountFen != fen):
			t.Errorf("of %q, %d it tells %+v", number, fen, n.Refund)
		}
	})
}

// FuzzKeyFiles reads anything as the files of the settings. What is no key is told in
// both languages, and not a byte of it.
func FuzzKeyFiles(f *testing.F) {
	dir := f.TempDir()
	good := pkcs1(merchantKey())
	for _, text := range [][]byte{good, good[:len(good)/2], []byte(apiV3Key), {}, {0xff, 0xfe, 'a', 0}, []byte("\ufeff-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"), []byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----")} {
		f.Add(text)
	}
	path := filepath.Join(dir, "file")
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(path, text, 0o600))
		c, problems := wechat.Load(wechat.Files{MchID: mchID, Serial: serial, AppID: appID, NotifyURL: notifyTo, KeyFile: path, APIv3KeyFile: path,
			PublicKeyID: keyID, PublicKeyFile: path, CertificateFiles: []string{path}})
		if len(problems) == 0 {
			t.Fatalf("one file is everything: %q", text)
		}
		if c.APIv3Key != strings.TrimSpace(c.APIv3Key) {
			t.Errorf("the key is %q", c.APIv3Key)
		}
		told := map[string]bool{}
		for _, p := range problems {
			told[p.Setting] = true
			if p.ZH == "" || p.EN == "" || !utf8.ValidString(p.ZH+p.EN) || strings.Contains(p.String(), path) {
				t.Errorf("%+v", p)
			}
			if secret := strings.TrimSpace(string(text)); len(secret) > 20 && strings.Contains(p.String(), secret) {
				t.Errorf("%q tells the file", p)
			}
		}
		if c.Key == nil && !told[wechat.SettingKeyFile] || len(c.PublicKeys) == 0 && !told[wechat.SettingPublicKeyFile] || len(c.Certificates) == 0 && !told[wechat.SettingCertificates] {
			t.Errorf("it is not told what is missing: %v", problems)
		}
	})
}

func pkcs1(key *rsa.PrivateKey) []byte {
	return block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
}

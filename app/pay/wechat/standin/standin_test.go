package standin_test

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
)

const keyID = "PUB_KEY_ID_1"

func setUp(t *testing.T) (*standin.Server, *wechat.Provider) {
	t.Helper()
	key := func() *rsa.PrivateKey {
		k, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	merchant, own, v3 := key(), key(), "Zq8vR2kTn5Xw1Lc7Hd4Bf9Jm3Ps6Gy0A"
	bank := standin.New(standin.Config{MchID: "1900009191", AppID: "wxd678efh567hg6787", Serial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
		MerchantKey: &merchant.PublicKey, APIv3Key: v3, KeyID: keyID, Key: own, Wall: time.Now})
	server := httptest.NewServer(bank)
	t.Cleanup(server.Close)
	p, err := wechat.New(wechat.Config{MchID: "1900009191", AppID: "wxd678efh567hg6787", Serial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
		Key: merchant, APIv3Key: v3, PublicKeys: map[string]*rsa.PublicKey{keyID: &own.PublicKey},
		NotifyURL: "https://club.example/notify", BaseURL: server.URL, Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return bank, p
}

func open(t *testing.T, p *wechat.Provider, number string) error {
	t.Helper()
	_, err := p.Open(t.Context(), pay.Request{Via: wechat.ViaNative, OutTradeNo: number, Description: "场地", AmountFen: 6000, Currency: "CNY",
		ExpiresAt: domain.InstantOf(time.Now().Truncate(time.Hour).Add(2 * time.Hour))})
	return err
}

func TestNoticesThatMisbehave(t *testing.T) {
	bank, p := setUp(t)
	bank.On(standin.CallNotice, "trade-lose", standin.LoseNotice, 1)
	bank.On(standin.CallNotice, "trade-late", standin.DelayNotice, 1)
	bank.On(standin.CallNotice, "trade-twice", standin.DoubleNotice, 1)
	bank.On(standin.CallNotice, "trade-bad", standin.CorruptNotice, 1)
	bank.On(standin.CallNotice, "trade-first", standin.ReorderNotice, 1)
	for _, number := range []string{"trade-lose", "trade-late", "trade-twice", "trade-bad", "trade-good", "trade-first"} {
		if err := open(t, p, number); err != nil {
			t.Fatal(err)
		}
		if err := bank.Pay(number); err != nil {
			t.Fatal(err)
		}
	}
	var heard []string
	refused := 0
	handler := func(r *http.Request) int {
		body := make([]byte, r.ContentLength)
		_, _ = r.Body.Read(body)
		n, err := p.ParseNotice(r.Header.Get, body)
		if err != nil {
			refused++
			return http.StatusUnauthorized
		}
		heard = append(heard, n.Payment.OutTradeNo)
		return http.StatusOK
	}
	bank.Deliver(handler)
	if got := fmt.Sprint(heard); got != "[trade-first trade-twice trade-twice trade-good]" || refused != 1 {
		t.Errorf("at first %s, %d refused", got, refused)
	}
	for range standin.DelayRounds {
		bank.Deliver(handler)
	}
	if got := fmt.Sprint(heard[4:]); got != "[trade-bad trade-late]" || bank.Waiting() != 0 {
		t.Errorf("then %s, %d waiting", got, bank.Waiting())
	}
}

// However calls go wrong, a number takes money once and gives it back once.
func TestChaosKeepsTheBooks(t *testing.T) {
	bank, p := setUp(t)
	bank.Misbehave(mathrand.New(mathrand.NewPCG(1, 2)), standin.Odds{FailBefore: 0.1, FailAfter: 0.1, HangBefore: 0.03, HangAfter: 0.03,
		CorruptAnswer: 0.1, TooOften: 0.1, NotEnough: 0.1})
	failed := 0
	again := func(call func() error) {
		t.Helper()
		for range 100 {
			if call() == nil {
				return
			}
			failed++
		}
		t.Fatal("never succeeds")
	}
	for i := range 10 {
		number := fmt.Sprintf("trade-%02d", i)
		again(func() error { return open(t, p, number) })
		if err := bank.Pay(number); err != nil {
			t.Fatal(err)
		}
		again(func() error {
			_, err := p.Refund(t.Context(), pay.RefundRequest{OutRefundNo: "refund-" + number, OutTradeNo: number, AmountFen: 2500, PaymentFen: 6000, Currency: "CNY"})
			return err
		})
		again(func() error {
			r, err := p.QueryRefund(t.Context(), "refund-"+number)
			if err == nil && r.State != pay.RefundSucceeded {
				err = errors.New("not yet")
			}
			return err
		})
	}
	if failed == 0 {
		t.Error("nothing went wrong")
	}
	for number, a := range bank.Ledger() {
		if a.PaidFen != 6000 || a.RefundedFen != 2500 || a.LeavingFen != 0 || len(a.Refunds) != 1 {
			t.Errorf("%s: %+v", number, a)
		}
	}
}

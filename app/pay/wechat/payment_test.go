package wechat_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
)

func TestParametersOfEveryWayToPay(t *testing.T) {
	w := newWorld(t)
	for via, want := range map[string][]string{
		wechat.ViaJSAPI:  {"appId", "timeStamp", "nonceStr", "package", "signType", "paySign"},
		wechat.ViaNative: {"code_url"},
		wechat.ViaH5:     {"h5_url"},
	} {
		opened, err := w.provider.Open(t.Context(), w.request(via, "trade-"+via))
		if err != nil || len(opened.Params) != len(want) {
			t.Fatalf("%s: %+v, %v", via, opened, err)
		}
		for _, name := range want {
			if text, ok := opened.Params[name].(string); !ok || text == "" {
				t.Errorf("%s: no %s in %v", via, name, opened.Params)
			}
		}
		wantNoSecret(t, strings.ReplaceAll(fmt.Sprint(opened.Params), "nonceStr", ""))
		if via == wechat.ViaJSAPI {
			p := opened.Params
			message := fmt.Sprintf("%s\n%s\n%s\n%s\n", appID, p["timeStamp"], p["nonceStr"], p["package"])
			sum := sha256.Sum256([]byte(message))
			signature, err := base64.StdEncoding.DecodeString(p["paySign"].(string))
			must(t, err)
			must(t, rsa.VerifyPKCS1v15(&merchantKey().PublicKey, crypto.SHA256, sum[:], signature))
		}
	}
	if merchant, app := w.provider.Merchant(); merchant != mchID || app != appID || w.provider.Name() != "wechat" || len(w.provider.Via()) != 3 {
		t.Errorf("merchant %s %s", merchant, app)
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	for via, want := range map[string]pay.Rules{
		wechat.ViaJSAPI:  {Replays: true, AtLeast: time.Minute, NeedsOpenID: true},
		wechat.ViaNative: {Replays: true, AtLeast: time.Minute},
		wechat.ViaH5:     {Replays: true, AtLeast: time.Minute, NeedsClientIP: true},
	} {
		if got := w.provider.Rules(via); got != want {
			t.Errorf("%s: %+v, want %+v", via, got, want)
		}
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(*pay.Request){
		"no openid":       func(r *pay.Request) { r.PayerOpenID = "" },
		"no address":      func(r *pay.Request) { r.Via = wechat.ViaH5 },
		"another way":     func(r *pay.Request) { r.Via = "cash" },
		"long number":     func(r *pay.Request) { r.OutTradeNo = strings.Repeat("a", 33) },
		"long words":      func(r *pay.Request) { r.Description = strings.Repeat("场", 43) },
		"nothing to pay":  func(r *pay.Request) { r.AmountFen = 0 },
		"another country": func(r *pay.Request) { r.Currency = "USD" },
	} {
		r := w.request(wechat.ViaJSAPI, "trade-bad")
		change(&r)
		if _, err := w.provider.Open(t.Context(), r); err == nil {
			t.Errorf("%s: was opened", name)
		} else {
			wantNoSecret(t, err.Error())
		}
	}
	if n := w.bank.Calls(standin.CallOpen); n != 0 {
		t.Errorf("WeChat was asked %d times", n)
	}
}

func TestReplays(t *testing.T) {
	w := newWorld(t)
	r := w.request(wechat.ViaJSAPI, "trade-1")
	first, err := w.provider.Open(t.Context(), r)
	must(t, err)
	w.clock.move(time.Minute)
	second, err := w.provider.Open(t.Context(), r)
	must(t, err)
	if first.Params["package"] == second.Params["package"] {
		t.Error("the second prepay is not fresh")
	}
	for name, change := range map[string]func(*pay.Request){
		"amount":  func(r *pay.Request) { r.AmountFen++ },
		"expiry":  func(r *pay.Request) { r.ExpiresAt++ },
		"words":   func(r *pay.Request) { r.Description += "!" },
		"payer":   func(r *pay.Request) { r.PayerOpenID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6X" },
		"the way": func(r *pay.Request) { r.Via = wechat.ViaNative },
	} {
		other := r
		change(&other)
		_, err := w.provider.Open(t.Context(), other)
		var refusal *wechat.Error
		if !errors.As(err, &refusal) || refusal.Code != "INVALID_REQUEST" || errors.Is(err, pay.ErrNeedsNewNumber) || errors.Is(err, pay.ErrAlreadyPaid) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	must(t, w.bank.Pay("trade-1"))
	if _, err := w.provider.Open(t.Context(), r); !errors.Is(err, pay.ErrAlreadyPaid) {
		t.Errorf("after payment: %v", err)
	}
}

func TestNumbersThatTakeNoMoneyAnyMore(t *testing.T) {
	w := newWorld(t)
	r := w.request(wechat.ViaNative, "trade-1")
	for _, number := range []string{"trade-1", "trade-2"} {
		w.mustOpen(t, number)
	}
	must(t, w.provider.Close(t.Context(), "trade-1"))
	if _, err := w.provider.Open(t.Context(), r); !errors.Is(err, pay.ErrNeedsNewNumber) {
		t.Errorf("closed: %v", err)
	}
	r2 := w.request(wechat.ViaNative, "trade-2")
	w.clock.move(10*time.Minute + time.Second)
	if _, err := w.provider.Open(t.Context(), r2); !errors.Is(err, pay.ErrNeedsNewNumber) {
		t.Errorf("expired: %v", err)
	}
	w.wantState(t, "trade-2", pay.Pending) // running out closes nothing
	if err := w.bank.Pay("trade-2"); err == nil {
		t.Error("paid after its last moment")
	}
	must(t, w.bank.PayAnyway("trade-2"))
	w.wantState(t, "trade-2", pay.Succeeded)
	must(t, w.bank.PayAnyway("trade-1"))
	w.wantState(t, "trade-1", pay.Succeeded)
}

// A last moment that is too near is raised without a word, which is why AtLeast is a minute.
func TestNearLastMomentIsRaised(t *testing.T) {
	w := newWorld(t)
	r := w.request(wechat.ViaNative, "trade-1")
	r.ExpiresAt = domain.InstantOf(w.clock.now().Add(10 * time.Second))
	_, err := w.provider.Open(t.Context(), r)
	must(t, err)
	w.clock.move(50 * time.Second)
	must(t, w.bank.Pay("trade-1"))
}

func TestQueryStates(t *testing.T) {
	w := newWorld(t)
	for state, want := range map[string]pay.State{standin.NotPay: pay.Pending, standin.UserPaying: pay.Pending, standin.PayError: pay.Pending,
		standin.Closed: pay.Closed, standin.Revoked: pay.Closed} {
		w.mustOpen(t, "trade-"+state)
		must(t, w.bank.SetState("trade-"+state, state))
		w.wantState(t, "trade-"+state, want)
	}
	w.wantState(t, "never-seen", pay.Unknown)
	w.mustPay(t, "trade-paid")
	r := w.wantState(t, "trade-paid", pay.Succeeded)
	if r.AmountFen != 6000 || r.Currency != "CNY" || r.Merchant != mchID || r.App != appID || r.TransactionID == "" ||
		r.SuccessTime != domain.InstantOf(w.clock.now()) {
		t.Errorf("paid: %+v", r)
	}
	_, err := w.provider.Refund(t.Context(), refundRequest("refund-1", "trade-paid", 6000))
	must(t, err)
	r.GivenBack = true
	if again := w.wantState(t, "trade-paid", pay.Succeeded); again != r {
		t.Errorf("after a refund it is %+v, before %+v", again, r)
	}
}

// Only WeChat's own words make a payment unknown; a 404 of anything in between does not.
func TestQueryOfBrokenAnswers(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	for _, what := range []standin.Misbehaviour{standin.FailBefore, standin.FailAfter, standin.CorruptAnswer, standin.TooOften, standin.Refuse} {
		w.bank.On(standin.CallQuery, "", what, 1)
		r, err := w.provider.Query(t.Context(), "trade-1")
		if err == nil {
			t.Fatalf("%s: %+v", what, r)
		}
		wantNoSecret(t, err.Error())
	}
	w.bank.UseKey("PUB_KEY_ID_99", strangerKey())
	if _, err := w.provider.Query(t.Context(), "trade-1"); err == nil || !strings.Contains(err.Error(), "not set up here") {
		t.Errorf("unknown key: %v", err)
	}
	w.bank.UseKey(keyID, strangerKey())
	if _, err := w.provider.Query(t.Context(), "trade-1"); err == nil || !strings.Contains(err.Error(), "not signed by WeChat") {
		t.Errorf("a stranger: %v", err)
	}
	w.bank.UseKey(keyID, wechatKey())
	w.wantState(t, "trade-1", pay.Succeeded)
	w.server.Close()
	if _, err := w.provider.Query(t.Context(), "trade-1"); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("unreachable: %v", err)
	}
}

func TestClose(t *testing.T) {
	w := newWorld(t)
	w.mustOpen(t, "trade-1")
	must(t, w.provider.Close(t.Context(), "trade-1"))
	must(t, w.provider.Close(t.Context(), "trade-1"))
	w.wantState(t, "trade-1", pay.Closed)
	w.mustPay(t, "trade-2")
	if err := w.provider.Close(t.Context(), "trade-2"); !errors.Is(err, pay.ErrAlreadyPaid) {
		t.Errorf("paid: %v", err)
	}
	if err := w.provider.Close(t.Context(), "never-seen"); !errors.Is(err, pay.ErrUnknownPayment) {
		t.Errorf("unknown: %v", err)
	}
	w.mustOpen(t, "trade-3")
	w.bank.On(standin.CallClose, "trade-3", standin.Refuse, 1)
	if err := w.provider.Close(t.Context(), "trade-3"); err == nil {
		t.Error("a refusal was taken for a close")
	}
	w.wantState(t, "trade-3", pay.Pending)
}

// What was carried out without an answer is found by asking again under the same number.
func TestNoAnswerAfterAccepting(t *testing.T) {
	w := newWorld(t, func(c *wechat.Config) { c.Timeout = 300 * time.Millisecond })
	r := w.request(wechat.ViaNative, "trade-1")
	w.bank.On(standin.CallOpen, "trade-1", standin.HangAfter, 1)
	if _, err := w.provider.Open(t.Context(), r); err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Fatalf("got %v", err)
	}
	_, err := w.provider.Open(t.Context(), r)
	must(t, err)
	must(t, w.bank.Pay("trade-1"))
	w.bank.On(standin.CallRefund, "refund-1", standin.HangAfter, 1)
	refund := refundRequest("refund-1", "trade-1", 100)
	if _, err := w.provider.Refund(t.Context(), refund); err == nil {
		t.Fatal("no answer was taken for one")
	}
	_, err = w.provider.Refund(t.Context(), refund)
	must(t, err)
	if refunds := w.bank.Ledger()["trade-1"].Refunds; len(refunds) != 1 {
		t.Errorf("refunds: %v", refunds)
	}
}

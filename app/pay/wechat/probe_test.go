package wechat_test

import (
	"context"
	"crypto/rsa"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"courtd/app/pay/wechat"
)

func wantProblem(t *testing.T, list []wechat.Problem, setting, words string, warning bool) {
	t.Helper()
	for _, p := range list {
		wantNoSecret(t, p.String())
		if p.Setting == setting && p.Warning == warning && strings.Contains(p.String(), words) {
			if p.ZH == "" || p.EN == "" {
				t.Errorf("not in both languages: %+v", p)
			}
			return
		}
	}
	t.Errorf("no problem of %q with %q, warning=%v, in %v", setting, words, warning, list)
}

func TestProbe(t *testing.T) {
	w := newWorld(t)
	if list := w.provider.Probe(t.Context(), time.Now()); list != nil {
		t.Errorf("all is well, but %v", list)
	}
	list := w.provider.Probe(t.Context(), time.Now().Add(90*time.Second))
	wantProblem(t, list, "", "fast", true)
	list = w.provider.Probe(t.Context(), time.Now().Add(-6*time.Minute))
	wantProblem(t, list, "", "slow", false)
	wantProblem(t, list, "", "所有支付通知都会被拒绝", false)

	w.bank.Drift(10 * time.Minute) // now WeChat refuses our signature for its time: it is not the key
	list = w.provider.Probe(t.Context(), time.Now())
	if len(list) != 1 {
		t.Errorf("got %v", list)
	}
	wantProblem(t, list, "", "slow", false)
	w.bank.Drift(0)

	w.bank.UseKey("PUB_KEY_ID_99", strangerKey())
	wantProblem(t, w.provider.Probe(t.Context(), time.Now()), wechat.SettingPublicKeyID, "signs with another key", false)
	w.bank.UseKey(keyID, strangerKey())
	wantProblem(t, w.provider.Probe(t.Context(), time.Now()), wechat.SettingPublicKeyFile, "may not belong together", false)
	w.server.Close()
	wantProblem(t, w.provider.Probe(t.Context(), time.Now()), "", "连不上微信支付", false)
}

func TestProbeWithAnotherPrivateKey(t *testing.T) {
	for name, change := range map[string]func(*wechat.Config){
		"key":      func(c *wechat.Config) { c.Key = strangerKey() },
		"serial":   func(c *wechat.Config) { c.Serial = strings.Repeat("0", 40) },
		"merchant": func(c *wechat.Config) { c.MchID = "1900000109" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, change)
			wantProblem(t, w.provider.Probe(t.Context(), time.Now()), wechat.SettingKeyFile, "does not belong", false)
		})
	}
}

func TestProbeInPlainWords(t *testing.T) {
	for body, c := range map[string]struct {
		status         int
		setting, words string
	}{
		`{"code":"MCH_NOT_EXISTS","message":"x"}`:                     {400, wechat.SettingMchID, "商户号不存在"},
		`{"code":"NO_AUTH","message":"x"}`:                            {403, wechat.SettingMchID, "产品中心"},
		`{"code":"APPID_MCHID_NOT_MATCH","message":"x"}`:              {400, wechat.SettingAppID, "绑定"},
		`{"code":"PARAM_ERROR","message":"mchid of ` + openID + `"}`:  {400, wechat.SettingMchID, "does not take"},
		`{"code":"SYSTEM_ERROR","message":"key is ` + apiV3Key + `"}`: {500, "", "refused the probe"},
	} {
		list := answering(t, c.status, body).Probe(t.Context(), time.Now())
		if len(list) != 1 {
			t.Errorf("%s: %v", body, list)
		}
		wantProblem(t, list, c.setting, c.words, false)
	}
}

func TestNewRefusesAPublicKeyOfTheMerchant(t *testing.T) {
	c := goodConfig("")
	c.PublicKeys = map[string]*rsa.PublicKey{keyID: &merchantKey().PublicKey}
	if _, err := wechat.New(c); err == nil || !strings.Contains(err.Error(), "merchant's own") {
		t.Errorf("got %v", err)
	}
}

// A probe is bounded by the provider's own time and by its caller's.
func TestProbeEnds(t *testing.T) {
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer slow.Close()
	defer close(held)
	c := goodConfig(slow.URL)
	c.Timeout = 100 * time.Millisecond
	short, err := wechat.New(c)
	must(t, err)
	long, err := wechat.New(goodConfig(slow.URL))
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	patience, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	for _, list := range [][]wechat.Problem{short.Probe(patience, time.Now()), long.Probe(ctx, time.Now())} {
		wantProblem(t, list, "", "连不上微信支付", false)
	}
	if patience.Err() != nil {
		t.Error("it waited for its caller to give up")
	}
}

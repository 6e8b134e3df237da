package records_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/web/pages/clubtest"
)

// troubled is a provider whose notices are all alike.
type troubled struct {
	*sandbox.Provider
	err error
}

func (*troubled) Name() string  { return "wechat" }
func (*troubled) Via() []string { return nil }

func (p *troubled) ParseNotice(func(string) string, []byte) (pay.Notice, error) {
	if p.err != nil {
		return pay.Notice{}, p.err
	}
	return pay.Notice{ID: "n", Refund: &pay.RefundResult{OutRefundNo: "of nobody"}}, nil
}

// TestTroubleWithPaymentNoticesIsSaid on the overview and the reconciler's page, in plain
// words with what to do, until a good one has come.
func TestTroubleWithPaymentNoticesIsSaid(t *testing.T) {
	h := open(t)
	bank, err := sandbox.New(h.DB)
	clubtest.Must(t, err)
	provider := &troubled{Provider: bank}
	h.App.AddProvider(provider)
	pages := []string{"/owner", "/owner/glance", "/owner/reconciler", "/owner/reconciler/rounds"}
	take := func(err error) {
		provider.err = err
		if h.App.TakeNotice(t.Context(), "wechat", func(string) string { return "" }, []byte("{}")) == nil && err != nil {
			t.Fatal("the notice was taken")
		}
	}
	none := func() {
		t.Helper()
		for _, page := range pages {
			h.owner.Get(page).Want(200).HasNot("支付通知")
		}
	}
	none()
	take(pay.ErrBadSignature) // anybody can cause it
	none()
	take(pay.ErrClockDrift)
	take(pay.ErrClockDrift)
	for _, page := range pages {
		h.owner.Get(page).Want(200).Says("支付通知被拒收", "请用 NTP 校准机器的时钟", "微信支付，2 次，最近一次 12-10 10:00").Has(`class="say bad"`)
	}
	if p := h.owner.Get("/healthz").Want(503); !strings.Contains(p.Body, `"notices":[{"count":2,"last":"2026-12-10T10:00:00+08:00","provider":"wechat","what":"clock_drift"}]`) {
		t.Errorf("health says %s", p.Body)
	}
	take(pay.ErrUnknownKey)
	take(fmt.Errorf("notice 1: %w", pay.ErrUnreadable))
	p := h.owner.Get("/owner").Says("NTP", "COURTD_WECHAT_PAY_PUBLIC_KEY_ID", "COURTD_WECHAT_PAY_API_V3_KEY", "微信支付，1 次")
	p.HasNot("cannot be opened with", "请更新 courtd")
	h.owner.Get("/owner?lang=en")
	h.owner.Get("/owner/reconciler").Says("Set the clock by NTP", "Compare COURTD_WECHAT_PAY_PUBLIC_KEY_ID", "(WeChat Pay, 2 times, the last at 12-10 10:00)")
	h.owner.Get("/owner?lang=zh")
	take(nil) // a good one: the clock and the key are right
	h.owner.Get("/owner").Says("COURTD_WECHAT_PAY_PUBLIC_KEY_ID").HasNot("NTP", "API_V3_KEY")
	take(errors.New("trade state NEW is not known")) // the key is right, and so it is not blamed
	take(nil)                                        // a good one does not make that one understood
	h.owner.Get("/owner").Says("请更新 courtd", "微信支付，1 次").HasNot("API_V3_KEY", "trade state")
	h.owner.Get("/owner?lang=en")
	h.owner.Get("/owner/reconciler").Says("Update courtd", "(WeChat Pay, 1 time")
	h.owner.Get("/owner?lang=zh")
	h.SetClock("2026-12-11T10:00:00+08:00") // a day without more of them
	none()
	h.owner.Get("/healthz").Want(200)
}

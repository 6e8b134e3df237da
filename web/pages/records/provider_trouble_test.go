package records_test

import (
	"context"
	"errors"
	"testing"

	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/web/pages/clubtest"
)

// refusing is a provider that does not open payments.
type refusing struct {
	*sandbox.Provider
	err error
}

func (p *refusing) Open(ctx context.Context, r pay.Request) (pay.Opened, error) {
	if p.err != nil {
		return pay.Opened{}, p.err
	}
	return p.Provider.Open(ctx, r)
}

// TestWhatAProviderRefusesIsSaid to the owner, with what it said, until the same succeeds;
// its customer is told to try again.
func TestWhatAProviderRefusesIsSaid(t *testing.T) {
	h := open(t)
	bank, err := sandbox.New(h.DB)
	clubtest.Must(t, err)
	provider := &refusing{Provider: bank, err: errors.New("wechat pay: opening: 403 NO_AUTH: <b>商户号</b>该产品权限未开通")}
	h.App.AddProvider(provider)
	a := h.Customer("13800000001")
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	pages := []string{"/owner", "/owner/glance", "/owner/reconciler", "/owner/reconciler/rounds"}
	for _, page := range pages {
		h.owner.Get(page).Want(200).HasNot("支付平台没有完成")
	}
	for range 2 {
		a.Post(order + "/pay").Want(503)
	}
	for _, page := range pages {
		h.owner.Get(page).Want(200).Says("支付平台没有完成“发起付款”：最近 12-10 10:00，连续 2 次。对方的回答：", "NO_AUTH: <b>商户号</b>该产品权限未开通").HasNot("<b>商户号")
	}
	h.owner.Get("/owner?lang=en")
	h.owner.Get("/owner").Says("The payment provider did not carry out beginning payments", "2 in a row", "NO_AUTH")
	h.owner.Get("/owner?lang=zh")
	h.SetClock("2026-12-10T10:01:00+08:00")
	provider.err = pay.ErrNeedsNewNumber // an answer: the provider is well
	a.Post(order + "/pay")
	h.owner.Get("/owner").HasNot("支付平台没有完成")
}

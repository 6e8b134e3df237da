package app_test

import (
	"context"
	"testing"
	"time"

	"courtd/app"
	wechatpay "courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
)

// TestC16_ASilentBankHoldsUpNoPage: ten open attempts are asked about within one budget;
// the order is shown all the same, and the rounds ask no later for it.
func TestC16_ASilentBankHoldsUpNoPage(t *testing.T) {
	t.Parallel()
	w := newClub(t).withWeChat()
	provider, err := wechatpay.New(w.config(10 * time.Second)) // as patient as a real venue
	must(t, err)
	who, o, first := w.held("c1")
	for i := range domain.MaxOpenAttempts - 1 {
		w.alter(`INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, merchant, app, request, opened_at, expires_at)
			SELECT substr(id, 1, 30) || ?, order_id, via, purpose, amount_fen, currency, merchant, app, request, opened_at, expires_at FROM payments WHERE id = ?`, i, first)
	}
	w.app, w.rec = w.wechatApp(provider)
	w.bank.On(standin.CallQuery, "", standin.HangBefore, 0)
	within, cancel := context.WithTimeout(ctx, 9*time.Second)
	defer cancel()
	view, err := w.app.CheckPayments(within, who, o.ID)
	must(t, err)
	want(t, "in time", within.Err(), nil)
	want(t, "state", view.State, "held")
	want(t, "said", view.Unheard, true)
	want(t, "the rounds' questions", w.count("SELECT sum(asks) FROM payments"), 0)
	unheard, err := w.app.CheckPaymentsNowAndThen(within, who, o.ID)
	must(t, err)
	want(t, "said to a page", unheard, true)
	again, err := w.app.CheckPaymentsNowAndThen(ctx, who, o.ID) // not asked again so soon
	must(t, err)
	want(t, "and said on", again, true)
	gone, leave := context.WithCancel(ctx)
	leave()
	_, err = w.app.CheckPayments(gone, who, o.ID)
	if _, refused := domain.AsError(err); err != nil && !refused {
		t.Errorf("who has gone away gets %v", err)
	}
	w.bank.Behave()
	must(t, w.bank.Pay(first))
	view, err = w.app.CheckPayments(ctx, app.Actor{Role: who.Role, ID: who.ID}, o.ID)
	must(t, err)
	want(t, "then", view.State, "paid")
}

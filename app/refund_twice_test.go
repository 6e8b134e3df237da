package app_test

import (
	"context"
	"testing"

	"courtd/app/pay"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
	"courtd/sqlite"
)

// meanwhile is a provider during whose questions about refunds something else happens.
type meanwhile struct {
	pay.Provider
	asked func()
	said  *pay.RefundResult // instead of its own answer
}

func (p *meanwhile) QueryRefund(c context.Context, no string) (pay.RefundResult, error) {
	out, err := p.Provider.QueryRefund(c, no)
	if p.asked != nil {
		p.asked()
	}
	if p.said != nil {
		out, err = *p.said, nil
	}
	return out, err
}

const anHour = domain.Instant(3600)

// toRefund is an order of which 30 yuan go back, after whatever the bank does first.
func toRefund(t *testing.T, bankDoes standin.Misbehaviour) (w wechatClub, refund string) {
	t.Helper()
	w = newClub(t).withWeChat()
	w.price(6000)
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	must(t, w.deliver())
	w.bank.On(standin.CallRefund, "", bankDoes, 0)
	_, err := w.app.CancelOrder(ctx, who, o.ID, "")
	must(t, err)
	return w, w.order(w.owner, o.ID).Refunds[0].ID
}

// rounds makes one every hour and gives the instant of the last.
func (w wechatClub) rounds(from domain.Instant, hours int) domain.Instant {
	for i := range hours {
		w.wall.set(from + domain.Instant(i+1)*anHour)
		_, err := w.rec.RunOnce(ctx)
		must(w.t, err)
		_ = w.deliver()
	}
	return from + domain.Instant(hours)*anHour
}

const (
	wentTwice   = "SELECT twice_at IS NOT NULL FROM refunds"
	handedOver  = "SELECT abnormal_at IS NOT NULL FROM refunds"
	isConfirmed = "SELECT confirmed_by IS NOT NULL FROM refunds"
)

// TestC21_WhatWasHandedBackIsAskedAbout: the bank carried out what nobody here heard of for
// three days, and its notice is lost: after the desk has handed the money back the rounds
// find out, and send nothing.
func TestC21_WhatWasHandedBackIsAskedAbout(t *testing.T) {
	w, id := toRefund(t, "")
	w.bank.On(standin.CallRefund, "", standin.FailAfter, 0)
	w.bank.On(standin.CallQueryRefund, "", standin.FailBefore, 0)
	w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	now := w.rounds(noon, 80)
	must(t, w.bank.FinishRefund(id, standin.Success))
	_, err := w.app.ConfirmRefund(ctx, w.desk, id)
	must(t, err)
	w.bank.Behave()
	w.rounds(now, 2)
	want(t, "found out", w.count(wentTwice), 1)
	todo, err := w.app.Todo(ctx, w.owner)
	must(t, err)
	want(t, "to be seen to", len(todo.Twice), 1)

	w, id = toRefund(t, standin.Refuse) // and one that has not arrived is asked about for a month
	now = w.rounds(noon, 1)
	_, err = w.app.ConfirmRefund(ctx, w.desk, id)
	must(t, err)
	now = w.rounds(now, 26)
	want(t, "asked again", w.count("SELECT next_try_at FROM refunds") > int(now), true)
	w.rounds(now+30*24*anHour, 2)
	want(t, "not for ever", w.count("SELECT next_try_at IS NULL FROM refunds"), 1)
	want(t, "not twice", w.count(wentTwice), 0)
}

// TestC21_WhoCannotAskDoesNotConfirm: a program without the provider knows nothing of what
// has arrived, until the refund could not be ended otherwise.
func TestC21_WhoCannotAskDoesNotConfirm(t *testing.T) {
	w, id := toRefund(t, standin.Abnormal)
	now := w.rounds(noon, 2)
	want(t, "handed over", w.count(handedOver), 1)
	other := w.club.second()
	_, err := other.app.ConfirmRefund(ctx, w.desk, id)
	wantReason(t, err, "refund_unheard")
	for range 120 { // no program has the provider any more
		now += anHour
		w.wall.set(now)
		_, err := other.app.DriveRefunds(ctx)
		must(t, err)
	}
	_, err = other.app.ConfirmRefund(ctx, w.desk, id)
	must(t, err)
}

// TestC21_AClaimIsOnesOwn: whoever asks before handing over confirms nothing if somebody
// else has had the refund since, however the clock went.
func TestC21_AClaimIsOnesOwn(t *testing.T) {
	w, id := toRefund(t, standin.Refuse)
	now := w.rounds(noon, 1)
	p := &meanwhile{Provider: w.provider}
	desk, _ := w.wechatApp(p)
	p.asked = func() {
		p.asked = nil
		w.wall.set(now + 25*anHour) // the machine slept
		_, err := w.app.DriveRefunds(ctx)
		must(t, err)
	}
	_, err := desk.ConfirmRefund(ctx, w.desk, id)
	wantReason(t, err, "refund_under_way")
	want(t, "confirmed", w.count(isConfirmed), 0)
}

// TestC21_AnOldListDoesNotOverrideAClaim: a round that listed a refund before it was handed
// over does not send it while the desk asks.
func TestC21_AnOldListDoesNotOverrideAClaim(t *testing.T) {
	w, id := toRefund(t, standin.Refuse)
	w.rounds(noon, 1)
	must(t, w.db.Write(ctx, func(tx *sqlite.Tx) error {
		mine, err := tx.ClaimRefund(id, tx.Now.Add(20e9), true)
		must(t, err)
		theirs, err := tx.ClaimRefund(id, tx.Now.Add(20e9), false)
		want(t, "claimed by the desk, and not by a round as well", [2]bool{mine, theirs}, [2]bool{true, false})
		return err
	}))
}

// TestC21_SilenceIsCountedFromTheLastAnswer: one question that is not answered, long after
// the bank gave up and said so, lets nobody hand money over; days of silence do.
func TestC21_SilenceIsCountedFromTheLastAnswer(t *testing.T) {
	for _, does := range []standin.Misbehaviour{standin.Abnormal, standin.Refuse} {
		w, id := toRefund(t, does)
		now := w.rounds(noon, 24*5)
		w.bank.Behave()
		w.bank.On(standin.CallQueryRefund, "", standin.FailBefore, 0)
		w.bank.On(standin.CallRefund, "", standin.FailBefore, 0)
		_, err := w.app.ConfirmRefund(ctx, w.desk, id)
		wantReason(t, err, "refund_unheard")
		now = w.rounds(now, 24*5)
		w.wall.set(now + 60)
		_, err = w.app.ConfirmRefund(ctx, w.desk, id)
		must(t, err)
	}
}

// TestC21_AnotherSumHasArrived: the desk is told before it hands over the whole.
func TestC21_AnotherSumHasArrived(t *testing.T) {
	w, id := toRefund(t, standin.Refuse)
	w.rounds(noon, 1)
	desk, _ := w.wechatApp(&meanwhile{Provider: w.provider, said: &pay.RefundResult{OutRefundNo: id, State: pay.RefundSucceeded, AmountFen: 2900}})
	_, err := desk.ConfirmRefund(ctx, w.desk, id)
	wantReason(t, err, "refund_partly_arrived")
	want(t, "why it is theirs", w.column("SELECT handed FROM refunds")[0], "amount")
	_, err = desk.ConfirmRefund(ctx, w.desk, id)
	must(t, err)
}

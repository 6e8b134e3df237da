package app_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
	"courtd/reconciler"
)

const (
	aDay = domain.Instant(24 * 3600)
	back = int64(3000) // of the 6000 that are cancelled five and a half hours ahead
)

// cancelled is an order that was paid with WeChat and cancelled: its money goes back.
func (w wechatClub) cancelled(court string) (who app.Actor, o app.OrderView, no string) {
	w.t.Helper()
	who, o, no = w.held(court)
	must(w.t, w.bank.Pay(no))
	must(w.t, w.deliver())
	_, err := w.app.CancelOrder(ctx, who, o.ID, "")
	must(w.t, err)
	return who, o, no
}

// waiting is the one refund that waits for a person.
func (w wechatClub) waiting() app.RefundView {
	w.t.Helper()
	list, err := w.app.RefundsForStaff(ctx, w.desk)
	must(w.t, err)
	want(w.t, "refunds that wait for a person", len(list.Items), 1)
	rec, err := w.app.Reconciler(ctx)
	must(w.t, err)
	want(w.t, "counted", rec.RefundsForStaff, 1)
	return list.Items[0]
}

func (w wechatClub) nobodyWaits() {
	w.t.Helper()
	list, err := w.app.RefundsForStaff(ctx, w.desk)
	must(w.t, err)
	want(w.t, "refunds that wait for a person", len(list.Items), 0)
}

// TestC21_WeChatRefusesARefundForGood: it is the desk's at once, with WeChat's words, is
// tried once a day under its number, and never again once the desk has handed it back.
func TestC21_WeChatRefusesARefundForGood(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.cancelled("c1")
	must(t, w.bank.RefundOnPlatform(no, 6000)) // 累计退款金额大于支付金额
	w.round()
	r := w.waiting()
	want(t, "why", r.State+" "+r.HandWhy, "abnormal refused")
	want(t, "with WeChat's words", strings.Contains(r.Problem, "累计退款金额大于支付金额"), true)
	tries := w.bank.Calls(standin.CallRefund)
	w.wall.set(noon + aDay - 1)
	w.round()
	want(t, "tried within a day", w.bank.Calls(standin.CallRefund), tries)
	w.wall.set(noon + aDay)
	w.round()
	want(t, "tried after a day", w.bank.Calls(standin.CallRefund), tries+1)
	w.waiting()
	_, err := w.app.ConfirmRefund(ctx, w.desk, r.ID)
	must(t, err)
	_, err = w.app.ConfirmRefund(ctx, w.desk, r.ID) // once more is the same
	must(t, err)
	w.wall.set(noon + 5*aDay)
	w.round()
	want(t, "sent after it was handed back", w.bank.Calls(standin.CallRefund), tries+1)
	want(t, "refunded", w.order(who, o.ID).Refunded, back)
	want(t, "told once", w.notices(o.ID, "refunded"), 1)
	w.nobodyWaits()
}

// TestC21_WhatTimeMendsIsNoRefusal: too little money is tried again; after three days the
// desk has it, and the merchant who tops up then ends it all the same.
func TestC21_WhatTimeMendsIsNoRefusal(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.cancelled("c1")
	w.bank.On(standin.CallRefund, "", standin.NotEnough, 0)
	for at := noon; at < noon+3*aDay; at += 6 * 3600 {
		w.wall.set(at)
		w.round()
		w.nobodyWaits()
	}
	w.wall.set(noon + 3*aDay + 6*3600)
	w.round()
	want(t, "why", w.waiting().HandWhy, "failing")
	w.bank.Behave()
	w.wall.set(noon + 4*aDay + 6*3600)
	w.round()
	w.nobodyWaits() // it is on its way: nobody hands it over
	w.wall.set(noon + 5*aDay)
	w.round()
	want(t, "refunded", w.order(who, o.ID).Refunded, back)
	want(t, "by one refund there", len(w.bank.Ledger()[no].Refunds), 1)
}

// TestC21_AProcessWithoutWeChatLeavesMoneyAlone: nothing is tried, so no try is counted and
// none is put off; only what nobody has sent for three days is the desk's.
func TestC21_AProcessWithoutWeChatLeavesMoneyAlone(t *testing.T) {
	w := newClub(t).withWeChat()
	w.bank.On(standin.CallRefund, "", standin.FailBefore, 0)
	w.cancelled("c1")
	_, _, open := w.held("c2")
	w.round()
	row := func() string {
		return strings.Join(w.column(`SELECT tries || '/' || next_try_at || '/' || last_error FROM refunds
			UNION ALL SELECT asks || '/' || coalesce(next_ask_at, '') || '/' || last_error FROM payments WHERE id = ?`, open), " ")
	}
	before := row()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	bare := app.New(app.Config{DB: w.db, Channel: w.mail, Log: log})
	rec := reconciler.New(bare, log)
	for range 3 {
		w.wall.set(noon + 3600)
		rep, err := rec.RunOnce(ctx)
		must(t, err)
		want(t, "left", rep.Refunds.Left+rep.Asked.Left, 2)
		want(t, "failed", rep.Refunds.Failed+rep.Asked.Failed, 0)
	}
	want(t, "as it was", row(), before)
	w.nobodyWaits()
	w.wall.set(noon + 3*aDay)
	_, err := rec.RunOnce(ctx)
	must(t, err)
	r := w.waiting()
	want(t, "why", r.HandWhy, "failing")
	w.bank.Behave()
	w.round() // the process that can sends it all the same, and nobody hands it over
	w.nobodyWaits()
	_, err = bare.ConfirmRefund(ctx, w.desk, r.ID)
	wantReason(t, err, "refund_under_way")
}

// TestC21_AVenueWithoutWeChatEndsItsRefunds: who has given WeChat Pay up can still end what
// was left of it.
func TestC21_AVenueWithoutWeChatEndsItsRefunds(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, _ := w.cancelled("c1")
	w.alter("UPDATE payments SET merchant = '1900000099'") // as if another merchant took it
	for _, at := range []domain.Instant{noon, noon + 3*aDay} {
		w.wall.set(at)
		w.round()
	}
	want(t, "asked of the other merchant", w.bank.Calls(standin.CallRefund), 0)
	_, err := w.app.ConfirmRefund(ctx, w.desk, w.waiting().ID)
	must(t, err)
	want(t, "refunded", w.order(who, o.ID).Refunded, back)
}

// abnormal is a refund that WeChat took on and gave up.
func (w wechatClub) abnormal() (who app.Actor, o app.OrderView, r app.RefundView) {
	w.t.Helper()
	w.bank.On(standin.CallRefund, "", standin.Abnormal, 1)
	who, o, _ = w.cancelled("c1")
	for i := range domain.Instant(3) {
		w.wall.set(noon + i*180)
		w.round()
	}
	must(w.t, w.deliver())
	w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	return who, o, w.waiting()
}

// TestC21_AnAbnormalRefundIsAskedAbout: made good on WeChat's page with its notice lost, it
// is found within a day, and at once by who wants to hand it over.
func TestC21_AnAbnormalRefundIsAskedAbout(t *testing.T) {
	for _, by := range []string{"round", "desk"} {
		w := newClub(t).withWeChat()
		who, o, r := w.abnormal()
		must(t, w.bank.FinishRefund(r.ID, standin.Success))
		if by == "round" {
			w.wall.set(noon + aDay + 600)
			w.round()
		} else {
			for range 2 { // it stays refused
				_, err := w.app.ConfirmRefund(ctx, w.desk, r.ID)
				wantReason(t, err, "refund_arrived")
			}
		}
		w.nobodyWaits()
		want(t, by+": refunded", w.order(who, o.ID).Refunded, back)
		want(t, by+": told once", w.notices(o.ID, "refunded"), 1)
		want(t, by+": nobody handed it over", w.count("SELECT count(*) FROM audit WHERE action = 'confirm refund'"), 0)
	}
}

// TestC21_NobodyKnowsWhetherARefundHasArrived: then it is not handed over.
func TestC21_NobodyKnowsWhetherARefundHasArrived(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, r := w.abnormal()
	w.bank.On(standin.CallQueryRefund, "", standin.FailBefore, 1)
	_, err := w.app.ConfirmRefund(ctx, w.desk, r.ID)
	wantReason(t, err, "refund_unheard")
	w.alter("UPDATE refunds SET calls_until = ?", noon+3600) // somebody sends it in this moment
	_, err = w.app.ConfirmRefund(ctx, w.desk, r.ID)
	wantReason(t, err, "refund_under_way")
	w.alter("UPDATE refunds SET calls_until = NULL")
	_, err = w.app.ConfirmRefund(ctx, w.desk, r.ID)
	must(t, err)
}

// TestC21_WhoHandsOverIsNotOvertaken: a round that meant to send a refund finds it claimed.
func TestC21_WhoHandsOverIsNotOvertaken(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, no := w.cancelled("c1")
	must(t, w.bank.RefundOnPlatform(no, 6000))
	w.round()
	tries := w.bank.Calls(standin.CallRefund)
	w.wall.set(noon + aDay)
	w.alter("UPDATE refunds SET calls_until = ?", noon+aDay+20)
	w.round()
	want(t, "sent while somebody asks about it", w.bank.Calls(standin.CallRefund), tries)
	w.wall.set(noon + aDay + 20)
	w.round()
	want(t, "sent when nobody does", w.bank.Calls(standin.CallRefund), tries+1)
}

// TestC21_MoneyThatWentBackTwice: the desk hands it over, and then WeChat says that it
// arrived. It is flagged, counted in the books, and ticked off once.
func TestC21_MoneyThatWentBackTwice(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, r := w.abnormal()
	w.bank.Behave()
	_, err := w.app.ConfirmRefund(ctx, w.desk, r.ID)
	must(t, err)
	must(t, w.bank.FinishRefund(r.ID, standin.Success))
	w.wall.set(noon + 7200)
	for range 2 {
		n, err := w.bank.NoticeOf(r.ID)
		must(t, err)
		must(t, w.bring(n))
	}
	want(t, "kept as", w.events("twice"), 2)
	todo, err := w.app.Todo(ctx, w.desk)
	must(t, err)
	want(t, "in the to-do", len(todo.Twice), 1)
	want(t, "amount", todo.Twice[0].Amount, back)
	want(t, "order", todo.Twice[0].Order.Number, o.Number)
	rec, err := w.app.Reconciler(ctx)
	must(t, err)
	want(t, "counted", rec.RefundsTwice, 1)
	want(t, "the customer was told of one", w.notices(o.ID, "refunded"), 1)
	want(t, "and is owed no more", w.order(who, o.ID).Refunded, back)
	money, err := w.app.Takings(ctx, days(t, "2026-12-10", "2026-12-10"))
	must(t, err)
	want(t, "in the books", money.Total.Out, 2*back)

	must(t, w.app.SeeToRefund(ctx, w.desk, r.ID, "顾客已转回 60 元", "k"))
	must(t, w.app.SeeToRefund(ctx, w.desk, r.ID, "顾客已转回 60 元", "k"))
	must(t, w.app.SeeToRefund(ctx, w.desk, r.ID, "顾客已转回 60 元", "another key"))
	wantReason(t, w.app.SeeToRefund(ctx, w.desk, r.ID, "something else", ""), "already_seen_to")
	todo, err = w.app.Todo(ctx, w.desk)
	must(t, err)
	want(t, "ticked off", len(todo.Twice), 0)
	want(t, "in the audit", w.count("SELECT count(*) FROM audit WHERE action = 'see to money' AND reason = '顾客已转回 60 元'"), 1)
	wantReason(t, w.app.SeeToRefund(ctx, who, r.ID, "x", ""), "forbidden")
}

// TestC17_MoneyThatWentBackOnThePlatform: it came and was given back there while our notice
// was lost. The order does not stand for it, and nothing is refunded from here.
func TestC17_MoneyThatWentBackOnThePlatform(t *testing.T) {
	for name, fen := range map[string]int64{"all": 6000, "some": 1} {
		w := newClub(t).withWeChat()
		w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
		who, o, no := w.held("c1")
		must(t, w.bank.Pay(no))
		must(t, w.bank.RefundOnPlatform(no, fen))
		view, err := w.app.CheckPayments(ctx, who, o.ID)
		must(t, err)
		want(t, name+": the order", view.State, "held")
		want(t, name+": paid", view.Paid, 0)
		want(t, name+": recorded as money that came", w.count("SELECT count(*) FROM payments WHERE verdict = 'flagged' AND succeeded_at IS NOT NULL"), 1)

		// The customer pays again, and cancels: what goes back is the money that counts.
		again := w.native(who, o)
		must(t, w.bank.Pay(again))
		_, err = w.app.CheckPayments(ctx, who, o.ID)
		must(t, err)
		_, err = w.app.CancelOrder(ctx, who, o.ID, "")
		must(t, err)
		w.round()
		want(t, name+": refunds of the flagged money", w.count("SELECT count(*) FROM refunds WHERE payment_id = ?", no), 0)
		want(t, name+": refunds of the other", w.count("SELECT sum(amount_fen) FROM refunds WHERE payment_id = ?", again), 3000)
		_, err = w.app.Goodwill(ctx, w.desk, o.ID, 3001, "x", "")
		wantReason(t, err, "refund_exceeds_paid")

		todo, err := w.app.Todo(ctx, w.desk)
		must(t, err)
		want(t, name+": in the to-do", len(todo.Flagged), 1)
		must(t, w.app.SeeToPayment(ctx, w.desk, no, "平台已全额退", "k"))
		must(t, w.app.SeeToPayment(ctx, w.desk, no, "平台已全额退", "k"))
		todo, err = w.app.Todo(ctx, w.desk)
		must(t, err)
		want(t, name+": ticked off", len(todo.Flagged), 0)
		rec, err := w.app.Reconciler(ctx)
		must(t, err)
		want(t, name+": and counted no more", rec.Flagged+len(rec.FlaggedMoney), 0)
		wantReason(t, w.app.SeeToPayment(ctx, w.desk, again, "x", ""), "nothing_to_see_to")
		wantReason(t, w.app.SeeToPayment(ctx, w.desk, "nothing", "x", ""), "not_found")
	}
}

// TestC17_OurOwnRefundsAreNoRefundOfOthers: a trade that WeChat calls REFUND because of
// them stays what it was.
func TestC17_OurOwnRefundsAreNoRefundOfOthers(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	must(t, w.deliver())
	_, err := w.app.Goodwill(ctx, w.desk, o.ID, 100, "x", "")
	must(t, err)
	w.round()
	want(t, "there it is", w.bank.Ledger()[no].State, "REFUND")
	must(t, w.bring(w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"appid": wechatAppID, "mchid": wechatMch, "out_trade_no": no,
		"trade_state": "REFUND", "transaction_id": "4200", "success_time": "2026-12-10T12:00:00+08:00", "amount": map[string]any{"total": 6000, "currency": "CNY"}})))
	want(t, "flagged", w.count("SELECT count(*) FROM payments WHERE verdict = 'flagged'"), 0)
	want(t, "here", w.order(who, o.ID).State, "paid")
}

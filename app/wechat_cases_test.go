package app_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
)

func TestC15_WeChatTellsItFourTimes(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	notice, err := w.bank.NoticeOf(no)
	must(t, err)
	var all sync.WaitGroup
	errs := make([]error, 3)
	for i := range errs {
		all.Go(func() { errs[i] = w.bring(notice) })
	}
	all.Wait()
	wantTally(t, errs, map[string]int{"ok": 3})
	w.wall.set(noon + 86400)
	later, err := w.bank.NoticeOf(no)
	must(t, err)
	must(t, w.bring(later))
	want(t, "payments", w.count("SELECT count(*) FROM payments WHERE succeeded_at IS NOT NULL"), 1)
	want(t, "paid at", w.count("SELECT paid_at FROM reservations"), int(noon))
	want(t, "told the customer", w.notices(o.ID, "paid"), 1)
	want(t, "kept word for word", fmt.Sprint(w.events("paid"), w.events("duplicate")), "1 3")
	want(t, "refunded", w.refunded(o.ID), 0)
	want(t, "paid", w.order(who, o.ID).Paid, 6000)
}

func TestC16_WeChatNoticeIsLost(t *testing.T) {
	w := newClub(t).withWeChat()
	w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	view, err := w.app.CheckPayments(ctx, who, o.ID) // (a) the page asks
	must(t, err)
	want(t, "asked by the page", view.State, "paid")

	_, second, no := w.held("c2")
	must(t, w.bank.Pay(no))
	w.bank.On(standin.CallQuery, no, standin.FailBefore, 1)
	w.wall.set(noon + 600)
	w.round() // (b) the close is refused, because it is paid, and the query fails
	want(t, "free by derivation all the same", w.state(slot("c2", "17:30")), "free")
	want(t, "and not settled without an answer", w.count("SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", second.ID), 0)
	w.wall.set(noon + 660)
	w.round()
	want(t, "accepted in the next", w.state(slot("c2", "17:30")), "taken")

	_, third, no := w.held("c3")
	w.wall.set(noon + 1260)
	w.round()
	want(t, "not paid: closed there", w.bank.Ledger()[no].State, "CLOSED")
	want(t, "and lapsed here", w.count("SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", third.ID), 1)
}

// TestC16_TheAnswerIsStale: the query says NOTPAY, the money comes, and only then is the
// answer written down.
func TestC16_TheAnswerIsStale(t *testing.T) {
	w := newClub(t).withWeChat()
	w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	_, o, no := w.held("c1")
	w.wall.set(noon + 600)
	w.bank.On(standin.CallClose, no, standin.Refuse, 1)
	w.round() // neither closed nor paid
	want(t, "still open", w.count("SELECT closed_at IS NULL FROM payments"), 1)
	must(t, w.bank.PayAnyway(no))
	w.wall.set(noon + 700)
	w.round()
	want(t, "found", w.order(w.owner, o.ID).State, "paid")
}

func TestC17_WeChatTellsOfWhatWeDoNotKnow(t *testing.T) {
	w := newClub(t).withWeChat()
	unknown := w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"appid": wechatAppID, "mchid": wechatMch, "out_trade_no": "somebody-elses-number",
		"trade_state": "SUCCESS", "transaction_id": "4200", "success_time": "2026-12-10T12:00:00+08:00", "amount": map[string]any{"total": 6000, "currency": "CNY"}})
	wantReason(t, w.bring(unknown), "unknown_payment")
	want(t, "kept", w.events("unknown"), 1)
	refund := w.bank.Seal("", "REFUND.SUCCESS", "refund", "", map[string]any{"mchid": wechatMch, "out_trade_no": "x", "out_refund_no": "no-such-refund", "refund_status": "SUCCESS",
		"amount": map[string]any{"total": 1, "refund": 1, "payer_total": 1, "payer_refund": 1}})
	wantReason(t, w.bring(refund), "unknown_payment")
	other := w.bank.Seal("", "PROFITSHARING.SUCCESS", "profitsharing", "", map[string]any{"mchid": wechatMch})
	must(t, w.bring(other)) // nothing of ours, and nothing to repeat
	want(t, "taken note of", w.events("ignored"), 1)
}

// TestC17_MoneyThatIsNotWhatWasAsked is flagged for staff and confirms nothing.
func TestC17_MoneyThatIsNotWhatWasAsked(t *testing.T) {
	for name, change := range map[string]map[string]any{
		"amount":   {"amount": map[string]any{"total": 5999, "currency": "CNY"}},
		"currency": {"amount": map[string]any{"total": 6000, "currency": "HKD"}},
		"merchant": {"mchid": "1900000002"},
		"app":      {"appid": "wxfedcba9876543210"},
	} {
		w := newClub(t).withWeChat()
		who, o, no := w.held("c1")
		content := map[string]any{"appid": wechatAppID, "mchid": wechatMch, "out_trade_no": no, "trade_state": "SUCCESS", "transaction_id": "4200",
			"success_time": "2026-12-10T12:00:00+08:00", "amount": map[string]any{"total": 6000, "currency": "CNY"}}
		for k, v := range change {
			content[k] = v
		}
		must(t, w.bring(w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", content)))
		want(t, name+": flagged", w.count("SELECT count(*) FROM payments WHERE verdict = 'flagged'"), 1)
		want(t, name+": not paid", w.order(who, o.ID).State, "held")
	}
}

func TestC18_OneByteOfWeChatsNotice(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, no := w.held("c1")
	must(t, w.bank.Pay(no))
	n, err := w.bank.NoticeOf(no)
	must(t, err)
	for _, at := range []int{0, len(n.Body) / 2, len(n.Body) - 1} {
		touched := n
		touched.Body = append([]byte{}, n.Body...)
		touched.Body[at] ^= 1
		wantReason(t, w.bring(touched), "bad_signature")
	}
	touched := n
	touched.Body = append(append([]byte{}, n.Body...), ' ')
	wantReason(t, w.bring(touched), "bad_signature")
	want(t, "nothing is kept of them", w.count("SELECT count(*) FROM provider_events"), 0)
	must(t, w.bring(n))
}

func TestC19_KeysChangeWithinAnHour(t *testing.T) {
	w := newClub(t).withWeChat()
	for i, by := range []struct {
		id  string
		use func()
	}{
		{"the old certificate", func() { w.bank.UseKey("1111", oldPlatformKey()) }},
		{"the new certificate", func() { w.bank.UseKey("2222", newPlatformKey()) }},
		{"the public key", func() { w.bank.UseKey(wechatKeyID, wechatKey()) }},
		{"the second public key", func() { w.bank.UseKey(wechatKeyID2, wechatKey2()) }},
	} {
		w.bank.UseKey(wechatKeyID, wechatKey())
		who, o, no := w.held(fmt.Sprint("c", i+1))
		must(t, w.bank.Pay(no))
		by.use()
		must(t, w.deliver())
		want(t, by.id, w.order(who, o.ID).State, "paid")
		w.wall.set(noon + domain.Instant(i+1)*600)
	}
	w.bank.UseKey(wechatKeyID, wechatKey())
	who, o, no := w.held("c5")
	must(t, w.bank.Pay(no))
	w.bank.UseKey("PUB_KEY_ID_OF_SOMEBODY_ELSE", strangersKey())
	wantReason(t, w.deliver(), "bad_signature")
	want(t, "an unknown key: not believed", w.order(who, o.ID).State, "held")
	want(t, "an alarm", fmt.Sprint(troubles(w.app)), "[unknown_key]")
	w.bank.UseKey(wechatKeyID2, strangersKey()) // a stranger who claims a key of WeChat's
	wantReason(t, w.deliver(), "bad_signature")
	want(t, "is no alarm: anybody can do that", fmt.Sprint(troubles(w.app)), "[unknown_key]")
	w.bank.UseKey(wechatKeyID, wechatKey())
	must(t, w.deliver()) // WeChat tries again
	want(t, "then", w.order(who, o.ID).State, "paid")
	want(t, "which does not make the new key known", fmt.Sprint(troubles(w.app)), "[unknown_key]")
	w.wall.set(noon + 4*600 + 86399)
	want(t, "so that it is told of for a day", fmt.Sprint(troubles(w.app)), "[unknown_key]")
	w.wall.set(noon + 4*600 + 86400)
	want(t, "and no longer, if nothing more comes", len(troubles(w.app)), 0)
}

func troubles(a *app.App) (out []string) {
	for _, found := range a.NoticeTroubles(ctx) {
		out = append(out, found.What)
	}
	return out
}

func TestC19_TheClockHasDrifted(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	for _, by := range []time.Duration{6 * time.Minute, -6 * time.Minute} {
		w.bank.Drift(by)
		wantReason(t, w.deliver(), "bad_signature")
		want(t, "refused", w.order(who, o.ID).State, "held")
		want(t, "and said why", fmt.Sprint(troubles(w.app)), "[clock_drift]")
	}
	w.bank.Drift(0)
	must(t, w.deliver())
	want(t, "taken when the clock is right", w.order(who, o.ID).State, "paid")
	want(t, "and no more is said", len(troubles(w.app)), 0)
	wrong := w.bank.Seal("another-api-key-of-32-characters", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"out_trade_no": no})
	wantReason(t, w.bring(wrong), "bad_notice")
	want(t, "an APIv3 key that is wrong is another trouble", fmt.Sprint(troubles(w.app)), "[unreadable]")
	strange := w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"out_trade_no": no, "trade_state": "FROZEN"})
	wantReason(t, w.bring(strange), "bad_notice")
	want(t, "a state nobody knows blames no key", fmt.Sprint(troubles(w.app)), "[unreadable not_understood]")
}

// TestC21_WeChatTakesTheRefundAndNobodyHears: the answer is lost, the number stays.
func TestC21_WeChatTakesTheRefundAndNobodyHears(t *testing.T) {
	for _, lost := range []standin.Misbehaviour{standin.HangAfter, standin.FailAfter, standin.CorruptAnswer, standin.NotEnough, standin.TooOften, standin.FailBefore} {
		w := newClub(t).withWeChat()
		who, o, no := w.held("c1")
		must(t, w.bank.Pay(no))
		must(t, w.deliver())
		w.bank.On(standin.CallRefund, "", lost, 1)
		_, err := w.app.CancelOrder(ctx, who, o.ID, "")
		must(t, err)
		w.round()
		want(t, string(lost)+": not shown as done", w.order(who, o.ID).Refunded, 0)
		for i := range 6 {
			w.wall.set(noon + domain.Instant(i+1)*180)
			w.round()
		}
		must(t, w.deliver())
		ledger := w.bank.Ledger()[no]
		want(t, string(lost)+": refunds there", len(ledger.Refunds), 1)
		want(t, string(lost)+": back there", ledger.RefundedFen, w.order(who, o.ID).Refunded)
		want(t, string(lost)+": told once", w.notices(o.ID, "refunded"), 1)
	}
}

func TestC21_WeChatGivesUpOnARefund(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	must(t, w.deliver())
	w.bank.On(standin.CallRefund, "", standin.Abnormal, 1)
	_, err := w.app.CancelOrder(ctx, who, o.ID, "")
	must(t, err)
	for i := range 3 {
		w.round()
		w.wall.set(noon + domain.Instant(i+1)*180)
	}
	list, err := w.app.RefundsForStaff(ctx, w.desk)
	must(t, err)
	want(t, "handed to the staff", len(list.Items), 1)
	want(t, "as", list.Items[0].State, "abnormal")
	want(t, "with what to do", list.Items[0].Problem != "", true)
	want(t, "not shown as done", w.order(who, o.ID).Refunded, 0)
	must(t, w.bank.FinishRefund(list.Items[0].ID, standin.Success)) // made good on WeChat's page
	must(t, w.deliver())
	want(t, "then it is", w.order(who, o.ID).Refunded, w.bank.Ledger()[no].RefundedFen)
}

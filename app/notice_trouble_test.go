package app_test

import (
	"fmt"
	"testing"
	"time"

	"courtd/app/pay/wechat/standin"
)

// TestStrangersNeitherPlantNorBuryATrouble: whoever can only forge headers causes no alarm
// and hides none.
func TestStrangersNeitherPlantNorBuryATrouble(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, no := w.held("c1")
	must(t, w.bank.Pay(no))
	flood := func() {
		for i := range 200 {
			body := []byte(fmt.Sprintf(`{"id":"EV-%d","event_type":"TRANSACTION.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM","nonce":"%d","ciphertext":"AAAA"}}`, i, i))
			forged := standin.Notice{Header: standin.Sign(fmt.Sprint("PUB_KEY_ID_", i), strangersKey(), time.Now(), body), Body: body}
			wantReason(t, w.bring(forged), "bad_signature")
		}
	}
	flood()
	want(t, "planted", len(troubles(w.app)), 0)
	w.bank.UseKey("PUB_KEY_ID_OF_WECHATS_NEXT_YEAR", newPlatformKey())
	wantReason(t, w.deliver(), "bad_signature")
	flood()
	found := w.app.NoticeTroubles(ctx)
	if len(found) != 1 || found[0].What != "unknown_key" || found[0].Count != 1 || found[0].Last != noon {
		t.Errorf("after a flood WeChat's own is told as %+v", found)
	}
}

// TestAnOldNoticeAgain: a genuine notice that somebody sends once more, long afterwards,
// does not say that the clock is wrong.
func TestAnOldNoticeAgain(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, no := w.held("c1")
	must(t, w.bank.Pay(no))
	n, err := w.bank.NoticeOf(no)
	must(t, err)
	sign := func(n standin.Notice, ago time.Duration) standin.Notice {
		n.Header = standin.Sign(wechatKeyID, wechatKey(), time.Now().Add(-ago), n.Body)
		return n
	}
	old := sign(n, time.Hour)
	wantReason(t, w.bring(old), "bad_signature")
	want(t, "alone it may be the clock", fmt.Sprint(troubles(w.app)), "[clock_drift]")
	must(t, w.bring(n))
	want(t, "but a good one shows that it is right", len(troubles(w.app)), 0)
	wantReason(t, w.bring(old), "bad_signature")
	want(t, "the same again", len(troubles(w.app)), 0)
	other, err := w.bank.NoticeOf(no) // under another id, of the same success
	must(t, err)
	wantReason(t, w.bring(sign(other, time.Hour)), "bad_signature")
	want(t, "what is recorded already", len(troubles(w.app)), 0)
	other.Header = standin.Sign("PUB_KEY_ID_OF_NOBODY", strangersKey(), time.Now(), other.Body)
	wantReason(t, w.bring(other), "bad_signature")
	want(t, "under a key of nobody's", len(troubles(w.app)), 0)

	note := w.bank.Seal("", "COUPON.USE", "coupon", "", map[string]any{"id": "1"}) // of no use to us
	must(t, w.bring(note))
	wantReason(t, w.bring(sign(note, time.Hour)), "bad_signature")
	want(t, "nor one that was of no use", len(troubles(w.app)), 0)
	wantReason(t, w.bring(sign(w.bank.Seal("", "COUPON.USE", "coupon", "", map[string]any{"id": "2"}), time.Hour)), "bad_signature")
	want(t, "another one is new, and late", fmt.Sprint(troubles(w.app)), "[clock_drift]")
}

// TestWhatAGoodNoticeShows: that the clock is right, and that the key is whose content it
// opened; not that another kind of notice is understood.
func TestWhatAGoodNoticeShows(t *testing.T) {
	w := newClub(t).withWeChat()
	_, _, no := w.held("c1")
	must(t, w.bank.Pay(no))
	wantReason(t, w.bring(w.bank.Seal("another-api-key-of-32-characters", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"out_trade_no": no})), "bad_notice")
	wantReason(t, w.bring(w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"out_trade_no": no, "trade_state": "FROZEN"})), "bad_notice")
	must(t, w.bring(w.bank.Seal("another-api-key-of-32-characters", "COUPON.USE", "coupon", "", map[string]any{"id": "1"})))
	want(t, "one that was not opened shows no key", fmt.Sprint(troubles(w.app)), "[unreadable not_understood]")
	w.wall.set(noon + 60)
	must(t, w.deliver())
	want(t, "one that was shows it", fmt.Sprint(troubles(w.app)), "[not_understood]")
	w.wall.set(noon + 86400)
	want(t, "a day later", len(troubles(w.app)), 0)
	wantReason(t, w.bring(w.bank.Seal("", "TRANSACTION.SUCCESS", "transaction", "", map[string]any{"out_trade_no": no, "trade_state": "FROZEN"})), "bad_notice")
	if found := w.app.NoticeTroubles(ctx); len(found) != 1 || found[0].Count != 1 {
		t.Errorf("what begins anew counts on: %+v", found)
	}
}

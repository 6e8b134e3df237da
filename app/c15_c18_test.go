package app_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"courtd/domain"
)

func TestC15_TheSameNoticeManyTimes(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other := c.second()
	a := c.customer("13800000001")
	o := c.book(a, basket("", goods("g1", 2), slotOn("2026-12-12", "c1", "17:30")))
	no := c.open(a, o)
	n := c.succeed(no)
	wantTally(t, race(12, func(i int) error { return both(c, other, i).take(n) }), map[string]int{"ok": 12})
	paid := "SELECT paid_at FROM reservations"
	want(t, "paid_at", c.count(paid), int(noon))
	c.round()
	c.wall.set(noon + 86400)
	h, b, err := c.bank.SignNotice(ctx, no)
	must(t, err)
	c.tell(news{h, b})
	c.round()
	want(t, "paid_at", c.count(paid), int(noon))
	want(t, "payments", c.count("SELECT count(*) FROM payments WHERE succeeded_at = ?", int64(noon)), 1)
	want(t, "paid notices", c.mail.kinds()["paid"], 1)
	want(t, "refunds", c.count("SELECT count(*) FROM refunds"), 0)
	want(t, "kept word for word", c.count("SELECT count(*) FROM provider_events WHERE about = ?", no), 13)
	want(t, "state", c.order(a, o.ID).State, "paid")
	c.sound()
}

func TestC16_TheNoticeNeverComes(t *testing.T) {
	t.Parallel()
	t.Run("the page asks", func(t *testing.T) {
		t.Parallel()
		c := newClub(t)
		a, b := c.customer("13800000001"), c.customer("13800000002")
		o := c.book(a, slots(slot("c1", "17:30")))
		c.succeed(c.open(a, o))
		_, err := c.app.CheckPayments(ctx, b, o.ID)
		wantReason(t, err, "not_found")
		o, err = c.app.CheckPayments(ctx, a, o.ID)
		must(t, err)
		want(t, "state", o.State, "paid")
	})
	t.Run("a round asks while it is held", func(t *testing.T) {
		t.Parallel()
		c := newClub(t)
		a := c.customer("13800000001")
		o := c.book(a, slots(slot("c1", "17:30")))
		no := c.open(a, o)
		c.round()
		want(t, "still held", c.order(a, o.ID).State, "held")
		c.succeed(no)
		c.round()
		want(t, "state", c.order(a, o.ID).State, "paid")
	})
	t.Run("a round asks before it settles", func(t *testing.T) {
		t.Parallel()
		c := newClub(t)
		a := c.customer("13800000001")
		o := c.book(a, basket("", goods("g1", 2), slot("c1", "17:30")))
		c.succeed(c.open(a, o))
		c.wall.set(noon + 700)
		rep := c.round()
		want(t, "paid", rep.Asked.Paid, 1)
		o = c.order(a, o.ID)
		want(t, "state", o.State, "paid")
		want(t, "late money", o.LateMoney.Verdict, "revived")
		want(t, "no lapse notice", c.mail.kinds()["lapsed"], 0)
		want(t, "stock", c.stock("g1"), 8)
		c.sound()
	})
	t.Run("nobody paid", func(t *testing.T) {
		t.Parallel()
		c := newClub(t)
		a := c.customer("13800000001")
		o := c.book(a, slots(slot("c1", "17:30")))
		no := c.open(a, o)
		c.wall.set(noon + 600)
		rep := c.round()
		want(t, "closed", rep.Asked.Closed, 1)
		want(t, "at the bank", c.count("SELECT count(*) FROM sandbox_payments WHERE out_trade_no = ? AND state = 'closed'", no), 1)
		want(t, "state", c.order(a, o.ID).State, "lapsed")
		want(t, "told", c.mail.kinds()["lapsed"], 1)
		want(t, "asked no more", c.round().Asked.Asked, 0)
		// Money that comes after the close is judged all the same.
		c.tell(c.succeed(no))
		want(t, "state", c.order(a, o.ID).State, "paid")
		c.sound()
	})
}

func TestC16_TheBankGivesNoAnswer(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	bank := c.moody()
	a, b := c.customer("13800000001"), c.customer("13800000002")
	s := slot("c1", "17:30")
	o := c.book(a, slots(s))
	no := c.open(a, o)
	bank.before = func(op, _ string) error { return errors.New("no route to bank: " + op) }
	c.wall.set(noon + 600)
	rep := c.round()
	want(t, "failed", rep.Asked.Failed, 1)
	want(t, "left for the next round", rep.Settled.Settled, 0)
	want(t, "no lapse notice", c.notices(o.ID, "lapsed"), 0)
	want(t, "free all the same", c.state(s), "free")
	c.book(b, slots(s)) // a rival settles at once; the question stays open
	want(t, "settled on contact", c.count("SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", o.ID), 1)
	c.succeed(no)
	bank.before = nil
	c.wall.set(noon + 600 + domain.Instant(domain.FirstRetry.Seconds()))
	c.round()
	o = c.order(a, o.ID)
	want(t, "refunded", o.State+o.LateMoney.Verdict, "lapsed"+"refunded")
	want(t, "back", o.Refunded, 6000)
	c.sound()
}

// Between the bank's answer and its being written down, other messages may come.
func TestC16_AnAnswerMayBeStale(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct{ op string }{"close": {"close"}, "query": {"query"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			bank := c.moody()
			a := c.customer("13800000001")
			o := c.book(a, slots(slot("c1", "17:30")))
			no := c.open(a, o)
			asked := 0
			bank.after = func(op, _ string) error {
				if op == k.op {
					asked++
					// Were this called inside the write transaction, this would never return.
					c.tell(c.succeed(no))
				}
				return nil
			}
			if k.op == "close" {
				c.wall.set(noon + 600)
			}
			c.round()
			want(t, "asked", asked, 1)
			o = c.order(a, o.ID)
			want(t, "state", o.State, "paid")
			want(t, "paid", o.Paid, 6000)
			want(t, "refunds", len(o.Refunds), 0)
			c.round()
			want(t, "state", c.order(a, o.ID).State, "paid")
			c.sound()
		})
	}
}

func TestC17_TheNumberIsKnownBeforeTheBankIsCalled(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	bank := c.moody()
	other := c.second()
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	var tried []string
	bank.before = func(op, no string) error {
		want(t, "committed, as another process sees it", other.count("SELECT count(*) FROM payments WHERE id = ?", no), 1)
		tried = append(tried, no)
		return errors.New("time-out")
	}
	_, err := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "key-1")
	wantReason(t, err, "provider_unavailable")
	bank.before = nil
	// The call that timed out may have reached the bank: its number is asked about.
	again, err := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "key-1")
	must(t, err)
	want(t, "the same attempt", again.OutTradeNo, tried[0])
	c.tell(c.succeed(again.OutTradeNo))
	want(t, "state", c.order(a, o.ID).State, "paid")
}

func TestC17_ANoticeAboutAnUnknownNumber(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	n := c.succeed(no)
	// As if the notice had overtaken the row.
	const unknown = "06zzzzzzzzzzzzzzzzzzzzzzzz"
	body := []byte(strings.ReplaceAll(string(n.body), no, unknown))
	h, err := c.bank.Sign(ctx, body)
	must(t, err)
	wantReason(t, c.take(news{h, body}), "unknown_payment") // so that it is sent again
	want(t, "kept", c.count("SELECT count(*) FROM provider_events WHERE about = ? AND outcome = 'unknown'", unknown), 1)
	want(t, "nothing else", c.order(a, o.ID).State, "held")
	c.tell(n)
	want(t, "state", c.order(a, o.ID).State, "paid")

	body = []byte(`{"id":"r1","refund":{"out_refund_no":"nobody","state":"succeeded","amount_fen":1}}`)
	h, err = c.bank.Sign(ctx, body)
	must(t, err)
	wantReason(t, c.take(news{h, body}), "unknown_payment")
}

func TestC18_TheSignatureIsOverTheRawBytes(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	c.succeed(no)
	body := []byte("\t{ \"attach\" : \"羽毛球\\u4e00号\\/é\",\r\n \"payment\":{\"app\":\"sandbox-app\",   \"merchant\":\"sandbox-merchant\", \"currency\":\"CNY\",\n" +
		"\"amount_fen\":6000, \"success_time\":1765339200, \"transaction_id\":\"t\", \"state\":\"succeeded\",\"out_trade_no\":\"" + no + "\"} , \"id\":\"n-1\" }\n")
	h, err := c.bank.Sign(ctx, body)
	must(t, err)
	for i := range body {
		bad := append([]byte(nil), body...)
		bad[i] ^= 1
		wantReason(t, c.take(news{h, bad}), "bad_signature")
	}
	wantReason(t, c.take(news{h, append(append([]byte(nil), body...), '\n')}), "bad_signature")
	for k := range h {
		less := map[string]string{}
		for other, v := range h {
			if other != k {
				less[other] = v
			}
		}
		wantReason(t, c.take(news{less, body}), "bad_signature")
	}
	want(t, "stored", c.count("SELECT count(*) FROM provider_events"), 0)
	want(t, "state", c.order(a, o.ID).State, "held")

	for _, change := range []func(string) string{strings.ToLower, strings.ToUpper, func(s string) string { return s }} {
		shouted := http.Header{}
		for k, v := range h {
			shouted.Set(change(k), v)
		}
		must(t, c.app.TakeNotice(ctx, "sandbox", shouted.Get, body))
	}
	want(t, "stored as it came", c.count("SELECT count(*) FROM provider_events WHERE body = ?", body), 3)
	want(t, "state", c.order(a, o.ID).State, "paid")

	// A notice whose time is five minutes from the venue's clock proves nothing.
	c.wall.set(noon + 300)
	wantReason(t, c.take(news{h, body}), "bad_signature")
	c.wall.set(noon + 299)
	c.tell(news{h, body})
}

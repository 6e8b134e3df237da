package app_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
	"courtd/reconciler"
)

// strict is the sandbox with the habits of a provider whose attempts can be opened
// again and need a while to be paid.
type strict struct {
	pay.Provider
	rules pay.Rules
	open  func(pay.Request) error // before the sandbox is asked
	calls []pay.Request
}

func (s *strict) Rules(string) pay.Rules { return s.rules }

func (s *strict) Open(ctx context.Context, r pay.Request) (pay.Opened, error) {
	s.calls = append(s.calls, r)
	if s.open != nil {
		if err := s.open(r); err != nil {
			return pay.Opened{}, err
		}
	}
	return s.Provider.Open(ctx, r)
}

func (c *club) strict(rules pay.Rules) *strict {
	c.t.Helper()
	s := &strict{Provider: c.bank, rules: rules}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	c.app = app.New(app.Config{DB: c.db, Providers: []pay.Provider{s}, Channel: c.mail, Log: log, Demo: true})
	c.rec = reconciler.New(c.app, log)
	return s
}

func (c *club) tryOpen(who app.Actor, o app.OrderView, ip string, key app.Key) (string, error) {
	p, err := c.app.OpenPayment(ctx, who, o.ID, "sandbox", ip, key)
	return p.OutTradeNo, err
}

// TestAnOpenAttemptIsOpenedAgain by its own request; what differs in anything is a new
// attempt, and so is one after the provider has done with the old.
func TestAnOpenAttemptIsOpenedAgain(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true, AtLeast: time.Minute, NeedsClientIP: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	one, err := c.tryOpen(a, o, "192.0.2.1", "k1")
	must(t, err)
	c.wall.set(noon + 60)
	two, err := c.tryOpen(a, o, "192.0.2.1", "k2")
	must(t, err)
	want(t, "again", two, one)
	want(t, "the request is the same to the letter", s.calls[1], s.calls[0])
	want(t, "and ends with the hold", s.calls[0].ExpiresAt, noon+600)
	three, err := c.tryOpen(a, o, "192.0.2.2", "k3")
	must(t, err)
	want(t, "from another address", three != one, true)
	s.open = func(r pay.Request) error {
		if r.OutTradeNo == one {
			return fmt.Errorf("ORDER_CLOSED: %w", pay.ErrNeedsNewNumber)
		}
		return nil
	}
	four, err := c.tryOpen(a, o, "192.0.2.1", "k2")
	must(t, err)
	want(t, "with a new number", four != one && four != three, true)
	want(t, "the old one is closed", c.count("SELECT closed_at FROM payments WHERE id = ?", one), int(noon+60))
	c.wall.set(noon + 540)
	_, err = c.tryOpen(a, o, "192.0.2.1", "k4")
	must(t, err)
	c.wall.set(noon + 541)
	_, err = c.tryOpen(a, o, "192.0.2.1", "k4")
	wantReason(t, err, "too_late")
	want(t, "what the bank shows", s.calls[0].Description, "测试球馆 "+o.Number)
}

// TestAWayThatIsNotOffered opens nothing, and what was opened by it is still judged.
func TestAWayThatIsNotOffered(t *testing.T) {
	w := newClub(t).withWeChat()
	who, o, no := w.held("c1")
	w.provider, w.app, w.rec = w.offering("jsapi")
	want(t, "offered", fmt.Sprint(w.app.Vias()), "[wechat_jsapi]")
	_, err := w.app.OpenPayment(ctx, who, o.ID, "wechat_native", "", "")
	wantReason(t, err, "invalid_field")
	must(t, w.bank.Pay(no))
	must(t, w.deliver())
	want(t, "paid by the way that was", w.order(who, o.ID).State, "paid")
	_, err = w.app.CancelOrder(ctx, who, o.ID, "")
	must(t, err)
	w.round()
	want(t, "and refunded", len(w.bank.Ledger()[no].Refunds), 1)
}

// TestPaidMeanwhile: an attempt that the provider will not open because it is paid is
// asked about, and its money judged at once.
func TestPaidMeanwhile(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no, err := c.tryOpen(a, o, "", "")
	must(t, err)
	c.succeed(no) // and the notice is lost
	_, err = c.tryOpen(a, o, "", "")
	wantReason(t, err, "already_paid")
	want(t, "state", c.order(a, o.ID).State, "paid")
	want(t, "calls", len(s.calls), 2)
}

// TestWeChatPaymentNeedsAnOpenID, which becomes part of the request.
func TestWeChatPaymentNeedsAnOpenID(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true, NeedsOpenID: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	_, err := c.tryOpen(a, o, "", "k")
	wantReason(t, err, "wechat_sign_in_needed")
	want(t, "nothing was written", c.count("SELECT count(*) FROM payments"), 0)
	c.sql("UPDATE customers SET openid = 'openid-a' WHERE id = ?", a.ID)
	_, err = c.tryOpen(a, o, "", "k")
	must(t, err)
	want(t, "payer", s.calls[0].PayerOpenID, "openid-a")
}

// TestAFreshAttemptIsNotGivenUpAsUnknown: a call that opens it may still be on its way
// when the order is cancelled; two minutes after the call "never heard of it" is final.
func TestAFreshAttemptIsNotGivenUpAsUnknown(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true})
	lost := true
	s.open = func(pay.Request) error {
		if lost {
			return context.DeadlineExceeded
		}
		return nil
	}
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	_, err := c.tryOpen(a, o, "", "")
	wantReason(t, err, "provider_unavailable")
	c.cancel(a, o.ID)
	c.wall.set(noon + 119)
	rep := c.round()
	want(t, "a second before", fmt.Sprint(rep.Asked.Failed, rep.Asked.Closed), "1 0")
	lost = false
	_, err = s.Open(ctx, s.calls[0]) // now it arrives
	must(t, err)
	_, _, err = c.bank.Succeed(ctx, s.calls[0].OutTradeNo)
	must(t, err)
	c.wall.set(noon + 400)
	c.round()
	want(t, "its money goes back", c.refunded(o.ID), 6000)
	other := c.book(a, slots(slot("c2", "17:30")))
	lost = true
	_, err = c.tryOpen(a, other, "", "")
	wantReason(t, err, "provider_unavailable")
	c.cancel(a, other.ID)
	c.wall.set(noon + 400 + 120)
	want(t, "after two minutes", c.round().Asked.Closed, 1)
}

// TestMoneyAfterTheClose whose notice is lost too is found by a second look: a quarter
// of an hour, two hours and a day after the close, and then no more.
func TestMoneyAfterTheClose(t *testing.T) {
	for _, late := range []domain.Instant{1, 899, 901, 7199, 86399} {
		c := newClub(t)
		a := c.customer("13800000001")
		o := c.book(a, slots(slot("c1", "17:30")))
		no := c.open(a, o)
		c.wall.set(noon + 600)
		c.round()
		closed := noon + 600
		want(t, "closed", c.count("SELECT closed_at FROM payments"), int(closed))
		for _, look := range []domain.Instant{900, 7200, 86400} {
			if late < look {
				c.wall.set(closed + late)
				c.succeed(no)
				c.wall.set(closed + look - 1)
				c.round()
				want(t, fmt.Sprintf("paid %d s after the close, a second before %d", late, look), c.count("SELECT succeeded_at IS NULL FROM payments"), 1)
				c.wall.set(closed + look)
				c.round()
				want(t, fmt.Sprintf("paid %d s after the close, at %d", late, look), c.count("SELECT succeeded_at FROM payments"), int(closed+look))
				break
			}
			c.wall.set(closed + look)
			c.round()
		}
		want(t, "no more looks", strings.Join(c.column("SELECT coalesce(look_again_at, 0) FROM payments WHERE succeeded_at IS NULL"), " "), "")
	}
	c := newClub(t)
	a := c.customer("13800000001")
	c.open(a, c.book(a, slots(slot("c1", "17:30"))))
	asked := 0
	for _, at := range []domain.Instant{600, 1500, 7800, 87000, 100_000, 1_000_000} {
		c.wall.set(noon + at)
		asked += c.round().Asked.Asked
	}
	want(t, "questions in all", asked, 4)
}

// TestALookThatSawNothingIsNone: while the provider does not answer, the looks go on.
func TestALookThatSawNothingIsNone(t *testing.T) {
	w := newClub(t).withWeChat()
	_, o, no := w.held("c1")
	w.wall.set(noon + 600)
	w.round()
	w.bank.On(standin.CallQuery, "", standin.FailBefore, 0)
	for _, look := range []domain.Instant{900, 7200, 86400, 90000} {
		w.wall.set(noon + 600 + look)
		w.round()
	}
	w.bank.Behave()
	w.bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	must(t, w.bank.PayAnyway(no))
	w.wall.set(noon + 600 + 90900)
	w.round()
	want(t, "found and given back", w.count("SELECT count(*) FROM payments WHERE succeeded_at IS NOT NULL AND order_id = ?", o.ID), 1)
}

package app_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// TestNoChannelStopsItselfForAYear: what it asks for is granted within bounds.
func TestNoChannelStopsItselfForAYear(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error {
		return notify.LaterError{After: 365 * 24 * time.Hour, Err: errors.New("429")}
	})
	m.deliver()
	want(t, "paused for", domain.InstantOf(*m.view("sms").PausedUntil)-noon, domain.Instant(domain.MaxRetry/time.Second))
}

// TestAStartWithoutSettingsLosesNothing: what waits for a channel that is not set up any
// more is dropped only when it has not been for a day.
func TestAStartWithoutSettingsLosesNothing(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error { return notify.ErrDown })
	m.deliver()
	_, err := m.app.ChangeMessages(ctx, m.owner, "channels", func(s *domain.Messages) error { s.SetUp = nil; return nil })
	must(t, err)
	const dropped = "SELECT count(*) FROM deliveries WHERE why = 'not_set_up'"
	day := domain.Instant(domain.GiveUpAfterDown / time.Second)
	m.wall.set(noon + day - 1)
	m.deliver()
	want(t, "within a day", m.count(dropped), 0)
	m.wall.set(noon + day + domain.Instant(domain.MaxRetry/time.Second))
	m.deliver()
	want(t, "after it", m.count(dropped) > 0, true)
}

// TestATestSpendsWhatWasAllowed: WeChat counts it, and so does courtd.
func TestATestSpendsWhatWasAllowed(t *testing.T) {
	m := newClub(t).withChannels()
	m.wechatUser()
	must(t, m.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.AllowMessage("openid-a", "TPL", 50) }))
	must(t, m.app.SendTest(ctx, m.owner, app.TestMessage{Channel: "wechat", Kind: "paid", Phone: "13800000001"}))
	want(t, "left", m.count("SELECT left_over FROM allowances"), 0)
}

// TestSoManyAttemptsAreOpen at once and no more: past that the newest is opened again.
func TestSoManyAttemptsAreOpen(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true, NeedsClientIP: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	newest := ""
	for i := range domain.MaxOpenAttempts + 3 {
		no, err := c.tryOpen(a, o, fmt.Sprintf("192.0.2.%d", i), app.Key(fmt.Sprint("k", i)))
		must(t, err)
		if i >= domain.MaxOpenAttempts {
			want(t, "opened again", no, newest)
		}
		newest = no
	}
	want(t, "attempts", c.count("SELECT count(*) FROM payments"), domain.MaxOpenAttempts)
	want(t, "the last call is of the newest", s.calls[len(s.calls)-1].OutTradeNo, newest)
}

// TestWhatNamesThePayerIsNotKept: what a page needs to pay with is kept for when it is
// loaded again, but not where it is somebody's own.
func TestWhatNamesThePayerIsNotKept(t *testing.T) {
	for _, rules := range []pay.Rules{{Replays: true}, {Replays: true, NeedsOpenID: true}} {
		c := newClub(t)
		c.strict(rules)
		a := c.customer("13800000001")
		c.sql("UPDATE customers SET openid = 'openid-a' WHERE id = ?", a.ID)
		_, err := c.tryOpen(a, c.book(a, slots(slot("c1", "17:30"))), "", "k")
		must(t, err)
		want(t, "kept", c.count("SELECT count(*) FROM payments WHERE opened <> ''") > 0, !rules.NeedsOpenID)
	}
}

// TestAPhoneThatChangesItsNetwork pays the attempt that it has, where its address is no
// part of the request.
func TestAPhoneThatChangesItsNetwork(t *testing.T) {
	c := newClub(t)
	s := c.strict(pay.Rules{Replays: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	one, err := c.tryOpen(a, o, "192.0.2.1", "k1")
	must(t, err)
	two, err := c.tryOpen(a, o, "198.51.100.1", "k2")
	must(t, err)
	want(t, "the same attempt", two, one)
	want(t, "and the same request", s.calls[1], s.calls[0])
}

// TestALookThatClosesAnAttemptIsNotTheLast: one that a bill has marked is open still, and
// being closed by the question it has all its looks before it.
func TestALookThatClosesAnAttemptIsNotTheLast(t *testing.T) {
	c := newClub(t)
	c.strict(pay.Rules{Replays: true})
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no, err := c.tryOpen(a, o, "", "k")
	must(t, err)
	c.wall.set(noon + 700) // the hold is over
	c.sql("UPDATE payments SET look_again_at = ?, next_ask_at = ? WHERE id = ?", int64(noon), int64(noon+86400), no)
	c.round()
	want(t, "closed", c.count("SELECT closed_at FROM payments WHERE id = ?", no), int(noon+700))
	want(t, "and looked at again", c.count("SELECT look_again_at FROM payments WHERE id = ?", no), int(noon+700+900))
}

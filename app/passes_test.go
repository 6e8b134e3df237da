package app_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/domain"
)

// TestAPassTakesItsTimeAndNoMore: what a slow channel does not come to in one pass goes
// out in the next, once, and nothing is said to have gone wrong.
func TestAPassTakesItsTimeAndNoMore(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.app.SetPassBudget(60 * time.Millisecond)
	for i := range 6 {
		m.paidAt(m.customer(fmt.Sprintf("1380000000%d", i)), slot(fmt.Sprintf("c%d", i+1), "17:30"))
	}
	m.sql("DELETE FROM deliveries WHERE notice_id IN (SELECT id FROM notices WHERE kind <> 'paid')")
	m.sms.got = nil // the login codes
	m.sms.failing(func(notify.Message) error { time.Sleep(25 * time.Millisecond); return nil })
	first := m.deliver()
	want(t, "the first pass ends before its work", first.Sent >= 1 && first.Sent < 6 && first.Failed == 0, true)
	want(t, "nothing failed", m.count("SELECT count(*) FROM deliveries WHERE last_error <> '' OR gave_up_at IS NOT NULL"), 0)
	want(t, "the channel is well", m.view("sms").State, "ok")
	sent := first.Sent
	for passes := 0; sent < 6 && passes < 6; passes++ {
		sent += m.deliver().Sent
	}
	got := map[string]int{}
	for _, message := range m.sms.got {
		got[message.ID]++
	}
	want(t, "each once", fmt.Sprint(sent, len(got), len(m.sms.got)), "6 6 6")
}

// TestWhatIsSentAgainHasItsWholeTime: a message that is put back after days is not given
// up at the first tries that its channel does not work.
func TestWhatIsSentAgainHasItsWholeTime(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	hook := m.listening("order.paid")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.deliver()
	later := noon + 3*24*3600
	m.wall.set(later)
	m.sms.failing(func(notify.Message) error { return notify.ErrDown })
	m.hooks.fail = notify.ErrDown
	must(t, m.app.ResendNotice(ctx, m.owner, m.column("SELECT id FROM notices WHERE kind = 'paid'")[0]))
	n, err := m.app.ReplayEvents(ctx, m.owner, hook.ID, noon, noon+1, "")
	must(t, err)
	want(t, "told again", n, 1)
	const given = "SELECT count(*) FROM deliveries WHERE gave_up_at IS NOT NULL AND channel IN ('sms', ?)"
	for now := later; now < later+domain.Instant(domain.GiveUpAfterDown/time.Second); now += 3600 {
		m.wall.set(now)
		m.deliver()
	}
	want(t, "tried often", m.count("SELECT min(tries) FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL") >= domain.MaxNoticeTries, true)
	want(t, "and not given up within a day", m.count(given, hook.Channel()), 0)
	m.wall.set(later + 2*24*3600)
	m.deliver()
	want(t, "but in the end", m.count(given, hook.Channel()), 2)
}

// TestAWebhookThatIsGoneIsSwitchedOff: it says so itself, and is told no more until the
// owner switches it on and replays.
func TestAWebhookThatIsGoneIsSwitchedOff(t *testing.T) {
	m := newClub(t).withChannels()
	hook := m.listening("order.paid")
	m.hooks.fail = notify.ErrGone
	a := m.customer("13800000001")
	m.paidAt(a, slot("c1", "17:30"))
	m.deliver()
	v := m.view(hook.Channel())
	want(t, "switched off", fmt.Sprint(v.SetUp, v.State), "falsenot_set_up")
	want(t, "and says why", v.LastError, notify.ErrGone.Error())
	want(t, "with a record", m.count("SELECT count(*) FROM audit WHERE action = 'change webhooks' AND role = 'system' AND instr(detail, '.active') > 0"), 1)
	m.wall.set(noon + 3600)
	m.deliver()
	want(t, "what waited is dropped", m.count("SELECT count(*) FROM deliveries WHERE channel = ? AND why = 'not_set_up'", hook.Channel()), 1)
	m.hooks.fail = nil
	_, err := m.app.ChangeWebhook(ctx, m.owner, hook.ID, func(w *domain.Webhook) { w.Active = true })
	must(t, err)
	_, err = m.app.ReplayEvents(ctx, m.owner, hook.ID, noon, noon+1, "")
	must(t, err)
	m.deliver()
	want(t, "told in the end", m.hooks.kinds(), "order.paid")

	m.routed("sms")
	m.sms.failing(func(notify.Message) error { return notify.ErrGone })
	m.paidAt(a, slot("c2", "17:30"))
	m.deliver()
	want(t, "a gateway for SMS is not refused for good", m.count("SELECT count(*) FROM deliveries WHERE channel = 'sms' AND dropped_at IS NOT NULL AND why = 'refused'"), 0)
	want(t, "of a wrong kind", errors.Is(notify.ErrGone, notify.ErrRefused), false)
}

// TestACodeThatDidNotGoIsSeen on its channel, which is not left alone for it, until the
// next one goes or somebody says that it is mended.
func TestACodeThatDidNotGoIsSeen(t *testing.T) {
	m := newClub(t).withChannels()
	ask := func() error {
		sent, err := m.app.SendLoginCode(ctx, "13800000001", "home")
		if err == nil {
			want(t, "sent by", sent.By, "sms")
		}
		return err
	}
	must(t, ask())
	want(t, "one that goes", m.view("sms").State, "ok")
	m.wall.set(noon + 60)
	m.sms.failing(func(notify.Message) error { return fmt.Errorf("%w: no template", notify.ErrRefused) })
	wantReason(t, ask(), "code_not_sent")
	v := m.view("sms")
	want(t, "one that does not", fmt.Sprint(v.State, " ", v.LastError, " ", domain.InstantOf(*v.LastErrorAt)-noon), "failing refused for good: no template 60")
	want(t, "and it is no reason to pause", v.PausedUntil == nil && v.Fails == 0 && v.SentToday == 0, true)
	must(t, m.app.WakeChannel(ctx, m.owner, "sms"))
	want(t, "mended, somebody says", m.view("sms").State, "ok")
	wantReason(t, ask(), "code_not_sent")
	want(t, "it is not", m.view("sms").State, "failing")
	m.sms.failing(nil)
	m.wall.set(noon + 120)
	must(t, ask())
	want(t, "now it is", m.view("sms").State, "ok")
}

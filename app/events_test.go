package app_test

import (
	"errors"
	"fmt"
	"testing"

	"courtd/app"
	"courtd/domain"
)

// listening has the venue's software told of some kinds of events.
func (m messengers) listening(kinds ...string) domain.Webhook {
	m.t.Helper()
	w, err := m.app.AddWebhook(ctx, m.owner, "https://venue.example/events", kinds, "")
	must(m.t, err)
	return w.Webhook
}

// TestAFreedSlotIsTold, once, whoever writes the ending down, also when only time has
// caused it; and not when somebody else has it already.
func TestAFreedSlotIsTold(t *testing.T) {
	m := newClub(t).withChannels()
	m.listening(domain.EventSlotFreed)
	a, b := m.customer("13800000001"), m.customer("13800000002")
	held := m.book(a, slots(slot("c1", "17:30")))
	m.book(a, slots(slot("c2", "17:30")))
	m.wall.set(noon + 599)
	m.round()
	want(t, "a second before the hold ends", m.hooks.kinds(), "")
	m.wall.set(noon + 600)
	m.book(b, slots(slot("c2", "17:30"))) // settles the lapse on contact
	m.round()
	m.round()
	want(t, "told", m.hooks.kinds(), "slot.freed")
	e := m.hooks.got[0]
	want(t, "of", fmt.Sprintln(e.Order == held.ID, e.State, e.Slots[0].Court, domain.InstantOf(e.Slots[0].Start) == at("2026-12-10T17:30:00+08:00")), "true lapsed c1 true\n")
	want(t, "not of the other", m.count("SELECT count(*) FROM deliveries WHERE why = 'slot_not_free'"), 1)

	paid := m.paidAt(a, slot("c3", "17:30"))
	m.cancel(a, paid.ID)
	m.round()
	want(t, "a cancellation", len(m.hooks.got), 2)
	shown := m.paidAt(a, slot("c4", "14:30"))
	m.round()
	m.clock("16:00:00") // the end: nobody has come, and nothing is free before it
	m.round()
	want(t, "a no-show to the end of the slot frees nothing", fmt.Sprint(m.order(a, shown.ID).State, len(m.hooks.got)), "no_show3")
	want(t, "of b's hold on court 2", m.hooks.got[2].Slots[0].Court, "c2")
}

// TestANoShowFreesTheRestOfItsSlot where the venue releases it after a while.
func TestANoShowFreesTheRestOfItsSlot(t *testing.T) {
	m := newClub(t).withChannels()
	m.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	m.listening(domain.EventSlotFreed)
	m.paidAt(m.customer("13800000001"), slot("c1", "14:30"))
	m.clock("14:44:59")
	m.round()
	want(t, "before", m.hooks.kinds(), "")
	m.clock("14:45:00")
	m.round()
	want(t, "from that second", m.hooks.kinds(), "slot.freed")
}

// TestEventsGoWithNotices: one of each kind that somebody listens to, and what is told
// again has the same id.
func TestEventsGoWithNotices(t *testing.T) {
	m := newClub(t).withChannels()
	hook := m.listening("order.paid", "order.cancelled")
	m.hooks.fail = errors.New("down")
	a := m.customer("13800000001")
	o := m.paidAt(a, slot("c1", "17:30"))
	m.cancel(a, o.ID)
	m.round()
	want(t, "while it is down", len(m.hooks.got), 0)
	m.hooks.fail = nil
	m.wall.set(noon + 120)
	m.round()
	want(t, "when it is back", m.hooks.kinds(), "order.paid order.cancelled")
	n, err := m.app.ReplayEvents(ctx, m.owner, hook.ID, noon, noon+1, "key")
	must(t, err)
	want(t, "told again", n, 2)
	n, err = m.app.ReplayEvents(ctx, m.owner, hook.ID, noon, noon+1, "key")
	must(t, err)
	want(t, "the same again says the same", n, 2)
	m.round()
	want(t, "once more each", m.hooks.kinds(), "order.paid order.cancelled order.paid order.cancelled")
	want(t, "under the same id", m.hooks.got[0].ID == m.hooks.got[2].ID && m.hooks.got[0].ID != m.hooks.got[1].ID, true)
	want(t, "a refund that nobody listens to is not kept", m.count("SELECT count(*) FROM events"), 2)
	n, err = m.app.ReplayEvents(ctx, m.owner, hook.ID, noon+1, noon+1000, "")
	must(t, err)
	want(t, "nothing from later", n, 0)
	const known = "SELECT count(*) FROM channel_state WHERE channel = ?"
	want(t, "how it did is known", m.count(known, hook.Channel()), 1)
	must(t, m.app.RemoveWebhook(ctx, m.owner, hook.ID))
	want(t, "until it is removed", m.count(known, hook.Channel()), 0)
	m.paidAt(a, slot("c2", "17:30"))
	want(t, "nobody listens", m.count("SELECT count(*) FROM events"), 2)
	m.wall.set(noon + 91*86400)
	m.round()
	want(t, "forgotten in the end", m.count("SELECT count(*) FROM events")+m.count("SELECT count(*) FROM deliveries WHERE event_id IS NOT NULL"), 0)
}

// TestWebhookSecrets are shown, change when they are renewed, and are in no row.
func TestWebhookSecrets(t *testing.T) {
	m := newClub(t).withChannels()
	made, err := m.app.AddWebhook(ctx, m.owner, "https://venue.example/events", []string{"order.paid"}, "key")
	must(t, err)
	again, err := m.app.AddWebhook(ctx, m.owner, "https://venue.example/events", []string{"order.paid"}, "key")
	must(t, err)
	want(t, "as before", again.ID == made.ID && again.Secret == made.Secret, true)
	renewed, err := m.app.RenewWebhookSecret(ctx, m.owner, made.ID, "r")
	must(t, err)
	want(t, "another", renewed.Secret != made.Secret, true)
	once, err := m.app.RenewWebhookSecret(ctx, m.owner, made.ID, "r")
	must(t, err)
	want(t, "the same key renews once", once.Secret, renewed.Secret)
	again, err = m.app.AddWebhook(ctx, m.owner, "https://venue.example/events", []string{"order.paid"}, "key")
	must(t, err)
	want(t, "who adds again is told what they were told", again.Secret, made.Secret)
	want(t, "in no row", m.count("SELECT count(*) FROM venue WHERE instr(messages, 'secret of') > 0"), 0)
	for _, bad := range []string{"", "ftp://venue.example", "https://user:password@venue.example/", "venue.example", "https://",
		"http://169.254.169.254/latest", "http://[::ffff:169.254.169.254]/", "http://[fe80::1]/", "http://0.0.0.0/", "http://127.0.0.1:99999/", "http://a.b:0/"} {
		_, err := m.app.AddWebhook(ctx, m.owner, bad, []string{"order.paid"}, "")
		wantReason(t, err, "invalid_field")
	}
	_, err = m.app.AddWebhook(ctx, m.owner, "https://venue.example/", []string{"order.unknown"}, "")
	wantReason(t, err, "invalid_field")
	for _, who := range []app.Actor{m.desk, m.customer("13800000009"), {}} {
		_, err = m.app.AddWebhook(ctx, who, "https://venue.example/", []string{"order.paid"}, "")
		wantReason(t, err, "forbidden")
		_, err = m.app.RenewWebhookSecret(ctx, who, made.ID, "")
		wantReason(t, err, "forbidden")
		wantReason(t, m.app.RemoveWebhook(ctx, who, made.ID), "forbidden")
		_, err = m.app.ReplayEvents(ctx, who, made.ID, noon, noon+1, "")
		wantReason(t, err, "forbidden")
		wantReason(t, m.app.WakeChannel(ctx, who, "sms"), "forbidden")
		wantReason(t, m.app.SendTest(ctx, who, app.TestMessage{Channel: "sms", Kind: "paid", Phone: "13800000001"}), "forbidden")
	}
	_, err = m.app.RenewWebhookSecret(ctx, m.owner, "no-such", "")
	wantReason(t, err, "not_found")
}

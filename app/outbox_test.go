package app_test

import (
	"errors"
	"fmt"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// TestOutboxTriesFurtherApartAndGivesUp: 1, 2, 4 … minutes, eight tries, then the
// notice is shown as given up, and the desk can send it again.
func TestOutboxTriesFurtherApartAndGivesUp(t *testing.T) {
	c := newClub(t)
	c.mail.failing(func(notify.Message) error { return errors.New("43101: not subscribed") })
	c.manyOrders(1, "g1", "cash")
	id := c.column("SELECT id FROM notices")[0]
	deliver := func() app.DeliverReport {
		t.Helper()
		rep, err := c.app.DeliverNotices(ctx)
		must(t, err)
		return rep
	}
	now, wait := noon, domain.Instant(60)
	for try := 1; try <= 8; try++ {
		want(t, fmt.Sprintf("try %d", try), deliver().Failed, 1)
		want(t, "counted", c.count("SELECT tries FROM notices"), try)
		want(t, "again in the same second", deliver().Failed, 0)
		c.wall.set(now + wait - 1)
		want(t, "one second early", deliver().Failed, 0)
		now, wait = now+wait, wait*2
		c.wall.set(now)
	}
	c.wall.set(now + 30*86400)
	want(t, "a ninth try", deliver().Failed, 0)
	view, err := c.app.Reconciler(ctx)
	must(t, err)
	want(t, "given up", view.GaveUp, 1)
	list, err := c.app.Outbox(ctx, app.Page{})
	must(t, err)
	want(t, "shown as", list.Items[0].State, "gave_up")
	want(t, "with its problem", list.Items[0].Why, "43101: not subscribed")
	c.mail.failing(nil)
	must(t, c.app.ResendNotice(ctx, c.desk, id))
	want(t, "sent by hand", deliver().Sent, 1)
	want(t, "once", c.mail.ids()[id], 1)
	must(t, c.app.ResendNotice(ctx, c.desk, id))
	want(t, "and what was sent can be sent again", deliver().Sent, 1)
	want(t, "with a record of who asked", c.count("SELECT count(*) FROM audit WHERE action = 'resend notice' AND actor = ?", c.desk.ID), 2)
	wantReason(t, c.app.ResendNotice(ctx, c.desk, "no-such-notice"), "not_found")
}

// TestOutboxResentByHandIsJudgedAgain: what is no longer true is not sent for anybody.
func TestOutboxResentByHandIsJudgedAgain(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	c.clock("15:30:00")
	c.round()
	id := c.column("SELECT id FROM notices WHERE kind = 'reminder'")[0]
	c.cancel(a, o.ID)
	must(t, c.app.ResendNotice(ctx, c.desk, id))
	c.round()
	want(t, "reminders", c.mail.about(o.ID, "reminder"), 1)
	want(t, "why not", c.count("SELECT count(*) FROM notices WHERE id = ? AND dropped_at IS NOT NULL AND drop_reason <> ''", id), 1)
}

// TestOutboxTwoDeliverers share the work by leases: each message once.
func TestOutboxTwoDeliverers(t *testing.T) {
	c := newClub(t)
	other := c.second()
	c.manyOrders(60, "g1", "cash")
	both := []*club{c, other}
	together(t, 4, func(i int) error { _, err := both[i%2].app.DeliverNotices(ctx); return err })
	got := union(c.mail.ids(), other.mail.ids())
	want(t, "messages", len(got), 60)
	for id, n := range got {
		want(t, "deliveries of "+id, n, 1)
	}
	want(t, "tries", c.count("SELECT max(tries) FROM notices"), 1)
}

// TestOutboxASlowDelivererKeepsItsLease: while it sends, nobody else does.
func TestOutboxASlowDelivererKeepsItsLease(t *testing.T) {
	c := newClub(t)
	other := c.second()
	c.manyOrders(1, "g1", "cash")
	c.mail.failing(func(notify.Message) error {
		c.wall.set(noon + 59)
		rep, err := other.app.DeliverNotices(ctx)
		if err != nil || rep != (app.DeliverReport{}) {
			t.Errorf("the other did %+v, %v", rep, err)
		}
		return nil
	})
	rep, err := c.app.DeliverNotices(ctx)
	must(t, err)
	want(t, "sent", rep.Sent, 1)
	want(t, "elsewhere", len(other.mail.ids()), 0)
}

package app_test

import (
	"errors"
	"testing"

	"courtd/app/notify"
)

// TestWhatWasNotTrueAnyMoreCounts: of several ways by which a notice did not go, the one
// that says that it had lost its reason, whichever word comes first in the alphabet.
func TestWhatWasNotTrueAnyMoreCounts(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms", "mail")
	a := m.customer("13800000001")
	m.sql("UPDATE customers SET email = 'a@example.com'")
	m.sms.failing(func(notify.Message) error { return notify.ErrRefused })
	m.email.failing(func(notify.Message) error { return errors.New("later") })
	o := m.book(a, slots(slot("c1", "17:30")))
	m.deliver()
	const held = "SELECT coalesce(drop_reason, '') FROM notices WHERE kind = 'held' AND order_id = ?"
	want(t, "while one may still go", m.column(held, o.ID)[0], "")
	m.cancel(a, o.ID)
	m.wall.set(noon + 300)
	m.deliver()
	want(t, "in the end", m.column(held, o.ID)[0], "order_cancelled")
	want(t, "the words of its ways", m.count("SELECT count(*) FROM deliveries d JOIN notices n ON n.id = d.notice_id WHERE n.kind = 'held' AND d.why IN ('refused', 'order_cancelled')"), 2)
}

package app_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// TestC36_AReminderIsJudgedWhenItIsSent takes the reason away between queueing and sending.
func TestC36_AReminderIsJudgedWhenItIsSent(t *testing.T) {
	for name, change := range map[string]func(*club, app.Actor, app.OrderView){
		"cancelled": func(c *club, a app.Actor, o app.OrderView) { c.cancel(a, o.ID) },
		"moved":     func(c *club, _ app.Actor, o app.OrderView) { mustMove(c, o, slotOn("2026-12-11", "c1", "17:30")) },
		"closed": func(c *club, _ app.Actor, _ app.OrderView) {
			_, err := c.close("17:00", "20:00", true, "c1")
			must(c.t, err)
		},
		"checked in": func(c *club, _ app.Actor, o app.OrderView) {
			c.clock("17:00:00")
			want(c.t, "scan", c.scan(o.Ticket.Code).Result, "ok")
		},
		"begun": func(c *club, _ app.Actor, _ app.OrderView) { c.clock("17:30:00") },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClub(t)
			a := c.customer("13800000001")
			o := c.paidAt(a, slot("c1", "17:30"))
			c.clock("15:29:59")
			c.round()
			want(t, "queued too early", c.notices(o.ID, "reminder"), 0)
			c.clock("15:30:00")
			n, err := c.app.QueueReminders(ctx)
			must(t, err)
			want(t, "queued", n, 1)
			change(c, a, o)
			c.round()
			want(t, "reminded", c.mail.about(o.ID, "reminder"), 0)
			want(t, "dropped and why", c.count("SELECT count(*) FROM notices WHERE kind = 'reminder' AND dropped_at IS NOT NULL AND drop_reason <> ''"), 1)
		})
	}
}

func mustMove(c *club, o app.OrderView, to app.SlotRef) {
	c.t.Helper()
	_, err := c.move(o.Reservations[0].ID, to)
	must(c.t, err)
}

func TestC36_OneReminderAtTheNewTime(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	c.clock("15:30:00")
	c.round()
	want(t, "reminded of the first time", c.mail.about(o.ID, "reminder"), 1)
	mustMove(c, o, slotOn("2026-12-11", "c2", "17:30"))
	for _, clock := range []string{"2026-12-11T15:29:59+08:00", "2026-12-11T15:30:00+08:00", "2026-12-11T15:35:00+08:00"} {
		c.wall.set(at(clock))
		c.round()
	}
	want(t, "and once of the new one", c.mail.about(o.ID, "reminder"), 2)
	// Booked or moved closer to its start than that, there is none.
	late := c.paidAt(a, slotOn("2026-12-11", "c3", "16:00"))
	c.wall.set(at("2026-12-11T15:50:00+08:00"))
	c.round()
	want(t, "booked at the last moment", c.mail.about(late.ID, "reminder"), 0)
}

// TestC36_NoWordOfWhatIsNoLongerTrue: the message waits while its reason goes.
func TestC36_NoWordOfWhatIsNoLongerTrue(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	down := func(notify.Message) error { return errors.New("the message service is down") }
	c.mail.failing(down)
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	c.wall.set(noon + 600)
	c.round()
	want(t, "lapse notice waits", c.notices(o.ID, "lapsed"), 1)
	c.tell(c.succeed(no))
	want(t, "revived", c.order(a, o.ID).State, "paid")
	c.clock("19:00:00")
	c.round()
	want(t, "no-show notice waits", c.notices(o.ID, "no_show"), 1)
	_, err := c.app.UndoNoShow(ctx, c.desk, c.order(c.desk, o.ID).Reservations[0].ID, "他在场", "")
	must(t, err)
	c.mail.failing(nil)
	c.clock("21:00:00")
	c.round()
	got := c.mail.kinds()
	want(t, "lapse notice after the revival", got["lapsed"], 0)
	want(t, "no-show notice after the undo", got["no_show"], 0)
	want(t, "pay-by notice of a paid order", got["held"], 0)
	want(t, "late money", got["late_money"], 1)
	list, err := c.app.Notices(ctx, a, app.Page{})
	must(t, err)
	for _, n := range list.Items {
		if n.Kind == "lapsed" || n.Kind == "no_show" {
			t.Fatalf("the customer's list still says %s", n.Kind)
		}
	}
}

func TestC37_OneReminderFromTwoWriters(t *testing.T) {
	c := newClub(t)
	people := c.crowd(6)
	for i, who := range people {
		c.paidAt(who, slot(fmt.Sprintf("c%d", i+1), "17:30"), slot(fmt.Sprintf("c%d", i+1), "19:00"))
	}
	c.clock("15:25:00")
	c.round()
	other := c.second()
	sent := map[string]int{}
	for minute := range 20 {
		c.wall.set(at("2026-12-10T15:25:00+08:00") + domain.Instant(60*minute))
		if minute == 8 { // one of them restarts
			for id, n := range other.mail.ids() {
				sent[id] += n
			}
			other = c.second()
		}
		both := []*club{c, other}
		together(t, 2, func(i int) error { _, err := both[i].rec.RunOnce(ctx); return err })
	}
	for _, from := range []*club{c, other} {
		for id, n := range from.mail.ids() {
			sent[id] += n
		}
	}
	reminders := 0
	for id, n := range sent {
		want(t, "deliveries of "+id, n, 1)
		reminders += c.count("SELECT count(*) FROM notices WHERE id = ? AND kind = 'reminder'", id)
	}
	want(t, "one reminder for each order's day", reminders, 6)
}

// TestC38_DownAndUpAgain: nothing is marked as sent while nothing is, and what
// matters does not wait for the message.
func TestC38_DownAndUpAgain(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	c.mail.failing(func(notify.Message) error { return errors.New("down") })
	lapsed := c.book(a, basket("", goods("g1", 3), slot("c1", "17:30")))
	cancelled := c.paidAt(a, slotOn("2026-12-14", "c2", "17:30"))
	c.cancel(a, cancelled.ID)
	c.wall.set(noon + 600)
	for range 3 {
		c.round()
	}
	want(t, "marked as sent", c.count("SELECT count(*) FROM notices WHERE sent_at IS NOT NULL"), 0)
	want(t, "tries within the same second", c.count("SELECT max(tries) FROM notices"), 1)
	want(t, "stock", c.stock("g1"), 10)
	want(t, "ledger", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 1)
	want(t, "refund", c.order(a, cancelled.ID).Refunded, 6000)
	want(t, "state", c.order(a, lapsed.ID).State, "lapsed")
	c.mail.failing(nil)
	c.wall.set(noon + 6000)
	c.round()
	c.round()
	for id, n := range c.mail.ids() {
		want(t, "deliveries of "+id, n, 1)
	}
	for _, kind := range []string{"lapsed", "paid", "cancelled", "refunded"} {
		want(t, kind, c.mail.kinds()[kind], 1)
	}
}

// TestC38_KilledBetweenSendAndMark ends the deliverer at the moment the channel
// has the message: after its lease the message goes out once more, and no other does.
func TestC38_KilledBetweenSendAndMark(t *testing.T) {
	c := newClub(t)
	other := c.second()
	c.manyOrders(5, "g1", "cash")
	died := 0
	c.mail.failing(func(m notify.Message) error {
		if died++; died == 3 {
			other.mail.got = append(other.mail.got, m) // it went out
			runtime.Goexit()                           // and nobody lives to say so
		}
		return nil
	})
	var gone sync.WaitGroup
	gone.Go(func() { _, _ = c.app.DeliverNotices(ctx) })
	gone.Wait()
	_, err := other.app.DeliverNotices(ctx)
	must(t, err)
	want(t, "while the lease lasts", len(other.mail.ids()), 3)
	c.wall.set(noon + 59)
	_, err = other.app.DeliverNotices(ctx)
	must(t, err)
	want(t, "its last second", c.count("SELECT count(*) FROM notices WHERE sent_at IS NULL"), 1)
	c.wall.set(noon + 60)
	_, err = other.app.DeliverNotices(ctx)
	must(t, err)
	want(t, "all marked", c.count("SELECT count(*) FROM notices WHERE sent_at IS NULL"), 0)
	total, twice := 0, 0
	for id := range union(c.mail.ids(), other.mail.ids()) {
		n := c.mail.ids()[id] + other.mail.ids()[id]
		total++
		if n == 2 {
			twice++
		} else {
			want(t, "deliveries of "+id, n, 1)
		}
	}
	want(t, "messages", total, 5)
	want(t, "duplicates", twice, 1)
}

func union(sets ...map[string]int) map[string]int {
	all := map[string]int{}
	for _, set := range sets {
		for k, v := range set {
			all[k] += v
		}
	}
	return all
}

// TestC39_OneBadRecipientOfFifty: the third fails for good, the seventh hangs until
// its time is over (in a bubble, so that it takes none), another one panics, and a
// row cannot even be read or marked.
func TestC39_OneBadRecipientOfFifty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClub(t)
		c.manyOrders(50, "g1", "cash")
		ids := c.column("SELECT id FROM notices ORDER BY id")
		want(t, "notices", len(ids), 50)
		hang := &hangingChannel{postbox: c.mail, on: ids[6]}
		c.app = app.New(app.Config{DB: c.db, Channel: hang, Log: quiet, Demo: true})
		c.mail.failing(func(m notify.Message) error {
			switch m.ID {
			case ids[2]:
				return errors.New("43101: the user has not subscribed")
			case ids[20]:
				panic("bad template")
			}
			return nil
		})
		c.alter("UPDATE orders SET terms = '[]' WHERE id = (SELECT order_id FROM notices WHERE id = ?)", ids[30])
		c.poison("unmarkable", "UPDATE OF sent_at ON notices WHEN NEW.sent_at IS NOT NULL AND NEW.id = '"+ids[40]+"'")
		rep, err := c.app.DeliverNotices(ctx)
		must(t, err)
		want(t, "sent in this pass", c.count("SELECT count(*) FROM notices WHERE sent_at IS NOT NULL"), 45)
		want(t, "failed", rep.Failed, 5)
		for i, bad := range []int{2, 6, 20, 30, 40} {
			want(t, fmt.Sprintf("bad one %d waits with its problem", i),
				c.count("SELECT count(*) FROM notices WHERE id = ? AND tries = 1 AND last_error <> '' AND next_try_at = ?", ids[bad], int64(noon+60)), 1)
		}
		hang.on = ""
		for range 12 { // far apart, so that every wait is over
			c.wall.set(domain.InstantOf(c.wall.time()) + 7*3600)
			_, err = c.app.DeliverNotices(ctx)
			must(t, err)
		}
		want(t, "given up, for everybody to see", c.count("SELECT count(*) FROM notices WHERE gave_up_at IS NOT NULL AND tries = 8"), 4)
		want(t, "the one that hung", c.mail.ids()[ids[6]], 1)
		want(t, "the one with a bad word", c.mail.ids()[ids[2]]+c.mail.ids()[ids[20]], 0)
	})
}

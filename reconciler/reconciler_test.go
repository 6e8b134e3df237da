package reconciler_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// bubble runs a test in which time is the test's: gocron and SQLite live in it too.
func bubble(t *testing.T, run func(t *testing.T, c *club)) {
	synctest.Test(t, func(t *testing.T) { run(t, newClub(t)) })
}

func TestRoundsAtOnceAndEveryInterval(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.orders(1, "online")
		s := c.start(5 * time.Minute)
		want(t, "rounds at the start", c.runs(), 1)
		first := c.now()
		pass(5*time.Minute - time.Second)
		want(t, "one second before the interval is over", c.runs(), 1)
		pass(time.Second)
		want(t, "after one interval", c.runs(), 2)
		pass(25 * time.Minute)
		want(t, "after six", c.runs(), 7)
		want(t, "lapsed by then", c.mail.count("lapsed"), 1)
		want(t, "last good run", domain.InstantOf(*c.view().LastGoodRun), first+1800)
		must(t, s.Stop())
		pass(time.Hour)
		want(t, "after the stop", c.runs(), 7)
	})
}

func TestAScheduleNeedsAnInterval(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for _, every := range []time.Duration{0, -time.Second} {
			if s, err := c.rec.Start(ctx, every); err == nil {
				must(t, s.Stop())
				t.Fatalf("started every %s", every)
			}
		}
	})
}

// TestC42_AFailedRoundIsFollowedByAnother: nothing but time makes rounds, one that
// fails is followed by the next, and a process that restarts too often still runs.
func TestC42_AFailedRoundIsFollowedByAnother(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		s := c.start(5 * time.Minute)
		good := c.now()
		c.alter("CREATE TRIGGER broken BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'broken'); END")
		c.orders(1, "cash")
		pass(5 * time.Minute)
		v := c.view()
		want(t, "the failed round is seen", v.LastRunOK, false)
		want(t, "with its problem", strings.Contains(v.LastError, "broken"), true)
		want(t, "last good run stays", domain.InstantOf(*v.LastGoodRun), good)
		want(t, "logged", strings.Contains(c.log.text(), "round failed"), true)
		c.alter("DROP TRIGGER broken")
		pass(5 * time.Minute)
		want(t, "the next is good", c.view().LastRunOK, true)
		want(t, "last good run", domain.InstantOf(*c.view().LastGoodRun), c.now())
		must(t, s.Stop())
		for range 5 { // restarts every four minutes
			before := c.runs()
			s := c.start(5 * time.Minute)
			pass(4 * time.Minute)
			must(t, s.Stop())
			want(t, "a round in each life", c.runs(), before+1)
		}
	})
}

func TestC40_APanicKeepsTheProcessAlive(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		s := c.start(5 * time.Minute)
		c.orders(3, "online")
		synctest.Wait()
		sick := c.texts("SELECT id FROM orders ORDER BY id LIMIT 1")[0]
		c.alter("CREATE TRIGGER poison BEFORE INSERT ON stock_moves WHEN NEW.kind = 'restock' AND NEW.basket_id = '" + sick + "-b1' BEGIN SELECT RAISE(ABORT, 'poison'); END")
		c.mail.does(func(_ context.Context, m notify.Message) error {
			if m.Kind == "lapsed" {
				panic("channel library")
			}
			return nil
		})
		pass(45 * time.Minute)
		v := c.view()
		want(t, "rounds go on", c.runs(), 10)
		want(t, "parked", v.State, "parked")
		want(t, "the one row", v.Parked, 1)
		want(t, "its tries end", v.ParkedRows[0].Tries, domain.MaxEffectTries)
		want(t, "the others went back", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 2)
		want(t, "messages that panic wait", v.Outbox, 3)
		want(t, "logged", strings.Contains(c.log.text(), "poison"), true)
		must(t, s.Stop())
	})
}

// TestAPanicInARoundIsLoggedWithItsStack lets the log itself break the round.
func TestAPanicInARoundIsLoggedWithItsStack(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		s := c.start(5 * time.Minute)
		c.bank.does(func(context.Context, string) error { panic("provider library") })
		c.orders(2, "online")
		for _, id := range c.texts("SELECT id FROM orders") {
			_, err := c.app.OpenPayment(ctx, c.desk, id, "sandbox", "", "")
			must(t, err)
		}
		pass(30 * time.Minute)
		want(t, "questions that panicked", c.count("SELECT count(*) FROM payments WHERE asks > 0 AND last_error LIKE '%panic%'"), 2)
		c.bank.does(nil)
		pass(6 * time.Hour)
		want(t, "answered in the end", c.view().OpenAttempts, 0)
		want(t, "lapsed", c.mail.count("lapsed"), 2)
		must(t, s.Stop())
	})
}

// TestWakesDeliverBetweenRounds: no round is near, and messages and refunds go out.
func TestWakesDeliverBetweenRounds(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		s := c.start(time.Hour)
		c.orders(3, "cash")
		synctest.Wait()
		want(t, "delivered at once", c.mail.count("paid"), 3)
		c.orders(1, "online")
		id := c.texts("SELECT id FROM orders ORDER BY id DESC LIMIT 1")[0]
		p, err := c.app.OpenPayment(ctx, c.desk, id, "sandbox", "", "")
		must(t, err)
		head, body, err := c.bank.Provider.(interface {
			Succeed(context.Context, string) (map[string]string, []byte, error)
		}).Succeed(ctx, p.OutTradeNo)
		must(t, err)
		must(t, c.app.TakeNotice(ctx, "sandbox", func(k string) string { return head[k] }, body))
		_, err = c.app.CancelAtDesk(ctx, c.desk, id, "venue", "test", "")
		must(t, err)
		synctest.Wait()
		want(t, "refunded at once", c.count("SELECT count(*) FROM refunds WHERE done_at IS NOT NULL"), 1)
		want(t, "and told", c.mail.count("refunded"), 1)
		want(t, "rounds", c.runs(), 1)
		must(t, s.Stop())
		c.orders(1, "cash")
		pass(time.Minute)
		want(t, "after the stop", c.mail.count("paid"), 4)
	})
}

// TestStopWaits: what has begun outside is finished and written down.
func TestStopWaits(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.orders(3, "cash")
		c.mail.does(func(ctx context.Context, _ notify.Message) error {
			select {
			case <-time.NewTimer(3 * time.Second).C: // a slow service
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		s := c.start(5 * time.Minute) // the first message is on its way
		began := c.now()
		must(t, s.Stop())
		want(t, "waited", c.now()-began, 3)
		sent := c.mail.count("paid")
		if sent != 1 {
			t.Fatalf("%d messages were on their way", sent)
		}
		want(t, "marked", c.count("SELECT count(*) FROM notices WHERE sent_at IS NOT NULL"), sent)
		want(t, "untouched", c.count("SELECT count(*) FROM notices WHERE sent_at IS NULL AND tries = 0"), 3-sent)
		want(t, "the stopped round is recorded", c.runs(), 1)
		want(t, "as no good run", c.view().LastRunOK, false)
		c.mail.does(nil)
		s = c.start(5 * time.Minute)
		want(t, "after the restart each once", c.mail.count("paid"), 3)
		must(t, s.Stop())
	})
}

// TestASilentProviderLeavesTimeForTheRest: forty questions and forty refunds hang;
// what needs nobody outside is done in the same round, and the round is recorded.
func TestASilentProviderLeavesTimeForTheRest(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.orders(40, "online")
		for _, id := range c.texts("SELECT id FROM orders") {
			_, err := c.app.OpenPayment(ctx, c.desk, id, "sandbox", "", "")
			must(t, err)
		}
		c.bank.does(func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		})
		c.orders(20, "cash")
		pass(30 * time.Minute)
		began := c.now()
		_, err := c.rec.RunOnce(ctx)
		if err == nil {
			t.Fatal("a round that could not ask says nothing")
		}
		if took := c.now() - began; took > 4*60 {
			t.Fatalf("the round took %d s", took)
		}
		want(t, "the shop's messages", c.mail.count("paid"), 20)
		want(t, "recorded", c.view().LastRunOK, false)
		if due := c.view().Due; due >= 40 {
			t.Fatalf("%d of 40 holds are still due", due)
		}
		c.bank.does(nil)
		for range 4 {
			pass(5 * time.Minute)
			if _, err = c.rec.RunOnce(ctx); err != nil {
				t.Fatal(err)
			}
		}
		want(t, "asked in the end", c.view().OpenAttempts, 0)
		want(t, "lapsed", c.mail.count("lapsed"), 40)
	})
}

func TestDryRunChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.orders(120, "online")
		pass(30 * time.Minute)
		before, err := c.db.Glance(ctx)
		must(t, err)
		seen, view, err := c.app.Foresee(ctx)
		must(t, err)
		want(t, "shown", len(seen), domain.MaxPageItems)
		want(t, "due", view.Due, 120)
		want(t, "ending", seen[0].Ending, "lapsed")
		want(t, "lag", view.LagSeconds, int64(0))
		after, err := c.db.Glance(ctx)
		must(t, err)
		want(t, "the file", after.Version, before.Version)
		want(t, "messages", c.mail.count("lapsed"), 0)
		rep, err := c.rec.RunOnce(ctx)
		must(t, err)
		want(t, "settled as foreseen", rep.Settled.Settled, 120)
	})
}

// TestManyAreSettledInBoundedBatches, and others write between the batches.
func TestManyAreSettledInBoundedBatches(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		const n = 1200
		c.orders(n, "online")
		pass(30 * time.Minute)
		var at sqlite.Cursor
		total, batches := 0, 0
		for done := false; !done; batches++ {
			var rep app.SettleReport
			var err error
			rep, at, done, err = c.app.SettleDue(ctx, at, nil)
			must(t, err)
			if rep.Settled > domain.SettlePerCommand {
				t.Fatalf("%d settled in one transaction", rep.Settled)
			}
			want(t, "differences", rep.Differences, 0)
			total += rep.Settled
		}
		want(t, "settled", total, n)
		if batches < n/domain.SettlePerCommand {
			t.Fatalf("only %d batches", batches)
		}
		want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), n)
	})
}

// TestStoppedBetweenBatches leaves a consistent file that the next round finishes.
func TestStoppedBetweenBatches(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		const n = 300
		c.orders(n, "online")
		pass(30 * time.Minute)
		stopped, stop := context.WithCancel(ctx)
		defer stop()
		var batches atomic.Int32
		c.mail.does(func(context.Context, notify.Message) error { return errors.New("later") })
		go func() {
			for c.count("SELECT count(*) FROM baskets WHERE settled_at IS NOT NULL") == 0 {
				batches.Add(1)
			}
			stop()
		}()
		if _, err := c.rec.RunOnce(stopped); err == nil {
			t.Fatal("the round was not stopped")
		}
		half := c.count("SELECT count(*) FROM baskets WHERE settled_at IS NOT NULL")
		if half == 0 || half == n {
			t.Fatalf("stopped with %d of %d settled", half, n)
		}
		want(t, "whole batches", half%domain.SettlePerCommand, 0)
		want(t, "each with its effects", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), half)
		want(t, "each with its notice", c.count("SELECT count(*) FROM notices WHERE kind = 'lapsed'"), half)
		c.mail.does(nil)
		pass(2 * time.Hour)
		_, err := c.rec.RunOnce(ctx)
		must(t, err)
		want(t, "finished", c.view().Due, 0)
		want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), n)
		want(t, "told", c.mail.count("lapsed"), n)
	})
}

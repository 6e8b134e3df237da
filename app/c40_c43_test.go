package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// TestC40_APoisonedRowStopsNobodyElse makes the file refuse one effect of one order
// after another, and one order unreadable.
func TestC40_APoisonedRowStopsNobodyElse(t *testing.T) {
	for _, sick := range []struct {
		name, effect string
		make, cure   func(c *club, o app.OrderView)
	}{
		{"restock", "restock",
			func(c *club, o app.OrderView) {
				c.poison("p", "INSERT ON stock_moves WHEN NEW.kind = 'restock' AND NEW.basket_id = '"+o.ID+"-b1'")
			},
			func(c *club, _ app.OrderView) { c.cure("p") }},
		{"notice", "notice",
			func(c *club, o app.OrderView) {
				c.poison("p", "INSERT ON notices WHEN NEW.kind = 'lapsed' AND NEW.order_id = '"+o.ID+"'")
			},
			func(c *club, _ app.OrderView) { c.cure("p") }},
		{"an order that cannot be read", "notice",
			func(c *club, o app.OrderView) { c.alter("UPDATE orders SET terms = '[]' WHERE id = ?", o.ID) },
			func(c *club, o app.OrderView) {
				c.alter(`UPDATE orders SET terms = '{"refund_ladder":[]}' WHERE id = ?`, o.ID)
			}},
		{"settling itself", "settle",
			func(c *club, o app.OrderView) {
				c.poison("p", "UPDATE OF settled_at ON baskets WHEN NEW.order_id = '"+o.ID+"'")
			},
			func(c *club, _ app.OrderView) { c.cure("p") }},
	} {
		t.Run(sick.name, func(t *testing.T) {
			c := newClub(t)
			people := c.crowd(5)
			var ill app.OrderView
			for i, who := range people {
				o := c.book(who, basket("", goods("g1", 1), slot(fmt.Sprintf("c%d", i+1), "17:30")))
				if i == 1 {
					ill = o
				}
			}
			sick.make(c, ill)
			c.wall.set(noon + 600)
			for round := range 4 {
				_, err := c.rec.RunOnce(ctx)
				must(t, err)
				view, err := c.app.Reconciler(ctx)
				must(t, err)
				want(t, "shown", view.State, "parked")
				want(t, "whose", view.ParkedRows[0].Order, ill.ID)
				want(t, "what", view.ParkedRows[len(view.ParkedRows)-1].Effect, sick.effect)
				want(t, "with its problem", view.ParkedRows[0].Error != "", true)
				want(t, "the others' notices", c.mail.kinds()["lapsed"] >= 4, true)
				if round == 3 {
					want(t, "tries end", view.ParkedRows[0].Tries, domain.MaxEffectTries)
				}
				c.wall.set(domain.InstantOf(c.wall.time()) + 300)
			}
			want(t, "the others' goods", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'") >= 4, true)
			// The sick row blocks neither its slot nor the good.
			c.book(people[0], basket("", goods("g1", 9), slot("c2", "17:30")))
			sick.cure(c, ill)
			_, err := c.rec.RunRetrying(ctx)
			must(t, err)
			c.round()
			view, err := c.app.Reconciler(ctx)
			must(t, err)
			want(t, "parked after the cure", view.Parked, 0)
			want(t, "due after the cure", view.Due, 0)
			want(t, "its notice", c.mail.about(ill.ID, "lapsed"), 1)
			want(t, "its goods", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND basket_id = ?", ill.ID+"-b1"), 1)
			want(t, "stock", c.stock("g1"), 1)
		})
	}
}

// TestC40_OnContactAPoisonedRowEnds: nobody ran a round; the rival meets the row first.
func TestC40_OnContactAPoisonedRowEnds(t *testing.T) {
	c := newClub(t)
	people := c.crowd(2)
	o := c.book(people[0], basket("", goods("g1", 9), slot("c1", "17:30")))
	c.poison("p1", "INSERT ON notices WHEN NEW.kind = 'lapsed'")
	c.alter("UPDATE orders SET terms = '[]' WHERE id = ?", o.ID)
	c.wall.set(noon + 600)
	c.book(people[1], basket("", goods("g1", 5), slot("c1", "17:30")))
	want(t, "parked", c.count("SELECT count(*) FROM parked_effects WHERE order_id = ? AND effect = 'notice'", o.ID) > 0, true)
	want(t, "stock", c.stock("g1"), 5)
}

// TestC40_PanicsAtTheEdges: a provider and a channel that panic harm one row each.
func TestC40_PanicsAtTheEdges(t *testing.T) {
	c := newClub(t)
	people := c.crowd(4)
	var sick string
	m := c.moody()
	for i, who := range people {
		o := c.book(who, slots(slot(fmt.Sprintf("c%d", i+1), "17:30")))
		no := c.open(who, o)
		if i == 2 {
			sick = no
		}
	}
	m.before = func(op, no string) error {
		if no == sick && op != "open" {
			panic("provider library")
		}
		return nil
	}
	c.mail.failing(func(m notify.Message) error {
		if m.Kind == "held" {
			panic("channel library")
		}
		return nil
	})
	c.wall.set(noon + 600)
	rep := c.round()
	want(t, "asked", rep.Asked.Asked, 4)
	want(t, "closed", rep.Asked.Closed, 3)
	want(t, "no answer", rep.Asked.Failed, 1)
	want(t, "lapsed", c.mail.kinds()["lapsed"], 3)
	m.before = nil
	c.wall.set(noon + 900)
	want(t, "closed now", c.round().Asked.Closed, 1)
	want(t, "lapsed", c.mail.kinds()["lapsed"], 4)
}

// TestC41_TwoProcessesDoEverythingOnce: clocks 2 s apart, rounds at the same moments.
func TestC41_TwoProcessesDoEverythingOnce(t *testing.T) {
	c := newClub(t)
	slow := &wall{now: noon - 2}
	other := openClub(t, c.path, slow)
	people := c.crowd(12)
	var paid []app.OrderView
	for i, who := range people {
		court := fmt.Sprintf("c%d", i%6+1)
		if i < 6 {
			c.book(who, basket("", goods("g1", 1), slot(court, "17:30")))
			continue
		}
		o := c.payFor(who, c.book(who, basket("", goods("g2", 1), slotOn("2026-12-13", court, "17:30"))))
		paid = append(paid, o)
		c.cancel(who, o.ID)
	}
	both := []*club{c, other}
	for second := noon + 595; second < noon+625; second += 5 {
		c.wall.set(second)
		slow.set(second - 2)
		together(t, 4, func(i int) error { _, err := both[i%2].rec.RunOnce(ctx); return err })
	}
	for id, n := range union(c.mail.ids(), other.mail.ids()) {
		want(t, "deliveries of "+id, n, 1)
	}
	want(t, "lapsed", c.mail.kinds()["lapsed"]+other.mail.kinds()["lapsed"], 6)
	want(t, "refunded", c.mail.kinds()["refunded"]+other.mail.kinds()["refunded"], 6)
	want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 12)
	want(t, "refunds at the bank", c.count("SELECT count(*) FROM sandbox_refunds WHERE state = 'succeeded'"), len(paid))
	c.sound()
}

// TestC43_StoppedInTheMiddle ends the context at the n-th message, refund or batch:
// what was begun is finished and written down, and nothing is done twice.
func TestC43_StoppedInTheMiddle(t *testing.T) {
	for _, when := range []string{"notice", "refund", "refund query", "close"} {
		t.Run(when, func(t *testing.T) {
			c := newClub(t)
			m := c.moody()
			people := c.crowd(8)
			for i, who := range people {
				o := c.book(who, basket("", goods("g1", 1), slotOn("2026-12-14", fmt.Sprintf("c%d", i%6+1), []string{"17:30", "19:00"}[i/6])))
				if i%2 == 0 {
					c.payFor(who, o)
					c.cancel(who, o.ID)
				} else {
					c.open(who, o)
				}
			}
			c.wall.set(noon + 600)
			stopped, stop := context.WithCancel(ctx)
			defer stop()
			var seen atomic.Int32
			m.after = func(op, _ string) error {
				if (op == when || (op == "query refund" && when == "refund query")) && seen.Add(1) == 2 {
					stop() // the bank has done it; the answer is on its way
				}
				return nil
			}
			c.mail.failing(func(notify.Message) error {
				if when == "notice" && seen.Add(1) == 5 {
					stop()
				}
				return nil
			})
			_, err := c.rec.RunOnce(stopped)
			if !errors.Is(err, context.Canceled) && !domain.IsReason(err, "unavailable") {
				t.Fatalf("a stopped round says %v", err)
			}
			want(t, "the stopped round is no good run", c.count("SELECT count(*) FROM reconciler_runs WHERE ok = 0"), 1)
			m.after = nil
			c.round()
			c.wall.set(noon + 7200) // every lease is over
			c.round()
			for id, n := range c.mail.ids() {
				want(t, "deliveries of "+id, n, 1)
			}
			want(t, "lapsed", c.mail.kinds()["lapsed"], 4)
			want(t, "refunded", c.mail.kinds()["refunded"], 4)
			want(t, "refunds made", c.count("SELECT count(*) FROM sandbox_refunds"), 4)
			want(t, "stock", c.stock("g1"), 10)
			want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), 8)
			c.sound()
		})
	}
}

// TestC43_KilledAnywhere kills a real process in its round, at several places, and
// lets another one finish.
func TestC43_KilledAnywhere(t *testing.T) {
	if path := os.Getenv("COURTD_TEST_VICTIM"); path != "" {
		victim(t, path)
		return
	}
	c := newClub(t)
	const orders = 250
	c.manyOrders(orders, "g1", "online")
	c.wall.set(noon + 1800)
	told := map[string]int{}
	for _, after := range []int{1, 30, 90} {
		for _, id := range killAfter(t, c.path, after) {
			told[id]++
		}
		c.sound()
	}
	kills := 3
	c.wall.set(noon + 1800 + 120)
	c.round()
	for id, n := range c.mail.ids() {
		told[id] += n
	}
	twice := 0
	for id, n := range told {
		if n > 1 {
			twice++
			want(t, "more than a duplicate of "+id, n, 2)
		}
	}
	want(t, "messages", len(told), orders)
	if twice > kills {
		t.Fatalf("%d kills made %d duplicates", kills, twice)
	}
	want(t, "due", c.count("SELECT count(*) FROM baskets WHERE settled_at IS NULL"), 0)
	want(t, "restocks", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock'"), orders)
	want(t, "stock", c.stock("g1"), orders+10)
	c.sound()
}

// victim is the process that will be killed: it prints the messages it sends.
func victim(t *testing.T, path string) {
	c := openClub(t, path, &wall{now: noon + 1800})
	c.mail.failing(func(m notify.Message) error {
		_, err := fmt.Fprintln(os.Stdout, "sent "+m.ID)
		return err
	})
	for {
		_, err := c.rec.RunOnce(ctx)
		must(t, err)
	}
}

func killAfter(t *testing.T, path string, lines int) (sent []string) {
	t.Helper()
	process := exec.Command(os.Args[0], "-test.run=^TestC43_KilledAnywhere$")
	process.Env = append(os.Environ(), "COURTD_TEST_VICTIM="+path)
	out, err := process.StdoutPipe()
	must(t, err)
	must(t, process.Start())
	told := bufio.NewScanner(out)
	for told.Scan() {
		if id, ok := strings.CutPrefix(told.Text(), "sent "); ok {
			if sent = append(sent, id); len(sent) == lines {
				must(t, process.Process.Kill())
			}
		}
	}
	if err := process.Wait(); err == nil {
		t.Fatal("the victim was not killed")
	}
	if len(sent) < lines {
		t.Fatalf("the victim sent %d messages, want %d", len(sent), lines)
	}
	return sent
}

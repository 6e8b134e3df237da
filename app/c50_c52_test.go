package app_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// TestC50_CyclingHolds: two phones and three sessions of one person are one
// account; what stands is capped, and what lapses again and again cools down.
func TestC50_CyclingHolds(t *testing.T) {
	c := newClub(t)
	other := c.second()
	people := c.crowd(3)
	a, b, honest := people[0], people[1], people[2]
	evening := func(i int) app.SlotRef { return slot(fmt.Sprintf("c%d", i%6+1), []string{"19:00", "20:30"}[i/6]) }
	errs := race(8, func(i int) error {
		session := a
		session.Session = fmt.Sprintf("session-%d", i%3)
		where := []*club{c, other}[i%2]
		_, _, err := where.app.CreateOrder(ctx, session, slots(evening(i)), app.Key(fmt.Sprintf("phone-%d", i)))
		return err
	})
	wantTally(t, errs, map[string]int{"limit_reached": 6, "ok": 2})
	// Each lapse lets others in at once, and from the third on A waits, twice as long each time.
	c.wall.set(noon + 600)
	for range 2 {
		free := 0
		for j := range 8 {
			if c.state(evening(j)) == "free" {
				free = j
			}
		}
		o := c.book(b, slots(evening(free)))
		c.cancel(b, o.ID)
	}
	wait := domain.Instant(900)
	c.book(a, slots(evening(7)))
	now := noon + 1200
	for n := range 4 {
		c.wall.set(now)
		_, _, err := c.app.CreateOrder(ctx, a, slots(evening(n)), "")
		wantReason(t, err, "cooling_down")
		refusal, _ := domain.AsError(err)
		want(t, "until", refusal.Detail["until"].(domain.Instant), now+wait)
		c.book(honest, slots(evening(n))) // nobody else is held up
		c.wall.set(now + wait - 1)
		c.refuse(a, slots(evening(n+6)), "cooling_down")
		c.wall.set(now + wait)
		c.book(a, slots(evening(n+6)))
		now += wait + 600
		wait *= 2
		for _, o := range c.column("SELECT order_id FROM reservations WHERE customer_id = ? AND release_at > ? AND paid_at IS NULL", honest.ID, int64(c.wall.time().Unix())) {
			c.payFor(honest, c.order(honest, o))
		}
	}
}

// TestC50_AMistakeIsNotPunished: one lapse, or a quick change of mind, costs nothing.
func TestC50_AMistakeIsNotPunished(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	for i := range 6 {
		c.cancel(a, c.book(a, slots(slot("c1", "19:00"))).ID)
		c.wall.set(noon + domain.Instant(60*i))
	}
	for i := range 2 {
		c.book(a, slots(slot("c1", "19:00")))
		c.wall.set(noon + domain.Instant(900*(i+1)))
	}
	c.book(a, slots(slot("c1", "19:00")))
}

// TestC51_SomebodyElsesThings tries every use case that takes an id with an id of
// somebody else: nothing is given away and nothing changes.
func TestC51_SomebodyElsesThings(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	held := c.book(b, basket("", goods("g1", 1), slot("c1", "17:30")))
	no := c.open(b, held)
	paid := c.payFor(b, c.book(b, basket("", goods("g1", 1), slot("c2", "17:30"))))
	gone := c.paidAt(b, slotOn("2026-12-14", "c3", "17:30"))
	c.cancel(b, gone.ID)
	refund := c.order(b, gone.ID).Refunds[0].ID
	letter := c.column("SELECT id FROM notices WHERE customer_id = ?", b.ID)[0]
	nobody := app.Actor{Role: app.Anyone}
	for _, who := range []struct {
		name  string
		actor app.Actor
	}{{"another customer", a}, {"nobody", nobody}, {"a customer's id without the role", app.Actor{ID: b.ID}}} {
		for _, o := range []app.OrderView{held, paid, gone} {
			id, slotID := o.ID, o.Reservations[0].ID
			for name, call := range map[string]func() error{
				"order":          func() error { _, err := c.app.Order(ctx, who.actor, id); return err },
				"open payment":   func() error { _, err := c.app.OpenPayment(ctx, who.actor, id, "sandbox", "", "k"); return err },
				"check payments": func() error { _, err := c.app.CheckPayments(ctx, who.actor, id); return err },
				"cancel":         func() error { _, err := c.app.CancelOrder(ctx, who.actor, id, "k"); return err },
				"cancel at desk": func() error { _, err := c.app.CancelAtDesk(ctx, who.actor, id, "venue", "x", ""); return err },
				"preview":        func() error { _, err := c.app.PreviewRefund(ctx, who.actor, id); return err },
				"mark paid":      func() error { _, err := c.app.MarkPaid(ctx, who.actor, id, ""); return err },
				"hand over":      func() error { _, err := c.app.HandOver(ctx, who.actor, id, ""); return err },
				"forgive":        func() error { _, err := c.app.Forgive(ctx, who.actor, id, "x", ""); return err },
				"goodwill":       func() error { _, err := c.app.Goodwill(ctx, who.actor, id, 1, "x", ""); return err },
				"move": func() error {
					_, err := c.app.MoveReservation(ctx, who.actor, slotID, slot("c6", "17:30"), "x", "")
					return err
				},
				"undo":           func() error { _, err := c.app.UndoNoShow(ctx, who.actor, slotID, "x", ""); return err },
				"confirm refund": func() error { _, err := c.app.ConfirmRefund(ctx, who.actor, refund); return err },
				"resend":         func() error { return c.app.ResendNotice(ctx, who.actor, letter) },
				"check in":       func() error { _, err := c.app.CheckIn(ctx, who.actor, paid.Ticket.Code, ""); return err },
			} {
				before := c.fingerprint()
				err := call()
				refusal, ok := domain.AsError(err)
				if !ok || (refusal.Kind != domain.NotFound && refusal.Kind != domain.Forbidden) {
					t.Errorf("%s, %s: got %v, want not found", name, who.name, err)
				}
				if after := c.fingerprint(); after != before {
					t.Fatalf("%s, %s: changed %s to %s", name, who.name, before, after)
				}
			}
		}
		for name, list := range map[string]func() int{
			"orders":  func() int { l, err := c.app.Orders(ctx, who.actor, app.Page{}); must(t, err); return len(l.Items) },
			"notices": func() int { l, err := c.app.Notices(ctx, who.actor, app.Page{}); must(t, err); return len(l.Items) },
		} {
			if who.actor.ID != b.ID {
				want(t, name+" of "+who.name, list(), 0)
			}
		}
	}
	must(t, c.take(c.succeed(no)))
	want(t, "B is not disturbed", c.order(b, held.ID).State, "paid")
}

// TestC51_TheDesksActsAreTheDesks: a customer's own order is no back door to them.
func TestC51_TheDesksActsAreTheDesks(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	own := c.book(a, slots(slot("c4", "17:30")))
	for name, call := range map[string]func() error{
		"mark paid":   func() error { _, err := c.app.MarkPaid(ctx, a, own.ID, ""); return err },
		"goodwill":    func() error { _, err := c.app.Goodwill(ctx, a, own.ID, 1, "x", ""); return err },
		"desk cancel": func() error { _, err := c.app.CancelAtDesk(ctx, a, own.ID, "venue", "x", ""); return err },
		"move": func() error {
			_, err := c.app.MoveReservation(ctx, a, own.Reservations[0].ID, slot("c5", "17:30"), "", "")
			return err
		},
		"desk order": func() error {
			_, _, err := c.app.DeskOrder(ctx, a, slots(slot("c6", "19:00")), app.Caller{Name: "x"}, "cash", "")
			return err
		},
		"closure": func() error {
			_, err := c.app.MakeClosure(ctx, a, app.ClosureRequest{Courts: []string{"c1"}, From: noon, To: noon + 3600}, "")
			return err
		},
	} {
		if refusal, ok := domain.AsError(call()); !ok || refusal.Kind != domain.Forbidden {
			t.Errorf("%s by a customer: got %v, want forbidden", name, refusal)
		}
	}
	want(t, "the own order", c.order(a, own.ID).State, "held")
}

// fingerprint is a short word for all that use cases may change.
func (c *club) fingerprint() string {
	return strings.Join(c.column(`SELECT count(*) || ':' || coalesce(sum(settled_at), 0) || ':' || coalesce(sum(paid_at), 0) || ':'
		|| coalesce(sum(checked_in_at), 0) || ':' || coalesce(sum(cancelled_at), 0) FROM reservations
		UNION ALL SELECT count(*) || ':' || coalesce(sum(done_at), 0) FROM refunds UNION ALL SELECT count(*) FROM payments
		UNION ALL SELECT count(*) || ':' || coalesce(sum(handed_over_at), 0) FROM baskets UNION ALL SELECT count(*) FROM audit
		UNION ALL SELECT count(*) || ':' || sum(next_try_at) FROM notices UNION ALL SELECT count(*) FROM orders`), " ")
}

func TestC51_TheFeedNamesNobody(t *testing.T) {
	c := newClub(t)
	b := c.customer("13800000002")
	o := c.paidAt(b, slot("c1", "17:30"))
	feed := fmt.Sprintf("%+v", c.day("2026-12-10"))
	for _, private := range []string{"13800000002", b.ID, o.ID, o.Number, o.Ticket.Code, o.Reservations[0].ID} {
		want(t, "the feed says "+private, strings.Contains(feed, private), false)
	}
}

// TestC51_KeysBelongToOneAccount: the same key of two people is two commands.
func TestC51_KeysBelongToOneAccount(t *testing.T) {
	c := newClub(t)
	people := c.crowd(2)
	first, _, err := c.app.CreateOrder(ctx, people[0], slots(slot("c1", "17:30")), "key")
	must(t, err)
	second, created, err := c.app.CreateOrder(ctx, people[1], slots(slot("c2", "17:30")), "key")
	must(t, err)
	want(t, "made", created, true)
	want(t, "the same order", first.ID == second.ID, false)
	_, _, err = c.app.CreateOrder(ctx, people[1], slots(slot("c1", "17:30")), "key")
	wantReason(t, err, "key_reused")
}

// TestC52_WordsStayWords: what looks like a formula or a script is kept and shown
// to the letter, everywhere; what breaks lines or direction is refused.
func TestC52_WordsStayWords(t *testing.T) {
	c := newClub(t)
	for _, word := range []string{`=HYPERLINK("http://x","y")`, "+86-1", "-2+3", "@SUM(A1)", `<script>alert(1)</script>`, `a"b,c;d'e`, "{{.}} %s $1"} {
		good, err := c.app.AddGood(ctx, c.owner, sqlite.Good{Name: word, PriceFen: 100, Active: true}, "")
		must(t, err)
		_, err = c.app.MoveStock(ctx, c.owner, good.ID, "receipt", 5, word, "")
		must(t, err)
		o, _, err := c.app.DeskOrder(ctx, c.desk, basket("", goods(good.ID, 1), slot("c1", "17:30")), app.Caller{Name: word}, "cash", "")
		must(t, err)
		want(t, "customer", o.Customer.Name, word)
		want(t, "good", o.Goods[0].Name, word)
		board, err := c.app.DeskDay(ctx, domain.Date{Year: 2026, Month: 12, Day: 10}, 0)
		must(t, err)
		want(t, "on the board", strings.Contains(fmt.Sprintf("%+v", board), word), true)
		o, err = c.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", word, "")
		must(t, err)
		want(t, "reason", o.Reservations[0].CancelReason, word)
		for name, query := range map[string]string{
			"audit":  "SELECT count(*) FROM audit WHERE reason = ? AND action = 'cancel order'",
			"ledger": "SELECT count(*) FROM stock_moves WHERE note = ?",
			"notice": "SELECT count(*) FROM notices WHERE instr(text, ?) > 0",
		} {
			if c.count(query, word) == 0 {
				t.Errorf("%s does not hold %s", name, word)
			}
		}
	}
	for _, word := range []string{"a\tb", "a\rb", "a\nb", "a\x00b", "a\u202eb", "a\u200bb", strings.Repeat("长", 41)} {
		_, err := c.app.AddGood(ctx, c.owner, sqlite.Good{Name: word, PriceFen: 100}, "")
		wantReason(t, err, "invalid_field")
		_, _, err = c.app.DeskOrder(ctx, c.desk, slots(slot("c2", "17:30")), app.Caller{Name: word}, "cash", "")
		wantReason(t, err, "invalid_field")
	}
}

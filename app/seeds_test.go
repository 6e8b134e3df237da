package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
)

// TestSeed_NobodyComes: 17:30 to 19:00, paid, nobody comes.
func TestSeed_NobodyComes(t *testing.T) {
	for _, percent := range []int{0, 50} {
		t.Run(fmt.Sprintf("%d%% back", percent), func(t *testing.T) {
			c := newClub(t)
			c.policy(func(p *domain.Policy) { p.NoShowRefundPercent = percent })
			a := c.customer("13800000001")
			o := c.paidAt(a, slot("c1", "17:30"))
			c.clock("18:59:59")
			c.round()
			want(t, "one second before", c.order(a, o.ID).State, "paid")
			want(t, "told too early", c.notices(o.ID, "no_show"), 0)
			c.clock("19:00:00")
			want(t, "at the second", c.order(a, o.ID).State, "no_show")
			want(t, "its code", c.scan(o.Ticket.Code).Result, "too_late")
			want(t, "a code to show", c.order(a, o.ID).Ticket == nil, true)
			want(t, "settled by nobody yet", c.count("SELECT count(*) FROM reservations WHERE settled_at IS NOT NULL"), 0)
			for range 3 {
				c.round()
			}
			want(t, "told", c.mail.about(o.ID, "no_show"), 1)
			want(t, "refunded", c.order(a, o.ID).Refunded, int64(6000*percent/100))
			want(t, "told of the refund", c.mail.about(o.ID, "refunded"), percent/50)
			want(t, "its code still", c.scan(o.Ticket.Code).Result, "too_late")
		})
	}
}

func TestSeed_ReleasedAfterFifteenMinutes(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 0 }) // moves no promise
	c.clock("17:44:59")
	_, err := c.deskSale(slot("c1", "17:30"))
	wantReason(t, err, "slot_taken")
	want(t, "one second before", c.order(a, o.ID).State, "paid")
	c.clock("17:45:00")
	want(t, "at the second", c.order(a, o.ID).State, "no_show")
	want(t, "the code", c.scan(o.Ticket.Code).Result, "too_late")
	sold, err := c.deskSale(slot("c1", "17:30"))
	must(t, err)
	want(t, "sold again", sold.State, "paid")
	_, err = c.app.UndoNoShow(ctx, c.desk, o.Reservations[0].ID, "来晚了", "")
	wantReason(t, err, "slot_taken")
	c.round()
	want(t, "told", c.mail.about(o.ID, "no_show"), 1)
	c.sound()
}

// TestSeed_TenMinutesAndNoReconciler: the hold ends by itself, on the second.
func TestSeed_TenMinutesAndNoReconciler(t *testing.T) {
	c := newClub(t)
	other := c.second()
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.clock("12:50:00")
	c.book(a, slots(slot("c1", "17:30")))
	for _, look := range []struct{ clock, state string }{{"12:59:59", "held"}, {"13:00:00", "free"}} {
		c.clock(look.clock)
		want(t, look.clock, c.state(slot("c1", "17:30")), look.state)
		want(t, look.clock+" elsewhere", other.state(slot("c1", "17:30")), look.state)
		if look.state == "held" {
			other.refuse(b, slots(slot("c1", "17:30")), "slot_taken")
		}
	}
	o := other.book(b, slots(slot("c1", "17:30")))
	want(t, "the other customer's", o.State, "held")
	want(t, "rounds", c.count("SELECT count(*) FROM reconciler_runs"), 0)
	c.sound()
}

// shopSettlers are those who may meet the lapsed shop order first.
var shopSettlers = map[string]func(*club, *club, app.Actor, app.Actor, app.OrderView) error{
	"reconciler":        func(c, _ *club, _, _ app.Actor, _ app.OrderView) error { _, err := c.rec.RunOnce(ctx); return err },
	"second reconciler": func(_, o *club, _, _ app.Actor, _ app.OrderView) error { _, err := o.rec.RunOnce(ctx); return err },
	"cancel": func(c, _ *club, a, _ app.Actor, order app.OrderView) error {
		_, err := c.app.CancelOrder(ctx, a, order.ID, "")
		if domain.IsReason(err, "hold_lapsed") {
			return nil
		}
		return fmt.Errorf("cancelling what has lapsed: %w", err)
	},
	"new order": func(_, o *club, _, b app.Actor, _ app.OrderView) error {
		_, _, err := o.app.CreateOrder(ctx, b, basket("ONCE", goods("g1", 10)), "")
		return err
	},
}

// TestSeed_ShopOrderOfHalfAnHour: goods and a coupon, unpaid; whoever comes first,
// and in whatever order the others follow.
func TestSeed_ShopOrderOfHalfAnHour(t *testing.T) {
	orders := permutations([]string{"reconciler", "second reconciler", "cancel", "new order"})
	want(t, "orders", len(orders), 24)
	c := newClub(t)
	other := c.second()
	people := c.crowd(2 * (len(orders) + 8))
	check := func(t *testing.T, o app.OrderView) {
		t.Helper()
		must(t, func() error { _, err := c.rec.RunOnce(ctx); return err }())
		want(t, "restock rows", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND basket_id = ?", o.ID+"-b1"), 1)
		want(t, "stock", c.stock("g1"), 0)
		want(t, "coupon uses", c.uses("ONCE"), 1)
		want(t, "lapse notices", c.notices(o.ID, "lapsed"), 1)
		want(t, "state", c.order(c.desk, o.ID).State, "lapsed")
		c.sound()
	}
	c.coupon("ONCE", 10, 1, 0)
	for i := range len(orders) + 8 {
		a, b := people[2*i], people[2*i+1]
		o := c.book(a, basket("ONCE", goods("g1", 10)))
		due := domain.InstantOf(c.wall.time()) + 1800
		c.wall.set(due - 1)
		c.refuse(b, basket("", goods("g1", 1)), "out_of_stock")
		c.refuse(b, basket("ONCE", goods("g2", 1)), "coupon_used")
		want(t, "stock one second before", c.stock("g1"), 0)
		c.wall.set(due)
		want(t, "stock at the second", c.stock("g1"), 10)
		want(t, "coupon at the second", c.uses("ONCE"), 0)
		if i < len(orders) {
			for _, who := range orders[i] {
				if err := shopSettlers[who](c, other, a, b, o); err != nil {
					t.Fatalf("%s: %s: %v", strings.Join(orders[i], ", "), who, err)
				}
			}
		} else {
			together(t, 4, func(n int) error { return shopSettlers[orders[0][n]](c, other, a, b, o) })
		}
		check(t, o)
		// The next of them starts with full shelves again.
		bought := c.column("SELECT id FROM orders WHERE customer_id = ?", b.ID)
		want(t, "orders of the next customer", len(bought), 1)
		c.cancel(b, bought[0])
	}
}

// TestSeed_TheLastTwoPieces: at the second, the next customer orders them.
func TestSeed_TheLastTwoPieces(t *testing.T) {
	c := newClub(t)
	people := c.crowd(3)
	c.book(people[0], basket("", goods("g1", 8)))
	c.wall.set(noon + 60)
	o := c.book(people[1], basket("", goods("g1", 2)))
	c.wall.set(noon + 1800) // the eight are back, the two are not
	c.payFor(people[2], c.book(people[2], basket("", goods("g1", 8))))
	c.wall.set(noon + 1859)
	c.refuse(people[0], basket("", goods("g1", 2)), "out_of_stock")
	c.wall.set(noon + 1860)
	c.book(people[0], basket("", goods("g1", 2)))
	want(t, "restock of the two", c.count("SELECT count(*) FROM stock_moves WHERE kind = 'restock' AND basket_id = ?", o.ID+"-b1"), 1)
	want(t, "stock", c.stock("g1"), 0)
	c.sound()
}

func permutations(of []string) [][]string {
	if len(of) <= 1 {
		return [][]string{of}
	}
	var out [][]string
	for i := range of {
		rest := append(append([]string{}, of[:i]...), of[i+1:]...)
		for _, p := range permutations(rest) {
			out = append(out, append([]string{of[i]}, p...))
		}
	}
	return out
}

// TestSeed_MoneyOneSecondLate: revived if all is still free, refunded if not,
// exactly one of the two, with the notice told, lost, or told after a rival.
func TestSeed_MoneyOneSecondLate(t *testing.T) {
	for _, rival := range []string{"", "slot", "good", "coupon"} {
		for _, told := range []string{"at once", "twice", "never", "after a round", "never, and the bank is down"} {
			t.Run(rival+" taken, told "+told, func(t *testing.T) { lateMoney(t, rival, told) })
		}
	}
}

func lateMoney(t *testing.T, rival, told string) {
	c := newClub(t)
	other := c.second()
	people := c.crowd(2)
	a, b := people[0], people[1]
	c.coupon("ONCE", 10, 1, 0)
	o := c.book(a, basket("ONCE", goods("g1", 6), slot("c1", "17:30")))
	no := c.open(a, o)
	c.wall.set(noon + 600)
	news := c.succeed(no) // one second after the last payable one
	switch rival {
	case "slot":
		c.book(b, slots(slot("c1", "17:30")))
	case "good":
		c.book(b, basket("", goods("g1", 5)))
	case "coupon":
		c.book(b, basket("ONCE", goods("g2", 1)))
	}
	asked, down := 0, 3
	m := c.moody()
	m.before = func(op, _ string) error {
		if op != "close" && op != "query" {
			return nil
		}
		if asked++; told == "never, and the bank is down" && down > 0 {
			down--
			return errors.New("the bank is down")
		}
		return nil
	}
	switch told {
	case "twice":
		together(t, 3, func(int) error { return c.take(news) })
	case "at once":
		c.tell(news)
	case "after a round":
		c.round()
		c.tell(news)
	}
	for i := range 8 {
		c.wall.set(noon + 600 + domain.Instant(i)*300)
		_, err := c.rec.RunOnce(ctx)
		must(t, err)
		if told != "never" && !strings.HasPrefix(told, "never,") {
			_, err = other.rec.RunOnce(ctx)
			must(t, err)
		}
	}
	if strings.HasPrefix(told, "never") && asked == 0 {
		t.Fatal("nobody asked the bank")
	}
	before := asked
	c.round()
	want(t, "questions after the answer", asked, before)
	o = c.order(a, o.ID)
	late := c.mail.about(o.ID, "late_money") + other.mail.about(o.ID, "late_money")
	want(t, "told once what became of it", late, 1)
	want(t, "verdict and why", fmt.Sprint(o.LateMoney.Verdict, " ", o.LateMoney.Reason),
		map[string]string{"": "revived ", "slot": "refunded slot_taken", "good": "refunded out_of_stock", "coupon": "refunded coupon_used"}[rival])
	if rival == "" {
		want(t, "state", o.State, "paid")
		want(t, "refunds", len(o.Refunds), 0)
		want(t, "stock", c.stock("g1"), 4)
		want(t, "coupon", c.uses("ONCE"), 1)
	} else {
		want(t, "state", o.State, "lapsed")
		want(t, "refunded", o.Refunded, o.Paid)
		want(t, "refunds", len(o.Refunds), 1)
	}
	c.sound()
}

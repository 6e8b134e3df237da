package app_test

import (
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func TestC07_MoneyAfterTheSlotWasSold(t *testing.T) {
	t.Parallel()
	for name, rival := range map[string]func(c *club, b app.Actor, s app.SlotRef){
		"paid": func(c *club, b app.Actor, s app.SlotRef) { c.payFor(b, c.book(b, slots(s))) },
		"held": func(c *club, b app.Actor, s app.SlotRef) { c.book(b, slots(s)) },
		"sold at the desk": func(c *club, _ app.Actor, s app.SlotRef) {
			_, err := c.deskSale(s)
			must(c.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a, b := c.customer("13800000001"), c.customer("13800000002")
			s := slot("c1", "17:30")
			o := c.book(a, basket("", goods("g1", 2), s))
			no := c.open(a, o)
			c.wall.set(noon + 600)
			rival(c, b, s)
			before := c.count("SELECT count(*) FROM notices WHERE order_id <> ?", o.ID)
			n := c.succeed(no)
			for range 3 { // every time acknowledged
				c.tell(n)
			}
			o = c.order(a, o.ID)
			want(t, "a", o.State, "lapsed")
			want(t, "late money", *o.LateMoney, app.LateMoneyView{Amount: 12000, Verdict: "refunded", Reason: "slot_taken"})
			want(t, "on its way", o.RefundPending, 12000)
			want(t, "refunds", len(o.Refunds), 1)
			want(t, "told", c.notices(o.ID, "late_money"), 1)
			want(t, "b told nothing", c.count("SELECT count(*) FROM notices WHERE order_id <> ?", o.ID), before)
			c.round()
			want(t, "refunded", c.order(a, o.ID).Refunded, 12000)
			want(t, "stock", c.stock("g1"), 10)
			c.sound()
		})
	}
}

func TestC08_PaidInTimeToldLate(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		name    string
		settled bool // a round has committed the lapse before the notice comes
		rival   bool
	}{{"free", false, false}, {"free, lapse committed", true, false}, {"taken", false, true}, {"taken, lapse committed", true, true}} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a, b := c.customer("13800000001"), c.customer("13800000002")
			s := slot("c1", "17:30")
			o := c.book(a, slots(s))
			no := c.open(a, o)
			c.wall.set(noon + 595)
			n := c.succeed(no)
			c.wall.set(noon + 620)
			if k.settled { // the lost answer: the bank cannot be asked in time
				c.alter("UPDATE payments SET next_ask_at = ?", int64(noon+3600))
				c.round()
			}
			if k.rival {
				c.book(b, slots(s))
			}
			c.wall.set(noon + 690)
			c.tell(n)
			o = c.order(a, o.ID)
			if k.rival {
				want(t, "a", o.State, "lapsed")
				want(t, "refund", c.refunded(o.ID), 6000)
				want(t, "b", c.state(s), "held")
			} else {
				want(t, "a", o.State, "paid")
				want(t, "refund", c.refunded(o.ID), 0)
				want(t, "rows", c.count("SELECT count(*) FROM reservations"), 2)
				want(t, "new row", c.count("SELECT count(*) FROM reservations WHERE replaced_as = 'revived' AND paid_at = ? AND booked_at = ?", int64(noon+690), int64(noon+690)), 1)
				want(t, "the old row stays lapsed", c.count("SELECT count(*) FROM reservations WHERE replaces IS NULL AND ending = 'lapsed' AND settled_at IS NOT NULL"), 1)
			}
			want(t, "evidence", c.count("SELECT success_time FROM payments"), int(noon+595))
			want(t, "recorded", c.count("SELECT succeeded_at FROM payments"), int(noon+690))
			c.oneAtATime(s, noon, noon+700)
			c.sound()
		})
	}
}

// oneAtATime asks the desk's board about every tenth second, that two bookings
// never block one slot together.
func (c *club) oneAtATime(s app.SlotRef, from, to domain.Instant) {
	c.t.Helper()
	day, err := domain.ParseDate("date", "2026-12-10")
	must(c.t, err)
	seen := 0
	for i := from; i <= to; i += 10 {
		board, err := c.app.DeskDay(ctx, day, i)
		must(c.t, err)
		for _, court := range board.Courts {
			for _, cell := range court.Slots {
				blocking := 0
				for _, b := range cell.Bookings {
					if b.Blocks {
						blocking++
						seen++
					}
				}
				if blocking > 1 {
					c.t.Fatalf("at %d two bookings block %s %s", i, court.ID, cell.Label)
				}
			}
		}
	}
	if seen == 0 {
		c.t.Fatalf("nothing ever blocked %v", s)
	}
}

func TestC09_MoneyAfterTheLapseWasWrittenDown(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		meanwhile func(c *club, b app.Actor)
		reason    string // why it cannot be revived; "" if it can
	}{
		"all free": {func(*club, app.Actor) {}, ""},
		"goods gone": {func(c *club, b app.Actor) {
			c.payFor(b, c.book(b, basket("", goods("g1", 9))))
		}, "out_of_stock"},
		"goods held": {func(c *club, b app.Actor) { c.book(b, basket("", goods("g1", 9))) }, "out_of_stock"},
		"coupon used": {func(c *club, b app.Actor) {
			c.book(b, basket("ONCE", nil, slot("c2", "17:30")))
		}, "coupon_used"},
		"slot gone": {func(c *club, b app.Actor) { c.book(b, slots(slot("c1", "17:30"))) }, "slot_taken"},
		"slot closed": {func(c *club, _ app.Actor) {
			_, err := c.close("18:00", "19:00", false, "c1")
			must(c.t, err)
		}, "slot_closed"},
		"slot begun": {func(c *club, _ app.Actor) { c.clock("17:30:00") }, "slot_past"},
	} {
		for _, settled := range []bool{true, false} {
			t.Run(name+map[bool]string{true: ", settled", false: ", unsettled"}[settled], func(t *testing.T) {
				t.Parallel()
				c := newClub(t)
				c.coupon("ONCE", 10, 1, 0)
				a, b := c.customer("13800000001"), c.customer("13800000002")
				o := c.book(a, basket("ONCE", goods("g1", 2), slot("c1", "17:30")))
				want(t, "total", o.Total, 10800)
				no := c.open(a, o)
				c.wall.set(noon + 600)
				if settled {
					c.alter("UPDATE payments SET next_ask_at = ?", int64(noon+86400))
					c.round()
					want(t, "lapse told", c.mail.kinds()["lapsed"], 1)
				}
				want(t, "stock", c.stock("g1"), 10)
				want(t, "uses", c.uses("ONCE"), 0)
				k.meanwhile(c, b)
				stock, uses := c.stock("g1"), c.uses("ONCE")
				n := c.succeed(no)
				c.tell(n)
				after := c.count("SELECT (SELECT count(*) FROM reservations) + (SELECT count(*) FROM stock_moves) + (SELECT count(*) FROM refunds) + (SELECT count(*) FROM notices)")
				c.tell(n)
				c.tell(n)
				want(t, "a repeated notice changes nothing", c.count("SELECT (SELECT count(*) FROM reservations) + (SELECT count(*) FROM stock_moves) + (SELECT count(*) FROM refunds) + (SELECT count(*) FROM notices)"), after)
				o = c.order(a, o.ID)
				if k.reason == "" {
					want(t, "state", o.State, "paid")
					want(t, "stock re-taken", c.stock("g1"), stock-2)
					want(t, "coupon re-taken", c.uses("ONCE"), uses+1)
					want(t, "refund", c.refunded(o.ID), 0)
				} else {
					want(t, "state", o.State, "lapsed")
					want(t, "why", o.LateMoney.Reason, k.reason)
					want(t, "stock", c.stock("g1"), stock)
					want(t, "uses", c.uses("ONCE"), uses)
					want(t, "refund", c.refunded(o.ID), 10800)
				}
				c.sound()
				c.round()
				c.sound()
			})
		}
	}
}

func TestC10_ExactlyAtTheDeadline(t *testing.T) {
	t.Parallel()
	for _, off := range []domain.Instant{-1, 0, 1} {
		c := newClub(t)
		a, b := c.customer("13800000001"), c.customer("13800000002")
		s := slot("c1", "17:30")
		o := c.book(a, basket("", goods("g1", 2), s))
		n := c.open(a, o)
		c.wall.set(noon + 600 + off)
		due, _, err := c.app.Foresee(ctx)
		must(t, err)
		_, openErr := c.app.OpenPayment(ctx, a, o.ID, "sandbox", "", "")
		_, cancelErr := c.app.PreviewRefund(ctx, a, o.ID)
		if off < 0 {
			want(t, "list", c.state(s), "held")
			want(t, "stock", c.stock("g1"), 8)
			want(t, "due", len(due), 0)
			must(t, openErr)
			must(t, cancelErr)
			c.refuse(b, slots(s), "slot_taken")
			want(t, "settled", c.round().Settled.Settled, 0)
			c.tell(c.succeed(n))
			o = c.order(a, o.ID)
			want(t, "state", o.State, "paid")
			want(t, "no late money", o.LateMoney == nil, true)
			continue
		}
		want(t, "list", c.state(s), "free")
		want(t, "stock", c.stock("g1"), 10)
		want(t, "due", len(due), 2)
		wantReason(t, openErr, "hold_lapsed")
		wantReason(t, cancelErr, "hold_lapsed")
		_, err = c.app.MarkPaid(ctx, c.desk, o.ID, "")
		wantReason(t, err, "hold_lapsed")
		c.book(b, slots(s))
		c.tell(c.succeed(n))
		want(t, "state", c.order(a, o.ID).State, "lapsed")
		c.round()
		want(t, "told", c.mail.kinds()["lapsed"], 1)
		c.sound()
	}
}

// A machine whose clock shows fractions of a second, in any zone, agrees to the second.
func TestC10_FractionsOfASecondAreCutOff(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	for _, k := range []struct {
		at    domain.Instant
		state string
	}{{noon + 599, "held"}, {noon + 600, "lapsed"}} {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 8*3600), time.FixedZone("", -5*3600)} {
			db, err := sqlite.Open(ctx, sqlite.Options{Path: c.path, Wall: func() time.Time {
				return time.Unix(int64(k.at), 999_999_999).In(zone)
			}})
			must(t, err)
			must(t, db.Read(ctx, func(s *sqlite.Snapshot) error {
				order, err := s.Order(o.ID)
				want(t, "state in "+zone.String(), string(order.State(s.Now)), k.state)
				return err
			}))
			must(t, db.Close())
		}
	}
}

package app_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func days(t *testing.T, from, until string) domain.DateSpan {
	t.Helper()
	span, err := domain.ParseDateSpan(from, until)
	must(t, err)
	return span
}

func (c *club) takings(from, until string) app.TakingsReport {
	c.t.Helper()
	r, err := c.app.Takings(ctx, days(c.t, from, until))
	must(c.t, err)
	return r
}

func (c *club) rates(from, until string) app.RatesReport {
	c.t.Helper()
	r, err := c.app.Rates(ctx, days(c.t, from, until))
	must(c.t, err)
	return r
}

// money says a day's figures in short: in/payments out/refunds under way/count flagged/count.
func money(f app.MoneyFigures) string {
	return fmt.Sprintf("%d/%d %d/%d %d/%d %d/%d =%d", f.In, f.Payments, f.Out, f.Refunds, f.UnderWay, f.UnderWayCount, f.Flagged, f.FlaggedCount, f.Net)
}

func route(t *testing.T, routes []app.TakingsRoute, via string) app.MoneyFigures {
	t.Helper()
	for _, r := range routes {
		if r.Via == via {
			return r.MoneyFigures
		}
	}
	t.Fatalf("no route %s", via)
	return app.MoneyFigures{}
}

func TestTakings(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	kept := c.payFor(a, c.book(a, basket("", goods("g1", 2), slot("c1", "17:30")))) // 6000 + 2 × 3000
	_, err := c.deskSale(slot("c2", "17:30"))                                       // 6000 in cash
	must(t, err)
	undone := c.payFor(b, c.book(b, slots(slotOn("2026-12-12", "c3", "17:30")))) // 6000, more than a day ahead
	odd := c.book(b, slots(slot("c4", "17:30")))
	n := c.succeed(c.open(b, odd))
	h, err := c.bank.Sign(ctx, []byte(strings.Replace(string(n.body), `"amount_fen":6000`, `"amount_fen":5999`, 1)))
	must(t, err)
	c.tell(news{h, []byte(strings.Replace(string(n.body), `"amount_fen":6000`, `"amount_fen":5999`, 1))})

	r := c.takings("2026-12-09", "2026-12-11")
	want(t, "days", len(r.Days), 3)
	want(t, "the day before", money(r.Days[0].MoneyFigures), "0/0 0/0 0/0 0/0 =0")
	want(t, "the day", money(r.Days[1].MoneyFigures), "24000/3 0/0 0/0 6000/1 =24000")
	want(t, "routes", fmt.Sprint(r.Routes[0].Via, r.Routes[1].Via, len(r.Routes)), "cashsandbox2")
	want(t, "cash", money(route(t, r.Days[1].Routes, "cash")), "6000/1 0/0 0/0 0/0 =6000")
	want(t, "sandbox", money(route(t, r.Days[1].Routes, "sandbox")), "18000/2 0/0 0/0 6000/1 =18000")
	want(t, "cash on a day without", money(route(t, r.Days[0].Routes, "cash")), "0/0 0/0 0/0 0/0 =0")

	// A refund is under way on the day it began, and out on the day it was done.
	c.cancel(b, undone.ID)
	r = c.takings("2026-12-10", "2026-12-10")
	want(t, "refund begun", money(r.Total), "24000/3 0/0 6000/1 6000/1 =24000")
	want(t, "owed back", r.OwedBack, 6000)
	c.wall.set(at("2026-12-11T00:00:00+08:00"))
	c.round()
	r = c.takings("2026-12-10", "2026-12-11")
	want(t, "the day it began", money(r.Days[0].MoneyFigures), "24000/3 0/0 0/0 6000/1 =24000")
	want(t, "the day it was done", money(r.Days[1].MoneyFigures), "0/0 6000/1 0/0 0/0 =-6000")
	want(t, "total", money(r.Total), "24000/3 6000/1 0/0 6000/1 =18000")
	want(t, "owed back", r.OwedBackCount, 0)
	c.adds(r)
	want(t, "what was kept", kept.Paid, 12000)
}

// adds compares a report that covers everything with the tables themselves.
func (c *club) adds(r app.TakingsReport) {
	c.t.Helper()
	want(c.t, "in and the payments", int(r.Total.In), c.count("SELECT coalesce(sum(amount_fen), 0) FROM payments WHERE succeeded_at IS NOT NULL"))
	want(c.t, "out and the refunds", int(r.Total.Out), c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE done_at IS NOT NULL"))
	want(c.t, "under way and the refunds", int(r.Total.UnderWay), c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE done_at IS NULL"))
	var sum, routes app.MoneyFigures
	for _, day := range r.Days {
		sum.In, sum.Out = sum.In+day.In, sum.Out+day.Out
		for _, v := range day.Routes {
			routes.In, routes.Out = routes.In+v.In, routes.Out+v.Out
		}
	}
	want(c.t, "days and total", fmt.Sprint(sum.In, sum.Out, routes.In, routes.Out), fmt.Sprint(r.Total.In, r.Total.Out, r.Total.In, r.Total.Out))
}

// A day ends at midnight on the venue's wall, or when the venue closes after that;
// this machine's own zone has no say.
func TestTakingsDayEndsInTheVenuesZone(t *testing.T) {
	for _, x := range []struct {
		closes domain.Minute
		ends   string // of 10 December
	}{{22 * 60, "2026-12-11T00:00:00+08:00"}, {26 * 60, "2026-12-11T02:00:00+08:00"}} {
		c := newClub(t)
		_, err := c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
			for i := range v.Calendar.Hours.Weekly {
				v.Calendar.Hours.Weekly[i].Closes = x.closes
			}
			return nil
		})
		must(t, err)
		for i, second := range []domain.Instant{-1, 0, 1} {
			c.wall.set(at(x.ends) + second)
			_, err := c.deskSale(slotOn("2026-12-12", fmt.Sprintf("c%d", i+1), "17:30"))
			must(t, err)
		}
		r := c.takings("2026-12-10", "2026-12-11")
		want(t, "the second before", r.Days[0].Payments, 1)
		want(t, "at and after", r.Days[1].Payments, 2)
		made := c.rates("2026-12-10", "2026-12-11")
		want(t, "orders of the day before", made.Days[0].Orders.Made, 1)
		want(t, "orders of the day after", made.Days[1].Orders.Made, 2)
	}
}

func counts(f app.RateFigures) string {
	o, s := f.Orders, f.Slots
	percent := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprintf("%.1f", *p)
	}
	return fmt.Sprintf("made %d held %d paid %d done %d absent %d lapsed %d by %d/%d/%d | slots %d open %d done %d absent %d lapsed %d by %d/%d/%d over %d/%d | %s %s",
		o.Made, o.Held, o.Paid, o.Completed, o.NoShow, o.Lapsed, o.CancelledByCustomer, o.CancelledByVenue, o.CancelledBySystem,
		s.Booked, s.Open, s.Completed, s.NoShows, s.Lapsed, s.CancelledByCustomer, s.CancelledByVenue, s.CancelledBySystem, s.NoShowsOver, s.Over,
		percent(f.LapsePercent), percent(f.NoShowPercent))
}

// One second before each deadline, at it, and after: nobody runs a round.
func TestRatesTurnAtTheDeadlines(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.coupon("TEN", 10, 0, 0)
	c.payFor(a, c.book(a, basket("TEN", nil, slot("c1", "17:30")))) // a coupon alone has no say
	c.book(b, slots(slot("c2", "17:30")))
	wants := func(clock, want_ string) {
		t.Helper()
		c.clock(clock)
		want(t, clock, counts(c.rates("2026-12-10", "2026-12-10").Total), want_)
	}
	const open = "made 2 held 1 paid 1 done 0 absent 0 lapsed 0 by 0/0/0 | slots 2 open 2 done 0 absent 0 lapsed 0 by 0/0/0 over 0/0 | 0.0 -"
	const lapsed = "made 2 held 0 paid 1 done 0 absent 0 lapsed 1 by 0/0/0 | slots 2 open 1 done 0 absent 0 lapsed 1 by 0/0/0 over 0/0 | 50.0 -"
	const absent = "made 2 held 0 paid 0 done 0 absent 1 lapsed 1 by 0/0/0 | slots 2 open 0 done 0 absent 1 lapsed 1 by 0/0/0 over 0/0 | 50.0 -"
	const over = "made 2 held 0 paid 0 done 0 absent 1 lapsed 1 by 0/0/0 | slots 2 open 0 done 0 absent 1 lapsed 1 by 0/0/0 over 1/1 | 50.0 100.0"
	wants("12:09:59", open)
	wants("12:10:00", lapsed)
	wants("12:10:01", lapsed)
	wants("17:44:59", lapsed)
	wants("17:45:00", absent)
	wants("18:59:59", absent)
	wants("19:00:00", over)
	wants("19:00:01", over)
	want(t, "rounds", c.count("SELECT count(*) FROM reconciler_runs"), 0)
	before := c.rates("2026-12-10", "2026-12-10")
	c.round()
	want(t, "a round changes nothing", reflect.DeepEqual(before, c.rates("2026-12-10", "2026-12-10")), true)
}

func TestRatesSayWhoCancelled(t *testing.T) {
	c := newClub(t)
	p := c.crowd(5)
	c.cancel(p[0], c.book(p[0], slots(slot("c1", "17:30"))).ID)
	desk := c.payFor(p[1], c.book(p[1], slots(slot("c2", "17:30"))))
	_, err := c.app.CancelAtDesk(ctx, c.desk, desk.ID, "venue", "灯坏了", "")
	must(t, err)
	phoned := c.payFor(p[2], c.book(p[2], slots(slot("c3", "17:30"))))
	_, err = c.app.CancelAtDesk(ctx, c.desk, phoned.ID, "customer", "来电取消", "")
	must(t, err)
	// The venue took one slot, the customer gave up the other later: the customer's.
	both := c.payFor(p[3], c.book(p[3], slots(slot("c4", "17:30"), slot("c5", "19:00"))))
	_, err = c.close("17:00", "18:00", true, "c4")
	must(t, err)
	c.clock("12:00:05")
	c.cancel(p[3], both.ID)
	// A move is no cancellation, and the row it left counts for nothing.
	moved := c.payFor(p[4], c.book(p[4], slots(slot("c6", "17:30"))))
	_, err = c.move(moved.Reservations[0].ID, slot("c6", "19:00"))
	must(t, err)
	c.clock("18:55:00")
	want(t, "let in", c.scan(c.order(p[4], moved.ID).Ticket.Code).Result, "ok")
	c.clock("20:30:00")
	want(t, "all", counts(c.rates("2026-12-10", "2026-12-10").Total),
		"made 5 held 0 paid 0 done 1 absent 0 lapsed 0 by 3/1/0 | slots 6 open 0 done 1 absent 0 lapsed 0 by 3/2/0 over 0/1 | 0.0 0.0")
}

// Orders are counted on the day they were made, slots on the day they are played.
func TestRatesByDay(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	c.payFor(a, c.book(a, slots(slotOn("2026-12-11", "c1", "08:30"), slotOn("2026-12-12", "c1", "08:30"))))
	r := c.rates("2026-12-09", "2026-12-12")
	var got []string
	for _, d := range r.Days {
		got = append(got, fmt.Sprintf("%s %d/%d", d.Date, d.Orders.Made, d.Slots.Booked))
	}
	want(t, "days", strings.Join(got, ", "), "2026-12-09 0/0, 2026-12-10 1/0, 2026-12-11 0/1, 2026-12-12 0/1")
	want(t, "nothing to divide by", r.Days[0].LapsePercent == nil && r.Days[0].NoShowPercent == nil, true)
	want(t, "goods alone are an order", func() string {
		c.book(a, basket("", goods("g3", 1)))
		d := c.rates("2026-12-10", "2026-12-10").Total
		return fmt.Sprint(d.Orders.Made, d.Orders.Held, d.Slots.Booked)
	}(), "2 1 0")
}

func TestTopGoods(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders = 9 })
	c.coupon("TEN", 10, 0, 0)
	_, err := c.app.AddCoupon(ctx, c.owner, domain.Coupon{Code: "OFF10", Name: "减十元", AmountFen: 1000, Active: true}, "")
	must(t, err)
	p := c.crowd(7)
	both := []app.GoodRef{{ID: "g1", Qty: 1}, {ID: "g2", Qty: 2}}
	// 3000 + 4000 less 10 %: 700, of which 300 are g1's and 400 g2's.
	c.payFor(p[0], c.book(p[0], basket("TEN", both)))
	// 3000 + 2000 + 300 less 1000: 566, 377 and 57 by running sums, nothing lost.
	c.payFor(p[6], c.book(p[6], basket("OFF10", []app.GoodRef{{ID: "g1", Qty: 1}, {ID: "g2", Qty: 1}, {ID: "g3", Qty: 1}})))
	c.book(p[1], basket("", goods("g1", 3)))                                                 // lapses
	c.cancel(p[2], c.payFor(p[2], c.book(p[2], basket("", goods("g1", 2)))).ID)              // goes back
	absent := c.payFor(p[3], c.book(p[3], basket("", goods("g3", 4), slot("c1", "17:30"))))  // is not fetched
	fetched := c.payFor(p[4], c.book(p[4], basket("", goods("g3", 3), slot("c2", "17:30")))) // is fetched
	movedOn := c.payFor(p[5], c.book(p[5], basket("", goods("g2", 1), slot("c3", "17:30")))) // goes along to another day
	_, err = c.move(movedOn.Reservations[0].ID, slotOn("2026-12-11", "c3", "19:00"))
	must(t, err)
	line := func() string {
		t.Helper()
		r, err := c.app.TopGoods(ctx, days(t, "2026-12-10", "2026-12-10"))
		must(t, err)
		var got []string
		for _, g := range r.Goods {
			got = append(got, fmt.Sprintf("%s %d/%d %d/%d", g.ID, g.Sold, g.Revenue, g.Uncollected, g.UncollectedMoney))
		}
		return fmt.Sprintf("%s = %d/%d %d/%d", strings.Join(got, ", "), r.Total.Sold, r.Total.Revenue, r.Total.Uncollected, r.Total.UncollectedMoney)
	}
	want(t, "at noon", line(), "g2 4/7223 0/0, g1 2/5134 0/0, g3 8/2343 0/0 = 14/14700 0/0")
	c.clock("17:30:00")
	want(t, "let in", c.scan(c.order(p[4], fetched.ID).Ticket.Code).Result, "ok")
	c.clock("18:59:59")
	want(t, "before the end of the slot", line(), "g2 4/7223 0/0, g1 2/5134 0/0, g3 8/2343 0/0 = 14/14700 0/0")
	c.clock("19:00:00")
	const after = "g2 4/7223 0/0, g1 2/5134 0/0, g3 4/1143 4/1200 = 10/13500 4/1200"
	want(t, "at the end", line(), after)
	c.round()
	want(t, "after a round", line(), after)
	want(t, "not fetched", c.order(p[3], absent.ID).GoodsState, "no_show")
	r, err := c.app.TopGoods(ctx, days(t, "2026-12-11", "2026-12-11"))
	must(t, err)
	want(t, "a day without orders has a row for each good", fmt.Sprint(len(r.Goods), r.Total.Sold), "3 0")
}

package app_test

import (
	"fmt"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
)

// until is the instant that a refusal says to wait for.
func until(t *testing.T, err error) domain.Instant {
	t.Helper()
	e, _ := domain.AsError(err)
	if e == nil {
		t.Fatalf("got %v, want a refusal", err)
	}
	i, _ := e.Detail["until"].(domain.Instant)
	return i
}

func TestFairness_LiveUnpaidOrders(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other, a := c.second(), c.customer("13800000001")
	errs := race(8, func(i int) error {
		_, _, err := both(c, other, i).app.CreateOrder(ctx, a, slots(slotOn("2026-12-11", fmt.Sprintf("c%d", i%6+1), []string{"17:30", "19:00"}[i/6])), "")
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 2, "limit_reached": 6})
	c.refuse(a, basket("", goods("g1", 1)), "limit_reached") // goods alone are an order too
	c.wall.set(noon + 600)                                   // both lapse
	for range 2 {
		one := c.book(a, basket("", goods("g1", 1)))
		two := c.book(a, slots(slot("c1", "20:30")))
		c.refuse(a, slots(slot("c2", "20:30")), "limit_reached")
		c.payFor(a, one)
		three := c.book(a, slots(slot("c2", "20:30")))
		c.cancel(a, two.ID)
		c.cancel(a, three.ID)
	}
	// The desk is not bound.
	for i := range 4 {
		_, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot(fmt.Sprintf("c%d", i+1), "20:30")), app.Caller{Name: "a", Phone: "13800000001"}, "online", "")
		must(t, err)
	}
	c.refuse(a, slots(slot("c6", "20:30")), "limit_reached")
	c.sound()
}

func TestFairness_SlotsOfADay(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.Strikes, p.ReleaseAfterMinutes = 50, 0, 15 })
	other, a := c.second(), c.customer("13800000001")
	ref := func(i int) app.SlotRef {
		return slotOn("2026-12-11", fmt.Sprintf("c%d", i%6+1), []string{"17:30", "19:00"}[i/6])
	}
	errs := race(9, func(i int) error {
		_, _, err := both(c, other, i).app.CreateOrder(ctx, a, slots(ref(i)), "")
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 4, "limit_reached": 5})
	c.book(a, slots(slotOn("2026-12-12", "c1", "17:30"), slotOn("2026-12-12", "c2", "17:30"))) // another day
	c.wall.set(noon + 600)                                                                     // all lapse
	five := slots(ref(0), ref(1), ref(2), ref(3), ref(4))
	fresh := c.customer("13800000002")
	c.refuse(fresh, five, "limit_reached")
	want(t, "nothing of it", c.count("SELECT count(*) FROM orders WHERE customer_id = ?", fresh.ID), 0)
	o := c.paidAt(fresh, ref(0), ref(1))
	c.payFor(fresh, c.book(fresh, slots(ref(2), ref(3))))
	c.refuse(fresh, slots(ref(6)), "limit_reached")
	c.cancel(fresh, o.ID) // two come free
	c.paidAt(fresh, ref(4), slotOn("2026-12-11", "c5", "20:30"))
	c.refuse(fresh, slots(ref(6)), "limit_reached")
	// What was played, or missed, was had.
	c.wall.set(at("2026-12-11T17:46:00+08:00"))
	c.refuse(fresh, slots(slotOn("2026-12-11", "c6", "20:30")), "limit_reached")
	c.sound()
}

func TestFairness_TheWindowOpensToTheSecond(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	last, beyond := slotOn("2026-12-16", "c1", "08:30"), slotOn("2026-12-17", "c1", "08:30")
	for i, k := range []struct {
		now           string
		last, beyond  string
		lastOk, nowOk bool
	}{
		{"2026-12-10T00:00:00+08:00", "not_open", "not_open", false, false},
		{"2026-12-10T06:59:59+08:00", "not_open", "not_open", false, false},
		{"2026-12-10T07:00:00+08:00", "free", "not_open", true, false},
		{"2026-12-11T06:59:59+08:00", "free", "not_open", true, false},
		{"2026-12-11T07:00:00+08:00", "free", "free", true, true},
	} {
		c := newClubAt(t, k.now)
		crowd := c.crowd(2)
		want(t, "list of D+6", c.state(last), k.last)
		want(t, "list beyond", c.state(beyond), k.beyond)
		for j, try := range []struct {
			ref app.SlotRef
			ok  bool
		}{{last, k.lastOk}, {beyond, k.nowOk}} {
			_, _, err := c.app.CreateOrder(ctx, crowd[j], slots(try.ref), "")
			if try.ok {
				must(t, err)
				continue
			}
			wantReason(t, err, "not_open_yet")
			e, _ := domain.AsError(err)
			want(t, "says when", e.Detail["opens_at"] == any(at([]string{"2026-12-10", "2026-12-11"}[j]+"T07:00:00+08:00")), true)
		}
		if i == 0 {
			_, err := c.deskSale(beyond)
			must(t, err)
		}
	}
	// Everybody waits for the stroke of seven; one of them has it.
	c.wall.set(at("2026-12-11T07:00:00+08:00"))
	crowd, other := c.crowd(30), c.second()
	errs := race(30, func(i int) error {
		_, _, err := both(c, other, i).app.CreateOrder(ctx, crowd[i], slots(beyond), "")
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 1, "slot_taken": 29})
}

// newClubAt is a club whose clock starts elsewhere; nothing has been done in it yet.
func newClubAt(t *testing.T, now string) *club {
	t.Helper()
	c := newClub(t)
	c.wall.set(at(now))
	must(t, c.db.AcceptClock(ctx, nil))
	return c
}

func TestFairness_OnlineSaleEnds(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	crowd := c.crowd(4)
	c.clock("17:26:59")
	c.book(crowd[0], slots(slot("c1", "17:30")))
	for _, clock := range []string{"17:27:00", "17:29:59", "17:30:00"} {
		c.clock(clock)
		c.refuse(crowd[1], slots(slot("c2", "17:30")), "slot_past")
		c.refuse(crowd[1], slots(slot("c2", "19:00"), slot("c2", "17:30")), "slot_past")
	}
	_, err := c.deskSale(slot("c2", "17:30"))
	must(t, err)
	c.policy(func(p *domain.Policy) { p.SaleEndsBeforeMinutes = 0 })
	c.clock("18:59:59")
	c.book(crowd[2], slots(slot("c2", "19:00")))
	c.clock("19:00:00")
	c.refuse(crowd[3], slots(slot("c3", "19:00")), "slot_past")
}

func TestFairness_CoolDownGrows(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	s := slotOn("2026-12-12", "c1", "17:30")
	now := noon
	lapse := func() {
		c.wall.set(now)
		c.book(a, slots(s))
		now += 600
		c.wall.set(now)
	}
	lapse()
	lapse()
	wait := domain.Instant(15 * 60)
	for n := 3; n <= 7; n++ { // 15, 30, 60, 120, 240 minutes
		lapse()
		_, _, err := c.app.CreateOrder(ctx, a, slots(s), "")
		wantReason(t, err, "cooling_down")
		want(t, fmt.Sprintf("wait after %d", n), until(t, err), now+wait)
		if n%2 == 0 {
			c.round() // written down or not
		}
		c.wall.set(now + wait - 1)
		c.refuse(a, slots(s), "cooling_down")
		c.refuse(a, basket("", goods("g1", 1)), "cooling_down")
		_, _, err = c.app.DeskOrder(ctx, c.desk, slots(slotOn("2026-12-13", fmt.Sprintf("c%d", n-2), "17:30")), app.Caller{Name: "a", Phone: "13800000001"}, "cash", "")
		must(t, err) // the desk is not bound
		now += wait
		wait *= 2
	}
	// After a day without a lapse the count begins anew.
	c.wall.set(now)
	c.book(a, slots(s))
	now += 600 // the eighth lapse: 480 minutes
	c.wall.set(now + 480*60 - 1)
	c.refuse(a, slots(s), "cooling_down")
	c.wall.set(now + 86400)
	now += 86400
	lapse()
	c.book(a, slots(s))
}

func TestFairness_CoolDownIsADayAtMost(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders = 12 })
	a := c.customer("13800000001")
	for i := range 12 { // 15 min · 2^9 would be more than five days
		c.book(a, slots(slotOn(fmt.Sprintf("2026-12-%d", 11+i/4), fmt.Sprintf("c%d", i%6+1), "17:30")))
	}
	c.wall.set(noon + 600)
	_, _, err := c.app.CreateOrder(ctx, a, basket("", goods("g1", 1)), "")
	wantReason(t, err, "cooling_down")
	want(t, "until", until(t, err), noon+600+86400)
	c.wall.set(noon + 600 + 86400)
	c.book(a, basket("", goods("g1", 1)))
}

func TestFairness_WhatIsNoLapse(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		end    func(c *club, a app.Actor, o app.OrderView)
		counts bool
	}{
		"changed one's mind in two minutes": {func(c *club, a app.Actor, o app.OrderView) { c.wall.set(c.wall.now + 120); c.cancel(a, o.ID) }, false},
		"a second longer":                   {func(c *club, a app.Actor, o app.OrderView) { c.wall.set(c.wall.now + 121); c.cancel(a, o.ID) }, true},
		"lapsed":                            {func(c *club, _ app.Actor, _ app.OrderView) { c.wall.set(c.wall.now + 600) }, true},
		"cancelled by the venue": {func(c *club, _ app.Actor, o app.OrderView) {
			c.wall.set(c.wall.now + 300)
			_, err := c.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", "rain", "")
			must(c.t, err)
		}, false},
		"paid and cancelled": {func(c *club, a app.Actor, o app.OrderView) {
			c.payFor(a, o)
			c.wall.set(c.wall.now + 300)
			c.cancel(a, o.ID)
		}, false},
		"revived": {func(c *club, a app.Actor, o app.OrderView) {
			no := c.open(a, o)
			c.wall.set(c.wall.now + 600)
			c.tell(c.succeed(no))
			want(c.t, "revived", c.order(a, o.ID).State, "paid")
		}, false},
		"moved, then paid": {func(c *club, a app.Actor, o app.OrderView) {
			m, err := c.move(o.Reservations[0].ID, app.SlotRef{Court: "c6", Start: domain.InstantOf(o.Reservations[0].Start)})
			must(c.t, err)
			c.payFor(a, m.Order)
			c.wall.set(c.wall.now + 600)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			for _, date := range []string{"2026-12-12", "2026-12-13", "2026-12-14"} {
				k.end(c, a, c.book(a, basket("", goods("g3", 1), slotOn(date, "c1", "17:30"))))
			}
			_, _, err := c.app.CreateOrder(ctx, a, slots(slotOn("2026-12-15", "c1", "17:30")), "")
			if k.counts {
				wantReason(t, err, "cooling_down")
			} else {
				must(t, err)
			}
		})
	}
}

// missOn gives a customer a paid order on a date that nobody comes to; its end is 19:00.
func (c *club) missOn(a app.Actor, date string, courts ...string) app.OrderView {
	c.t.Helper()
	var refs []app.SlotRef
	for _, court := range courts {
		refs = append(refs, slotOn(date, court, "17:30"))
	}
	return c.paidAt(a, refs...)
}

func TestFairness_Strikes(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	first := c.missOn(a, "2026-12-10", "c1", "c2") // two slots, one strike
	second := c.missOn(a, "2026-12-11", "c1")
	c.missOn(a, "2026-12-12", "c1")
	c.wall.set(at("2026-12-12T18:59:59+08:00"))
	c.cancel(a, c.book(a, slots(slot2("c2"))).ID)
	c.wall.set(at("2026-12-12T19:00:00+08:00"))
	_, _, err := c.app.CreateOrder(ctx, a, slots(slot2("c2")), "")
	wantReason(t, err, "banned")
	oldest := at("2026-12-10T19:00:00+08:00")
	want(t, "until", until(t, err), oldest.Add(30*24*time.Hour))
	_, err = c.deskSale(slot2("c3")) // the desk is not bound
	must(t, err)

	// One forgiven: two strikes are left.
	_, err = c.app.Forgive(ctx, c.desk, first.ID, "ill", "")
	must(t, err)
	_, err = c.app.Forgive(ctx, c.desk, first.ID, "ill", "")
	wantReason(t, err, "already_forgiven")
	c.cancel(a, c.book(a, slots(slot2("c2"))).ID)
	c.missOn(a, "2026-12-13", "c1")
	c.wall.set(at("2026-12-13T19:00:00+08:00"))
	_, _, err = c.app.CreateOrder(ctx, a, slots(slotOn("2026-12-14", "c2", "20:30")), "")
	wantReason(t, err, "banned")
	want(t, "until", until(t, err), at("2026-12-11T19:00:00+08:00").Add(30*24*time.Hour))
	// Undone: it was none.
	_, err = c.app.UndoNoShow(ctx, c.desk, second.Reservations[0].ID, "was here", "")
	must(t, err)
	c.cancel(a, c.book(a, slots(slotOn("2026-12-14", "c2", "20:30"))).ID)
}

func slot2(court string) app.SlotRef { return slotOn("2026-12-13", court, "20:30") }

func TestFairness_AStrikeAgesOut(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	for _, date := range []string{"2026-12-10", "2026-12-11", "2026-12-12"} {
		c.missOn(a, date, "c1")
	}
	out := at("2026-12-10T19:00:00+08:00").Add(30 * 24 * time.Hour)
	s := slotOn("2027-01-10", "c1", "17:30")
	for _, settled := range []bool{false, true} {
		c.wall.set(max(c.wall.now, out-1-domain.Instant(3600)))
		if settled {
			c.round()
		}
		c.refuse(a, slots(s), "banned")
	}
	c.wall.set(out - 1)
	c.refuse(a, slots(s), "banned")
	c.wall.set(out)
	c.book(a, slots(s))
	_, err := c.app.Forgive(ctx, c.desk, c.paidAt(a, slotOn("2027-01-11", "c1", "17:30")).ID, "", "")
	wantReason(t, err, "no_strike")
}

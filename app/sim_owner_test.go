package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// Acts of the owner and of the reconciler.

// done ends an act that gives nothing to compare.
func (w *world) done(act string, err error, want oVerdict) error {
	_, err = w.saw(act, err, want)
	return err
}

// unlessBehind is what an act comes to that only the clock can keep from being done.
func (o *oracle) unlessBehind() oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	return oVerdict{}
}

func simClose(w *world, n [5]uint32) error {
	s := w.spot(n[0])
	if n[3]%4 != 0 { // where somebody is, or should have been
		if c := w.claimThat(n[0], func(c *oClaim) bool {
			if n[3]%4 == 1 {
				return c.stands(w.o.now) && c.at(w.o.now) == "no_show" && w.o.now < c.end
			}
			return c.live(w.o.now) && c.discount > 0
		}); c != nil {
			s = oSpot{c.court, c.start}
		}
	}
	from, to := s.start-oTime(n[1]%3)*oHour, s.start+oTime(n[1]/3%4)*oHour
	courts := []string{s.court}
	if n[1]/16%3 == 0 {
		courts = []string{"c1", "c2"}
	}
	cancel := n[1]/64%2 == 0
	w.line = fmt.Sprintf("the owner closes %v from %d to %d, cancelling %t", courts, from, to, cancel)
	req := app.ClosureRequest{Courts: courts, From: from, To: to, Reason: "rain", CancelBookings: cancel}
	p := w.proc(n[4])
	if n[2]%16 == 0 && to > from && to > w.o.now && !slices.Contains(courts, "c9") && !w.o.behind() {
		req.Seen = "something else"
		_, err := p.app.MakeClosure(ctx, w.owner, req, "")
		return w.done("close", err, no("changed_meanwhile"))
	}
	hits, want := w.o.close(courts, from, to, cancel)
	made, err := p.app.MakeClosure(ctx, w.owner, req, "")
	done, err := w.saw("close", err, want)
	if !done || err != nil {
		return err
	}
	w.o.closures[len(w.o.closures)-1].id = made.Closure.ID
	if len(made.Hits) != hits {
		return fmt.Errorf("close: the program says that it hits %d, the oracle %d", len(made.Hits), hits)
	}
	if hits > 0 {
		w.seen["a closure/"+map[bool]string{true: "cancels", false: "leaves"}[cancel]]++
	}
	return nil
}

func simLift(w *world, n [5]uint32) error {
	all := w.o.closures
	id, want := "none", w.o.unlessBehind()
	if len(all) == 0 || n[1]%32 == 0 {
		if want.reason == "" {
			want = no("not_found")
		}
	} else {
		c := all[len(all)-1-int(n[0])%min(len(all), 8)]
		if id = c.id; want.reason == "" && c.lifted == 0 {
			c.lifted = w.o.now
		}
	}
	w.line = "the owner lifts a closure"
	_, err := w.proc(n[4]).app.LiftClosure(ctx, w.owner, id)
	return w.done("lift", err, want)
}

func simPolicy(w *world, n [5]uint32) error {
	want := w.o.unlessBehind()
	p := simPolicies[n[0]%uint32(len(simPolicies))]
	if want.reason == "" {
		w.o.policy = p
	}
	w.line = fmt.Sprintf("the owner sets policy %d", n[0]%uint32(len(simPolicies)))
	_, err := w.proc(n[4]).app.ChangeVenue(ctx, w.owner, "policy", func(v *sqlite.Venue) error {
		v.Policy = realPolicy(p)
		return nil
	})
	return w.done("policy", err, want)
}

func simPrice(w *world, n [5]uint32) error {
	want, list := w.o.unlessBehind(), simPrices[n[0]%uint32(len(simPrices))]
	grid := w.o.grid
	if n[1]%4 == 0 {
		grid = simGrids[n[1]/4%2]
	}
	if want.reason == "" {
		w.o.prices, w.o.grid = list, grid
	}
	w.line = fmt.Sprintf("the owner sets prices %d and slots of %d minutes", n[0]%uint32(len(simPrices)), minutesOf(grid.length))
	_, err := w.proc(n[4]).app.ChangeVenue(ctx, w.owner, "prices", func(v *sqlite.Venue) error {
		v.Prices, v.Calendar.Hours = realPrices(list), realHours(grid)
		return nil
	})
	return w.done("prices", err, want)
}

func simCourt(w *world, n [5]uint32) error {
	want, c := w.o.unlessBehind(), &w.o.courts[n[0]%3]
	on := n[1]%6 != 0
	if want.reason == "" {
		c.active = on
	}
	w.line = fmt.Sprintf("the owner switches court %s: %t", c.id, on)
	_, err := w.proc(n[4]).app.ChangeCourt(ctx, w.owner, c.id, func(c *sqlite.Court) error {
		c.Active = on
		return nil
	})
	return w.done("court", err, want)
}

func simStock(w *world, n [5]uint32) error {
	want, id := w.o.unlessBehind(), fmt.Sprint("g", 1+n[0]%3)
	kind, qty, note := []string{"receipt", "adjust"}[n[1]%2], []int{1, 2, -1, -2, -9, 0}[n[2]%6], "counted"
	if n[2]/8%24 == 0 {
		note = ""
	}
	if n[2]/256%32 == 0 {
		id = "g9"
	}
	g := w.o.good(id)
	switch {
	case qty == 0, kind == "receipt" && qty < 0, kind == "adjust" && note == "":
		want = no(badField)
	case want.reason != "":
	case g == nil:
		want = no("not_found")
	case w.o.available(id, w.o.now)+qty < 0:
		want = no("out_of_stock")
	default:
		g.received += qty
	}
	w.line = fmt.Sprintf("%s of %d %s", kind, qty, id)
	_, err := w.proc(n[4]).app.MoveStock(ctx, w.owner, id, kind, qty, note, "")
	return w.done("stock", err, want)
}

func simGood(w *world, n [5]uint32) error {
	want, g := w.o.unlessBehind(), w.o.goods[n[0]%3]
	next := *g
	next.active, next.price = n[1]%6 != 0, []int64{501, 1200, 0, 99}[n[1]/6%4]
	if want.reason == "" {
		*g = next
	}
	w.line = fmt.Sprintf("the owner changes good %s: %+v", g.id, next)
	_, err := w.proc(n[4]).app.ChangeGood(ctx, w.owner, g.id, func(r *sqlite.Good) error {
		r.PriceFen, r.Active = next.price, next.active
		return nil
	})
	return w.done("good", err, want)
}

func simCoupon(w *world, n [5]uint32) error {
	want, c := w.o.unlessBehind(), w.o.coupons[n[0]%uint32(len(w.o.coupons))]
	p := w.proc(n[4])
	switch n[1] % 8 {
	case 0:
		if want.reason == "" {
			want = no("code_exists")
		}
		w.line = "the owner adds a coupon that exists"
		_, err := p.app.AddCoupon(ctx, w.owner, realCoupon(*c), "")
		return w.done("coupon", err, want)
	case 1:
		if want.reason == "" {
			want = no("not_found")
		}
		w.line = "the owner changes a coupon that does not exist"
		_, err := p.app.ChangeCoupon(ctx, w.owner, "NONE", func(*domain.Coupon) error { return nil })
		return w.done("coupon", err, want)
	}
	next := *c
	next.active = n[1]%8 != 2
	next.maxUses = []int{0, 1, 2, 3, 30}[n[2]%5]
	next.maxPerCustomer = []int{0, 1, 2}[n[2]/5%3]
	if want.reason == "" {
		*c = next
	}
	w.line = fmt.Sprintf("the owner changes coupon %+v", next)
	_, err := p.app.ChangeCoupon(ctx, w.owner, c.code, func(r *domain.Coupon) error {
		*r = realCoupon(next)
		return nil
	})
	return w.done("coupon", err, want)
}

// simRound is a round of the reconciler: whole, dry, cut short, or killed in the middle.
func simRound(w *world, n [5]uint32) error {
	p, kind := w.proc(n[4]), n[0]%10
	days := []oTime{w.today(), w.today() + oTime(n[1]%3)}
	for _, day := range days {
		if err := w.sameDay(p, day, false); err != nil {
			return err
		}
	}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	what := "whole"
	if kind >= 6 {
		what = []string{"panic", "cancel", "before", "abnormal"}[kind-6]
		w.trouble = trouble{at: 1 + int(n[2]%3), how: what, cancel: cancel}
	}
	w.line = "a round: " + what
	if kind == 5 {
		w.line = "a dry round"
		_, _, err := p.app.Foresee(ctx)
		w.seen["round/dry"]++
		return w.done("dry round", err, oVerdict{})
	}
	behind := w.o.behind()
	rep, err := p.rec.RunOnce(c)
	if rep.Settled.Differences != 0 || rep.Settled.Parked != 0 {
		return fmt.Errorf("the round changed answers: %+v", rep.Settled)
	}
	if err != nil && !behind && !(w.trouble.struck && what == "cancel") {
		return fmt.Errorf("round: %w", err)
	}
	if w.trouble.struck {
		w.seen["round/"+what]++
	} else if !behind {
		w.seen["round/whole"]++
	}
	for _, day := range days {
		if err := w.sameDay(p, day, false); err != nil {
			return errors.Join(errors.New("after a round"), err)
		}
	}
	return nil
}

// simRestart ends one of the processes and starts it again.
func simRestart(w *world, n [5]uint32) error {
	i := int(n[4] % 2)
	w.line = fmt.Sprintf("process %d is started again", i)
	w.seen["restart/done"]++
	if err := w.procs[i].db.Close(); err != nil {
		return err
	}
	return w.start(i)
}

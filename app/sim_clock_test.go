package app_test

import (
	"fmt"
	"slices"

	"courtd/app"
	"courtd/sqlite"
)

// setClock moves the machine's clock, which both processes read.
func (w *world) setClock(t oTime) {
	w.line = fmt.Sprintf("the clock goes from %s to %s", w.wall.time().In(simZone).Format("02 15:04:05"), t.In(simZone).Format("02 15:04:05"))
	w.wall.set(t)
	w.o.clock = t
	w.o.now = max(t, w.o.last)
}

// simClock moves the clock: by seconds, hours or a day, onto a deadline or beside it, and
// now and then back.
func simClock(w *world, n [5]uint32) error {
	t := w.o.clock
	if w.o.behind() { // most clocks are put right soon
		if n[1]%4 != 0 {
			return nil
		}
		t = w.o.last
	}
	switch kind := n[0] % 20; {
	case kind < 8:
		t += 1 + oTime(n[1]%90)
	case kind < 10:
		t += 1 + oTime(n[1]%900)
	case kind == 14 && len(w.untils) > 0 && w.untils[len(w.untils)-1] > t: // the end of the last ban
		t = w.untils[len(w.untils)-1] - 1 + oTime(n[2]%3)
	case kind < 15:
		t = w.deadline(t, n[1]) - 1 + oTime(n[2]%3)
	case kind == 15:
		t += oTime(n[1]%4) * oHour
	case kind == 16:
		t += 6 * oHour
	case kind == 17 && n[1]%4 == 0:
		t += oDay
	case kind == 18:
		t -= 1 + oTime(n[1]%5)
	case kind == 19 && n[1]%3 == 0:
		t -= 6 + oTime(n[2]%1000)
	}
	w.setClock(t)
	w.seen["clock/done"]++
	if w.o.clock < w.o.last {
		w.seen["clock/back"]++
	}
	return nil
}

// deadline is one of the next instants at which something ends or begins.
func (w *world) deadline(t oTime, n uint32) oTime {
	all := append(w.o.deadlines(w.o.orders...), w.untils...)
	for day := range oTime(3) {
		for _, start := range w.o.grid.starts(w.today() + day) {
			all = append(all, start, start-w.o.policy.saleEnds)
		}
		all = append(all, w.o.bookableFrom(w.today()+day+oTime(w.o.policy.daysAhead)))
	}
	all = slices.DeleteFunc(all, func(x oTime) bool { return x <= t+1 || x > t+3*oDay })
	slices.Sort(all)
	all = slices.Compact(all)
	return all[int(n%16)*min(len(all), 4)/16]
}

// simAccept is the owner who accepts the clock as it is. That is refused while anything
// that happened lies ahead of it.
func simAccept(w *world, n [5]uint32) error {
	o, p := w.o, w.proc(n[4])
	ahead := false
	for _, order := range o.orders {
		for _, c := range order.claims {
			ahead = ahead || max(c.booked, c.paid, c.in, c.gone) > o.clock
		}
		for _, p := range order.payments {
			ahead = ahead || max(p.opened, p.told) > o.clock
		}
	}
	for _, c := range o.closures {
		ahead = ahead || max(c.made, c.lifted) > o.clock
	}
	// What a round wrote down, or sent, lies ahead too.
	rows := 0
	if err := p.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		s.Now = o.clock
		rows, _, err = s.FactsAhead()
		return err
	}); err != nil {
		return err
	}
	if ahead && rows == 0 {
		return fmt.Errorf("something lies ahead of %d, and the rows say nothing", o.clock)
	}
	want := oVerdict{}
	if rows > 0 {
		want = no("bookings_ahead")
	}
	w.line = "the owner accepts the clock"
	done, err := w.saw("accept clock", app.AcceptClock(ctx, p.db, w.owner), want)
	if done {
		o.last = o.clock
		o.now = o.clock
	}
	return err
}

// simLook asks without changing anything: days, the desk's board then and later, an order.
func simLook(w *world, n [5]uint32) error {
	p, o := w.proc(n[4]), w.o
	switch n[0] % 4 {
	case 0:
		w.line = "somebody looks at a day"
		w.seen["look/day"]++
		return w.sameDay(p, w.today()+oTime(n[1]%4)-1, true)
	case 1:
		t := o.now - oTime(n[2]%7200) + 3600
		if n[2]/7200%2 == 0 {
			t = w.deadline(o.now, n[3])
		}
		w.line = fmt.Sprintf("the desk looks at its board as of %d", t)
		w.seen["look/board"]++
		return w.sameBoard(p, w.today()+oTime(n[1]%2), t)
	case 2:
		return w.sameWhy(p, w.spot(n[1]))
	}
	order := w.order(n[1])
	if order == nil {
		return nil
	}
	who := w.people[order.customer]
	if n[2]%16 == 0 {
		who = w.people[(order.customer+1)%simPeople]
		_, err := p.app.Order(ctx, who, order.id)
		w.line = "a stranger looks at an order"
		return w.done("look", err, no("not_found"))
	}
	w.line = "a customer looks at order " + order.number
	w.seen["look/order"]++
	v, err := p.app.Order(ctx, who, order.id)
	if err != nil {
		return err
	}
	return w.sameOrder(order, v, who, false)
}

// sameWhy asks what decided a slot's state.
func (w *world) sameWhy(p *process, s oSpot) error {
	o := w.o
	w.line = fmt.Sprintf("the desk asks why %v is what it is", s)
	day, ok := o.grid.slotAt(s.start)
	v, err := p.app.Why(ctx, app.SlotRef{Court: s.court, Start: s.start}, 0)
	if !ok || !o.onSale(s.court) {
		return w.done("why", err, no(badField))
	}
	if err := w.done("why", err, oVerdict{}); err != nil {
		return err
	}
	d := &differ{about: fmt.Sprintf("why of %v", s)}
	c := o.look(s.court, day, s.start, o.now)
	differs(d, "state", v.State, c.state)
	differs(d, "decided by", v.DecidedBy, map[string]string{"past": "start", "closed": "closure", "not_open": "booking_window", "held": "reservation", "taken": "reservation", "free": "nothing"}[c.state])
	if c.state == "held" {
		differs(d, "until", simInstant(v.Until), c.freeAt)
	}
	return d.err
}

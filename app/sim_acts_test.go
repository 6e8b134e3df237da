package app_test

import (
	"fmt"
	"slices"
	"strings"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// Acts of customers and of the desk. Each is worked out by the oracle first, then carried
// out by one of the two processes, and what it came to is compared.

// saw counts what an act came to, and compares it. It says whether the act was done.
func (w *world) saw(act string, err error, want oVerdict) (bool, error) {
	got := ""
	if err != nil {
		e, refused := domain.AsError(err)
		if !refused {
			return false, fmt.Errorf("%s: %w", act, err)
		}
		got = e.Reason
		if until, ok := e.Detail["until"].(domain.Instant); ok && want.until != 0 {
			w.untils, w.refused = append(w.untils, until), w.who
			if until != want.until {
				return false, fmt.Errorf("%s: the program says %s until %d, the oracle until %d", act, got, until, want.until)
			}
		}
	}
	if e, refused := domain.AsError(err); refused {
		for _, key := range []string{"limit", "why"} {
			if because, ok := e.Detail[key].(string); ok {
				w.seen["because/"+because]++
			}
		}
	}
	result := got
	if result == "" {
		result = "done"
	}
	w.line += ": " + result
	w.seen[act+"/"+result]++
	// What is wrong in itself is refused before anybody looks at the clock.
	early := want.reason == "clock_behind" && (got == badField || got == "not_found")
	if !slices.Contains(strings.Split(want.reason, "|"), got) && !early {
		return false, fmt.Errorf("%s: the program says %q (%v), the oracle %q", act, result, err, want.reason)
	}
	return got == "", nil
}

// link learns the names that the program has given an order, and compares it.
func (w *world) link(order *oOrder, v app.OrderView, actor app.Actor) error {
	if order.id == "" {
		order.id, order.number = v.ID, v.Number
		for i, p := range order.payments {
			p.id = fmt.Sprintf("%s-c%d", v.ID, i+1)
		}
	}
	for i, p := range order.payments { // cash of the desk
		if strings.HasPrefix(p.id, "-c") {
			p.id = fmt.Sprintf("%s-c%d", v.ID, i+1)
		}
	}
	if order.ticket == "" {
		if err := w.procs[0].db.Read(ctx, func(s *sqlite.Snapshot) error {
			return s.QueryRow("SELECT ticket_code FROM orders WHERE id = ?", v.ID).Scan(&order.ticket)
		}); err != nil {
			return err
		}
		if slices.Contains(order.oldTickets, order.ticket) {
			return fmt.Errorf("order %s has an old ticket again", v.Number)
		}
	}
	return w.sameOrder(order, v, actor, false)
}

// name learns what the program calls the claims of an order that came back unseen.
func (w *world) name(order *oOrder) error {
	v, err := w.procs[0].app.Order(ctx, w.desk, order.id)
	if err == nil {
		err = w.sameOrder(order, v, w.desk, false)
	}
	return err
}

// did ends an act that gives its order.
func (w *world) did(act string, v app.OrderView, actor app.Actor, err error, want oVerdict) error {
	done, err := w.saw(act, err, want)
	if done && err == nil {
		err = w.link(want.order, v, actor)
	}
	return err
}

// spot is a slot that somebody might wish for: mostly of the grid, today or later.
func (w *world) spot(n uint32) oSpot {
	day := w.today() + []oTime{0, 0, 0, 0, 1, 1, 2, 3}[n%8]
	starts := w.o.grid.starts(day)
	s := oSpot{simCourts[n/8%3], starts[int(n/24)%len(starts)]}
	switch kind := n / 1000 % 100; {
	case kind == 0:
		s.start += 7
	case kind == 1:
		s.court = "c9"
	case kind == 2:
		s.start -= oDay
	case kind < 30: // where somebody is, or was
		if c := w.claim(n); c != nil {
			s = oSpot{c.court, c.start}
		}
	}
	return s
}

// wish makes up what somebody might want to buy.
func (w *world) wish(a, b, c uint32) (out oWish) {
	if kind := a % 10; kind > 0 {
		out.slots = append(out.slots, w.spot(b))
		switch kind {
		case 6, 7, 8: // the next hour too, perhaps on another court
			next := out.slots[0]
			next.start += w.o.grid.length
			if kind == 8 {
				next.court = simCourts[b/7%3]
			}
			out.slots = append(out.slots, next)
		case 9:
			out.slots = append(out.slots, w.spot(b>>8))
		}
	}
	if a%10 == 0 || a/10%3 == 0 {
		out.goods = append(out.goods, oLine{good: fmt.Sprint("g", 1+c%3), qty: 1 + int(c/3%2)})
	}
	if a/10%9 == 0 {
		out.goods = append(out.goods, oLine{good: fmt.Sprint("g", 1+c/6%3), qty: 1 + int(c/32%3)})
	}
	if a/100%5 < 2 {
		out.coupon = []string{"ONCE", "EACH", "FREE", "FLAT", "FLAT", "each", "ONCE", "SOON", "OVER", "NONE", "NOT A CODE", "FLAT"}[c/64%12]
	}
	switch a / 1000 % 150 {
	case 0:
		out.slots = append(out.slots, out.slots...)
	case 1:
		out.goods = append(out.goods, oLine{good: "g9", qty: 1})
	case 2:
		out.slots, out.goods = nil, nil
	case 3:
		out.goods = []oLine{{good: "g1"}}
	}
	return out
}

func realWish(w oWish) (out app.OrderRequest) {
	for _, s := range w.slots {
		out.Slots = append(out.Slots, app.SlotRef{Court: s.court, Start: s.start})
	}
	for _, l := range w.goods {
		out.Goods = append(out.Goods, app.GoodRef{ID: l.good, Qty: l.qty})
	}
	out.Coupon = w.coupon
	return out
}

// simKey is a key that may have come before, or none.
func simKey(n uint32) string {
	if n%4 != 0 {
		return ""
	}
	return fmt.Sprint("key", n/4%40)
}

func simBook(w *world, n [5]uint32) error {
	who, wish, key := int(n[0]%simPeople), w.wish(n[1], n[2], n[3]), simKey(n[4]/2)
	if n[0]/8%3 == 0 {
		who = w.refused // who was told to wait
	}
	w.who = who
	if last := w.order(n[4] / 64); n[4]/16%8 == 0 && last != nil && len(last.claims) > 0 { // once more what is held
		who, wish = last.customer, oWish{}
		for _, c := range last.slots(w.o.now) {
			wish.slots = append(wish.slots, oSpot{c.court, c.start})
		}
		if b := last.basket(w.o.now); b != nil {
			wish.coupon = b.coupon
			for _, l := range b.lines {
				wish.goods = append(wish.goods, oLine{good: l.good, qty: l.qty})
			}
		}
		if n[4]/512%4 == 0 {
			wish.goods = append(wish.goods, oLine{good: "g3", qty: 1})
		}
	}
	w.line = fmt.Sprintf("customer %d books %v under %q", who, wish, key)
	want := w.o.book(who, wish, key)
	v, created, err := w.proc(n[4]).app.CreateOrder(ctx, w.people[who], realWish(wish), app.Key(key))
	if err == nil && want.reason == "" && created == want.old {
		return fmt.Errorf("book: the program says that it made a new order: %t", created)
	}
	if want.old && err == nil {
		w.seen["book/again"]++
	}
	return w.did("book", v, w.people[who], err, want)
}

func simDeskOrder(w *world, n [5]uint32) error {
	who, wish, key := int(n[0]%simPeople), w.wish(n[1], n[2], n[3]), simKey(n[4]/2)
	pay := []string{"cash", "cash", "on_arrival", "online", "cheque"}[n[4]/512%17%5]
	given := func(c *oClaim) bool { return c.stands(w.o.now) && c.at(w.o.now) == "no_show" && w.o.now < c.end }
	if c := w.claimThat(n[0], given); n[3]/1024%4 == 0 && c != nil && given(c) { // the rest of a slot that was given up
		wish, pay = oWish{slots: []oSpot{{c.court, c.start}}}, "cash"
	}
	var shown *int64
	var agreed []app.Shown
	if n[4]/16%4 == 0 {
		fen := int64(n[4] / 64 % 2 * 6001)
		shown, agreed = &fen, []app.Shown{app.Shown(fen)}
	}
	caller := app.Caller{Name: "来电", Phone: w.o.phones[who]}
	w.line = fmt.Sprintf("the desk books %v for customer %d, %s, under %q", wish, who, pay, key)
	want := no(badField)
	if pay != "cheque" {
		want = w.o.deskOrder(who, wish, pay, key, fmt.Sprint("desk order", wish, who, pay), shown)
	}
	v, _, err := w.proc(n[4]).app.DeskOrder(ctx, w.desk, realWish(wish), caller, pay, app.Key(key), agreed...)
	return w.did("desk order", v, w.desk, err, want)
}

func simPaid(w *world, n [5]uint32) error {
	order := w.orderThat(n[0], w.held)
	if order == nil {
		return nil
	}
	w.line = fmt.Sprintf("the desk takes cash for order %s", order.number)
	var shown *int64
	var agreed []app.Shown
	if n[1]%8 == 0 {
		fen := order.payable(w.o.now) + int64(n[1]/8%2)
		shown, agreed = &fen, []app.Shown{app.Shown(fen)}
	}
	want := w.o.markPaid(order, shown)
	v, err := w.proc(n[4]).app.MarkPaid(ctx, w.desk, order.id, "", agreed...)
	return w.did("mark paid", v, w.desk, err, want)
}

func simCancel(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	who := order.customer
	if n[1]%16 == 0 {
		who = int(n[1] / 16 % simPeople)
	}
	key := simKey(n[2])
	w.line = fmt.Sprintf("customer %d cancels order %s", who, order.number)
	var shown []app.ShownRefund
	if n[3]%16 == 0 {
		shown = append(shown, "something else")
	}
	o := w.o
	_, again, _ := o.once(fmt.Sprint("customer", who), key, fmt.Sprint("cancel", order.n, "own"))
	if len(shown) > 0 && !again && who == order.customer && !o.behind() && o.notCancellable(order, false) == "" && key == "" {
		_, err := w.proc(n[4]).app.CancelOrder(ctx, w.people[who], order.id, "", shown...)
		return w.did("cancel", app.OrderView{}, w.people[who], err, no("refund_changed"))
	}
	want := o.cancel(order, who, "own", key)
	v, err := w.proc(n[4]).app.CancelOrder(ctx, w.people[who], order.id, app.Key(key))
	return w.did("cancel", v, w.people[who], err, want)
}

func simDeskCancel(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	by, reason := []string{"venue", "customer"}[n[1]%2], "rain"
	if n[1]/2%32 == 0 {
		reason = " "
	}
	w.line = fmt.Sprintf("the desk cancels order %s by %s", order.number, by)
	want := no(badField)
	if reason != " " {
		want = w.o.cancel(order, 0, by, "")
	}
	v, err := w.proc(n[4]).app.CancelAtDesk(ctx, w.desk, order.id, by, reason, "")
	return w.did("desk cancel", v, w.desk, err, want)
}

func simMove(w *world, n [5]uint32) error {
	c := w.claimThat(n[0], func(c *oClaim) bool {
		return c.stands(w.o.now) && (c.at(w.o.now) == "held" || c.at(w.o.now) == "confirmed")
	})
	if c == nil {
		return nil
	}
	if err := w.name(c.order); err != nil {
		return err
	}
	to, key := w.spot(n[1]), simKey(n[2])
	switch n[2] / 256 % 8 {
	case 1: // what may cost nothing
		to = oSpot{"c1", w.o.grid.starts(w.today() + oTime(n[2]/2048%2))[0]}
	case 0:
		to = oSpot{c.court, c.start + w.o.grid.length*(oTime(n[2]/2048%3)-1)}
	}
	w.line = fmt.Sprintf("the desk moves %s to %v", c.id, to)
	var shown *int64
	var agreed []app.ShownMove
	if n[3]%16 == 0 {
		fen := int64(-7_777_777)
		shown, agreed = &fen, []app.ShownMove{{Difference: fen}}
	}
	want := w.o.move(c, to, key, shown)
	r, err := w.proc(n[4]).app.MoveReservation(ctx, w.desk, c.id, app.SlotRef{Court: to.court, Start: to.start}, "asked", app.Key(key), agreed...)
	if err == nil && want.reason == "" && r.Difference != want.fen {
		return fmt.Errorf("move: the program says that the difference is %d, the oracle %d", r.Difference, want.fen)
	}
	return w.did("move", r.Order, w.desk, err, want)
}

func simUndo(w *world, n [5]uint32) error {
	c := w.claimThat(n[0], func(c *oClaim) bool {
		return c.stands(w.o.now) && c.at(w.o.now) == "no_show" && (w.o.now < c.end || n[1]%4 == 0)
	})
	if c == nil {
		return nil
	}
	if err := w.name(c.order); err != nil {
		return err
	}
	reason := "they were here"
	if n[2]%32 == 0 {
		reason = ""
	}
	w.line = fmt.Sprintf("the desk undoes the no-show %s", c.id)
	want := no(badField)
	if reason != "" {
		want = w.o.undo(c)
	}
	v, err := w.proc(n[4]).app.UndoNoShow(ctx, w.desk, c.id, reason, "")
	return w.did("undo", v, w.desk, err, want)
}

func simHandOver(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	w.line = fmt.Sprintf("the desk hands over the goods of order %s", order.number)
	want := w.o.handOver(order)
	want.order = order
	v, err := w.proc(n[4]).app.HandOver(ctx, w.desk, order.id, "")
	return w.did("hand over", v, w.desk, err, want)
}

func simForgive(w *world, n [5]uint32) error {
	order := w.orderThat(n[0], func(order *oOrder) bool { return order.state(w.o.now) == "no_show" })
	if order == nil {
		return nil
	}
	w.line = fmt.Sprintf("the desk forgives order %s", order.number)
	want := w.o.forgive(order)
	v, err := w.proc(n[4]).app.Forgive(ctx, w.desk, order.id, "ill", "")
	return w.did("forgive", v, w.desk, err, want)
}

func simGoodwill(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	fen, key := []int64{1, 500, 2000, 6001, 0, order.left()}[n[1]%6], simKey(n[2])
	w.line = fmt.Sprintf("the desk gives back %d of order %s", fen, order.number)
	want := no(badField)
	if fen > 0 {
		want = w.o.goodwill(order, fen, key)
	}
	v, err := w.proc(n[4]).app.Goodwill(ctx, w.desk, order.id, fen, "sorry", app.Key(key))
	return w.did("goodwill", v, w.desk, err, want)
}

// simScan shows a ticket at the door: the right one, one that was good before, or none at
// all; on one of two phones, and sometimes the same scan twice.
func simScan(w *world, n [5]uint32) error {
	order := w.orderThat(n[0], func(order *oOrder) bool { return order.state(w.o.now) == "paid" })
	if order == nil {
		return nil
	}
	code := order.ticket
	switch {
	case n[1]%40 == 0:
		code = "00000000000000000000000000"
	case n[1]%8 == 0 && len(order.oldTickets) > 0:
		code = order.oldTickets[int(n[1]/8)%len(order.oldTickets)]
	}
	door, nonce := w.doors[n[2]%2], ""
	if n[2]/2%2 == 0 {
		nonce = fmt.Sprint("nonce", n[2]/4%3)
	}
	w.line = fmt.Sprintf("%s scans the ticket of order %s with nonce %q", door.Session, order.number, nonce)
	o, kept := w.o, door.Session+"|"+code+"|"+nonce
	r, err := w.proc(n[4]).app.CheckIn(ctx, door, code, nonce)
	if o.behind() {
		_, err := w.saw("scan", err, no("clock_behind"))
		return err
	}
	want := oScan{}
	if k, ok := w.scans[kept]; ok && nonce != "" && k.at > o.now-48*oHour {
		want = k.of.(oScan)
		w.seen["scan/again"]++
	} else {
		if want = o.scan(code); want.result == "ok" {
			w.touched = order
		}
		if nonce != "" {
			w.scans[kept] = oKept{at: o.now, of: want}
		}
	}
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	w.line += ": " + r.Result
	w.seen["scan/"+r.Result]++
	in := 0
	if r.Result == "ok" {
		in = len(r.Reservations)
	}
	if r.Result != want.result || in != len(want.in) {
		return fmt.Errorf("scan: the program says %s and lets %d in, the oracle %s and %d", r.Result, in, want.result, len(want.in))
	}
	return nil
}

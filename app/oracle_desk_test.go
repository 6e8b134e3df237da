package app_test

import (
	"fmt"
	"slices"
)

// markPaid is cash for an order that is held.
func (o *oracle) markPaid(order *oOrder, shown *int64) oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	if reason := o.notHeld(order); reason != "" {
		return no(reason)
	}
	due := order.payable(o.now)
	if shown != nil && *shown != due {
		return no("amount_changed")
	}
	o.payClaims(order)
	if due > 0 {
		o.cash(order, due, "order")
	}
	return oVerdict{order: order}
}

// notCancellable says why somebody cannot cancel an order now, or "".
func (o *oracle) notCancellable(order *oOrder, desk bool) string {
	switch order.state(o.now) {
	case "held":
		return ""
	case "lapsed":
		return "hold_lapsed"
	case "cancelled":
		return "already_cancelled"
	case "no_show", "completed":
		return "too_late"
	}
	if desk {
		return ""
	}
	if first := order.firstStart(o.now); first != 0 && first <= o.now {
		return "too_late"
	}
	if slices.ContainsFunc(order.all(o.now), func(c *oClaim) bool { return c.in != 0 }) {
		return "too_late"
	}
	return ""
}

// cancel is the customer's own (by "own") or the desk's, for the customer or the venue.
func (o *oracle) cancel(order *oOrder, customer int, by, key string) oVerdict {
	desk, who := by != "own", fmt.Sprint("customer", customer)
	if desk {
		who = "desk"
	}
	switch {
	case o.behind():
		return no("clock_behind")
	case !desk && customer != order.customer:
		return no("not_found")
	}
	body := fmt.Sprint("cancel", order.n, by)
	if _, again, reason := o.once(who, key, body); again || reason != "" {
		return oVerdict{reason: reason, order: order}
	}
	if reason := o.notCancellable(order, desk); reason != "" {
		return no(reason)
	}
	order.noShows(o.now)
	name := by
	if by == "own" {
		name = "customer"
	}
	o.cancelAll(order, name, by == "venue")
	o.keep(who, key, body, order)
	return oVerdict{order: order}
}

// refundPercent is the part of the slots that a cancellation gives back now.
func (o *oracle) refundPercent(order *oOrder, venue bool) int64 {
	first := order.firstStart(o.now)
	if venue || first == 0 {
		return 100
	}
	for _, step := range order.ladder {
		if first-o.now >= oTime(step[0])*oHour {
			return step[1]
		}
	}
	return 0
}

func (o *oracle) cancelAll(order *oOrder, who string, venue bool) {
	paid := order.state(o.now) == "paid"
	percent := int64(100)
	if paid {
		percent = o.refundPercent(order, venue)
	}
	var slotsFen, goodsFen int64
	for _, c := range order.all(o.now) {
		if !c.live(o.now) {
			continue
		}
		if c.paid != 0 && c.slot {
			slotsFen += c.net()
		}
		if c.paid != 0 && !c.slot {
			goodsFen += c.net()
		}
		c.keptCoupon = !c.slot && percent < 100
		c.gone, c.who = o.now, who
	}
	if paid {
		order.giveBack(slotsFen*percent/100+goodsFen, "cancel", nil)
	}
}

// close takes courts out of sale and, if so wished, cancels what is booked there. It says
// how many slots that hits.
func (o *oracle) close(courts []string, from, to oTime, cancel bool) (hits int, v oVerdict) {
	bad := len(courts) == 0 || from >= to || to <= o.now || to-from > 366*oDay
	for i, c := range courts {
		known := slices.ContainsFunc(o.courts, func(x oCourt) bool { return x.id == c })
		bad = bad || !known || slices.Contains(courts[:i], c)
	}
	switch {
	case o.behind():
		return 0, no("clock_behind")
	case bad:
		return 0, no(badField)
	}
	byOrder := map[*oOrder][]*oClaim{}
	for _, order := range o.orders {
		for _, c := range order.claims {
			if c.slot && c.live(o.now) && slices.Contains(courts, c.court) && c.start < to && from < c.end {
				byOrder[order] = append(byOrder[order], c)
				hits++
			}
		}
	}
	o.closures = append(o.closures, &oClosure{courts: courts, from: from, to: to, made: o.now})
	if !cancel {
		return hits, v
	}
	for order, hit := range byOrder {
		order.noShows(o.now)
		var back int64
		for _, c := range hit {
			if c.paid != 0 {
				back += c.net()
			}
			c.gone, c.who = o.now, "venue"
		}
		rest := slices.ContainsFunc(order.slots(o.now), func(c *oClaim) bool { return c.live(o.now) })
		if b := order.basket(o.now); b != nil && b.live(o.now) && !rest {
			if b.paid != 0 {
				back += b.net()
			}
			b.gone, b.who = o.now, "venue"
		}
		order.giveBack(back, "closure", nil)
		o.payIfFree(order)
	}
	return hits, v
}

// move puts a claim onto another slot. It says the difference in price.
func (o *oracle) move(c *oClaim, to oSpot, key string, shown *int64) (v oVerdict) {
	if o.behind() {
		return no("clock_behind")
	}
	body := fmt.Sprint("move", c.id, to)
	if of, again, reason := o.once("desk", key, body); again || reason != "" {
		v = oVerdict{reason: reason, order: c.order, old: true}
		v.fen, _ = of.(int64)
		return v
	}
	state, order := c.at(o.now), c.order
	day, ok := o.grid.slotAt(to.start)
	end := to.start + o.grid.length
	switch {
	case !c.stands(o.now) || state != "held" && state != "confirmed":
		return no("too_late")
	case !o.onSale(to.court) || !ok:
		return no(badField)
	case to.court == c.court && to.start == c.start && o.refuseDesk(to.court, to.start, end, o.now, c) != "": // the grid has changed
		return no(badField + "|" + o.refuseDesk(to.court, to.start, end, o.now, c))
	case to.court == c.court && to.start == c.start:
		return no(badField)
	}
	if reason := o.refuseDesk(to.court, to.start, end, o.now, c); reason != "" {
		return no(reason)
	}
	if state == "held" && to.start <= o.now {
		return no("slot_past")
	}
	price := o.priceOf(to.court, day, to.start)
	discount := c.discount
	for b := c.before; b != nil; b = b.before {
		discount = max(discount, b.discount)
	}
	discount = min(discount, price.fen)
	v = oVerdict{order: order, fen: price.fen - discount - c.net()}
	if shown != nil && *shown != v.fen {
		return no("amount_changed")
	}
	order.noShows(o.now)
	c.gone, c.moved, c.who = o.now, true, "venue"
	n := o.replace(c)
	n.court, n.day, n.start, n.end, n.price, n.rule, n.discount = to.court, day, to.start, end, price.fen, price.name, discount
	o.openDoor(n)
	o.promiseAgain(order, c, n)
	o.moveRest(order, n, end)
	order.oldTickets, order.ticket = append(order.oldTickets, order.ticket), ""
	switch {
	case c.paid == 0:
	case v.fen > 0:
		o.cash(order, v.fen, "move")
	case v.fen < 0:
		order.giveBack(-v.fen, "move", nil)
	}
	o.payIfFree(order)
	o.keep("desk", key, body, v.fen)
	return v
}

// promiseAgain gives a moved claim its deadline to pay, or the facts that it keeps.
func (o *oracle) promiseAgain(order *oOrder, old, n *oClaim) {
	first := n.start
	for _, c := range order.slots(o.now) {
		if c.live(o.now) {
			first = min(first, c.start)
		}
	}
	switch {
	case old.paid != 0:
		n.payBy, n.paid = 0, o.now
		if n.start <= o.now {
			n.in = o.now
		}
	case order.pay == "on_arrival":
		n.payBy = first
	default:
		n.payBy = min(old.payBy, first)
	}
}

// moveRest keeps what an order's claims share: the deadline to pay, and that the goods
// wait until the end of the last slot.
func (o *oracle) moveRest(order *oOrder, moved *oClaim, lastEnd oTime) {
	for _, c := range order.slots(o.now) {
		if c == moved || !c.live(o.now) {
			continue
		}
		lastEnd = max(lastEnd, c.end)
		if c.paid == 0 && c.payBy != moved.payBy {
			c.gone, c.moved, c.who = o.now, true, "venue"
			o.replace(c).payBy = moved.payBy
		}
	}
	b := order.basket(o.now)
	if b == nil || !b.live(o.now) || b.by == lastEnd && (b.paid != 0 || b.payBy == moved.payBy) {
		return
	}
	b.gone, b.moved, b.who = o.now, true, "venue"
	n := o.replace(b)
	n.by = lastEnd
	if b.paid != 0 {
		n.payBy, n.paid = 0, o.now
	} else {
		n.payBy = moved.payBy
	}
}

// undo lets a no-show in after all.
func (o *oracle) undo(c *oClaim) oVerdict {
	switch {
	case o.behind():
		return no("clock_behind")
	case c.nextAt != 0:
		return no("already_undone")
	case c.at(o.now) != "no_show":
		return no("not_no_show")
	}
	c.order.noShows(o.now)
	running := o.now < c.end
	if running {
		if reason := o.refuseDesk(c.court, c.start, c.end, o.now, nil); reason != "" {
			return no(reason)
		}
	} else if o.resold(c) {
		return no("slot_taken")
	}
	n := o.replace(c)
	n.payBy, n.paid, n.in, n.undone = 0, o.now, o.now, true
	if b := c.order.basket(o.now); running && b != nil && len(b.lines) > 0 && b.at(o.now) == "confirmed" {
		b.in = o.now
	}
	return oVerdict{order: c.order}
}

// resold says that somebody else has had a slot since it was given up.
func (o *oracle) resold(c *oClaim) bool {
	for _, order := range o.orders {
		for _, x := range order.slots(o.now) {
			if x != c && x.court == c.court && x.start < c.end && c.start < x.end && x.paid != 0 && x.gone == 0 && x.until() > c.by {
				return true
			}
		}
	}
	return false
}

func (o *oracle) handOver(order *oOrder) oVerdict {
	b := order.basket(o.now)
	switch {
	case o.behind():
		return no("clock_behind")
	case b == nil || len(b.lines) == 0:
		return no("no_goods")
	case b.at(o.now) == "completed":
		return no("already_handed_over")
	case b.at(o.now) == "held":
		return no("not_paid")
	case b.at(o.now) != "confirmed":
		return no("too_late")
	}
	b.in = o.now
	return oVerdict{order: order}
}

func (o *oracle) forgive(order *oOrder) oVerdict {
	switch {
	case o.behind():
		return no("clock_behind")
	case !slices.ContainsFunc(order.slots(o.now), func(c *oClaim) bool { return c.at(o.now) == "no_show" }):
		return no("no_strike")
	case order.forgiven:
		return no("already_forgiven")
	}
	order.forgiven = true
	return oVerdict{order: order}
}

func (o *oracle) goodwill(order *oOrder, fen int64, key string) oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	body := fmt.Sprint("goodwill", order.n, fen)
	if _, again, reason := o.once("desk", key, body); again || reason != "" {
		return oVerdict{reason: reason, order: order}
	}
	order.noShows(o.now)
	switch {
	case fen <= 0:
		return no(badField)
	case order.left() < fen:
		return no("refund_exceeds_paid")
	}
	order.giveBack(fen, "goodwill", nil)
	o.keep("desk", key, body, order)
	return oVerdict{order: order}
}

// oScan is the one answer to a ticket.
type oScan struct {
	result string
	in     []*oClaim // let in
}

// scan judges a ticket code: is it good at all, then whether a door is open.
func (o *oracle) scan(code string) oScan {
	i := slices.IndexFunc(o.orders, func(x *oOrder) bool { return x.ticket == code })
	if i < 0 {
		return oScan{result: "unknown"}
	}
	order := o.orders[i]
	switch s := order.state(o.now); s {
	case "held":
		return oScan{result: "not_paid"}
	case "lapsed", "cancelled":
		return oScan{result: s}
	}
	all, b := order.slots(o.now), order.basket(o.now)
	goodsWait := b != nil && len(b.lines) > 0 && b.at(o.now) == "confirmed"
	if len(all) == 0 {
		if !goodsWait {
			return oScan{result: "already_in"}
		}
		b.in = o.now
		return oScan{result: "ok"}
	}
	all = slices.DeleteFunc(all, func(c *oClaim) bool { return c.at(o.now) == "cancelled" })
	if len(all) == 0 {
		return oScan{result: "cancelled"}
	}
	in := o.admitted(all)
	if len(in) == 0 {
		return oScan{result: o.turnedAway(all)}
	}
	for _, c := range in {
		c.in = o.now
	}
	if goodsWait {
		b.in = o.now
	}
	return oScan{"ok", in}
}

// admitted are the slots whose door is open, and those that follow without a gap.
func (o *oracle) admitted(all []*oClaim) (in []*oClaim) {
	for grown := true; grown; {
		grown = false
		for _, c := range all {
			follows := slices.ContainsFunc(in, func(x *oClaim) bool { return x.end == c.start })
			if c.at(o.now) == "confirmed" && !slices.Contains(in, c) && (follows || c.from <= o.now && o.now < c.by) {
				in, grown = append(in, c), true
			}
		}
	}
	return in
}

func (o *oracle) turnedAway(all []*oClaim) string {
	today, early := false, false
	for _, c := range all {
		if c.at(o.now) == "playing" {
			return "already_in"
		}
		if c.day == o.grid.dayOf(o.now) {
			today = true
			early = early || c.at(o.now) == "confirmed" && o.now < c.from
		}
	}
	switch {
	case !today:
		return "wrong_day"
	case early:
		return "too_early"
	}
	return "too_late"
}

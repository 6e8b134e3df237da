package app_test

import (
	"fmt"
	"slices"
	"strings"
)

// oWish is what somebody wants to buy.
type oWish struct {
	slots  []oSpot
	goods  []oLine
	coupon string
}

type oSpot struct {
	court string
	start oTime
}

// oVerdict is what an act comes to: refused for a reason, or done.
type oVerdict struct {
	reason string // "" when it is done; "a|b" where either may be said
	order  *oOrder
	old    bool // it was there already
	until  oTime
	fen    int64
}

func no(reason string) oVerdict { return oVerdict{reason: reason} }

const badField = "invalid_field"

func (w oWish) malformed() bool {
	if len(w.slots)+len(w.goods) == 0 || len(w.slots) > 8 || len(w.goods) > 20 {
		return true
	}
	for i, s := range w.slots {
		if slices.Contains(w.slots[:i], s) {
			return true
		}
	}
	for i, g := range w.goods {
		if g.qty < 1 || g.qty > 999 || slices.ContainsFunc(w.goods[:i], func(b oLine) bool { return b.good == g.good }) {
			return true
		}
	}
	return false
}

// once answers a command under a key that came before; false when it is new.
func (o *oracle) once(who, key, body string) (v any, again bool, reason string) {
	k, ok := o.kept[who+"|"+key]
	if key == "" || !ok || k.at <= o.now-48*oHour {
		return nil, false, ""
	}
	if k.body != body {
		return nil, false, "key_reused"
	}
	return k.of, true, ""
}

func (o *oracle) keep(who, key, body string, of any) {
	if key != "" {
		o.kept[who+"|"+key] = oKept{o.now, body, of}
	}
}

// oPlan is a wish with its prices.
type oPlan struct {
	slots  []oClaim
	lines  []oLine
	coupon string
	rest   int64 // of the discount, on the goods
	total  int64
}

// plan prices a wish, or says what is wrong with it.
func (o *oracle) plan(w oWish, customer int) (p oPlan, reason string) {
	if w.malformed() {
		return p, badField
	}
	for _, s := range w.slots {
		day, ok := o.grid.slotAt(s.start)
		if !o.onSale(s.court) || !ok {
			return p, badField
		}
		price := o.priceOf(s.court, day, s.start)
		p.slots = append(p.slots, oClaim{slot: true, court: s.court, day: day, start: s.start, end: s.start + o.grid.length, price: price.fen, rule: price.name})
		p.total += price.fen
	}
	for _, l := range w.goods {
		g := o.good(l.good)
		if g == nil || !g.active {
			return p, badField
		}
		p.lines = append(p.lines, oLine{l.good, l.qty, g.price})
		p.total += int64(l.qty) * g.price
	}
	if w.coupon == "" {
		return p, ""
	}
	return p, o.discount(&p, w.coupon, customer)
}

func (o *oracle) discount(p *oPlan, code string, customer int) string {
	if strings.ContainsAny(code, " !") {
		return badField
	}
	c := o.coupon(strings.ToUpper(code))
	switch {
	case c == nil, !c.active, o.now < c.from, c.until != 0 && c.until <= o.now, p.total < c.min:
		return "coupon_invalid"
	}
	if o.usedUp(c, customer, nil) {
		return "coupon_used"
	}
	off := c.amount
	if c.percent > 0 {
		off = p.total * c.percent / 100
	}
	off = min(off, p.total)
	// The slots take it first, by running sums, and what is left is off the goods.
	var onSlots, sum, given int64
	for _, s := range p.slots {
		onSlots += s.price
	}
	share := min(off, onSlots)
	for i := range p.slots {
		if sum += p.slots[i].price; onSlots > 0 {
			p.slots[i].discount = share*sum/onSlots - given
		}
		given += p.slots[i].discount
	}
	p.coupon, p.rest = c.code, off-share
	p.total -= off
	return ""
}

func (o *oracle) usedUp(c *oCoupon, customer int, except *oOrder) bool {
	all, own := o.uses(c.code, customer, except, o.now)
	return (c.maxPerCustomer > 0 && own >= c.maxPerCustomer) || (c.maxUses > 0 && all >= c.maxUses)
}

func (o *oracle) ordersOf(customer int) (out []*oOrder) {
	for _, order := range o.orders {
		if order.customer == customer {
			out = append(out, order)
		}
	}
	return out
}

// unpaid are a customer's orders with something that is held now.
func (o *oracle) unpaid(customer int) (out []*oOrder) {
	for _, order := range o.ordersOf(customer) {
		if slices.ContainsFunc(order.claims, func(c *oClaim) bool { return c.at(o.now) == "held" }) {
			out = append(out, order)
		}
	}
	return out
}

// sameAs says that an order holds exactly what is wished for.
func (o *oracle) sameAs(order *oOrder, w oWish) bool {
	have := oWish{}
	for _, c := range order.slots(o.now) {
		if !c.live(o.now) {
			return false
		}
		have.slots = append(have.slots, oSpot{c.court, c.start})
	}
	if b := order.basket(o.now); b != nil {
		have.coupon = b.coupon
		for _, l := range b.lines {
			have.goods = append(have.goods, oLine{good: l.good, qty: l.qty})
		}
	}
	if len(have.slots) != len(w.slots) || len(have.goods) != len(w.goods) || have.coupon != strings.ToUpper(w.coupon) {
		return false
	}
	for _, s := range have.slots {
		if !slices.Contains(w.slots, s) {
			return false
		}
	}
	for _, l := range have.goods {
		if !slices.Contains(w.goods, l) {
			return false
		}
	}
	return true
}

// book is a customer's order.
func (o *oracle) book(customer int, w oWish, key string) oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	who, body := fmt.Sprint("customer", customer), fmt.Sprint("book", w)
	if of, again, reason := o.once(who, key, body); again || reason != "" {
		old, _ := of.(*oOrder)
		return oVerdict{reason: reason, order: old, old: true}
	}
	if w.malformed() {
		return no(badField)
	}
	mine := o.unpaid(customer)
	for _, order := range mine {
		if o.sameAs(order, w) {
			o.keep(who, key, body, order)
			return oVerdict{order: order, old: true}
		}
	}
	for _, order := range mine {
		for _, c := range order.slots(o.now) {
			if c.live(o.now) && slices.Contains(w.slots, oSpot{c.court, c.start}) {
				return no("slot_taken")
			}
		}
	}
	p, reason := o.plan(w, customer)
	for _, s := range p.slots {
		if reason == "" {
			reason = o.refuseCustomer(s.court, s.day, s.start)
		}
	}
	if reason != "" {
		return no(reason)
	}
	if v := o.unfair(customer, p, len(mine)); v.reason != "" {
		return v
	}
	v := o.write(customer, p, "online", false)
	if v.reason == "" {
		o.keep(who, key, body, v.order)
	}
	return v
}

// unfair says why a customer has had, or let go, too much.
func (o *oracle) unfair(customer int, p oPlan, unpaid int) oVerdict {
	if v := o.banned(customer); v.reason != "" {
		return v
	}
	if v := o.coolingDown(customer); v.reason != "" {
		return v
	}
	if unpaid >= o.policy.maxLive {
		return no("limit_reached")
	}
	for _, s := range p.slots {
		n := 0
		for _, other := range p.slots {
			if other.day == s.day {
				n++
			}
		}
		if n+o.slotsOf(customer, s.day) > o.policy.maxSlots {
			return no("limit_reached")
		}
	}
	return oVerdict{}
}

// slotsOf counts what a customer has of a day, and had without giving it back.
func (o *oracle) slotsOf(customer int, day oTime) (n int) {
	for _, order := range o.ordersOf(customer) {
		for _, c := range order.slots(o.now) {
			if c.day == day && !slices.Contains([]string{"lapsed", "cancelled", "moved"}, c.at(o.now)) {
				n++
			}
		}
	}
	return n
}

// banned: so many orders with a no-show within so many days.
func (o *oracle) banned(customer int) oVerdict {
	var when []oTime
	window := oTime(o.policy.strikeDays) * oDay
	for _, order := range o.ordersOf(customer) {
		var last oTime
		for _, c := range order.slots(o.now) {
			if c.at(o.now) == "no_show" && o.now-window < c.until() {
				last = max(last, c.until())
			}
		}
		if last != 0 && !order.forgiven {
			when = append(when, last)
		}
	}
	slices.Sort(when)
	if limit := o.policy.strikes; limit > 0 && len(when) >= limit {
		return oVerdict{reason: "banned", until: when[len(when)-limit] + window}
	}
	return oVerdict{}
}

// coolingDown: three or more lapses in the day up to the last one.
func (o *oracle) coolingDown(customer int) oVerdict {
	var when []oTime
	for _, order := range o.ordersOf(customer) {
		var at oTime
		for _, c := range order.all(o.now) {
			late := c.at(o.now) == "cancelled" && c.paid == 0 && c.who == "customer" && c.gone-order.booked > 2*oMinute
			if c.at(o.now) == "lapsed" || late {
				at = max(at, c.until())
			}
		}
		if at != 0 {
			when = append(when, at)
		}
	}
	if len(when) == 0 {
		return oVerdict{}
	}
	last, n := slices.Max(when), 0
	for _, at := range when {
		if last-at < oDay {
			n++
		}
	}
	if n < 3 {
		return oVerdict{}
	}
	wait := 15 * oMinute
	for range n - 3 {
		wait = min(2*wait, oDay)
	}
	if o.now < last+wait {
		return oVerdict{reason: "cooling_down", until: last + wait}
	}
	return oVerdict{}
}

// deskOrder is what the desk books for somebody.
func (o *oracle) deskOrder(customer int, w oWish, pay, key, body string, shown *int64) oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	if of, again, reason := o.once("desk", key, body); again || reason != "" {
		old, _ := of.(*oOrder)
		return oVerdict{reason: reason, order: old, old: true}
	}
	p, reason := o.plan(w, customer)
	for _, s := range p.slots {
		if reason == "" {
			reason = o.refuseDesk(s.court, s.start, s.end, o.now, nil)
		}
	}
	for _, l := range p.lines {
		if reason == "" && o.available(l.good, o.now) < l.qty {
			reason = "out_of_stock"
		}
	}
	if reason == "" && shown != nil && *shown != p.total {
		reason = "amount_changed"
	}
	if reason != "" {
		return no(reason)
	}
	v := o.write(customer, p, pay, true)
	if v.reason == "" {
		o.keep("desk", key, body, v.order)
	}
	return v
}

// write makes the order, whose slots and limits have been judged.
func (o *oracle) write(customer int, p oPlan, pay string, desk bool) oVerdict {
	for _, l := range p.lines {
		if o.available(l.good, o.now) < l.qty {
			return no("out_of_stock")
		}
	}
	var first, last oTime
	for _, s := range p.slots {
		if last = max(last, s.end); first == 0 || s.start < first {
			first = s.start
		}
	}
	payBy, paid := o.now+o.policy.goodsHold, oTime(0)
	if first != 0 {
		payBy = min(o.now+o.policy.hold, first)
	}
	if pay == "on_arrival" {
		payBy = first
	}
	switch {
	case pay == "cash":
		payBy, paid = 0, o.now
	case pay == "on_arrival" && first == 0:
		return no(badField)
	case payBy <= o.now:
		return no("slot_past") // what has begun is paid at once
	case p.total == 0:
		paid = o.now
	}
	order := &oOrder{n: len(o.orders), customer: customer, pay: pay, booked: o.now, ladder: o.policy.ladder, noShowPercent: o.policy.noShowPercent}
	for _, s := range p.slots {
		c := s
		c.order, c.booked, c.payBy, c.paid = order, o.now, payBy, paid
		o.openDoor(&c)
		if c.start <= o.now && paid != 0 {
			c.in = o.now // they walk straight in
		}
		order.claims = append(order.claims, &c)
	}
	if len(p.lines) > 0 || p.coupon != "" {
		if last == 0 {
			last = never
		}
		order.claims = append(order.claims, &oClaim{order: order, lines: p.lines, coupon: p.coupon, discount: p.rest, booked: o.now, payBy: payBy, by: last, paid: paid})
	}
	if pay == "cash" && p.total > 0 {
		o.cash(order, p.total, "order")
	}
	o.orders = append(o.orders, order)
	return oVerdict{order: order}
}

// openDoor sets when a slot's ticket is accepted, by today's policy.
func (o *oracle) openDoor(c *oClaim) {
	c.from, c.by = c.start-o.policy.doorBefore, c.end
	if o.policy.releaseAfter > 0 {
		c.by = min(c.end, c.start+o.policy.releaseAfter)
	}
}

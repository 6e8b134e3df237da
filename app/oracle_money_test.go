package app_test

import (
	"cmp"
	"fmt"
	"slices"
)

// oPay is one attempt to pay, or cash.
type oPay struct {
	id      string // out_trade_no; of cash, what the program would call it
	cash    bool
	purpose string
	amount  int64
	opened  oTime
	told    oTime  // when the club heard of the money
	verdict string // "", paid, revived, refunded, flagged
	reason  string
	closed  bool // the provider's no is known
	back    int64

	// What the bank knows, and the club perhaps does not.
	bank    string // pending, succeeded, failed, closed, or "" if it never heard of it
	crooked bool   // another sum came
}

// open says that the provider's final answer is not known.
func (p *oPay) open() bool { return p.told == 0 && !p.closed && p.verdict == "" }

// left is what no refund has taken yet. Flagged money is for a person to see to.
func (p *oPay) left() int64 {
	if p.told == 0 || p.verdict == "flagged" {
		return 0
	}
	return p.amount - p.back
}

type oRefund struct {
	purpose string
	amount  int64
	pay     *oPay
}

func (o *oOrder) left() (sum int64) {
	for _, p := range o.payments {
		sum += p.left()
	}
	return sum
}

func (o *oOrder) paidFen() (sum int64) {
	for _, p := range o.payments {
		if p.told != 0 && p.verdict != "flagged" {
			sum += p.amount
		}
	}
	return sum
}

// backFen is what went or goes back, for a purpose or for all ("").
func (o *oOrder) backFen(purpose string) (sum int64) {
	for _, r := range o.refunds {
		if purpose == "" || r.purpose == purpose {
			sum += r.amount
		}
	}
	return sum
}

// giveBack takes a sum from the oldest payments first, or from one alone, and never more
// than is left. It says how much that was.
func (o *oOrder) giveBack(fen int64, purpose string, from *oPay) (given int64) {
	slices.SortStableFunc(o.payments, func(a, b *oPay) int {
		return cmp.Or(cmp.Compare(a.opened, b.opened), cmp.Compare(a.id, b.id))
	})
	for _, p := range o.payments {
		part := min(p.left(), fen-given)
		if (from == nil || from == p) && part > 0 {
			p.back += part
			given += part
			o.refunds = append(o.refunds, oRefund{purpose, part, p})
		}
	}
	return given
}

// noShows works out what no-shows have got back until t, each at its own deadline: a
// no-show is owed its share from then on, whoever writes that down and when.
func (o *oOrder) noShows(t oTime) {
	var missed []*oClaim
	for _, c := range o.claims {
		if c.slot && !c.noShowBack && c.fate() == "no_show" && c.by <= t {
			missed = append(missed, c)
		}
	}
	slices.SortStableFunc(missed, func(a, b *oClaim) int { return cmp.Compare(a.by, b.by) })
	for _, c := range missed {
		c.noShowBack = true
		o.giveBack(c.net()*o.noShowPercent/100, "no_show", nil)
	}
}

func (o *oracle) cash(order *oOrder, fen int64, purpose string) {
	order.payments = append(order.payments, &oPay{id: fmt.Sprintf("%s-c%d", order.id, len(order.payments)+1), cash: true, purpose: purpose,
		amount: fen, opened: o.now, told: o.now, verdict: "paid"})
}

// notHeld says why an order cannot be paid, or "".
func (o *oracle) notHeld(order *oOrder) string {
	switch s := order.state(o.now); {
	case s == "held":
		return ""
	case order.anyPaid(o.now):
		return "already_paid"
	case s == "cancelled":
		return "already_cancelled"
	}
	return "hold_lapsed"
}

// openPayment judges whether a payment can be opened, and for how much. A key that came
// before names the attempt.
func (o *oracle) openPayment(order *oOrder, customer int, key string, shown *int64) (attempt *oPay, v oVerdict) {
	if o.behind() {
		return nil, no("clock_behind")
	}
	if customer != order.customer {
		return nil, no("not_found")
	}
	order.noShows(o.now)
	if reason := o.notHeld(order); reason != "" {
		return nil, no(reason)
	}
	due := order.payable(o.now)
	of, again, reason := o.once(fmt.Sprint("customer", customer), key, fmt.Sprint("pay", order.n))
	switch {
	case reason != "":
		return nil, no(reason)
	case again:
		return of.(*oPay), oVerdict{}
	case shown != nil && *shown != due:
		return nil, no("amount_changed")
	}
	var open []*oPay
	for _, p := range order.payments {
		if !p.cash && p.open() && p.amount == due {
			open = append(open, p)
		}
	}
	if len(open) >= 10 { // the newest one again
		attempt = slices.MaxFunc(open, func(a, b *oPay) int { return cmp.Compare(a.id, b.id) })
	}
	return attempt, oVerdict{fen: due}
}

// opened writes down an attempt that the club has made.
func (o *oracle) opened(order *oOrder, customer int, key, id string, fen int64) *oPay {
	p := &oPay{id: id, amount: fen, purpose: "order", opened: o.now}
	order.payments = append(order.payments, p)
	o.keep(fmt.Sprint("customer", customer), key, fmt.Sprint("pay", order.n), p)
	return p
}

func (o *oracle) attempt(id string) (*oOrder, *oPay) {
	for _, order := range o.orders {
		for _, p := range order.payments {
			if p.id == id {
				return order, p
			}
		}
	}
	return nil, nil
}

// hear judges what the club hears of an attempt, by a notice or by asking. It says what
// the money came to.
func (o *oracle) hear(id string) string {
	order, p := o.attempt(id)
	if o.behind() || p == nil {
		return ""
	}
	order.noShows(o.now)
	switch p.bank {
	case "failed", "closed":
		if p.told == 0 {
			p.closed = true
		}
		return "closed"
	case "succeeded":
	default:
		return "pending"
	}
	switch {
	case p.told != 0:
		return "duplicate"
	case p.crooked:
		p.verdict, p.reason = "flagged", "amount"
		return "flagged"
	}
	verdict, reason := "paid", ""
	switch state := order.state(o.now); {
	case order.anyPaid(o.now):
		verdict, reason = "refunded", "already_paid"
	case state == "cancelled":
		verdict, reason = "refunded", "already_cancelled"
	case p.amount < order.payable(o.now):
		verdict, reason = "refunded", "price_changed"
	case state == "lapsed":
		if reason = o.revive(order); reason == "" {
			verdict = "revived"
		} else {
			verdict = "refunded"
		}
	default:
		o.payClaims(order)
	}
	p.told, p.verdict, p.reason = o.now, verdict, reason
	switch {
	case reason == "already_paid":
		order.giveBack(p.amount, "duplicate", p)
	case reason != "":
		order.giveBack(p.amount, "late", p)
	default:
		var worth int64
		for _, c := range order.all(o.now) {
			if c.gone == 0 && c.paid != 0 {
				worth += c.net()
			}
		}
		order.giveBack(p.amount-worth, "excess", p)
	}
	if verdict == "refunded" {
		return verdict + " " + reason
	}
	return verdict
}

func (o *oracle) payClaims(order *oOrder) {
	for _, c := range order.claims {
		if c.at(o.now) == "held" {
			c.paid = o.now
		}
	}
}

// payIfFree pays an order of which all that is left costs nothing.
func (o *oracle) payIfFree(order *oOrder) {
	if order.state(o.now) == "held" && order.payable(o.now) == 0 {
		o.cameToNothing++
		o.payClaims(order)
	}
}

// revive brings a lapsed order back whole, or says why not. Whatever of the same
// customer's own unpaid orders is in the way is cancelled, the oldest first, no more than
// needed.
func (o *oracle) revive(order *oOrder) string {
	var aside []*oOrder
	for {
		reason := o.cannotStand(order, aside)
		if reason == "" {
			break
		}
		found := false
		for _, other := range o.unpaid(order.customer) {
			if !slices.Contains(aside, other) && o.inTheWay(other, order, reason) {
				aside, found = append(aside, other), true
				break
			}
		}
		if !found {
			return reason
		}
	}
	for _, other := range aside {
		o.gaveWay++
		o.cancelAll(other, "system", false)
	}
	for _, c := range order.all(o.now) {
		if c.at(o.now) == "lapsed" {
			n := o.replace(c)
			n.payBy, n.paid = 0, o.now
		}
	}
	return ""
}

// cannotStand says what of a lapsed order cannot be had although some orders gave way.
func (o *oracle) cannotStand(order *oOrder, aside []*oOrder) string {
	for _, c := range order.slots(o.now) {
		if c.at(o.now) != "lapsed" {
			continue
		}
		by := o.blockers(c.court, c.start, c.end, o.now)
		by = slices.DeleteFunc(by, func(b *oClaim) bool { return slices.Contains(aside, b.order) })
		switch {
		case c.start <= o.now:
			return "slot_past"
		case o.closed(c.court, c.start, c.end, o.now):
			return "slot_closed"
		case len(by) > 0:
			return "slot_taken"
		}
	}
	b := order.basket(o.now)
	if b == nil || b.at(o.now) != "lapsed" {
		return ""
	}
	gaveWay := func(what func(*oClaim) int) (n int) {
		for _, other := range aside {
			if theirs := other.basket(o.now); theirs != nil && theirs.live(o.now) {
				n += what(theirs)
			}
		}
		return n
	}
	if b.coupon != "" {
		c := o.coupon(b.coupon)
		less := gaveWay(func(t *oClaim) int {
			if t.coupon == b.coupon {
				return 1
			}
			return 0
		})
		all, own := o.uses(c.code, order.customer, order, o.now)
		if (c.maxPerCustomer > 0 && own-less >= c.maxPerCustomer) || (c.maxUses > 0 && all-less >= c.maxUses) {
			return "coupon_used"
		}
	}
	for _, l := range b.lines {
		more := gaveWay(func(t *oClaim) (n int) {
			for _, x := range t.lines {
				if x.good == l.good {
					n += x.qty
				}
			}
			return n
		})
		if o.available(l.good, o.now)+more < l.qty {
			return "out_of_stock"
		}
	}
	return ""
}

// inTheWay says whether an order may be why another cannot stand again.
func (o *oracle) inTheWay(other, order *oOrder, reason string) bool {
	theirs, ours := other.basket(o.now), order.basket(o.now)
	switch {
	case reason == "slot_taken":
		for _, t := range other.slots(o.now) {
			for _, c := range order.slots(o.now) {
				if t.live(o.now) && t.court == c.court && t.start < c.end && c.start < t.end {
					return true
				}
			}
		}
	case theirs == nil || ours == nil || !theirs.live(o.now):
	case reason == "coupon_used":
		return theirs.coupon == ours.coupon
	case reason == "out_of_stock":
		for _, t := range theirs.lines {
			if slices.ContainsFunc(ours.lines, func(l oLine) bool { return l.good == t.good }) {
				return true
			}
		}
	}
	return false
}

// replace makes a new claim in an old one's place, with its promises and none of its facts.
func (o *oracle) replace(c *oClaim) *oClaim {
	n := *c
	n.id, n.before, n.booked = "", c, o.now
	n.paid, n.in, n.gone, n.moved, n.who, n.keptCoupon, n.undone, n.noShowBack = 0, 0, 0, false, "", false, false, false
	n.next, n.nextAt = nil, 0
	c.next, c.nextAt = &n, o.now
	c.order.claims = append(c.order.claims, &n)
	return &n
}

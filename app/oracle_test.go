package app_test

import (
	"slices"

	"courtd/domain"
)

// The oracle is the whole club once more, as somebody would keep it in a notebook: what
// happened and what was promised, and every answer worked out from that by looking
// through all of it. It settles nothing, keeps no counts, knows no reconciler and calls
// no function of the domain; only instants are shared. Where it and the program differ,
// one of them does not keep the rules of docs/architecture.md.

type oTime = domain.Instant

const (
	oMinute, oHour, oDay oTime = 60, 3600, 86400
	east                       = 8 * oHour // the venue is in Shanghai: no summer time
	never                      = domain.Never
)

// oClaim is an order's claim on a slot, or on goods and a coupon (then slot is false).
type oClaim struct {
	id    string // what the program calls it
	order *oOrder
	slot  bool

	court           string
	day             oTime // business day, counted since 1970
	start, end      oTime
	price, discount int64
	rule            string
	lines           []oLine
	coupon          string
	keptCoupon      bool

	booked, payBy, from, by oTime
	paid, in, gone          oTime // in: checked in, or handed over
	moved                   bool
	who                     string // ended it: customer, venue, system
	next                    *oClaim
	nextAt                  oTime
	undone                  bool // this one undid a no-show
	before                  *oClaim
	noShowBack              bool // its refund has been worked out
}

type oLine struct {
	good  string
	qty   int
	price int64
}

// until is the instant from which the claim holds nothing any more.
func (c *oClaim) until() oTime {
	switch {
	case c.gone != 0:
		return c.gone
	case c.in != 0 && c.slot:
		return c.end
	case c.in != 0:
		return c.in
	case c.paid != 0:
		return c.by
	}
	return c.payBy
}

func (c *oClaim) fate() string {
	switch {
	case c.gone != 0 && c.moved:
		return "moved"
	case c.gone != 0:
		return "cancelled"
	case c.in != 0:
		return "completed"
	case c.paid != 0:
		return "no_show"
	}
	return "lapsed"
}

// known is the claim without what happened after t.
func (c *oClaim) known(t oTime) *oClaim {
	k := *c
	if k.paid > t {
		k.paid = 0
	}
	if k.in > t {
		k.in = 0
	}
	if k.gone > t {
		k.gone, k.moved = 0, false
	}
	return &k
}

// at is what the claim is at t, by what was known then.
func (c *oClaim) at(t oTime) string {
	k := c.known(t)
	switch {
	case t < k.booked:
		return ""
	case t >= k.until():
		return k.fate()
	case k.in != 0:
		return "playing"
	case k.paid != 0:
		return "confirmed"
	}
	return "held"
}

func (c *oClaim) live(t oTime) bool {
	s := c.at(t)
	return s == "held" || s == "confirmed" || s == "playing"
}

// stands says that no other claim has taken this one's place.
func (c *oClaim) stands(t oTime) bool { return c.booked <= t && (c.nextAt == 0 || t < c.nextAt) }

func (c *oClaim) goodsFen() (sum int64) {
	for _, l := range c.lines {
		sum += int64(l.qty) * l.price
	}
	return sum
}

// net is what the claim costs.
func (c *oClaim) net() int64 {
	if c.slot {
		return c.price - c.discount
	}
	return c.goodsFen() - c.discount
}

// oOrder is one order with every claim and payment it ever had.
type oOrder struct {
	id, number    string
	n             int // its place in the notebook
	customer      int
	pay           string // online, on_arrival, cash
	booked        oTime
	ladder        [][2]int64 // hours, percent
	noShowPercent int64
	ticket        string   // the code that is good now
	oldTickets    []string // those that were
	forgiven      bool
	claims        []*oClaim
	payments      []*oPay
	refunds       []oRefund
}

// slots are the order's slots that stand at t, in the order in which they were made.
func (o *oOrder) slots(t oTime) (out []*oClaim) {
	for _, c := range o.claims {
		if c.slot && c.stands(t) {
			out = append(out, c)
		}
	}
	return out
}

// basket is the order's goods and coupon, if it has any.
func (o *oOrder) basket(t oTime) *oClaim {
	for _, c := range o.claims {
		if !c.slot && c.stands(t) {
			return c
		}
	}
	return nil
}

// parts are what the order's state goes by: a coupon alone is none.
func (o *oOrder) parts(t oTime) []*oClaim {
	out := o.slots(t)
	if b := o.basket(t); b != nil && len(b.lines) > 0 {
		out = append(out, b)
	}
	return out
}

func (o *oOrder) all(t oTime) []*oClaim {
	out := o.slots(t)
	if b := o.basket(t); b != nil {
		out = append(out, b)
	}
	return out
}

func (o *oOrder) anyPaid(t oTime) bool {
	return slices.ContainsFunc(o.all(t), func(c *oClaim) bool { return c.known(t).paid != 0 })
}

func (o *oOrder) state(t oTime) string {
	parts := o.parts(t)
	count := func(what ...string) (n int) {
		for _, c := range parts {
			if slices.Contains(what, c.at(t)) {
				n++
			}
		}
		return n
	}
	open := count("held", "confirmed", "playing")
	var paid bool
	var slotsLeft, missed int
	for _, c := range parts {
		paid = paid || c.known(t).paid != 0
		if c.slot && c.at(t) != "cancelled" {
			slotsLeft++
		}
		if c.slot && c.at(t) == "no_show" {
			missed++
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case count("cancelled") == len(parts):
		return "cancelled"
	case !paid && open > 0:
		return "held"
	case !paid:
		return "lapsed"
	case open > 0:
		return "paid"
	case slotsLeft > 0 && slotsLeft == missed:
		return "no_show"
	}
	return "completed"
}

// firstStart is the start of the first slot that was not cancelled, or 0.
func (o *oOrder) firstStart(t oTime) (first oTime) {
	for _, c := range o.slots(t) {
		if c.at(t) != "cancelled" && (first == 0 || c.start < first) {
			first = c.start
		}
	}
	return first
}

func (o *oOrder) total(t oTime) (sum int64) {
	for _, c := range o.all(t) {
		sum += c.net()
	}
	return sum
}

// payable is what the unpaid part costs that nobody cancelled.
func (o *oOrder) payable(t oTime) (sum int64) {
	for _, c := range o.all(t) {
		if k := c.known(t); k.gone == 0 && k.paid == 0 {
			sum += c.net()
		}
	}
	return sum
}

// payBy is the deadline shown: of what is left, or else of what there was.
func (o *oOrder) payBy(t oTime) oTime {
	var standing, last oTime
	for _, c := range o.parts(t) {
		last = max(last, c.payBy)
		if c.at(t) != "cancelled" {
			standing = max(standing, c.payBy)
		}
	}
	if standing != 0 {
		return standing
	}
	return last
}

// oracle is the notebook.
type oracle struct {
	now      oTime // of the operation under way
	last     oTime // the last instant handed out
	clock    oTime // what the machine shows
	policy   oPolicy
	grid     oGrid
	prices   []oPrice
	courts   []oCourt
	goods    []*oGood
	coupons  []*oCoupon
	closures []*oClosure
	orders   []*oOrder
	phones   []string // of the customers
	kept     map[string]oKept

	gaveWay, cameToNothing int // how often
}

// oPolicy is what the owner has set.
type oPolicy struct {
	hold, goodsHold, doorBefore, releaseAfter, saleEnds oTime
	noShowPercent                                       int64
	ladder                                              [][2]int64
	maxLive, maxSlots, daysAhead, strikes, strikeDays   int
	opensAt                                             oTime // after midnight
}

// oGrid is when the venue is open: from, to after midnight, every day.
type oGrid struct{ opens, closes, length oTime }

type oCourt struct {
	id     string
	active bool
}

type oPrice struct {
	name     string
	court    string // "" is any
	from, to oTime  // of the start, after midnight; both 0: any
	fen      int64
}

type oGood struct {
	id       string
	price    int64
	active   bool
	received int // receipts and adjustments
}

type oCoupon struct {
	code                    string
	percent, amount         int64
	min                     int64
	from, until             oTime
	maxUses, maxPerCustomer int
	active                  bool
}

type oClosure struct {
	id           string
	courts       []string
	from, to     oTime
	made, lifted oTime
}

func (c *oClosure) covers(court string, from, to, t oTime) bool {
	return c.made <= t && (c.lifted == 0 || t < c.lifted) && c.from < to && from < c.to && slices.Contains(c.courts, court)
}

// oKept is what a command under a key came to.
type oKept struct {
	at   oTime
	body string
	of   any
}

package app_test

import "slices"

// wall is the instant at which the venue's clock shows so long after midnight of a day.
func (g oGrid) wall(day, after oTime) oTime { return day*oDay - east + after }

// dayOf is the business day of an instant: yesterday while yesterday is still open.
func (g oGrid) dayOf(t oTime) oTime {
	today := (t + east) / oDay
	if t < g.wall(today-1, g.closes) {
		return today - 1
	}
	return today
}

// starts are the starts of the slots of a day.
func (g oGrid) starts(day oTime) (out []oTime) {
	for s := g.wall(day, g.opens); s+g.length <= g.wall(day, g.closes); s += g.length {
		out = append(out, s)
	}
	return out
}

// slotAt says whether a slot of the grid starts then, and on which day.
func (g oGrid) slotAt(start oTime) (day oTime, ok bool) {
	day = g.dayOf(start)
	return day, slices.Contains(g.starts(day), start)
}

// priceOf is the first price that fits.
func (o *oracle) priceOf(court string, day, start oTime) oPrice {
	after := start - o.grid.wall(day, 0)
	for _, p := range o.prices {
		if (p.court == "" || p.court == court) && (p.from == p.to || (p.from <= after && after < p.to)) {
			return p
		}
	}
	panic("no price")
}

func (o *oracle) onSale(court string) bool { return slices.Contains(o.courts, oCourt{court, true}) }

func (o *oracle) bookableFrom(day oTime) oTime {
	return o.grid.wall(day-oTime(o.policy.daysAhead), o.policy.opensAt)
}

// blockers are the claims that hold a court at some time between from and to.
func (o *oracle) blockers(court string, from, to, t oTime) (out []*oClaim) {
	for _, order := range o.orders {
		for _, c := range order.claims {
			if c.slot && c.court == court && c.start < to && from < c.end && c.live(t) {
				out = append(out, c)
			}
		}
	}
	return out
}

func (o *oracle) closed(court string, from, to, t oTime) bool {
	return slices.ContainsFunc(o.closures, func(c *oClosure) bool { return c.covers(court, from, to, t) })
}

// oCell is what the list says of a slot.
type oCell struct {
	state         string
	freeAt, opens oTime
	ended         bool // its sale online
}

// look judges a slot for whoever looks at the list.
func (o *oracle) look(court string, day, start, t oTime) oCell {
	end := start + o.grid.length
	by := o.blockers(court, start, end, t)
	paid := slices.ContainsFunc(by, func(c *oClaim) bool { return c.known(t).paid != 0 })
	switch opens := o.bookableFrom(day); {
	case start <= t:
		return oCell{state: "past"}
	case o.closed(court, start, end, t):
		return oCell{state: "closed"}
	case t < opens:
		return oCell{state: "not_open", opens: opens}
	case paid:
		return oCell{state: "taken"}
	case len(by) > 0:
		free := oTime(0)
		for _, c := range by {
			free = max(free, c.known(t).until())
		}
		return oCell{state: "held", freeAt: free}
	}
	return oCell{state: "free", ended: start-o.policy.saleEnds <= t}
}

// refuseCustomer says why a customer cannot have a slot now, or "".
func (o *oracle) refuseCustomer(court string, day, start oTime) string {
	c := o.look(court, day, start, o.now)
	switch {
	case c.state == "past" || c.ended:
		return "slot_past"
	case c.state == "closed":
		return "slot_closed"
	case c.state == "not_open":
		return "not_open_yet"
	case c.state == "held" || c.state == "taken":
		return "slot_taken"
	}
	return ""
}

// refuseDesk says why the desk cannot put anybody into a slot, but for one claim.
func (o *oracle) refuseDesk(court string, start, end, t oTime, but *oClaim) string {
	by := o.blockers(court, start, end, t)
	by = slices.DeleteFunc(by, func(c *oClaim) bool { return c == but })
	switch {
	case end <= t:
		return "slot_past"
	case o.closed(court, start, end, t):
		return "slot_closed"
	case len(by) > 0:
		return "slot_taken"
	}
	return ""
}

// available is how many pieces can be bought: what came in less what somebody has or keeps.
func (o *oracle) available(good string, t oTime) int {
	n := o.good(good).received
	for _, order := range o.orders {
		for _, c := range order.claims {
			if c.slot {
				continue
			}
			switch c.at(t) {
			case "held", "confirmed", "completed":
				for _, l := range c.lines {
					if l.good == good {
						n -= l.qty
					}
				}
			}
		}
	}
	return n
}

func (o *oracle) good(id string) *oGood {
	for _, g := range o.goods {
		if g.id == id {
			return g
		}
	}
	return nil
}

// uses counts the orders that use a coupon, those of one customer, and leaves one out.
func (o *oracle) uses(code string, customer int, except *oOrder, t oTime) (all, own int) {
	for _, order := range o.orders {
		b := order.basket(t)
		if order == except || b == nil || b.coupon != code {
			continue
		}
		switch b.at(t) {
		case "lapsed":
			continue
		case "cancelled":
			if !b.keptCoupon {
				continue
			}
		}
		all++
		if order.customer == customer {
			own++
		}
	}
	return all, own
}

func (o *oracle) coupon(code string) *oCoupon {
	for _, c := range o.coupons {
		if c.code == code {
			return c
		}
	}
	return nil
}

// behind says that the machine's clock may not be believed.
func (o *oracle) behind() bool { return o.clock < o.last-5 }

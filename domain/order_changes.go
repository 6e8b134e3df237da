package domain

// NextChange is the earliest instant after at at which an order changes with nobody
// doing anything, or zero if it never does: a claim ends (by its deadline to pay, its
// door shutting, its end, or the day its goods go back on the shelf), a door opens, or
// the first slot of a paid order begins, from when only the desk can cancel it. A
// coupon without goods has no say.
func (o Order) NextChange(at Instant) Instant {
	var next Instant
	sooner := func(i Instant) {
		if at < i && i != Never && (!next.IsSet() || i < next) {
			next = i
		}
	}
	for _, r := range o.Slots(at) {
		c := r.AsOf(at)
		if !c.Live(at) {
			continue
		}
		sooner(c.ReleaseAt())
		if c.State(at) == Confirmed {
			sooner(c.CheckInFrom)
		}
	}
	if b, ok := o.Basket(at); ok && len(b.Lines) > 0 && b.AsOf(at).Live(at) {
		sooner(b.AsOf(at).ReleaseAt())
	}
	if o.State(at) == Paid {
		sooner(o.FirstStart(at))
	}
	return next
}

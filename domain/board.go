package domain

// NextAtDesk is the earliest instant after At at which what the desk sees of the
// slot changes with nobody doing anything, or zero if it never does: the slot
// begins or ends, opens to customers, or one of the rows on it is released.
func (c Cell) NextAtDesk(rows []Reservation) Instant {
	var next Instant
	sooner := func(i Instant) {
		if c.At < i && (!next.IsSet() || i < next) {
			next = i
		}
	}
	sooner(c.Slot.Start)
	sooner(c.Slot.End)
	if c.State() == SlotNotOpen {
		sooner(c.OpensAt)
	}
	for _, r := range rows {
		if r.CourtID == c.CourtID && r.Slot().Overlaps(c.Slot) && r.Counts(c.At) {
			sooner(r.AsOf(c.At).ReleaseAt())
		}
	}
	return next
}

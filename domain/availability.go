package domain

// SlotState is what a slot of the grid is to a customer at an instant.
type SlotState string

// The states of a slot; the first that fits is the answer.
const (
	SlotPast    SlotState = "past"
	SlotClosed  SlotState = "closed"
	SlotNotOpen SlotState = "not_open"
	SlotHeld    SlotState = "held"
	SlotTaken   SlotState = "taken"
	SlotFree    SlotState = "free"
)

// Closure takes courts out of sale for a while. It is lifted, never edited.
type Closure struct {
	ID       string
	Courts   []string
	From, To Instant
	Reason   string
	MadeAt   Instant
	MadeBy   string
	LiftedAt Instant
	LiftedBy string
}

// ClosureState is what has become of a closure.
type ClosureState string

// The states of a closure, by its hours alone unless it was lifted.
const (
	ClosureAhead  ClosureState = "ahead"
	ClosureNow    ClosureState = "now"
	ClosureOver   ClosureState = "over"
	ClosureLifted ClosureState = "lifted"
)

// State is what has become of the closure at an instant.
func (c Closure) State(at Instant) ClosureState {
	switch {
	case c.LiftedAt.IsSet() && c.LiftedAt <= at:
		return ClosureLifted
	case c.To <= at:
		return ClosureOver
	case at < c.From:
		return ClosureAhead
	}
	return ClosureNow
}

// Covers reports whether the closure stands at an instant and touches a slot of a court.
func (c Closure) Covers(court string, slot Slot, at Instant) bool {
	if at < c.MadeAt || (c.LiftedAt.IsSet() && c.LiftedAt <= at) {
		return false
	}
	if !slot.Overlaps(Slot{Start: c.From, End: c.To}) {
		return false
	}
	for _, id := range c.Courts {
		if id == court {
			return true
		}
	}
	return false
}

// Cell is one slot of one court as judged at an instant. The list, the booking,
// the desk and a move all read this one judgement.
type Cell struct {
	CourtID  string
	Slot     Slot
	At       Instant
	OpensAt  Instant // when customers may book it
	SaleEnds Instant // when customers may no longer book it
	Blocker  *Reservation
	Closure  *Closure
}

// Judge finds what stands in the way of a slot at an instant.
func Judge(court string, slot Slot, opens, saleEnds, at Instant, rows []Reservation, closures []Closure) Cell {
	cell := Cell{CourtID: court, Slot: slot, At: at, OpensAt: opens, SaleEnds: saleEnds}
	for i := range rows {
		r := &rows[i]
		if r.CourtID != court || !slot.Overlaps(r.Slot()) || !r.AsOf(at).Live(at) {
			continue
		}
		if cell.Blocker == nil || blocksBefore(r.AsOf(at), cell.Blocker.AsOf(at)) {
			cell.Blocker = r
		}
	}
	for i := range closures {
		if closures[i].Covers(court, slot, at) {
			cell.Closure = &closures[i]
			break
		}
	}
	return cell
}

// blocksBefore says which of two claims on one slot is told: what is paid, and then what
// goes on longer. Since the hours changed there may be two, one after the other.
func blocksBefore(a, b Claim) bool {
	if a.PaidAt.IsSet() != b.PaidAt.IsSet() {
		return a.PaidAt.IsSet()
	}
	return a.ReleaseAt() > b.ReleaseAt()
}

// State is the first that fits of past, closed, not open, held, taken, free.
func (c Cell) State() SlotState {
	switch {
	case c.Slot.Start <= c.At:
		return SlotPast
	case c.Closure != nil:
		return SlotClosed
	case c.At < c.OpensAt:
		return SlotNotOpen
	case c.Blocker != nil && !c.Blocker.AsOf(c.At).PaidAt.IsSet():
		return SlotHeld
	case c.Blocker != nil:
		return SlotTaken
	}
	return SlotFree
}

// FreeAt is when a held slot comes free if nobody pays; zero for other slots.
func (c Cell) FreeAt() Instant {
	if c.Blocker == nil || c.State() != SlotHeld {
		return 0
	}
	return c.Blocker.AsOf(c.At).ReleaseAt()
}

// RefuseCustomer says why a customer cannot book the slot now, or nil.
func (c Cell) RefuseCustomer() *Error {
	switch c.State() {
	case SlotPast:
		return Refuse(Conflict, "slot_past", "the slot has begun; only the desk can sell it now")
	case SlotClosed:
		return Refuse(Conflict, "slot_closed", "the court is closed then")
	case SlotNotOpen:
		return Refuse(Conflict, "not_open_yet", "this day is not open for booking yet").With("opens_at", c.OpensAt)
	case SlotHeld, SlotTaken:
		return Refuse(Conflict, "slot_taken", "somebody else has this slot")
	}
	if c.SaleEnds <= c.At {
		return Refuse(Conflict, "slot_past", "online sale of this slot has ended; ask at the desk")
	}
	return nil
}

// RefuseDesk says why the desk cannot put somebody into the slot now, or nil. The
// desk may sell what has begun and what is not open to customers yet.
func (c Cell) RefuseDesk() *Error {
	switch {
	case c.Slot.End <= c.At:
		return Refuse(Conflict, "slot_past", "the slot is over")
	case c.Closure != nil:
		return Refuse(Conflict, "slot_closed", "the court is closed then: %s", c.Closure.Reason)
	case c.Blocker != nil:
		return Refuse(Conflict, "slot_taken", "somebody else has this slot")
	}
	return nil
}

// NextChange is the earliest instant after At at which this judgement changes
// with nobody doing anything, or zero if it never does.
func (c Cell) NextChange() Instant {
	next := c.Slot.Start
	sooner := func(i Instant) {
		if c.At < i {
			next = min(next, i)
		}
	}
	switch c.State() {
	case SlotPast:
		return 0
	case SlotNotOpen:
		sooner(c.OpensAt)
	case SlotHeld, SlotTaken:
		sooner(c.Blocker.AsOf(c.At).ReleaseAt())
	case SlotFree:
		sooner(c.SaleEnds)
	}
	return next
}

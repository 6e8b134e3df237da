package domain

// State is what a claim, or an order, is at an instant. It is derived, never stored.
type State string

// The states of claims and orders. Paid is of orders, confirmed and playing of claims.
const (
	None      State = ""
	Held      State = "held"
	Confirmed State = "confirmed"
	Playing   State = "playing"
	Paid      State = "paid"
	Lapsed    State = "lapsed"
	Cancelled State = "cancelled"
	Moved     State = "moved"
	NoShow    State = "no_show"
	Completed State = "completed"
)

// Claim is the part of a reservation or basket that time acts on: promises made
// when it was booked and facts that have happened since. For a basket, being
// handed over stands for checking in, and EndsAt is the hand-over itself.
type Claim struct {
	// Promises.
	BookedAt    Instant
	PayBy       Instant // zero when the claim was born paid
	CheckInFrom Instant
	CheckInBy   Instant // Never for goods that wait on the shelf
	StartsAt    Instant // zero for a basket
	EndsAt      Instant

	// Facts.
	PaidAt      Instant
	CheckedInAt Instant
	CancelledAt Instant
	Moved       bool // the cancellation was a move to another slot
}

// ReleaseAt is the instant from which the claim no longer blocks. It follows
// from promises and facts alone; the same rule stands in the generated column.
func (c Claim) ReleaseAt() Instant {
	switch {
	case c.CancelledAt.IsSet():
		return c.CancelledAt
	case c.CheckedInAt.IsSet():
		return c.EndsAt
	case c.PaidAt.IsSet():
		return c.CheckInBy
	}
	return c.PayBy
}

// Ending is what the claim will have become at ReleaseAt if nothing else happens.
func (c Claim) Ending() State {
	switch {
	case c.CancelledAt.IsSet() && c.Moved:
		return Moved
	case c.CancelledAt.IsSet():
		return Cancelled
	case c.CheckedInAt.IsSet():
		return Completed
	case c.PaidAt.IsSet():
		return NoShow
	}
	return Lapsed
}

// Live is the one comparison by which time enters the program: the claim blocks
// from its booking up to, and not including, its release.
func (c Claim) Live(at Instant) bool { return c.BookedAt <= at && at < c.ReleaseAt() }

// State is what the claim is at an instant; None before it was booked.
func (c Claim) State(at Instant) State {
	switch {
	case at < c.BookedAt:
		return None
	case !c.Live(at):
		return c.Ending()
	case c.CheckedInAt.IsSet():
		return Playing
	case c.PaidAt.IsSet():
		return Confirmed
	}
	return Held
}

// Ended reports whether time has already decided the claim's end.
func (c Claim) Ended(at Instant) bool { return c.BookedAt <= at && !c.Live(at) }

// DoorOpen reports whether a ticket for the claim is accepted at the door.
func (c Claim) DoorOpen(at Instant) bool { return c.CheckInFrom <= at && at < c.CheckInBy }

// AsOf is the claim as it was known at an instant: facts that came later are
// taken away.
func (c Claim) AsOf(at Instant) Claim {
	if at < c.PaidAt {
		c.PaidAt = 0
	}
	if at < c.CheckedInAt {
		c.CheckedInAt = 0
	}
	if at < c.CancelledAt {
		c.CancelledAt, c.Moved = 0, false
	}
	return c
}

// GivesGoodsBack reports whether a basket that ends so puts its goods back on the shelf.
func GivesGoodsBack(ending State) bool {
	return ending == Lapsed || ending == Cancelled || ending == NoShow
}

// TakesUp reports whether a claim that ends, or will end, so has the use of its
// slot: it was paid and not given up. Nobody else could have had the slot.
func TakesUp(ending State) bool { return ending == NoShow || ending == Completed }

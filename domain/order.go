package domain

// Reservation is an order's claim on one slot of one court.
type Reservation struct {
	ID, OrderID, CustomerID, CourtID string
	Seq                              int
	Day                              string // business day, 2006-01-02
	PriceFen, DiscountFen            int64
	PriceRule                        string
	Claim
	OutOfWindow  bool
	CancelledBy  string
	CancelReason string
	Replaces     string
	ReplacedAs   string
	ReplacedAt   Instant // when another row took this one's place; zero if none did
	SettledAt    Instant
}

// Slot is the interval the reservation claims.
func (r Reservation) Slot() Slot { return Slot{Start: r.StartsAt, End: r.EndsAt} }

// NetFen is what the slot costs after its share of the order's discount.
func (r Reservation) NetFen() int64 { return r.PriceFen - r.DiscountFen }

// Counts reports whether the row stands for something at an instant: it has been
// booked and no other row has taken its place. Rows that were replaced count for nothing.
func (r Reservation) Counts(at Instant) bool { return counts(r.BookedAt, r.ReplacedAt, at) }

// BasketLine is one good in a basket.
type BasketLine struct {
	GoodID   string
	Name     string
	Qty      int
	PriceFen int64 // of one piece
}

// Basket is an order's claim on goods and a coupon.
type Basket struct {
	ID, OrderID, CustomerID string
	Seq                     int
	Coupon                  string
	CouponKept              bool // the coupon stays used although the basket was cancelled
	DiscountFen             int64
	Lines                   []BasketLine
	Claim
	CancelledBy  string
	CancelReason string
	Replaces     string
	ReplacedAt   Instant
	SettledAt    Instant
}

// Counts reports whether the basket stands for something at an instant.
func (b Basket) Counts(at Instant) bool { return counts(b.BookedAt, b.ReplacedAt, at) }

// GoodsFen is the price of all goods before discount.
func (b Basket) GoodsFen() int64 {
	var sum int64
	for _, l := range b.Lines {
		sum += int64(l.Qty) * l.PriceFen
	}
	return sum
}

// UsesCoupon reports whether the basket counts as a use of its coupon at an
// instant: while it is live, and afterwards unless its ending gave the coupon back.
func (b Basket) UsesCoupon(at Instant) bool {
	if b.Coupon == "" || !b.Counts(at) {
		return false
	}
	switch b.AsOf(at).State(at) {
	case Held, Confirmed, Playing, Completed, NoShow:
		return true
	case Cancelled:
		return b.CouponKept
	}
	return false
}

// AsOf is the basket's claim as known at an instant; a hand-over that came later
// takes its own end away with it.
func (b Basket) AsOf(at Instant) Claim { return b.Claim.AsOf(at) }

func counts(booked, replaced, at Instant) bool {
	return booked <= at && (!replaced.IsSet() || at < replaced)
}

// Order is what a customer buys at once, with every claim ever made for it.
type Order struct {
	ID, Number, CustomerID string
	Contact                string
	Channel                string // online or desk
	Pay                    string // online, on_arrival or cash
	BookedBy               string // staff id, for orders made at the desk
	BookedAt               Instant
	Terms                  Terms
	TicketCode             string
	ForgivenAt             Instant
	Reservations           []Reservation
	Baskets                []Basket
}

// Terms are the promises about money, fixed when the order was made.
type Terms struct {
	RefundLadder        RefundLadder `json:"refund_ladder"`
	NoShowRefundPercent int          `json:"no_show_refund_percent"`
}

// Slots are the reservations that count at an instant.
func (o Order) Slots(at Instant) []Reservation {
	var out []Reservation
	for _, r := range o.Reservations {
		if r.Counts(at) {
			out = append(out, r)
		}
	}
	return out
}

// Basket is the basket that counts at an instant, if any.
func (o Order) Basket(at Instant) (Basket, bool) {
	for _, b := range o.Baskets {
		if b.Counts(at) {
			return b, true
		}
	}
	return Basket{}, false
}

// Claims are all claims that count at an instant, as known then.
func (o Order) Claims(at Instant) []Claim {
	var out []Claim
	for _, r := range o.Slots(at) {
		out = append(out, r.AsOf(at))
	}
	if b, ok := o.Basket(at); ok {
		out = append(out, b.AsOf(at))
	}
	return out
}

// DiscountOf is the share of the order's discount that a slot may use: what it was
// given at first, however often it has moved since. A cheaper slot uses less of
// it, and the next one all of it again.
func (o Order) DiscountOf(r Reservation) int64 {
	share := r.DiscountFen
	for _, earlier := range o.Reservations {
		if earlier.ID == r.Replaces {
			share = max(share, o.DiscountOf(earlier))
		}
	}
	return share
}

// Tally counts what an order's state depends on: its slots and goods that count at
// an instant. A basket that holds nothing but a coupon is left out.
type Tally struct {
	Paid     bool // anything in it was ever paid
	Parts    int
	Standing int // parts that are not cancelled
	Open     int // parts that are live
	Slots    int // slots that are not cancelled
	NoShows  int // slots that are no-shows
}

// State is what an order with such parts is.
func (t Tally) State() State {
	switch {
	case t.Parts == 0:
		return None
	case t.Standing == 0:
		return Cancelled
	case !t.Paid && t.Open > 0:
		return Held
	case !t.Paid:
		return Lapsed
	case t.Open > 0:
		return Paid
	case t.Slots > 0 && t.Slots == t.NoShows:
		return NoShow
	}
	return Completed
}

// State derives what the order is at an instant from its slots and goods. A
// basket that holds nothing but a coupon has no say in it.
func (o Order) State(at Instant) State {
	var t Tally
	count := func(c Claim, isSlot bool) {
		t.Parts++
		t.Paid = t.Paid || c.PaidAt.IsSet()
		state := c.State(at)
		if state == Cancelled {
			return
		}
		t.Standing++
		if c.Live(at) {
			t.Open++
		}
		if isSlot {
			t.Slots++
			if state == NoShow {
				t.NoShows++
			}
		}
	}
	for _, r := range o.Slots(at) {
		count(r.AsOf(at), true)
	}
	if b, ok := o.Basket(at); ok && len(b.Lines) > 0 {
		count(b.AsOf(at), false)
	}
	return t.State()
}

// TotalFen is the price of everything in the order less its discount.
func (o Order) TotalFen(at Instant) int64 {
	var sum int64
	for _, r := range o.Slots(at) {
		sum += r.NetFen()
	}
	if b, ok := o.Basket(at); ok {
		sum += b.GoodsFen() - b.DiscountFen
	}
	return sum
}

// DiscountFen is what the coupon took off.
func (o Order) DiscountFen(at Instant) int64 {
	var sum int64
	for _, r := range o.Slots(at) {
		sum += r.DiscountFen
	}
	if b, ok := o.Basket(at); ok {
		sum += b.DiscountFen
	}
	return sum
}

// PayBy is the deadline that the order's unpaid claims share; zero when it was born
// paid. What was cancelled keeps the deadline it had and counts only when nothing
// else is left; a coupon without goods has no say.
func (o Order) PayBy(at Instant) Instant {
	var standing, last Instant
	note := func(c Claim) {
		last = max(last, c.PayBy)
		if c.State(at) != Cancelled {
			standing = max(standing, c.PayBy)
		}
	}
	for _, r := range o.Slots(at) {
		note(r.AsOf(at))
	}
	if b, ok := o.Basket(at); ok && len(b.Lines) > 0 {
		note(b.AsOf(at))
	}
	if standing.IsSet() {
		return standing
	}
	return last
}

// FirstStart is the start of the earliest slot that has not been cancelled; zero for goods alone.
func (o Order) FirstStart(at Instant) Instant {
	var first Instant
	for _, r := range o.Slots(at) {
		if r.AsOf(at).State(at) == Cancelled {
			continue
		}
		if !first.IsSet() || r.StartsAt < first {
			first = r.StartsAt
		}
	}
	return first
}

// Refund is what a cancellation gives back now.
type Refund struct {
	Percent   int   // of the slots
	Step      int   // of the ladder, where it decides: see RefundLadder.Step
	SlotsFen  int64 // the slots' part, rounded down
	GoodsFen  int64 // goods that were not handed over
	AmountFen int64
}

// CancelRefund works out what cancelling all live claims of a paid order gives
// back at an instant: a share of the slots by the ladder (everything when the
// venue cancels), and goods not handed over in full.
func (o Order) CancelRefund(at Instant, byVenue bool) Refund {
	r := Refund{Percent: 100}
	first := o.FirstStart(at)
	if !byVenue && first.IsSet() {
		r.Percent, r.Step = o.Terms.RefundLadder.Percent(first, at), o.Terms.RefundLadder.Step(first, at)
	}
	var slots int64
	for _, s := range o.Slots(at) {
		if c := s.AsOf(at); c.Live(at) && c.PaidAt.IsSet() {
			slots += s.NetFen()
		}
	}
	if b, ok := o.Basket(at); ok {
		if c := b.AsOf(at); c.Live(at) && c.PaidAt.IsSet() {
			r.GoodsFen = b.GoodsFen() - b.DiscountFen
		}
	}
	r.SlotsFen = slots * int64(r.Percent) / 100
	r.AmountFen = r.SlotsFen + r.GoodsFen
	return r
}

// ClosureRefund works out what cancelling some live reservations for the venue
// gives back: their price less their share of the discount and, when no other
// reservation is left, the basket's goods. lastOne says that none is left.
func (o Order) ClosureRefund(at Instant, hit []Reservation) (amountFen int64, lastOne bool) {
	gone := map[string]bool{}
	for _, r := range hit {
		gone[r.ID] = true
		if r.AsOf(at).PaidAt.IsSet() {
			amountFen += r.NetFen()
		}
	}
	for _, r := range o.Slots(at) {
		if r.AsOf(at).Live(at) && !gone[r.ID] {
			return amountFen, false
		}
	}
	if b, ok := o.Basket(at); ok {
		if c := b.AsOf(at); c.Live(at) && c.PaidAt.IsSet() {
			amountFen += b.GoodsFen() - b.DiscountFen
		}
	}
	return amountFen, true
}

// ShareDiscount spreads a discount over slot prices in their order, to the fen,
// and returns what is left over for the goods. The shares follow the running
// sum, so that they always add up.
func ShareDiscount(discountFen int64, slotPrices []int64) (shares []int64, restFen int64) {
	var total int64
	for _, p := range slotPrices {
		total += p
	}
	onSlots := min(discountFen, total)
	shares = make([]int64, len(slotPrices))
	var sum, given int64
	for i, p := range slotPrices {
		sum += p
		if total > 0 {
			shares[i] = onSlots*sum/total - given
		}
		given += shares[i]
	}
	return shares, discountFen - onSlots
}

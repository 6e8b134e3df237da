package domain

// Coupon takes either a share or an amount off an order. How often it has been
// used is not kept here: uses are counted from the orders that carry its code.
type Coupon struct {
	Code               string  `json:"code"` // as ParseCouponCode returns it
	Name               string  `json:"name"`
	Percent            int     `json:"percent"`       // 0 when AmountFen counts
	AmountFen          int64   `json:"amount_fen"`    // 0 when Percent counts
	MinTotalFen        int64   `json:"min_total_fen"` // worth nothing below this total
	ValidFrom          Instant `json:"valid_from"`    // 0: since ever
	ValidUntil         Instant `json:"valid_until"`   // no longer at this instant; 0: for ever
	MaxUses            int     `json:"max_uses"`      // orders in all; 0: no limit
	MaxUsesPerCustomer int     `json:"max_uses_per_customer"`
	Active             bool    `json:"active"`
}

// Validate refuses a coupon that could never be used as meant, naming every bad field.
func (c Coupon) Validate() error {
	var bad fieldErrors
	code, err := ParseCouponCode("code", c.Code)
	bad.parsed(err)
	if err == nil && code != c.Code {
		bad.add("code", "must be written in capitals and without spaces")
	}
	_, err = ParseName("name", c.Name)
	bad.parsed(err)
	bad.between("percent", int64(c.Percent), 0, 100)
	bad.between("amount_fen", c.AmountFen, 0, MaxPriceFen)
	if (c.Percent == 0) == (c.AmountFen == 0) {
		bad.add("percent", "must be set, or amount_fen, and not both")
	}
	bad.between("min_total_fen", c.MinTotalFen, 0, MaxPriceFen)
	for _, bound := range []struct {
		field string
		at    Instant
	}{{"valid_from", c.ValidFrom}, {"valid_until", c.ValidUntil}} {
		if bound.at < 0 || bound.at > Never {
			bad.add(bound.field, "must be an instant of this calendar")
		}
	}
	if c.ValidUntil.IsSet() && c.ValidUntil <= c.ValidFrom {
		bad.add("valid_until", "must be later than valid_from")
	}
	bad.between("max_uses", int64(c.MaxUses), 0, MaxCouponUses)
	bad.between("max_uses_per_customer", int64(c.MaxUsesPerCustomer), 0, MaxCouponUses)
	return bad.err()
}

// UsableAt reports whether the coupon may be used at an instant, as far as that
// depends on the coupon alone.
func (c Coupon) UsableAt(at Instant) bool {
	return c.Active && at >= c.ValidFrom && (!c.ValidUntil.IsSet() || at < c.ValidUntil)
}

// CouponStanding is why a coupon can be used, or why it cannot, by anybody at all.
type CouponStanding string

// The standings of a coupon, in the order in which the first that fits is told.
const (
	CouponOff    CouponStanding = "off"     // switched off
	CouponOver   CouponStanding = "over"    // past its last instant
	CouponUsedUp CouponStanding = "used_up" // as often as it may
	CouponNotYet CouponStanding = "not_yet" // before its first instant
	CouponUsable CouponStanding = "usable"
)

// Standing tells how the coupon stands at an instant when that many orders use it.
func (c Coupon) Standing(at Instant, uses int) CouponStanding {
	switch {
	case !c.Active:
		return CouponOff
	case c.ValidUntil.IsSet() && c.ValidUntil <= at:
		return CouponOver
	case c.MaxUses > 0 && uses >= c.MaxUses:
		return CouponUsedUp
	case at < c.ValidFrom:
		return CouponNotYet
	}
	return CouponUsable
}

// Discount gives the fen taken off a total: a share is rounded down, nothing
// comes off below MinTotalFen, and never more than the total.
func (c Coupon) Discount(totalFen int64) int64 {
	if totalFen <= 0 || totalFen < c.MinTotalFen {
		return 0
	}
	discountFen := c.AmountFen
	if c.Percent > 0 {
		discountFen = totalFen * int64(c.Percent) / 100
	}
	return min(discountFen, totalFen)
}

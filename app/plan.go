package app

import (
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// SlotRef names a slot: a court and the instant it starts.
type SlotRef struct {
	Court string
	Start domain.Instant
}

// GoodRef names pieces of a good.
type GoodRef struct {
	ID  string
	Qty int
}

// OrderRequest is what somebody wants to buy at once.
type OrderRequest struct {
	Slots  []SlotRef
	Goods  []GoodRef
	Coupon string
}

// plannedSlot is a slot of a plan with its price and what stands in its way.
type plannedSlot struct {
	cell        domain.Cell
	unsettled   []domain.Reservation // on the slot: whatever is live, and what has ended and nobody has written down
	day         domain.Date
	rule        domain.PriceRule
	discountFen int64
}

// plan is an order worked out at one instant and not yet made. Quotes, orders
// and the desk's orders are all planned here.
type plan struct {
	slots       []plannedSlot
	lines       []domain.BasketLine
	coupon      *domain.Coupon
	discountFen int64
	restFen     int64 // of the discount, on the goods
	totalFen    int64
}

// check refuses a request that could never be carried out, naming the field.
func (r OrderRequest) check() error {
	if len(r.Slots) == 0 && len(r.Goods) == 0 {
		return domain.BadField("slots", "choose at least one slot or one good")
	}
	if len(r.Slots) > domain.MaxSlotsPerOrder {
		return domain.BadField("slots", "must not be more than %d", domain.MaxSlotsPerOrder)
	}
	if len(r.Goods) > domain.MaxGoodsLines {
		return domain.BadField("goods", "must not be more than %d lines", domain.MaxGoodsLines)
	}
	seen := map[any]bool{}
	for i, s := range r.Slots {
		if seen[s] {
			return domain.BadField(fmt.Sprintf("slots[%d]", i), "is named twice")
		}
		seen[s] = true
	}
	for i, g := range r.Goods {
		if seen[g.ID] {
			return domain.BadField(fmt.Sprintf("goods[%d].id", i), "is named twice")
		}
		seen[g.ID] = true
		if g.Qty < 1 || g.Qty > domain.MaxQty {
			return domain.BadField(fmt.Sprintf("goods[%d].qty", i), "must be from 1 to %d", domain.MaxQty)
		}
	}
	return nil
}

// planOrder works out slots, goods, prices and discount. It judges nothing yet:
// what stands in a slot's way is in its cell.
func planOrder(s *sqlite.Snapshot, venue sqlite.Venue, req OrderRequest, customerID string) (plan, error) {
	var p plan
	if err := req.check(); err != nil {
		return p, err
	}
	for i, ref := range req.Slots {
		slot, err := planSlot(s, venue, ref, fmt.Sprintf("slots[%d]", i))
		if err != nil {
			return p, err
		}
		p.slots = append(p.slots, slot)
	}
	for i, ref := range req.Goods {
		good, err := s.Good(ref.ID)
		if err != nil && !domain.IsReason(err, "not_found") {
			return p, err
		}
		if err != nil || !good.Active {
			return p, domain.BadField(fmt.Sprintf("goods[%d].id", i), "there is no such good on sale")
		}
		p.lines = append(p.lines, domain.BasketLine{GoodID: good.ID, Name: good.Name, Qty: ref.Qty, PriceFen: good.PriceFen})
	}
	var prices []int64
	for _, slot := range p.slots {
		prices = append(prices, slot.rule.PriceFen)
		p.totalFen += slot.rule.PriceFen
	}
	p.totalFen += domain.Basket{Lines: p.lines}.GoodsFen()
	if err := p.applyCoupon(s, req.Coupon, customerID, prices); err != nil {
		return p, err
	}
	return p, nil
}

// planSlot finds a slot on the grid, its price, and what stands in its way.
func planSlot(s *sqlite.Snapshot, venue sqlite.Venue, ref SlotRef, field string) (plannedSlot, error) {
	if !onSale(venue.Courts, ref.Court) {
		return plannedSlot{}, domain.BadField(field+".court", "there is no such court")
	}
	slot, day, ok := venue.Calendar.SlotAt(ref.Start)
	if !ok {
		return plannedSlot{}, domain.BadField(field+".start", "no slot starts then")
	}
	rows, err := s.UnsettledOn(ref.Court, slot) // what is live is never settled
	if err != nil {
		return plannedSlot{}, err
	}
	closures, err := s.ClosuresBetween(slot.Start, slot.End)
	if err != nil {
		return plannedSlot{}, err
	}
	return plannedSlot{
		cell: domain.Judge(ref.Court, slot, venue.Policy.BookingOpens(venue.Calendar, day), venue.Policy.SaleEnds(slot.Start),
			s.Now, rows, closures),
		unsettled: rows,
		day:       day,
		rule:      priceOf(venue, ref.Court, day, slot.Start),
	}, nil
}

func priceOf(venue sqlite.Venue, court string, day domain.Date, start domain.Instant) domain.PriceRule {
	_, holiday := venue.Calendar.Holiday(day)
	return venue.Prices.PriceOf(court, day, venue.Calendar.MinuteOf(day, start), holiday)
}

func onSale(courts []sqlite.Court, id string) bool {
	for _, c := range courts {
		if c.ID == id {
			return c.Active
		}
	}
	return false
}

// applyCoupon checks the coupon and spreads its discount: over the slots first,
// in their order, and what is left over the goods.
func (p *plan) applyCoupon(s *sqlite.Snapshot, code, customerID string, prices []int64) error {
	if code == "" {
		return nil
	}
	code, err := domain.ParseCouponCode("coupon", code)
	if err != nil {
		return err
	}
	coupon, found, err := s.Coupon(code)
	if err != nil {
		return err
	}
	if !found {
		return refuseCoupon(code, "unknown", "there is no coupon with this code")
	}
	if !coupon.UsableAt(s.Now) {
		return unusableCoupon(coupon, s.Now)
	}
	if p.totalFen < coupon.MinTotalFen {
		return refuseCoupon(code, "below_minimum", "this coupon is for orders of %d fen or more", coupon.MinTotalFen).With("min_total", coupon.MinTotalFen)
	}
	if err := couponFree(s, coupon, customerID, ""); err != nil {
		return err
	}
	p.coupon = &coupon
	p.discountFen = coupon.Discount(p.totalFen)
	p.totalFen -= p.discountFen
	shares, rest := domain.ShareDiscount(p.discountFen, prices)
	for i := range p.slots {
		p.slots[i].discountFen = shares[i]
	}
	p.restFen = rest
	return nil
}

// refuseCoupon says in a word for programs why a coupon is of no use for an order.
func refuseCoupon(code, why, format string, args ...any) *domain.Error {
	return domain.Refuse(domain.Conflict, "coupon_invalid", format, args...).With("coupon", code).With("why", why)
}

// unusableCoupon says why a coupon cannot be used by anybody at an instant.
func unusableCoupon(c domain.Coupon, at domain.Instant) *domain.Error {
	switch standing := c.Standing(at, 0); standing {
	case domain.CouponOver:
		return refuseCoupon(c.Code, string(standing), "this coupon is no longer valid").With("valid_until", c.ValidUntil)
	case domain.CouponNotYet:
		return refuseCoupon(c.Code, string(standing), "this coupon is not valid yet").With("valid_from", c.ValidFrom)
	}
	return refuseCoupon(c.Code, string(domain.CouponOff), "this coupon has been withdrawn")
}

// couponFree refuses a coupon whose limits are used up at this instant, leaving
// one order out of the count.
func couponFree(s *sqlite.Snapshot, c domain.Coupon, customerID, exceptOrder string) error {
	if c.MaxUses == 0 && c.MaxUsesPerCustomer == 0 {
		return nil
	}
	baskets, err := s.BasketsWithCoupon(c.Code)
	if err != nil {
		return err
	}
	var uses, own int
	for _, b := range baskets {
		if b.OrderID == exceptOrder || !b.UsesCoupon(s.Now) {
			continue
		}
		uses++
		if b.CustomerID == customerID {
			own++
		}
	}
	refuse := func(why, message string) error {
		return domain.Refuse(domain.Conflict, "coupon_used", "%s", message).With("coupon", c.Code).With("why", why)
	}
	switch {
	case c.MaxUsesPerCustomer > 0 && own >= c.MaxUsesPerCustomer:
		return refuse("used_by_customer", "this customer has used this coupon as often as they may")
	case c.MaxUses > 0 && uses >= c.MaxUses:
		return refuse("used_up", "this coupon has been used up")
	}
	return nil
}

// firstStart is the earliest start among the planned slots, or zero.
func (p plan) firstStart() domain.Instant {
	var first domain.Instant
	for _, s := range p.slots {
		if !first.IsSet() || s.cell.Slot.Start < first {
			first = s.cell.Slot.Start
		}
	}
	return first
}

// lastEnd is the end of the latest planned slot, or Never for goods alone.
func (p plan) lastEnd() domain.Instant {
	if len(p.slots) == 0 {
		return domain.Never
	}
	var last domain.Instant
	for _, s := range p.slots {
		last = max(last, s.cell.Slot.End)
	}
	return last
}

// aboutSlot makes a refusal say which slot it is about.
func aboutSlot(err *domain.Error, cell domain.Cell, field string) error {
	if err == nil {
		return nil
	}
	err.With("slot", map[string]any{"court": cell.CourtID, "start": cell.Slot.Start})
	err.Fields = append(err.Fields, domain.FieldError{Field: field, Message: err.Message})
	return err
}

// judgeSlots refuses a plan when a slot cannot be had, by the customer's or the desk's measure.
func (p plan) judgeSlots(desk bool) error {
	for i, s := range p.slots {
		refusal := s.cell.RefuseCustomer()
		if desk {
			refusal = s.cell.RefuseDesk()
		}
		if err := aboutSlot(refusal, s.cell, fmt.Sprintf("slots[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

// judgeGoods refuses a plan when the shelf, with all that ended claims owe it,
// does not hold enough.
func (p plan) judgeGoods(s *sqlite.Snapshot) error {
	for i, l := range p.lines {
		good, err := s.Good(l.GoodID)
		if err != nil {
			return err
		}
		if good.Available() < l.Qty {
			refusal := domain.Refuse(domain.Conflict, "out_of_stock", "only %d of %s left", good.Available(), good.Name).
				With("good", map[string]any{"id": good.ID, "available": good.Available()})
			refusal.Fields = []domain.FieldError{{Field: fmt.Sprintf("goods[%d]", i), Message: refusal.Message}}
			return refusal
		}
	}
	return nil
}

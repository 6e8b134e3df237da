package app

import (
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// answers is what the club says to anybody who asks: what blocks some slots, what is
// left of every good, how often some coupons were used. Settling must leave all of it as it
// is. It holds the write lock, so it asks about nothing that those orders have no part in.
type answers map[string]string

func (a answers) differences(b answers) int {
	n := 0
	for k, v := range a {
		if b[k] != v {
			n++
		}
	}
	return n
}

// answersAbout gives the answers that settling some orders might change if it
// were wrong.
func answersAbout(s *sqlite.Snapshot, orderIDs []string) (answers, error) {
	out := answers{}
	coupons := map[string]bool{}
	for _, id := range orderIDs {
		order, err := s.Order(id)
		if isUnavailable(err) {
			return nil, err
		}
		if err != nil {
			continue // it is settled by its claims alone, and says nothing before or after
		}
		out["order "+id] = string(order.State(s.Now))
		for _, r := range order.Reservations {
			blocked, err := blockerOf(s, r.CourtID, r.Slot())
			if err != nil {
				return nil, err
			}
			out["slot "+slotID(r.CourtID, r.StartsAt)] = blocked
		}
		for _, b := range order.Baskets {
			coupons[b.Coupon] = b.Coupon != ""
		}
	}
	goods, err := s.Goods()
	if err != nil {
		return nil, err
	}
	for _, g := range goods {
		out["good "+g.ID] = fmt.Sprint(g.Available())
	}
	for code, set := range coupons {
		if !set {
			continue
		}
		if c, found, err := s.Coupon(code); err != nil || !found || (c.MaxUses == 0 && c.MaxUsesPerCustomer == 0) {
			if err != nil {
				return nil, err
			}
			continue // nothing is decided by how often it was used
		}
		baskets, err := s.BasketsWithCoupon(code)
		if err != nil {
			return nil, err
		}
		uses := 0
		for _, b := range baskets {
			if b.UsesCoupon(s.Now) {
				uses++
			}
		}
		out["coupon "+code] = fmt.Sprint(uses)
	}
	return out, nil
}

// blockerOf says which reservation blocks a slot now, and until when; nothing if none does.
func blockerOf(s *sqlite.Snapshot, court string, slot domain.Slot) (string, error) {
	rows, err := s.UnsettledOn(court, slot)
	if err != nil {
		return "", err
	}
	cell := domain.Judge(court, slot, s.Now, slot.Start, s.Now, rows, nil)
	if cell.Blocker == nil {
		return "", nil
	}
	return fmt.Sprint(cell.Blocker.ID, cell.FreeAt()), nil
}

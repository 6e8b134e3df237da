package app

import (
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// answers is what the club says to anybody who asks: every slot of some days,
// every good, some coupons. Settling must leave all of it as it is.
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
func answersAbout(s *sqlite.Snapshot, venue sqlite.Venue, orderIDs []string) (answers, error) {
	out := answers{}
	days, coupons := map[string]bool{}, map[string]bool{}
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
			days[r.Day] = true
		}
		for _, b := range order.Baskets {
			coupons[b.Coupon] = b.Coupon != ""
		}
	}
	for day := range days {
		date, err := domain.ParseDate("day", day)
		if err != nil {
			return nil, err
		}
		grid, err := dayGrid(s, venue, date)
		if err != nil {
			return nil, err
		}
		for _, row := range grid.rows {
			for _, c := range row.cells {
				out[fmt.Sprintf("slot %s@%d", c.CourtID, c.Slot.Start)] = fmt.Sprint(c.State(), c.FreeAt())
			}
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

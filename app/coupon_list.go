package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// CouponView is a coupon with what has become of it.
type CouponView struct {
	domain.Coupon
	Uses     int // orders that count as a use now
	Standing domain.CouponStanding
}

// Coupons gives a page of the coupons, newest first, and whether there are more. Uses
// are counted from the orders that carry the code, as when one is booked.
func (a *App) Coupons(ctx context.Context, skip, limit int) (out []CouponView, more bool, now domain.Instant, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		now = s.Now
		all, err := s.Coupons()
		if err != nil {
			return err
		}
		all = all[min(max(skip, 0), len(all)):]
		more = len(all) > limit
		for _, c := range all[:min(limit, len(all))] {
			view, err := viewCoupon(s, c)
			if err != nil {
				return err
			}
			out = append(out, view)
		}
		return nil
	})
	return out, more, now, err
}

// Coupon gives one coupon, or a NotFound refusal.
func (a *App) Coupon(ctx context.Context, code string) (out CouponView, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		c, exists, err := s.Coupon(code)
		if err != nil {
			return err
		}
		if !exists {
			return domain.Refuse(domain.NotFound, "not_found", "no such coupon")
		}
		out, err = viewCoupon(s, c)
		return err
	})
	return out, err
}

func viewCoupon(s *sqlite.Snapshot, c domain.Coupon) (CouponView, error) {
	baskets, err := s.BasketsWithCoupon(c.Code)
	view := CouponView{Coupon: c}
	for _, b := range baskets {
		if b.UsesCoupon(s.Now) {
			view.Uses++
		}
	}
	view.Standing = c.Standing(s.Now, view.Uses)
	return view, err
}

package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// AddCoupon adds a coupon. A code that exists is refused; the same key again gives the
// coupon that was added.
func (a *App) AddCoupon(ctx context.Context, actor Actor, c domain.Coupon, key Key) (domain.Coupon, error) {
	code, err := domain.ParseCouponCode("code", c.Code)
	if err != nil {
		return c, err
	}
	c.Code = code
	var out domain.Coupon
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		_, _, err := once(tx, actor, key, "add coupon", c, func() (string, error) {
			_, exists, err := tx.Coupon(c.Code)
			if err == nil && exists {
				err = domain.Refuse(domain.Conflict, "code_exists", "there is a coupon with this code")
			}
			if err != nil {
				return "", err
			}
			return c.Code, putCoupon(tx, actor, c)
		})
		if err != nil {
			return err
		}
		out, _, err = tx.Coupon(c.Code)
		return err
	})
	return out, err
}

// ChangeCoupon changes a coupon by a function that gets it as it is now. Uses
// already made stand, and so do their discounts.
func (a *App) ChangeCoupon(ctx context.Context, actor Actor, code string, change func(*domain.Coupon) error) (domain.Coupon, error) {
	code, err := domain.ParseCouponCode("code", code)
	if err != nil {
		return domain.Coupon{}, err
	}
	var out domain.Coupon
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		c, exists, err := tx.Coupon(code)
		if err != nil {
			return err
		}
		if !exists {
			return domain.Refuse(domain.NotFound, "not_found", "no such coupon")
		}
		before := c
		if err := change(&c); err != nil {
			return err
		}
		c.Code = code
		if out = c; c == before {
			return nil
		}
		return putCoupon(tx, actor, c)
	})
	return out, err
}

func putCoupon(tx *sqlite.Tx, actor Actor, c domain.Coupon) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if err := tx.PutCoupon(c); err != nil {
		return err
	}
	return tx.Audit(actor.audit("change coupon", c.Code, "", map[string]any{"active": c.Active}))
}

package api

import (
	"context"
	"net/http"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// CouponView is a coupon as the owner sees it.
type CouponView struct {
	Code               string     `json:"code"`
	Name               string     `json:"name"`
	Percent            int        `json:"percent" doc:"0 when amount counts"`
	Amount             int64      `json:"amount" doc:"fen; 0 when percent counts"`
	MinTotal           int64      `json:"min_total" doc:"fen; worth nothing below"`
	ValidFrom          *time.Time `json:"valid_from"`
	ValidUntil         *time.Time `json:"valid_until" doc:"no longer at this instant"`
	MaxUses            int        `json:"max_uses" doc:"orders in all; 0 is no limit"`
	MaxUsesPerCustomer int        `json:"max_uses_per_customer" doc:"0 is no limit"`
	Active             bool       `json:"active"`
}

// CouponFields is what can be set of a coupon.
type CouponFields struct {
	Name               *string `json:"name,omitempty" doc:"1 to 40 characters"`
	Percent            *int    `json:"percent,omitempty" doc:"either this or amount"`
	Amount             *int64  `json:"amount,omitempty" doc:"fen"`
	MinTotal           *int64  `json:"min_total,omitempty" doc:"fen"`
	ValidFrom          *string `json:"valid_from,omitempty" nullable:"true" format:"date-time"`
	ValidUntil         *string `json:"valid_until,omitempty" nullable:"true" format:"date-time"`
	MaxUses            *int    `json:"max_uses,omitempty"`
	MaxUsesPerCustomer *int    `json:"max_uses_per_customer,omitempty"`
	Active             *bool   `json:"active,omitempty"`
}

type newCouponInput struct {
	Body struct {
		Code string `json:"code" doc:"1 to 32 of letters, digits, - and _"`
		CouponFields
	} `nameHint:"NewCouponBody"`
}

type couponInput struct {
	Code string `path:"code"`
	Body CouponFields
}

func viewCoupon(c domain.Coupon, zone *time.Location) CouponView {
	out := CouponView{Code: c.Code, Name: c.Name, Percent: c.Percent, Amount: c.AmountFen, MinTotal: c.MinTotalFen,
		MaxUses: c.MaxUses, MaxUsesPerCustomer: c.MaxUsesPerCustomer, Active: c.Active}
	if c.ValidFrom.IsSet() {
		from := c.ValidFrom.In(zone)
		out.ValidFrom = &from
	}
	if c.ValidUntil.IsSet() {
		until := c.ValidUntil.In(zone)
		out.ValidUntil = &until
	}
	return out
}

// change puts what was sent into a coupon; what was left out or is null stays.
func (f CouponFields) change(c *domain.Coupon) error {
	set(&c.Name, f.Name)
	set(&c.Percent, f.Percent)
	set(&c.AmountFen, f.Amount)
	set(&c.MinTotalFen, f.MinTotal)
	set(&c.MaxUses, f.MaxUses)
	set(&c.MaxUsesPerCustomer, f.MaxUsesPerCustomer)
	set(&c.Active, f.Active)
	for _, bound := range []struct {
		field string
		sent  *string
		kept  *domain.Instant
	}{{"valid_from", f.ValidFrom, &c.ValidFrom}, {"valid_until", f.ValidUntil, &c.ValidUntil}} {
		if bound.sent == nil {
			continue
		}
		at, err := parseInstant(bound.field, *bound.sent)
		if err != nil {
			return err
		}
		*bound.kept = at
	}
	return nil
}

func (s *server) couponCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/coupons", id: "list-coupons", tag: tagOwner, who: owner,
		summary: "All coupons, the newest first"}, s.coupons)
	register(s, call{method: http.MethodPost, path: base + "/owner/coupons", id: "add-coupon", tag: tagOwner, who: owner, status: http.StatusCreated, conflicts: true,
		summary: "Add a coupon"},
		func(ctx context.Context, actor app.Actor, in *newCouponInput) (*made[CouponView], error) {
			c := domain.Coupon{Code: in.Body.Code, Active: true}
			if err := in.Body.change(&c); err != nil {
				return nil, err
			}
			c, err := s.app.AddCoupon(ctx, actor, c, "")
			if err != nil {
				return nil, couponWords(err)
			}
			return madeAt("/owner/coupons/"+c.Code, viewCoupon(c, httpx.Zone(ctx, s.app))), nil
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/coupons/{code}", id: "put-coupon", tag: tagOwner, who: owner,
		summary: "Change a coupon", about: "What is left out stays."}, s.putCoupon)
}

func couponWords(err error) error {
	return renamed(err, "amount_fen", "amount", "min_total_fen", "min_total")
}

func (s *server) coupons(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[CouponView]], error) {
	var out []CouponView
	var now domain.Instant
	zone := httpx.Zone(ctx, s.app)
	err := s.app.DB().Read(ctx, func(snap *sqlite.Snapshot) error {
		now = snap.Now
		coupons, err := snap.Coupons()
		for _, c := range coupons {
			out = append(out, viewCoupon(c, zone))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, out, now), nil
}

func (s *server) putCoupon(ctx context.Context, actor app.Actor, in *couponInput) (*reply[CouponView], error) {
	c, err := s.app.ChangeCoupon(ctx, actor, in.Code, in.Body.change)
	return replied(viewCoupon(c, httpx.Zone(ctx, s.app)), couponWords(err))
}

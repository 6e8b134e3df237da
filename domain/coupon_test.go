package domain_test

import (
	"testing"

	"courtd/domain"
)

func TestCouponDiscount(t *testing.T) {
	for _, tc := range []struct {
		name        string
		coupon      domain.Coupon
		total, want int64
	}{
		{"share", domain.Coupon{Percent: 20}, 6000, 1200},
		{"share is rounded down", domain.Coupon{Percent: 33}, 101, 33},
		{"less than a fen", domain.Coupon{Percent: 1}, 99, 0},
		{"all", domain.Coupon{Percent: 100}, 12345, 12345},
		{"amount", domain.Coupon{AmountFen: 1000}, 6000, 1000},
		{"amount is the total", domain.Coupon{AmountFen: 6000}, 6000, 6000},
		{"never more than the total", domain.Coupon{AmountFen: 6001}, 6000, 6000},
		{"a fen below the minimum", domain.Coupon{AmountFen: 100, MinTotalFen: 5000}, 4999, 0},
		{"at the minimum", domain.Coupon{AmountFen: 100, MinTotalFen: 5000}, 5000, 100},
		{"nothing to pay", domain.Coupon{AmountFen: 100}, 0, 0},
		{"less than nothing", domain.Coupon{Percent: 50}, -100, 0},
	} {
		if got := tc.coupon.Discount(tc.total); got != tc.want {
			t.Errorf("%s: %d fen, want %d", tc.name, got, tc.want)
		}
	}
}

func TestCouponUsableAt(t *testing.T) {
	window := domain.Coupon{Active: true, ValidFrom: base, ValidUntil: base + hour}
	for at, want := range map[domain.Instant]bool{base - 1: false, base: true, base + 1: true, base + hour - 1: true, base + hour: false, base + hour + 1: false} {
		if window.UsableAt(at) != want {
			t.Errorf("%d s after the beginning: usable %v", at-base, !want)
		}
	}
	if !(domain.Coupon{Active: true}).UsableAt(base) {
		t.Error("a coupon without bounds cannot be used")
	}
	window.Active = false
	if window.UsableAt(base) {
		t.Error("a coupon that was switched off can be used")
	}
}

func TestCouponValidate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*domain.Coupon)
		fields []string
	}{
		{"good", func(*domain.Coupon) {}, nil},
		{"amount instead", func(c *domain.Coupon) { c.Percent, c.AmountFen = 0, 1 }, nil},
		{"neither", func(c *domain.Coupon) { c.Percent = 0 }, []string{"percent"}},
		{"both", func(c *domain.Coupon) { c.AmountFen = 1 }, []string{"percent"}},
		{"too much", func(c *domain.Coupon) { c.Percent = 101 }, []string{"percent"}},
		{"code in small letters", func(c *domain.Coupon) { c.Code = "new20" }, []string{"code"}},
		{"code and name", func(c *domain.Coupon) { c.Code, c.Name = "新人", "" }, []string{"code", "name"}},
		{"negative", func(c *domain.Coupon) { c.MinTotalFen, c.MaxUses, c.MaxUsesPerCustomer = -1, -1, -1 }, []string{"min_total_fen", "max_uses", "max_uses_per_customer"}},
		{"a second long", func(c *domain.Coupon) { c.ValidFrom, c.ValidUntil = base, base+1 }, nil},
		{"never valid", func(c *domain.Coupon) { c.ValidFrom, c.ValidUntil = base, base }, []string{"valid_until"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			coupon := domain.Coupon{Code: "NEW20", Name: "新人八折", Percent: 20, MaxUses: 1, Active: true}
			tc.change(&coupon)
			wantFields(t, coupon.Validate(), tc.fields...)
		})
	}
}

// Package office holds the owner's pages of every week: goods and receipts, coupons,
// closures, staff.
package office

import (
	"embed"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

//go:embed templates/*.html
var sources embed.FS

// Pages are the pages of this package.
var Pages = kit.Pages{
	Source: sources,
	Shared: []string{"templates/office_form.html"},
	Samples: map[string]func() any{
		"goods":           func() any { return new(goodsPage) },
		"good":            func() any { return new(goodPage) },
		"coupons":         func() any { return new(couponsPage) },
		"coupon":          func() any { return new(couponPage) },
		"closures":        func() any { return new(closuresPage) },
		"closure_preview": func() any { return new(previewPage) },
		"staff":           func() any { return new(staffPage) },
		"member":          func() any { return new(memberPage) },
		"staff_password":  func() any { return new(passwordPage) },
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)
	get := func(path string, action fiber.Handler) { on.Get(path, kit.OwnerOnly, action) }
	post := func(path string, action fiber.Handler) { on.Post(path, kit.OwnerOnly, action) }

	get("/owner/goods", p.showGoods)
	post("/owner/goods", p.addGood)
	get("/owner/goods/:id", p.showGood)
	post("/owner/goods/:id", p.changeGood)
	post("/owner/goods/:id/sale", p.sellGood)
	post("/owner/goods/:id/move", p.moveGood)
	post("/owner/goods/:id/receipts", p.receiveGood)
	post("/owner/goods/:id/count", p.countGood)

	get("/owner/coupons", p.showCoupons)
	post("/owner/coupons", p.addCoupon)
	get("/owner/coupons/:code", p.showCoupon)
	post("/owner/coupons/:code", p.changeCoupon)
	post("/owner/coupons/:code/switch", p.switchCoupon)

	get("/owner/closures", p.showClosures)
	post("/owner/closures", p.makeClosure)
	get("/owner/closures/preview", p.previewClosure)
	post("/owner/closures/:id/lift", p.liftClosure)

	get("/owner/staff", p.showStaff)
	post("/owner/staff", p.addStaff)
	get("/owner/staff/:id", p.showMember)
	post("/owner/staff/:id/name", p.renameMember)
	post("/owner/staff/:id/role", p.changeRole)
	post("/owner/staff/:id/password", p.resetPassword)
	post("/owner/staff/:id/active", p.employMember)

	// Where only forms lead: whoever comes back there by address finds the page.
	for _, form := range []string{
		"/owner/goods/:id/sale", "/owner/goods/:id/move", "/owner/goods/:id/receipts", "/owner/goods/:id/count", "/owner/coupons/:code/switch",
		"/owner/staff/:id/name", "/owner/staff/:id/role", "/owner/staff/:id/password", "/owner/staff/:id/active",
	} {
		on.Get(form, kit.ToPageOfForm)
	}
	on.Get("/owner/closures/:id/lift", func(c *fiber.Ctx) error { return c.Redirect("/owner/closures", fiber.StatusSeeOther) })
}

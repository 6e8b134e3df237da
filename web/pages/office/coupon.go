package office

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// couponPage is one coupon with its form.
type couponPage struct {
	kit.Frame
	kit.Trouble
	Coupon couponRow
	Form   couponForm
	Mark   string
}

var couponSaid = map[string]kit.Words{
	"added": {"优惠码已添加", "The coupon was added"},
	"saved": {"已保存", "Saved"},
	"off":   {"已停用，新订单不能再用；用过的订单不变", "Switched off for new orders; those that used it stay as they are"},
	"on":    {"已启用", "Switched on"},
}

func (p *pages) showCoupon(c *fiber.Ctx) error { return p.drawCoupon(c, http.StatusOK, nil) }

func (p *pages) drawCoupon(c *fiber.Ctx, status int, back *refused) error {
	code, err := codeOf(c)
	if err != nil {
		return err
	}
	view, err := p.App.Coupon(c.UserContext(), code)
	if err != nil {
		return err
	}
	f, cal, _, err := p.frame(c, kit.Words{"优惠码 " + view.Code, "Coupon " + view.Code}, couponSaid)
	if err != nil {
		return err
	}
	page := couponPage{Frame: f, Coupon: couponRowOf(view, cal), Mark: kit.MarkOn(c, couponParts(view.Coupon), back.cause())}
	page.Form, page.Trouble = couponFormOf(c, "edit", back, keptCoupon(view.Coupon, cal))
	return p.Render(c, status, "coupon", page)
}

// couponParts are what the form shows; whether the coupon is on has a button of its own.
func couponParts(c domain.Coupon) domain.Coupon {
	c.Active = false
	return c
}

// codeOf is the coupon that an address is about. What no code can be is no coupon.
func codeOf(c *fiber.Ctx) (string, error) {
	code, err := domain.ParseCouponCode("code", c.Params("code"))
	if err != nil {
		return "", domain.Refuse(domain.NotFound, "not_found", "no such coupon")
	}
	return code, nil
}

func (p *pages) couponAnswer(c *fiber.Ctx, code, said string, err error) error {
	if err == nil {
		return kit.Done(c, "/owner/coupons/"+code, said)
	}
	return kit.Beside(c, err, func(status int) error {
		return p.drawCoupon(c, status, &refused{form: "edit", wrong: wrongOf(err, couponNames...), err: err})
	})
}

// changeCoupon changes a coupon, unless somebody else has meanwhile.
func (p *pages) changeCoupon(c *fiber.Ctx) error {
	code, err := codeOf(c)
	if err != nil {
		return err
	}
	cal, err := p.calendar(c)
	if err != nil {
		return err
	}
	var back *refused
	_, err = p.App.ChangeCoupon(c.UserContext(), httpx.ActorOf(c), code, func(coupon *domain.Coupon) error {
		is := couponParts(*coupon)
		in := read(c)
		in.coupon(coupon, cal)
		if back = in.back("edit"); back != nil {
			return domain.Refuse(domain.Invalid, "invalid_field", "the form is filled in wrongly")
		}
		return app.Change(&is, couponParts(*coupon), kit.Sent(c, "mark"))
	})
	if back != nil {
		return p.drawCoupon(c, http.StatusUnprocessableEntity, back)
	}
	return p.couponAnswer(c, code, "saved", err)
}

// switchCoupon switches a coupon off or on again.
func (p *pages) switchCoupon(c *fiber.Ctx) error {
	code, err := codeOf(c)
	if err != nil {
		return err
	}
	active, said := kit.Sent(c, "active") == "1", "off"
	if active {
		said = "on"
	}
	_, err = p.App.ChangeCoupon(c.UserContext(), httpx.ActorOf(c), code, func(coupon *domain.Coupon) error {
		coupon.Active = active
		return nil
	})
	return p.couponAnswer(c, code, said, err)
}

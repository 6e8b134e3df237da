package office

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// couponsPage lists the coupons, the newest first.
type couponsPage struct {
	kit.Frame
	kit.Trouble
	Coupons []couponRow
	Form    couponForm
	Open    bool
	Older   string
	Nonce   string
}

// couponsShown is how many coupons one page lists.
const couponsShown = 50

var couponsSaid = map[string]kit.Words{
	"added": {"优惠码已添加", "The coupon was added"},
}

func (p *pages) showCoupons(c *fiber.Ctx) error { return p.drawCoupons(c, http.StatusOK, nil) }

func (p *pages) drawCoupons(c *fiber.Ctx, status int, back *refused) error {
	skip, err := skipOf(c)
	if err != nil {
		return err
	}
	f, cal, _, err := p.frame(c, kit.Words{"优惠码", "Coupons"}, couponsSaid)
	if err != nil {
		return err
	}
	coupons, more, _, err := p.App.Coupons(c.UserContext(), skip, couponsShown)
	if err != nil {
		return err
	}
	page := couponsPage{Frame: f, Open: back != nil || len(coupons) == 0, Nonce: kit.Nonce(c)}
	for _, v := range coupons {
		page.Coupons = append(page.Coupons, couponRowOf(v, cal))
	}
	if more {
		page.Older = fmt.Sprintf("/owner/coupons?skip=%d", skip+couponsShown)
	}
	page.Form, page.Trouble = couponFormOf(c, "add", back, map[string]string{"kind": "amount"})
	return p.Render(c, status, "coupons", page)
}

// skipOf is how many of a list the pages before have shown.
func skipOf(c *fiber.Ctx) (int, error) {
	text := c.Query("skip", "0")
	skip, err := strconv.Atoi(text)
	if err != nil || skip < 0 {
		return 0, domain.BadField("skip", "is not one that this list gave out")
	}
	return skip, nil
}

// addCoupon adds a coupon. Its code cannot be changed afterwards: people have it.
func (p *pages) addCoupon(c *fiber.Ctx) error {
	cal, err := p.calendar(c)
	if err != nil {
		return err
	}
	in := read(c)
	coupon := domain.Coupon{Active: true}
	coupon.Code, err = domain.ParseCouponCode("code", in.text("code"))
	in.refuse(err)
	in.coupon(&coupon, cal)
	if back := in.back("add"); back != nil {
		return p.drawCoupons(c, http.StatusUnprocessableEntity, back)
	}
	coupon, err = p.App.AddCoupon(c.UserContext(), httpx.ActorOf(c), coupon, keyOf(c))
	if err == nil {
		return kit.Done(c, "/owner/coupons/"+coupon.Code, "added")
	}
	back := &refused{form: "add", wrong: wrongOf(err, couponNames...), err: err}
	if reasonOf(err) == "code_exists" {
		back.wrong["code"] = &kit.Words{"这个优惠码已经有了", "there is a coupon with this code already"}
	}
	return kit.Beside(c, err, func(status int) error { return p.drawCoupons(c, status, back) })
}

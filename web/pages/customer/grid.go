package customer

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// gridPage is a day's slots and what goes with them into one order.
type gridPage struct {
	kit.Frame
	Slots       kit.Live
	Nothing     kit.Words // what the bar says while nothing is chosen
	Date        string
	Nonce       string
	Refusal     *kit.Say
	Chosen      bool // the choice is the address's or a form's, not the browser's own
	OpenBasket  bool
	Lost        string // slots of the choice that others have by now
	Goods       []gridGood
	Coupon      string
	CouponWrong *kit.Words
	Customer    bool   // is signed in, and may say how to be called
	Name        string // known, or as it was filled in
	Named       bool   // a name is known
	NameWrong   *kit.Words
	AtDesk      bool // what is to be paid is paid at the desk, as Pay says
	Pay         deskPay
	Most        int // slots in one order
	PerDay      int // slots of one customer on a day
	Had         int // of those, the ones that this customer has
	Left        int // slots that can still be chosen on this day
	HoldMinutes int
	Count       int
	Pieces      int
	Sum         int64
}

type gridGood struct {
	ID, Name, Value string
	Price           int64
	Available       int
	Most            int
	Wrong           *kit.Words
}

// showGrid shows a day; what the address says is chosen is ticked.
func (p *pages) showGrid(c *fiber.Ctx) error {
	return p.drawGrid(c, http.StatusOK, readChoice(c.Context().QueryArgs()), nil)
}

// drawGrid shows the day of a choice with the choice kept and, after a refusal,
// says what is wrong where it is wrong.
func (p *pages) drawGrid(c *fiber.Ctx, status int, ch choice, refusal error) error {
	f, venue, now, err := p.FrameOf(c, kit.Words{"订场", "Book a court"})
	if err != nil {
		return err
	}
	day, err := ch.day(venue.Calendar, venue.Calendar.DayOf(now))
	if err != nil {
		return err
	}
	actor := httpx.ActorOf(c)
	view, err := p.App.OwnDay(c.UserContext(), actor, day)
	if err != nil {
		return err
	}
	if c.Method() != fiber.MethodGet { // what a form has brought has no other address
		f.OtherLang = kit.OtherLangAt(c, ch.address())
	}
	f.Live, f.Scripts, f.Styles, f.Now = true, []string{"grid.js", "basket.js"}, []string{"customer.css"}, view.Now.Unix()
	wrong := locate(refusal, ch, venue)
	page := gridPage{Frame: f, Date: day.String(), Nonce: kit.Nonce(c), Coupon: ch.Coupon, CouponWrong: wrong.coupon,
		Chosen: refusal != nil || !ch.empty(),
		Most:   domain.MaxSlotsPerOrder, PerDay: venue.Policy.MaxSlotsPerDay, Had: view.Had, HoldMinutes: venue.Policy.HoldMinutes}
	page.Customer, page.Name, page.NameWrong = actor.Role == app.RoleCustomer, actor.Name, wrong.name
	page.Named = actor.Name != ""
	if ch.Name != nil {
		page.Name = *ch.Name
	}
	page.AtDesk, page.Pay = p.onlyAtDesk() && !f.Staff, payWithin(venue)
	page.Left = min(page.Most, max(page.PerDay-page.Had, 0))
	slots := newSlots(venue, day, view)
	var lost []string
	page.Count, page.Sum, lost = slots.mark(ch, wrong)
	page.Refusal, page.Nothing = wrong.general, slots.Nothing
	page.addGoods(view.DayView, ch, wrong)
	page.OpenBasket = wrong.inBasket()
	if refusal == nil { // chosen before somebody signed in: a part of it may be gone since
		page.Lost = strings.Join(lost, ", ")
		page.OpenBasket = page.Customer && page.Count+page.Pieces > 0
	}
	if page.Slots, err = p.slotsLive(c, venue, day, view, slots); err != nil {
		return err
	}
	return p.Render(c, status, "grid", page)
}

func (g *gridPage) addGoods(view app.DayView, ch choice, wrong whereWrong) {
	for _, good := range view.Goods {
		row := gridGood{ID: good.ID, Name: good.Name, Price: good.Price, Available: max(good.Available, 0), Value: "0",
			Most: mostOf(good), Wrong: wrong.goods[good.ID]}
		for _, wanted := range ch.Goods {
			if wanted.ID == good.ID {
				row.Value = wanted.Raw
				g.Pieces, g.Sum = g.Pieces+wanted.Qty, g.Sum+int64(wanted.Qty)*good.Price
			}
		}
		g.Goods = append(g.Goods, row)
	}
}

// mostOf is how many pieces of a good one order can have now.
func mostOf(good app.GoodView) int { return min(max(good.Available, 0), domain.MaxQty) }

// refuseStaff says that the grid sells to customers only.
func refuseStaff(c *fiber.Ctx) error {
	if httpx.ActorOf(c).IsStaff() {
		return domain.Refuse(domain.Forbidden, "forbidden", "signed in as staff; customers book here")
	}
	return nil
}

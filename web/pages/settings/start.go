package settings

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// startPage is what is left to do when a venue has just been set up.
type startPage struct {
	kit.Frame
	Steps  []step
	AtDesk bool   // nothing can be paid online
	Hold   int    // minutes in which an order has to be paid
	Left   dayBar // a day of the week that does not come out even; zero if all do
	// NoCodes says that customers cannot sign in; nil if they can.
	NoCodes *kit.NoCodes
}

type step struct {
	Href         string
	Words, About kit.Words
	Done         bool
}

// showStart leads on from the first set-up, with what has been done already.
func (p *pages) showStart(c *fiber.Ctx) error {
	f, venue, now, err := p.OwnerFrame(c, kit.Words{"接下来", "Next steps"})
	if err != nil {
		return err
	}
	dress(&f)
	f.Narrow = true
	f.Said = kit.SaidOf(c, map[string]kit.Words{"made": {"场馆已建好，您已登录", "The venue is made, and you are signed in"}})
	var goods, staff int
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		all, err := s.Goods()
		if err != nil {
			return err
		}
		everybody, err := s.AllStaff()
		goods, staff = len(all), len(everybody)
		return err
	})
	if err != nil {
		return err
	}
	hours := venue.Calendar.Hours
	page := startPage{Frame: f, AtDesk: !p.App.PaysOnline(), Hold: venue.Policy.HoldMinutes, NoCodes: p.NoCodes(venue.Messages)}
	for _, day := range weekOf(venue.Calendar, hours, venue.Calendar.DayOf(now)).Days {
		if day.Left > 0 {
			page.Left = day
			break
		}
	}
	page.Steps = []step{
		{"/owner/goods", kit.Words{"商品", "Goods"}, kit.Words{"羽毛球、水、租拍：价格和库存", "Shuttles, water, rackets for hire: prices and stock"}, goods > 0},
		{"/owner/staff", kit.Words{"员工", "Staff"}, kit.Words{"给前台每人一个账号", "An account for everybody at the desk"}, staff > 1},
		{"/owner/policy", kit.Words{"规则", "Policy"}, kit.Words{"付款期限、入场、退款，旁边用白话说明", "When to pay, when to come, what comes back, with what it comes to beside it"}, app.Mark(venue.Policy) != app.Mark(domain.DefaultPolicy())},
		{"/owner/hours", kit.Words{"特殊日期和节假日", "Special dates and holidays"}, kit.Words{"春节休息，或节假日另外定价", "Closed at New Year, or other prices on holidays"}, len(hours.Exceptions)+len(hours.Holidays) > 0},
		{"/owner/prices", kit.Words{"价格", "Prices"}, kit.Words{"按时段、星期、场地定价，看每一场多少钱", "By time, weekday and court; see what each slot costs"}, len(venue.Prices) > 1},
		{"/owner/closures", kit.Words{"封场", "Closures"}, kit.Words{"维修或比赛时把场地收起来", "Take courts out for repairs or a tournament"}, false},
	}
	return p.Render(c, http.StatusOK, "start", page)
}

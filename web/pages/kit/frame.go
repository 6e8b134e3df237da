package kit

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// Frame is what stands around every page.
type Frame struct {
	Title       Words
	VenueName   string
	VenueAt     string // its address
	VenuePhone  string
	Now         int64  // unix seconds; scripts carry it on and never ask the phone
	Clock       string // shown in a demonstration
	Demo        bool
	SignedIn    bool
	Staff       bool
	Owner       bool
	Narrow      bool // a column of text
	Wide        bool // the whole window
	Nav         []NavLink
	Sub         []NavLink // of the owner's pages
	CSRF        string
	OtherLang   string   // this page in the other language
	Styles      []string // assets beside those that every page has
	Scripts     []string // assets; modules
	Live        bool     // it asks for parts of itself: with what sends for them, and says when no answer comes
	Said        *Say     // what the page before has done
	ReloadAfter int64    // seconds, for browsers without scripts; 0: never
}

// NavLink is one way to go.
type NavLink struct {
	Href    string
	Words   Words
	Current bool
	Count   int // of what waits there for somebody; 0 is not shown
}

// toDo is where money waits that is to be handed back.
const toDo = "/desk/todo"

// Say is a message of some lines on a page, with a way on if there is one.
type Say struct {
	Words
	Tone string // good, warn or bad
	Href string
	Link Words
}

// FrameOf makes the frame of a page and gives the venue as it is now.
func (s *Site) FrameOf(c *fiber.Ctx, title Words) (Frame, sqlite.Venue, domain.Instant, error) {
	venue, _, now, err := s.App.Venue(c.UserContext())
	if err != nil {
		return Frame{}, venue, now, err
	}
	f := s.bareFrame(c, title)
	f.VenueName, f.VenueAt, f.VenuePhone = venue.Name, venue.Address, venue.Phone
	if f.Staff {
		waiting, err := s.App.CountRefundsForStaff(c.UserContext())
		if err != nil {
			return Frame{}, venue, now, err
		}
		for i := range f.Nav {
			if f.Nav[i].Href == toDo {
				f.Nav[i].Count = waiting
			}
		}
	}
	f.Now, f.Clock = int64(now), now.In(venue.Calendar.Zone).Format("2006-01-02 15:04")
	return f, venue, now, nil
}

// BareFrame is the frame without anything that has to be looked up: for pages that
// must stand when there is no venue.
func (s *Site) BareFrame(c *fiber.Ctx, title Words) Frame { return s.bareFrame(c, title) }

func (s *Site) bareFrame(c *fiber.Ctx, title Words) Frame {
	actor := httpx.ActorOf(c)
	f := Frame{Title: title, Demo: s.Demo, Staff: actor.IsStaff(), Owner: actor.Role == app.RoleOwner, SignedIn: actor.Role != app.Anyone,
		CSRF: httpx.CSRFToken(c), OtherLang: otherLang(c)}
	path := c.Path()
	link := func(href, zh, en string, current bool) {
		f.Nav = append(f.Nav, NavLink{Href: href, Words: Words{zh, en}, Current: current})
	}
	if f.Staff {
		link("/desk", "看板", "Board", path == "/desk")
		link("/desk/scan", "核销", "Scan", path == "/desk/scan" || path == "/desk/checkins")
		link(toDo, "待办", "To do", path == toDo)
		if f.Owner {
			link("/owner", "管理", "Manage", strings.HasPrefix(path, "/owner"))
		}
		return f
	}
	link("/", "订场", "Book", path == "/" || (path == "/orders" && c.Method() == fiber.MethodPost))
	if !f.SignedIn {
		link("/login", "登录", "Sign in", strings.HasPrefix(path, "/login"))
		return f
	}
	link("/orders", "订单", "Orders", strings.HasPrefix(path, "/orders") && c.Method() == fiber.MethodGet)
	link("/notices", "通知", "Notices", path == "/notices")
	return f
}

// ownerPages are the owner's pages in their order.
var ownerPages = []NavLink{
	{Href: "/owner", Words: Words{"概览", "Overview"}},
	{Href: "/owner/reports", Words: Words{"报表", "Reports"}},
	{Href: "/owner/reconciler", Words: Words{"对账", "Reconciler"}},
	{Href: "/owner/bills", Words: Words{"微信对账", "WeChat bills"}},
	{Href: "/owner/audit", Words: Words{"操作记录", "Audit log"}},
	{Href: "/owner/closures", Words: Words{"封场", "Closures"}},
	{Href: "/owner/prices", Words: Words{"价格", "Prices"}},
	{Href: "/owner/hours", Words: Words{"营业时间", "Hours"}},
	{Href: "/owner/courts", Words: Words{"场地", "Courts"}},
	{Href: "/owner/goods", Words: Words{"商品", "Goods"}},
	{Href: "/owner/coupons", Words: Words{"优惠码", "Coupons"}},
	{Href: "/owner/policy", Words: Words{"规则", "Policy"}},
	{Href: "/owner/messages", Words: Words{"消息", "Messages"}},
	{Href: "/owner/outbox", Words: Words{"发送记录", "Outbox"}},
	{Href: "/owner/webhooks", Words: Words{"推送", "Webhooks"}},
	{Href: "/owner/staff", Words: Words{"员工", "Staff"}},
	{Href: "/owner/venue", Words: Words{"场馆", "Venue"}},
}

// OwnerFrame is the frame of one of the owner's pages.
func (s *Site) OwnerFrame(c *fiber.Ctx, title Words) (Frame, sqlite.Venue, domain.Instant, error) {
	f, venue, now, err := s.FrameOf(c, title)
	for _, link := range ownerPages {
		link.Current = c.Path() == link.Href || (link.Href != "/owner" && strings.HasPrefix(c.Path(), link.Href+"/"))
		f.Sub = append(f.Sub, link)
	}
	return f, venue, now, err
}

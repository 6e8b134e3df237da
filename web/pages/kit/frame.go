package pages

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// frame is what stands around every page.
type frame struct {
	Title       words
	VenueName   string
	VenueAt     string // its address
	VenuePhone  string
	Now         int64  // unix seconds; scripts carry it on and never ask the phone
	Clock       string // shown in a demonstration
	Demo        bool
	SignedIn    bool
	Staff       bool
	Narrow      bool
	Nav         []navLink
	CSRF        string
	Script      string // an asset
	ReloadAfter int64  // seconds, for browsers without scripts; 0: never
}

type navLink struct {
	Href    string
	Words   words
	Current bool
}

// say is a message of some lines on a page, with a way on if there is one.
type say struct {
	words
	Tone string // good, warn or bad
	Href string
	Link words
}

// frameOf makes the frame of a page and gives the venue as it is now.
func (p *pages) frameOf(c *fiber.Ctx, title words) (frame, sqlite.Venue, domain.Instant, error) {
	venue, _, now, err := p.app.Venue(c.UserContext())
	if err != nil {
		return frame{}, venue, now, err
	}
	f := p.bareFrame(c, title)
	f.VenueName, f.VenueAt, f.VenuePhone = venue.Name, venue.Address, venue.Phone
	f.Now, f.Clock = int64(now), now.In(venue.Calendar.Zone).Format("2006-01-02 15:04")
	return f, venue, now, nil
}

// bareFrame is the frame without anything that has to be looked up.
func (p *pages) bareFrame(c *fiber.Ctx, title words) frame {
	actor := httpx.ActorOf(c)
	f := frame{Title: title, Demo: p.demo, Staff: actor.IsStaff(), SignedIn: actor.Role != app.Anyone, CSRF: httpx.CSRFToken(c)}
	link := func(href, zh, en string, current bool) {
		f.Nav = append(f.Nav, navLink{href, words{zh, en}, current})
	}
	path := c.Path()
	link("/", "订场", "Book", path == "/" || (path == "/orders" && c.Method() == fiber.MethodPost))
	switch {
	case f.Staff:
		link("/desk", "前台", "Desk", path == "/desk")
	case f.SignedIn:
		link("/orders", "我的订单", "My orders", path == "/orders" && c.Method() == fiber.MethodGet)
	default:
		link("/login", "登录", "Sign in", strings.HasPrefix(path, "/login"))
	}
	return f
}

package browser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// day is a day at the club on which a lot has happened: it is 14:40 on the tenth.
type day struct {
	*club
	held, paid string // orders of the customer
}

// The customer whose day it is.
const customerPhone = "13800138000"

func busyDay(t *testing.T) day {
	t.Helper()
	k := openClub(t)
	desk := k.staff("desk")
	me, other, third := k.customer(customerPhone), k.customer("13900139000"), k.customer("13700137000")
	d := day{club: k}
	_, early := k.paid(other, slots("c1", "13:00", "c2", "13:00"))
	k.paid(third, slots("c3", "13:00"))
	k.sold(desk, "王小明", slots("c4", "14:30"))
	k.sold(desk, "Alexandra Featherstonehaugh-Cholmondel 🏸", slots("c5", "17:30", "c6", "17:30"))
	k.sold(desk, "李雷", slots("c2", "19:00"))
	k.set("12:50")
	k.call("POST", "/api/v1/desk/checkins", desk, body{"code": early})
	k.set("14:35")
	d.paid, _ = k.paid(me, slots("c1", "17:30", "c1", "19:00"))
	k.paid(other, slots("c4", "20:30"))
	k.book(third, slots("c3", "17:30"))
	d.held = k.book(me, slots("c2", "20:30"))
	k.set("14:40")
	return d
}

// scene is one of the main pages, in a state worth looking at.
type scene struct {
	name string
	who  string // "", "customer" or a role of staff
	main bool   // one of those that pictures are taken of
	path string
	act  func(u *user) // what leads from there to the state; may be nil
}

func scenes(d day) []scene {
	return []scene{
		{name: "grid", main: true, path: "/", act: func(u *user) { u.choose("c4", "19:00", "c5", "19:00") }},
		{name: "login", path: "/login"},
		{name: "order-held", main: true, who: "customer", path: "/orders/" + d.held},
		{name: "order-paid", main: true, who: "customer", path: "/orders/" + d.paid},
		{name: "orders", main: true, who: "customer", path: "/orders"},
		{name: "cancel", who: "customer", path: "/orders/" + d.paid + "/cancel"},
		{name: "desk", main: true, who: "desk", path: "/desk"},
		{name: "desk-login", path: "/desk/login"},
		{name: "owner-venue", who: "owner", path: "/owner/venue"},
		{name: "owner-courts", who: "owner", path: "/owner/courts"},
		{name: "owner-hours", who: "owner", path: "/owner/hours"},
		{name: "owner-prices", main: true, who: "owner", path: "/owner/prices"},
		{name: "owner-policy", who: "owner", path: "/owner/policy"},
		{name: "owner", who: "owner", path: "/owner"},
		{name: "owner-reports", main: true, who: "owner", path: "/owner/reports"},
		{name: "owner-reconciler", main: true, who: "owner", path: "/owner/reconciler"},
		{name: "owner-audit", who: "owner", path: "/owner/audit"},
		{name: "owner-utilisation", who: "owner", path: "/owner/reports/utilisation"},
		{name: "owner-rates", who: "owner", path: "/owner/reports/rates"},
		{name: "owner-goods-report", who: "owner", path: "/owner/reports/goods"},
		{name: "owner-clock", who: "owner", path: "/owner/clock"},
	}
}

// No page is wider than the screen, none has a serious fault for people who use it
// by other means, and words can be read in the dark, in either language.
func TestPages(t *testing.T) {
	t.Parallel()
	d := busyDay(t)
	users := map[string]*user{"": d.visitor(phone), "customer": d.visitor(phone), "desk": d.visitor(phone), "owner": d.visitor(phone)}
	users["customer"].open("/login")
	users["customer"].signIn(customerPhone)
	users["desk"].signInStaff("desk")
	users["owner"].signInStaff("owner")
	show := func(s scene, on screen) *user {
		u := users[s.who]
		u.look(on)
		u.speak(on.lang)
		u.open(s.path)
		if s.act != nil {
			s.act(u)
		}
		u.fits()
		return u
	}
	for _, s := range scenes(d) {
		t.Run(s.name, func(t *testing.T) {
			whole := d.t
			d.t = t
			defer func() { d.t = whole }()
			small := show(s, phone)
			if s.main {
				small.picture(s.name + "-360")
			}
			small.accessible()
			small.look(phone.inTheDark())
			small.accessible("color-contrast")
			show(s, phone.in("en"))
			large := show(s, wide)
			if s.main {
				large.picture(s.name + "-1280")
			}
			large.accessible("color-contrast", "scrollable-region-focusable")
			large.report()
		})
	}
}

// mostPicture bounds the height of a picture, in pixels.
const mostPicture = 1600

// picture writes a picture of the whole page where the run was asked for them. The
// screen is made as high as the page, so that what sticks to its edge is at the edge.
func (u *user) picture(name string) {
	u.t.Helper()
	if *pictures == "" {
		return
	}
	before := u.screen
	high := func() int64 { return min(eval[int64](u, "document.documentElement.scrollHeight"), mostPicture) }
	tall := before
	tall.scale = 1
	for range 2 { // a higher screen may make the page higher
		tall.height = max(high(), before.height)
		u.look(tall)
	}
	eval[bool](u, "scrollTo(0, 0), document.fonts.ready.then(() => true)")
	shot := send(u, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	u.look(before)
	small, err := shrink(shot.Data)
	must(u.t, err)
	must(u.t, os.MkdirAll(*pictures, 0o755))
	must(u.t, os.WriteFile(filepath.Join(*pictures, name+".png"), small, 0o644))
	u.t.Logf("%s: %d kB of %d", name, len(small)>>10, len(shot.Data)>>10)
}

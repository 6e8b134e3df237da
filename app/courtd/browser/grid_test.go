package browser_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// keepsNames scrolls the page down and the grid sideways and wants the names of the
// courts in sight, below the strip of days and above the slots.
func keepsNames(u *user) {
	u.t.Helper()
	u.open("/")
	eval[bool](u, `(scrollTo({ top: 300, behavior: "instant" }), document.querySelector(".courts").scrollTo({ left: 700, behavior: "instant" }), true)`)
	eval[bool](u, `new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(true))))`)
	faults := eval[[]string](u, `(() => {
		const at = (e) => e.getBoundingClientRect(), region = at(document.querySelector(".courts"));
		const inSight = [...document.querySelectorAll(".courts thead th")].filter((th) => at(th).left >= region.left + 50 && at(th).right <= region.right);
		if (scrollY < 250) return ["the page has moved by " + scrollY + " px only"];
		if (inSight.length < 3) return ["only " + inSight.length + " names are in the window's width"];
		return inSight.flatMap((th) => {
			const r = at(th), hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
			return th.contains(hit) ? [] : [th.innerText + " is covered by " + (hit?.outerHTML.slice(0, 80) ?? "nothing")];
		});
	})()`)
	for _, fault := range faults {
		u.complain("%d px wide: %s", u.width, fault)
	}
}

// On a day without slots there is nothing to tap and nothing to explain, but goods can
// be had.
func TestClosedDay(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	k.call("PUT", "/api/v1/owner/hours", k.staff("owner"), body{"exceptions": []body{{"date": "2026-12-12", "closed": true, "note": "内部比赛"}}})
	u := k.visitor(phone)
	for _, bare := range []bool{false, true} {
		if bare {
			u.withoutScripts()
		}
		u.open("/?date=2026-12-12")
		u.see("这一天不营业", "内部比赛")
		for css, shown := range map[string]bool{"#bar": true, ".legend": false, "#basket": bare, ".hop": false} {
			if eval[bool](u, `document.querySelector("#book `+css+`").checkVisibility()`) != shown {
				u.complain("without scripts: %t: on a closed day %s should be shown: %t", bare, css, shown)
			}
		}
		u.seeIn("#bar", "这一天不营业")
	}
}

// A button that becomes another at once has no moment at which its words have the
// colour of their ground.
func TestButtonsChangeAtOnce(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(phone)
	send(u, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: "no-preference"}}})
	u.open("/")
	eval[bool](u, `new Promise((go) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => go(true))), 500))`)
	fading := eval[int](u, `(() => {
		const next = document.querySelector("[data-next]");
		getComputedStyle(next).color;
		next.classList.toggle("plain");
		return next.getAnimations().length;
	})()`)
	if fading != 0 {
		t.Errorf("%d colours of the button fade", fading)
	}
}

// The tabulator stops at the grid once; the arrow keys, Home and End go on from there,
// and what is underneath keeps its place when the grid renews itself.
func TestGridIsOneStop(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	u := k.visitor(wide)
	u.open("/")
	u.tabTo("1号场 13:00–14:30 ￥40")
	for _, c := range []struct{ keys, leads string }{
		{kb.End, "6号场 13:00–14:30 ￥40"},
		{kb.ArrowRight, "6号场 13:00–14:30 ￥40"},
		{kb.ArrowDown, "6号场 14:30–16:00 ￥40"},
		{kb.Home, "1号场 14:30–16:00 ￥40"},
		{kb.ArrowDown + kb.ArrowRight, "2号场 16:00–17:30 ￥40"},
	} {
		u.keys(c.keys)
		if is := u.focused(); is != c.leads {
			u.complain("%q leads to %q and not to %q", c.keys, is, c.leads)
		}
	}
	if stops := u.count(`#courts[tabindex="0"], #courts :is(input, a):not([tabindex="-1"])`); stops != 1 {
		u.complain("the tabulator stops %d times in the grid", stops)
	}
	u.keys(kb.Tab)
	if eval[bool](u, `Boolean(document.activeElement.closest("#courts"))`) {
		u.complain("Tab stays in the grid at %q", u.focused())
	}
	u.chord(kb.Tab, chromedp.ModifierShift)
	if is := u.focused(); is != "2号场 16:00–17:30 ￥40" {
		u.complain("Shift+Tab comes back to %q", is)
	}
	// Somebody else takes it: the focus goes on to what comes next, not to nowhere.
	k.book(k.customer("13900139000"), slots("c2", "16:00"))
	u.looksAgain()
	u.seeIn(gridCell("c2", "16:00"), "占位中")
	u.until(`document.activeElement.matches(` + quoted(cell("c3", "16:00")) + `)`)
}

// In a demonstration a page that is open follows the clock that somebody moves; a
// real venue is not asked that often.
func TestOpenPagesFollowTheClock(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	me := k.customer(customerPhone)
	u := k.visitor(phone).as(me)
	u.open("/orders/" + k.book(me, slots("c1", "17:30")))
	u.seeIn("[data-face]", "09:5")
	k.set("12:05")
	since := eval[float64](u, "performance.now()")
	u.until(`/^0[45]:/.test(document.querySelector("[data-face]").textContent)`)
	if took := eval[float64](u, "performance.now()") - since; took > 10_000 {
		t.Errorf("the countdown follows after %.1f s", took/1000)
	}
}

// A real venue's page asks again after fifteen seconds only.
func TestRealVenueIsAskedSeldom(t *testing.T) {
	t.Parallel()
	path, err := binary()
	must(t, err)
	db := filepath.Join(t.TempDir(), "real.db")
	must(t, exec.Command(path, "init", "--db", db, "--name", "云上羽毛球馆", "--courts", "2").Run())
	u := serve(t, "serve", "--db", db).visitor(phone)
	u.wait("grid that does not change within the minute", func() bool {
		u.open("/")
		return eval[bool](u, `document.querySelector("#slots").dataset.changesAt - document.body.dataset.now > 60`)
	}, nil)
	asked := func() (n int) {
		u.mu.Lock()
		defer u.mu.Unlock()
		for _, address := range u.asked {
			if strings.HasPrefix(address, u.base+"/slots") {
				n++
			}
		}
		return n
	}
	before := asked()
	eval[bool](u, `new Promise((go) => setTimeout(go, 8_000, true))`)
	if after := asked(); after != before {
		t.Errorf("the page asks %d times in 8 s", after-before)
	}
}

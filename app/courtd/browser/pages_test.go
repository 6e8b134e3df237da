package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// No page is wider than the screen, no two texts lie over each other, everything on them can
// be reached by keyboard, none has a serious fault for people who use it by other means, and words can be read in the dark, in either language.
func TestPages(t *testing.T) {
	t.Parallel()
	d := fullDay(t)
	tokens := map[string]string{"customer": d.customer(customerPhone), "desk": d.staff("desk"), "owner": d.staff("owner")}
	for _, lang := range []string{"zh", "en"} {
		for part, scenes := range map[string][]scene{"front": frontScenes(d), "owner": ownerScenes(d)} {
			t.Run(lang+"-"+part, func(t *testing.T) {
				t.Parallel()
				k := *d.club // whose faults are told by this test
				k.t = t
				u := k.visitor(phone.in(lang)) // one window through which all pages pass
				u.bringAxe()
				for _, s := range scenes {
					t.Run(s.name, func(t *testing.T) {
						whole := k.t
						k.t = t
						defer func() { k.t = whole }()
						u.stage(s, tokens[s.who])
						if u.lang == "zh" {
							u.looksRight(s)
						} else {
							u.looksRightInEnglish(s)
						}
						u.report()
					})
				}
			})
		}
	}
}

// looksRight looks at a page on a phone, and on a desk in the dark.
func (u *user) looksRight(s scene) {
	u.t.Helper()
	u.look(phone)
	u.fits()
	u.apart()
	u.accessible()
	if *pictures != "" && (s.main || *allPages) {
		u.picture(s.name + "-360")
		u.look(wide)
		u.picture(s.name + "-1280")
	}
	u.look(wide.inTheDark())
	u.fits()
	u.apart()
	u.accessible("color-contrast", "scrollable-region-focusable")
	u.reachable()
	u.look(phone)
}

// looksRightInEnglish looks at a page on a phone in the dark: its words are longer.
func (u *user) looksRightInEnglish(s scene) {
	u.t.Helper()
	u.look(phone.in("en").inTheDark())
	u.fits()
	u.apart()
	u.accessible("color-contrast")
	if *pictures != "" && *allPages {
		u.picture(s.name + "-360-en-dark")
	}
}

// stage brings a scene before the user.
func (u *user) stage(s scene, token string) {
	u.t.Helper()
	u.as(token)
	if s.status != 0 {
		u.expect(s.status)
	}
	u.open(s.path)
	if s.act != nil {
		s.act(u)
	}
}

// mostPicture bounds the height of a picture, in pixels.
const mostPicture = 1600

// picture writes a picture of the whole page. The screen is made as high as the page, so that what sticks to its edge is at the edge.
func (u *user) picture(name string) {
	u.t.Helper()
	before := u.screen
	high := func() int64 { return min(eval[int64](u, "document.documentElement.scrollHeight"), mostPicture) }
	tall := before
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
	must(u.t, os.WriteFile(filepath.Join(*pictures, strings.ReplaceAll(name, "/", "-")+".png"), small, 0o644))
	u.t.Logf("%s: %d kB of %d", name, len(small)>>10, len(shot.Data)>>10)
}

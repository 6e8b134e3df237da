package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// No page is wider than the screen, none has a serious fault for people who use it
// by other means, and words can be read in the dark, in either language. Each look is
// one window through which all pages pass.
func TestPages(t *testing.T) {
	t.Parallel()
	d := fullDay(t)
	tokens := map[string]string{"customer": d.customer(customerPhone), "desk": d.staff("desk"), "owner": d.staff("owner")}
	for _, look := range []struct {
		name  string
		on    screen
		rules []string // of axe; none: all
	}{
		{"360", phone, nil},
		{"360-dark-en", phone.in("en").inTheDark(), []string{"color-contrast"}},
		{"1280-dark", wide.inTheDark(), []string{"color-contrast", "scrollable-region-focusable"}},
	} {
		t.Run(look.name, func(t *testing.T) {
			t.Parallel()
			k := *d.club // whose faults are told by this test
			k.t = t
			u := k.visitor(look.on)
			u.bringAxe()
			for _, s := range scenes(d) {
				t.Run(s.name, func(t *testing.T) {
					whole := k.t
					k.t = t
					defer func() { k.t = whole }()
					u.stage(s, tokens[s.who])
					u.fits()
					u.accessible(look.rules...)
					u.report()
					if s.main {
						u.pictures(s.name, look.on)
					}
				})
			}
		})
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

// pictures takes the pictures of a scene that are taken on a screen, in the light.
func (u *user) pictures(name string, on screen) {
	u.t.Helper()
	if *pictures == "" || on.lang != "zh" {
		return
	}
	light := on
	light.dark = false
	u.look(light)
	u.picture(fmt.Sprint(name, "-", on.width))
	u.look(on)
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
	must(u.t, os.WriteFile(filepath.Join(*pictures, name+".png"), small, 0o644))
	u.t.Logf("%s: %d kB of %d", name, len(small)>>10, len(shot.Data)>>10)
}

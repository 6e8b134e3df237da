package customer_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/pages/clubtest"
)

var otherLangLink = regexp.MustCompile(`<a href="([^"]+)" lang="`)

// TestTheLanguageChangesInTheMiddleOfSigningIn: the step, the phone and where it
// leads stay, and no second code is sent.
func TestTheLanguageChangesInTheMiddleOfSigningIn(t *testing.T) {
	for _, demo := range []bool{true, false} {
		k := clubtest.Open(t, demo)
		b := k.Browser()
		p := b.Post("/login/code", "phone", "13800000001", "next", "/?date=2026-12-11&slot=c1").Want(200)
		p.Has(`href="/login?next=%2F%3Fdate%3D2026-12-11%26slot%3Dc1"`)
		code := clubtest.CodePattern.FindString(k.Texts[0])
		for _, page := range []clubtest.Page{p, b.Post("/login", "phone", "13800000001", "code", "1", "next", "/?date=2026-12-11&slot=c1", "shown", code).Want(401)} {
			if demo != strings.Contains(page.Body, `<b class="num">`+code+`</b>`) {
				t.Errorf("demo %v: the code is shown or not: %s", demo, page.Text())
			}
			to := html.UnescapeString(otherLangLink.FindStringSubmatch(page.Body)[1])
			again := b.Get(b.Get(to).Want(303).Location).Want(200)
			again.Has(`name="code"`, `name="phone" value="13800000001"`, `name="next" value="/?date=2026-12-11&amp;slot=c1"`)
			if demo != strings.Contains(again.Body, code) {
				t.Errorf("demo %v: the code is shown or not", demo)
			}
		}
		if len(k.Texts) != 1 {
			t.Errorf("%d codes were sent", len(k.Texts))
		}
		p = b.Post("/desk/login", "username", "desk", "password", "x", "next", "/desk/todo").Want(401)
		to := html.UnescapeString(otherLangLink.FindStringSubmatch(p.Body)[1])
		b.Get(b.Get(to).Want(303).Location).Want(200).Has(`name="next" value="/desk/todo"`, `value="desk"`)
	}
}

// TestCodesTakeAWhile: nobody gets two codes within the pause that the page shows;
// the one that was sent serves on.
func TestCodesTakeAWhile(t *testing.T) {
	clubtest.Open(t, true).Browser().Post("/login/code", "phone", "13800000001").Want(200).Has(`data-resend="0"`).HasNot("data-wait") // nobody waits in a demonstration
	k := openWith(t, false, channel{name: domain.ChannelSMS})
	b := k.Browser()
	b.Post("/login/code", "phone", "13800000001").Want(200).Has(`data-resend="60"`).Says("60 秒后可以重新发送")
	k.SetClock("2026-12-10T10:00:18+08:00")
	b.Post("/login/code", "phone", "13800000001").Want(429).Has(`data-resend="42"`).Says("刚刚发送过", "42 秒后可以重新发送")
	b.Get("/login?lang=en")
	b.Post("/login/code", "phone", "13800000001").Want(429).Says("Another code can be sent in 42 s")
	b.Get("/login?lang=zh")
	k.SetClock("2026-12-10T10:00:59+08:00")
	p := b.Post("/login/code", "phone", "138 0000 0001").Want(429).Says("刚刚发送过").Has(`name="code"`)
	if got := p.Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After %q", got)
	}
	b.Post("/login/code", "phone", "13800000002").Want(200)
	k.SetClock("2026-12-10T10:01:00+08:00")
	b.Post("/login/code", "phone", "13800000001").Want(200)
	if len(k.Texts) != 3 {
		t.Errorf("%d codes were sent", len(k.Texts))
	}
	b.Post("/login", "phone", "13800000001", "code", clubtest.CodePattern.FindString(k.Texts[2])).WantRedirect("/")
	k.Browser().Post("/login/code", "phone", "13800000001").Want(200) // the last one is used up
}

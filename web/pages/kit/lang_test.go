package kit_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
	"courtd/web/pages/clubtest"
	"courtd/web/pages/kit"
)

// ask asks for an address as it is written, with a header.
func ask(b *clubtest.Browser, address, accept string) clubtest.Page {
	r := httptest.NewRequest("GET", "/", nil)
	r.RequestURI = address
	if accept != "" {
		r.Header.Set("Accept-Language", accept)
	}
	r.Header.Set("Accept", "text/html")
	return b.Do(r)
}

func TestTheLanguageOfAPage(t *testing.T) {
	k := clubtest.Open(t, true)
	for _, c := range []struct{ cookie, accept, want string }{
		{"", "", "zh-CN"},
		{"", "en-GB,en;q=0.9,zh;q=0.8", "en"},
		{"", "fr-FR, ZH-tw;q=0.9, en;q=0.1", "zh-CN"},
		{"", "de,fr;q=0.5", "zh-CN"},
		{"", "*", "zh-CN"},
		{"en", "zh-CN", "en"}, // what was chosen goes before what the browser asks for
		{"zh", "en", "zh-CN"},
		{"klingon", "en", "en"},
		{"<script>", "", "zh-CN"},
	} {
		b := k.Browser()
		if c.cookie != "" {
			b.Cookies["courtd_lang"] = c.cookie
		}
		p := ask(b, "/", c.accept).Want(200).Has(`<html lang="` + c.want + `">`)
		if vary := strings.Join(p.Header.Values("Vary"), ","); !strings.Contains(vary, "Accept-Language") || !strings.Contains(vary, "Cookie") {
			t.Errorf("cookie %q, browser %q: varies by %q", c.cookie, c.accept, vary)
		}
	}
}

func TestChoosingALanguageStaysOnThePage(t *testing.T) {
	k := clubtest.Open(t, true)
	for address, to := range map[string]string{
		"/?lang=en":                            "/",
		"/?date=2026-12-11&lang=en":            "/?date=2026-12-11",
		"/desk/login?next=%2Fdesk&lang=en&x=1": "/desk/login?next=%2Fdesk&x=1",
		"/login?lang=en&lang=zh":               "/login",
		// What looks like another host stays a path of this one.
		"//evil.example/?lang=en": "/evil.example/",
		"///evil.example?lang=en": "/evil.example",
		"/\\evil.example?lang=en": "/%5Cevil.example",
	} {
		b := k.Browser()
		p := ask(b, address, "zh")
		if p.Status != 303 || p.Location != to {
			t.Errorf("%s: status %d, goes on to %q, want %q", address, p.Status, p.Location, to)
		}
		if b.Cookies["courtd_lang"] != "en" {
			t.Errorf("%s: the cookie is %q", address, b.Cookies["courtd_lang"])
		}
	}
	b := k.Browser()
	ask(b, "/login?lang=en", "zh").WantRedirect("/login")
	ask(b, "/login", "zh").Want(200).Has(`<html lang="en">`, `href="/login?lang=zh"`)
	ask(b, "/login?lang=fr", "zh").Want(200).Has(`<html lang="en">`)
	for _, cookie := range (&http.Response{Header: ask(k.Browser(), "/?lang=en", "").Header}).Cookies() {
		if cookie.Name == "courtd_lang" && (cookie.Path != "/" || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge < 86400*30) {
			t.Errorf("the cookie is %v", cookie)
		}
	}
}

// The server collapses slashes before a page sees its address; the choice of a
// language does not rely on that.
func TestChoosingALanguageNeverLeavesTheSite(t *testing.T) {
	site, err := kit.New(kit.Config{App: clubtest.Open(t, true).App, Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	s := fiber.New(fiber.Config{Immutable: true})
	s.Use(httpx.Cookies(false))
	site.Routes(s).Get("/*", func(c *fiber.Ctx) error { return nil })
	for _, address := range []string{"//evil.example/?lang=en", "///evil.example?lang=en", "//evil.example/%2e%2e?lang=en", "/?lang=en"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RequestURI = address
		resp, err := s.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		if to := resp.Header.Get("Location"); resp.StatusCode != 303 || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
			t.Errorf("%s: status %d, goes on to %q", address, resp.StatusCode, to)
		}
	}
}

// The way to the other language is this page, whatever it was asked for with.
func TestTheLinkToTheOtherLanguage(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Browser()
	b.Get("/?date=2026-12-11&x=%22%3E").Has(`href="/?date=2026-12-11&amp;lang=en&amp;x=%22%3E" lang="en"`)
	// A form's answer cannot be asked for again.
	b.Post("/login/code", "phone", "nonsense").Has(`href="/login?lang=en&amp;phone=nonsense" lang="en"`)
}

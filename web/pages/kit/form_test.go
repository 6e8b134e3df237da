package kit_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

func TestAfterAFormComesThePageThatSaysSo(t *testing.T) {
	for page, want := range map[string]string{
		"/desk":                         "/desk?said=done",
		"/desk/todo?notices=sent":       "/desk/todo?notices=sent&said=done",
		"/desk?said=older&date=2026-12": "/desk?date=2026-12&said=done",
		"/desk?%zz":                     "/desk?said=done",
	} {
		s := fiber.New()
		s.Post("/", func(c *fiber.Ctx) error { return kit.Done(c, page, "done") })
		resp, err := s.Test(httptest.NewRequest("POST", "/", nil), -1)
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Header.Get("Location"); resp.StatusCode != 303 || got != want {
			t.Errorf("after %s: %d to %q, want %q", page, resp.StatusCode, got, want)
		}
	}
}

// A page says its own words and nobody else's, after the act and once: a link that
// somebody made up says nothing.
func TestOnlyWhatWasDoneIsSaid(t *testing.T) {
	words := map[string]kit.Words{"done": {"好了", "Done"}, "other": {"别的", "Other"}}
	s := fiber.New()
	s.Post("/*", func(c *fiber.Ctx) error { return kit.Done(c, c.Query("page", c.Path()), c.Query("word")) })
	s.Get("/*", func(c *fiber.Ctx) error {
		if say := kit.SaidOf(c, words); say != nil {
			return c.SendString(say.English() + " " + say.Tone)
		}
		return nil
	})
	cookies := map[string]*http.Cookie{}
	ask := func(method, address string) string {
		r := httptest.NewRequest(method, address, nil)
		for _, kept := range cookies {
			r.AddCookie(kept)
		}
		resp, err := s.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, sent := range resp.Cookies() {
			if cookies[sent.Name] = sent; sent.Value == "" {
				delete(cookies, sent.Name)
			} else if !sent.HttpOnly || sent.MaxAge <= 0 || sent.SameSite == http.SameSiteNoneMode {
				t.Errorf("cookie %v", sent)
			}
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for _, step := range []struct{ method, address, want string }{
		{"GET", "/a?said=done", ""}, // a link
		{"POST", "/a?word=done", ""},
		{"GET", "/a?said=other", ""},
		{"GET", "/b?said=done", ""}, // another page
		{"POST", "/b?word=other", ""},
		{"GET", "/a?said=done", "Done good"},
		{"GET", "/a?said=done", ""}, // the page again
		{"GET", "/b?said=other", "Other good"},
		{"POST", "/a%20b?word=done", ""},
		{"GET", "/a%20b?said=done", "Done good"},
		{"POST", "/a?word=done&page=/%E7%90%83", ""}, // written plainly, and asked for as an address
		{"GET", "/%E7%90%83?said=done", "Done good"},
		{"POST", "/a?word=%3Cscript%3E", ""},
		{"GET", "/a?said=%3Cscript%3E", ""},
		{"GET", "/a?said=", ""},
	} {
		if got := ask(step.method, step.address); step.method == "GET" && got != step.want {
			t.Errorf("%s says %q, want %q", step.address, got, step.want)
		}
	}
}

package kit_test

import (
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

// A page says its own words and nobody else's.
func TestOnlyKnownWordsAreSaid(t *testing.T) {
	words := map[string]kit.Words{"done": {"好了", "Done"}}
	for query, want := range map[string]string{"": "", "?said=": "", "?said=done": "Done", "?said=DONE": "", "?said=%3Cscript%3E": ""} {
		got := ""
		s := fiber.New()
		s.Get("/", func(c *fiber.Ctx) error {
			if say := kit.SaidOf(c, words); say != nil {
				got = say.English() + map[bool]string{false: " as " + say.Tone}[say.Tone == "good"]
			}
			return nil
		})
		if _, err := s.Test(httptest.NewRequest("GET", "/"+query, nil), -1); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q says %q, want %q", query, got, want)
		}
	}
}

package kit_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

func TestWhichRefusalsAreToldBesideAForm(t *testing.T) {
	for kind, want := range map[domain.Kind]int{
		domain.Invalid: 422, domain.Malformed: 400, domain.Unauthenticated: 401, domain.Conflict: 409, domain.TooMany: 429, domain.Unavailable: 503,
		domain.NotFound: 0, domain.Forbidden: 0,
	} {
		if status, ok := kit.ToldBeside(domain.Refuse(kind, "some_reason", "so it is")); status != want || ok != (want != 0) {
			t.Errorf("kind %d: %d, %v; want %d", kind, status, ok, want)
		}
	}
	if _, ok := kit.ToldBeside(errors.New("a fault")); ok {
		t.Error("a fault of ours is told beside a form")
	}
	missing := domain.Refuse(domain.NotFound, "not_found", "no such thing")
	if status, ok := kit.ToldBeside(missing, domain.NotFound); status != 404 || !ok {
		t.Errorf("a page that can tell what is missing: %d, %v", status, ok)
	}
}

// A page that cannot be drawn again leaves the refusal to the page of errors: that, and
// not what stood in the way of telling it. The log gets both.
func TestARefusalIsToldAlsoWhenItsPageFails(t *testing.T) {
	refusal := domain.Refuse(domain.Unavailable, "clock_behind", "an hour behind").With("retry_after", 3595)
	var failed, given error
	note := &httpx.Note{}
	server := fiber.New()
	server.Post("/form", func(c *fiber.Ctx) error {
		httpx.KeepNote(c, note)
		given = kit.Beside(c, refusal, func(status int) error {
			if failed != nil {
				return failed
			}
			return c.Status(status).SendString("nonce " + kit.Nonce(c))
		})
		return nil
	})
	send := func(nonce string) (status int, wait, body string) {
		t.Helper()
		*note = httpx.Note{}
		r := httptest.NewRequest("POST", "/form", strings.NewReader("nonce="+nonce))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := server.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text := make([]byte, 200)
		n, _ := resp.Body.Read(text)
		return resp.StatusCode, resp.Header.Get("Retry-After"), string(text[:n])
	}
	if status, wait, body := send("mine"); given != nil || status != 503 || wait != "3595" || body != "nonce mine" || !errors.Is(note.Err, refusal) {
		t.Errorf("told with %d, wait %q, %q; given back %v; noted %v", status, wait, body, given, note.Err)
	}
	if _, _, body := send(strings.Repeat("x", 65)); len(body) > 60 {
		t.Errorf("a nonce that cannot be ours is kept: %q", body)
	}
	for _, failed = range []error{errors.New("no such column"), domain.Refuse(domain.Unavailable, "unavailable", "busy"), domain.Refuse(domain.NotFound, "not_found", "gone")} {
		send("mine")
		if p := httpx.ProblemOf(given, time.UTC); p.Reason != "clock_behind" || p.Status != 503 || p.GetHeaders().Get("Retry-After") != "3595" {
			t.Errorf("after %v the page of errors tells %+v", failed, p)
		}
		if !errors.Is(note.Err, refusal) || !errors.Is(note.Err, failed) {
			t.Errorf("after %v the log gets %v", failed, note.Err)
		}
	}
}

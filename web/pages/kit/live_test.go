package kit_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
	"courtd/web/pages/clubtest"
	"courtd/web/pages/kit"
)

// board is a page with one live part, which holds a form and a countdown.
type board struct {
	t       *testing.T
	http    *fiber.App
	now     time.Time
	changes *time.Time
	text    string
	left    string // runs with the clock
}

type boardView struct{ Text, Left, CSRF, Nonce string }

func newBoard(t *testing.T) *board {
	t.Helper()
	view := func() any { return new(boardView) }
	page := func() any { return new(struct{ kit.Frame }) }
	set := kit.Pages{Source: fstest.MapFS{"templates/board.html": {Data: []byte(`{{define "main"}}{{end}}
		{{define "part"}}<p>{{t "中文" "English"}} {{.Text}} {{.Left}}</p><form>{{template "csrf" .}}<input name="nonce" value="{{.Nonce}}"></form>{{end}}`)}},
		Samples: map[string]func() any{"board": page}, Parts: map[string]map[string]func() any{"board": {"part": view}}}
	site, err := kit.New(kit.Config{App: clubtest.Open(t, true).App, Demo: true}, set)
	if err != nil {
		t.Fatal(err)
	}
	b := &board{t: t, http: fiber.New(fiber.Config{Immutable: true}), now: time.Unix(1_796_875_200, 0), text: "one"}
	b.http.Use(httpx.Cookies(false))
	site.Routes(b.http).Get("/part", func(c *fiber.Ctx) error {
		live, err := site.Live(c, "board", "part", "the-part", "/part", b.now, b.changes,
			boardView{b.text, b.left, httpx.CSRFToken(c), kit.Nonce(c)}, b.left)
		if err != nil {
			return err
		}
		return site.SendLive(c, live)
	})
	return b
}

type partAnswer struct {
	status          int
	etag, now, body string
}

func (b *board) ask(etag, lang string) partAnswer {
	b.t.Helper()
	r := httptest.NewRequest("GET", "/part", nil)
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	r.AddCookie(&http.Cookie{Name: "courtd_lang", Value: lang})
	resp, err := b.http.Test(r, -1)
	if err != nil {
		b.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return partAnswer{resp.StatusCode, resp.Header.Get("ETag"), resp.Header.Get("X-Courtd-Now"), string(body)}
}

var hidden = regexp.MustCompile(`value="([^"]+)"`)

func TestALivePartKnowsWhetherItHasChanged(t *testing.T) {
	b := newBoard(t)
	first, second := b.ask("", "zh"), b.ask("", "zh")
	if first.etag == "" || first.etag != second.etag {
		t.Errorf("the same content has the tags %q and %q", first.etag, second.etag)
	}
	// And yet the forms of the two answers differ in token and nonce.
	a, z := hidden.FindAllString(first.body, -1), hidden.FindAllString(second.body, -1)
	if len(a) != 2 || a[0] == z[0] || a[1] == z[1] {
		t.Errorf("the forms carry %v and %v", a, z)
	}
	if !strings.Contains(first.body, `data-etag="`+strings.ReplaceAll(first.etag, `"`, "&#34;")+`"`) {
		t.Errorf("the part does not carry its tag %s:\n%s", first.etag, first.body)
	}
	for _, want := range []string{`id="the-part"`, `hx-get="/part"`, `data-now="1796875200"`, `data-changes-at="0"`, "中文 one"} {
		if !strings.Contains(first.body, want) {
			t.Errorf("the part has no %s:\n%s", want, first.body)
		}
	}
	same := b.ask(first.etag, "zh")
	if same.status != 304 || same.body != "" || same.etag != first.etag {
		t.Errorf("nothing new: %+v", same)
	}
	if first.now != "1796875200" || same.now != first.now {
		t.Errorf("the clock is told as %q and %q", first.now, same.now)
	}
	b.now = b.now.Add(time.Minute) // time alone is no change
	if later := b.ask(first.etag, "zh"); later.status != 304 || later.now != "1796875260" {
		t.Errorf("a minute later: %+v", later)
	}
	b.left = "09:59"
	ticking := b.ask("", "zh")
	b.left = "09:58"
	if later := b.ask(ticking.etag, "zh"); later.status != 304 {
		t.Errorf("a second of a countdown is a change: %+v", later)
	}
	if other := b.ask(first.etag, "en"); other.status != 200 || !strings.Contains(other.body, "English one") {
		t.Errorf("in the other language: %+v", other)
	}
	b.text, b.left = "two", ""
	at := b.now.Add(time.Hour)
	b.changes = &at
	if new := b.ask(first.etag, "zh"); new.status != 200 || new.etag == first.etag || !strings.Contains(new.body, "two") ||
		!strings.Contains(new.body, `data-changes-at="1796878860"`) {
		t.Errorf("something new: %+v", new)
	}
}

// Anybody moves a demonstration's clock, so its pages ask often; a venue's do not.
func TestPauseIsOfDemonstrations(t *testing.T) {
	for _, demo := range []bool{true, false} {
		set := kit.Pages{Source: fstest.MapFS{"templates/bare.html": {Data: []byte(`{{define "main"}}{{end}}`)}},
			Samples: map[string]func() any{"bare": func() any { return new(struct{ kit.Frame }) }}}
		site, err := kit.New(kit.Config{App: clubtest.Open(t, true).App, Demo: demo}, set)
		if err != nil {
			t.Fatal(err)
		}
		pages := fiber.New()
		pages.Use(httpx.Cookies(false))
		site.Routes(pages).Get("/bare", func(c *fiber.Ctx) error {
			return site.Render(c, http.StatusOK, "bare", struct{ kit.Frame }{site.BareFrame(c, kit.Words{"甲", "A"})})
		})
		resp, err := pages.Test(httptest.NewRequest("GET", "/bare", nil), -1)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(body), "data-pause="); resp.StatusCode != http.StatusOK || has != demo {
			t.Errorf("demonstration %t: status %d, a pause of its own: %t", demo, resp.StatusCode, has)
		}
	}
}

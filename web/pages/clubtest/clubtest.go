package pages_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/api"
)

// club is the example venue behind its pages, on Thursday 2026-12-10 at 10:00.
type club struct {
	t     *testing.T
	http  *fiber.App
	app   *app.App
	db    *sqlite.DB
	texts []string // messages that were sent
}

const opening = "2026-12-10T10:00:00+08:00"

// Name and Send make the club its own message channel.
func (*club) Name() string { return "test" }

func (k *club) Send(_ context.Context, m notify.Message) error {
	k.texts = append(k.texts, m.Text)
	return nil
}

func openClub(t *testing.T, demo bool) *club {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "club.db")})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	k := &club{t: t, db: db}
	k.setClock(opening)
	must(t, app.SeedDemo(ctx, db))
	bank, err := sandbox.New(db)
	must(t, err)
	quiet := slog.New(slog.DiscardHandler)
	k.app = app.New(app.Config{DB: db, Providers: []pay.Provider{bank}, Channel: k, Log: quiet, Demo: demo})
	cfg := web.Config{App: k.app, Log: quiet}
	if demo {
		cfg.Demo = &api.Demo{Info: app.Demo(), Sandbox: bank}
	}
	k.http, err = web.New(cfg)
	must(t, err)
	return k
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(t *testing.T, text string) domain.Instant {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	must(t, err)
	return domain.InstantOf(when)
}

// setClock stops the venue's clock at a time.
func (k *club) setClock(text string) {
	k.t.Helper()
	when := at(k.t, text)
	must(k.t, k.db.SetDemoClock(context.Background(), func(sqlite.ClockState) (domain.Instant, bool) { return when, true }))
}

// slot is the form's value for a court at a time of 2026-12-10.
func slot(t *testing.T, court, clock string) string {
	t.Helper()
	return slotOn(t, court, "2026-12-10", clock)
}

func slotOn(t *testing.T, court, date, clock string) string {
	t.Helper()
	return fmt.Sprintf("%s@%d", court, at(t, date+"T"+clock+":00+08:00"))
}

// page is an answer.
type page struct {
	t        *testing.T
	status   int
	location string
	header   http.Header
	body     string
}

// browser keeps cookies as browsers do.
type browser struct {
	club    *club
	cookies map[string]string
}

func (k *club) browser() *browser { return &browser{club: k, cookies: map[string]string{}} }

func (b *browser) do(r *http.Request) page {
	b.club.t.Helper()
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	resp, err := b.club.http.Test(r, -1)
	must(b.club.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(b.club.t, err)
	for _, c := range resp.Cookies() {
		b.cookies[c.Name] = c.Value
		if c.Value == "" {
			delete(b.cookies, c.Name)
		}
	}
	return page{t: b.club.t, status: resp.StatusCode, location: resp.Header.Get("Location"), header: resp.Header, body: string(body)}
}

func (b *browser) get(path string) page {
	b.club.t.Helper()
	return b.do(httptest.NewRequest("GET", path, nil))
}

var csrfPattern = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// token is what the forms of a page carry.
func (b *browser) token() string {
	b.club.t.Helper()
	found := csrfPattern.FindStringSubmatch(b.get("/").body)
	if found == nil {
		b.club.t.Fatal("the grid carries no CSRF token")
	}
	return found[1]
}

// send posts a form as it stands.
func (b *browser) send(path string, form url.Values) page {
	b.club.t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(r)
}

// post posts a form of one's own page: pairs of names and values.
func (b *browser) post(path string, pairs ...string) page {
	b.club.t.Helper()
	form := url.Values{"csrf": {b.token()}}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.send(path, form)
}

var codePattern = regexp.MustCompile(`\b\d{6}\b`)

// customer signs in with a phone.
func (k *club) customer(phone string) *browser {
	k.t.Helper()
	b := k.browser()
	b.post("/login/code", "phone", phone).want(200)
	code := codePattern.FindString(k.texts[len(k.texts)-1])
	b.post("/login", "phone", phone, "code", code).wantRedirect("/")
	return b
}

func (k *club) desk() *browser {
	k.t.Helper()
	b := k.browser()
	account := app.Demo().Accounts["desk"]
	b.post("/desk/login", "username", account.Username, "password", account.Password).wantRedirect("/desk")
	return b
}

// book makes an order and gives the address of its page.
func (b *browser) book(pairs ...string) string {
	b.club.t.Helper()
	p := b.post("/orders", pairs...).want(303)
	if !strings.HasPrefix(p.location, "/orders/") {
		b.club.t.Fatalf("booking went on to %q", p.location)
	}
	return p.location
}

// pay pays an order of a demonstration.
func (b *browser) pay(order string) {
	b.club.t.Helper()
	b.post(order + "/pay").wantRedirect(order)
	b.post(order+"/play", "result", "paid").wantRedirect(order + "?check=1")
}

func (p page) want(status int) page {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("status %d, want %d; location %q\n%s", p.status, status, p.location, p.text())
	}
	return p
}

func (p page) wantRedirect(to string) page {
	p.t.Helper()
	if p.want(303).location != to {
		p.t.Fatalf("goes on to %q, want %q", p.location, to)
	}
	return p
}

var tags = regexp.MustCompile(`(?s)<[^>]*>`)

// text is what a reader sees, with single spaces.
func (p page) text() string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(p.body, " "))), " ")
}

// says fails unless the reader sees each of the words.
func (p page) says(words ...string) page {
	p.t.Helper()
	for _, w := range words {
		if !strings.Contains(p.text(), w) {
			p.t.Errorf("the page does not say %q:\n%s", w, p.text())
		}
	}
	return p
}

// has fails unless the page's source has each of the pieces.
func (p page) has(pieces ...string) page {
	p.t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(p.body, piece) {
			p.t.Errorf("the page has no %q:\n%s", piece, p.body)
		}
	}
	return p
}

func (p page) hasNot(pieces ...string) page {
	p.t.Helper()
	for _, piece := range pieces {
		if strings.Contains(p.body, piece) {
			p.t.Errorf("the page has %q and should not", piece)
		}
	}
	return p
}

// Package clubtest opens the example venue behind its pages for their tests, and
// the browsers of the people who use it.
package clubtest

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

// Club is the example venue behind its pages, on Thursday 2026-12-10 at 10:00.
type Club struct {
	t     *testing.T
	HTTP  *fiber.App
	App   *app.App
	DB    *sqlite.DB
	Texts []string // messages that were sent
}

const Opening = "2026-12-10T10:00:00+08:00"

// Name and Send make the club its own message channel.
func (*Club) Name() string { return "test" }

func (k *Club) Send(_ context.Context, m notify.Message) error {
	k.Texts = append(k.Texts, m.Text)
	return nil
}

func Open(t *testing.T, demo bool) *Club {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "club.db")})
	Must(t, err)
	t.Cleanup(func() { db.Close() })
	k := &Club{t: t, DB: db}
	k.SetClock(Opening)
	Must(t, app.SeedDemo(ctx, db))
	bank, err := sandbox.New(db)
	Must(t, err)
	quiet := slog.New(slog.DiscardHandler)
	k.App = app.New(app.Config{DB: db, Providers: []pay.Provider{bank}, Channel: k, Log: quiet, Demo: demo})
	cfg := web.Config{App: k.App, Log: quiet}
	if demo {
		cfg.Demo = &api.Demo{Info: app.Demo(), Sandbox: bank}
	}
	k.HTTP, err = web.New(cfg)
	Must(t, err)
	return k
}

func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func At(t *testing.T, text string) domain.Instant {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	Must(t, err)
	return domain.InstantOf(when)
}

// SetClock stops the venue's clock at a time.
func (k *Club) SetClock(text string) {
	k.t.Helper()
	when := At(k.t, text)
	Must(k.t, k.DB.SetDemoClock(context.Background(), func(sqlite.ClockState) (domain.Instant, bool) { return when, true }))
}

// Slot is the form's value for a court at a time of 2026-12-10.
func Slot(t *testing.T, court, clock string) string {
	t.Helper()
	return SlotOn(t, court, "2026-12-10", clock)
}

func SlotOn(t *testing.T, court, date, clock string) string {
	t.Helper()
	return fmt.Sprintf("%s@%d", court, At(t, date+"T"+clock+":00+08:00"))
}

// Page is an answer.
type Page struct {
	t        *testing.T
	Status   int
	Location string
	Header   http.Header
	Body     string
}

// Browser keeps cookies as browsers do.
type Browser struct {
	club    *Club
	Cookies map[string]string
	Agent   string // what it says of itself; empty is a desktop's
}

func (k *Club) Browser() *Browser { return &Browser{club: k, Cookies: map[string]string{}} }

func (b *Browser) Do(r *http.Request) Page {
	b.club.t.Helper()
	if b.Agent != "" {
		r.Header.Set("User-Agent", b.Agent)
	}
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	resp, err := b.club.HTTP.Test(r, -1)
	Must(b.club.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	Must(b.club.t, err)
	for _, c := range resp.Cookies() {
		b.Cookies[c.Name] = c.Value
		if c.Value == "" {
			delete(b.Cookies, c.Name)
		}
	}
	b.club.wantLive(r.URL.Path, string(body))
	return Page{t: b.club.t, Status: resp.StatusCode, Location: resp.Header.Get("Location"), Header: resp.Header, Body: string(body)}
}

// wantLive fails unless a page loads what sends for parts of it exactly when it has some.
func (k *Club) wantLive(path, body string) {
	k.t.Helper()
	asks := strings.Contains(body, " hx-get=") || strings.Contains(body, " hx-post=")
	loads := strings.Contains(body, "/live.") && strings.Contains(body, "/htmx.") && strings.Contains(body, "data-offline")
	if strings.HasPrefix(body, "<!doctype html>") && asks != loads {
		k.t.Errorf("%s asks for parts of itself: %t; loads what sends for them: %t", path, asks, loads)
	}
}

func (b *Browser) Get(path string) Page {
	b.club.t.Helper()
	return b.Do(httptest.NewRequest("GET", path, nil))
}

var csrfPattern = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// Token is what the forms of a page carry.
func (b *Browser) Token() string {
	b.club.t.Helper()
	found := csrfPattern.FindStringSubmatch(b.Get("/").Body)
	if found == nil {
		b.club.t.Fatal("the grid carries no CSRF token")
	}
	return found[1]
}

// Send posts a form as it stands.
func (b *Browser) Send(path string, form url.Values) Page {
	b.club.t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.Do(r)
}

// Post posts a form of one's own page: pairs of names and values.
func (b *Browser) Post(path string, pairs ...string) Page {
	b.club.t.Helper()
	form := url.Values{"csrf": {b.Token()}}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.Send(path, form)
}

var CodePattern = regexp.MustCompile(`\b\d{6}\b`)

// Customer signs in with a phone.
func (k *Club) Customer(phone string) *Browser {
	k.t.Helper()
	b := k.Browser()
	b.Post("/login/code", "phone", phone).Want(200)
	code := CodePattern.FindString(k.Texts[len(k.Texts)-1])
	b.Post("/login", "phone", phone, "code", code).WantRedirect("/")
	return b
}

func (k *Club) Desk() *Browser {
	k.t.Helper()
	b := k.Browser()
	account := app.Demo().Accounts["desk"]
	b.Post("/desk/login", "username", account.Username, "password", account.Password).WantRedirect("/desk")
	return b
}

// Owner signs the owner in.
func (k *Club) Owner() *Browser {
	k.t.Helper()
	b := k.Browser()
	account := app.Demo().Accounts["owner"]
	b.Post("/desk/login", "username", account.Username, "password", account.Password).WantRedirect("/desk")
	return b
}

// Book makes an order and gives the address of its page.
func (b *Browser) Book(pairs ...string) string {
	b.club.t.Helper()
	p := b.Post("/orders", pairs...).Want(303)
	if !strings.HasPrefix(p.Location, "/orders/") {
		b.club.t.Fatalf("booking went on to %q", p.Location)
	}
	return p.Location
}

// Pay pays an order of a demonstration.
func (b *Browser) Pay(order string) {
	b.club.t.Helper()
	b.Post(order + "/pay").WantRedirect(order)
	b.Post(order+"/play", "result", "paid").WantRedirect(order + "?check=1")
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// Form is what a form of the page sends as a browser does: its hidden fields, and what
// is filled in.
func (p Page) Form(action string, pairs ...string) url.Values {
	p.t.Helper()
	form := Around(p.Body, `<form method="post" action="`+action+`"`, "</form>")
	if form == "" {
		p.t.Fatalf("the page has no form for %s:\n%s", action, p.Text())
	}
	fields := url.Values{}
	for _, f := range hiddenField.FindAllStringSubmatch(form, -1) {
		fields.Add(f[1], html.UnescapeString(f[2]))
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(form, `name="`+pairs[i]+`"`) {
			p.t.Fatalf("the form for %s has no field %s", action, pairs[i])
		}
		fields.Add(pairs[i], pairs[i+1])
	}
	return fields
}

// Cancel cancels an order of one's own for what its page shows.
func (b *Browser) Cancel(order string) Page {
	b.club.t.Helper()
	return b.Send(order+"/cancel", b.Get(order+"/cancel").Want(200).Form(order+"/cancel"))
}

func (p Page) Want(status int) Page {
	p.t.Helper()
	if p.Status != status {
		p.t.Fatalf("status %d, want %d; location %q\n%s", p.Status, status, p.Location, p.Text())
	}
	return p
}

func (p Page) WantRedirect(to string) Page {
	p.t.Helper()
	if p.Want(303).Location != to {
		p.t.Fatalf("goes on to %q, want %q", p.Location, to)
	}
	return p
}

// Tags matches what a reader does not see of a page.
var Tags = regexp.MustCompile(`(?s)<[^>]*>`)

// Text is what a reader sees, with single spaces.
func (p Page) Text() string {
	return strings.Join(strings.Fields(html.UnescapeString(Tags.ReplaceAllString(p.Body, " "))), " ")
}

// Says fails unless the reader sees each of the words.
func (p Page) Says(words ...string) Page {
	p.t.Helper()
	for _, w := range words {
		if !strings.Contains(p.Text(), w) {
			p.t.Errorf("the page does not say %q:\n%s", w, p.Text())
		}
	}
	return p
}

// Has fails unless the page's source has each of the pieces.
func (p Page) Has(pieces ...string) Page {
	p.t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(p.Body, piece) {
			p.t.Errorf("the page has no %q:\n%s", piece, p.Body)
		}
	}
	return p
}

func (p Page) HasNot(pieces ...string) Page {
	p.t.Helper()
	for _, piece := range pieces {
		if strings.Contains(p.Body, piece) {
			p.t.Errorf("the page has %q and should not", piece)
		}
	}
	return p
}

// Around gives what stands in a text between two pieces of it.
func Around(text, from, to string) string {
	_, rest, found := strings.Cut(text, from)
	if !found {
		return ""
	}
	part, _, _ := strings.Cut(rest, to)
	return part
}

// CodeGroups are the groups of the ticket code that a page shows.
func (p Page) CodeGroups() []string {
	return strings.Fields(Tags.ReplaceAllString(Around(p.Body, `<p class="code">`, "</p>"), " "))
}

// Ticket books and pays one choice and gives the code of its ticket.
func (b *Browser) Ticket(pairs ...string) (code, order string) {
	b.club.t.Helper()
	order = b.Book(pairs...)
	b.Pay(order)
	return strings.Join(b.Get(order).CodeGroups(), ""), order
}

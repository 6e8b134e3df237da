package messages_test

import (
	"context"
	"fmt"
	"html"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/api"
	"courtd/web/pages/clubtest"
)

// channel is a channel that keeps what it is given, or fails.
type channel struct {
	name      string
	templates bool // it needs them
	mu        sync.Mutex
	got       []notify.Message
	fail      error
}

func (c *channel) Name() string         { return c.name }
func (c *channel) NeedsTemplates() bool { return c.templates }

func (c *channel) Send(_ context.Context, m notify.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return c.fail
	}
	c.got = append(c.got, m)
	return nil
}

// hooks is the venue's own software.
type hooks struct {
	told []string // ids of events
	fail error
}

func (*hooks) Secret(w domain.Webhook) string {
	return fmt.Sprint("whsec_of-", w.ID, "-", w.Generation)
}

func (h *hooks) Send(_ context.Context, _ domain.Webhook, id string, _ time.Time, _ []byte) error {
	if h.fail == nil {
		h.told = append(h.told, id)
	}
	return h.fail
}

// owner is the owner's browser with a club around it that has three channels.
type owner struct {
	*clubtest.Browser
	t                   *testing.T
	k                   *clubtest.Club
	wechat, sms, mailer *channel
	hooks               *hooks
}

func open(t *testing.T) owner {
	t.Helper()
	o := owner{t: t, k: clubtest.Open(t, true), wechat: &channel{name: "wechat"}, sms: &channel{name: "sms"}, mailer: &channel{name: "mail"}, hooks: &hooks{}}
	bank, err := sandbox.New(o.k.DB)
	clubtest.Must(t, err)
	quiet := slog.New(slog.DiscardHandler)
	o.k.App = app.New(app.Config{DB: o.k.DB, Providers: []pay.Provider{bank}, Channel: o.k, Channels: []notify.Channel{o.wechat, o.sms, o.mailer}, Webhooks: o.hooks, Log: quiet, Demo: true})
	o.k.HTTP, err = web.New(web.Config{App: o.k.App, Log: quiet, Demo: &api.Demo{Info: app.Demo(), Sandbox: bank}})
	clubtest.Must(t, err)
	clubtest.Must(t, o.k.App.NoteChannels(t.Context(), true))
	o.Browser = o.k.Owner()
	return o
}

var another = app.Actor{Role: app.RoleOwner, ID: "another"}

func (o owner) messages() domain.Messages {
	o.t.Helper()
	venue, _, _, err := o.k.App.Venue(o.t.Context())
	clubtest.Must(o.t, err)
	return venue.Messages
}

// change is what another owner does meanwhile.
func (o owner) change(change func(*domain.Messages)) {
	o.t.Helper()
	_, err := o.k.App.ChangeMessages(o.t.Context(), another, "messages", func(m *domain.Messages) error {
		change(m)
		return nil
	})
	clubtest.Must(o.t, err)
}

// count asks the database.
func (o owner) count(query string, args ...any) (n int) {
	o.t.Helper()
	clubtest.Must(o.t, o.k.DB.Read(o.t.Context(), func(s *sqlite.Snapshot) error { return s.QueryRow(query, args...).Scan(&n) }))
	return n
}

func (o owner) acts(action string) int {
	o.t.Helper()
	return o.count("SELECT count(*) FROM audit WHERE action = ?", action)
}

func (o owner) deliver() {
	o.t.Helper()
	_, err := o.k.App.DeliverNotices(o.t.Context())
	clubtest.Must(o.t, err)
}

// paid books and pays a slot of the day for a customer and gives the order's id.
func (o owner) paid(phone, court, clock string) string {
	o.t.Helper()
	customer := o.k.Browser()
	customer.Post("/login/code", "phone", phone).Want(200)
	code := clubtest.CodePattern.FindString(o.sms.got[len(o.sms.got)-1].Text)
	customer.Post("/login", "phone", phone, "code", code).WantRedirect("/")
	order := customer.Book("slot", clubtest.Slot(o.t, court, clock))
	customer.Pay(order)
	return strings.TrimPrefix(order, "/orders/")
}

var (
	inputs    = regexp.MustCompile(`(?s)<input [^>]*>`)
	areas     = regexp.MustCompile(`(?s)<textarea [^>]*name="([^"]+)"[^>]*>(.*?)</textarea>`)
	attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
)

// formOf is what a browser would send of a page's form as it stands.
func formOf(t *testing.T, p clubtest.Page, action string) url.Values {
	t.Helper()
	body := clubtest.Around(p.Body, `<form method="post" action="`+action+`"`, "</form>")
	if body == "" {
		t.Fatalf("the page has no form for %s:\n%s", action, p.Text())
	}
	out := url.Values{}
	for _, tag := range inputs.FindAllString(body, -1) {
		a := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
			a[m[1]] = html.UnescapeString(m[2])
		}
		ticked := strings.HasSuffix(strings.TrimSuffix(tag, ">"), " checked")
		if a["name"] == "" || ((a["type"] == "checkbox" || a["type"] == "radio") && !ticked) {
			continue
		}
		out.Add(a["name"], a["value"])
	}
	for _, m := range areas.FindAllStringSubmatch(body, -1) {
		out.Set(m[1], html.UnescapeString(m[2]))
	}
	return out
}

// fill gets the form for an action from a page and fills fields in.
func (o owner) fill(page, action string, pairs ...string) url.Values {
	o.t.Helper()
	return filled(formOf(o.t, o.Get(page).Want(200), action), pairs...)
}

func filled(form url.Values, pairs ...string) url.Values {
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// ask sends a form as htmx does.
func (o owner) ask(path string, form url.Values) clubtest.Page {
	o.t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	return o.Do(r)
}

// wantFault wants a field marked, with words by it and a way to it from the top.
func wantFault(t *testing.T, p clubtest.Page, id, words string) {
	t.Helper()
	summary := clubtest.Around(p.Body, `id="faults"`, "</div>")
	if !strings.Contains(summary, `href="#`+id+`"`) || !strings.Contains(summary, words) {
		t.Errorf("the summary does not lead to %s with %q: %s", id, words, summary)
	}
	field := regexp.MustCompile(`(?s)id="` + regexp.QuoteMeta(id) + `"[^>]*(aria-invalid="true"|aria-describedby).{0,900}?` + regexp.QuoteMeta(words))
	if !field.MatchString(p.Body) {
		t.Errorf("%s is not marked with %q:\n%s", id, words, clubtest.Around(p.Body, `id="`+id+`"`, "</div>"))
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

package httpx_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// form is a server of one form behind the checks that pages use.
type form struct {
	t    *testing.T
	app  *app.App
	http *fiber.App
}

func newForm(t *testing.T) form {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "club.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := app.SeedDemo(ctx, db); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	a := app.New(app.Config{DB: db, Channel: notify.NewLog(log), Log: log, Demo: true})
	s := fiber.New(fiber.Config{Immutable: true, ErrorHandler: func(c *fiber.Ctx, err error) error {
		return httpx.ProblemOf(err, time.UTC).Send(c)
	}})
	s.Use(httpx.Cookies(true), httpx.AuthenticateCookie(a), httpx.CheckCSRF())
	s.Get("/", func(c *fiber.Ctx) error { return c.SendString(httpx.CSRFToken(c)) })
	s.Post("/", func(c *fiber.Ctx) error { return c.SendString(string(httpx.ActorOf(c).Role)) })
	return form{t, a, s}
}

func (f form) session(phone string) string {
	f.t.Helper()
	ctx := context.Background()
	sent, err := f.app.SendLoginCode(ctx, phone, "")
	if err != nil {
		f.t.Fatal(err)
	}
	in, err := f.app.LogIn(ctx, phone, sent.Code, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return in.Token
}

func (f form) do(method, token string, cookies, headers map[string]string) *http.Response {
	f.t.Helper()
	req := httptest.NewRequest(method, "http://club.example/", strings.NewReader(url.Values{httpx.CSRFField: {token}}.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range cookies {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := f.http.Test(req, -1)
	if err != nil {
		f.t.Fatal(err)
	}
	return res
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTokenComesFromTheForm: addresses are logged, kept and passed on; a token that
// stands in one is none.
func TestTokenComesFromTheForm(t *testing.T) {
	f := newForm(t)
	session := f.session("13800000001")
	token := text(t, f.do(http.MethodGet, "", map[string]string{httpx.SessionCookie: session}, nil))
	req := httptest.NewRequest(http.MethodPost, "http://club.example/?"+url.Values{httpx.CSRFField: {token}}.Encode(), nil)
	req.AddCookie(&http.Cookie{Name: httpx.SessionCookie, Value: session})
	res, err := f.http.Test(req, -1)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a token in the address: %d", res.StatusCode)
	}
}

func TestCSRF(t *testing.T) {
	f := newForm(t)
	mine, other := f.session("13800000001"), f.session("13800000002")
	session := map[string]string{httpx.SessionCookie: mine}
	page := f.do(http.MethodGet, "", session, nil)
	token := text(t, page)
	if strings.Contains(token, mine) || len(page.Cookies()) != 0 {
		t.Errorf("token %q, cookies %v", token, page.Cookies())
	}
	otherToken := text(t, f.do(http.MethodGet, "", map[string]string{httpx.SessionCookie: other}, nil))
	anonymous := f.do(http.MethodGet, "", nil, nil)
	anonymousToken := text(t, anonymous)
	cookie := anonymous.Cookies()[0]
	if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" {
		t.Errorf("cookie %v", cookie)
	}
	visitor := map[string]string{cookie.Name: cookie.Value}
	fromNothing := hmac.New(sha256.New, nil)
	fromNothing.Write([]byte("courtd form"))
	guessed := base64.RawURLEncoding.EncodeToString(fromNothing.Sum(nil))
	here := map[string]string{"Origin": "https://club.example", "Sec-Fetch-Site": "same-origin"}
	for _, c := range []struct {
		name    string
		token   string
		cookies map[string]string
		headers map[string]string
		status  int
	}{
		{"the right token", token, session, nil, 200},
		{"from here, as browsers say", token, session, here, 200},
		{"typed in", token, session, map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"none", "", session, here, 403},
		{"another session's", otherToken, session, here, 403},
		{"a visitor's", anonymousToken, session, here, 403},
		{"from another site", token, session, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"from a neighbour", token, session, map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"from another origin", token, session, map[string]string{"Origin": "https://evil.example"}, 403},
		{"from nowhere", token, session, map[string]string{"Origin": "null"}, 403},
		{"a visitor with a token", anonymousToken, visitor, here, 200},
		{"a visitor without a cookie", anonymousToken, nil, here, 403},
		{"what anybody can work out", guessed, nil, here, 403},
		{"a session that is over", token, map[string]string{httpx.SessionCookie: "gone"}, here, 403},
	} {
		res := f.do(http.MethodPost, c.token, c.cookies, c.headers)
		body := text(t, res)
		if res.StatusCode != c.status || (c.status == 403 && !strings.Contains(body, `"reason":"csrf"`)) {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, body)
		}
	}
}

func TestBearerTokensAreNotCookies(t *testing.T) {
	f := newForm(t)
	token := f.session("13800000001")
	res := f.do(http.MethodGet, "", nil, map[string]string{"Authorization": "Bearer " + token})
	if len(res.Cookies()) == 0 {
		t.Error("a Bearer token signs a page in")
	}
}

// TestStatusOfEveryKind: no refusal is a fault.
func TestStatusOfEveryKind(t *testing.T) {
	want := map[domain.Kind]int{domain.Invalid: 422, domain.Malformed: 400, domain.Unauthenticated: 401, domain.Forbidden: 403,
		domain.NotFound: 404, domain.Conflict: 409, domain.TooMany: 429, domain.Unavailable: 503}
	for kind, status := range want {
		if got := httpx.Status(kind); got != status {
			t.Errorf("kind %d: %d, want %d", kind, got, status)
		}
	}
}

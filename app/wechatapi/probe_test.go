package wechatapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/app/wechatapi"
	"courtd/app/wechatapi/standin"
)

func TestProbe(t *testing.T) {
	p := newPlace(t)
	p.AddUser(openid)
	p.Allow(openid, template, 1)
	p.is(t, "all is well", p.api.Probe(t.Context()), nil)
	before := p.Token()
	p.is(t, "once more", p.api.Probe(t.Context()), nil)
	if p.Token() != before || len(p.Messages()) != 0 {
		t.Error("asking made the token that others use worthless, or sent something")
	}
	p.is(t, "and it can be used", p.send(t.Context()), nil)
}

func TestProbeOfWhatIsWrong(t *testing.T) {
	p := newPlace(t)
	wants := func(what string, api *wechatapi.Client, ctx context.Context, words string) {
		t.Helper()
		err := api.Probe(ctx)
		p.is(t, what, err, notify.ErrDown)
		if err != nil && !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", what, err, words)
		}
	}
	as := func(app, key, url string) *wechatapi.Client {
		return wechatapi.New(wechatapi.Config{AppID: app, Secret: key, BaseURL: url, Now: p.now})
	}
	wants("another secret", as(appID, strings.Repeat("a", 32), p.url), t.Context(), "the AppSecret is wrong")
	wants("another mini-program", as("wxffffffffffffffff", secret, p.url), t.Context(), "the AppID is wrong")
	for how, words := range map[standin.Trouble]string{standin.BadIP: "list of IP addresses", standin.Down: "answered 502", standin.Garbage: "cannot be read",
		standin.Busy: "errcode -1", standin.Quota: "45009", standin.Echo: "99999"} {
		p.Misbehave(tokens, how)
		wants(string(how), p.api, t.Context(), words)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	wants("nobody there", as(appID, secret, gone.URL), t.Context(), "nobody listens there")
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer slow.Close()
	defer close(held)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	wants("too slow", as(appID, secret, slow.URL), ctx, "in time")
}

package wechatapi_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/app/wechatapi"
	"courtd/app/wechatapi/standin"
)

const (
	appID    = "wx0123456789abcdef"
	secret   = "5f4dcc3b5aa765d61d8327deb882cf99"
	openid   = "oGZUI0egBJY1zhBYw2KhdUfwVJJE"
	template = "Vjf2aP0aXnMvqj5a5e8-yMjj"
	session  = "/sns/jscode2session"
	tokens   = "/cgi-bin/stable_token"
	send     = "/cgi-bin/message/subscribe/send"
	ship     = "/wxa/sec/order/upload_shipping_info"
)

// place is a client, a stand-in and their clock.
type place struct {
	*standin.WeChat
	api *wechatapi.Client
	url string
	mu  sync.Mutex
	at  time.Time
}

func (p *place) now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

func (p *place) wait(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = p.at.Add(d)
}

func newPlace(t *testing.T) *place {
	p := &place{at: time.Date(2026, 12, 10, 12, 0, 0, 0, time.UTC)}
	p.WeChat = standin.New(appID, secret, p.now)
	server := httptest.NewServer(p.WeChat)
	t.Cleanup(server.Close)
	p.url = server.URL
	p.api = wechatapi.New(wechatapi.Config{AppID: appID, Secret: secret, BaseURL: server.URL, Now: p.now})
	p.AddTemplate(template, "thing1", "time2")
	return p
}

func (p *place) send(ctx context.Context) error {
	return p.api.SubscribeSend(ctx, wechatapi.SubscribeMessage{OpenID: openid, TemplateID: template, Page: "pages/order?id=1",
		Data: []notify.Value{{Name: "thing1", Text: "1号场"}, {Name: "time2", Text: "2026年12月10日 17:30"}}})
}

// leaks fails if an error repeats anything private.
func (p *place) leaks(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, word := range []string{secret, openid, "access-token-", "code-1", "c2Vzc2lvbi1rZXk", p.url, "access_token=", "js_code"} {
		if strings.Contains(strings.ReplaceAll(err.Error(), "access_token=***", ""), word) && !(word == "js_code" && strings.Contains(err.Error(), "js_code=***")) {
			t.Errorf("%q is in the error %q", word, err)
		}
	}
}

// is fails unless an error is of one kind and of no other.
func (p *place) is(t *testing.T, what string, err, want error) {
	t.Helper()
	p.leaks(t, err)
	if want == nil {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	}
	for _, kind := range []error{notify.ErrDown, notify.ErrRefused, wechatapi.ErrBadCode} {
		if errors.Is(err, kind) && !errors.Is(want, kind) {
			t.Errorf("%s: %v is %v too", what, err, kind)
		}
	}
}

// plain fails unless an error is a mere failed try.
func (p *place) plain(t *testing.T, what string, err error) {
	t.Helper()
	p.leaks(t, err)
	if err == nil || errors.Is(err, notify.ErrDown) || errors.Is(err, notify.ErrRefused) {
		t.Errorf("%s: got %v, want a failed try", what, err)
	}
}

// later fails unless an error wants to be left alone for so long.
func (p *place) later(t *testing.T, what string, err error, want time.Duration) {
	t.Helper()
	p.is(t, what, err, notify.ErrDown)
	var later notify.LaterError
	if !errors.As(err, &later) || later.After != want {
		t.Errorf("%s: %v, want later by %v", what, err, want)
	}
}

func TestJSCode2Session(t *testing.T) {
	p := newPlace(t)
	p.AddCode("code-1", openid)
	got, err := p.api.JSCode2Session(t.Context(), "code-1")
	if got != openid || err != nil {
		t.Fatalf("%q %v", got, err)
	}
	again := func(code string) error {
		got, err := p.api.JSCode2Session(t.Context(), code)
		if got != "" {
			t.Errorf("%q with %v", got, err)
		}
		return err
	}
	p.is(t, "used", again("code-1"), wechatapi.ErrBadCode)
	p.is(t, "unknown", again("code-11"), wechatapi.ErrBadCode)
	p.is(t, "none", again(""), wechatapi.ErrBadCode)
	p.is(t, "endless", again(strings.Repeat("x", 300)), wechatapi.ErrBadCode)
	p.AddCode("code-1", openid)
	p.wait(5 * time.Minute)
	p.is(t, "too old", again("code-1"), wechatapi.ErrBadCode)
	p.AddCode("code-1", "")
	p.is(t, "blocked", again("code-1"), wechatapi.ErrBlocked)
	p.AddCode("code-1", openid)
	for _, trouble := range []standin.Trouble{standin.Down, standin.Busy, standin.Quota, standin.BadIP, standin.Garbage, standin.Echo} {
		p.Misbehave(session, trouble)
		p.is(t, string(trouble), again("code-1"), wechatapi.ErrDown)
	}
	p.Misbehave(session, standin.TooFast)
	p.later(t, "too often", again("code-1"), time.Minute)
	p.Misbehave(session, standin.Slow)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = p.api.JSCode2Session(ctx, "code-1")
	p.is(t, "slow", err, wechatapi.ErrDown)
	p.Misbehave(session, standin.Fine)
	if got, err := p.api.JSCode2Session(t.Context(), "code-1"); got != openid || err != nil {
		t.Errorf("trouble used the code up: %q %v", got, err)
	}
	for what, c := range map[string]wechatapi.Config{"appid": {AppID: "wx" + secret[:16], Secret: secret}, "secret": {AppID: appID, Secret: openid}} {
		c.BaseURL, c.Now = p.url, p.now
		_, err := wechatapi.New(c).JSCode2Session(t.Context(), "code-1")
		p.is(t, "another "+what, err, wechatapi.ErrDown)
	}
	nobody := wechatapi.New(wechatapi.Config{AppID: appID, Secret: secret, BaseURL: "http://127.0.0.1:1", Now: p.now})
	_, err = nobody.JSCode2Session(t.Context(), "code-1")
	p.is(t, "nobody there", err, wechatapi.ErrDown)
}

func TestTokenIsKeptUntilItsLifeIsOverButForAMargin(t *testing.T) {
	p := newPlace(t)
	p.Allow(openid, template, 10)
	fetches := func(want int) {
		t.Helper()
		p.is(t, "send", p.send(t.Context()), nil)
		if got := p.TokenFetches(); got != want {
			t.Errorf("fetched %d times, want %d", got, want)
		}
	}
	fetches(1)
	p.wait(2*time.Hour - 5*time.Minute - time.Second)
	fetches(1)
	p.wait(time.Second)
	fetches(2)
	p.ExpireToken() // earlier than WeChat said: one more try with the next one
	fetches(3)
	p.RevokeToken() // WeChat gives out what it does not take: a new one is forced
	fetches(5)
	fetches(5)
	if got := p.Token(); got != "access-token-4" {
		t.Errorf("%s is the last", got)
	}
}

func TestTokenIsFetchedOnceForSeveralCallers(t *testing.T) {
	p := newPlace(t)
	p.Allow(openid, template, 100)
	both := func(want int) {
		t.Helper()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := p.send(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := p.TokenFetches(); got != want {
			t.Errorf("fetched %d times, want %d", got, want)
		}
	}
	both(1)
	p.ExpireToken()
	both(2)
	if got := len(p.Messages()); got != 40 {
		t.Errorf("%d arrived", got)
	}
}

func TestTokenTroubles(t *testing.T) {
	p := newPlace(t)
	p.Allow(openid, template, 10)
	for _, trouble := range []standin.Trouble{standin.Down, standin.Busy, standin.Quota, standin.BadIP, standin.Garbage, standin.Echo} {
		p.Misbehave(tokens, trouble)
		p.is(t, string(trouble), p.send(t.Context()), wechatapi.ErrDown)
	}
	p.Misbehave(tokens, standin.Slow)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	p.is(t, "slow", p.send(ctx), wechatapi.ErrDown)
	// A waiter gives up with its own context while somebody else is kept waiting.
	first, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	done := make(chan error)
	go func() { done <- p.send(first) }()
	time.Sleep(50 * time.Millisecond)
	second, stop2 := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop2()
	p.is(t, "waiting", p.send(second), wechatapi.ErrDown)
	select {
	case err := <-done:
		t.Errorf("it waited until the other had given up: %v", err)
	default:
		p.is(t, "fetching", <-done, wechatapi.ErrDown)
	}
	p.Misbehave(tokens, standin.Fine)
	p.is(t, "afterwards", p.send(t.Context()), nil)
}

func TestSubscribeSend(t *testing.T) {
	p := newPlace(t)
	p.AddUser(openid)
	p.is(t, "not allowed", p.send(t.Context()), notify.ErrNotAllowed)
	p.Allow(openid, template, 1)
	p.is(t, "allowed once", p.send(t.Context()), nil)
	p.is(t, "and no more", p.send(t.Context()), notify.ErrNotAllowed)
	want := []standin.Message{{OpenID: openid, TemplateID: template, Page: "pages/order?id=1", Data: map[string]string{"thing1": "1号场", "time2": "2026年12月10日 17:30"}}}
	if got := p.Messages(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	p.Allow(openid, template, 10)
	try := func(spoil func(*wechatapi.SubscribeMessage)) error {
		m := wechatapi.SubscribeMessage{OpenID: openid, TemplateID: template, Data: []notify.Value{{Name: "thing1", Text: "1号场"}, {Name: "time2", Text: "17:30"}}}
		spoil(&m)
		return p.api.SubscribeSend(t.Context(), m)
	}
	refused := func(what string, err error, words string) {
		t.Helper()
		p.is(t, what, err, notify.ErrRefused)
		if errors.Is(err, notify.ErrNotAllowed) || err != nil && !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("a stranger", try(func(m *wechatapi.SubscribeMessage) { m.OpenID = "oStranger" }), "openid")
	refused("no such template", try(func(m *wechatapi.SubscribeMessage) { m.TemplateID = "Other" }), "Other")
	refused("too long", try(func(m *wechatapi.SubscribeMessage) { m.Data[0].Text = strings.Repeat("长", 21) }), template)
	refused("missing", try(func(m *wechatapi.SubscribeMessage) { m.Data = m.Data[:1] }), "time2")
	refused("no such page", try(func(m *wechatapi.SubscribeMessage) { m.Page = "/pages" }), template)
	p.is(t, "exactly so long", try(func(m *wechatapi.SubscribeMessage) { m.Data[0].Text = strings.Repeat("长", 20) }), nil)
	for trouble, want := range map[standin.Trouble]error{standin.Down: wechatapi.ErrDown, standin.BadIP: wechatapi.ErrDown, standin.Garbage: wechatapi.ErrDown} {
		p.Misbehave(send, trouble)
		p.is(t, string(trouble), p.send(t.Context()), want)
	}
	p.Misbehave(send, standin.Busy)
	p.plain(t, "busy", p.send(t.Context()))
	p.Misbehave(send, standin.Echo)
	p.plain(t, "unknown", p.send(t.Context()))
	p.Misbehave(send, standin.Quota)
	p.later(t, "quota", p.send(t.Context()), time.Hour)
	p.Misbehave(send, standin.TooFast)
	p.later(t, "too fast", p.send(t.Context()), time.Minute)
	p.Misbehave(send, standin.Slow)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	p.is(t, "slow", p.send(ctx), wechatapi.ErrDown)
}

func TestUploadShippingInfo(t *testing.T) {
	p := newPlace(t)
	p.AddPayment("4200001", "1900000109", "courtd-1", openid)
	p.AddPayment("4200002", "1900000109", "courtd-2", openid)
	info := wechatapi.ShippingInfo{TransactionID: "4200001", OpenID: openid, Description: "1号场 17:30", UploadTime: p.now().Add(345 * time.Millisecond)}
	p.is(t, "by WeChat's number", p.api.UploadShippingInfo(t.Context(), info), nil)
	p.is(t, "the same again", p.api.UploadShippingInfo(t.Context(), info), nil)
	long := wechatapi.ShippingInfo{MchID: "1900000109", OutTradeNo: "courtd-2", OpenID: openid, Description: strings.Repeat("场", 121), UploadTime: p.now()}
	p.is(t, "by the merchant's number", p.api.UploadShippingInfo(t.Context(), long), nil)
	for _, other := range []string{"changed", "changed again"} {
		long.Description = other
		p.is(t, other, p.api.UploadShippingInfo(t.Context(), long), nil)
	}
	got := p.Shipments()
	if len(got) != 3 || got[0] != (standin.Shipment{TransactionID: "4200001", OpenID: openid, Description: "1号场 17:30", UploadTime: "2026-12-10T20:00:00.345+08:00"}) ||
		got[1].MchID != "1900000109" || got[1].OutTradeNo != "courtd-2" || got[1].Description != strings.Repeat("场", 119)+"…" {
		t.Errorf("got %v", got)
	}
	for what, spoil := range map[string]func(*wechatapi.ShippingInfo){
		"another's":      func(s *wechatapi.ShippingInfo) { s.OpenID = openid[:27] + "X" },
		"no payer":       func(s *wechatapi.ShippingInfo) { s.OpenID = "" },
		"no description": func(s *wechatapi.ShippingInfo) { s.Description = " " },
		"no number":      func(s *wechatapi.ShippingInfo) { s.TransactionID = "" },
	} {
		s := info
		spoil(&s)
		p.is(t, what, p.api.UploadShippingInfo(t.Context(), s), notify.ErrRefused)
	}
	unknown := info
	unknown.TransactionID = "4200009"
	p.plain(t, "not known yet", p.api.UploadShippingInfo(t.Context(), unknown))
	p.Misbehave(ship, standin.Busy)
	p.plain(t, "busy", p.api.UploadShippingInfo(t.Context(), info))
	p.Misbehave(ship, standin.Echo)
	p.plain(t, "echo", p.api.UploadShippingInfo(t.Context(), info))
	p.Misbehave(ship, standin.Down)
	p.is(t, "down", p.api.UploadShippingInfo(t.Context(), info), wechatapi.ErrDown)
}

func TestCut(t *testing.T) {
	family := "👨‍👩‍👧" // five code points that look like one
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"场场场", 3, "场场场"}, {"场场场场", 3, "场场…"}, {"abcd", 1, "…"}, {"abcd", 0, ""},
		{"a" + family, 6, "a" + family}, {"a" + family + "b", 6, "a…"}, {"ab" + family, 6, "ab…"},
		{"cafe\u0301s", 6, "cafe\u0301s"}, {"cafe\u0301 s", 6, "cafe\u0301…"}, {"cafe\u0301 s", 5, "caf…"},
		{"👍🏽👍🏽👍🏽", 4, "👍🏽…"}, {"🇨🇳🇨🇳🇨🇳", 4, "🇨🇳…"}, {"🇨🇳🇨🇳🇨🇳", 5, "🇨🇳🇨🇳…"}, {"\u0301\u0301\u0301", 2, "…"},
	} {
		if got := wechatapi.Cut(c.text, c.most); got != c.want || len([]rune(got)) > c.most {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	if problems := (wechatapi.Config{AppID: appID, Secret: secret}).Check(); problems != nil {
		t.Errorf("got %v", problems)
	}
	problems := wechatapi.Config{AppID: "hunter2", Secret: "hunter2", BaseURL: "hunter2"}.Check()
	if len(problems) != 3 {
		t.Errorf("got %v", problems)
	}
	for _, problem := range problems {
		if !strings.HasPrefix(problem.Setting, "COURTD_WECHAT_") || problem.ZH == "" || problem.EN == "" || strings.Contains(problem.String(), "hunter") {
			t.Errorf("got %v", problem)
		}
	}
}

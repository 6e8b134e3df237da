package api

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
)

// Demo is what only a demonstration has.
type Demo struct {
	Info    app.DemoInfo
	Sandbox Sandbox
}

// Sandbox plays the customer's bank. Both give the signed notice that the
// provider sends then.
type Sandbox interface {
	Succeed(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
	Fail(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
}

// Play plays the bank for one payment: it succeeds or fails and, if notify is set,
// the provider's notice arrives by the ordinary way.
func (d *Demo) Play(ctx context.Context, a *app.App, outTradeNo string, succeeds, notify bool) error {
	play := d.Sandbox.Fail
	if succeeds {
		play = d.Sandbox.Succeed
	}
	headers, body, err := play(ctx, outTradeNo)
	if err != nil || !notify {
		return err
	}
	return a.TakeNotice(ctx, pay.ViaSandbox, anyCase(headers), body)
}

// ClockView is what the venue's clock shows.
type ClockView struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen" doc:"whether it stands still"`
	Behind bool      `json:"behind" doc:"whether it is so far behind instants handed out that nothing can be booked"`
}

type clockInput struct {
	Body struct {
		Advance *string `json:"advance,omitempty" example:"10m" doc:"how far to move it on, such as 90s, 10m or 24h"`
		Set     *string `json:"set,omitempty" format:"date-time" doc:"what it shall show; back is possible"`
		Frozen  *bool   `json:"frozen,omitempty" doc:"whether it stands still from now on"`
	} `nameHint:"ClockBody"`
}

// Played is what playing the bank came to.
type Played struct {
	OutTradeNo string `json:"out_trade_no"`
	Notified   bool   `json:"notified"`
}

type playInput struct {
	OutTradeNo string `path:"out_trade_no"`
	Notify     string `query:"notify" enum:"true,false" default:"true" doc:"false loses the notice"`
	Body       *Nothing
}

func (s *server) demoCalls() {
	doc := s.api.OpenAPI()
	doc.Tags = append(doc.Tags, &huma.Tag{Name: tagDemo, Description: "A demonstration only: accounts, a clock to move, a bank to play."})
	register(s, call{method: http.MethodGet, path: "/demo", id: "get-demo", tag: tagDemo, who: anyone, summary: "Accounts and coupons to try"},
		func(context.Context, app.Actor, *struct{}) (*reply[app.DemoInfo], error) {
			return replied(s.demo.Info, nil)
		})
	register(s, call{method: http.MethodGet, path: "/demo/clock", id: "get-clock", tag: tagDemo, who: anyone, summary: "What the clock shows"}, s.clock)
	register(s, call{method: http.MethodPost, path: "/demo/clock", id: "set-clock", tag: tagDemo, who: anyone, summary: "Move, set or stop the clock"}, s.setClock)
	s.playCall("succeed", "A payment succeeds", "The provider then notifies. It may also succeed after its expiry or close: that is late money.", true)
	s.playCall("fail", "A payment fails", "", false)
	register(s, call{method: http.MethodPost, path: base + "/pay/sandbox/notify", id: "notify-sandbox", tag: tagProvider, who: anyone,
		also:    []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound},
		summary: "A notice of the sandbox", about: "Signed by the headers Courtd-Sandbox-Timestamp, -Nonce and -Signature over the raw body."},
		func(ctx context.Context, _ app.Actor, in *noticeInput) (*struct{}, error) {
			return nil, s.app.TakeNotice(ctx, pay.ViaSandbox, in.header, bytes.Clone(in.RawBody))
		})
}

// noticeInput is a provider's notice as it came.
type noticeInput struct {
	RawBody []byte
	header  func(string) string
}

// Resolve keeps hold of the headers, which the signature needs.
func (in *noticeInput) Resolve(ctx huma.Context) []error {
	in.header = ctx.Header
	return nil
}

func (s *server) playCall(verb, summary, about string, succeeds bool) {
	register(s, call{method: http.MethodPost, path: "/demo/payments/{out_trade_no}/" + verb, id: verb + "-payment", tag: tagDemo, who: anyone, conflicts: true,
		summary: summary, about: about},
		func(ctx context.Context, _ app.Actor, in *playInput) (*reply[Played], error) {
			notify := in.Notify != "false"
			err := s.demo.Play(ctx, s.app, in.OutTradeNo, succeeds, notify)
			return replied(Played{OutTradeNo: in.OutTradeNo, Notified: notify}, err)
		})
}

// anyCase finds a header whatever its letter case.
func anyCase(headers map[string]string) func(string) string {
	return func(name string) string {
		for known, value := range headers {
			if strings.EqualFold(known, name) {
				return value
			}
		}
		return ""
	}
}

func (s *server) clock(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[ClockView], error) {
	state, err := s.app.DB().ClockState(ctx)
	if err != nil {
		return nil, err
	}
	return &reply[ClockView]{ClockView{Now: state.Clock.In(httpx.Zone(ctx, s.app)), Frozen: state.Frozen, Behind: state.Behind}}, nil
}

var errBadAdvance = errors.New("not a duration")

func (s *server) setClock(ctx context.Context, actor app.Actor, in *clockInput) (*reply[ClockView], error) {
	b := in.Body
	if b.Advance == nil && b.Set == nil && b.Frozen == nil {
		return nil, domain.BadField("advance", "say advance, set or frozen")
	}
	to, err := parseOptionalInstant("set", b.Set)
	if err != nil {
		return nil, err
	}
	var by time.Duration
	if b.Advance != nil {
		if by, err = time.ParseDuration(*b.Advance); err != nil || by < 0 {
			return nil, domain.BadField("advance", "must be a duration such as 90s, 10m or 24h, and not negative").Because(errBadAdvance)
		}
	}
	latest := domain.InstantOf(time.Date(latestYear, 1, 1, 0, 0, 0, 0, time.UTC))
	err = s.app.DB().SetDemoClock(ctx, func(state sqlite.ClockState) (domain.Instant, bool) {
		shows, frozen := state.Clock, state.Frozen
		if to.IsSet() {
			shows = to
		}
		set(&frozen, b.Frozen)
		return min(shows.Add(by), latest), frozen
	})
	if err != nil {
		return nil, err
	}
	return s.clock(ctx, actor, nil)
}

package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
)

// MessagesBody is how the venue tells people things; what is left out stays.
type MessagesBody struct {
	Routes           *map[string][]string               `json:"routes,omitempty" doc:"by kind of notice: wechat, sms, mail; a kind that is missing goes by the program's own choice"`
	Texts            *map[string]domain.MessageText     `json:"texts,omitempty" doc:"own words by kind, with placeholders such as {number}"`
	WeChat           *map[string]domain.MessageTemplate `json:"wechat,omitempty" doc:"approved templates by kind"`
	SMS              *map[string]domain.MessageTemplate `json:"sms,omitempty" doc:"approved templates by kind, and for login_code"`
	Daily            *map[string]int                    `json:"daily,omitempty" doc:"the most messages of a channel on a business day, from 1; under login_code the most codes of a channel in 24 hours"`
	CodeCountries    *[]string                          `json:"code_countries,omitempty" doc:"country codes to whose phones login codes are sent by SMS, such as 86; empty for the program's own choice"`
	ShipAfterCheckIn *bool                              `json:"ship_after_check_in,omitempty" doc:"tell WeChat of every payment whose customer has come"`
}

// MessagesView is what is set, and what can be.
type MessagesView struct {
	domain.Messages
	Kinds        []string            `json:"kinds"`
	Events       []string            `json:"events"`
	Placeholders []string            `json:"placeholders"`
	Defaults     map[string][]string `json:"defaults" doc:"the program's own choice of channels by kind"`
}

type messagesInput struct{ Body MessagesBody }

type previewInput struct {
	Body struct {
		Kind string `json:"kind"`
		MessagesBody
	} `nameHint:"PreviewBody"`
}

type testInput struct {
	Body struct {
		Channel string `json:"channel" enum:"wechat,sms,mail"`
		Kind    string `json:"kind"`
		Phone   string `json:"phone,omitempty" doc:"where an SMS goes, or whose WeChat"`
		Email   string `json:"email,omitempty"`
	} `nameHint:"TestMessageBody"`
}

type channelInput struct {
	Channel string `path:"channel"`
	Body    *Nothing
}

func viewMessages(m domain.Messages) MessagesView {
	v := MessagesView{Messages: m, Kinds: domain.NoticeKinds, Events: domain.EventKinds, Placeholders: domain.Placeholders, Defaults: map[string][]string{}}
	for _, kind := range domain.NoticeKinds {
		v.Defaults[kind] = domain.DefaultRoute(kind)
	}
	return v
}

func (b MessagesBody) change(m *domain.Messages) {
	set(&m.Routes, b.Routes)
	set(&m.Texts, b.Texts)
	set(&m.WeChat, b.WeChat)
	set(&m.SMS, b.SMS)
	set(&m.Daily, b.Daily)
	set(&m.CodeCountries, b.CodeCountries)
	set(&m.ShipAfterCheckIn, b.ShipAfterCheckIn)
}

func (s *server) messageCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/messages", id: "get-messages", tag: tagOwner, who: owner,
		summary: "How people are told things"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[MessagesView], error) {
			venue, _, _, err := s.app.Venue(ctx)
			return replied(viewMessages(venue.Messages), err)
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/messages", id: "put-messages", tag: tagOwner, who: owner,
		summary: "Change how people are told things", about: "What is left out stays; one bad value refuses all. What has been written down already keeps its words."},
		func(ctx context.Context, actor app.Actor, in *messagesInput) (*reply[MessagesView], error) {
			m, err := s.app.ChangeMessages(ctx, actor, "messages", func(m *domain.Messages) error {
				in.Body.change(m)
				return nil
			})
			return replied(viewMessages(m), err)
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/messages/preview", id: "preview-message", tag: tagOwner, who: owner,
		summary: "What a kind of notice would look like", about: "With an example's facts, and with what the body would change; nothing is kept."},
		func(ctx context.Context, _ app.Actor, in *previewInput) (*reply[app.Preview], error) {
			venue, _, _, err := s.app.Venue(ctx)
			if err != nil {
				return nil, err
			}
			m := venue.Messages.Clone()
			in.Body.change(&m)
			return replied(s.app.PreviewMessage(ctx, m, in.Body.Kind))
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/messages/test", id: "test-message", tag: tagOwner, who: owner,
		summary: "Send an example by one channel, now", also: []int{http.StatusServiceUnavailable}},
		func(ctx context.Context, actor app.Actor, in *testInput) (*struct{}, error) {
			return nil, s.app.SendTest(ctx, actor, app.TestMessage(in.Body))
		})
	register(s, call{method: http.MethodGet, path: base + "/owner/channels", id: "list-channels", tag: tagOwner, who: owner,
		summary: "How every channel is doing"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[app.ChannelView]], error) {
			items, now, err := s.app.ChannelViews(ctx)
			if err != nil {
				return nil, err
			}
			return listed(ctx, s, items, now), nil
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/channels/{channel}/wake", id: "wake-channel", tag: tagOwner, who: owner,
		summary: "End a channel's pause", about: "All that waits for it is tried at once.", also: []int{http.StatusNotFound}},
		func(ctx context.Context, actor app.Actor, in *channelInput) (*struct{}, error) {
			return nil, s.app.WakeChannel(ctx, actor, in.Channel)
		})
	s.webhookCalls()
}

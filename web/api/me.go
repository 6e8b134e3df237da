package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

type wechatLoginInput struct {
	Body struct {
		Code string `json:"code" doc:"from wx.login; serves once, within five minutes"`
	} `nameHint:"WeChatLoginBody"`
}

type provePhoneInput struct {
	Body struct {
		Phone string `json:"phone" example:"13812345678"`
		Code  string `json:"code" example:"123456"`
	} `nameHint:"ProvePhoneBody"`
}

type emailInput struct {
	Body struct {
		Email string `json:"email" example:"guest@example.com"`
	} `nameHint:"EmailBody"`
}

type proveEmailInput struct {
	Body struct {
		Email string `json:"email" example:"guest@example.com"`
		Code  string `json:"code" example:"123456"`
	} `nameHint:"ProveEmailBody"`
}

type allowInput struct {
	Keyed
	Body struct {
		Accepted []string `json:"accepted" doc:"ids of templates that were accepted at one tap, at most three"`
	} `nameHint:"AllowBody"`
}

// meCalls are what customers prove of themselves, and what they allow.
func (s *server) meCalls() {
	register(s, call{method: http.MethodPost, path: base + "/login/wechat", id: "login-wechat", tag: tagLogin, who: anyone, conflicts: true,
		also:    []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable},
		summary: "Sign a customer in with WeChat", about: "With the token of a customer who is signed in, the WeChat account is joined to theirs."},
		func(ctx context.Context, actor app.Actor, in *wechatLoginInput) (*reply[app.SignedIn], error) {
			return replied(s.app.LogInWeChat(ctx, actor, in.Body.Code))
		})
	register(s, call{method: http.MethodPost, path: base + "/me/phone", id: "prove-phone", tag: tagLogin, who: customers, conflicts: true, also: []int{http.StatusUnauthorized},
		summary: "Join a phone to one's account", about: "By a login code that was sent to it. An account that the phone had and the one signed in become one."},
		func(ctx context.Context, actor app.Actor, in *provePhoneInput) (*reply[app.ProfileView], error) {
			return replied(httpx.ProvePhone(ctx, s.app, actor, in.Body.Phone, in.Body.Code))
		})
	register(s, call{method: http.MethodPost, path: base + "/me/email", id: "send-email-code", tag: tagLogin, who: customers,
		also:    []int{http.StatusServiceUnavailable},
		summary: "Send a code to an address of mail"},
		func(ctx context.Context, actor app.Actor, in *emailInput) (*reply[app.EmailCodeSent], error) {
			return replied(httpx.SendEmailCode(ctx, s.app, actor, in.Body.Email))
		})
	register(s, call{method: http.MethodPost, path: base + "/me/email/confirm", id: "prove-email", tag: tagLogin, who: customers, also: []int{http.StatusUnauthorized},
		summary: "Prove an address of mail by its code"},
		func(ctx context.Context, actor app.Actor, in *proveEmailInput) (*reply[app.ProfileView], error) {
			return replied(httpx.ProveEmail(ctx, s.app, actor, in.Body.Email, in.Body.Code))
		})
	register(s, call{method: http.MethodDelete, path: base + "/me/email", id: "forget-email", tag: tagLogin, who: customers,
		summary: "Get no more mail"},
		func(ctx context.Context, actor app.Actor, _ *struct{}) (*reply[app.ProfileView], error) {
			return replied(s.app.ForgetEmail(ctx, actor))
		})
	register(s, call{method: http.MethodGet, path: base + "/me/allowances", id: "get-allowances", tag: tagLogin, who: customers,
		summary: "What one allows the venue to send by WeChat"},
		func(ctx context.Context, actor app.Actor, _ *struct{}) (*reply[app.AllowancesView], error) {
			return replied(s.app.Allowances(ctx, actor))
		})
	register(s, call{method: http.MethodPost, path: base + "/me/allowances", id: "allow-messages", tag: tagLogin, who: customers, conflicts: true,
		summary: "Allow one more message of some templates", about: "After wx.requestSubscribeMessage has said accept."},
		func(ctx context.Context, actor app.Actor, in *allowInput) (*reply[app.AllowancesView], error) {
			if len(in.Body.Accepted) == 0 {
				return nil, domain.BadField("accepted", "must not be empty")
			}
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.Allow(ctx, actor, in.Body.Accepted, key))
		})
}

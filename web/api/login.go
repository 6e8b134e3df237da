package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

type codeInput struct {
	Body struct {
		Phone string `json:"phone" example:"13812345678"`
	} `nameHint:"LoginCodeBody"`
}

type loginInput struct {
	Body struct {
		Phone string `json:"phone" example:"13812345678"`
		Code  string `json:"code" example:"123456"`
	} `nameHint:"LoginBody"`
}

type staffLoginInput struct {
	Body struct {
		Username string `json:"username"`
		Password string `json:"password" format:"password"`
		TOTP     string `json:"totp,omitempty" doc:"reserved for a second factor"`
	} `nameHint:"StaffLoginBody"`
}

type nameInput struct {
	Body struct {
		Name string `json:"name" doc:"up to 40 characters; empty for none"`
	} `nameHint:"NameBody"`
}

type emptyInput struct{ Body *Nothing }

func (s *server) loginCalls() {
	register(s, call{method: http.MethodPost, path: base + "/login/code", id: "send-login-code", tag: tagLogin, who: anyone,
		summary: "Send a login code to a phone"},
		func(ctx context.Context, _ app.Actor, in *codeInput) (*reply[app.CodeSent], error) {
			return replied(httpx.SendLoginCode(ctx, s.app, in.Body.Phone))
		})
	register(s, call{method: http.MethodPost, path: base + "/login", id: "login", tag: tagLogin, who: anyone, also: []int{http.StatusUnauthorized},
		summary: "Sign a customer in"},
		func(ctx context.Context, _ app.Actor, in *loginInput) (*reply[app.SignedIn], error) {
			return replied(httpx.LogIn(ctx, s.app, in.Body.Phone, in.Body.Code))
		})
	register(s, call{method: http.MethodPost, path: base + "/login/staff", id: "login-staff", tag: tagLogin, who: anyone, also: []int{http.StatusUnauthorized},
		summary: "Sign a staff member in"},
		func(ctx context.Context, _ app.Actor, in *staffLoginInput) (*reply[app.SignedIn], error) {
			if len([]rune(in.Body.Password)) > domain.MaxNoteChars {
				return nil, domain.BadField("password", "must not be longer than %d characters", domain.MaxNoteChars)
			}
			return replied(httpx.LogInStaff(ctx, s.app, in.Body.Username, in.Body.Password))
		})
	register(s, call{method: http.MethodPost, path: base + "/logout", id: "logout", tag: tagLogin, who: signedIn,
		summary: "Sign out", about: "The token is worth nothing afterwards."},
		func(ctx context.Context, actor app.Actor, _ *emptyInput) (*struct{}, error) {
			return nil, s.app.LogOut(ctx, actor)
		})
	register(s, call{method: http.MethodGet, path: base + "/me", id: "get-me", tag: tagLogin, who: signedIn,
		summary: "Who is signed in"},
		func(ctx context.Context, actor app.Actor, _ *struct{}) (*reply[app.MeView], error) {
			return replied(s.app.Me(ctx, actor))
		})
	register(s, call{method: http.MethodPut, path: base + "/me", id: "put-me", tag: tagLogin, who: customers,
		summary: "Set one's own name"},
		func(ctx context.Context, actor app.Actor, in *nameInput) (*reply[app.MeView], error) {
			if _, err := s.app.Rename(ctx, actor, in.Body.Name); err != nil {
				return nil, err
			}
			return replied(s.app.Me(ctx, actor))
		})
}

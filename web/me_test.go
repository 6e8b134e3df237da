package web_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/httpx"
)

// openIDs plays WeChat: a code is the openid behind "code-", and serves once.
type openIDs map[string]bool

func (o openIDs) JSCode2Session(_ context.Context, code string) (string, error) {
	id, ok := strings.CutPrefix(code, "code-")
	if !ok || o[code] {
		return "", fmt.Errorf("40163: %w", app.ErrBadWeChatCode)
	}
	o[code] = true
	id, _, _ = strings.Cut(id, "#")
	return "openid-" + id, nil
}

// TestC53_SignInWithWeChat: two ways in, one account, and nothing that is private in any
// answer, page or line of the log.
func TestC53_SignInWithWeChat(t *testing.T) {
	said := &strings.Builder{}
	s := serve(t, true, func(c *web.Config) {
		c.App = app.New(app.Config{DB: c.App.DB(), Channel: notify.NewLog(slog.New(slog.NewTextHandler(io.Discard, nil))), WeChat: openIDs{},
			Log: slog.New(slog.NewTextHandler(said, nil)), Demo: true, Providers: []pay.Provider{}})
	})
	var answers, tokens []string
	kept := func(a answer) answer {
		answers = append(answers, a.text)
		return a
	}
	in := func(code, bearer string) answer {
		return kept(s.post("/api/v1/login/wechat", bearer, `{"code":"`+code+`"}`))
	}
	wx := in("code-abc#1", "").wants(200)
	token, id := wx.str("token"), wx.str("customer", "id")
	tokens = append(tokens, token)
	in("code-abc#1", "").wants(401, "wechat_code_invalid") // it has served
	again := in("code-abc#2", "").wants(200)               // a clean answer to another
	if again.str("customer", "id") != id {
		t.Error("one openid is two customers")
	}
	for _, bad := range []string{"", "a b", strings.Repeat("x", 129), "名"} {
		in(bad, "").wants(422, "invalid_field").blames("code")
	}
	in("code-abc#3", s.signInStaff("desk")).wants(403, "forbidden")
	// A phone that has an account becomes theirs by its code, and the session goes on.
	phone := s.signIn("13800000001")
	tokens = append(tokens, phone)
	kept(s.post("/api/v1/me/phone", token, `{"phone":"13800000001","code":"none"}`)).wants(401, "code_invalid")
	code := s.post("/api/v1/login/code", token, `{"phone":"13800000001"}`).wants(200).str("code")
	joined := kept(s.post("/api/v1/me/phone", token, `{"phone":"13800000001","code":"`+code+`"}`)).wants(200)
	if joined.json["has_wechat"] != true || joined.str("id") == id {
		t.Errorf("joined: %s", joined.text)
	}
	for _, tok := range tokens {
		me := kept(s.get("/api/v1/me", tok)).wants(200)
		if me.str("customer", "id") != joined.str("id") || me.str("customer", "phone") != "13800000001" {
			t.Errorf("me: %s", me.text)
		}
	}
	other := in("code-def#1", "").wants(200).str("token")
	code = s.post("/api/v1/login/code", "", `{"phone":"13800000001"}`).wants(200).str("code")
	kept(s.post("/api/v1/me/phone", other, `{"phone":"13800000001","code":"`+code+`"}`)).wants(409, "two_accounts")
	in("code-def#2", phone).wants(409, "two_accounts")
	kept(s.post("/api/v1/me/allowances", token, `{"accepted":["NONE"]}`)).wants(422, "invalid_field").blames("accepted[0]")
	kept(s.get("/api/v1/me/allowances", token)).wants(200)
	mail := kept(s.post("/api/v1/me/email", token, `{"email":"A@B.cn"}`)).wants(200)
	kept(s.post("/api/v1/me/email/confirm", token, `{"email":"A@b.cn","code":"`+mail.str("code")+`"}`)).wants(200)
	if got := kept(s.get("/api/v1/me", phone)).str("customer", "email"); got != "A@b.cn" {
		t.Errorf("the email is %q", got)
	}
	s.send(ask{method: "DELETE", path: "/api/v1/me/email", token: token}).wants(200)
	kept(s.get("/api/v1/owner/audit", s.signInStaff("owner"))).wants(200)
	answers = append(answers, s.send(ask{method: "GET", path: "/me", header: map[string]string{"Cookie": "courtd_session=" + token, "Accept": "text/html"}}).wants(200).text)
	everything := strings.Join(answers, "\n") + s.log.String() + said.String()
	for _, private := range []string{"openid", "session_key", `"code-abc`} {
		if strings.Contains(everything, private) {
			t.Errorf("%q is told", private)
		}
	}
	for _, tok := range tokens {
		if strings.Contains(s.log.String()+said.String(), tok) {
			t.Error("a token is in the log")
		}
	}
	if !strings.Contains(s.log.String(), "request") {
		t.Error("there is no log to look at")
	}
}

// TestProofsAreSlowedDown as attempts to sign in are.
func TestProofsAreSlowedDown(t *testing.T) {
	s := serve(t, false)
	token, hash := secret.NewToken()
	must(t, s.db.Write(context.Background(), func(tx *sqlite.Tx) error {
		if err := tx.InsertCustomer(sqlite.Customer{ID: "me"}); err != nil {
			return err
		}
		return tx.InsertSession(hash, "me", "", tx.Now.Add(domain.SessionLife))
	}))
	for n := range httpx.MaxLoginsPerName {
		s.post("/api/v1/me/email", token, fmt.Sprintf(`{"email":"a%d@b.cn"}`, n)).wants(503, "mail_not_set_up")
	}
	s.post("/api/v1/me/email", token, `{"email":"another@b.cn"}`).wants(429, "too_many")
	for range httpx.MaxLoginsPerName {
		s.post("/api/v1/me/phone", token, `{"phone":"13800000002","code":"1"}`).wants(401, "code_invalid")
		s.post("/api/v1/me/email/confirm", token, `{"email":"a@b.cn","code":"1"}`).wants(401, "code_invalid")
	}
	s.post("/api/v1/me/phone", token, `{"phone":"138 0000 0002","code":"1"}`).wants(429, "too_many")
	s.post("/api/v1/me/email/confirm", token, `{"email":"a@B.cn","code":"1"}`).wants(429, "too_many")
}

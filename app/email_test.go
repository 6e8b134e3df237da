package app_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

func TestParseEmail(t *testing.T) {
	t.Parallel()
	for in, out := range map[string]string{
		"a@b.cn": "a@b.cn", " Ann.B+x@Mail.Example.COM ": "Ann.B+x@mail.example.com", "wang@xn--fsqu00a.XN--fiqs8s": "wang@xn--fsqu00a.xn--fiqs8s",
		strings.Repeat("a", 64) + "@" + strings.Repeat(strings.Repeat("b", 62)+".", 2) + strings.Repeat("c", 60) + ".cn": "",
	} {
		if out == "" {
			out = in
		}
		got, err := app.ParseEmail("email", in)
		must(t, err)
		want(t, in, got, out)
	}
	for _, bad := range []string{"", "a", "a@", "@b.cn", "a@b", "a b@c.cn", `"a b"@c.cn`, "A <a@b.cn>", "<a@b.cn>", "a@b.cn (A)", "a@b.cn\r\nBcc: x@y.cn", "a@b.cn,c@d.cn",
		"a@[1.2.3.4]", "a@b..cn", "a@-b.cn", "a@b.cn.", "名@b.cn", "wang@例子.中国", "wang@bücher.de", "a\u200b@b.cn", "a@b\u200b.cn", "a@b.cn\x00", "a@b_c.cn", strings.Repeat("a", 250) + "@b.cn"} {
		_, err := app.ParseEmail("email", bad)
		if !domain.IsReason(err, "invalid_field") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestAnEmailIsProvenByItsCode, which goes there and nowhere else.
func TestAnEmailIsProvenByItsCode(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	m := c.withChannels()
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, Channels: []notify.Channel{m.sms, m.email}, Log: slog.New(slog.DiscardHandler)})
	people := c.crowd(2)
	me, other := people[0], people[1]
	sent, err := c.app.SendEmailCode(ctx, me, "Ann@Example.com", "here")
	must(t, err)
	want(t, "told", sent.Email+sent.Code, "Ann@example.com")
	want(t, "letters", len(m.email.got), 1)
	want(t, "others", len(m.sms.got)+len(c.mail.got), 0)
	letter := m.email.got[0]
	want(t, "letter", letter.Kind+letter.Email+letter.Phone, "email_codeAnn@example.com")
	code := sixDigits.FindString(letter.Text)
	if code == "" || !strings.Contains(letter.TextEN, code) {
		t.Fatalf("the letter says %q and %q", letter.Text, letter.TextEN)
	}
	_, err = c.app.SendEmailCode(ctx, me, "ann@example.com", "here") // another address: it may differ
	must(t, err)
	_, err = c.app.SendEmailCode(ctx, me, "Ann@EXAMPLE.com", "here")
	wantReason(t, err, "code_just_sent")
	prove := func(email, code string, from app.From) error {
		_, err := c.app.ProveEmail(ctx, me, email, code, from)
		return err
	}
	wantReason(t, prove("ann@example.net", code, "here"), "code_invalid")
	for range domain.MaxLoginCodeTries {
		wantReason(t, prove("Ann@example.com", "none", "here"), "code_invalid")
	}
	wantReason(t, prove("Ann@example.com", code, "here"), "code_invalid") // too many, from there
	want(t, "none yet", c.count("SELECT count(*) FROM customers WHERE email IS NOT NULL"), 0)
	_, err = c.app.LogIn(ctx, "mailto:Ann@example.com", code, "there") // it is no phone
	wantReason(t, err, "invalid_field")
	got, err := c.app.ProveEmail(ctx, me, "Ann@Example.com", code, "there")
	must(t, err)
	want(t, "proven", got.Email, "Ann@example.com")
	must(t, prove("Ann@example.com", "used", "there")) // the answer was lost
	_, err = c.app.ProveEmail(ctx, other, "Ann@example.com", code, "there")
	wantReason(t, err, "code_invalid") // it has served
	view, err := c.app.Me(ctx, me)
	must(t, err)
	want(t, "me", view.Customer.Email, "Ann@example.com")
	got, err = c.app.ForgetEmail(ctx, me)
	must(t, err)
	want(t, "forgotten", got.Email, "")
	want(t, "none", c.count("SELECT count(*) FROM customers WHERE email IS NOT NULL"), 0)
	for _, who := range []app.Actor{visitor, c.desk, c.owner} {
		_, err := c.app.SendEmailCode(ctx, who, "a@b.cn", "")
		wantReason(t, err, "forbidden")
		_, err = c.app.ProveEmail(ctx, who, "a@b.cn", "1", "")
		wantReason(t, err, "forbidden")
		_, err = c.app.ForgetEmail(ctx, who)
		wantReason(t, err, "forbidden")
	}
	inEarnest(c)
	_, err = c.app.SendEmailCode(ctx, me, "a@b.cn", "")
	wantReason(t, err, "mail_not_set_up")
}

// TestAllowancesAreCounted as they are given, for the person and not for the account.
func TestAllowancesAreCounted(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	_, err := m.app.ChangeMessages(ctx, m.owner, "templates", func(s *domain.Messages) error {
		param := []domain.TemplateParam{{Name: "thing1", From: "{court}"}}
		s.WeChat = map[string]domain.MessageTemplate{"paid": {ID: "TPL-A", Params: param}, "moved": {ID: "TPL-A", Params: param}, "refunded": {ID: "TPL-B", Params: param}}
		return nil
	})
	must(t, err)
	phone, wx := m.byPhone("13800000001"), m.byWeChat(visitor, "openid-a")
	me := m.is(wx.Token)
	left := func(who app.Actor) string {
		t.Helper()
		v, err := m.app.Allowances(ctx, who)
		must(t, err)
		return fmt.Sprint(v.Templates)
	}
	want(t, "none", left(me), "[{TPL-A [moved paid] 0} {TPL-B [refunded] 0}]")
	for range 2 { // the same command twice
		_, err := m.app.Allow(ctx, me, []string{"TPL-A", "TPL-B"}, "key")
		must(t, err)
	}
	_, err = m.app.Allow(ctx, me, []string{"TPL-A"}, "")
	must(t, err)
	want(t, "counted", left(me), "[{TPL-A [moved paid] 2} {TPL-B [refunded] 1}]")
	for _, bad := range [][]string{{"TPL-C"}, {"TPL-A", "TPL-A"}, {"TPL-A", ""}, {"TPL-A", "TPL-B", "TPL-A", "TPL-B"}} {
		_, err := m.app.Allow(ctx, me, bad, "")
		wantReason(t, err, "invalid_field")
	}
	_, err = m.app.Allow(ctx, m.is(phone.Token), []string{"TPL-A"}, "")
	wantReason(t, err, "wechat_sign_in_needed")
	for range domain.MaxAllowances {
		_, err := m.app.Allow(ctx, me, []string{"TPL-B"}, "")
		must(t, err)
	}
	want(t, "bounded", left(me), fmt.Sprintf("[{TPL-A [moved paid] 2} {TPL-B [refunded] %d}]", domain.MaxAllowances))
	m.byWeChat(m.is(phone.Token), "openid-a")
	want(t, "they come along", left(m.is(phone.Token)), fmt.Sprintf("[{TPL-A [moved paid] 2} {TPL-B [refunded] %d}]", domain.MaxAllowances))
}

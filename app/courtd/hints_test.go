package main

import (
	"strings"
	"testing"
)

// TestHints: settings that can be meant one by one and hardly are together, and variables
// that set nothing, are warned of and stop nothing.
func TestHints(t *testing.T) {
	t.Parallel()
	file := newVenue(t)
	mail := []string{"COURTD_SMTP_HOST=smtp.example.com", "COURTD_SMTP_FROM=hall@example.com"}
	for _, c := range []struct {
		env  []string
		line string // of the check; "" is that nothing is warned of
	}{
		{append([]string{"COURTD_SMTP_PORT=465"}, mail...), "! COURTD_SMTP_TLS: 465 端口一般要设为 tls · port 465 usually wants tls"},
		{append([]string{"COURTD_SMTP_PORT=465", "COURTD_SMTP_TLS=tls"}, mail...), ""},
		{append([]string{"COURTD_SMTP_PORT=587", "COURTD_SMTP_TLS=tls"}, mail...), "! COURTD_SMTP_TLS: 587 和 25 端口一般要设为 starttls · ports 587 and 25 usually want starttls"},
		{append([]string{"COURTD_SMTP_PORT=587"}, mail...), ""},
		{[]string{"COURTD_SMS_URL=http://sms.example.com/", "COURTD_SMS_SECRET=whsec_" + strings.Repeat("MDEy", 8)}, "! COURTD_SMS_URL: 登录验证码会不加密地经过网络"},
		{[]string{"COURTD_SMS_URL=http://10.0.0.7/", "COURTD_SMS_SECRET=whsec_" + strings.Repeat("MDEy", 8)}, ""},
		{[]string{"COURTD_SMS_URL=https://sms.example.com/", "COURTD_SMS_SECRET=whsec_" + strings.Repeat("MDEy", 8)}, ""},
		{[]string{"COURTD_WECHATPAY_MCH_ID=secret-1234"}, "! COURTD_WECHATPAY_MCH_ID: 没有这个设置，是不是 COURTD_WECHAT_PAY_MCH_ID？ · there is no such setting; is COURTD_WECHAT_PAY_MCH_ID meant?"},
		{[]string{"COURTD_QUITE_ANOTHER_THING=1"}, "! COURTD_QUITE_ANOTHER_THING: 没有这个设置 · there is no such setting"},
	} {
		status, out, complaints := programRun(t, c.env, "check", "--offline", "--db", file)
		warned := false
		for line := range strings.SplitSeq(out, "\n") {
			warned = warned || strings.HasPrefix(line, "! COURTD_")
		}
		if status != 0 || warned != (c.line != "") || !strings.Contains(out, c.line) || strings.Contains(out, "secret-1234") {
			t.Errorf("%v: status %d: %s%s", c.env, status, out, complaints)
		}
	}
	p := programStart(t, []string{"COURTD_SMS_URI=https://sms.example.com/"}, "serve", "--db", file, "--listen", "127.0.0.1:0")
	p.stop()
	if !p.says("COURTD_SMS_URL meant?") {
		t.Errorf("serve says nothing of it: %s", p.stderr.String())
	}
}

// TestWaysWithoutABrowser: a merchant of whom only the mini-program can be paid.
func TestWaysWithoutABrowser(t *testing.T) {
	t.Parallel()
	w := newOutsideWorld(t)
	file := newVenue(t)
	for _, c := range []struct{ set, line string }{
		{"COURTD_WECHAT_PAY_WAYS=jsapi", "! COURTD_WECHAT_PAY_WAYS: 没有 native 和 h5"},
		{"COURTD_WECHAT_APP_ID=wx0000000000000001", "! COURTD_WECHAT_PAY_APP_ID: 与 COURTD_WECHAT_APP_ID 不同"},
	} {
		env := append([]string{}, w.env...)
		status, out, _ := programRun(t, append(env, c.set), "check", "--offline", "--db", file)
		if status != 0 || !strings.Contains(out, c.line) {
			t.Errorf("%s: status %d: %s", c.set, status, out)
		}
		if _, out, _ = programRun(t, env, "check", "--offline", "--db", file); strings.Contains(out, c.line) {
			t.Errorf("without %s: %s", c.set, out)
		}
	}
}

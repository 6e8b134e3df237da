package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"courtd/app/pay/wechat/standin"
)

func containsAll(text string, holds []string) bool {
	for _, h := range holds {
		if !strings.Contains(text, h) {
			return false
		}
	}
	return true
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// notify brings the bank's notices to the program as they come, and wants each to be
// taken; it returns how many.
func (w *outsideWorld) notify(p *program) int {
	w.t.Helper()
	return w.bank.Deliver(func(r *http.Request) int {
		answer := w.bring(p, r)
		if answer.status != http.StatusNoContent {
			w.t.Errorf("notice to %s: %d %s", r.URL.Path, answer.status, answer.text)
		}
		return answer.status
	})
}

func (w *outsideWorld) bring(p *program, r *http.Request) programAnswer {
	w.t.Helper()
	body, err := io.ReadAll(r.Body)
	programOK(w.t, err)
	header := map[string]string{}
	for name := range r.Header {
		header[strings.ToLower(name)] = r.Header.Get(name)
	}
	answer, err := p.try(programAsk{method: http.MethodPost, path: r.URL.Path, body: string(body), header: header})
	programOK(w.t, err)
	return answer
}

// TestRealMoneyRealMessages: a real venue with WeChat Pay, WeChat sign-in, SMS, mail and a
// webhook, from the check of its settings to the refund; and nothing that is secret is
// in a log, an error, an answer or the file.
func TestRealMoneyRealMessages(t *testing.T) {
	w := newOutsideWorld(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "club.db")
	var said strings.Builder // everything that any command printed
	run := func(status int, args ...string) string {
		t.Helper()
		got, stdout, stderr := programRun(t, w.env, args...)
		said.WriteString(stdout + stderr)
		if got != status {
			t.Fatalf("courtd %s: status %d, want %d: %s%s", strings.Join(args, " "), got, status, stdout, stderr)
		}
		return stdout + stderr
	}
	run(0, "init", "--db", file, "--name", "测试球馆", "--owner", "owner")
	owner := regexp.MustCompile(`shown this once: (\S+)`).FindStringSubmatch(said.String())[1]

	out := run(0, "check", "--db", file)
	if !containsAll(out, []string{"✓ 微信支付", "✓ 短信：设置完整；不发消息就无法询问", "✓ 邮件：已询问", "✓ 微信订阅消息：已询问", "✓ 数据库"}) || strings.Contains(out, "✗") {
		t.Fatalf("check says: %s", out)
	}
	w.bank.Drift(6 * time.Minute)
	if out := run(1, "check", "--db", file); !strings.Contains(out, "请校准时间") {
		t.Fatalf("check of a drifted clock says: %s", out)
	}
	w.bank.Drift(0)

	p := programStart(t, w.env, "serve", "--db", file, "--listen", "127.0.0.1:0", "--reconcile-every", "1s")
	var answers strings.Builder // everything that any call was answered
	call := func(method, path, token string, body any, status int) programAnswer {
		t.Helper()
		a := p.send(programAsk{method: method, path: path, token: token, body: body, key: fmt.Sprint("k", answers.Len())})
		answers.WriteString(a.text + "\n")
		if a.status != status {
			t.Fatalf("%s %s: status %d, want %d: %s", method, path, a.status, status, a.text)
		}
		return a
	}
	ownerToken := p.post("/api/v1/login/staff", "", map[string]string{"username": "owner", "password": owner}).wants(200).str("token")

	// Sign in: a phone by SMS, and WeChat joined to it by both proofs.
	call("POST", "/api/v1/login/code", "", map[string]string{"phone": "13812345678"}, 200)
	code := sixDigits.FindString(w.arrives("text", &w.texts, "+8613812345678", "login_code"))
	token := p.post("/api/v1/login", "", map[string]string{"phone": "13812345678", "code": code}).wants(200).str("token")
	const openID = "openid-of-the-customer-000001"
	w.wechat.AddCode("wx-code-1", openID)
	joined := p.send(programAsk{method: "POST", path: "/api/v1/login/wechat", token: token, body: map[string]string{"code": "wx-code-1"}}).wants(200)
	joined.has(true, "customer", "has_wechat").has("13812345678", "customer", "phone")
	answers.WriteString(joined.text)
	call("POST", "/api/v1/login/wechat", "", map[string]string{"code": "wx-code-1"}, 401)

	// A proven email address, templates, routes, a webhook.
	call("POST", "/api/v1/me/email", token, map[string]string{"email": "guest@example.com"}, 200)
	mailed := plainOf(t, w.arrives("mail", &w.mail, "guest@example.com"))
	call("POST", "/api/v1/me/email/confirm", token, map[string]string{"email": "guest@example.com", "code": sixDigits.FindString(mailed)}, 200)
	const template = "template-of-paid-orders-0000000000000000000"
	w.wechat.AddTemplate(template, "thing1", "time2", "amount3")
	w.wechat.AddUser(openID)
	w.wechat.Allow(openID, template, 1)
	call("PUT", "/api/v1/owner/messages", ownerToken, map[string]any{
		"routes": map[string][]string{"paid": {"wechat", "sms", "mail"}, "refunded": {"sms"}},
		"wechat": map[string]any{"paid": map[string]any{"id": template, "params": []map[string]string{{"name": "thing1", "from": "{court}"}, {"name": "time2", "from": "{start}"}, {"name": "amount3", "from": "{amount}"}}}},
		"sms":    map[string]any{"paid": map[string]any{"id": "10001", "params": []map[string]string{{"from": "{number}"}, {"from": "{first_slot}"}}}},
	}, 200)
	call("POST", "/api/v1/me/allowances", token, map[string]any{"accepted": []string{template}}, 200)
	hook := p.send(programAsk{method: "POST", path: "/api/v1/owner/webhooks", token: ownerToken, key: "hook",
		body: map[string]any{"url": w.ours.URL + "/events", "kinds": []string{"order.paid", "order.refunded", "slot.freed"}}}).wants(201)
	w.mu.Lock()
	w.hook = hook.str("secret")
	w.mu.Unlock()

	// Book and pay.
	day := time.Now().In(time.FixedZone("", 8*3600)).AddDate(0, 0, 3).Format("2006-01-02")
	order := call("POST", "/api/v1/orders", token, map[string]any{"slots": []map[string]string{{"court": "c1", "start": day + "T10:00:00+08:00"}}}, 201).str("id")
	native := call("POST", "/api/v1/orders/"+order+"/payments", token, map[string]string{"via": "wechat_native"}, 200)
	if !strings.HasPrefix(native.str("params", "code_url"), "weixin://") {
		t.Fatalf("no code to scan: %s", native.text)
	}
	jsapi := call("POST", "/api/v1/orders/"+order+"/payments", token, map[string]string{"via": "wechat_jsapi"}, 200)
	for _, name := range []string{"timeStamp", "nonceStr", "package", "signType", "paySign"} {
		jsapi.str("params", name)
	}
	no := native.str("out_trade_no")
	programOK(t, w.bank.Pay(no))
	first, err := w.bank.NoticeOf(no)
	programOK(t, err)
	if n := w.notify(p); n != 1 {
		t.Fatalf("%d notices were taken", n)
	}
	if again := w.bring(p, first.Request()); again.status != http.StatusNoContent {
		t.Fatalf("the same again: %d %s", again.status, again.text)
	}
	probe := first.Request()
	probe.Header.Set("Wechatpay-Signature", "WECHATPAY/SIGNTEST/"+probe.Header.Get("Wechatpay-Signature"))
	if a := w.bring(p, probe); a.status != http.StatusUnauthorized {
		t.Fatalf("a probe of our signature check: %d", a.status)
	}
	call("GET", "/api/v1/orders/"+order, token, nil, 200).has("paid", "state").has(6000, "paid")
	page := p.send(programAsk{method: "GET", path: "/orders/" + order, header: map[string]string{"Cookie": "courtd_session=" + token}})
	answers.WriteString(page.text)

	// Everybody is told, each in their own way.
	w.arrives("text", &w.texts, `"kind":"paid"`, `"template":"10001"`, "1号场")
	w.arrives("mail", &w.mail, "guest@example.com", "text/calendar", "multipart")
	w.arrives("event", &w.events, `"type":"order.paid"`, order)
	w.until("a WeChat message", func() bool { return len(w.wechat.Messages()) == 1 })
	w.until("the other attempt to be closed", func() bool { return w.bank.Calls(standin.CallClose) >= 1 })

	// Cancelled in time: the money goes back, and the slot is free.
	call("POST", "/api/v1/orders/"+order+"/cancel", token, map[string]any{}, 200)
	var refund string
	w.until("a refund", func() bool {
		if list := w.bank.Ledger()[no].Refunds; len(list) == 1 {
			refund = list[0]
		}
		return refund != ""
	})
	programOK(t, w.bank.FinishRefund(refund, standin.Success))
	if n := w.notify(p); n != 1 {
		t.Fatalf("%d notices of the refund were taken", n)
	}
	call("GET", "/api/v1/orders/"+order, token, nil, 200).has("cancelled", "state").has(6000, "refunded")
	w.arrives("event", &w.events, `"type":"order.refunded"`, order)
	w.arrives("event", &w.events, `"type":"slot.freed"`, day)
	w.arrives("text", &w.texts, `"kind":"refunded"`)
	if got := w.bank.Ledger()[no]; got.RefundedFen != 6000 {
		t.Fatalf("the bank's ledger says %+v", got)
	}

	// Then nothing outside works any more: errors are told, and tell nothing.
	w.breakAll()
	second := call("POST", "/api/v1/orders", token, map[string]any{"slots": []map[string]string{{"court": "c2", "start": day + "T10:00:00+08:00"}}}, 201).str("id")
	call("POST", "/api/v1/orders/"+second+"/payments", token, map[string]string{"via": "wechat_native"}, 503)
	call("POST", "/api/v1/login/code", "", map[string]string{"phone": "13812345679"}, 503)
	call("POST", "/api/v1/login/wechat", "", map[string]string{"code": "wx-code-2"}, 503)
	call("POST", "/api/v1/owner/messages/test", ownerToken, map[string]string{"channel": "mail", "kind": "paid", "email": "guest@example.com"}, 503)
	call("POST", "/api/v1/owner/messages/test", ownerToken, map[string]string{"channel": "sms", "kind": "paid", "phone": "13812345678"}, 503)
	call("POST", "/api/v1/owner/bills/fetch", ownerToken, map[string]string{"day": time.Now().AddDate(0, 0, -5).Format("2006-01-02")}, 503)
	call("GET", "/api/v1/owner/channels", ownerToken, nil, 200)
	call("GET", "/api/v1/owner/messages", ownerToken, nil, 200)
	call("GET", "/api/v1/owner/reconciler", ownerToken, nil, 200)
	call("GET", "/healthz", "", nil, 200)
	w.stopMail()
	if out := run(1, "check", "--db", file); !containsAll(out, []string{"✗ 邮件：", "✗ 微信订阅消息：", "mail server", "WeChat stable_token answered 500"}) {
		t.Fatalf("check of a broken world says: %s", out)
	}
	run(0, "reconcile", "--db", file)
	p.stop()
	said.WriteString(p.stdout.String() + p.stderr.String())

	secrets := map[string]string{"the APIv3 key": outsideAPIKey, "the mini-program's secret": outsideAppSecret, "the gateway's secret": outsideSMSSecret,
		"its bytes": "sms-gateway-secret", "the mail password": outsidePassword, "a line of the private key": w.keyLine, "the webhook's secret": w.hook,
		"an access token": w.wechat.Token(), "session_key": "session_key", "a signature": "WECHATPAY2-SHA256-RSA2048"}
	places := map[string]string{"an answer": answers.String(), "what the commands said": said.String(), "the file": everyByte(t, folder, "club.db")}
	for what, secret := range secrets {
		if len(secret) < 10 {
			t.Errorf("%s is %q: that is no secret to look for", what, secret)
		}
		for where, text := range places {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s is in %s: …%q…", what, where, text[max(0, at-80):min(len(text), at+40)])
			}
		}
	}
	private := map[string]string{"an openid": openID, "a session's token": token, "the owner's token": ownerToken, "a login code's words": "验证码 " + code}
	for what, secret := range private {
		for _, where := range []string{"an answer", "what the commands said"} {
			if strings.Contains(places[where], secret) {
				t.Errorf("%s is in %s", what, where)
			}
		}
	}
	for _, hidden := range []string{token, ownerToken} {
		if strings.Contains(places["the file"], hidden) {
			t.Error("a token is in the file in clear")
		}
	}
}

// everyByte gives all that is in a database and its companions.
func everyByte(t *testing.T, folder, name string) string {
	t.Helper()
	var all strings.Builder
	for _, end := range []string{"", "-wal", "-shm"} {
		text, err := os.ReadFile(filepath.Join(folder, name+end))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		all.Write(text)
	}
	if all.Len() < 100_000 {
		t.Fatalf("the file has %d bytes only", all.Len())
	}
	return all.String()
}

// until waits until something is so.
func (w *outsideWorld) until(what string, so func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(programPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if so() {
			return
		}
	}
	w.t.Fatalf("waited in vain for %s", what)
}

// plainOf gives the plain part of a mail.
func plainOf(t *testing.T, raw string) string {
	t.Helper()
	_, rest, ok := strings.Cut(raw, "Content-Transfer-Encoding: base64")
	if !ok {
		return raw
	}
	_, rest, _ = strings.Cut(rest, "\r\n\r\n")
	coded, _, _ := strings.Cut(rest, "\r\n--")
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(coded), ""))
	programOK(t, err)
	return string(text)
}

package main

import (
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// settingsOf are the flags of commands that a variable sets, by the variable.
func settingsOf(t *testing.T, commandNames ...string) map[string]*kong.Flag {
	t.Helper()
	var c commands
	parser, err := kong.New(&c)
	programOK(t, err)
	out := map[string]*kong.Flag{}
	for _, node := range parser.Model.Children {
		for _, flag := range node.Flags {
			for _, name := range flag.Tag.Envs {
				if slices.Contains(commandNames, node.Name) {
					out[name] = flag
				}
			}
		}
	}
	if len(out) < 40 {
		t.Fatalf("only %d settings", len(out))
	}
	return out
}

// lineAbout gives the check's line about a variable.
func lineAbout(out, name string) string {
	for line := range strings.SplitSeq(out, "\n") {
		if strings.Contains(line, " "+name+": ") {
			return line
		}
	}
	return ""
}

// TestASecretInTheWrongVariable: whatever a variable holds that cannot be used, the check
// names the variable, says in both languages what it must hold, prints nothing of it, and
// goes on.
func TestASecretInTheWrongVariable(t *testing.T) {
	t.Parallel()
	const pasted = "hunter2-pasted-here"
	file := filepath.Join(t.TempDir(), "venue.db")
	if status, _, complaints := programRun(t, nil, "init", "--db", file, "--name", "馆"); status != 0 {
		t.Fatal(complaints)
	}
	all := []string{"COURTD_SMTP_USERNAME=venue"}
	var typed []string
	for name, flag := range settingsOf(t, "check", "serve") {
		if name == "COURTD_DB" || name == "COURTD_LISTEN" { // what is looked for and not there has to be named
			continue
		}
		all = append(all, name+"="+pasted)
		if kind := flag.Target.Kind(); kind != reflect.String && flag.Target.Type() != reflect.TypeFor[[]string]() {
			typed = append(typed, name)
			if zh, _ := wantedOf(flag.Target.Type()); zh == "内容无法识别" {
				t.Errorf("nobody is told what %s must hold", name)
			}
		}
	}
	for _, want := range []string{"COURTD_SMTP_PORT", "COURTD_RECONCILE_EVERY", "COURTD_TRUSTED_PROXY", "COURTD_LOG_LEVEL", "COURTD_SECURE_COOKIES"} {
		if !slices.Contains(typed, want) {
			t.Errorf("%s is not among %v", want, typed)
		}
	}
	status, out, complaints := programRun(t, all, "check", "--db", file)
	if status != 1 || strings.Contains(out+complaints, "hunter2") {
		t.Errorf("status %d: %s%s", status, out, complaints)
	}
	for _, name := range append(typed, "COURTD_SMTP_TLS", "COURTD_SMTP_FROM", "COURTD_WECHAT_PAY_NOTIFY_URL", "COURTD_WECHAT_PAY_WAYS", "COURTD_WECHAT_PAY_CERTIFICATE_FILES",
		"COURTD_WECHAT_PAY_BASE_URL", "COURTD_WECHAT_API_BASE_URL", "COURTD_SMS_URL", "COURTD_SECRET_KEY_FILE") {
		line := lineAbout(out, name)
		zh, en, both := strings.Cut(line, " · ")
		if !strings.HasPrefix(line, "✗ ") || !both || zh == "✗ "+name+": " || strings.ContainsAny(en, "应为网") || !strings.ContainsFunc(zh, func(r rune) bool { return r > 0x4e00 }) {
			t.Errorf("of %s it says %q", name, line)
		}
	}
	if !strings.Contains(out, "✓ 数据库可用") || !strings.Contains(out, "邮件：设置有误，没有询问") {
		t.Errorf("it does not go on: %s", out)
	}
	for _, command := range []string{"serve", "reconcile"} {
		status, out, complaints := programRun(t, all, command, "--db", file)
		if status == 0 || strings.Contains(out+complaints, "hunter2") || !containsAll(complaints, []string{"COURTD_SMTP_PORT: 应为整数 · must be a whole number", "COURTD_SMS_URL: "}) {
			t.Errorf("%s: status %d: %s%s", command, status, out, complaints)
		}
	}
	for name, args := range map[string][]string{"COURTD_SMTP_PORT": {"serve", "--db", file}, "COURTD_COURTS": {"init", "--db", file + "2", "--name", "馆"}, "COURTD_DEMO_NOW": {"demo"}, "COURTD_SMS_TENCENT_BASE_URL": {"serve", "--db", file}} {
		env := []string{name + "=" + pasted, "COURTD_SMTP_HOST=mail.example", "COURTD_SMS_TENCENT_SIGN=晨光"}
		status, out, complaints := programRun(t, env, args...)
		if status == 0 || strings.Contains(out+complaints, "hunter2") || !strings.Contains(complaints, "  "+name+": ") || !strings.Contains(complaints, " · ") {
			t.Errorf("%s: status %d: %s%s", name, status, out, complaints)
		}
	}
}

// TestVariablesFromAFileOfWindows: line ends and byte order marks are ignored, and told;
// an empty variable is one that is not set.
func TestVariablesFromAFileOfWindows(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "venue.db")
	env := []string{"COURTD_NAME=馆\r", "COURTD_COURT=甲, 乙 ,,丙\r\n", "COURTD_DB=" + file}
	if status, out, complaints := programRun(t, env, "init"); status != 0 || !strings.Contains(out, "3 courts") {
		t.Fatalf("init: %s%s", out, complaints)
	}
	w := newOutsideWorld(t)
	for i, setting := range w.env {
		if !strings.HasPrefix(setting, "SSL_") {
			w.env[i] += "\r"
		}
	}
	w.env = append(w.env, "COURTD_RECONCILE_EVERY=", "COURTD_DB="+file+"\r\n", "COURTD_SMTP_TLS=", "COURTD_SMTP_FROM_NAME=馆 ", "COURTD_TRUSTED_PROXY=127.0.0.1/32, ::1/128")
	status, out, complaints := programRun(t, w.env, "check")
	if status != 0 || !containsAll(out, []string{"✓ 微信支付", "✓ 邮件：已询问", "✓ 微信订阅消息：已询问", "! COURTD_SMTP_PASSWORD: 开头或末尾有换行符", "! COURTD_SMTP_FROM_NAME: 开头或末尾有空格"}) {
		t.Errorf("status %d: %s%s", status, out, complaints)
	}
	if strings.Contains(out, "TRUSTED_PROXY") {
		t.Errorf("spaces in a list are harmless: %s", out)
	}
	p := programStart(t, append(w.env, "COURTD_LISTEN=127.0.0.1:0\r"), "serve")
	p.get("/healthz", "").wants(200)
	p.stop()
}

// TestWhatIsWantedOfAKind: each kind of variable has words of its own.
func TestWhatIsWantedOfAKind(t *testing.T) {
	seen := map[string]reflect.Type{}
	for _, of := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[bool](), reflect.TypeFor[every](), reflect.TypeFor[[]netip.Prefix](), reflect.TypeFor[startTime](), reflect.TypeFor[complex128]()} {
		zh, en := wantedOf(of)
		if other, twice := seen[zh+en]; twice || zh == "" || en == "" {
			t.Errorf("%s and %s: %q %q", of, other, zh, en)
		}
		seen[zh+en] = of
	}
	if zh, _ := wantedOf(reflect.TypeFor[time.Duration]()); zh == "应为整数" {
		t.Error("a duration is no number")
	}
}

// TestWhereNoticesAreTaken: the check knows at which paths the web takes notices of WeChat
// by asking the web itself, and warns of any other.
func TestWhereNoticesAreTaken(t *testing.T) {
	t.Parallel()
	w := newOutsideWorld(t)
	file := filepath.Join(t.TempDir(), "venue.db")
	if status, _, complaints := programRun(t, nil, "init", "--db", file, "--name", "馆"); status != 0 {
		t.Fatal(complaints)
	}
	p := programStart(t, w.env, "serve", "--db", file, "--listen", "127.0.0.1:0")
	for _, path := range []string{"/pay/wechat/notify", "/pay/wechat/refund-notify", "/api/v1/pay/wechat/notify", "/api/v1/pay/wechat/refund-notify", "/", "", "/notify", "/pay/wechat", "/pay/wechat/notify/", "/PAY/WECHAT/NOTIFY", "/pay/alipay/notify"} {
		env := append(slices.Clone(w.env), "COURTD_WECHAT_PAY_NOTIFY_URL=https://venue.example"+path)
		status, out, _ := programRun(t, env, "check", "--db", file, "--offline")
		warned := strings.HasPrefix(lineAbout(out, "COURTD_WECHAT_PAY_NOTIFY_URL"), "! ")
		if status != 0 || warned != (lineAbout(out, "COURTD_WECHAT_PAY_NOTIFY_URL") != "") || strings.Contains(out, "venue.example") {
			t.Errorf("%s: status %d: %s", path, status, out)
		}
		taken := p.send(programAsk{method: "POST", path: path, body: "{}"}).status == 401 // it wants a signature
		if warned == taken {
			t.Errorf("%q: taken %v, warned %v", path, taken, warned)
		}
	}
	p.stop()
	for url, words := range map[string]string{"http://venue.example/pay/wechat/notify": "✗ COURTD_WECHAT_PAY_NOTIFY_URL: 网址必须以 https:// 开头", "https://venue.example/pay/wechat/notify?v=1": "✗ COURTD_WECHAT_PAY_NOTIFY_URL: 网址不能带参数",
		"https://localhost/pay/wechat/notify": "! COURTD_WECHAT_PAY_NOTIFY_URL: 主机在本机或内网"} {
		_, out, _ := programRun(t, append(slices.Clone(w.env), "COURTD_WECHAT_PAY_NOTIFY_URL="+url), "check", "--db", file, "--offline")
		if !strings.Contains(out, words) || strings.Count(out, "NOTIFY_URL") != 1 {
			t.Errorf("%s: %s", url, out)
		}
	}
	_, out, _ := programRun(t, append(slices.Clone(w.env), "COURTD_SMTP_PORT=sixty"), "check", "--db", file)
	if !strings.Contains(out, "邮件：设置有误，没有询问") || strings.Contains(out, "✓ 邮件") {
		t.Errorf("mail is asked by another port than was meant: %s", out)
	}
}

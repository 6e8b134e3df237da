package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newVenue sets a venue up in a file of its own.
func newVenue(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "venue.db")
	if status, _, complaints := programRun(t, nil, "init", "--db", file, "--name", "馆"); status != 0 {
		t.Fatal(complaints)
	}
	return file
}

// theRow reads one text out of a file.
func theRow(t *testing.T, file, query string) (text string) {
	t.Helper()
	programOK(t, programFile(t, file).QueryRow(query).Scan(&text))
	return text
}

// change writes into a file that no program serves now.
func change(t *testing.T, file, query string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(file))
	programOK(t, err)
	_, err = db.Exec(query)
	programOK(t, errors.Join(err, db.Close()))
}

// TestAProgramThatCannotStartSpeaksForNobody: a second one without settings, which finds
// its port taken, does not switch off the channels of the one that serves.
func TestAProgramThatCannotStartSpeaksForNobody(t *testing.T) {
	t.Parallel()
	file := newVenue(t)
	p := programStart(t, []string{"COURTD_SMS_URL=http://127.0.0.1:9/sms", "COURTD_SMS_SECRET=whsec_" + strings.Repeat("MDEy", 8)}, "serve", "--db", file, "--listen", "127.0.0.1:0")
	const channels = "SELECT json_extract(messages, '$.set_up') FROM venue"
	if got := theRow(t, file, channels); got != `["sms"]` {
		t.Fatalf("set up are %s", got)
	}
	address := strings.TrimPrefix(p.base, "http://")
	status, _, complaints := programRun(t, nil, "serve", "--db", file, "--listen", address)
	wantComplaint(t, status, 1, complaints, "another program uses "+address)
	if got := theRow(t, file, channels); got != `["sms"]` {
		t.Errorf("after the second has failed, set up are %s", got)
	}
	// One that does start takes nothing away either, says so, and adds what it has.
	second := programStart(t, []string{"COURTD_SMTP_HOST=127.0.0.1", "COURTD_SMTP_TLS=none", "COURTD_SMTP_PORT=9", "COURTD_SMTP_FROM=a@example.com"}, "serve", "--db", file, "--listen", "127.0.0.1:0")
	if got := theRow(t, file, channels); got != `["sms","mail"]` || !second.says("no settings for") {
		t.Errorf("beside the second, set up are %s: %s", got, second.stderr)
	}
	second.kill()
	p.kill() // also one that was killed serves no more
	alone := programStart(t, nil, "serve", "--db", file, "--listen", "127.0.0.1:0")
	if got := theRow(t, file, channels+" WHERE json_type(messages, '$.set_up') IS NOT NULL UNION ALL SELECT 'nothing' LIMIT 1"); got != "nothing" {
		t.Errorf("the next that serves alone has set up %s", got)
	}
	alone.stop()
}

// TestALostKeyIsMissed: not where there is nothing to lose, but where webhooks have
// secrets that follow from it.
func TestALostKeyIsMissed(t *testing.T) {
	t.Parallel()
	file := newVenue(t)
	_, out, _ := programRun(t, nil, "check", "--offline", "--db", file)
	if !strings.Contains(out, "– 推送密钥将在首次运行时生成") {
		t.Errorf("nothing is lost yet: %s", out)
	}
	programStart(t, nil, "serve", "--db", file, "--listen", "127.0.0.1:0").stop()
	change(t, file, `UPDATE venue SET messages = json_set(messages, '$.webhooks',
		json('[{"id":"w","url":"https://venue.example/","kinds":["order.paid"],"generation":1,"active":true}]'))`)
	status, out, _ := programRun(t, nil, "check", "--offline", "--db", file)
	if status != 0 || strings.Contains(out, "COURTD_SECRET_KEY_FILE") {
		t.Errorf("the key is there: %d %s", status, out)
	}
	programOK(t, os.Remove(file+".key"))
	status, out, _ = programRun(t, nil, "check", "--offline", "--db", file)
	if line := lineAbout(out, "COURTD_SECRET_KEY_FILE"); status != 1 || !strings.HasPrefix(line, "✗") || !strings.Contains(line, "1 个推送") || !strings.Contains(line, "secrets of 1 webhooks") {
		t.Errorf("status %d: %s", status, out)
	}
	p := programStart(t, nil, "serve", "--db", file, "--listen", "127.0.0.1:0")
	p.stop()
	if !p.says("the key file was gone") {
		t.Errorf("serve says nothing of it: %s", p.stderr.String())
	}
}

// TestCodesWithoutATemplate: a carrier that takes no words of one's own needs one, or
// nobody can sign in.
func TestCodesWithoutATemplate(t *testing.T) {
	t.Parallel()
	file := newVenue(t)
	tencent := []string{"COURTD_SMS_TENCENT_SECRET_ID=AKIDz8krbsJ5yKBZQpn74WFkmLPx3", "COURTD_SMS_TENCENT_SECRET_KEY=Gu5t9xGARNpq86cd98joQYCN3",
		"COURTD_SMS_TENCENT_APP_ID=1400006666", "COURTD_SMS_TENCENT_SIGN=晨光"}
	status, out, _ := programRun(t, tencent, "check", "--offline", "--db", file)
	if status != 1 || !strings.Contains(out, "✗ 腾讯云短信：登录验证码还没有模板") || !strings.Contains(out, "login codes have no template") {
		t.Errorf("status %d: %s", status, out)
	}
	change(t, file, `UPDATE venue SET messages = json_set(messages, '$.sms', json('{"login_code":{"id":"1","params":[{"from":"{code}"}]}}'))`)
	if status, out, _ = programRun(t, tencent, "check", "--offline", "--db", file); status != 0 || strings.Contains(out, "没有模板") {
		t.Errorf("with a template: status %d: %s", status, out)
	}
}

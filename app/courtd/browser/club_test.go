package browser_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// noon is where a demonstration's clock starts, frozen: Thursday 10 December 2026,
// 12:00 in Shanghai.
const noon = "2026-12-10T12:00:00+08:00"

// club is a running courtd.
type club struct {
	t    *testing.T
	base string      // http://127.0.0.1:port
	out  chan string // the lines that it prints
	log  *strings.Builder
}

// openClub serves a new demonstration.
func openClub(t *testing.T) *club {
	t.Helper()
	return openAt(t, noon)
}

// openAt serves one whose clock starts elsewhere.
func openAt(t *testing.T, start string) *club {
	t.Helper()
	return serve(t, "demo", "--db", filepath.Join(t.TempDir(), "demo.db"), "--now", start, "--reconcile-every", "0")
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// guarded runs a command and kills it when nobody holds its input any more: a
// program whose test has died must not stay behind.
const guarded = `exec 3<&0; (cat <&3; kill -9 $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`

// serve starts a command of courtd that serves, on a port of its own.
func serve(t *testing.T, args ...string) *club {
	t.Helper()
	path, err := binary()
	must(t, err)
	k := &club{t: t, out: make(chan string, 64), log: &strings.Builder{}}
	args = append([]string{"-c", guarded, "sh", path}, append(args, "--listen", "127.0.0.1:0", "--log-level", "warn")...)
	cmd := exec.Command("sh", args...)
	for _, kept := range os.Environ() {
		if !strings.HasPrefix(kept, "COURTD_") {
			cmd.Env = append(cmd.Env, kept)
		}
	}
	cmd.Stderr = k.log
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			select {
			case k.out <- lines.Text():
			default: // nobody reads that much
			}
		}
		close(k.out)
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		stdin.Close()
		if t.Failed() && k.log.Len() > 0 {
			t.Logf("courtd said: %s", k.log)
		}
	})
	k.base = k.printed(address)
	return k
}

// printed waits for a line in which something is found and gives that.
func (k *club) printed(what *regexp.Regexp) string {
	k.t.Helper()
	for end := time.After(patience); ; {
		select {
		case line, running := <-k.out:
			if found := what.FindString(line); found != "" {
				return found
			}
			if !running {
				k.t.Fatalf("courtd ended: %s", k.log)
			}
		case <-end:
			k.t.Fatalf("courtd does not print %s", what)
		}
	}
}

// body is a JSON object.
type body = map[string]any

// call sends a request to the API and wants it to succeed.
func (k *club) call(method, path, token string, in body) body {
	k.t.Helper()
	var text []byte
	if in != nil {
		var err error
		text, err = json.Marshal(in)
		must(k.t, err)
	}
	req, err := http.NewRequest(method, k.base+path, bytes.NewReader(text))
	must(k.t, err)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	must(k.t, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	must(k.t, err)
	if res.StatusCode >= 300 {
		k.t.Fatalf("%s %s: status %d: %s", method, path, res.StatusCode, answer)
	}
	out := body{}
	if len(answer) > 0 {
		must(k.t, json.Unmarshal(answer, &out))
	}
	return out
}

// set moves the clock, which stands still from then on, to a time as at takes it.
func (k *club) set(clock string) {
	k.t.Helper()
	k.call("POST", "/demo/clock", "", body{"set": at(clock).Format(time.RFC3339), "frozen": true})
}

// at is a time of day on 10 December, such as "17:10" or "17:10:30", or on a day
// before or after it, as "-2 17:10" or "+1 17:10".
func at(clock string) time.Time {
	days := 0
	if day, rest, elsewhere := strings.Cut(clock, " "); elsewhere {
		days, _ = strconv.Atoi(day)
		clock = rest
	}
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	when, err := time.Parse(time.RFC3339, "2026-12-10T"+clock+"+08:00")
	if err != nil {
		panic(err) // the test's own words
	}
	return when.AddDate(0, 0, days)
}

// account is how to sign in at the desk of a demonstration.
func (k *club) account(role string) (username, password string) {
	k.t.Helper()
	accounts := k.call("GET", "/demo", "", nil)["accounts"].(body)
	account, ok := accounts[role].(body)
	if !ok {
		k.t.Fatalf("the demonstration has no account for %s", role)
	}
	return account["username"].(string), account["password"].(string)
}

// staff signs a member of staff in at the API and gives the token.
func (k *club) staff(role string) string {
	k.t.Helper()
	username, password := k.account(role)
	return k.call("POST", "/api/v1/login/staff", "", body{"username": username, "password": password})["token"].(string)
}

// customer signs somebody in at the API and gives the token.
func (k *club) customer(phone string) string {
	k.t.Helper()
	code := k.call("POST", "/api/v1/login/code", "", body{"phone": phone})["code"]
	return k.call("POST", "/api/v1/login", "", body{"phone": phone, "code": code})["token"].(string)
}

// slots is the body of an order: court, time, court, time.
func slots(courtsAndTimes ...string) body {
	var list []body
	for i := 0; i < len(courtsAndTimes); i += 2 {
		list = append(list, body{"court": courtsAndTimes[i], "start": at(courtsAndTimes[i+1]).Format(time.RFC3339)})
	}
	return body{"slots": list}
}

// book makes an order through the API and gives its id.
func (k *club) book(token string, order body) string {
	k.t.Helper()
	return k.call("POST", "/api/v1/orders", token, order)["id"].(string)
}

// paid makes an order through the API, pays it and gives its id and ticket code.
func (k *club) paid(token string, order body) (id, code string) {
	k.t.Helper()
	id = k.book(token, order)
	number := k.call("POST", "/api/v1/orders/"+id+"/payments", token, body{"via": "sandbox"})["out_trade_no"].(string)
	k.call("POST", "/demo/payments/"+number+"/succeed", "", nil)
	ticket := k.call("GET", "/api/v1/orders/"+id, token, nil)["ticket"].(body)
	return id, ticket["code"].(string)
}

// sold sells slots at the desk through the API, for cash, and gives the order's id.
func (k *club) sold(desk, name string, order body) string {
	k.t.Helper()
	order["customer"], order["pay"] = body{"name": name}, "cash"
	return k.call("POST", "/api/v1/desk/orders", desk, order)["id"].(string)
}

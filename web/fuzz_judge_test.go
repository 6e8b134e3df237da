package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app"
	"courtd/web/httpx"
)

// unavailable are the reasons with which this venue may answer 503: what it has not set
// up, by the calls that need it, and a clock that was moved back.
var unavailable = []string{"clock_behind", "wechat_not_set_up", "mail_not_set_up", "webhooks_not_set_up"}

// faults are traces of what went wrong inside.
var faults = []string{"goroutine ", "runtime error", ".go:", "sqlite3", "SQL logic", "SELECT ", "constraint failed", "panic", "<nil>", "%!", "<no value>", "ZgotmplZ",
	"$argon2id$", "json: ", "strconv.", "reflect."}

// judge holds an answer against what every answer must be.
func (v *fuzzed) judge(a asked, got answer) {
	v.t.Helper()
	fail := func(format string, args ...any) {
		v.t.Helper()
		v.t.Errorf("%s\n%s\nanswered %d %s %.1500s", fmt.Sprintf(format, args...), a, got.status, got.header, got.text)
	}
	kind := got.header.Get("Content-Type")
	reason, _ := got.json["reason"].(string)
	for _, line := range v.log.bad {
		if got.status != http.StatusServiceUnavailable || !strings.Contains(line, " error="+reason+":") {
			fail("went wrong: %s", line)
		}
	}
	v.log.bad = nil
	switch {
	case got.status >= 500 && !(got.status == http.StatusServiceUnavailable && slices.Contains(unavailable, reason)):
		fail("status %d", got.status)
	case strings.HasPrefix(kind, "application/problem+json"):
		v.judgeProblem(got, fail)
	case strings.HasPrefix(kind, "application/json"), strings.HasPrefix(kind, "application/vnd.oai"), strings.HasPrefix(kind, "application/openapi"):
		if got.status >= 400 {
			fail("a refusal that is no problem document")
		}
	case got.status >= 300 && got.status < 400 && got.status != http.StatusNotModified:
		if to := got.header.Get("Location"); !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, "/\\") {
			fail("it leads to %q", to)
		} else if _, err := url.Parse(to); err != nil {
			fail("it leads to %q: %v", to, err)
		}
	case got.status >= 400 && got.text != "" && !strings.HasPrefix(kind, "text/html"):
		fail("a refusal of type %q", kind)
	case a.method != http.MethodHead && got.text != "" && kind == "":
		fail("an answer of no type")
	}
	if strings.Contains(kind, "text") || strings.Contains(kind, "json") {
		if got.header.Get("Content-Encoding") == "" && !utf8.ValidString(got.text) {
			fail("no UTF-8")
		}
	}
	v.judgeSecrets(a, got, fail)
	if a.wellFormed && v.demo {
		if err := v.start.contract.check(a.method, a.path, got); err != nil {
			fail("%v", err)
		}
	}
}

func (v *fuzzed) judgeProblem(got answer, fail func(string, ...any)) {
	v.t.Helper()
	reason, _ := got.json["reason"].(string)
	if !httpx.HasWords(reason) || got.json["status"] != float64(got.status) || got.json["title"] == "" || got.json["title_en"] == "" || got.json["detail"] == "" {
		fail("a problem without what every problem has")
	}
	list, _ := got.json["errors"].([]any)
	if got.status == http.StatusUnprocessableEntity && reason == "invalid_field" && len(list) == 0 {
		fail("no field is named")
	}
	for _, e := range list {
		f, _ := e.(map[string]any)
		for _, name := range []string{"field", "message", "message_zh"} {
			if text, _ := f[name].(string); strings.TrimSpace(text) == "" {
				fail("a field without its %s", name)
			}
		}
	}
	if got.status == http.StatusUnauthorized && got.header.Get("WWW-Authenticate") == "" {
		fail("401 without WWW-Authenticate")
	}
}

// judgeSecrets wants nothing of our inside in an answer that was not in the request.
func (v *fuzzed) judgeSecrets(a asked, got answer, fail func(string, ...any)) {
	v.t.Helper()
	said, err := url.QueryUnescape(a.path)
	if err != nil {
		said = a.path
	}
	said += string(a.body) + strings.Join(a.header, " ")
	if form, err := url.QueryUnescape(string(a.body)); err == nil {
		said += form
	}
	if kind := got.header.Get("Content-Type"); !strings.HasPrefix(a.path, "/openapi") && !strings.HasPrefix(a.path, "/docs") && !strings.Contains(kind, "javascript") {
		for _, fault := range faults {
			if strings.Contains(got.text, fault) && !strings.Contains(said, fault) && !v.told(fault) {
				fail("it tells %q", fault)
			}
		}
	}
	for role, token := range v.start.tokens {
		if len(token) > 10 && strings.Contains(got.text, token) {
			fail("it tells the token of the %s", role)
		}
	}
	if account := app.Demo().Accounts["owner"]; !v.demo && strings.Contains(got.text, account.Password) {
		fail("it tells a password")
	}
}

// told reports whether a request before has brought a text into the venue.
func (v *fuzzed) told(text string) bool {
	return slices.ContainsFunc(v.traces, func(t string) bool { return strings.Contains(t, text) })
}

// venues are the two that a target's requests go to: a demonstration and a real one.
type venues struct {
	start *beginning
	now   map[bool]*fuzzed
	dir   string // of their files
	made  int
}

// at gives a venue to ask, a fresh one now and then.
func (vs *venues) at(t *testing.T, demo bool) *fuzzed {
	t.Helper()
	v := vs.now[demo]
	if v == nil || v.done > requestsOfOneVenue {
		vs.leave(t, demo)
		vs.made++
		v = vs.start.fresh(t, filepath.Join(vs.dir, fmt.Sprint(vs.made, ".db")), demo)
		vs.now[demo] = v
	}
	v.t = t
	return v
}

// leave looks at a venue for the last time.
func (vs *venues) leave(t testing.TB, demo bool) {
	t.Helper()
	if v := vs.now[demo]; v != nil {
		v.t = t
		v.look()
		if err := errors.Join(v.db.Close(), os.Remove(v.path)); err != nil {
			t.Error(err)
		}
		delete(vs.now, demo)
	}
}

// after tells what led to a failure, and leaves a venue that cannot be used any more.
func (v *fuzzed) after(vs *venues, a asked, got answer) {
	v.t.Helper()
	if v.done%requestsUntilLook == 0 || v.t.Failed() {
		v.look()
	}
	if v.t.Failed() {
		for _, trace := range v.traces[max(0, len(v.traces)-requestsUntilLook):] {
			v.t.Log("before: ", trace)
		}
	}
	// A session that has ended, and a clock that has run away, would make all that follows dull.
	ended := got.status == http.StatusUnauthorized && a.role != "anyone" && a.role != "stranger"
	if v.t.Failed() || ended || strings.HasSuffix(a.path, "/logout") && got.status < 400 || v.done%requestsUntilLook == 0 && a.path == "/demo/clock" {
		vs.leave(v.t, v.demo)
	}
}

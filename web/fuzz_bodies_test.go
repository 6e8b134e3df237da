package web_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// FuzzBodies sends every call a body that it takes, changed at one place. What does not
// fit is refused by the name of that place, or of what it stands in.
func FuzzBodies(f *testing.F) {
	vs := openFuzzed(f)
	withBody := func(route string) bool { return vs.start.schemaOf(route) != nil }
	n := 0
	for i, route := range vs.start.routes {
		if !withBody(route) {
			continue
		}
		n++
		for by := range uint8(3) {
			how := (uint8(i) + 3*by) % waysToChange
			f.Add(route, by, uint8(1), uint16(i)+uint16(by), how, uint8(7*i)+by, "x")
		}
	}
	if taken := vs.understood(f, withBody); n < 50 || taken < n*3/4 {
		f.Fatalf("%d of %d calls with a body are understood", taken, n)
	}
	for what := range values {
		f.Add("POST /api/v1/quotes", uint8(1), uint8(1), uint16(what), uint8(putValue), uint8(what), "")
		f.Add("PUT /api/v1/owner/policy", uint8(2), uint8(1), uint16(what), uint8(putValue), uint8(what), "")
	}
	f.Fuzz(func(t *testing.T, route string, shape, pick uint8, at uint16, how, what uint8, text string) {
		v := vs.at(t, true)
		method, path := vs.start.routeOf(route, withBody)
		route = method + " " + path
		a := asked{method: method, path: vs.start.fill(path, max(pick, 1), ""), role: roleFor(route), kind: jsonKind, wellFormed: true}
		body := v.shaped(route, a.path, shape)
		done, way := change(body, at, how, what, text)
		a.body = []byte(body.String())
		got := v.ask(a)
		v.judge(a, got)
		v.judgeChange(a, got, body, done, way)
		v.after(vs, a, got)
	})
}

// understood counts the calls that take one of the bodies made for them: only from there
// is a change at one place worth anything.
func (vs *venues) understood(f *testing.F, withBody func(string) bool) (n int) {
	f.Helper()
	file, v := f.TempDir()+"/club.db", (*fuzzed)(nil)
	for _, route := range vs.start.routes {
		if !withBody(route) {
			continue
		}
		for shape := range uint8(3) {
			if v == nil {
				v = vs.start.fresh(f, file, true)
			}
			method, path := vs.start.routeOf(route, nil)
			a := asked{method: method, path: vs.start.fill(path, 1, ""), role: roleFor(route), kind: jsonKind, wellFormed: true}
			a.body = []byte(v.shaped(route, a.path, shape).String())
			got := v.ask(a)
			understood := got.status < 300 || got.status == http.StatusConflict || got.status == http.StatusNotFound
			if got.status == http.StatusUnauthorized || strings.HasSuffix(path, "/logout") {
				if err := v.db.Close(); err != nil {
					f.Fatal(err)
				}
				v = nil
			}
			if understood {
				n++
				break
			} else if shape == 2 {
				f.Logf("%s is not understood: %s: %d %.300s", route, a.body, got.status, got.text)
			}
		}
	}
	if v != nil {
		if err := v.db.Close(); err != nil {
			f.Fatal(err)
		}
	}
	return n
}

// judgeChange wants a body that does not fit refused where it does not.
func (v *fuzzed) judgeChange(a asked, got answer, body *node, done place, way int) {
	v.t.Helper()
	if got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable || got.status == http.StatusUnauthorized || len(a.body) > 60_000 {
		return
	}
	text := body.String()
	if !json.Valid([]byte(text)) {
		if got.status != http.StatusBadRequest || got.json["reason"] != "malformed" {
			v.t.Errorf("%s\nis no JSON: %d %.300s", a, got.status, got.text)
		}
		return
	}
	if way == leaveIt || done.in == nil || done.path == "" {
		return
	}
	var named []string
	list, _ := got.json["errors"].([]any)
	for _, e := range list {
		named = append(named, e.(map[string]any)["field"].(string))
	}
	blames := func() bool {
		return got.status == http.StatusUnprocessableEntity && slices.ContainsFunc(named, func(field string) bool {
			at := strings.NewReplacer("[", ".", "]", "").Replace(done.path)
			field = strings.NewReplacer("[", ".", "]", "").Replace(strings.TrimSuffix(field, "…"))
			return strings.HasPrefix(at, field) || strings.HasPrefix(field, at)
		})
	}
	if done.in.kind == '{' && (way == twice || way == twiceNew) && !blames() {
		v.t.Errorf("%s\nhas %s twice: %d %.500s", a, done.path, got.status, got.text)
	}
	if way == unknown && len(done.in.kids) > done.at && done.in.kids[done.at].kind == '{' && got.status < 300 {
		v.t.Errorf("%s\nhas an unknown member below %s: %d %.500s", a, done.path, got.status, got.text)
	}
	// A value of another type than before is told from one that is merely wrong.
	if way == putValue && done.at < len(done.in.kids) {
		if raw := done.in.kids[done.at].raw; slices.Contains([]string{"1e400", "1.0", "1e0", "0.1", "9223372036854775808", `{"a":{"a":{"a":1}}}`, `[[]]`}, raw) && got.status == http.StatusUnprocessableEntity && !blames() {
			v.t.Errorf("%s\nblames %q for %s at %s: %.500s", a, named, raw, done.path, got.text)
		}
		if raw := done.in.kids[done.at].raw; slices.Contains([]string{"1.0", "1e0", "1e400", "9223372036854775808"}, raw) && got.status < 300 {
			v.t.Errorf("%s\ntakes %s at %s: %.500s", a, raw, done.path, got.text)
		}
	}
}

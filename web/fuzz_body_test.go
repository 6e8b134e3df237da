package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// node is a piece of JSON that may have what no encoder writes: members that stand twice,
// bytes that are no text.
type node struct {
	name string // of a member; "" elsewhere
	raw  string // of what holds nothing
	kind byte   // '{', '[' or 0
	kids []*node
}

func nodeOf(value any) *node {
	switch in := value.(type) {
	case map[string]any:
		n := &node{kind: '{'}
		for _, name := range slices.Sorted(maps.Keys(in)) {
			kid := nodeOf(in[name])
			kid.name = name
			n.kids = append(n.kids, kid)
		}
		return n
	case []any:
		n := &node{kind: '['}
		for _, item := range in {
			n.kids = append(n.kids, nodeOf(item))
		}
		return n
	}
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return &node{raw: string(raw)}
}

func (n *node) String() string {
	if n.kind == 0 {
		return n.raw
	}
	var parts []string
	for _, kid := range n.kids {
		text := kid.String()
		if n.kind == '{' {
			name, _ := json.Marshal(kid.name)
			text = string(name) + ":" + text
		}
		parts = append(parts, text)
	}
	return string(n.kind) + strings.Join(parts, ",") + string(n.kind+2) // } and ] come two behind
}

// place is a value somewhere below the top of a body.
type place struct {
	in   *node
	at   int
	path string
}

func (n *node) places(path string) (out []place) {
	for i, kid := range n.kids {
		below := path + "." + kid.name
		if n.kind == '[' {
			below = fmt.Sprintf("%s[%d]", path, i)
		}
		below = strings.TrimPrefix(below, ".")
		out = append(append(out, place{n, i, below}), kid.places(below)...)
	}
	return out
}

// values are what a leaf is changed into: what clients get wrong, and what they try.
var values = []string{`null`, `true`, `0`, `-0`, `1.0`, `1e0`, `0.1`, `-1`, `1e400`, `-1e400`, `1e30`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `4294967296`, `2147483648`,
	`""`, `" "`, `"1"`, `"-1"`, `"null"`, `"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\udc00\ud800"`, `"a\u202eb"`, `"\u2028"`, `"\ufeff"`, "\"\xff\"", "\"\xed\xa0\x80\"", `"👨‍👩‍👧"`, `"=1+1"`, `"'; DROP TABLE orders; --"`,
	`"<script>alert(1)</script>"`, `"../../etc/passwd"`, `"9999-12-31T23:59:59Z"`, `"0000-01-01T00:00:00Z"`, `"2026-12-10T24:00:00+08:00"`, `"2026-12-10T17:30:00+99:99"`, `"9998-12-31"`, `"99:99"`, `"36:00"`,
	`[]`, `{}`, `[null]`, `[[]]`, `{"":null}`, `{"a":{"a":{"a":1}}}`, `NaN`, `01`, `+1`, `.5`, `1.`, `'a'`, `tru`, `"unended`, `"a
b"`, strings.Repeat("[", 9990) + strings.Repeat("]", 9990), strings.Repeat(`{"a":`, 9990) + "1" + strings.Repeat("}", 9990),
	`"` + strings.Repeat("长", 1000) + `"`, `"` + strings.Repeat("a", 20000) + `"`, `"%s%n%d"`, `"{number}"`}

// Ways to change a body at one place, besides putting another value there.
const (
	putValue = iota
	putText  // of the fuzzer, as a string
	putRaw   // of the fuzzer, as it is
	dropIt
	twice    // a member, or an item
	twiceNew // a member with another value
	unknown  // a member more
	capitals // in its name
	longer   // a list or a text
	leaveIt
	waysToChange
)

// change changes a body at one place; changed says what was done there.
func change(top *node, at uint16, how uint8, what uint8, text string) (done place, way int) {
	places := top.places("")
	way = int(how) % waysToChange
	if len(places) == 0 {
		return place{in: top}, leaveIt
	}
	done = places[int(at)%len(places)]
	here := done.in.kids[done.at]
	put := func(raw string) { done.in.kids[done.at] = &node{name: here.name, raw: raw} }
	another := func(raw string) {
		done.in.kids = slices.Insert(slices.Clone(done.in.kids), done.at+1, &node{name: here.name, raw: raw})
	}
	switch way {
	case putValue:
		put(values[int(what)%len(values)])
	case putText:
		quoted, _ := json.Marshal(text)
		put(string(quoted))
	case putRaw:
		put(text)
	case dropIt:
		done.in.kids = slices.Delete(slices.Clone(done.in.kids), done.at, done.at+1)
	case twice:
		another(here.String())
	case twiceNew:
		another(values[int(what)%16])
	case unknown:
		if here.kind == '{' {
			here.kids = append(slices.Clone(here.kids), &node{name: "surprise" + text, raw: "1"})
		}
	case capitals:
		here.name = strings.ToUpper(here.name)
	case longer:
		if here.kind == '[' && len(here.kids) > 0 {
			for range int(what) + 1 {
				here.kids = append(here.kids, here.kids[0])
			}
		} else if s := ""; json.Unmarshal([]byte(here.raw), &s) == nil {
			quoted, _ := json.Marshal(strings.Repeat(s, int(what)+1))
			put(string(quoted))
		}
	}
	return done, way
}

// examples are what the example venue takes, by the names of members in the contract. A
// name that is not here gets what was found under it in answers, or a text.
var examples = map[string]string{"court": "c1", "courts": "c1", "start": evening, "phone": "13800000007", "name": "李雷", "code": "NEW30", "coupon": "FREE", "username": "third", "password": "third-demo-2026",
	"role": "desk", "opens": "08:30", "closes": "22:00", "opens_at": "07:00", "from": "2026-12-12T08:30:00+08:00", "to": "2026-12-12T22:00:00+08:00", "email": "li@club.example", "url": "https://club.example/hook",
	"via": "sandbox", "reason": "维修", "note": "备注", "advance": "1m", "kinds": "order.paid", "zone": "Asia/Shanghai", "date": "2026-12-10", "day": "2026-12-09"}

// bodyOf makes a body that fits the schema of a call: what must be there or all that may.
func (b *beginning) bodyOf(schema map[string]any, name string, all bool, deep int) any {
	if ref, ok := schema["$ref"].(string); ok {
		return b.bodyOf(b.schemaAt(ref), name, all, deep)
	}
	if several, ok := schema["anyOf"].([]any); ok {
		return b.bodyOf(several[0].(map[string]any), name, all, deep)
	}
	if enum, ok := schema["enum"].([]any); ok {
		return enum[0]
	}
	kind, _ := schema["type"].(string)
	if several, ok := schema["type"].([]any); ok {
		kind, _ = several[0].(string)
	}
	switch kind {
	case "object":
		out := map[string]any{}
		must, _ := schema["required"].([]any)
		properties, _ := schema["properties"].(map[string]any)
		for member, s := range properties {
			if (all || slices.Contains(must, any(member))) && deep < 6 {
				out[member] = b.bodyOf(s.(map[string]any), member, all, deep+1)
				if member == "id" && len(b.pool[name]) > 0 {
					out[member] = b.pool[name][0]
				}
			}
		}
		if more, ok := schema["additionalProperties"].(map[string]any); ok && all {
			out["paid"] = b.bodyOf(more, name, all, deep+1)
		}
		return out
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{b.bodyOf(items, name, all, deep+1)}
	case "integer", "number":
		if least, ok := schema["minimum"].(float64); ok {
			return max(least, 1)
		}
		return 1
	case "boolean":
		return true
	}
	if text, ok := examples[name]; ok && (schema["format"] != "date" || len(text) == 10) {
		return text
	}
	switch {
	case schema["format"] == "date":
		return "2026-12-10"
	case schema["format"] == "date-time":
		return evening
	case len(b.pool["="+name]) > 0:
		return b.pool["="+name][0]
	case len(b.pool[name+"s"]) > 0:
		return b.pool[name+"s"][0]
	}
	if given, ok := schema["examples"].([]any); ok && len(given) > 0 {
		return given[0]
	}
	return "x"
}

func (b *beginning) schemaAt(ref string) map[string]any {
	here := b.document
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		here, _ = here[step].(map[string]any)
	}
	return here
}

var jsonKind = "application/json"

// schemaOf is what the document says of the body of a route; nil if it has none in JSON.
func (b *beginning) schemaOf(route string) map[string]any {
	method, path, _ := strings.Cut(route, " ")
	path = variable.ReplaceAllStringFunc(path, func(v string) string { return "{" + v[1:] + "}" })
	here := b.document
	for _, step := range []string{"paths", path, strings.ToLower(method), "requestBody", "content", jsonKind, "schema"} {
		here, _ = here[step].(map[string]any)
	}
	return here
}

// roleFor is who may make a call.
func roleFor(route string) string {
	switch {
	case strings.Contains(route, "/desk/"):
		return "desk"
	case strings.Contains(route, "/owner/"):
		return "owner"
	case strings.Contains(route, "/login"), strings.Contains(route, "/demo/"):
		return "anyone"
	}
	return "customer"
}

// shaped makes the body of a call in one of three shapes: what must be there, all that
// may, and what the same address has answered.
func (v *fuzzed) shaped(route, path string, shape uint8) *node {
	schema := v.start.schemaOf(route)
	if method, _, _ := strings.Cut(route, " "); method == http.MethodPut && shape%3 == 2 {
		if got := v.ask(asked{method: http.MethodGet, path: path, role: roleFor(route)}); got.status == http.StatusOK && got.json != nil {
			return nodeOf(got.json)
		}
	}
	return nodeOf(v.start.bodyOf(schema, "", shape%3 == 1, 0))
}

// readable reports whether a body is one piece of JSON in UTF-8, without a member twice.
func readable(n *node) bool {
	text := n.String()
	return utf8.ValidString(text) && json.Valid([]byte(text)) && len(text) < 60_000
}

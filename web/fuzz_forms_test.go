package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// form is a form as a page shows it, filled in as it is shown.
type form struct {
	action, role string
	fields       [][2]string
}

var (
	formTag     = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	inputTag    = regexp.MustCompile(`<(?:input|button)\b([^>]*)>`)
	textareaTag = regexp.MustCompile(`(?s)<textarea\b([^>]*)>(.*?)</textarea>`)
	selectTag   = regexp.MustCompile(`(?s)<select\b([^>]*)>(.*?)</select>`)
	optionTag   = regexp.MustCompile(`<option\b([^>]*)>`)
	hrefTag     = regexp.MustCompile(`href="(/[^"#]*)`)
)

// attribute gives an attribute of a tag; whether it is there at all says ok.
func attribute(tag, name string) (value string, ok bool) {
	found := regexp.MustCompile(`(?:^|\s)` + name + `(?:="([^"]*)"|(?:\s|$))`).FindStringSubmatch(tag)
	if found == nil {
		return "", false
	}
	return html.UnescapeString(found[1]), true
}

// formsIn reads the forms of a page that are posted.
func formsIn(page, role string) (out []form) {
	for _, found := range formTag.FindAllStringSubmatch(page, -1) {
		action, _ := attribute(found[1], "action")
		if method, _ := attribute(found[1], "method"); method != "post" || !strings.HasPrefix(action, "/") {
			continue
		}
		f := form{action: action, role: role}
		add := func(name, value string) {
			if name != "" {
				f.fields = append(f.fields, [2]string{name, value})
			}
		}
		for _, tag := range inputTag.FindAllStringSubmatch(found[2], -1) {
			name, _ := attribute(tag[1], "name")
			value, given := attribute(tag[1], "value")
			kind, _ := attribute(tag[1], "type")
			_, checked := attribute(tag[1], "checked")
			isIn := slices.ContainsFunc(f.fields, func(field [2]string) bool { return field[0] == name })
			switch {
			case kind == "checkbox" && !checked || kind == "radio" && isIn && !checked:
			case kind == "checkbox" && !given:
				add(name, "on")
			default:
				add(name, value)
			}
		}
		for _, tag := range textareaTag.FindAllStringSubmatch(found[2], -1) {
			name, _ := attribute(tag[1], "name")
			add(name, strings.TrimPrefix(html.UnescapeString(tag[2]), "\n"))
		}
		for _, tag := range selectTag.FindAllStringSubmatch(found[2], -1) {
			name, _ := attribute(tag[1], "name")
			chosen := ""
			for i, option := range optionTag.FindAllStringSubmatch(tag[2], -1) {
				if _, selected := attribute(option[1], "selected"); i == 0 || selected {
					chosen, _ = attribute(option[1], "value")
				}
			}
			add(name, chosen)
		}
		out = append(out, f)
		// While it is being filled in, it is sent elsewhere, to see what would come of it.
		if preview, ok := attribute(found[1], "hx-post"); ok {
			out = append(out, form{preview, role, f.fields})
		}
	}
	return out
}

// crawl follows the links of the site as everybody, and gives the forms that it meets by
// the routes that they are posted to.
func (v *fuzzed) crawl(routes []string) map[string][]form {
	v.t.Helper()
	found, patterns := map[string][]form{}, map[string]*regexp.Regexp{}
	for _, route := range routes {
		if path, ok := strings.CutPrefix(route, http.MethodPost+" "); ok {
			patterns[route] = regexp.MustCompile("^" + variable.ReplaceAllString(path, "[^/]+") + "$")
		}
	}
	const pages, alike = 200, 9 // for each role; pages that differ in their words alone
	names, values := regexp.MustCompile(`=[^&]*`), regexp.MustCompile(`/[^/?]*[0-9][^/?]*`)
	for _, role := range []string{"anyone", "customer", "desk", "owner"} {
		next, seen, kinds := []string{}, map[string]bool{}, map[string]int{}
		for _, route := range routes {
			if method, path, _ := strings.Cut(route, " "); method == http.MethodGet && forPeople(path) {
				next = append(next, v.start.fill(path, 1, ""), v.start.fill(path, 3, ""))
			}
		}
		for n := 0; n < len(next) && len(kinds) < pages; n++ {
			path := next[n]
			if seen[path] || strings.HasPrefix(path, "/static") || strings.Contains(path, "lang=") {
				continue
			}
			seen[path] = true
			kind := values.ReplaceAllString(names.ReplaceAllString(path, ""), "/")
			if kinds[kind]++; kinds[kind] > alike {
				continue
			}
			a := asked{method: http.MethodGet, path: path, role: role, header: []string{"Accept: text/html"}}
			got := v.ask(a)
			v.judge(a, got)
			for _, link := range hrefTag.FindAllStringSubmatch(got.text, -1) {
				next = append(next, html.UnescapeString(link[1]))
			}
			for _, f := range formsIn(got.text, role) {
				path, _, _ := strings.Cut(f.action, "?")
				for route, pattern := range patterns {
					if pattern.MatchString(path) && len(found[route]) < 4 {
						found[route] = append(found[route], f)
					}
				}
			}
		}
	}
	return found
}

func forPeople(path string) bool {
	for _, other := range []string{"/api", "/demo", "/pay", "/static", "/openapi", "/docs", "/healthz", "/readyz"} {
		if strings.HasPrefix(path, other) {
			return false
		}
	}
	return true
}

// typed is what people type and what programs send for them, besides numbers.
var typed = []string{"", " ", "0", "-1", "1", "1.5", "60", "60.505", "99999999999", "9223372036854775808", "1e3", "０", "abc", "on", "true", "2026-12-10", "2026-02-30", "9999-12-31", "0000-00-00", "17:30", "24:00", "36:01", "99:99",
	"2026-12-10T17:30", "2026-12-10T17:30:00+08:00", "c1", "c1@1796895000", "c9@0", "nothing", "../..", "//evil.example", "a\r\nb", "a\x00b", "\xff", "\u202e", "<script>alert(1)</script>", "{number}", "{nothing", "%s", "=1+1",
	strings.Repeat("长", 300), strings.Repeat("a", 70_000), "a,b,c", "\t", "👨‍👩‍👧"}

// FuzzForms sends the forms of the pages as they are shown, changed at one field.
func FuzzForms(f *testing.F) {
	vs := openFuzzed(f)
	v := vs.start.fresh(f, f.TempDir()+"/club.db", true)
	forms := v.crawl(vs.start.routes)
	if err := v.db.Close(); err != nil {
		f.Fatal(err)
	}
	var routes []string
	fields := 0
	for _, route := range vs.start.routes {
		if len(forms[route]) > 0 {
			routes = append(routes, route)
		} else if method, path, _ := strings.Cut(route, " "); method == http.MethodPost && forPeople(path) {
			f.Logf("no page shows the form of %s", route)
		}
	}
	for i, route := range routes {
		fields += len(forms[route][0].fields)
		f.Add(route, uint8(0), uint16(len(forms[route][0].fields)-1), uint8(1), uint8(0), "a\xffb") // the last is what was typed
		for n := range uint8(4) {
			f.Add(route, n, uint16(5*i)+uint16(n), n, uint8(11*i)+7*n, "x")
		}
	}
	if len(routes) < 30 || fields < 150 {
		f.Fatalf("only %d forms with %d fields", len(routes), fields)
	}
	f.Fuzz(func(t *testing.T, route string, which uint8, at uint16, how, what uint8, text string) {
		if !slices.Contains(routes, route) {
			route = routes[len(route)%len(routes)]
		}
		v := vs.at(t, which < 200)
		sent := forms[route][int(which)%len(forms[route])]
		values := slices.Clone(sent.fields)
		if len(values) == 0 {
			return
		}
		here := &values[int(at)%len(values)]
		switch how % 6 {
		case 0:
			here[1] = typed[int(what)%len(typed)]
		case 1:
			here[1] = text
		case 2:
			values = slices.Delete(values, int(at)%len(values), int(at)%len(values)+1)
		case 3:
			values = append(values, [2]string{here[0], typed[int(what)%len(typed)]})
		case 4:
			here[0] += text
		case 5: // as it is, and another field that is there already
			values = append(values, [2]string{here[0], text})
		}
		var body strings.Builder
		for _, value := range values {
			body.WriteString(url.QueryEscape(value[0]) + "=" + url.QueryEscape(value[1]) + "&")
		}
		a := asked{method: http.MethodPost, path: sent.action, role: sent.role, kind: "application/x-www-form-urlencoded", header: []string{"Accept: text/html"}, body: []byte(body.String())}
		got := v.ask(a)
		v.judge(a, got)
		if v.after(vs, a, got); got.status == http.StatusSeeOther && v.t.Failed() == false && vs.now[v.demo] == v {
			// Where it leads is a page too, and shows what was sent.
			next := asked{method: http.MethodGet, path: escaped(got.header.Get("Location"), "#"), role: a.role, header: a.header}
			v.judge(next, v.ask(next))
		}
	})
}

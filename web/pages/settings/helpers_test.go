package settings_test

import (
	"html"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

var (
	inputs    = regexp.MustCompile(`<input [^>]*>`)
	attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
	options   = regexp.MustCompile(`<select name="([^"]+)">(?s:(.*?))</select>`)
	selected  = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// formOf is what a browser would send of a page's form as it stands.
func formOf(p clubtest.Page, action string) url.Values {
	body := clubtest.Around(p.Body, `<form method="post" action="`+action+`"`, "</form>")
	out := url.Values{}
	for _, tag := range inputs.FindAllString(body, -1) {
		a := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
			a[m[1]] = html.UnescapeString(m[2])
		}
		ticked := strings.HasSuffix(strings.TrimSuffix(tag, ">"), " checked")
		if a["name"] == "" || (a["type"] == "checkbox" && !ticked) {
			continue
		}
		out.Add(a["name"], a["value"])
	}
	for _, m := range options.FindAllStringSubmatch(body, -1) {
		if s := selected.FindStringSubmatch(m[2]); s != nil {
			out.Set(m[1], s[1])
		}
	}
	return out
}

// owner is the owner's browser with the club around it.
type owner struct {
	*clubtest.Browser
	t *testing.T
	k *clubtest.Club
}

func open(t *testing.T) owner {
	t.Helper()
	k := clubtest.Open(t, true)
	return owner{k.Owner(), t, k}
}

// fill gets a page's form and fills fields in: pairs of names and values.
func (o owner) fill(page string, pairs ...string) url.Values {
	o.t.Helper()
	form := formOf(o.Get(page).Want(200), page)
	if len(form) < 3 {
		o.t.Fatalf("%s has no form", page)
	}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// ask sends a form as htmx does.
func (o owner) ask(path string, form url.Values) clubtest.Page {
	o.t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	return o.Do(r)
}

func (o owner) venue() (sqlite.Venue, []sqlite.Court) {
	o.t.Helper()
	venue, courts, _, err := o.k.App.Venue(o.t.Context())
	clubtest.Must(o.t, err)
	return venue, courts
}

// change is what another owner does meanwhile.
func (o owner) change(what string, change func(*sqlite.Venue)) {
	o.t.Helper()
	_, err := o.k.App.ChangeVenue(o.t.Context(), app.Actor{Role: app.RoleOwner, ID: "another"}, what, func(v *sqlite.Venue) error {
		change(v)
		return nil
	})
	clubtest.Must(o.t, err)
}

// wantFault wants a field marked, with words by it and a way to it from the top.
func wantFault(t *testing.T, p clubtest.Page, id, words string) {
	t.Helper()
	summary := clubtest.Around(p.Body, `id="faults"`, "</div>")
	if !strings.Contains(summary, `href="#`+id+`"`) || !strings.Contains(summary, words) {
		t.Errorf("the summary does not lead to %s with %q: %s", id, words, summary)
	}
	field := regexp.MustCompile(`(?s)id="` + regexp.QuoteMeta(id) + `"[^>]*aria-invalid="true".{0,200}` + regexp.QuoteMeta(words))
	if !field.MatchString(p.Body) {
		t.Errorf("%s is not marked with %q:\n%s", id, words, clubtest.Around(p.Body, `id="`+id+`"`, "</div>"))
	}
}

func clock(t *testing.T, text string) domain.Minute {
	t.Helper()
	m, err := domain.ParseMinute("", text)
	clubtest.Must(t, err)
	return m
}

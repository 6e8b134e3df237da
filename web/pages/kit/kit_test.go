package kit_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"courtd/web/pages/kit"
)

func TestBrokenTemplatesFailAtTheStart(t *testing.T) {
	view := func() any { return new(struct{ Word, Other string }) }
	set := func(text string) kit.Pages {
		return kit.Pages{Source: fstest.MapFS{"templates/one.html": {Data: []byte(text)}},
			Samples: map[string]func() any{"one": func() any {
				return new(struct {
					kit.Frame
					Word    string
					Refusal *kit.Say
				})
			}},
			Parts: map[string]map[string]func() any{"one": {"part": view}}}
	}
	const part = `{{define "part"}}{{.Word}}{{end}}`
	if err := kit.CheckTemplates(set(`{{define "main"}}{{.Word}}{{with .Refusal}}{{template "say" .}}{{end}}{{end}}` + part)); err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string]string{
		"syntax":                 `{{define "main"}}{{if}}{{end}}` + part,
		"a field nobody has":     `{{define "main"}}{{.Nobody}}{{end}}` + part,
		"a field in a full page": `{{define "main"}}{{with .Refusal}}{{.Nobody}}{{end}}{{end}}` + part,
		"a function nobody has":  `{{define "main"}}{{nothing .}}{{end}}` + part,
		"a part that is missing": `{{define "main"}}{{template "nothing" .}}{{end}}` + part,
		"no main":                `{{define "mian"}}{{end}}` + part,
		"no part":                `{{define "main"}}{{end}}`,
		"a field of a part":      `{{define "main"}}{{end}}{{define "part"}}{{.Nobody}}{{end}}`,
	} {
		if err := kit.CheckTemplates(set(broken)); err == nil {
			t.Errorf("%s: nothing was noticed", name)
		}
	}
	hiding := set(`{{define "main"}}{{end}}` + part)
	hiding.Samples["one"] = func() any {
		return new(struct {
			kit.Frame
			Clock string
		})
	}
	if err := kit.CheckTemplates(hiding); err == nil {
		t.Error("a page that hides a field of its frame was not noticed")
	}
}

func TestOnlyOwnPagesFollowALogin(t *testing.T) {
	for next, want := range map[string]string{
		"/orders?x=1": "/orders?x=1", "": "/", "orders": "/", "//evil.example": "/", `/\evil.example`: "/", "https://evil.example": "/",
		"/a\r\nSet-Cookie: x=1": "/", "/\tx": "/", "/" + strings.Repeat("a", 3000): "/",
	} {
		if got := kit.SafeNext(next, "/"); got != want {
			t.Errorf("after %q: %q, want %q", next, got, want)
		}
	}
}

func TestAmountsAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]int64{"60": 6000, " ￥60.5 ": 6050, "0.05": 5, "¥60.50": 6050, "0": 0, "7.": 700, "9999999999": 999_999_999_900} {
		if got, err := kit.ParseYuan("price", text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
		if got, err := kit.ParseYuan("price", kit.Yuan(want)); err != nil || got != want {
			t.Errorf("%d comes back from its own form as %d, %v", want, got, err)
		}
	}
	for _, text := range []string{"", "-1", "1.234", "1,5", "1e3", "60元", "+5.-1", "1.-5", "99999999999999999999", "1. 5", "-0.50", "￥-0.5", "6.+5", ".5", "６０", "10000000000"} {
		if got, err := kit.ParseYuan("price", text); err == nil {
			t.Errorf("%q became %d", text, got)
		}
	}
}

package httpx_test

import (
	"regexp"
	"strings"
	"testing"

	"courtd/web/httpx"
)

// apiNames are what people do not see on a page: a name with an underscore, a value in
// quotes, and fields of the API whose names are words.
var apiNames = regexp.MustCompile(`[a-z]_[a-z]|"[a-z_]+"|\b(than|before|in) (from|opens|until|closes)\b|\badvance\b|\bof fen\b`)

// Whatever can be said of a field, a page says it in English without the API's names.
func TestPagesSayFieldsWithoutNamesOfTheAPI(t *testing.T) {
	sample := strings.NewReplacer("%d", "7", "%s", "Monday", "%U", "U+202E", "%q", `"a, b"`)
	for text := range httpx.FieldTexts {
		said := httpx.PageWords(sample.Replace(text))
		if name := apiNames.FindString(said); name != "" {
			t.Errorf("%q: a page says %q, with %s", text, said, name)
		}
		if strings.Contains(said, "%") || said == "" {
			t.Errorf("%q: a page says %q", text, said)
		}
	}
	for text, plain := range httpx.PageTexts {
		if _, known := httpx.FieldTexts[text]; !known {
			t.Errorf("%q is said of no field", text)
		}
		if strings.Count(text, "%") != strings.Count(plain, "%") {
			t.Errorf("%q: %q does not tell what is filled in", text, plain)
		}
	}
	for api, want := range map[string]string{
		"must be within 31 days, counted from the day in from": "must be within 31 days, counted from the first day",
		"must be set, or amount_fen, and not both":             "fill in a percentage or an amount, and not both",
		"must be between 5 and 1440":                           "must be between 5 and 1440",
		"is odd in a way that nobody has thought of":           "is odd in a way that nobody has thought of",
	} {
		if got := httpx.PageWords(api); got != want {
			t.Errorf("%q: %q, want %q", api, got, want)
		}
	}
}

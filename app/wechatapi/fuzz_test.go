package wechatapi_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app/wechatapi"
)

func FuzzCut(f *testing.F) {
	for _, text := range []string{"", "羽毛球", "e\u0301e\u0301", "👨‍👩‍👧👨‍👩‍👧", "🇨🇳🇨🇳🇨🇳", "\xff\xff\xff", "\u0301\u0301"} {
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		cut := wechatapi.Cut(text, most)
		n := utf8.RuneCountInString(cut)
		switch {
		case utf8.RuneCountInString(text) <= most:
			if cut != text {
				t.Errorf("%q fits into %d and is %q", text, most, cut)
			}
		case n > max(most, 0), most > 0 && !strings.HasSuffix(cut, "…"):
			t.Errorf("%q is cut to %q for %d", text, cut, most)
		case utf8.ValidString(text) && !strings.HasPrefix(text, strings.TrimSuffix(cut, "…")):
			t.Errorf("%q is cut to %q", text, cut)
		case utf8.ValidString(text) && !utf8.ValidString(cut):
			t.Errorf("%q is cut to %q, which is no text", text, cut)
		}
	})
}

package kit_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/pages/kit"
)

func FuzzYuan(f *testing.F) {
	for _, text := range []string{"60", "60.5", "60.50", "￥ 60", "¥1.", "", "-1", "1e3", "0.005", "99999999999", "９", " 60\n", "1,000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fen, err := kit.ParseYuan("of", text)
		if err != nil {
			if refusal, ok := domain.AsError(err); !ok || refusal.Kind != domain.Invalid || refusal.Fields[0].Field != "of" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if fen < 0 {
			t.Errorf("%q is %d fen", text, fen)
		}
		if again, err := kit.ParseYuan("of", kit.Yuan(fen)); err != nil || again != fen {
			t.Errorf("%q is %d fen, written as %q and read as %d, %v", text, fen, kit.Yuan(fen), again, err)
		}
	})
}

// FuzzSafeNext follows where a form says to go on to, as a browser does: it stays here.
func FuzzSafeNext(f *testing.F) {
	for _, text := range []string{"/orders", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example", "/a?b=c#d", "/%2f%2fevil.example", "/..//evil.example", "javascript:alert(1)", "", "/\u0000", "///x"} {
		f.Add(text)
	}
	here := &url.URL{Scheme: "https", Host: "club.example", Path: "/login"}
	f.Fuzz(func(t *testing.T, text string) {
		next := kit.SafeNext(text, "/otherwise")
		if next != text && next != "/otherwise" {
			t.Errorf("%q leads to %q", text, next)
		}
		// Browsers leave tabs and line ends out, and take a backslash for a slash.
		read := strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(strings.TrimSpace(next))
		to, err := here.Parse(read)
		if err != nil || to.Host != here.Host || to.Scheme != here.Scheme || strings.HasPrefix(read, "//") {
			t.Errorf("%q leads to %v, %v", text, to, err)
		}
		if _, err := http.NewRequest(http.MethodGet, "https://club.example"+next, nil); err != nil {
			t.Errorf("%q leads to %q: %v", text, next, err)
		}
	})
}

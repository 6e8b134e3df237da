package wechat_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app/notify/wechat"
)

// FuzzFit asks of every kind of parameter that what is put into it has its form.
func FuzzFit(f *testing.F) {
	forms := map[string]*regexp.Regexp{"phrase2": regexp.MustCompile(`^\p{Han}{1,5}$`), "character_string1": regexp.MustCompile(`^[!-~]{1,32}$`),
		"thing3": regexp.MustCompile(`^[^\n]{1,20}$`), "amount4": regexp.MustCompile(`^[¥￥$€£]?[0-9]{1,10}(\.[0-9]{1,2})?元?$`), "number5": regexp.MustCompile(`^[0-9.-]{1,32}$`), "name6": regexp.MustCompile(`^[^\n]{1,20}$`)}
	for name := range forms {
		for _, text := range []string{"", "12-10 周四 17:30–19:00 1号场", "￥60.00", "60.005元", "李雷", "Li Lei", "\xff\u202e", strings.Repeat("长", 40), "2026年12月10日 17:30", "-1", "𠮷𠮷𠮷𠮷𠮷𠮷"} {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		value, ok := wechat.Fit(name, text)
		if !ok {
			if strings.HasPrefix(name, "thing") && strings.TrimRight(name, "0123456789") == "thing" {
				t.Errorf("nothing of %q is a thing", text)
			}
			return
		}
		if value == "" || !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n\x00") {
			t.Errorf("%q is %q as %s", text, value, name)
		}
		if form := forms[name]; form != nil && !form.MatchString(value) {
			t.Errorf("%q is %q as %s", text, value, name)
		}
		if again, ok := wechat.Fit(name, value); !ok || again != value {
			t.Errorf("%q as %s is %q, %t the second time", value, name, again, ok)
		}
	})
}

package kit

import "testing"

func TestTheSignOfTheYuanBelongsToTheLanguage(t *testing.T) {
	for lang, want := range map[Lang]string{ZH: "￥60.50", EN: "¥60.50"} {
		known := functions(lang, nil)
		if got := known["yuan"].(func(int64) string)(6050); got != want {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
		if got := known["yuanSign"].(func() string)(); got+"60.50" != want {
			t.Errorf("%s: alone the sign is %s", lang, got)
		}
	}
}

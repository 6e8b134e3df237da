package kit

import "testing"

func TestTheSignOfTheYuanBelongsToTheLanguage(t *testing.T) {
	for lang, want := range map[Lang]string{ZH: "￥60.50", EN: "¥60.50"} {
		yuan := functions(lang, nil)["yuan"].(func(int64) string)
		if got := yuan(6050); got != want {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
	}
}

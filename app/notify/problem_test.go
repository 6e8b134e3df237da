package notify_test

import (
	"strings"
	"testing"

	"courtd/app/notify"
)

func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		text    string
		most    int
		secrets []string
		want    string
	}{
		{"", 5, nil, ""}, {"one\r\ntwo\x00three\x7f", 20, nil, "one two three"}, {"场场场", 3, nil, "场场场"}, {"场场场场", 3, nil, "场场…"},
		{"of hunter2, hunter2!", 40, []string{"", "hunter2"}, "of ***, ***!"}, {"xxhunter2", 5, []string{"hunter2"}, "xx***"}, {"a\xffb", 5, nil, "a b"},
	} {
		if got := notify.OneLine(c.text, c.most, c.secrets...); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := (notify.Problem{Setting: "COURTD_X", ZH: "缺少", EN: "missing"}).String(); !strings.HasPrefix(got, "COURTD_X: 缺少 / missing") {
		t.Error(got)
	}
}

package web_test

import (
	"strings"
	"testing"
)

// A customer may have no name, and takes one away again by an empty one.
func TestANameCanBeTakenAway(t *testing.T) {
	s := open(t)
	name := func(body string) string {
		t.Helper()
		return s.send(ask{method: "PUT", path: "/api/v1/me", token: s.customer, body: body}).wants(200).text
	}
	if got := name(`{"name":" 李小明 "}`); !strings.Contains(got, `"name":"李小明"`) {
		t.Errorf("named: %s", got)
	}
	for _, none := range []string{`{"name":""}`, `{"name":"  "}`} {
		if got := name(none); !strings.Contains(got, `"name":""`) {
			t.Errorf("%s: %s", none, got)
		}
	}
}

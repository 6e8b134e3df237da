package pages_test

import (
	"testing"

	"courtd/web/pages"
)

// TestEveryPageCanBeDrawn in both languages, with nothing in it and with something
// everywhere: templates are parsed when somebody first looks at a page, which is no time to
// find out that one is wrong.
func TestEveryPageCanBeDrawn(t *testing.T) {
	if err := pages.Check(); err != nil {
		t.Error(err)
	}
}

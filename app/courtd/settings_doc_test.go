package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"courtd/domain"
)

// TestTheSettingsAreWrittenDown: docs/settings.md names no variable that there is not,
// every one of a service outside, and every event.
func TestTheSettingsAreWrittenDown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	programOK(t, err)
	doc := string(text)
	settings := settingsOf(t, "check", "serve")
	named := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)(?:^|`+"`"+`)([A-Z]+_[A-Z0-9_]+)(?:=|`+"`"+`)`).FindAllStringSubmatch(doc, -1) {
		name := "COURTD_" + strings.TrimPrefix(found[1], "COURTD_")
		if named[name] = true; settings[name] == nil && !strings.HasPrefix(found[1], "PUB_KEY_ID") {
			t.Errorf("there is no %s", name)
		}
	}
	if len(named) < 25 {
		t.Errorf("only %d variables were found", len(named))
	}
	for name := range settings {
		service := regexp.MustCompile(`^COURTD_(WECHAT|SMS|SMTP)_`).MatchString(name)
		rare := regexp.MustCompile(`_BASE_URL$|_FILES?$|_2$|_REGION$|_PAGE$`).MatchString(name)
		if service && !rare && !named[name] {
			t.Errorf("%s is not written down", name)
		}
	}
	for _, kind := range domain.EventKinds {
		if !strings.Contains(doc, "`"+kind+"`") {
			t.Errorf("the event %s is not written down", kind)
		}
	}
}

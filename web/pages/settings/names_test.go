package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"courtd/web/pages/kit"
)

// TestNoFieldIsCalledByTheProgramsName: a refusal may name any field that the source
// names, and for a page that has no such field there are words.
func TestNoFieldIsCalledByTheProgramsName(t *testing.T) {
	named := regexp.MustCompile(`(?:BadField|bad\.add|bad\.between)\((?:fmt\.Sprintf\()?(?:at\+)?"([^"]+)"`)
	seen := map[string]bool{"r.1.day": true, "r.1.court": true, "x.1.date": true, "weekly.3.opens": true, "price_rules[7].band.from": true}
	for _, pattern := range []string{"../../../domain/*.go", "../../../app/*.go", "*.go", "../kit/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				seen[m[1]] = true
			}
		}
	}
	if len(seen) < 30 || !seen["price_rules"] || !seen["exceptions"] || !seen["refund_ladder"] {
		t.Fatalf("the source was read wrongly: %d fields", len(seen))
	}
	for name := range seen {
		s := newSheet(func(string) string { return "" }, kit.Wrong{name: &kit.Words{"填写有误", "is wrong"}})
		for _, f := range s.all() {
			if f.Label[0] == "" || f.Label[1] == "" || strings.Contains(f.Label[0], name) || strings.Contains(f.Label[1], name) || strings.ContainsAny(f.Label[1], "_[.") {
				t.Errorf("%s is called %q", name, f.Label)
			}
		}
	}
}

package kit_test

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
	for _, pattern := range []string{"../../../domain/*.go", "../../../app/*.go", "../*/*.go"} {
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
		for _, f := range faultsOf(name) {
			if f.Label[0] == "" || f.Label[1] == "" || strings.Contains(f.Label[0], name) || strings.Contains(f.Label[1], name) || strings.ContainsAny(f.Label[1], "_[.") {
				t.Errorf("%s is called %q", name, f.Label)
			}
		}
	}
}

// What a refusal says of a list, or of a part of it, is said of that list.
func TestAListIsCalledByItsOwnName(t *testing.T) {
	for name, want := range map[string]string{
		"price_rules": "价格规则", "price_rules[7].band.from": "价格规则", "exceptions": "特殊日期", "exceptions.2027-02-06": "特殊日期", "holidays": "节假日",
		"refund_ladder": "按取消的早晚退款", "refund_ladder[2].percent": "按取消的早晚退款", "weekly.3.opens": "每周", "courts[1]": "场地", "courtside": "这张表",
	} {
		if got := faultsOf(name); len(got) != 1 || got[0].Label[0] != want {
			t.Errorf("%s is called %q, want %s", name, got, want)
		}
	}
}

// faultsOf are the faults of a form that has no field of that name.
func faultsOf(name string) []kit.Fault {
	none := func(string) string { return "" }
	return kit.NewSheet("", none, kit.Wrong{name: &kit.Words{"填写有误", "is wrong"}}).Faults()
}

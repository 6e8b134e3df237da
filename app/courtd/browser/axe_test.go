package browser_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/page"
)

// axe is the script that checks a page for people who use it in other ways. It is
// fetched when it is not there.
var axe = sync.OnceValues(func() (string, error) {
	fetch := exec.Command(".ci/vendor", "app/courtd/browser/MANIFEST", ".cache")
	fetch.Dir = root
	if out, err := fetch.CombinedOutput(); err != nil {
		return "", fmt.Errorf("fetch axe-core: %w: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(root, ".cache/axe.min.js"))
	return string(text), err
})

// bringAxe has axe at hand in every page from now on, which costs less than to send
// it after each.
func (u *user) bringAxe() {
	u.t.Helper()
	script, err := axe()
	must(u.t, err)
	send(u, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// finding is one rule that a page breaks.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct{ Target, HTML, Why string }
}

// accessible fails if axe finds anything serious or critical on the page; rules
// limits it to some of its rules.
func (u *user) accessible(rules ...string) {
	u.t.Helper()
	for _, fault := range u.faults(rules...) {
		u.complain("%s (%d px wide): %s", u.at(), u.width, fault)
	}
}

// faults is what axe finds.
func (u *user) faults(rules ...string) []string {
	u.t.Helper()
	script, err := axe()
	must(u.t, err)
	if !eval[bool](u, "'axe' in window") {
		eval[bool](u, script+";true")
	}
	only := ""
	if len(rules) > 0 {
		only = `, runOnly: ["` + strings.Join(rules, `","`) + `"]`
	}
	var out []string
	for _, f := range eval[[]finding](u, `axe.run(document, { resultTypes: ["violations"]`+only+` }).then((r) => r.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => ({ ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.slice(0, 5).map((n) => ({
			Target: n.target.join(" "), HTML: n.html.slice(0, 160), Why: n.failureSummary.replace(/\s+/g, " ").slice(0, 300) })) })))`) {
		text := f.Impact + " " + f.ID + ": " + f.Help
		for _, n := range f.Nodes {
			text += "\n  " + n.Target + "\n    " + n.HTML + "\n    " + n.Why
		}
		out = append(out, text)
	}
	return out
}

package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// root is the top of the repository as seen from this package.
const root = "../.."

// allowed says which of the project's packages each layer may import. The order
// is domain ← sqlite ← app ← {web, reconciler} ← app/courtd.
var allowed = map[string][]string{
	"domain":     {},
	"sqlite":     {"domain"},
	"app":        {"domain", "sqlite", "app"},
	"reconciler": {"domain", "sqlite", "app"},
	"web":        {"domain", "sqlite", "app", "web"},
	"app/courtd": {"domain", "sqlite", "app", "web", "reconciler"},
}

func layerOf(path string) string {
	if strings.HasPrefix(path, "app/courtd") {
		return "app/courtd"
	}
	top, _, _ := strings.Cut(path, "/")
	return top
}

// sources calls do for every Go file of the project that is not a test.
func sources(t *testing.T, do func(path string, text []byte)) {
	t.Helper()
	seen := 0
	for _, top := range []string{"app", "domain", "sqlite", "reconciler", "web"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			seen++
			do(filepath.ToSlash(rel), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 50 {
		t.Fatalf("looked at %d files only", seen)
	}
}

func TestImportsGoOneWay(t *testing.T) {
	sources(t, func(path string, text []byte) {
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		layer := layerOf(path)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			inner, ours := strings.CutPrefix(name, "courtd/")
			if !ours {
				if layer == "domain" && strings.Contains(name, ".") {
					t.Errorf("%s: domain is standard library only, not %s", path, name)
				}
				continue
			}
			ok := false
			for _, a := range allowed[layer] {
				ok = ok || layerOf(inner) == a
			}
			if !ok {
				t.Errorf("%s: %s must not import %s", path, layer, name)
			}
		}
	})
}

// Only the door reads the clock; everybody else is told the instant.
func TestOnlyTheDoorReadsTheClock(t *testing.T) {
	reads := regexp.MustCompile(`\btime\.(Now|Since|Until|After|Tick|NewTimer|NewTicker|AfterFunc)\(`)
	sources(t, func(path string, text []byte) {
		for i, line := range strings.Split(string(text), "\n") {
			if reads.MatchString(line) && path != "sqlite/clock.go" {
				t.Errorf("%s:%d reads the clock: %s", path, i+1, strings.TrimSpace(line))
			}
			if strings.Contains(line, "'now'") || strings.Contains(strings.ToLower(line), "current_timestamp") || strings.Contains(line, "unixepoch()") {
				t.Errorf("%s:%d asks SQLite for the time: %s", path, i+1, strings.TrimSpace(line))
			}
		}
	})
}

// What a form sends is read from the form: the framework's reader prefers the address,
// and a link must not be able to fill in for a form.
func TestFormsAreReadFromTheForm(t *testing.T) {
	reads := regexp.MustCompile(`\.(FormValue|BodyParser|FormFile|MultipartForm)\(`)
	sources(t, func(path string, text []byte) {
		for i, line := range strings.Split(string(text), "\n") {
			if reads.MatchString(line) {
				t.Errorf("%s:%d reads a form otherwise than kit.Sent: %s", path, i+1, strings.TrimSpace(line))
			}
		}
	})
}

// Files stay within a few screens, so that each holds one noun or one verb.
func TestFilesAreShort(t *testing.T) {
	const most = 450
	sources(t, func(path string, text []byte) {
		if n := strings.Count(string(text), "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", path, n, most)
		}
	})
}

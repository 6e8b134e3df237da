package records_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"courtd/app"
	"courtd/web/pages/records"
)

// effectsOfTheProgram finds what can be parked, in the constants of the program's source.
func effectsOfTheProgram(t *testing.T) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../../app/settle.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			if !strings.HasPrefix(spec.Names[0].Name, "effect") {
				continue
			}
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, text)
		}
	}
	if len(out) < 5 {
		t.Fatalf("found %v only", out)
	}
	return out
}

// TestWhateverCanBeParkedHasWords, and the API's list of it is whole.
func TestWhateverCanBeParkedHasWords(t *testing.T) {
	known := effectsOfTheProgram(t)
	field, ok := reflect.TypeFor[app.ParkedView]().FieldByName("Effect")
	if !ok {
		t.Fatal("ParkedView has no Effect")
	}
	listed := strings.Split(field.Tag.Get("enum"), ",")
	for _, effect := range known {
		if words := records.Effects[effect]; words[0] == "" || words[1] == "" {
			t.Errorf("%q has the words %q", effect, words)
		}
		if !slices.Contains(listed, effect) {
			t.Errorf("%q is not in the enum %v", effect, listed)
		}
	}
	if len(records.Effects) != len(known) || len(listed) != len(known) {
		t.Errorf("%d have words and %d are listed, of %d", len(records.Effects), len(listed), len(known))
	}
}

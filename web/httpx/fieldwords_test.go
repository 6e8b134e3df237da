package httpx_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/httpx"
)

// fieldTexts reads the program for what it says of fields: the format of each
// BadField, of each error that a list of them is given, and the text of each FieldError
// that is written out. By file and line.
func fieldTexts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, top := range []string{"domain", "app", "sqlite", "reconciler", "web"} {
		err := filepath.WalkDir("../../"+top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			consts := constantsOf(file)
			ast.Inspect(file, func(n ast.Node) bool {
				if text := saidOfField(n); text != nil {
					where := fset.Position(text.Pos()).String()
					value, known := valueOf(text, consts)
					if !known {
						value = "?"
					}
					out[where] = value
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// saidOfField is the expression that a call or a literal says of a field; nil for any other node.
func saidOfField(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if name == "BadField" && len(n.Args) >= 2 {
			return n.Args[1]
		}
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "add" && len(n.Args) >= 2 {
			if bad, ok := f.X.(*ast.Ident); ok && (bad.Name == "bad" || bad.Name == "f") {
				return n.Args[1]
			}
		}
	case *ast.CompositeLit:
		if !strings.HasSuffix(typeName(n.Type), "FieldError") {
			return nil
		}
		for _, element := range n.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok && typeName(pair.Key) == "Message" {
				if text, ok := pair.Value.(*ast.BasicLit); ok {
					return text
				}
			}
		}
	}
	return nil
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func constantsOf(file *ast.File) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i, name := range v.Names {
				if i < len(v.Values) {
					out[name.Name] = v.Values[i]
				}
			}
		}
	}
	return out
}

// valueOf works out a text that is written as literals and constants of its file.
func valueOf(e ast.Expr, consts map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.Ident:
		if value, ok := consts[e.Name]; ok {
			return valueOf(value, consts)
		}
	case *ast.BinaryExpr:
		left, ok := valueOf(e.X, consts)
		right, alsoOK := valueOf(e.Y, consts)
		return left + right, ok && alsoOK
	}
	return "", false
}

// passedOn are the places that hand on what has been said elsewhere.
var passedOn = map[string]bool{"domain/fields.go": true, "app/owner.go": true, "web/pages/settings/hours_form.go": true, "web/pages/settings/setup_form.go": true, "web/pages/messages/forms.go": true}

// TestEveryFieldTextHasChinese: what is said of a field is said in both languages.
func TestEveryFieldTextHasChinese(t *testing.T) {
	texts := fieldTexts(t)
	for where, text := range texts {
		file, _, _ := strings.Cut(strings.TrimPrefix(where, "../../"), ":")
		if passedOn[file] && (text == "%s" || text == "?") {
			continue
		}
		if zh, ok := httpx.FieldWords(text); !ok || zh == "" {
			t.Errorf("%s: there is no Chinese for %q", where, text)
		}
	}
	if len(texts) < 60 {
		t.Errorf("only %d texts found", len(texts))
	}
}

func TestFieldWordsKeepWhatIsFilledIn(t *testing.T) {
	for english, want := range map[string]string{
		"must be between 5 and 1440":                                   "须在 5 到 1440 之间",
		"must be between 00:00 and 23:59":                              "须在 00:00 到 23:59 之间",
		"must not be more than 8":                                      "不能超过 8 个",
		"must not be more than 100 rules":                              "不能超过 100 条规则",
		"must not contain the character U+202E":                        "不能含有字符 U+202E",
		"is later than the opening on Monday":                          "晚于 周一 的开门时间",
		"is later than the opening on 2026-12-25":                      "晚于 2026-12-25 的开门时间",
		`expected value to be one of "venue, customer"`:                `须为其中之一："venue, customer"`,
		"must be a phone number of 6 to 15 digits":                     "须为 6 到 15 位的电话号码",
		"must be later than from; past midnight goes on as 25:00":      "须晚于开始时间；过了午夜写作 25:00",
		"leaves no room for a slot of 90 minutes":                      "不够一个 90 分钟的场次",
		"must be a duration such as 90s, 10m or 24h, and not negative": "须为时长，例如 90s、10m 或 24h，不能为负",
	} {
		if got, ok := httpx.FieldWords(english); !ok || got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
	if got, ok := httpx.FieldWords("is odd in a way that nobody has thought of"); ok || got == "" {
		t.Errorf("unknown words: %q, %v", got, ok)
	}
}

// What the rules themselves refuse, not what is written about it.
func TestRefusalsOfTheRulesAreBilingual(t *testing.T) {
	p := domain.DefaultPolicy()
	p.HoldMinutes, p.OpensAt = 0, -1
	p.RefundLadder = domain.RefundLadder{{HoursBefore: 5, Percent: 101}, {HoursBefore: 5}}
	h := domain.DefaultHours()
	h.SlotMinutes = 1
	h.Weekly[1].Closes = 35 * 60
	for _, err := range []error{p.Validate(), h.Validate(), domain.PriceRules{{Name: "\u202e", PriceFen: -1, Courts: []string{"x"}}}.Validate(nil)} {
		refusal, ok := domain.AsError(err)
		if !ok || len(refusal.Fields) < 2 {
			t.Fatalf("%v", err)
		}
		for _, f := range httpx.FieldsOf(refusal) {
			if f.MessageZH == "填写有误" || f.MessageZH == "" || strings.Contains(f.MessageZH, "%!") {
				t.Errorf("%s: %q is %q in Chinese", f.Field, f.Message, f.MessageZH)
			}
		}
	}
	if got := fmt.Sprint(httpx.FieldsOf(&domain.Error{Reason: "slot_taken", Message: "gone", Fields: []domain.FieldError{{Field: "slots[0]", Message: "gone"}}})); got != "[{slots[0] gone 场次已被占用}]" {
		t.Errorf("a conflict: %s", got)
	}
}

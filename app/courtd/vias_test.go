package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"testing"
)

// TestOnePlaceKnowsTheWaysOfWeChat: that a payment went by WeChat is asked of the domain,
// so that a way whose name begins otherwise is one change.
func TestOnePlaceKnowsTheWaysOfWeChat(t *testing.T) {
	known := regexp.MustCompile("wechat_([^a-z]|jsapi|native|h5)")
	places := 0
	sources(t, func(path string, text []byte) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			switch {
			case !ok || literal.Kind != token.STRING || !known.MatchString(literal.Value):
			case path == "domain/via.go":
				places++
			default:
				t.Errorf("%s: %s", files.Position(literal.Pos()), literal.Value)
			}
			return true
		})
	})
	if places != 1 {
		t.Errorf("%d places in the domain", places)
	}
}

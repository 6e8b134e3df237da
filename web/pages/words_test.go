package pages_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"
	"unicode"
)

// oneLanguage are words that are meant to be the same for everybody, and why.
var oneLanguage = map[string]string{
	`中文`: "names the language that it leads to",
	`t "不填就是 1号场、2号场……填了就以这里为准。" "Without them they are called 1号场, 2号场, …; with them, these count."`: "these are the courts' names themselves",
	`Words{reason, ""}`:                        "a person's reason, as they wrote it",
	`Words{via, ""}`:                           "the name that a way to pay gives itself",
	`kit.Words{page.Good.Name, ""}`:            "the good's name",
	`kit.Words{m.Name, ""}`:                    "a person's name",
	`"时间 At", "谁 Who"`:                         bothInOne,
	`"身份 Role", "操作 What"`:                     bothInOne,
	`"对象 To what", "原因 Reason"`:                bothInOne,
	`"日期 Day", "时间 At"`:                        bothInOne,
	`"差异 Difference", "商户订单号 Payment"`:         bothInOne,
	`"商户退款单号 Refund", "微信订单号 WeChat's number"`: bothInOne,
	`"订单 Order", "微信 There"`:                   bothInOne,
	`"这里 Here", "说明 Explanation"`:              bothInOne,
	`"谁 By", "说明时间 Explained at"`:              bothInOne,
}

const bothInOne = "heads of a spreadsheet's columns, each in both languages"

// halves collects the texts for people that lack their English half. An English page
// would show the Chinese in its place, and a Chinese page the English.
type halves struct {
	found  []string
	pairs  int
	unused map[string]bool
}

func newHalves() *halves {
	h := &halves{unused: map[string]bool{}}
	for text := range oneLanguage {
		h.unused[text] = true
	}
	return h
}

func (h *halves) blame(place, text, what string) {
	delete(h.unused, text)
	if oneLanguage[text] == "" {
		h.found = append(h.found, fmt.Sprintf("%s: %s %s", place, text, what))
	}
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// TestNoTextLacksOneOfItsLanguages walks the sources of all pages.
func TestNoTextLacksOneOfItsLanguages(t *testing.T) {
	h := newHalves()
	templates := sources(t, "*/templates/*.html")
	for _, path := range templates {
		h.template(t, path)
	}
	inTemplates := h.pairs
	for _, path := range append(sources(t, "*/*.go", "*.go"), sources(t, "../httpx/*.go")...) {
		if !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "clubtest") {
			h.source(t, path)
		}
	}
	if inTemplates < 500 || h.pairs-inTemplates < 500 {
		t.Errorf("only %d pairs of words were found in %d templates and %d in Go: is this looking at the right thing?", inTemplates, len(templates), h.pairs-inTemplates)
	}
	for _, what := range h.found {
		t.Error(what)
	}
	for text := range h.unused {
		t.Errorf("%s is an exception from nothing", text)
	}
}

func sources(t *testing.T, patterns ...string) (out []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		out = append(out, found...)
	}
	return out
}

// template looks at every call of t, and at Chinese that stands outside of one where
// English pages show it too.
func (h *halves) template(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree := parse.New(path)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(string(text), "", "", trees); err != nil {
		t.Fatal(err)
	}
	for _, one := range trees {
		h.node(path, one.Root, false)
	}
}

// node walks one node of a template; chinese says that it is drawn on Chinese pages only.
func (h *halves) node(path string, n parse.Node, chinese bool) {
	list := func(l *parse.ListNode, chinese bool) {
		if l != nil {
			for _, inner := range l.Nodes {
				h.node(path, inner, chinese)
			}
		}
	}
	branch := func(b *parse.BranchNode, inChinese bool) {
		h.node(path, b.Pipe, chinese)
		list(b.List, chinese || inChinese)
		list(b.ElseList, chinese)
	}
	switch n := n.(type) {
	case *parse.ListNode:
		list(n, chinese)
	case *parse.TextNode:
		if hasHan(string(n.Text)) && !chinese {
			h.blame(path, strings.TrimSpace(string(n.Text)), "is Chinese on English pages")
		}
	case *parse.IfNode:
		branch(&n.BranchNode, n.Pipe.String() == "zh")
	case *parse.RangeNode:
		branch(&n.BranchNode, false)
	case *parse.WithNode:
		branch(&n.BranchNode, false)
	case *parse.ActionNode:
		h.node(path, n.Pipe, chinese)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			h.node(path, n.Pipe, chinese)
		}
	case *parse.PipeNode:
		for _, cmd := range n.Cmds {
			h.node(path, cmd, chinese)
		}
	case *parse.CommandNode:
		h.command(path, n, chinese)
	}
}

func (h *halves) command(path string, n *parse.CommandNode, chinese bool) {
	if name, ok := n.Args[0].(*parse.IdentifierNode); ok && name.Ident == "t" {
		h.pairs++
		if len(n.Args) != 3 {
			h.blame(path, n.String(), "has not two halves")
			return
		}
		for i, what := range map[int]string{1: "has no Chinese", 2: "has no English"} {
			if half, ok := n.Args[i].(*parse.StringNode); ok && strings.TrimSpace(half.Text) == "" {
				h.blame(path, n.String(), what)
			}
		}
		if half, ok := n.Args[2].(*parse.StringNode); ok && hasHan(half.Text) {
			h.blame(path, n.String(), "has Chinese in its English")
		}
		return
	}
	for _, arg := range n.Args {
		if s, ok := arg.(*parse.StringNode); ok && hasHan(s.Text) && !chinese {
			h.blame(path, n.String(), "is Chinese on English pages")
		}
		h.node(path, arg, chinese) // pipes in brackets
	}
}

// source looks at the literals of kit.Words and of [2]string in a file of Go, at what is
// added to the half of one, and at Chinese followed by its English in a call.
func (h *halves) source(t *testing.T, path string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	show := func(n ast.Node) string {
		var out strings.Builder
		if err := printer.Fprint(&out, files, n); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	elided := map[*ast.CompositeLit]bool{} // those whose type is left out and is Words
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			markElided(n, n.Type, elided)
			if isWords(n.Type) || elided[n] {
				h.literal(path, show(n), n.Elts)
			} else if _, list := n.Type.(*ast.ArrayType); !list {
				h.inOrder(path, show, n.Elts)
			}
		case *ast.CallExpr:
			h.inOrder(path, show, n.Args)
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if half, ok := to.(*ast.IndexExpr); ok && show(half.Index) == "1" && i < len(n.Rhs) && saysHan(n.Rhs[i]) {
					h.blame(path, show(n), "has Chinese in its English")
				}
			}
		}
		return true
	})
}

func isWords(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.Ident:
		return typ.Name == "Words"
	case *ast.SelectorExpr:
		return typ.Sel.Name == "Words"
	case *ast.ArrayType:
		length, ok := typ.Len.(*ast.BasicLit)
		elem, named := typ.Elt.(*ast.Ident)
		return ok && named && length.Value == "2" && elem.Name == "string"
	}
	return false
}

// markElided finds the Words among the elements of a list or a map, whose type Go lets
// one leave out.
func markElided(lit *ast.CompositeLit, typ ast.Expr, elided map[*ast.CompositeLit]bool) {
	var elem ast.Expr
	switch typ := typ.(type) {
	case *ast.ArrayType:
		elem = typ.Elt
	case *ast.MapType:
		elem = typ.Value
	default:
		return
	}
	if pointer, ok := elem.(*ast.StarExpr); ok {
		elem = pointer.X
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			elided[inner] = isWords(elem)
			markElided(inner, elem, elided)
		}
	}
}

func (h *halves) literal(path, text string, halves []ast.Expr) {
	if len(halves) == 0 {
		return // no words yet
	}
	h.pairs++
	if len(halves) == 1 {
		// A name or a number, which is worked out and the same for everybody; texts of
		// ours are not.
		if _, ours := plainText(halves[0]); ours || saysHan(halves[0]) {
			h.blame(path, text, "has no English")
		}
		return
	}
	for i, what := range []string{"has no Chinese", "has no English"} {
		if half, ok := plainText(halves[i]); ok && strings.TrimSpace(half) == "" {
			h.blame(path, text, what)
		}
	}
	if saysHan(halves[1]) {
		h.blame(path, text, "has Chinese in its English")
	}
}

// inOrder looks at a Chinese text and the text that follows it, as in count(n, "秒", "second").
func (h *halves) inOrder(path string, show func(ast.Node) string, args []ast.Expr) {
	for i := 0; i+1 < len(args); i++ {
		zh, first := plainText(args[i])
		en, second := plainText(args[i+1])
		if first && second && hasHan(zh) {
			h.pairs++
			if hasHan(en) || strings.TrimSpace(en) == "" {
				h.blame(path, show(args[i])+", "+show(args[i+1]), "has no English")
			}
			i++
		}
	}
}

func plainText(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// saysHan reports whether any text within an expression has Chinese in it.
func saysHan(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			text, ok := plainText(lit)
			found = found || (ok && hasHan(text))
		}
		return true
	})
	return found
}

package notify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"courtd/app/notify"
)

func TestSaidWords(t *testing.T) {
	for english, chinese := range map[string]string{
		"": "",
		"channel does not work: the mail server does not take the user name and password (535)": "渠道不可用：邮件服务器不接受用户名和密码（535）",
		"channel does not work: the connection was refused; nobody listens there":               "渠道不可用：连接被拒绝；该地址无服务在监听",
		"refused for good: not allowed by the receiver (errcode 43101, template T-1)":           "永久拒收：接收者未允许（errcode 43101，模板 T-1）",
		"answered 429; wants to be asked again in 1m0s":                                         "对方返回 429；1m0s 后再试",
		"the mail server answered 550 5.1.1 to the receiver":                                    "邮件服务器对收件人返回 550 5.1.1",
		"template 9 is unknown":                                                                    "template 9 is unknown",
		"something that only its author knows: answered 500":                                       "something that only its author knows：对方返回 500",
		"channel does not work: WeChat subscribe/send: no answer in time":                          "渠道不可用：微信 subscribe/send：超时未响应",
		"Tencent SMS: LimitExceeded.X: too many requests at once; wants to be asked again in 1m0s": "腾讯云短信：LimitExceeded.X：请求过于频繁；1m0s 后再试",
	} {
		if got := notify.SaidWords(english); got != chinese {
			t.Errorf("%q: got %q, want %q", english, got, chinese)
		}
	}
}

// TestEveryErrorOfAChannelHasWords: whatever a channel or WeChat's API says of itself is
// there in Chinese too, so that the owner's pages can show it.
func TestEveryErrorOfAChannelHasWords(t *testing.T) {
	filled := strings.NewReplacer("%w: %w", "", "%w: ", "", ": %w", "", "%w", "", "%s", "X", "%d", "7", `%q`, `"X"`, "%v", "X")
	words := regexp.MustCompile(`[A-Za-z]{2,}`)
	seen := 0
	check := func(at token.Position, said string) {
		text := strings.Trim(filled.Replace(said), " :;")
		if len(words.FindAllString(text, -1)) == 0 || text == "X" || strings.HasPrefix(text, "(") {
			return
		}
		seen++
		for _, clause := range regexp.MustCompile(`[：；]`).Split(notify.SaidWords(text), -1) {
			if !strings.ContainsFunc(clause, func(r rune) bool { return unicode.Is(unicode.Han, r) }) && clause != "X" && clause != "" {
				t.Errorf("%s: %q is not said in Chinese (in %q)", at, clause, said)
			}
		}
	}
	for _, dir := range []string{".", "../wechatapi"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "standin" {
				return filepath.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			for _, literal := range errorTexts(file) {
				said, err := strconv.Unquote(literal.Value)
				if err != nil {
					return err
				}
				check(files.Position(literal.Pos()), said)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 80 {
		t.Errorf("only %d texts were looked at", seen)
	}
}

// errorTexts finds the texts that a file makes errors of, and those that it calls words.
func errorTexts(file *ast.File) []*ast.BasicLit {
	var out []*ast.BasicLit
	take := func(e ast.Expr) {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			out = append(out, literal)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			if of, isName := called, ok; isName && len(n.Args) > 0 {
				pkg, _ := of.X.(*ast.Ident)
				if pkg != nil && (pkg.Name == "fmt" && of.Sel.Name == "Errorf" || pkg.Name == "errors" && of.Sel.Name == "New") {
					take(n.Args[0])
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "words" {
				take(n.Value)
			}
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "words" {
				take(n.Rhs[0])
			}
		}
		return true
	})
	return out
}

//go:build ignore

// Mutate asks whether the tests would notice a wrong comparison. In a copy of
// the tree it turns each < into <=, <= into <, > into >= and >= into > in the files
// that hold the one rule, one at a time, runs the tests that pin the rule, and
// prints which test failed. It exits with 1 if a mutant survives that is not argued
// away in equivalents, or if one of those is killed after all.
//
//	go run .ci/mutate/main.go [-j workers] [-only text] [-logic]
package main

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// targets are the files that say when something is over.
var targets = []string{
	"domain/claim.go", "domain/order.go", "domain/availability.go", "domain/slot.go",
	"sqlite/schema/0001_core.sql", "sqlite/schema/derived.sql",
}

// equivalents are mutants that no test can tell from the original, each with the
// reason why. They are found by file, a piece of the line, and the operator's place
// among the line's comparisons, from 0.
var equivalents = []struct {
	file, line string
	nth        int
	why        string
}{
	{"domain/order.go", "r.StartsAt < first {", 0, "an equal start would be replaced by itself"},
	{"sqlite/schema/0001_core.sql", "CHECK (starts_at < ends_at)", 0,
		"the next CHECK says it again: starts_at < check_in_by AND check_in_by <= ends_at"},
	{"sqlite/schema/derived.sql", "r.starts_at > g.starts_at - 86400", 1,
		"a row that starts a whole day earlier ends before the slot begins, as no slot is longer than 1440 minutes; the line only lets SQLite use an index"},
}

// runs are the tests that pin the rule; the rest of the packages is slower and
// has nothing to say about it.
var runs = map[string]string{"./domain": ".", "./sqlite": "^Test(Rule|Schema)"}

const patience = 3 * time.Minute

type mutant struct {
	file      string
	line      int
	from, to  string
	text      string // the line before
	offset    int
	nth       int
	killer    string // empty: it survived
	tolerated string // why it may
}

func main() {
	workers := flag.Int("j", 2, "how many mutants are tried at once")
	only := flag.String("only", "", "try only mutants whose file or line contains this")
	logic := flag.Bool("logic", false, "swap && and ||, AND and OR too; what survives is shown and forgiven")
	flag.Parse()
	if err := run(*workers, *only, *logic); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(workers int, only string, logic bool) error {
	root, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	trees := make([]string, workers)
	for i := range trees {
		trees[i] = filepath.Join(root, fmt.Sprint(i))
		if err := copyTree(trees[i]); err != nil {
			return err
		}
	}
	mutants, err := all(trees[0], only, logic)
	if err != nil {
		return err
	}
	if err := excuse(mutants, only != ""); err != nil {
		return err
	}
	if killer := test(trees[0], "domain/"); killer != "" {
		return fmt.Errorf("the tests fail as it is: %s", killer)
	}
	try(trees, mutants)
	return report(mutants)
}

// copyTree copies what the two packages are built from.
func copyTree(to string) error {
	for _, dir := range []string{"domain", "sqlite"} {
		if err := os.CopyFS(filepath.Join(to, dir), os.DirFS(dir)); err != nil {
			return err
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func all(tree, only string, logic bool) ([]*mutant, error) {
	var list []*mutant
	for _, file := range targets {
		text, err := fs.ReadFile(os.DirFS(tree), file)
		if err != nil {
			return nil, err
		}
		find := inSQL
		if strings.HasSuffix(file, ".go") {
			find = inGo
		}
		found, err := find(string(text), logic)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		comparisons := map[int]int{}
		for _, m := range found {
			m.file = file
			m.line = 1 + strings.Count(string(text[:m.offset]), "\n")
			m.text = strings.TrimSpace(strings.Split(string(text), "\n")[m.line-1])
			m.nth = comparisons[m.line]
			if isComparison(m.from) {
				comparisons[m.line]++
			}
			if strings.Contains(m.file, only) || strings.Contains(m.text, only) {
				list = append(list, m)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("nothing to mutate")
	}
	return list, nil
}

var flips = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
var swaps = map[string]string{"&&": "||", "||": "&&", "AND": "OR", "OR": "AND"}

func isComparison(op string) bool { return flips[op] != "" }

func inGo(text string, logic bool) (list []*mutant, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			list = appendMutant(list, b.Op.String(), files.Position(b.OpPos).Offset, logic)
		}
		return true
	})
	// Inspect meets the outer operator first; a line is counted from the left.
	for i := range list {
		for j := i; j > 0 && list[j].offset < list[j-1].offset; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list, nil
}

// sqlToken finds comments, strings, operators and the words around AND and OR.
var sqlToken = regexp.MustCompile(`--[^\n]*|'[^']*'|<>|<=|>=|<|>|\|\||\bBETWEEN\b|\bAND\b|\bOR\b`)

func inSQL(text string, logic bool) (list []*mutant, err error) {
	between := false
	for _, at := range sqlToken.FindAllStringIndex(text, -1) {
		op := text[at[0]:at[1]]
		switch {
		case op == "BETWEEN":
			between = true
		case op == "AND" && between:
			between = false
		case op != "||":
			list = appendMutant(list, op, at[0], logic)
		}
	}
	return list, nil
}

func appendMutant(list []*mutant, op string, offset int, logic bool) []*mutant {
	to := flips[op]
	if to == "" && logic {
		to = swaps[op]
	}
	if to == "" {
		return list
	}
	return append(list, &mutant{from: op, to: to, offset: offset})
}

// excuse marks the equivalent mutants, and wants to find each that is listed.
func excuse(mutants []*mutant, some bool) error {
	for _, e := range equivalents {
		found := false
		for _, m := range mutants {
			if m.file == e.file && strings.Contains(m.text, e.line) && m.nth == e.nth && isComparison(m.from) {
				m.tolerated, found = e.why, true
			}
		}
		if !found && !some {
			return fmt.Errorf("equivalents names a line that is not there: %s: %s", e.file, e.line)
		}
	}
	return nil
}

func try(trees []string, mutants []*mutant) {
	queue := make(chan *mutant)
	var workers sync.WaitGroup
	for _, tree := range trees {
		workers.Go(func() {
			for m := range queue {
				m.killer = m.kill(tree)
				result := m.killer
				if result == "" {
					result = "SURVIVED"
				}
				fmt.Printf("%-28s %4d  %-3s -> %-3s  %-60s %s\n", m.file, m.line, m.from, m.to, clip(m.text, 60), result)
			}
		})
	}
	for _, m := range mutants {
		queue <- m
	}
	close(queue)
	workers.Wait()
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n-1] + "…"
	}
	return s
}

// kill writes the mutant into a tree, runs the tests, and puts the file back.
func (m *mutant) kill(tree string) string {
	path := filepath.Join(tree, m.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return "ERROR " + err.Error()
	}
	changed := string(text[:m.offset]) + m.to + string(text[m.offset+len(m.from):])
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		return "ERROR " + err.Error()
	}
	defer os.WriteFile(path, text, 0o644)
	return test(tree, m.file)
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// test names the first test that fails in the packages a file belongs to.
func test(tree, file string) string {
	packages := []string{"./sqlite"}
	if strings.HasPrefix(file, "domain/") {
		packages = []string{"./domain", "./sqlite"}
	}
	for _, pkg := range packages {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-failfast", "-vet=off", "-run", runs[pkg], pkg)
		cmd.Dir = tree
		out, err := cmd.CombinedOutput()
		late := ctx.Err() != nil
		cancel()
		if err == nil {
			continue
		}
		if name := failed.FindStringSubmatch(string(out)); name != nil {
			return pkg + " " + name[1]
		}
		if late || strings.Contains(string(out), "panic:") {
			return pkg + " (panic or time-out)"
		}
		return "ERROR " + clip(strings.ReplaceAll(string(out), "\n", " "), 200)
	}
	return ""
}

func report(mutants []*mutant) error {
	var killed, equivalent, forgiven, bad int
	for _, m := range mutants {
		where := fmt.Sprintf("%s:%d: %s -> %s: %s", m.file, m.line, m.from, m.to, m.text)
		switch {
		case strings.HasPrefix(m.killer, "ERROR"):
			bad++
			fmt.Println("not tried:", where, m.killer)
		case m.killer != "" && m.tolerated != "":
			bad++
			fmt.Println("not equivalent after all:", where)
		case m.killer != "":
			killed++
		case m.tolerated != "":
			equivalent++
			fmt.Println("equivalent:", where, "("+m.tolerated+")")
		case !isComparison(m.from):
			forgiven++
		default:
			bad++
			fmt.Println("SURVIVED:", where)
		}
	}
	fmt.Printf("%d mutants: %d killed, %d equivalent, %d of && and || alive, %d bad\n", len(mutants), killed, equivalent, forgiven, bad)
	if bad > 0 {
		return fmt.Errorf("%d mutants survived or could not be tried", bad)
	}
	return nil
}

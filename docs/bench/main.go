// Command bench measures courtd side by side with what it is held against, and prints a
// table of ratios. Everything is measured in one run, in turns, on loopback; single
// times of a shared machine mean little.
//
//	go run ./docs/bench -out docs/benchmarks.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// section measures some figures.
type section struct {
	name    string
	measure func(context.Context, *bench) error
}

var sections = []section{
	{"grid", measureGrid},
	{"orders", measureOrders},
	{"history", measureHistory},
	{"round", measureRound},
	{"lapse", measureLapse},
	{"rush", measureRush},
}

// bench is one run.
type bench struct {
	scratch string        // for databases and programs
	courtd  string        // the program under test
	self    string        // this program
	rounds  int           // of every comparison
	span    time.Duration // of one measurement
	many    int           // rows of the long history
	few     int           // rows of the short one
	customers,
	held int // of the rush, and claims that fall due at once
	figures []figure
	notes   []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(args) > 0 {
		switch args[0] { // the parts that run as processes of their own
		case "load":
			return serveLoad(ctx, os.Stdin, os.Stdout)
		case "floor":
			return serveFloor(ctx, args[1:], os.Stdout)
		case "bare":
			return serveBare(ctx, args[1:], os.Stdout)
		}
	}
	b := &bench{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "sections to measure, as a regular expression of: "+names())
	out := flags.String("out", "", "file to write the table to, between its markers")
	keep := flags.String("scratch", "", "folder for databases, which is kept with its long histories; a temporary one if empty")
	flags.StringVar(&b.courtd, "courtd", "", "the program to measure; it is built if empty")
	flags.IntVar(&b.rounds, "rounds", 7, "rounds of every comparison; medians are told")
	flags.DurationVar(&b.span, "span", 2*time.Second, "of one measurement")
	flags.IntVar(&b.many, "many", 10_000_000, "reservation rows of the long history")
	flags.IntVar(&b.few, "few", 10_000, "reservation rows of the short history")
	flags.IntVar(&b.customers, "customers", 2000, "customers of the rush")
	flags.IntVar(&b.held, "held", 10_000, "claims that fall due at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if err := b.prepare(ctx, *keep); err != nil {
		return err
	}
	if *keep == "" {
		defer os.RemoveAll(b.scratch)
	}
	var failed error
	for _, s := range sections {
		if !chosen.MatchString(s.name) {
			continue
		}
		began := time.Now()
		fmt.Fprintf(os.Stderr, "measuring %s …\n", s.name)
		if err := s.measure(ctx, b); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
			fmt.Fprintln(os.Stderr, "bench:", s.name, err)
		}
		fmt.Fprintf(os.Stderr, "  took %.0f s\n", time.Since(began).Seconds())
		if ctx.Err() != nil {
			break
		}
	}
	text := b.table()
	fmt.Println(text)
	if *out != "" && failed == nil {
		failed = writeBetweenMarkers(*out, text)
	}
	return failed
}

func names() string {
	var all []string
	for _, s := range sections {
		all = append(all, s.name)
	}
	return strings.Join(all, ", ")
}

// prepare makes the scratch folder and builds what is measured.
func (b *bench) prepare(ctx context.Context, keep string) (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	b.scratch = keep
	if keep == "" {
		b.scratch, err = os.MkdirTemp("", "courtd-bench-")
	} else {
		err = os.MkdirAll(keep, 0o700)
	}
	if err != nil || b.courtd != "" {
		return err
	}
	b.courtd = filepath.Join(b.scratch, "courtd")
	build := exec.CommandContext(ctx, "go", "build", "-o", b.courtd, "./app/courtd")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build courtd (run this at the top of the repository): %w", err)
	}
	return nil
}

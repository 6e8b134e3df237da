// Command courtd sells a sports venue's courts by the slot: one binary over one
// SQLite file. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	_ "time/tzdata" // the venue's zone must be known on every machine

	"github.com/alecthomas/kong"

	"courtd/domain"
)

// version is set by the build.
var version = "dev"

type commands struct {
	Init        initCommand        `cmd:"" help:"Make a database and set up a venue with its first owner. 建库并设置场馆。"`
	Serve       serveCommand       `cmd:"" help:"Serve a venue to browsers and mini-programs. 运行场馆服务。"`
	Demo        demoCommand        `cmd:"" help:"Serve an example venue with play money and a clock that can be moved. 运行演示场馆。"`
	Check       checkCommand       `cmd:"" help:"Look at every setting, the clock and the services outside, and say in plain words what is wrong. 检查设置。"`
	Reconcile   reconcileCommand   `cmd:"" help:"Run one round of the reconciler by hand. 手动对账一轮。"`
	AcceptClock acceptClockCommand `cmd:"" help:"Accept this machine's clock although it is behind the last instant in the file. 接受当前时钟。"`
	Version     versionCommand     `cmd:"" help:"Print the version. 显示版本。"`
}

func main() {
	// SIGTERM and Ctrl-C ask for an orderly end; a second one is obeyed at once.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run parses a command line and carries it out; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c commands
	status := -1
	parser, err := kong.New(&c, kong.Name("courtd"),
		kong.Description("courtd lets a sports venue sell its courts by the slot. Every flag can also be set in the environment.\ncourtd 场馆订场：一个程序、一个 SQLite 文件。每个参数也可用环境变量设置。"),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { status = code }), kong.UsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(stdout, (*io.Writer)(nil)))
	if err != nil {
		fmt.Fprintln(stderr, "courtd:", err)
		return 1
	}
	around := lookAround(parser.Model.Node)
	if len(args) == 1 && args[0] == "help" {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if status >= 0 {
		return status // --help has been answered
	}
	if err != nil {
		fmt.Fprintf(stderr, "courtd: %v; see courtd --help\n", err)
		return 2
	}
	if err := c.tell(around, parser.Model.Node, parsed.Selected()); err != nil {
		fmt.Fprintln(stderr, "courtd:", err)
		return 2
	}
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(stderr, "courtd:", words(err))
		return 1
	}
	return 0
}

// tell tells the chosen command what is wrong with the variables that it reads. Those that
// reach outside say it with all else that is wrong with their settings; the check also
// looks at what serving reads.
func (c *commands) tell(around environment, all, chosen *kong.Node) error {
	switch chosen.Name {
	case "check":
		serve := slices.IndexFunc(all.Children, func(n *kong.Node) bool { return n.Name == "serve" })
		c.Check.around = append(around.of(chosen, all.Children[serve]), unknownVariables(all)...)
	case "serve":
		c.Serve.around = append(around.of(chosen), unknownVariables(all)...)
	case "reconcile":
		c.Reconcile.around = around.of(chosen)
	default:
		return world{problems: around.of(chosen)}.failed()
	}
	return nil
}

// words says an error as a person would want to read it.
func words(err error) string {
	refusal, ok := domain.AsError(err)
	if !ok || refusal.Message == "" {
		return err.Error()
	}
	if cause := errors.Unwrap(refusal); cause != nil {
		return fmt.Sprintf("%s (%v)", refusal.Message, cause)
	}
	return refusal.Message
}

type versionCommand struct{}

// Run prints the version, the commit if the build knows it, and the Go version.
func (versionCommand) Run(stdout io.Writer) error {
	line := "courtd " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				line += " " + s.Value
			}
		}
		line += " " + info.GoVersion
	}
	_, err := fmt.Fprintln(stdout, line)
	return err
}

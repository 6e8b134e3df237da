// Command compare measures courtd beside what people use instead to end unpaid
// holds, each doing the same job. It starts and stops what it needs by itself. See
// README.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	wholeRun = 15 * time.Minute
	oneRun   = 4 * time.Minute // one contender in one phase
	killsAt  = 3               // kill -9 runs at once: nothing is timed in them
)

func main() {
	roleText := flag.String("role", "", "for the program itself: what a process that it starts is to be")
	only := flag.String("only", "", "measure only contenders whose names hold one of these words (comma-separated)")
	write := flag.String("write", "", "put the table between the marks of this file")
	scratch := flag.String("scratch", os.TempDir(), "where the files go; on a disk, or commits cost nothing")
	holds := flag.Int("holds", usual.Holds, "holds whose deadlines spread over 20 seconds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *roleText != "" {
		var r role
		if err = json.Unmarshal([]byte(*roleText), &r); err == nil {
			err = r.run(ctx)
		}
	} else {
		j := usual
		j.Holds, j.Killed = *holds, min(usual.Killed, *holds)
		err = measure(ctx, j, *scratch, *only, *write, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure runs all phases, prints the report, and leaves nothing behind.
func measure(ctx context.Context, j job, scratch, only, write string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, wholeRun)
	defer cancel()
	begun := time.Now()
	var err error
	if j.Scratch, err = os.MkdirTemp(scratch, "courtd-compare-"); err != nil {
		return err
	}
	defer os.RemoveAll(j.Scratch)
	defer killAll()
	results := chosen(only)
	if len(results) == 0 {
		return fmt.Errorf("no contender's name holds %q", only)
	}
	for _, r := range results {
		for _, phase := range []struct {
			name string
			run  func(context.Context, *result) error
		}{{"create", j.create}, {"lag", j.lag}} {
			if r.skipped == "" && ctx.Err() == nil {
				step(ctx, r, phase.name, phase.run)
			}
		}
	}
	j.killEach(ctx, results)
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("stopped after %v: %w", time.Since(begun).Round(time.Second), err)
	}
	text := report(j, about(j.Scratch, time.Since(begun)), results)
	fmt.Fprintln(out, text)
	if write != "" {
		return writeInto(write, text)
	}
	return nil
}

func chosen(only string) (out []*result) {
	for _, c := range contenders {
		for _, word := range strings.Split(only, ",") {
			if strings.Contains(strings.ToLower(c.name), strings.ToLower(strings.TrimSpace(word))) {
				out = append(out, &result{c: c, skipped: c.broker.missing()})
				break
			}
		}
	}
	return out
}

func step(ctx context.Context, r *result, name string, run func(context.Context, *result) error) {
	ctx, cancel := context.WithTimeout(ctx, oneRun)
	defer cancel()
	begun := time.Now()
	if err := run(ctx, r); err != nil {
		r.fail(name, err)
	}
	fmt.Fprintf(os.Stderr, "%s: %s took %v %s\n", r.c.name, name, time.Since(begun).Round(time.Second/10), r.skipped)
}

// killEach makes the kill -9 runs, a few beside each other; those that only wait for
// what may still come count no more.
func (j job) killEach(ctx context.Context, results []*result) {
	turn := make(chan struct{}, killsAt)
	var runs sync.WaitGroup
	for _, r := range results {
		if r.skipped != "" {
			continue
		}
		for _, persistent := range []bool{false, true} {
			if persistent && (r.c.broker == nil || r.c.broker.off == "") {
				continue
			}
			select {
			case turn <- struct{}{}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				break
			}
			runs.Go(func() {
				k := j.killOne(ctx, r.c, persistent, sync.OnceFunc(func() { <-turn }))
				if persistent {
					r.persisted = k
				} else {
					r.killed = k
				}
			})
		}
	}
	runs.Wait()
}

func (j job) killOne(ctx context.Context, c contender, persistent bool, active func()) *killing {
	ctx, cancel := context.WithTimeout(ctx, oneRun)
	defer cancel()
	begun := time.Now()
	k, err := j.kill(ctx, c, persistent, active)
	if err != nil {
		k.err = err.Error()
	}
	fmt.Fprintf(os.Stderr, "%s: kill -9 (persistence turned on: %v) took %v: %s\n", c.name, persistent, time.Since(begun).Round(time.Second/10), &k)
	return &k
}

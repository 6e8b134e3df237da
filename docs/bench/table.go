package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// figure is one line of the table.
type figure struct {
	what string
	must string  // what it must reach, in words
	got  string  // what was measured, in words
	met  verdict // whether it was reached
	how  string  // what stands behind it
}

type verdict int

const (
	told    verdict = iota // nothing is asked of it
	reached                // what must be is
	missed
)

// atLeast adds a ratio that must not be smaller.
func (b *bench) atLeast(what string, least float64, ratios []float64, how string) {
	b.ratio(what, fmt.Sprintf("≥ %.2f", least), median(ratios) >= least, ratios, how)
}

// atMost adds a ratio that must not be greater.
func (b *bench) atMost(what string, most float64, ratios []float64, how string) {
	b.ratio(what, fmt.Sprintf("≤ %.2f", most), median(ratios) <= most, ratios, how)
}

func (b *bench) ratio(what, must string, ok bool, ratios []float64, how string) {
	got := fmt.Sprintf("%.2f (%.2f–%.2f in %d rounds)", median(ratios), slices.Min(ratios), slices.Max(ratios), len(ratios))
	b.add(what, must, ok, got, how)
}

func (b *bench) add(what, must string, ok bool, got, how string) {
	f := figure{what: what, must: must, got: got, met: missed, how: how}
	if ok {
		f.met = reached
	}
	b.figures = append(b.figures, f)
	fmt.Fprintf(os.Stderr, "  %s: %s, must be %s\n", what, got, must)
}

// tell adds a figure that nothing is asked of.
func (b *bench) tell(what, got, how string) {
	b.figures = append(b.figures, figure{what: what, got: got, how: how})
	fmt.Fprintf(os.Stderr, "  %s: %s\n", what, got)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}

// quantile gives the value below which a share of the durations lies: the nearest
// rank, so that it is one that was measured.
func quantile(durations []time.Duration, share float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(durations))
	rank := int(share*float64(len(sorted))+0.999999) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

// table is the figures in Markdown, with the machine they were measured on.
func (b *bench) table() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Measured on %s, %s. Medians of %d rounds, in turns.\n\n", time.Now().Format("2006-01-02"), machine(), b.rounds)
	out.WriteString("| figure | must be | measured | |\n|---|---|---|---|\n")
	for _, f := range b.figures {
		mark := map[verdict]string{told: "", reached: "✓", missed: "✗ missed"}[f.met]
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", f.what, f.must, f.got, mark)
	}
	out.WriteString("\nWhat stands behind the figures:\n\n")
	for _, f := range b.figures {
		if f.how != "" {
			fmt.Fprintf(&out, "- **%s**: %s\n", f.what, f.how)
		}
	}
	for _, n := range b.notes {
		fmt.Fprintf(&out, "- %s\n", n)
	}
	return out.String()
}

// machine says what the figures were measured on.
func machine() string {
	name := "an unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(text), "\n") {
			if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	memory := ""
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		memory = fmt.Sprintf(", %.0f GiB", float64(info.Totalram)*float64(info.Unit)/(1<<30))
	}
	return fmt.Sprintf("%d cores (%s)%s, %s %s/%s", runtime.NumCPU(), name, memory, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Between these lines of a file the table is written.
const (
	beginMark = "<!-- measured: begin -->"
	endMark   = "<!-- measured: end -->"
)

func writeBetweenMarkers(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, found := strings.Cut(string(old), beginMark)
	_, tail, ended := strings.Cut(rest, endMark)
	if !found || !ended {
		return fmt.Errorf("%s has no lines %s and %s", path, beginMark, endMark)
	}
	return os.WriteFile(path, []byte(head+beginMark+"\n"+text+endMark+tail), 0o644)
}

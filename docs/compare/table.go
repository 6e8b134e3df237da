package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	markBegin = "<!-- measured: begin -->"
	markEnd   = "<!-- measured: end -->"
)

// report is everything that was measured, as it stands in the README.
func report(j job, about string, results []*result) string {
	var b strings.Builder
	b.WriteString(about + "\n\n")
	fmt.Fprintf(&b, "Bookings, and how long after its deadline a slot is free (%d holds):\n\n", j.Holds)
	fmt.Fprintf(&b, "| | bookings/s, 1 client | bookings/s, %d clients | lag p50 | lag p99 | lag max | too early | booked again |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", j.Clients)
	for _, r := range results {
		b.WriteString("| " + r.c.name + r.speedCells() + " |\n")
	}
	fmt.Fprintf(&b, "\nWhat a pending hold takes, what `kill -9` in the middle of the deadlines does (%d holds, up again after %v), and what has to run:\n\n", j.Killed, j.Down)
	b.WriteString("| | broker + worker, bytes/hold | app process, bytes/hold | database file, bytes/hold | kill -9: lost / twice | with persistence turned on: lost / twice | processes to look after |\n|---|--:|--:|--:|--:|--:|:--|\n")
	for _, r := range results {
		b.WriteString("| " + r.c.name + r.costCells() + fmt.Sprintf(" | %d: %s |\n", r.c.count, r.c.watch))
	}
	return b.String()
}

func (r *result) speedCells() string {
	if r.skipped != "" {
		return " | " + oneLine(r.skipped) + strings.Repeat(" | ", 6)
	}
	return fmt.Sprintf(" | %.0f | %.0f | %s | %s | %s | %s | %d of %d", r.alone, r.together,
		shown(r.lags.P50), shown(r.lags.P99), r.lags.max(), r.lags.early(), r.rebooked-r.refused, r.rebooked)
}

func (r *result) costCells() string {
	if r.skipped != "" {
		return " | – | – | – | – | –"
	}
	beside := fmt.Sprint(r.beside)
	if r.c.ender == nil {
		beside = "none runs"
	}
	persisted := r.persisted.String()
	if r.c.broker != nil && r.c.broker.off != "" && r.persisted != nil {
		persisted += " (`" + r.c.broker.off + "`)"
	}
	return fmt.Sprintf(" | %s | %d | %d | %s | %s", beside, r.itself, r.file, r.killed, persisted)
}

// String says what was lost and what was done twice.
func (k *killing) String() string {
	switch {
	case k == nil:
		return "–"
	case k.err != "":
		return oneLine("failed: " + k.err)
	case k.missing > k.lost:
		return fmt.Sprintf("%d / %d, %d effects missing", k.lost, k.again, k.missing-k.lost)
	}
	return fmt.Sprintf("%d / %d", k.lost, k.again)
}

func (l lags) max() string {
	if l.Unseen > 0 {
		return fmt.Sprintf("%s, %d never", shown(l.Max), l.Unseen)
	}
	return shown(l.Max)
}

func (l lags) early() string {
	if l.Early == 0 {
		return "0"
	}
	return fmt.Sprintf("%d, by up to %s", l.Early, shown(l.Earliest))
}

// shown is a duration as people read it.
func shown(d time.Duration) string {
	switch abs := d.Abs(); {
	case abs < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case abs < time.Second:
		return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "|", "/").Replace(text)
}

// writeInto puts a report between the marks of a file and leaves the rest alone.
func writeInto(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), markBegin)
	_, after, ok2 := strings.Cut(rest, markEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s has not both marks %s and %s", path, markBegin, markEnd)
	}
	return os.WriteFile(path, []byte(before+markBegin+"\n\n"+text+"\n"+markEnd+after), 0o644)
}

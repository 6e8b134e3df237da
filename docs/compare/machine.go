package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// about says when and on what everything was measured.
func about(scratch string, took time.Duration) string {
	parts := []string{fmt.Sprintf("Measured on %s in %v: %d cores, %s of memory, Linux %s, scratch files on %s, load before the start %s; %s, SQLite %s",
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), took.Round(time.Second), runtime.NumCPU(), memory(), kernel(), fileSystem(scratch), loadAtStart, runtime.Version(), sqliteVersion())}
	for _, b := range []*broker{redisServer, beanstalkd, rabbitServer} {
		if b.missing() == "" {
			parts = append(parts, b.pkg+" "+version(b.pkg))
		}
	}
	return strings.Join(parts, ", ") + "." + busy(loadAtStart)
}

// quiet is the load up to which nothing else is said to run.
const quiet = 0.5

// busy warns of figures that others have spoilt.
func busy(load string) string {
	if l, err := strconv.ParseFloat(load, 64); err == nil && l <= quiet {
		return ""
	}
	return "\n\n**The machine was busy with other things. Rates are too low and lags too long; not final.**"
}

// loadAtStart is how busy the machine was before this program made it so.
var loadAtStart = firstField("/proc/loadavg")

func firstField(path string) string {
	text, err := os.ReadFile(path)
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return "unknown"
}

func sqliteVersion() string {
	v, _, _ := sqlite3.Version()
	return v
}

func memory() string {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemTotal:" {
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			return fmt.Sprintf("%.0f GiB", float64(kib)/(1<<20))
		}
	}
	return "an unknown amount"
}

func kernel() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "unknown"
	}
	release, _, _ := strings.Cut(strings.TrimSpace(string(text)), "-")
	return release
}

// fileSystem names where the files are: what is only memory makes commits cheap.
func fileSystem(dir string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return "an unknown file system"
	}
	switch st.Type {
	case 0x01021994:
		return "tmpfs (memory: commits cost nothing here)"
	case 0xEF53:
		return "ext4"
	case 0x58465342:
		return "xfs"
	case 0x9123683E:
		return "btrfs"
	case 0x794c7630:
		return "overlayfs"
	}
	return fmt.Sprintf("file system %#x", st.Type)
}

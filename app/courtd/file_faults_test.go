package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// faultClub serves a demonstration from a file in some folder, with somebody who may order.
type faultClub struct {
	*programClub
	token string
	kept  map[string]string // number of pieces by the order's id
	next  int
}

func newFaultClub(t *testing.T, folder string) *faultClub {
	t.Helper()
	path := filepath.Join(folder, "demo.db")
	c := &faultClub{programClub: &programClub{path: path, program: programStart(t, nil, programDemoArgs(path)...)}, kept: map[string]string{}}
	c.desk, c.owner = c.staff("desk"), c.staff("owner")
	c.policy(programBody{"max_live_orders": 100})
	c.post("/api/v1/owner/goods/g3/receipts", c.owner, programBody{"qty": 900}).wants(200)
	c.token = c.customer("13800000001")
	return c
}

// orders one more good than before and remembers it if it was acknowledged.
func (c *faultClub) order() programAnswer {
	c.t.Helper()
	c.next++
	body := programGoods("g3", 1+c.next%40, "")
	if c.next > 40 {
		body["goods"] = append(body["goods"].([]programBody), programBody{"id": "g1", "qty": 1})
	}
	got := c.send(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: c.token, key: fmt.Sprintf("fault-%d", c.next), body: body})
	if got.status < 300 {
		c.kept[got.str("id")] = got.str("number")
	}
	return got
}

// wantsTrouble wants changes to be refused with words that say why, reads to go on, and
// whoever watches the program to be told.
func (c *faultClub) wantsTrouble(reason, words string, ready int) {
	c.t.Helper()
	got := c.order()
	if got.wants(503, reason); got.header.Get("Retry-After") == "" || !strings.Contains(got.str("detail"), words) {
		c.t.Errorf("Retry-After %q, %s", got.header.Get("Retry-After"), got.text)
	}
	c.get("/api/v1/availability?date=2026-12-10", "").wants(200)
	c.get("/api/v1/orders", c.token).wants(200)
	health := c.get("/healthz", "")
	if health.has("unavailable", "status").has(reason, "reason"); health.status != 503 || !strings.Contains(health.str("detail"), words) {
		c.t.Errorf("health: status %d %s", health.status, health.text)
	}
	told := c.get("/readyz", "")
	if said := fmt.Sprint(told.in("writes"), told.in("detail")); told.status != ready || !strings.Contains(said, words) {
		c.t.Errorf("readiness: status %d %s", told.status, told.text)
	}
	if !c.says(words) {
		log := c.stderr.String()
		c.t.Errorf("the log does not say %q: %s", words, log)
	}
}

// wantsWell wants the same program to serve again.
func (c *faultClub) wantsWell() {
	c.t.Helper()
	c.get("/healthz", "").wants(200).has("ok", "status")
	c.get("/readyz", "").wants(200).has(nil, "writes")
	c.order().wants(201)
}

// wantsAll kills the program, starts it again and wants all that was acknowledged.
func (c *faultClub) wantsAll() {
	c.t.Helper()
	c.program.kill()
	c.program = programStart(c.t, nil, programDemoArgs(c.path)...)
	c.wantsKept()
}

func (c *faultClub) wantsKept() {
	c.t.Helper()
	for id, number := range c.kept {
		c.programClub.order(c.token, id).has(number, "number")
	}
	c.file = programFile(c.t, c.path)
	c.wantCount(len(c.kept), "SELECT count(*) FROM orders")
	c.sound()
}

// faultDisk mounts a small disk of memory.
func faultDisk(t *testing.T, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this needs to mount a small disk, which only root may: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestTheDiskFillsUp: with no room left, changes are refused with a reason, what was
// acknowledged stays, and with room again the same program goes on.
func TestTheDiskFillsUp(t *testing.T) {
	t.Parallel()
	folder := faultDisk(t, "8m")
	c := newFaultClub(t, folder)
	c.order().wants(201)
	for range 2 {
		filler, err := os.Create(filepath.Join(folder, "filler"))
		programOK(t, err)
		if _, err := io.Copy(filler, faultZeros{}); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk takes everything: %v", err)
		}
		programOK(t, filler.Close())
		full := false
		for range 200 { // there is room in the file itself for a few
			if got := c.order(); got.status == 503 {
				full = true
				break
			}
		}
		if !full {
			t.Fatal("a full disk stops nothing")
		}
		c.wantsTrouble("unavailable", "the disk is full", 200)
		programOK(t, os.Remove(filler.Name()))
		c.wantsWell()
	}
	c.wantsAll()
}

type faultZeros struct{}

func (faultZeros) Read(p []byte) (int, error) { return len(p), nil }

// TestTheLockIsHeldForLong: another program that keeps the write lock stops changes and
// nothing else.
func TestTheLockIsHeldForLong(t *testing.T) {
	t.Parallel()
	c := newFaultClub(t, t.TempDir())
	c.order().wants(201)
	release := programLock(t, c.path)
	defer release()
	c.wantsTrouble("unavailable", "the database is busy", 200)
	release()
	c.wantsWell()
	c.wantsAll()
}

// TestTheFileCannotBeWritten: neither at the start nor while it is served.
func TestTheFileCannotBeWritten(t *testing.T) {
	t.Parallel()
	folder := faultFreezable(t)
	c := newFaultClub(t, folder)
	c.order().wants(201)
	thaw := faultFreeze(t, c.path, c.path+"-wal")
	c.wantsTrouble("unavailable", "", 200)
	thaw()
	c.wantsWell()
	c.wantsAll()
	c.stop()

	const allowed = "courtd must be allowed to write to it and to its folder"
	here := faultReadOnly(t, folder)
	status, _, complaints := programRun(t, nil, programDemoArgs(filepath.Join(here, "demo.db"))...)
	wantComplaint(t, status, 1, complaints, filepath.Join(here, "demo.db")+": the database cannot be written to; "+allowed)
	venue := filepath.Join(faultReadOnly(t, filepath.Dir(newVenue(t))), "venue.db")
	status, _, complaints = programRun(t, nil, "serve", "--db", venue, "--listen", "127.0.0.1:0")
	wantComplaint(t, status, 1, complaints, venue+": the database file cannot be opened; it must be a file, in a folder that is there and that courtd may write to")

	thaw = faultFreeze(t, c.path)
	status, _, complaints = programRun(t, nil, programDemoArgs(c.path)...)
	wantComplaint(t, status, 1, complaints, c.path+": the database cannot be written to; "+allowed)
	thaw()
	c.program = programStart(t, nil, programDemoArgs(c.path)...)
	c.wantsKept()
}

// faultReadOnly gives a folder another name under which nothing can be written.
func faultReadOnly(t *testing.T, folder string) (here string) {
	t.Helper()
	here = t.TempDir()
	if err := syscall.Mount(folder, here, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("this needs a mount, which only root may make: %v", err)
	}
	t.Cleanup(func() { programOK(t, syscall.Unmount(here, syscall.MNT_DETACH)) })
	programOK(t, syscall.Mount("", here, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	return here
}

// faultFreeze makes files immutable, also for who has them open, until thaw is called.
func faultFreeze(t *testing.T, names ...string) (thaw func()) {
	t.Helper()
	for _, name := range names {
		if out, err := exec.Command("chattr", "+i", name).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	var done atomic.Bool
	thaw = func() {
		if done.CompareAndSwap(false, true) {
			for _, name := range names {
				if out, err := exec.Command("chattr", "-i", name).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			}
		}
	}
	t.Cleanup(thaw)
	return thaw
}

// faultFreezable finds a folder whose files can be made immutable although they are open.
func faultFreezable(t *testing.T) string {
	t.Helper()
	for _, place := range []string{t.TempDir(), "/tmp", "/var/tmp"} {
		folder, err := os.MkdirTemp(place, "courtd-frozen-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { os.RemoveAll(folder) })
		f, err := os.Create(filepath.Join(folder, "probe"))
		programOK(t, err)
		err = exec.Command("chattr", "+i", f.Name()).Run()
		_, writeErr := f.WriteString("x")
		exec.Command("chattr", "-i", f.Name()).Run()
		programOK(t, f.Close())
		if err == nil && writeErr != nil {
			return folder
		}
	}
	t.Skip("this needs chattr +i on a disk that heeds it, which only root may use")
	return ""
}

// TestWhatCannotBeServed: each says which file is meant and what is wrong with it.
func TestWhatCannotBeServed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	programOK(t, os.WriteFile(in("rubbish.db"), []byte(strings.Repeat("not a database. ", 1000)), 0o600))
	programOK(t, os.Mkdir(in("folder.db"), 0o700))
	newer := newVenue(t)
	change(t, newer, "INSERT INTO schema_migrations VALUES (99, 'later', 1)")
	half, err := os.ReadFile(newVenue(t))
	programOK(t, err)
	programOK(t, os.WriteFile(in("half.db"), half[:len(half)/2/4096*4096], 0o600))
	for _, c := range []struct{ path, words string }{
		{in("rubbish.db"), "the file is not a database"},
		{in("folder.db"), "the database file cannot be opened; it must be a file"},
		{newer, "use a newer courtd"},
		{in("half.db"), "the database file is damaged; put the backup in its place"},
	} {
		for _, args := range [][]string{{"serve", "--db", c.path}, {"serve", "--setup", "--db", c.path}, {"demo", "--db", c.path}, {"reconcile", "--db", c.path}} {
			status, _, complaints := programRun(t, nil, append(args, faultListen(args)...)...)
			if wantComplaint(t, status, 1, complaints, c.words); !strings.Contains(complaints, c.path) {
				t.Errorf("%v does not say which file: %s", args, complaints)
			}
		}
	}
	nowhere := in("no/such/venue.db")
	status, _, complaints := programRun(t, nil, "serve", "--db", nowhere, "--listen", "127.0.0.1:0")
	wantComplaint(t, status, 1, complaints, "there is no file "+nowhere)
	for _, args := range [][]string{{"serve", "--setup", "--db", nowhere, "--listen", "127.0.0.1:0"}, {"init", "--db", nowhere, "--name", "馆"}} {
		status, _, complaints := programRun(t, nil, args...)
		wantComplaint(t, status, 1, complaints, nowhere+": the database file cannot be opened; it must be a file, in a folder that is there")
	}
	if _, err := os.Stat(in("no")); err == nil {
		t.Error("a mistyped folder was made")
	}
}

func faultListen(args []string) []string {
	if args[0] == "reconcile" {
		return nil
	}
	return []string{"--listen", "127.0.0.1:0"}
}

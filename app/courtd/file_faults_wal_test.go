package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// faultKilled is what a killed program leaves: some orders are in the file itself, the
// later ones only in its log.
type faultKilled struct {
	folder string
	token  string
	orders []string // by the order in which they were acknowledged
	inFile int      // of those
}

func newFaultKilled(t *testing.T) *faultKilled {
	t.Helper()
	k := &faultKilled{folder: t.TempDir()}
	c := newFaultClub(t, k.folder)
	k.token = c.token
	for n := range 20 {
		if n == 8 {
			change(t, c.path, "PRAGMA wal_checkpoint(TRUNCATE)")
			k.inFile = n
		}
		k.orders = append(k.orders, c.order().wants(201).str("id"))
	}
	c.program.kill()
	return k
}

// copied is a copy of all that is left, for one fault.
func (k *faultKilled) copied(t *testing.T) (path string) {
	t.Helper()
	folder := t.TempDir()
	for _, end := range []string{"", "-wal", "-shm", ".key"} {
		text, err := os.ReadFile(filepath.Join(k.folder, "demo.db"+end))
		programOK(t, err)
		programOK(t, os.WriteFile(filepath.Join(folder, "demo.db"+end), text, 0o600))
	}
	return filepath.Join(folder, "demo.db")
}

// serves starts a program on what a fault has left, wants the file whole and at work, and
// gives how many orders are there: the first ones, each wholly.
func (k *faultKilled) serves(t *testing.T, path string) (there int) {
	t.Helper()
	c := &programClub{path: path, program: programStart(t, nil, programDemoArgs(path)...)}
	c.file = programFile(t, path)
	found := programTexts(t, c.file, "SELECT id FROM orders ORDER BY rowid")
	if len(found) > len(k.orders) || !slices.Equal(found, k.orders[:len(found)]) {
		t.Fatalf("the orders there are %v, acknowledged were %v", found, k.orders)
	}
	for _, id := range found {
		c.order(k.token, id).has("held", "state")
	}
	c.wantCount(len(found), "SELECT count(*) FROM baskets")
	c.wantCount(len(found), "SELECT count(*) FROM notices")
	c.wantCount(len(found), "SELECT count(*) FROM stock_moves WHERE kind = 'sold'")
	c.sound()
	c.get("/healthz", "").wants(200)
	c.book(c.customer("13800000009"), programSlot("c1", "17:30"))
	c.stop()
	return len(found)
}

// TestTheLogIsDamaged: after a kill the log's index is nothing but a help, and may be
// missing or rubbish; of a log that is cut off or damaged, all is kept that stands before
// the damage, and nothing by halves. SQLite cannot tell such damage from the end of the
// log that a loss of power leaves, so nobody is told.
func TestTheLogIsDamaged(t *testing.T) {
	t.Parallel()
	k := newFaultKilled(t)
	log, err := os.ReadFile(filepath.Join(k.folder, "demo.db-wal"))
	programOK(t, err)
	frame := 24 + int(binary.BigEndian.Uint32(log[8:])) // a header and a page
	frames := (len(log) - 32) / frame
	if frames < 40 {
		t.Fatalf("%d frames", frames)
	}
	flipped := slices.Clone(log)
	for at := len(log) - 10*frame; at < len(log); at += 97 {
		flipped[at] ^= 0x55
	}
	all, none := len(k.orders), k.inFile
	for _, c := range []struct {
		what        string
		damage      func(path string) error
		least, most int
	}{
		{"nothing", func(string) error { return nil }, all, all},
		{"no index", func(path string) error { return os.Remove(path + "-shm") }, all, all},
		{"an index of rubbish", func(path string) error {
			return os.WriteFile(path+"-shm", []byte(strings.Repeat("rubbish ", 4096)), 0o600)
		}, all, all},
		{"half an index", func(path string) error { return os.Truncate(path+"-shm", 1000) }, all, all},
		{"the log cut off in the middle of a frame", func(path string) error {
			return os.Truncate(path+"-wal", int64(32+frames/2*frame+frame/3))
		}, none + 1, all - 1},
		{"the log's last bytes cut off", func(path string) error { return os.Truncate(path+"-wal", int64(len(log)-1)) }, all - 1, all - 1},
		{"bits of the log's tail flipped", func(path string) error { return os.WriteFile(path+"-wal", flipped, 0o600) }, none + 1, all - 1},
		{"the log's head overwritten", func(path string) error {
			return os.WriteFile(path+"-wal", append([]byte(strings.Repeat("x", 32)), log[32:]...), 0o600)
		}, none, none},
		{"an empty log", func(path string) error { return os.Truncate(path+"-wal", 0) }, none, none},
	} {
		t.Run(strings.ReplaceAll(c.what, " ", "_"), func(t *testing.T) {
			path := k.copied(t)
			programOK(t, c.damage(path))
			if there := k.serves(t, path); there < c.least || there > c.most {
				t.Errorf("%d orders are there, want %d to %d", there, c.least, c.most)
			} else {
				t.Logf("%d of %d orders are there", there, all)
			}
		})
	}
}

// TestTheLogIsMissing: whoever copies a file without its log, or tidies it away, is told
// before anybody books into what is left. Only the index gives it away; if that is
// gone too, nobody can know that there was a log, and what it held is lost in silence.
func TestTheLogIsMissing(t *testing.T) {
	t.Parallel()
	k := newFaultKilled(t)
	path := k.copied(t)
	log, err := os.ReadFile(path + "-wal")
	programOK(t, err)
	programOK(t, os.Remove(path+"-wal"))
	for range 2 { // it stays so
		status, _, complaints := programRun(t, nil, programDemoArgs(path)...)
		wantComplaint(t, status, 1, complaints, fmt.Sprintf("%s: its log %[1]s-wal is missing", path))
		if !strings.Contains(complaints, "最近的订单写在里面") {
			t.Errorf("nothing in Chinese: %s", complaints)
		}
	}
	// Put back, nothing is lost.
	whole := k.copied(t)
	programOK(t, os.Remove(whole+"-wal"))
	status, _, _ := programRun(t, nil, programDemoArgs(whole)...)
	programOK(t, os.WriteFile(whole+"-wal", log, 0o600))
	if there := k.serves(t, whole); status != 1 || there != len(k.orders) {
		t.Errorf("put back, %d orders are there", there)
	}
	// Without it, what it held is lost and nothing else.
	programOK(t, os.Remove(path+"-shm"))
	if there := k.serves(t, path); there != k.inFile {
		t.Errorf("%d orders are there, want the %d that the file holds", there, k.inFile)
	}
}

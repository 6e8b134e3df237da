package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheFileIsTakenAway: SQLite goes on writing into files that have no name any more.
// courtd does not: nothing is acknowledged that nobody would find again.
func TestTheFileIsTakenAway(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "-wal", "-shm"} {
		c := newFaultClub(t, t.TempDir())
		c.order().wants(201)
		away := c.path + end + ".away"
		programOK(t, os.Rename(c.path+end, away))
		c.wantsTrouble("file_gone", "was removed or replaced", 503)
		if !c.says(c.path + end + " is not the file that was opened") {
			log := c.stderr.String()
			t.Errorf("the log does not name %s: %s", c.path+end, log)
		}
		if _, err := os.Stat(c.path + end); err == nil {
			t.Errorf("another %s was made", c.path+end)
		}
		programOK(t, os.Rename(away, c.path+end))
		c.wantsWell()
		c.wantsAll()
	}
}

// TestTheFileIsReplaced: somebody puts a backup in the place of a file that is served.
func TestTheFileIsReplaced(t *testing.T) {
	t.Parallel()
	c := newFaultClub(t, t.TempDir())
	c.order().wants(201)
	backup := filepath.Join(t.TempDir(), "backup.db")
	change(t, c.path, "VACUUM INTO '"+backup+"'")
	saved := map[string]string{}
	for id, number := range c.kept {
		saved[id] = number
	}
	c.order().wants(201)
	programOK(t, os.Rename(backup, c.path))
	c.wantsTrouble("file_gone", "restart courtd", 503)
	// What an operator does then: end it, put away what belongs to the other file, start again.
	c.program.kill()
	programOK(t, os.Remove(c.path+"-wal"))
	programOK(t, os.Remove(c.path+"-shm"))
	c.program, c.kept = programStart(t, nil, programDemoArgs(c.path)...), saved
	c.wantsKept()
	c.wantsWell()
}

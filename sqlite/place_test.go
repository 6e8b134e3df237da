package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"courtd/sqlite"
)

// TestWhatWasTakenAway: no change is kept in files that are not where they were opened;
// who reads goes on by the connections that there are. When they are back, so does all else.
func TestWhatWasTakenAway(t *testing.T) {
	for _, end := range []string{"", "-wal", "-shm"} {
		path := newPath(t)
		db := mustOpen(t, options(path, clockAt(noon)))
		mustWrite(t, db, add("before"))
		wantTexts(t, db, "before")
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(os.Rename(path+end, path+".away"))
		for _, err := range []error{db.Write(ctx, add("into nothing")), db.Writable(ctx)} {
			if e := wantUnavailable(t, err); e.Reason != "file_gone" || !strings.Contains(e.Error(), path+end) {
				t.Errorf("got %v", err)
			}
		}
		wantTexts(t, db, "before")
		if _, err := os.Stat(path + end); err == nil {
			t.Errorf("another %s was made", path+end)
		}
		must(os.Rename(path+".away", path+end))
		mustWrite(t, db, add("after"))
		must(db.Writable(ctx))
		wantTexts(t, db, "before", "after")
	}
}

// TestAFileThatIsALink: the log lies beside the file itself, not beside the link.
func TestAFileThatIsALink(t *testing.T) {
	path := newPath(t)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, mustOpen(t, options(path, clockAt(noon))), add("by its name"))
	db := mustOpen(t, options(link, clockAt(noon)))
	mustWrite(t, db, add("by the link"))
	wantTexts(t, db, "by its name", "by the link")
}

// TestWritableIsRightAgainByItself: a failure is told until a change can be kept, whether
// or not anybody else has tried one.
func TestWritableIsRightAgainByItself(t *testing.T) {
	path := newPath(t)
	db := mustOpen(t, options(path, clockAt(noon)))
	pragma(t, db, "max_page_count = 40")
	wantUnavailable(t, db.Write(ctx, fill))
	pragma(t, db, "max_page_count = 40") // the failure has cost the connection that had the limit
	if e := wantUnavailable(t, db.Writable(ctx)); !strings.Contains(e.Message, "full") {
		t.Errorf("got %v", e)
	}
	if err := db.Writable(ctx); err != nil { // on another connection, without it
		t.Error(err)
	}
	mustWrite(t, db, add("after"))
	wantTexts(t, db, "after")
	hasty := options(path, clockAt(noon))
	hasty.BusyTimeout = 300 * time.Millisecond
	busy := mustOpen(t, hasty)
	release, held := holdLock(db)
	wantUnavailable(t, busy.Write(ctx, add("too busy")))
	if e := wantUnavailable(t, busy.Writable(ctx)); !strings.Contains(e.Message, "busy") {
		t.Errorf("got %v", e)
	}
	close(release)
	if err := <-held; err != nil {
		t.Error(err)
	}
	if err := busy.Writable(ctx); err != nil {
		t.Error(err)
	}
}

// TestALogIsMissed: an index without its log is what a careless copy of a killed
// program's files leaves.
func TestALogIsMissed(t *testing.T) {
	path := newPath(t)
	db, err := sqlite.Open(ctx, options(path, clockAt(noon)))
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, db, add("kept"))
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, end := range []string{"", "-shm"} {
		text, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(copied+end, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sqlite.Open(ctx, options(copied, clockAt(noon))); err == nil || !strings.Contains(err.Error(), copied+"-wal is missing") {
		t.Errorf("got %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, mustOpen(t, options(path, clockAt(noon))), "kept") // a file that was closed has neither
}

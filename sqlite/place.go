package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
)

// companions are the files of one database: itself, its log, and the index of the log.
var companions = [...]string{"", "-wal", "-shm"}

// place knows the files that a DB has open. Files that are removed or replaced stay open
// for whoever has them, so that SQLite would go on acknowledging changes that nobody
// will ever find; and a log of which two programs have two would damage the file.
type place struct {
	names [len(companions)]string
	files [len(companions)]fs.FileInfo
}

// movedAway is the fault of a file that is not where it was opened.
type movedAway struct{ file string }

func (e movedAway) Error() string {
	return fmt.Sprintf("%s is not the file that was opened", e.file)
}

// remember notes which files are open; they are there once somebody has read.
func (p *place) remember(path string) error {
	real, err := filepath.EvalSymlinks(path) // SQLite names the others by that
	for i, end := range companions {
		if p.names[i] = real + end; i == 0 {
			p.names[i] = path
		}
		if err == nil {
			p.files[i], err = os.Stat(p.names[i])
		}
	}
	if err != nil {
		return fmt.Errorf("look at the database's files: %w", err)
	}
	return nil
}

// check says whether the files are still where they were opened. They may come back.
func (p *place) check() error {
	for i, opened := range p.files {
		if opened == nil {
			continue // nothing is open yet
		}
		now, err := os.Stat(p.names[i])
		if err != nil || !os.SameFile(now, opened) {
			return movedAway{p.names[i]}
		}
	}
	return nil
}

// missesLog reports whether a database has lost its log: SQLite makes the log before its
// index and removes the index before the log, so only somebody else can have left the
// index alone. What the log held is not in the file.
func missesLog(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_, noIndex := os.Stat(path + "-shm")
	_, noLog := os.Stat(path + "-wal")
	return noIndex == nil && errors.Is(noLog, fs.ErrNotExist)
}

// lostLog is what an operator is told then, with the path of the file.
const lostLog = `%[1]s: its log %[1]s-wal is missing, although %[1]s-shm shows that the last program was killed: ` +
	`what was booked last stood in the log. Put the log back if it was moved or left out of a copy. If it is lost, ` +
	`remove %[1]s-shm and start again, with the file as it is or with a backup in its place; what the log held is gone ` +
	`· 日志文件 %[1]s-wal 不见了，最近的订单写在里面：如被移走或漏拷，请放回原处；确已丢失，请删除 %[1]s-shm 后再启动（可先换上备份），日志里的内容不再找回`

// hints say what to look at when a file cannot be opened for some reason.
var hints = map[sqlite3.ErrNo]string{
	sqlite3.ErrCantOpen: "; it must be a file, in a folder that is there and that courtd may write to",
	sqlite3.ErrReadonly: "; courtd must be allowed to write to it and to its folder",
	sqlite3.ErrPerm:     "; courtd must be allowed to write to it and to its folder",
	sqlite3.ErrNotADB:   "; give the path of courtd's own file, or put the backup in its place",
	sqlite3.ErrCorrupt:  "; put the backup in its place",
}

// cannotOpen says which file could not be opened, why, and what to look at.
func cannotOpen(path string, err error) error {
	trouble, ok := troubleOf(err)
	if !ok {
		return fmt.Errorf("open %s: %w", path, explain(err))
	}
	var report sqlite3.Error
	errors.As(err, &report)
	return domain.Refuse(domain.Unavailable, "unavailable", "%s: %s%s", path, trouble, hints[report.Code]).Because(err)
}

// mayWrite begins to write and does not: a file that can only be read says so now and
// not when the first customer comes. Whether somebody else writes now is no matter.
func (d *DB) mayWrite(ctx context.Context) error {
	conn, err := d.connect(ctx, d.writer)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, _, err := begin(conn)
	if isBusy(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("begin to write: %w", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE clock SET last_instant = last_instant WHERE id = 1`)
	return errors.Join(err, tx.Rollback())
}

const (
	probeTimeout = time.Second // for Writable to have its turn
	probeBytes   = 256 << 10   // more than any command writes: a full disk may still have room for a little
)

// Writable says what keeps changes from being kept, or nil. After a failure it keeps
// something large and takes it away again, so that the answer is right as soon as the
// trouble is over.
func (d *DB) Writable(ctx context.Context) error {
	if err := d.place.check(); err != nil {
		return refusalOf(err)
	}
	trouble := d.trouble.Load()
	if trouble == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, change := range []string{
		`INSERT OR REPLACE INTO meta (key, value) SELECT 'probe', hex(zeroblob(?))`,
		`DELETE FROM meta WHERE key = 'probe' AND ? > 0`,
	} {
		err := d.submit(ctx, true, func(tx *Tx) error {
			_, err := tx.Exec(change, probeBytes/2)
			return err
		})
		if err != nil && ctx.Err() != nil {
			return trouble // it has not even had its turn
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note keeps what the last batch has met.
func (d *DB) note(b *batch) {
	switch {
	case b.done:
		d.trouble.Store(nil)
	case !errors.Is(b.failure, errNoAnswer):
		d.trouble.Store(refusalOf(b.failure))
	}
}

// refusalOf says what was wrong with the store; the failure may be wrapped in the
// refusal of the command that met it first, which is not that of the others.
func refusalOf(failure error) *domain.Error {
	var gone movedAway
	if errors.As(failure, &gone) {
		return domain.Refuse(domain.Unavailable, "file_gone",
			"the database file was removed or replaced while it is served; put it back where it was, or restart courtd").Because(failure)
	}
	if trouble, ok := troubleOf(failure); ok {
		return unavailable(trouble, failure)
	}
	return unavailable("the database could not keep the change", failure)
}

package main

import (
	"os"
	"syscall"
)

// beAlone reports whether no other program serves the venue that a key belongs to, and
// lets others know that one does now, until leave is called or the process ends in
// whatever way. The mark is a lock on the key's file, because a database must not be
// opened beside SQLite. Where there is no key, as in a demonstration, all are alone.
func beAlone(keyFile string) (leave func(), alone bool) {
	f, err := os.Open(keyFile)
	if err != nil {
		return func() {}, true
	}
	// Everybody who serves shares the lock; only who finds nobody can have it whole.
	alone = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) // fails only beside one that starts just now
	return func() { _ = f.Close() }, alone
}

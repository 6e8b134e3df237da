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
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return func() {}, false
	}
	return func() { _ = f.Close() }, true
}

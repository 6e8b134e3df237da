package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestOneKeyForAll: programs that start at once make one key, for its owner alone, and
// leave nothing else behind.
func TestOneKeyForAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database := filepath.Join(dir, "venue.db")
	keys := make([][]byte, 20)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := loadSecretKey("", database)
			if err != nil {
				t.Errorf("%v", err)
			}
			keys[i] = key
		})
	}
	all.Wait()
	for _, key := range keys {
		if len(key) != minSecretKey || !bytes.Equal(key, keys[0]) {
			t.Errorf("there are %x and %x", key, keys[0])
		}
	}
	left, err := os.ReadDir(dir)
	programOK(t, err)
	info, err := os.Stat(database + ".key")
	programOK(t, err)
	if len(left) != 1 || info.Mode().Perm() != 0o600 {
		t.Errorf("left are %v, the key's mode is %o", left, info.Mode().Perm())
	}
}

// TestWhoIsAlone: nobody is beside one that serves, whoever was there first.
func TestWhoIsAlone(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "venue.db.key")
	programOK(t, os.WriteFile(key, nil, 0o600))
	is := func(what string, want bool) (leave func()) {
		t.Helper()
		leave, alone := beAlone(key)
		if alone != want {
			t.Errorf("%s: alone %v", what, alone)
		}
		return leave
	}
	first := is("the first", true)
	second := is("the second", false)
	first()
	third := is("the first again, beside the second", false)
	second()
	third()
	is("one after all have left", true)()
}

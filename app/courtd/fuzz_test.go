package main

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"courtd/domain"
)

// FuzzSettings reads what an environment can hold for flags with a form of their own.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{"5m", "0", "-1s", "1e9h", "2026-12-10T12:00:00+08:00", "2026-12-10", "127.0.0.1/32, ::1/128,,", "\ufeff5m\r\n", "9999999h", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var e every
		if err := e.UnmarshalText([]byte(text)); err == nil {
			if d, wrong := time.ParseDuration(text); wrong != nil || time.Duration(e) != d || d < 0 {
				t.Errorf("%q is every %s", text, time.Duration(e))
			}
		} else if strings.Contains(err.Error(), text) && len(text) > 5 {
			t.Errorf("%v tells the value", err)
		}
		var s startTime
		if err := s.UnmarshalText([]byte(text)); err == nil {
			if at, wrong := time.Parse(time.RFC3339, text); wrong != nil || domain.InstantOf(at) != domain.Instant(s) {
				t.Errorf("%q starts at %d", text, s)
			}
		} else if strings.Contains(err.Error(), text) && len(text) > 30 {
			t.Errorf("%v tells the value", err)
		}
		list := trimList(text)
		if trimList(list) != list || strings.Contains(list, ",,") || strings.HasPrefix(list, ",") || strings.HasSuffix(list, ",") {
			t.Errorf("%q is the list %q", text, list)
		}
	})
}

// FuzzSecretKeyFile reads anything as the key beside the database: a key of enough bytes,
// or a word in both languages that tells nothing of the file.
func FuzzSecretKeyFile(f *testing.F) {
	for _, text := range []string{"", strings.Repeat("ab", 32), "\ufeff" + strings.Repeat("AB", 40) + "\r\n", strings.Repeat("ab", 31), strings.Repeat("zz", 32), strings.Repeat("a", 65)} {
		f.Add([]byte(text))
	}
	file := filepath.Join(f.TempDir(), "key")
	f.Fuzz(func(t *testing.T, text []byte) {
		programOK(t, os.WriteFile(file, text, 0o600))
		key, err := loadSecretKey(file, "")
		if err == nil {
			written := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(text), byteOrderMark)))
			if len(key) < minSecretKey || hex.EncodeToString(key) != written {
				t.Errorf("%q is the key %x", text, key)
			}
			return
		}
		p := asProblem(err)
		if p.Setting != settingKeyFile || p.ZH == "" || p.EN == "" || !utf8.ValidString(p.ZH+p.EN) || len(text) > 8 && strings.Contains(p.String(), string(text)) {
			t.Errorf("%q: %+v", text, p)
		}
	})
}

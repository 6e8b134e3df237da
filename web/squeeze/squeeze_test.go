package squeeze_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"courtd/web/squeeze"
)

func TestAccepted(t *testing.T) {
	for header, want := range map[string]squeeze.Coding{
		"":                          squeeze.Plain,
		"gzip":                      squeeze.Gzip,
		"gzip, deflate, br, zstd":   squeeze.Brotli,
		"br":                        squeeze.Brotli,
		" GZIP ; Q=0.5":             squeeze.Gzip,
		"br;q=0, gzip":              squeeze.Gzip,
		"br;q=0.1, gzip;q=0.9":      squeeze.Gzip,
		"br;q=0.9, gzip;q=0.9":      squeeze.Brotli,
		"*":                         squeeze.Brotli,
		"br;q=0, *;q=0.2":           squeeze.Gzip,
		"*;q=0":                     squeeze.Plain,
		"*, br;q=0, gzip;q=0":       squeeze.Plain,
		"identity":                  squeeze.Plain,
		"deflate, zstd":             squeeze.Plain,
		"gzip;q=nonsense":           squeeze.Plain,
		"gzip;level=9":              squeeze.Plain,
		"gzip;q=2":                  squeeze.Plain,
		"gzip;q=-1":                 squeeze.Plain,
		"gzip;q=NaN":                squeeze.Plain,
		"x-gzip-not-really, brotli": squeeze.Plain,
	} {
		if got := squeeze.Accepted(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

func TestPackedTextUnpacks(t *testing.T) {
	long := []byte(strings.Repeat("1号场 17:30 ￥60\n", 4000))
	for _, effort := range []squeeze.Effort{squeeze.Quick, squeeze.Hard} {
		// Twice, because packers are used again.
		for _, body := range [][]byte{long, []byte("short"), nil, long} {
			small, err := squeeze.Pack(squeeze.Gzip, effort, body)
			if err != nil {
				t.Fatal(err)
			}
			unzip, err := gzip.NewReader(bytes.NewReader(small))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "gzip", unzip, body, small)
			if small, err = squeeze.Pack(squeeze.Brotli, effort, body); err != nil {
				t.Fatal(err)
			}
			same(t, "brotli", brotli.NewReader(bytes.NewReader(small)), body, small)
		}
	}
}

func same(t *testing.T, name string, unpacked io.Reader, want, small []byte) {
	t.Helper()
	got, err := io.ReadAll(unpacked)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes come back of %d: %v", name, len(got), len(want), err)
	}
	if len(want) > 1000 && len(small) > len(want)/10 {
		t.Errorf("%s: %d bytes are packed into %d", name, len(want), len(small))
	}
}

package static_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"

	"courtd/web/static"
)

// The committed files of others are those that the manifest names, and no more.
func TestVendoredFilesAreTheManifests(t *testing.T) {
	manifest, err := os.ReadFile("vendor/MANIFEST")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"MANIFEST": true, "README.md": true}
	licences := map[string]int{}
	for line := range strings.Lines(string(manifest)) {
		column := strings.Fields(line)
		if len(column) == 0 || column[0] == "#" {
			continue
		}
		if len(column) != 5 {
			t.Fatalf("MANIFEST: %q has %d columns", line, len(column))
		}
		name := column[4]
		named[name] = true
		body, err := os.ReadFile(filepath.Join("vendor", name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != column[3] {
			t.Errorf("%s is not the file of %s@%s that the manifest knows", name, column[0], column[1])
		}
		kind := 0
		if strings.HasSuffix(name, ".LICENSE.txt") {
			kind = 1
		}
		licences[column[0]] |= 1 << kind
	}
	if len(licences) < 3 {
		t.Errorf("the manifest names %d packages", len(licences))
	}
	for name, found := range licences {
		if found != 3 {
			t.Errorf("%s needs a file and its licence", name)
		}
	}
	entries, err := os.ReadDir("vendor")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !named[entry.Name()] {
			t.Errorf("the manifest does not name vendor/%s", entry.Name())
		}
	}
}

// Every way to pack an asset is the same asset, under a tag of its own.
func TestAssetsArePacked(t *testing.T) {
	set, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	web := fiber.New()
	set.Register(web)
	ask := func(url, coding, tag string) (*http.Response, []byte) {
		t.Helper()
		r := httptest.NewRequest("GET", url, nil)
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("If-None-Match", tag)
		resp, err := web.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s as %q: Vary %q", url, coding, resp.Header.Get("Vary"))
		}
		return resp, body
	}
	for _, name := range []string{"vendor/pico.jade.min.css", "vendor/htmx.min.js", "vendor/jsQR.js", "vendor/jsQR.LICENSE.txt", "app.css"} {
		url, err := set.URL(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tags := map[string]bool{}
		for _, coding := range []string{"", "gzip", "br"} {
			resp, body := ask(url, coding, "")
			if got := resp.Header.Get("Content-Encoding"); got != coding {
				t.Fatalf("%s as %q: Content-Encoding %q", name, coding, got)
			}
			if coding != "" && len(body) > len(want)/2 {
				t.Errorf("%s as %s: %d bytes of %d", name, coding, len(body), len(want))
			}
			if got := unpack(t, coding, body); got != string(want) {
				t.Errorf("%s as %q: %d bytes come back of %d", name, coding, len(got), len(want))
			}
			tag := resp.Header.Get("ETag")
			if tags[tag] {
				t.Errorf("%s as %q: the tag %s is another coding's", name, coding, tag)
			}
			tags[tag] = true
			if resp, body := ask(url, coding, tag); resp.StatusCode != 304 || len(body) != 0 || resp.Header.Get("ETag") != tag {
				t.Errorf("%s as %q asked again: status %d with %d bytes, tag %s", name, coding, resp.StatusCode, len(body), resp.Header.Get("ETag"))
			}
			if resp, _ := ask(url, "gzip", tag); (resp.StatusCode == 304) != (coding == "gzip") {
				t.Errorf("%s as %q, asked again as gzip: status %d", name, coding, resp.StatusCode)
			}
		}
	}
	for _, path := range []string{"/static/x/vendor", "/static/x/vendor/", "/static/x/vendor/MANIFEST", "/static/x/vendor/../static.go", "/static/x/"} {
		if resp, err := web.Test(httptest.NewRequest("GET", path, nil), -1); err != nil || resp.StatusCode != 404 {
			t.Errorf("%s: %v %v", path, resp, err)
		}
	}
}

func unpack(t *testing.T, coding string, body []byte) string {
	t.Helper()
	from := io.Reader(strings.NewReader(string(body)))
	switch coding {
	case "gzip":
		unzip, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = unzip
	case "br":
		from = brotli.NewReader(from)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

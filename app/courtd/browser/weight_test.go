package browser_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// mostBytes is what the first look at the grid may weigh on the way.
const mostBytes = 120 << 10

// How pages, sheets and scripts name what else they need.
var (
	linked   = regexp.MustCompile(`<(?:link|script|img|source)\b[^>]*?\b(?:href|src)="([^"]+)"`)
	fromCSS  = regexp.MustCompile(`(?:@import\s+|url\()["']?([^"')]+)`)
	imported = regexp.MustCompile(`(?:from|import)\s*\(?\s*["'](\.[^"']+)["']`)
)

// download fetches an address as a browser does and gives what came over the wire
// and what it says.
func download(t *testing.T, address string) (wire int, text, kind string) {
	t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	must(t, err)
	req.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	res, err := http.DefaultTransport.RoundTrip(req)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	if res.StatusCode != 200 {
		t.Fatalf("%s: status %d", address, res.StatusCode)
	}
	wire = len(body)
	for name, values := range res.Header {
		for _, value := range values {
			wire += len(name) + len(value) + 4
		}
	}
	if coding := res.Header.Get("Content-Encoding"); coding == "br" {
		body, err = io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
		must(t, err)
	} else if coding != "" || len(body) > 1500 {
		t.Errorf("%s: %d bytes come as %q and not as brotli", address, len(body), coding)
	}
	return wire, string(body), res.Header.Get("Content-Type")
}

// The grid and everything that it names, and that is named there, is light.
func TestGridIsLight(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	sum := 0
	seen := map[string]bool{}
	var fetch func(address string)
	fetch = func(address string) {
		if seen[address] || strings.HasPrefix(address, "data:") {
			return
		}
		seen[address] = true
		wire, text, kind := download(t, address)
		sum += wire
		t.Logf("%6d %s", wire, strings.TrimPrefix(address, k.base))
		names := map[string]*regexp.Regexp{"text/html": linked, "text/css": fromCSS, "text/javascript": imported}[strings.Split(kind, ";")[0]]
		if names == nil {
			return
		}
		from, err := url.Parse(address)
		must(t, err)
		for _, found := range names.FindAllStringSubmatch(text, -1) {
			to, err := from.Parse(found[1])
			if err == nil && !strings.HasPrefix(found[1], "#") && strings.HasPrefix(to.String(), k.base+"/") {
				fetch(to.String())
			}
		}
	}
	fetch(k.base + "/")
	if sum > mostBytes {
		t.Errorf("the grid weighs %d bytes, more than %d", sum, mostBytes)
	}
	u := k.visitor(phone)
	u.open("/")
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, address := range u.asked {
		if !seen[address] && !strings.HasPrefix(address, "data:") {
			t.Errorf("the browser also asks for %s", address)
		}
	}
	if len(u.asked) < 5 || u.received > mostBytes {
		t.Errorf("the browser fetches %.0f bytes in %d answers", u.received, len(u.asked))
	}
}

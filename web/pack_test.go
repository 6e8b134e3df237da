package web_test

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// packed asks for an address and gives what comes back, unpacked.
func (s *site) packed(path string, header ...string) (coding, text, vary, tag string) {
	s.t.Helper()
	req := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := s.http.Test(req, -1)
	must(s.t, err)
	defer res.Body.Close()
	if res.StatusCode != 200 {
		s.t.Fatalf("%s: status %d", path, res.StatusCode)
	}
	var from io.Reader = res.Body
	coding = res.Header.Get("Content-Encoding")
	switch coding {
	case "gzip":
		from, err = gzip.NewReader(from)
		must(s.t, err)
	case "br":
		from = brotli.NewReader(from)
	}
	body, err := io.ReadAll(from)
	must(s.t, err)
	return coding, string(body), strings.Join(res.Header.Values("Vary"), ", "), res.Header.Get("ETag")
}

func TestAnswersArePacked(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/", "/docs", "/openapi.json"} {
		plain, want, vary, tag := s.packed(path)
		if plain != "" || !strings.Contains(vary, "Accept-Encoding") || len(want) < 1024 {
			t.Errorf("%s unpacked: Content-Encoding %q, Vary %q, %d bytes", path, plain, vary, len(want))
		}
		for accept, coding := range map[string]string{"gzip": "gzip", "gzip, deflate, br, zstd": "br", "br;q=0": ""} {
			got, text, vary, packedTag := s.packed(path, "Accept-Encoding", accept)
			if got != coding || !strings.Contains(vary, "Accept-Encoding") {
				t.Errorf("%s as %q: Content-Encoding %q, Vary %q", path, accept, got, vary)
			}
			// A page carries a token of its visitor's, so only its length can be compared.
			if len(text) != len(want) {
				t.Errorf("%s as %q: %d bytes come back of %d", path, accept, len(text), len(want))
			}
			if coding != "" && strings.HasPrefix(packedTag, `"`) || strings.TrimPrefix(packedTag, "W/") != strings.TrimPrefix(tag, "W/") {
				t.Errorf("%s as %q: tag %s, unpacked %s", path, accept, packedTag, tag)
			}
		}
	}
}

// The answer that is asked most is served from memory as it is.
func TestWhatIsNotPacked(t *testing.T) {
	s := open(t)
	if coding, text, _, tag := s.packed("/api/v1/availability?date=2026-12-10", "Accept-Encoding", "br, gzip"); coding != "" || len(text) < 1024 || tag == "" {
		t.Errorf("availability: Content-Encoding %q, %d bytes, tag %s", coding, len(text), tag)
	}
	if coding, _, vary, _ := s.packed("/healthz", "Accept-Encoding", "br, gzip"); coding != "" || vary != "" {
		t.Errorf("a small answer: Content-Encoding %q, Vary %q", coding, vary)
	}
	// A page with somebody's secrets, which another site has made their browser ask for.
	for _, site := range []string{"none", "same-origin", "cross-site"} {
		for _, cookie := range []string{"", "courtd_csrf=abc"} {
			coding, _, _, _ := s.packed("/", "Accept-Encoding", "br, gzip", "Sec-Fetch-Site", site, "Cookie", cookie)
			if plain := site == "cross-site" && cookie != ""; plain != (coding == "") {
				t.Errorf("from %s with cookies %q: Content-Encoding %q", site, cookie, coding)
			}
		}
	}
}

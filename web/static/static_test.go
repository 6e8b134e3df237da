package static_test

import (
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"courtd/web/static"
)

func TestAssetsMayBeKept(t *testing.T) {
	set, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	web := fiber.New()
	set.Register(web)
	ask := func(url, tag string) (status int, body string, header func(string) string) {
		t.Helper()
		r := httptest.NewRequest("GET", url, nil)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		resp, err := web.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text), resp.Header.Get
	}
	imports := regexp.MustCompile(`from "([^"]+)"`)
	for name, kind := range map[string]string{"app.css": "text/css", "grid.js": "text/javascript", "countdown.js": "text/javascript",
		"clock.js": "text/javascript", "board.js": "text/javascript", "icon.svg": "image/svg+xml"} {
		url, err := set.URL(name)
		if err != nil {
			t.Fatal(err)
		}
		status, body, header := ask(url, "")
		if status != 200 || body == "" || !strings.HasPrefix(header("Content-Type"), kind) {
			t.Errorf("%s: status %d, %q, %d bytes", name, status, header("Content-Type"), len(body))
		}
		if !strings.Contains(header("Cache-Control"), "immutable") {
			t.Errorf("%s: Cache-Control %q", name, header("Cache-Control"))
		}
		for _, found := range imports.FindAllStringSubmatch(body, -1) {
			if _, err := set.URL(strings.TrimPrefix(found[1], "./")); err != nil {
				t.Errorf("%s imports %s: %v", name, found[1], err)
			}
		}
		if strings.Contains(body, "http://") && name != "icon.svg" || strings.Contains(body, "https://") {
			t.Errorf("%s names another host", name)
		}
		if status, body, _ := ask(url, `W/`+header("ETag")); status != 304 || body != "" {
			t.Errorf("%s: asked again: status %d with %d bytes", name, status, len(body))
		}
		old := strings.Replace(url, "/static/", "/static/0", 1)
		if status, _, header := ask(old, ""); status != 200 || header("Cache-Control") != "no-cache" {
			t.Errorf("%s by an old name: status %d, Cache-Control %q", name, status, header("Cache-Control"))
		}
	}
	if status, _, _ := ask("/static/x/static.go", ""); status != 404 {
		t.Errorf("the source is served: status %d", status)
	}
	if _, err := set.URL("nothing.js"); err == nil {
		t.Error("an asset that does not exist has an address")
	}
}

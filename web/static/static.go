// Package static holds the style sheet and the scripts of the pages, carried in
// the binary and named by what is in them.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"
)

//go:embed *.css *.js *.svg
var files embed.FS

// file is one asset as it is sent.
type file struct {
	body        []byte
	contentType string
	etag        string
}

// Set is every asset under one hash. Scripts import each other by relative
// names, so they have to live and change together.
type Set struct {
	hash  string
	files map[string]file
}

var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// Load reads the assets that the binary carries.
func Load() (*Set, error) {
	s := &Set{files: map[string]file{}}
	all := sha256.New()
	names, err := fs.Glob(files, "*")
	if err != nil {
		return nil, fmt.Errorf("list assets: %w", err)
	}
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read asset %s: %w", name, err)
		}
		kind, known := contentTypes[path.Ext(name)]
		if !known {
			return nil, fmt.Errorf("asset %s: no content type for it", name)
		}
		sum := sha256.Sum256(body)
		fmt.Fprintf(all, "%s %x\n", name, sum)
		s.files[name] = file{body: body, contentType: kind, etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	}
	s.hash = hex.EncodeToString(all.Sum(nil)[:8])
	return s, nil
}

// URL is where a page finds an asset. The address changes with the assets, so
// browsers may keep what they have for good. An unknown name is an error, which
// fails the template that asks for it.
func (s *Set) URL(name string) (string, error) {
	if _, ok := s.files[name]; !ok {
		return "", fmt.Errorf("there is no asset %q", name)
	}
	return "/static/" + s.hash + "/" + name, nil
}

// Register serves the assets under /static. An address with an old hash gives
// what is here now, and nobody may keep it.
func (s *Set) Register(r fiber.Router) {
	r.Get("/static/:hash/:name", func(c *fiber.Ctx) error {
		f, ok := s.files[c.Params("name")]
		if !ok {
			return fiber.ErrNotFound
		}
		c.Set(fiber.HeaderETag, f.etag)
		c.Set(fiber.HeaderCacheControl, "no-cache")
		if c.Params("hash") == s.hash {
			c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		}
		if sameTag(c.Get(fiber.HeaderIfNoneMatch), f.etag) {
			return c.SendStatus(fiber.StatusNotModified)
		}
		c.Set(fiber.HeaderContentType, f.contentType)
		return c.Send(f.body)
	})
}

func sameTag(header, etag string) bool {
	for _, tag := range strings.Split(header, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == "*" || tag == etag {
			return true
		}
	}
	return false
}

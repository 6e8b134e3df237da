// Package static holds the style sheets and the scripts of the pages, carried in
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
	"sync"

	"github.com/gofiber/fiber/v2"

	"courtd/web/squeeze"
)

//go:embed *.css *.js *.svg vendor/*.css vendor/*.js vendor/*.txt
var files embed.FS

// packed is an asset as it goes over the wire.
type packed struct {
	body []byte
	etag string
}

// file is one asset; the ways to pack it are made when somebody first asks.
type file struct {
	contentType string
	plain       packed
	brotli      func() (packed, error)
	gzip        func() (packed, error)
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
	".txt": "text/plain; charset=utf-8",
}

// Load reads the assets that the binary carries.
var Load = sync.OnceValues(load)

func load() (*Set, error) {
	s := &Set{files: map[string]file{}}
	all := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read asset %s: %w", name, err)
		}
		kind, known := contentTypes[path.Ext(name)]
		if !known {
			return fmt.Errorf("asset %s: no content type for it", name)
		}
		sum := sha256.Sum256(body)
		fmt.Fprintf(all, "%s %x\n", name, sum)
		s.files[name] = newFile(body, kind, hex.EncodeToString(sum[:12]))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	s.hash = hex.EncodeToString(all.Sum(nil)[:8])
	return s, nil
}

// newFile gives each way to pack a file a tag of its own: they are different bytes.
func newFile(body []byte, kind, tag string) file {
	pack := func(coding squeeze.Coding) func() (packed, error) {
		return sync.OnceValues(func() (packed, error) {
			small, err := squeeze.Pack(coding, squeeze.Hard, body)
			return packed{small, `"` + tag + "-" + string(coding) + `"`}, err
		})
	}
	return file{contentType: kind, plain: packed{body, `"` + tag + `"`}, brotli: pack(squeeze.Brotli), gzip: pack(squeeze.Gzip)}
}

func (f file) as(coding squeeze.Coding) (packed, error) {
	switch coding {
	case squeeze.Brotli:
		return f.brotli()
	case squeeze.Gzip:
		return f.gzip()
	}
	return f.plain, nil
}

// URL is where a page finds an asset, such as "app.css" or "vendor/htmx.min.js".
// The address changes with the assets, so browsers may keep what they have for
// good. An unknown name is an error, which fails the template that asks for it.
func (s *Set) URL(name string) (string, error) {
	if _, ok := s.files[name]; !ok {
		return "", fmt.Errorf("there is no asset %q", name)
	}
	return "/static/" + s.hash + "/" + name, nil
}

// Register serves the assets under /static. An address with an old hash gives
// what is here now, and nobody may keep it.
func (s *Set) Register(r fiber.Router) {
	r.Get("/static/:hash/*", func(c *fiber.Ctx) error {
		f, ok := s.files[c.Params("*")]
		if !ok {
			return fiber.ErrNotFound
		}
		coding := squeeze.Accepted(c.Get(fiber.HeaderAcceptEncoding))
		sent, err := f.as(coding)
		if err != nil {
			return fmt.Errorf("pack %s: %w", c.Params("*"), err)
		}
		c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
		c.Set(fiber.HeaderETag, sent.etag)
		c.Set(fiber.HeaderCacheControl, "no-cache")
		if c.Params("hash") == s.hash {
			c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
		}
		if sameTag(c.Get(fiber.HeaderIfNoneMatch), sent.etag) {
			return c.SendStatus(fiber.StatusNotModified)
		}
		if coding != squeeze.Plain {
			c.Set(fiber.HeaderContentEncoding, string(coding))
		}
		c.Set(fiber.HeaderContentType, f.contentType)
		return c.Send(sent.body)
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

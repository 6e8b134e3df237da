package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"
)

//go:embed templates/*.html
var sources embed.FS

// Pages are the pages of one package: a template file templates/NAME.html for each
// name, and what each of them shows. A file defines "main", and whatever parts of
// it are also sent alone.
type Pages struct {
	Source  fs.FS
	Shared  []string              // files of parts that every page of these may use, such as templates/fields.html
	Samples map[string]func() any // by name: a new, empty view
	Parts   map[string]map[string]func() any
}

// ownPages are those of the kit itself.
var ownPages = Pages{Source: sources, Samples: map[string]func() any{"refusal": func() any { return new(refusalPage) }},
	Parts: map[string]map[string]func() any{"live": {"live": func() any { return new(Live) }}}}

// templates are the pages in one language. Each is parsed when somebody first looks at
// it: all of them together take longer, and more memory, than everything else that the
// program does at its start. That they can be drawn is a test's business (Check).
type templates struct {
	shared *template.Template // never drawn itself, so that it can be cloned
	pages  map[string]Pages   // the set that each page, and each page that has only parts, belongs to

	mu     sync.Mutex
	parsed map[string]*template.Template
}

func newTemplates(lang Lang, asset func(string) (string, error), sets []Pages) (*templates, error) {
	t := &templates{pages: map[string]Pages{}, parsed: map[string]*template.Template{}}
	var err error
	t.shared, err = template.New("shared").Funcs(functions(lang, asset)).ParseFS(sources, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for name := range set.Samples {
			if _, twice := t.pages[name]; twice {
				return nil, fmt.Errorf("two pages are called %s", name)
			}
			t.pages[name] = set
		}
		for name := range set.Parts {
			if _, isPage := t.pages[name]; !isPage {
				t.pages[name] = set
			}
		}
	}
	return t, nil
}

// page gives a page's parsed templates.
func (t *templates) page(name string) (*template.Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if page := t.parsed[name]; page != nil {
		return page, nil
	}
	set, known := t.pages[name]
	if !known {
		return nil, fmt.Errorf("there is no page %s", name)
	}
	page, err := t.shared.Clone()
	if _, whole := set.Samples[name]; err == nil && whole {
		page, err = page.ParseFS(set.Source, append(slices.Clone(set.Shared), "templates/"+name+".html")...)
	}
	if err != nil {
		return nil, err
	}
	t.parsed[name] = page
	return page, nil
}

// check draws every page and each of their parts twice, once with nothing in it and once
// with something everywhere, so that a name that does not exist shows.
func (t *templates) check() error {
	for name, set := range t.pages {
		page, err := t.page(name)
		if err != nil {
			return err
		}
		if sample := set.Samples[name]; sample != nil {
			if err := tryOut(page, name, "layout", sample); err != nil {
				return err
			}
		}
		for part, sample := range set.Parts[name] {
			if err := tryOut(page, name, part, sample); err != nil {
				return err
			}
		}
	}
	return nil
}

// Check draws every page in every language, for tests.
func (s *Site) Check() error {
	for _, lang := range Langs {
		if err := s.pages[lang].check(); err != nil {
			return fmt.Errorf("in %s: %w", lang, err)
		}
	}
	return nil
}

func tryOut(page *template.Template, name, part string, sample func() any) error {
	if err := hidesFrame(sample()); err != nil {
		return fmt.Errorf("page %s, %s: %w", name, part, err)
	}
	for _, full := range []bool{false, true} {
		view := sample()
		if full {
			fill(view)
		}
		if err := page.ExecuteTemplate(io.Discard, part, view); err != nil {
			return fmt.Errorf("page %s, %s: %w", name, part, err)
		}
	}
	return nil
}

// draw makes a page or a part of it in memory, so that a fault in the middle of it
// becomes an error and not half a page.
func (s *Site) draw(lang Lang, name, part string, view any) ([]byte, error) {
	page, err := s.pages[lang].page(name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := page.ExecuteTemplate(&out, part, view); err != nil {
		return nil, fmt.Errorf("draw page %s, %s: %w", name, part, err)
	}
	// A form that was refused is shown with what was typed, which need not be text.
	return bytes.ToValidUTF8(out.Bytes(), []byte("\uFFFD")), nil
}

// Render answers with a page.
func (s *Site) Render(c *fiber.Ctx, status int, name string, view any) error {
	return s.RenderPart(c, status, name, "layout", view)
}

// RenderPart answers with a part of a page, for a page that puts it in its place.
func (s *Site) RenderPart(c *fiber.Ctx, status int, name, part string, view any) error {
	page, err := s.draw(LangOf(c), name, part, view)
	if err != nil {
		return err
	}
	// Pages tell what is true now, some of them to one person only.
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(status).Send(page)
}

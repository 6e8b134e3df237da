package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"

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

// templates holds one parsed set for each page.
type templates map[string]*template.Template

// parseTemplates reads every page in one language and draws each of them and each
// of their parts twice, once with nothing in it and once with something everywhere,
// so that a name that does not exist shows now.
func parseTemplates(lang Lang, asset func(string) (string, error), sets []Pages) (templates, error) {
	out := templates{}
	shared, err := template.New("shared").Funcs(functions(lang, asset)).ParseFS(sources, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for name, sample := range set.Samples {
			page, err := shared.Clone()
			if err == nil {
				page, err = page.ParseFS(set.Source, append(slices.Clone(set.Shared), "templates/"+name+".html")...)
			}
			if err != nil {
				return nil, err
			}
			if out[name] != nil {
				return nil, fmt.Errorf("two pages are called %s", name)
			}
			out[name] = page
			if err := tryOut(page, name, "layout", sample); err != nil {
				return nil, err
			}
		}
		for name, parts := range set.Parts {
			if out[name] == nil {
				out[name] = shared
			}
			for part, sample := range parts {
				if err := tryOut(out[name], name, part, sample); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
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
	page, known := s.pages[lang][name]
	if !known {
		return nil, fmt.Errorf("there is no page %s", name)
	}
	var out bytes.Buffer
	if err := page.ExecuteTemplate(&out, part, view); err != nil {
		return nil, fmt.Errorf("draw page %s, %s: %w", name, part, err)
	}
	return out.Bytes(), nil
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

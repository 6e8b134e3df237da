package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"

	"github.com/gofiber/fiber/v2"
)

//go:embed templates/*.html
var sources embed.FS

// templates holds one parsed set for each page.
type templates map[string]*template.Template

// samples are the pages with what each of them shows.
var samples = map[string]func() any{
	"grid":       func() any { return new(gridPage) },
	"login":      func() any { return new(loginPage) },
	"orders":     func() any { return new(ordersPage) },
	"order":      func() any { return new(orderPage) },
	"cancel":     func() any { return new(cancelPage) },
	"desk_login": func() any { return new(deskLoginPage) },
	"desk":       func() any { return new(deskPage) },
	"refusal":    func() any { return new(refusalPage) },
}

// parseTemplates reads every page and draws each twice, once with nothing in it
// and once with something everywhere, so that a name that does not exist shows now.
func parseTemplates(sources fs.FS, asset func(string) (string, error)) (templates, error) {
	out := templates{}
	shared, err := template.New("shared").Funcs(functions(asset)).ParseFS(sources, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	for name, sample := range samples {
		page, err := shared.Clone()
		if err == nil {
			page, err = page.ParseFS(sources, "templates/"+name+".html")
		}
		if err != nil {
			return nil, err
		}
		for _, full := range []bool{false, true} {
			view := sample()
			if full {
				fill(view)
			}
			if err := page.ExecuteTemplate(io.Discard, "layout", view); err != nil {
				return nil, fmt.Errorf("page %s: %w", name, err)
			}
		}
		out[name] = page
	}
	return out, nil
}

// render draws a page into memory first, so that a fault in the middle of it
// becomes an error page and not half a page.
func (p *pages) render(c *fiber.Ctx, status int, name string, view any) error {
	var page bytes.Buffer
	if err := p.templates[name].ExecuteTemplate(&page, "layout", view); err != nil {
		return fmt.Errorf("draw page %s: %w", name, err)
	}
	// Pages tell what is true now, some of them to one person only.
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(status).Send(page.Bytes())
}

package api

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

//go:embed docs.html
var docsTemplate string

//go:embed docs.css
var docsStyle []byte

// docGroup is a group of calls on the page about the API.
type docGroup struct {
	Name, About string
	Calls       []docCall
}

type docCall struct {
	Method, Path, ID, Summary, About string
	SignIn                           bool
	Params                           []docField
	Body                             []docField
	BodyOptional                     bool
	Answers                          []docAnswer
}

type docField struct {
	Name, In, Type, About string
	Required              bool
}

type docAnswer struct {
	Status, About string
	Fields        []docField
}

// docs serves a page about the API, made from its document once; it needs no
// script and nothing from elsewhere.
func docs(r *fiber.App, doc *huma.OpenAPI) error {
	t, err := template.New("docs").Funcs(template.FuncMap{"prose": prose}).Parse(docsTemplate)
	if err != nil {
		return fmt.Errorf("parse the page about the API: %w", err)
	}
	var page bytes.Buffer
	if err := t.Execute(&page, map[string]any{"Info": doc.Info, "Groups": docGroups(doc)}); err != nil {
		return fmt.Errorf("draw the page about the API: %w", err)
	}
	r.Get("/docs", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		return c.Send(page.Bytes())
	})
	r.Get("/docs/style.css", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "text/css; charset=utf-8")
		return c.Send(docsStyle)
	})
	return nil
}

// prose writes a description of the document, in which what stands between backticks is code.
func prose(text string) template.HTML {
	var out strings.Builder
	for i, part := range strings.Split(text, "`") {
		if part = template.HTMLEscapeString(part); i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		out.WriteString(part)
	}
	return template.HTML(out.String())
}

func docGroups(doc *huma.OpenAPI) []docGroup {
	byTag := map[string][]docCall{}
	for path, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op != nil {
				byTag[op.Tags[0]] = append(byTag[op.Tags[0]], describe(doc, path, op))
			}
		}
	}
	var out []docGroup
	for _, tag := range doc.Tags {
		calls := byTag[tag.Name]
		slices.SortFunc(calls, func(a, b docCall) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
		if len(calls) > 0 {
			out = append(out, docGroup{Name: tag.Name, About: tag.Description, Calls: calls})
		}
	}
	return out
}

func describe(doc *huma.OpenAPI, path string, op *huma.Operation) docCall {
	c := docCall{Method: op.Method, Path: path, ID: op.OperationID, Summary: op.Summary, About: op.Description,
		SignIn: len(op.Security) > 0 && len(op.Security[0]) > 0}
	for _, p := range op.Parameters {
		c.Params = append(c.Params, docField{Name: p.Name, In: p.In, Type: typeOf(p.Schema), About: p.Description, Required: p.Required})
	}
	if op.RequestBody != nil {
		c.BodyOptional = !op.RequestBody.Required
		if media := op.RequestBody.Content["application/json"]; media != nil {
			c.Body = fieldsOf(doc, media.Schema)
		}
	}
	for status, answer := range op.Responses {
		a := docAnswer{Status: status, About: answer.Description}
		if media := answer.Content["application/json"]; media != nil {
			a.Fields = fieldsOf(doc, media.Schema)
		}
		c.Answers = append(c.Answers, a)
	}
	slices.SortFunc(c.Answers, func(a, b docAnswer) int { return strings.Compare(a.Status, b.Status) })
	return c
}

func fieldsOf(doc *huma.OpenAPI, schema *huma.Schema) []docField {
	if schema != nil && schema.Ref != "" {
		schema = doc.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil {
		return nil
	}
	var out []docField
	for name, p := range schema.Properties {
		out = append(out, docField{Name: name, Type: typeOf(p), About: p.Description, Required: slices.Contains(schema.Required, name)})
	}
	slices.SortFunc(out, func(a, b docField) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// typeOf says a schema in one or two words.
func typeOf(schema *huma.Schema) string {
	switch {
	case schema == nil:
		return ""
	case schema.Ref != "":
		return schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
	case schema.Type == huma.TypeArray:
		return "list of " + typeOf(schema.Items)
	case len(schema.Enum) > 0:
		words := make([]string, len(schema.Enum))
		for i, word := range schema.Enum {
			words[i] = fmt.Sprint(word)
		}
		return strings.Join(words, " | ")
	case schema.Format == "date-time":
		return "time"
	case schema.Format == "date":
		return "date"
	case schema.Type == "":
		return "any"
	}
	return schema.Type
}

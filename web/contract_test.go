package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// contract is the served OpenAPI document. Every answer that a test gets is held
// against it.
type contract struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	OperationID string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Security    []map[string][]string `json:"security"`
	RequestBody *struct {
		Required bool             `json:"required"`
		Content  map[string]media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]media `json:"content"`
	} `json:"responses"`
}

type media struct {
	Schema schema `json:"schema"`
}

type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"` // one name or several
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Additional any               `json:"additionalProperties"`
	Items      *schema           `json:"items"`
	Enum       []any             `json:"enum"`
	AnyOf      []schema          `json:"anyOf"`
}

func readContract(t *testing.T, text string) *contract {
	t.Helper()
	var c contract
	must(t, json.Unmarshal([]byte(text), &c))
	return &c
}

// find gives the operation that serves a path, by the template it fits.
func (c *contract) find(method, path string) (operation, bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	best, bestVariables := operation{}, -1
	for template, item := range c.Paths {
		op, ok := item[strings.ToLower(method)]
		wanted := strings.Split(template, "/")
		if !ok || len(wanted) != len(parts) {
			continue
		}
		fits, variables := true, 0
		for i, part := range wanted {
			if strings.HasPrefix(part, "{") {
				variables++
			} else if part != parts[i] {
				fits = false
			}
		}
		if fits && (bestVariables < 0 || variables < bestVariables) {
			best, bestVariables = op, variables
		}
	}
	return best, bestVariables >= 0
}

// check says what of an answer is not as the document says.
func (c *contract) check(method, path string, a answer) error {
	op, ok := c.find(method, path)
	if !ok {
		return nil // not a call of the API
	}
	documented, ok := op.Responses[fmt.Sprint(a.status)]
	if !ok {
		if a.status == 405 || a.status == 404 && len(op.Responses) > 0 && strings.Contains(path, "//") {
			return nil
		}
		return fmt.Errorf("%s does not document status %d", op.OperationID, a.status)
	}
	if a.json == nil {
		return nil
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	media, ok := documented.Content[kind]
	if !ok {
		return fmt.Errorf("%s %d does not document %s", op.OperationID, a.status, kind)
	}
	if err := c.fits(media.Schema, a.json, "body"); err != nil {
		return fmt.Errorf("%s %d: %w", op.OperationID, a.status, err)
	}
	return nil
}

func (c *contract) fits(s schema, value any, where string) error {
	if s.Ref != "" {
		s = c.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
	}
	if len(s.AnyOf) > 0 {
		var err error
		for _, choice := range s.AnyOf {
			if err = c.fits(choice, value, where); err == nil {
				return nil
			}
		}
		return err
	}
	if err := fitsType(s.Type, value, where); err != nil {
		return err
	}
	if len(s.Enum) > 0 && value != nil && !slices.Contains(s.Enum, value) {
		return fmt.Errorf("%s is %v, not one of %v", where, value, s.Enum)
	}
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if s.Items == nil {
				break
			}
			if err := c.fits(*s.Items, item, fmt.Sprintf("%s[%d]", where, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return c.fitsObject(s, v, where)
	}
	return nil
}

func (c *contract) fitsObject(s schema, value map[string]any, where string) error {
	for _, name := range s.Required {
		if _, ok := value[name]; !ok {
			return fmt.Errorf("%s.%s is missing", where, name)
		}
	}
	for name, inner := range value {
		p, known := s.Properties[name]
		if !known && s.Additional == false {
			return fmt.Errorf("%s.%s is not documented", where, name)
		}
		if err := c.fits(p, inner, where+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func fitsType(wanted, value any, where string) error {
	var names []string
	switch w := wanted.(type) {
	case string:
		names = []string{w}
	case []any:
		for _, name := range w {
			names = append(names, name.(string))
		}
	default:
		return nil
	}
	is := "null"
	switch v := value.(type) {
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case float64:
		is = "number"
		if v == float64(int64(v)) {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	if slices.Contains(names, is) || is == "integer" && slices.Contains(names, "number") {
		return nil
	}
	return fmt.Errorf("%s is %s, not %v", where, is, names)
}

// TestContract holds the document against rules that a linter and a client's
// generator rely on.
func TestContract(t *testing.T) {
	s := open(t)
	var info struct {
		OpenAPI string           `json:"openapi"`
		Servers []map[string]any `json:"servers"`
		Tags    []map[string]any `json:"tags"`
	}
	text := s.get("/openapi.json", "").wants(200).text
	must(t, json.Unmarshal([]byte(text), &info))
	if info.OpenAPI[:4] != "3.1." || len(info.Servers) == 0 || len(info.Tags) == 0 {
		t.Errorf("version %s, %d servers, %d tags", info.OpenAPI, len(info.Servers), len(info.Tags))
	}
	seen := map[string]bool{}
	for path, item := range s.contract.Paths {
		for method, op := range item {
			if op.OperationID == "" || op.Summary == "" || seen[op.OperationID] || len(op.Security) == 0 {
				t.Errorf("%s %s: id %q, summary %q, %d security requirements", method, path, op.OperationID, op.Summary, len(op.Security))
			}
			seen[op.OperationID] = true
			for _, status := range []string{"429", "500", "503"} {
				if _, ok := op.Responses[status].Content["application/problem+json"]; !ok {
					t.Errorf("%s does not document %s as a problem", op.OperationID, status)
				}
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d operations", len(seen))
	}
	if strings.Contains(text, "$schema") {
		t.Error("answers have $schema members")
	}
}

func TestDocsPage(t *testing.T) {
	s := open(t)
	page := s.get("/docs", "").wants(200)
	for _, item := range s.contract.Paths {
		for _, op := range item {
			if !strings.Contains(page.text, `id="`+op.OperationID+`"`) {
				t.Errorf("the page lacks %s", op.OperationID)
			}
		}
	}
	for _, foreign := range []string{"http://", "https://", "<script", "style=", "onclick"} {
		if strings.Contains(page.text, foreign) {
			t.Errorf("the page has %q", foreign)
		}
	}
	for _, bare := range []string{"`", "&lt;code"} {
		if strings.Contains(page.text, bare) {
			t.Errorf("the page shows %s", bare)
		}
	}
	s.get("/docs/style.css", "").wants(200)
}

package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
)

// JSON leaves open what a member is that stands twice, and whether 1.0 is a whole number.
// Programs answer differently, so both are refused, by the name of the field.

// refuseTwice refuses a body in which a member stands twice: the library would take the
// last without a word, and whoever has looked at the body before may have taken the first.
func (s *server) refuseTwice(ctx huma.Context, next func(huma.Context)) {
	if path, twice := memberTwice(ctx); twice {
		const status, message = http.StatusUnprocessableEntity, "is there twice"
		_ = huma.WriteErr(s.api, ctx, status, message, &huma.ErrorDetail{Location: "body." + path, Message: message})
		return
	}
	next(ctx)
}

func memberTwice(ctx huma.Context) (path string, twice bool) {
	body := ctx.Operation().RequestBody
	if body == nil || body.Content["application/json"] == nil {
		return "", false // a provider's notice, or a bill
	}
	if kind, _, err := mime.ParseMediaType(ctx.Header("Content-Type")); err == nil && kind != "application/json" {
		return "", false // which is refused as such
	}
	walkJSON(humafiber.Unwrap(ctx).Body(), func(at string, _ int64, again bool) bool {
		path, twice = at, again
		return !again
	})
	return path, twice
}

// notWhole is said of a number that a field cannot take though it is one.
const notWhole = "must be a whole number, written without a point or an exponent, that is not too large"

// strictFormats reads and writes JSON, and says which field it is whose value does not fit.
func strictFormats() map[string]huma.Format {
	out := maps.Clone(huma.DefaultFormats)
	for name, format := range out {
		read := format.Unmarshal
		format.Unmarshal = func(data []byte, into any) error {
			err := read(data, into)
			misfit := new(json.UnmarshalTypeError)
			if !errors.As(err, &misfit) {
				return err
			}
			message := "does not fit its type"
			if strings.HasPrefix(misfit.Value, "number") {
				message = notWhole
			}
			where := ""
			walkJSON(data, func(at string, start int64, _ bool) bool {
				if start < misfit.Offset { // which is the value's end or a byte more, and no other value begins there
					where = at
				}
				return start < misfit.Offset
			})
			if where == "" {
				return errors.New(message)
			}
			return fmt.Errorf("%s%s: %s", misfitAt, where, message)
		}
		out[name] = format
	}
	return out
}

// misfitAt begins an error that names its field, behind which comes what is wrong.
const misfitAt = "at field "

// walkJSON visits the values of a text in order, by their paths such as goods[0].qty, with
// where each one begins, and whether its name was there already in the same object. It
// stops when it is told to or the text is no JSON.
func walkJSON(text []byte, visit func(path string, start int64, again bool) (on bool)) {
	type level struct {
		path  string
		names map[string]bool // of an object, so far
		list  bool
		n     int
	}
	var open []level
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	for named, name := false, ""; ; {
		before := text[tokens.InputOffset():]
		start := int64(len(text) - len(bytes.TrimLeft(before, " \t\r\n,:")))
		token, err := tokens.Token()
		if err != nil {
			return
		}
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			open = open[:len(open)-1]
			if len(open) == 0 {
				return
			}
			continue
		}
		path, again := "", false
		if len(open) > 0 {
			in := &open[len(open)-1]
			switch {
			case in.list:
				path = fmt.Sprintf("%s[%d]", in.path, in.n)
				in.n++
			case !named:
				name, named = token.(string), true
				continue
			default:
				path, named = strings.TrimPrefix(in.path+"."+name, "."), false
				again = in.names[name]
				in.names[name] = true
			}
		}
		if len(path) > 2*longestField {
			path = path[:2*longestField] // which is cut before it is told
		}
		if !visit(path, start, again) || len(open) == 0 && token != json.Delim('{') && token != json.Delim('[') {
			return
		}
		if d, ok := token.(json.Delim); ok {
			open = append(open, level{path: path, list: d == '[', names: map[string]bool{}})
		}
	}
}

package settings

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

// textField draws a field for some words.
func textField(s *kit.Sheet, name string, label kit.Words, most int) kit.Field {
	return s.Draw(kit.Field{Name: name, Label: label, Most: most})
}

// numberField draws a field for a whole number.
func numberField(s *kit.Sheet, name string, label, unit kit.Words) kit.Field {
	return s.Draw(kit.Field{Name: name, Label: label, Unit: unit, Mode: "numeric", Most: 8})
}

// clockField draws a field for a time of the day. Browsers' own cannot say 26:00.
func clockField(s *kit.Sheet, name string, label kit.Words) kit.Field {
	return s.Draw(kit.Field{Name: name, Label: label, Most: 5})
}

// dateField draws a field for a date.
func dateField(s *kit.Sheet, name string, label kit.Words) kit.Field {
	return s.Draw(kit.Field{Name: name, Label: label, Kind: "date"})
}

// sent gives the values of a form that was sent.
func sent(c *fiber.Ctx) func(string) string {
	return func(name string) string { return kit.Sent(c, name) }
}

// all values of a name that was sent, in their order.
func sentAll(c *fiber.Ctx, name string) []string {
	var out []string
	for _, v := range c.Context().PostArgs().PeekMulti(name) {
		out = append(out, string(v))
	}
	return out
}

// dotted makes weekly.1.opens of weekly[1].opens: names that an address can carry.
func dotted(name string) string { return strings.NewReplacer("[", ".", "]", "").Replace(name) }

// formPage is what the pages with a form share.
type formPage struct {
	kit.Frame
	Self string // the page itself
	Mark string // of what the form was filled from
	kit.Trouble
	Theirs []kit.Words
}

// byPart reports whether a script asks for a part of the page only.
func byPart(c *fiber.Ctx) bool { return c.Get("HX-Request") == "true" }

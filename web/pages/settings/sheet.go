package settings

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// field is one control of a form with what stands or was typed in it.
type field struct {
	Name, ID   string
	Label      kit.Words
	Hint, Unit kit.Words
	Value      string
	Kind       string // type of the input
	Mode       string // keyboard of a phone
	Auto       string // what browsers fill in
	Most       int    // characters
	Required   bool
	Quiet      bool // the label is for those who hear the page
	Wrong      *kit.Words
}

// fault is one line of what is wrong with a form, with the way to its field.
type fault struct {
	ID    string
	Label kit.Words
	Words kit.Words
}

// sheet is a form: where its values come from and what is wrong with them. The faults
// of the fields that were drawn stand in their order.
type sheet struct {
	value  func(name string) string
	wrong  kit.Wrong
	faults []fault
	drawn  map[string]bool
}

func newSheet(value func(string) string, wrong kit.Wrong) *sheet {
	return &sheet{value: value, wrong: wrong, drawn: map[string]bool{}}
}

// text draws a field for some words.
func (s *sheet) text(name string, label kit.Words, most int) field {
	return s.draw(field{Name: name, Label: label, Kind: "text", Most: most})
}

// number draws a field for a whole number.
func (s *sheet) number(name string, label, unit kit.Words) field {
	return s.draw(field{Name: name, Label: label, Unit: unit, Kind: "text", Mode: "numeric", Most: 8})
}

// clock draws a field for a time of the day. Browsers' own cannot say 26:00.
func (s *sheet) clock(name string, label kit.Words) field {
	return s.draw(field{Name: name, Label: label, Kind: "text", Most: 5})
}

// date draws a field for a date.
func (s *sheet) date(name string, label kit.Words) field {
	return s.draw(field{Name: name, Label: label, Kind: "date"})
}

func (s *sheet) draw(f field) field {
	f.ID, f.Value, f.Wrong = f.Name, s.value(f.Name), s.at(f.Name, f.Label)
	return f
}

// at notes that a field is on the page and gives what is wrong with it.
func (s *sheet) at(name string, label kit.Words) *kit.Words {
	w, bad := s.wrong[name]
	if s.drawn[name] || !bad {
		s.drawn[name] = true
		return nil
	}
	s.drawn[name] = true
	s.faults = append(s.faults, fault{ID: name, Label: label, Words: *w})
	return w
}

// ticks notes that boxes to tick are on the page. They can be wrong only if somebody
// forges them, and the way to them leads to a field beside them.
func (s *sheet) ticks(name, beside string, label kit.Words) {
	if s.at(name, label) != nil {
		s.faults[len(s.faults)-1].ID = beside
	}
}

// all gives every fault: those of the fields first, then what has no field.
func (s *sheet) all() []fault {
	out := slices.Clone(s.faults)
	var rest []string
	for name := range s.wrong {
		if !s.drawn[name] {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		out = append(out, fault{Label: homeless(name), Words: *s.wrong[name]})
	}
	return out
}

// lists are what a refusal can name that no single field of a form is.
var lists = []struct {
	name  string
	label kit.Words
}{
	{"price_rules", kit.Words{"价格规则", "Price rules"}},
	{"exceptions", kit.Words{"特殊日期", "Special dates"}},
	{"holidays", kit.Words{"节假日", "Holidays"}},
	{"refund_ladder", kit.Words{"按取消的早晚退款", "Refund by how early one cancels"}},
	{"weekly", kit.Words{"每周", "The week"}},
	{"courts", kit.Words{"场地", "Courts"}},
}

// homeless says what is at fault when it has no field on the page. The names that the
// program has for things are no words for people.
func homeless(name string) kit.Words {
	for _, l := range lists {
		if rest, ok := strings.CutPrefix(name, l.name); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			return l.label
		}
	}
	return kit.Words{"这张表", "This form"}
}

// sent gives the values of a form that was sent.
func sent(c *fiber.Ctx) func(string) string {
	return func(name string) string { return c.FormValue(name) }
}

// all values of a name that was sent, in their order.
func sentAll(c *fiber.Ctx, name string) []string {
	var out []string
	for _, v := range c.Context().PostArgs().PeekMulti(name) {
		out = append(out, string(v))
	}
	return out
}

// wrongAt gives what a refusal says of fields, by the names they have on the page.
func wrongAt(err error, rename func(string) string) kit.Wrong {
	out := kit.Wrong{}
	for name, words := range kit.WrongOf(err) {
		name = rename(name)
		if _, twice := out[name]; !twice {
			out[name] = words
		}
	}
	return out
}

// dotted makes weekly.1.opens of weekly[1].opens: names that an address can carry.
func dotted(name string) string { return strings.NewReplacer("[", ".", "]", "").Replace(name) }

// statusOf says whether a page can tell an error, and the status it is told with.
func statusOf(err error) (int, bool) {
	refusal, ok := domain.AsError(err)
	if !ok {
		return 0, false
	}
	return httpx.Status(refusal.Kind), true
}

// formPage is what the pages with a form share.
type formPage struct {
	kit.Frame
	Self    string // the page itself
	Mark    string // of what the form was filled from
	Faults  []fault
	Refusal *kit.Say // what is no field's fault
	Theirs  []kit.Words
}

// tell puts what is wrong on a page: each fault at its field, anything else above.
func (f *formPage) tell(err error, s *sheet) {
	f.Faults = s.all()
	if err != nil && len(f.Faults) == 0 {
		said := kit.Explain(err, nil)
		f.Refusal = &said
	}
}

// byPart reports whether a script asks for a part of the page only.
func byPart(c *fiber.Ctx) bool { return c.Get("HX-Request") == "true" }

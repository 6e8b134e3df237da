package kit

import (
	"slices"
	"strings"
)

// Field is one control of a form, with what stands or was typed in it and what is
// wrong with that.
type Field struct {
	ID, Name, Value   string
	Kind              string // type of the input
	Mode              string // keyboard of a phone
	Auto              string // what browsers fill in; nothing unless it is said
	Label, Hint, Unit Words
	Most              int // characters
	Required          bool
	Quiet             bool // the label is for those who hear the page
	Wrong             *Words
}

// Fault is one line of what is wrong with a form, with the way to its field.
type Fault struct {
	ID           string // empty when no field of the page is at fault
	Label, Words Words
}

// Sheet draws the fields of one form: where their values come from, and what is wrong
// with them.
type Sheet struct {
	name   string
	value  func(name string) string
	wrong  Wrong
	faults []Fault
	drawn  map[string]bool
}

// NewSheet begins a form. The name keeps the fields of a page's forms apart and may be
// empty when there is one.
func NewSheet(name string, value func(field string) string, wrong Wrong) *Sheet {
	if name != "" {
		name += "-"
	}
	return &Sheet{name: name, value: value, wrong: wrong, drawn: map[string]bool{}}
}

// Draw gives a field its value and what is wrong with it.
func (s *Sheet) Draw(f Field) Field {
	f.ID, f.Value, f.Wrong = s.name+f.Name, s.value(f.Name), s.At(f.Name, f.Label)
	if f.Kind == "" {
		f.Kind = "text"
	}
	return f
}

// At notes that a control is on the page and gives what is wrong with it.
func (s *Sheet) At(name string, label Words) *Words { return s.AtID(name, s.name+name, label) }

// AtID is At for a control to which the way leads by another id than its own.
func (s *Sheet) AtID(name, id string, label Words) *Words {
	w, bad := s.wrong[name]
	if s.drawn[name] || !bad {
		s.drawn[name] = true
		return nil
	}
	s.drawn[name] = true
	s.faults = append(s.faults, Fault{ID: id, Label: label, Words: *w})
	return w
}

// Value is what stands in a field.
func (s *Sheet) Value(name string) string { return s.value(name) }

// Found counts the fields drawn so far that have something wrong with them.
func (s *Sheet) Found() int { return len(s.faults) }

// Faults gives every fault: those of the fields first, in the order in which they were
// drawn, then what has no field.
func (s *Sheet) Faults() []Fault {
	out := slices.Clone(s.faults)
	var rest []string
	for name := range s.wrong {
		if !s.drawn[name] {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		out = append(out, Fault{Label: homeless(name), Words: *s.wrong[name]})
	}
	return out
}

// Trouble is what a page says of forms that came back.
type Trouble struct {
	Faults  []Fault
	Refusal *Say // what is no field's fault
}

// TroubleOf puts together what is wrong with the forms of a page: each fault at its
// field, anything else above all of them.
func TroubleOf(err error, sheets ...*Sheet) Trouble {
	var out Trouble
	for _, s := range sheets {
		out.Faults = append(out.Faults, s.Faults()...)
	}
	if err != nil && len(out.Faults) == 0 {
		said := Explain(err, nil)
		out.Refusal = &said
	}
	return out
}

// lists are what a refusal can name that no single field of a form is.
var lists = []struct {
	name  string
	label Words
}{
	{"price_rules", Words{"价格规则", "Price rules"}},
	{"exceptions", Words{"特殊日期", "Special dates"}},
	{"holidays", Words{"节假日", "Holidays"}},
	{"refund_ladder", Words{"按取消的早晚退款", "Refund by how early one cancels"}},
	{"weekly", Words{"每周", "The week"}},
	{"courts", Words{"场地", "Courts"}},
}

// homeless says what is at fault when it has no field on the page. The names that the
// program has for things are no words for people.
func homeless(name string) Words {
	for _, l := range lists {
		if rest, ok := strings.CutPrefix(name, l.name); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			return l.label
		}
	}
	return Words{"这张表", "This form"}
}

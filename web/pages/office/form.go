package office

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// field is one control with its label, what stands in it and what is wrong with that.
type field struct {
	ID, Name, Value   string
	Kind              string // type of the input
	Mode              string // keyboard of a phone
	Label, Hint, Unit kit.Words
	Most              int // characters
	Required          bool
	Wrong             *kit.Words
}

// fault leads from the top of a page to a field that is filled in wrongly.
type fault struct {
	ID           string
	Label, Words kit.Words
}

// refused is a form that came back: which one of the page's, and why.
type refused struct {
	form  string
	wrong kit.Wrong // by the names of the form
	err   error
}

// cause is why a form came back; nil for a page that nothing was sent to.
func (r *refused) cause() error {
	if r == nil {
		return nil
	}
	return r.err
}

// sheet draws the fields of one form: with what was typed if it is the one that came
// back, otherwise with what is kept.
type sheet struct {
	name   string
	value  func(name string) string
	wrong  kit.Wrong
	faults []fault
}

// sheetOf begins a form. back is nil when the page is shown for the first time.
func sheetOf(c *fiber.Ctx, name string, back *refused, kept map[string]string) *sheet {
	s := &sheet{name: name, value: func(field string) string { return kept[field] }}
	if back != nil && back.form == name {
		s.wrong = back.wrong
		s.value = func(field string) string { return typed(c, field) }
	}
	return s
}

// typed is what came for a field, by a form or in the address.
func typed(c *fiber.Ctx, name string) string {
	if c.Method() == fiber.MethodGet {
		return c.Query(name)
	}
	return c.FormValue(name)
}

// draw gives a field its value and what is wrong with it.
func (s *sheet) draw(f field) field {
	f.ID, f.Value = s.name+"-"+f.Name, s.value(f.Name)
	if f.Kind == "" {
		f.Kind = "text"
	}
	f.Wrong = s.at(f.Name, f.Label)
	return f
}

// at notes what is wrong with a control that is no plain field.
func (s *sheet) at(name string, label kit.Words) *kit.Words {
	w, bad := s.wrong[name]
	if !bad {
		return nil
	}
	s.faults = append(s.faults, fault{ID: s.name + "-" + name, Label: label, Words: *w})
	return w
}

// trouble is what a page says of a form that came back.
type trouble struct {
	Faults  []fault
	Refusal *kit.Say // what is no field's fault
}

// told puts together what is wrong with the forms of a page.
func told(back *refused, sheets ...*sheet) trouble {
	if back == nil {
		return trouble{}
	}
	var out trouble
	for _, s := range sheets {
		out.Faults = append(out.Faults, s.faults...)
	}
	if len(out.Faults) == 0 && back.err != nil {
		said := kit.Explain(back.err, nil)
		if w, known := whatNow[reasonOf(back.err)]; known {
			said.Words = w
		}
		out.Refusal = &said
	}
	return out
}

func reasonOf(err error) string {
	if refusal, ok := domain.AsError(err); ok {
		return refusal.Reason
	}
	return ""
}

// whatNow are refusals that on these pages need more words than their own.
var whatNow = map[string]kit.Words{
	"changed_meanwhile": {"您填写期间，别人改了这里。下面是您填写的；再保存一次，就以您的为准。", "Somebody changed this while you were at it. Below is what you typed; save again to make it count."},
	"last_owner":        {"这是最后一位馆主，不能停用，也不能改为前台。请先添加另一位馆主。", "This is the last owner, who can neither leave nor become desk staff. Add another owner first."},
	"out_of_stock":      {"没有这么多可以减：其余的已经留给订单。请先在订单里取消或退款。", "There are not that many to take off: the rest is kept for orders. Cancel or refund those first."},
}

// comesBack says whether a page can tell an error beside the form, and its status.
func comesBack(err error) (status int, ok bool) {
	refusal, ok := domain.AsError(err)
	if !ok || (refusal.Kind != domain.Invalid && refusal.Kind != domain.Conflict) {
		return 0, false
	}
	return httpx.Status(refusal.Kind), true
}

// wrongOf gives the fields that a refusal names, by the names that they have in a form:
// pairs of theirs and the form's.
func wrongOf(err error, pairs ...string) kit.Wrong {
	out := kit.WrongOf(err)
	for i := 0; i < len(pairs); i += 2 {
		if w, bad := out[pairs[i]]; bad {
			delete(out, pairs[i])
			out[pairs[i+1]] = w
		}
	}
	return out
}

// keyOf is the key of a form as it was filled in: sent twice it is one act; filled in
// otherwise, after a refusal or with the browser's back button, it is another.
func keyOf(c *fiber.Ctx) app.Key {
	nonce := c.FormValue("nonce")
	if nonce == "" {
		return ""
	}
	var parts []string
	for name, value := range c.Context().PostArgs().All() {
		if string(name) != httpx.CSRFField {
			parts = append(parts, string(name)+"="+string(value))
		}
	}
	slices.Sort(parts)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return app.Key(hex.EncodeToString(sum[:16]))
}

// frame makes the frame of one of these pages.
func (p *pages) frame(c *fiber.Ctx, title kit.Words, said map[string]kit.Words) (kit.Frame, domain.Calendar, domain.Instant, error) {
	f, venue, now, err := p.OwnerFrame(c, title)
	f.Styles = []string{"office.css"}
	f.Said = kit.SaidOf(c, said)
	return f, venue.Calendar, now, err
}

// calendar is the venue's.
func (p *pages) calendar(c *fiber.Ctx) (domain.Calendar, error) {
	venue, _, _, err := p.App.Venue(c.UserContext())
	return venue.Calendar, err
}

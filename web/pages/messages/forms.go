package messages

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// back is a form that came back: which one of the page's, and why; err is nil when it was
// sent for something else than to be saved. A page that is shown has none.
type back struct {
	form string
	err  error
}

func (b *back) is(form string) bool { return b != nil && b.form == form }

func (b *back) cause() error {
	if b == nil {
		return nil
	}
	return b.err
}

// sheet begins a form: with what was typed if it is the one that came back, otherwise
// with what is kept.
func (b *back) sheet(c *fiber.Ctx, form string, kept map[string]string) *kit.Sheet {
	if b.is(form) {
		return kit.NewSheet(form, sent(c), kit.WrongOf(b.err))
	}
	return kit.NewSheet(form, func(name string) string { return kept[name] }, nil)
}

// mark is that of the part that a form was filled from. The page's other forms are filled
// from what is kept now.
func (b *back) mark(c *fiber.Ctx, form string, part any) string {
	if b.is(form) {
		return kit.MarkOn(c, part, b.err)
	}
	return app.Mark(part)
}

// theirs are lines about what somebody else has saved meanwhile, if that is why the form
// came back.
func (b *back) theirs(form string, lines ...kit.Words) []kit.Words {
	if b.is(form) && domain.IsReason(b.err, "changed_meanwhile") {
		return lines
	}
	return nil
}

// sent gives the values of a form that was sent.
func sent(c *fiber.Ctx) func(string) string {
	return func(name string) string { return kit.Sent(c, name) }
}

// sentAll are all values of a name that was sent, in their order.
func sentAll(c *fiber.Ctx, name string) []string {
	var out []string
	for _, v := range c.Context().PostArgs().PeekMulti(name) {
		out = append(out, string(v))
	}
	return out
}

// tidy is a text as it is kept: browsers end lines in their own way.
func tidy(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// wide makes plain digits of those that Chinese keyboards type.
var wide = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9", "　", " ")

func plain(text string) string { return strings.TrimSpace(wide.Replace(text)) }

// renamed gives a refusal the names of a form for its fields.
func renamed(err error, rename func(string) string) error {
	refusal, ok := domain.AsError(err)
	if !ok || len(refusal.Fields) == 0 {
		return err
	}
	var out []error
	for _, f := range refusal.Fields {
		out = append(out, domain.BadField(rename(f.Field), "%s", f.Message))
	}
	return domain.Together(out...)
}

// keyOf is the key of a form as it was filled in: sent twice it is one act; filled in
// otherwise it is another.
func keyOf(c *fiber.Ctx) app.Key {
	if kit.Sent(c, "nonce") == "" {
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
func (p *pages) frame(c *fiber.Ctx, title kit.Words, said map[string]kit.Words) (kit.Frame, sqlite.Venue, domain.Instant, error) {
	f, venue, now, err := p.OwnerFrame(c, title)
	f.Styles, f.Said = []string{"messages.css"}, kit.SaidOf(c, said)
	return f, venue, now, err
}

// change changes how people are told things.
func (p *pages) change(c *fiber.Ctx, change func(*domain.Messages) error) error {
	_, err := p.App.ChangeMessages(c.UserContext(), httpx.ActorOf(c), "messages", change)
	return err
}

// answerForm goes on to a page that says what was done, or draws the form's own page
// again: with why it was refused, or for a look at what it comes to.
func answerForm(c *fiber.Ctx, page, said string, err error, draw func(status int) error) error {
	switch {
	case err != nil:
		return kit.Beside(c, err, draw)
	case said == "":
		return draw(http.StatusOK)
	}
	return kit.Done(c, page, said)
}

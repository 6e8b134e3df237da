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

// sheetOf begins a form: with what was typed if it is the one that came back, otherwise
// with what is kept. back is nil when the page is shown for the first time.
func sheetOf(c *fiber.Ctx, name string, back *refused, kept map[string]string) *kit.Sheet {
	if back != nil && back.form == name {
		return kit.NewSheet(name, func(field string) string { return typed(c, field) }, back.wrong)
	}
	return kit.NewSheet(name, func(field string) string { return kept[field] }, nil)
}

// typed is what came for a field, by a form or in the address.
func typed(c *fiber.Ctx, name string) string {
	if c.Method() == fiber.MethodGet {
		return c.Query(name)
	}
	return kit.Sent(c, name)
}

// told puts together what is wrong with the forms of a page.
func told(back *refused, sheets ...*kit.Sheet) kit.Trouble {
	out := kit.TroubleOf(back.cause(), sheets...)
	if w, known := whatNow[reasonOf(back.cause())]; known && out.Refusal != nil {
		out.Refusal.Words = w
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

// wrongOf gives the fields that a refusal names, by the names that they have in a form:
// pairs of theirs and the form's.
func wrongOf(err error, pairs ...string) kit.Wrong {
	return kit.WrongAt(err, func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return name
	})
}

// keyOf is the key of a form as it was filled in: sent twice it is one act; filled in
// otherwise, after a refusal or with the browser's back button, it is another.
func keyOf(c *fiber.Ctx) app.Key {
	nonce := kit.Sent(c, "nonce")
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

package desk

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// filled is what somebody has filled into one form of a page, to be shown again
// after a refusal. The zero value is no form.
type filled struct {
	Act    string // which form: the act, and after a colon what it is about
	values map[string][]string
	wrong  kit.Wrong
	Say    *kit.Say // why it was refused
	amount *int64   // in fen, when it was another than the form showed
}

// read keeps what was sent to a form.
func read(c *fiber.Ctx, act string) filled {
	f := filled{Act: act, values: map[string][]string{}}
	c.Context().PostArgs().VisitAll(func(key, value []byte) {
		name := string(key)
		if name != "csrf" && name != "nonce" {
			f.values[name] = append(f.values[name], string(value))
		}
	})
	return f
}

// refused adds why. A staff member is shown the desk's page of an order that stands
// in the way.
func (f filled) refused(say kit.Say, err error) filled {
	say.Href = strings.Replace(say.Href, "/orders/", "/desk/orders/", 1)
	f.Say, f.wrong = &say, kit.Wrong{}
	if refusal, ok := domain.AsError(err); ok && refusal.Reason == "amount_changed" {
		if fen, ok := refusal.Detail["amount"].(int64); ok {
			f.amount = &fen
		}
	}
	for name, words := range kit.WrongOf(err) {
		if short, ok := fieldNames[name]; ok {
			name = short
		}
		f.wrong[name] = words
	}
	return f
}

// fieldNames are the fields of the forms whose names differ from the use cases'.
var fieldNames = map[string]string{"customer.name": "name", "customer.phone": "phone"}

// Is reports whether it is this form.
func (f filled) Is(act string) bool { return f.Act == act }

// Value is what was typed into a field of a form.
func (f filled) Value(act, name string) string {
	if f.Act != act || len(f.values[name]) == 0 {
		return ""
	}
	return f.values[name][0]
}

// Has reports whether a field of a form had a value among others.
func (f filled) Has(act, name, value string) bool {
	return f.Act == act && slices.Contains(f.values[name], value)
}

// Wrong says what is wrong with a field of a form, or nil.
func (f filled) Wrong(act, name string) *kit.Words {
	if f.Act != act {
		return nil
	}
	return f.wrong[name]
}

// keyOf is the key of one act on a page: its forms share a nonce.
func keyOf(c *fiber.Ctx, act string) app.Key {
	if nonce := kit.KeyOf(c); nonce != "" {
		return nonce + app.Key("|"+act)
	}
	return ""
}

// goBack goes on to the page that the form stood on and lets it say what was done.
func goBack(c *fiber.Ctx, said string) error {
	at, order := backOf(c)
	if order != "" {
		return kit.Done(c, "/desk/orders/"+url.PathEscape(order), said)
	}
	return kit.Done(c, at.address("/desk"), said)
}

// refuse draws the page that the form stood on again, with why it was refused and
// what was typed. What is no refusal is for the page of errors.
func (p *pages) refuse(c *fiber.Ctx, f filled, err error) error {
	return kit.Beside(c, err, func(status int) error {
		venue, _, _, venueErr := p.App.Venue(c.UserContext())
		if venueErr != nil {
			return venueErr
		}
		return p.again(c, status, f.refused(kit.Explain(err, venue.Calendar.Zone), err))
	})
}

func (p *pages) again(c *fiber.Ctx, status int, f filled) error {
	at, order := backOf(c)
	if order != "" {
		return p.drawOrder(c, status, order, f)
	}
	return p.drawBoard(c, status, at, f)
}

package kit

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/httpx"
)

type nonceKey struct{}

// Nonce is the value for the fields of that name in an answer's forms: a form that
// is sent twice is one act. It is new in every answer.
func Nonce(c *fiber.Ctx) string {
	if made, ok := c.Locals(nonceKey{}).(string); ok {
		return made
	}
	made := app.NewID()
	c.Locals(nonceKey{}, made)
	return made
}

// KeyOf is the key of a form's nonce for one kind of act; a form without a nonce
// has none.
func KeyOf(c *fiber.Ctx) app.Key { return app.Key(Sent(c, "nonce")) }

// QtyPrefix comes before a good's id in the name of the field for its pieces.
const QtyPrefix = "qty."

// Sent is a field of the form that was sent, and never one of the address: a link
// must not be able to fill in for a form.
func Sent(c *fiber.Ctx, name string) string { return string(c.Context().PostArgs().Peek(name)) }

// saidSeconds is how long a browser may take from an act to the page that tells of it.
const saidSeconds = 60

// Done goes on to a page and lets it say what has been done. The address alone says
// nothing, or a link could claim an act: it takes a cookie too, which serves once.
func Done(c *fiber.Ctx, page, said string) error {
	path, query, _ := strings.Cut(page, "?")
	args, err := url.ParseQuery(query)
	if err != nil {
		args = url.Values{}
	}
	args.Set("said", said)
	httpx.KeepBriefly(c, saidCookie(path, said), "1", saidSeconds)
	return c.Redirect(path+"?"+args.Encode(), fiber.StatusSeeOther)
}

// saidCookie is named by the page and the word, so that several tabs do not tell of
// each other's acts.
func saidCookie(path, said string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	sum := sha256.Sum256([]byte(path + "\n" + said))
	return "courtd_said_" + hex.EncodeToString(sum[:6])
}

// SaidOf is what the page before has done, out of the page's own words, told once;
// nil when nothing was or when the word is none of them.
func SaidOf(c *fiber.Ctx, words map[string]Words) *Say {
	said := c.Query("said")
	w, known := words[said]
	if !known {
		return nil
	}
	name := saidCookie(c.Path(), said)
	if c.Cookies(name) == "" {
		return nil
	}
	httpx.KeepBriefly(c, name, "", 0)
	return &Say{Words: w, Tone: "good"}
}

// Yuan writes fen as a person types them into a field: 60 or 60.50.
func Yuan(fen int64) string { return strings.TrimPrefix(notify.Yuan(fen), "￥") }

// ParseYuan reads what a person typed as yuan into fen: digits, and a dot before one
// or two of them. Whether it is too much is for the use case to say.
func ParseYuan(field, text string) (int64, error) {
	parts := typedYuan.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, domain.BadField(field, "must be an amount such as 60 or 60.50")
	}
	fen, err := strconv.ParseInt(parts[1]+(parts[2] + "00")[:2], 10, 64)
	if err != nil {
		return 0, domain.BadField(field, "must be an amount such as 60 or 60.50")
	}
	return fen, nil
}

var typedYuan = regexp.MustCompile(`^[￥¥]?\s*([0-9]{1,10})(?:\.([0-9]{0,2}))?$`)

// Wrong says what is wrong with each field of a form, by the field's name. Fields
// that are right have nil, so that a template can ask {{with index .Wrong "name"}}.
type Wrong map[string]*Words

// WrongOf gives the fields that a refusal names; empty for any other error.
func WrongOf(err error) Wrong { return WrongAt(err, func(name string) string { return name }) }

// WrongAt gives the fields that a refusal names, by the names that they have on a page.
func WrongAt(err error, rename func(string) string) Wrong {
	out := Wrong{}
	if refusal, ok := domain.AsError(err); ok {
		for _, f := range httpx.FieldsOf(refusal) {
			if name := rename(f.Field); out[name] == nil {
				out[name] = &Words{f.MessageZH, httpx.PageWords(f.Message)}
			}
		}
	}
	return out
}

// FieldWords says what is wrong with a field.
func FieldWords(f domain.FieldError) Words {
	zh, _ := httpx.FieldWords(f.Message)
	return Words{zh, httpx.PageWords(f.Message)}
}

// MarkOn is the mark that a form carries on: of what it was filled from, however often it
// is drawn again since, and of the part as it is now once that is shown beside it. A newer
// mark beside older content would write over what somebody else has changed meanwhile.
func MarkOn(c *fiber.Ctx, part any, refusal error) string {
	if sent := Sent(c, "mark"); sent != "" && !domain.IsReason(refusal, "changed_meanwhile") {
		return sent
	}
	return app.Mark(part)
}

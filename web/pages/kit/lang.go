package kit

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
)

// Lang is the language of a page.
type Lang string

// The languages that pages are written in.
const (
	ZH Lang = "zh"
	EN Lang = "en"
)

// Langs lists them; the first is what a visitor gets who asks for neither.
var Langs = []Lang{ZH, EN}

const langCookie = "courtd_lang"

type langKey struct{}

// Words say one thing in Chinese and in English.
type Words [2]string

// Chinese gives the words in Chinese.
func (w Words) Chinese() string { return w[0] }

// English gives the words in English.
func (w Words) English() string { return w[1] }

// In gives the words in a language; what is written in one language only is given
// as it is. Sums are written with the sign that belongs to the language.
func (w Words) In(lang Lang) string {
	said := w[0]
	if (lang == EN && w[1] != "") || w[0] == "" {
		said = w[1]
	}
	if lang == EN {
		return strings.ReplaceAll(said, sign(ZH), sign(EN))
	}
	return said
}

// chooseLang finds the language of the answer: what the visitor has chosen, else
// what the browser asks for. A choice in the address is kept and the address
// without it is gone on to.
func (s *Site) chooseLang(c *fiber.Ctx) error {
	if chosen := Lang(c.Query("lang")); chosen == ZH || chosen == EN {
		httpx.KeepChoice(c, langCookie, string(chosen))
		if c.Method() == fiber.MethodGet {
			return c.Redirect(withoutLang(c.OriginalURL()), fiber.StatusSeeOther)
		}
	}
	readLang(c)
	return c.Next()
}

// readLang finds the language that a visitor has chosen or whose browser asks for it.
func readLang(c *fiber.Ctx) {
	lang := Lang(c.Cookies(langCookie))
	if lang != ZH && lang != EN {
		lang = preferred(c.Get(fiber.HeaderAcceptLanguage))
	}
	c.Locals(langKey{}, lang)
	c.Vary(fiber.HeaderAcceptLanguage, fiber.HeaderCookie)
}

// LangOf is the language that a request is answered in.
func LangOf(c *fiber.Ctx) Lang {
	if lang, ok := c.Locals(langKey{}).(Lang); ok {
		return lang
	}
	return ZH
}

// preferred is the first of our languages that a browser names. Browsers name them
// in order of preference, so the weights need not be read.
func preferred(header string) Lang {
	for _, part := range strings.Split(header, ",") {
		switch tag := strings.ToLower(strings.TrimSpace(part)); {
		case strings.HasPrefix(tag, "zh"):
			return ZH
		case strings.HasPrefix(tag, "en"):
			return EN
		}
	}
	return ZH
}

func withoutLang(address string) string {
	at, err := url.ParseRequestURI(address)
	if err != nil {
		return "/"
	}
	query := at.Query()
	query.Del("lang")
	// One slash, so that no other host can be meant.
	out := "/" + strings.TrimLeft(at.EscapedPath(), "/")
	if len(query) > 0 {
		out += "?" + query.Encode()
	}
	return out
}

// otherLang is this page in the other language.
func otherLang(c *fiber.Ctx) string {
	if c.Method() != fiber.MethodGet {
		return OtherLangAt(c, "/")
	}
	return OtherLangAt(c, c.OriginalURL())
}

// OtherLangAt is a page in the other language: for the answer to a form, which has no
// address of its own to come back to.
func OtherLangAt(c *fiber.Ctx, page string) string {
	other := ZH
	if LangOf(c) == ZH {
		other = EN
	}
	at, err := url.ParseRequestURI(page)
	if err != nil {
		return "/?lang=" + string(other)
	}
	query := at.Query()
	query.Set("lang", string(other))
	return "/" + strings.TrimLeft(at.EscapedPath(), "/") + "?" + query.Encode()
}

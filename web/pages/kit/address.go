package kit

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
)

// addressWords are what people call that which stands in the address of a page.
var addressWords = map[string]Words{
	"date":   {"日期", "date"},
	"from":   {"开始日期", "first day"},
	"to":     {"结束日期", "last day"},
	"at":     {"时间", "time"},
	"cursor": {"页码", "page"},
}

// badAddress says which part of a page's address cannot be used, as it was written,
// and what it has to be; nil when it is something else that is wrong. There is no form
// beside whose field it could be said.
func badAddress(c *fiber.Ctx, problem httpx.Problem) *Say {
	if problem.Reason != "invalid_field" {
		return nil
	}
	for _, bad := range problem.Errors {
		name, known := addressWords[bad.Field]
		written := c.Query(bad.Field)
		if !known || written == "" {
			continue
		}
		out := Say{Words: Words{name[0] + "不对", "This " + name[1] + " cannot be used"}, Tone: "bad"}
		if plainText(written) {
			out.Words[0], out.Words[1] = out.Words[0]+"："+written, out.Words[1]+": "+written
		}
		out.Words[0], out.Words[1] = out.Words[0]+"（"+bad.MessageZH+"）", out.Words[1]+" ("+httpx.PageWords(bad.Message)+")"
		return &out
	}
	return nil
}

// plainText reports whether a text from an address can be repeated on a page: short,
// and nothing in it that could be taken for the page's own words.
func plainText(text string) bool {
	return len(text) <= 32 && !strings.ContainsFunc(text, func(char rune) bool { return char <= ' ' || char > '~' })
}

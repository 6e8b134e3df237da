package web

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/web/api"
	"courtd/web/squeeze"
)

// minPacked is the size from which packing an answer is worth the work: what is
// smaller travels in one packet anyway.
const minPacked = 1 << 10

// packedTypes are the kinds of text that packAnswers packs. Assets are not among
// them: they come packed.
var packedTypes = [][]byte{
	[]byte("text/html"), []byte("text/csv"), []byte("text/calendar"),
	[]byte("application/json"), []byte("application/problem+json"), []byte("application/vnd.oai.openapi"), []byte("application/openapi"),
}

// packAnswers makes pages, JSON and CSV small for clients that can unpack them. The answer
// about a day is asked by every phone and comes from memory: packing it would cost many
// times what it does.
func packAnswers() fiber.Handler {
	return func(c *fiber.Ctx) error {
		err := c.Next()
		if err != nil || c.Path() == api.DayPath || !packable(c) {
			return err
		}
		c.Vary(fiber.HeaderAcceptEncoding)
		coding := squeeze.Accepted(c.Get(fiber.HeaderAcceptEncoding))
		if coding == squeeze.Plain || openedElsewhere(c) {
			return nil
		}
		small, err := squeeze.Pack(coding, squeeze.Quick, c.Response().Body())
		if err != nil {
			return fmt.Errorf("pack an answer: %w", err)
		}
		c.Set(fiber.HeaderContentEncoding, string(coding))
		// The bytes are no longer those that a strong tag promises.
		if tag := c.GetRespHeader(fiber.HeaderETag); strings.HasPrefix(tag, `"`) {
			c.Set(fiber.HeaderETag, "W/"+tag)
		}
		c.Response().SetBodyRaw(small)
		return nil
	}
}

func packable(c *fiber.Ctx) bool {
	r := c.Response()
	if r.IsBodyStream() || len(r.Body()) < minPacked || len(r.Header.ContentEncoding()) > 0 {
		return false
	}
	for _, kind := range packedTypes {
		if bytes.HasPrefix(r.Header.ContentType(), kind) {
			return true
		}
	}
	return false
}

// openedElsewhere says whether another site made a visitor's browser ask for a
// page of theirs. Such a site can choose a part of the address and watch how long
// the packed answer is, and so guess at what else is on the page, letter by letter.
func openedElsewhere(c *fiber.Ctx) bool {
	return c.Get("Sec-Fetch-Site") == "cross-site" && len(c.Request().Header.Peek(fiber.HeaderCookie)) > 0
}

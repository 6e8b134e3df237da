package kit

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
)

// Live is a part of a page that keeps itself fresh: it asks for itself again when
// it is bound to change, when somebody looks at the page again, and otherwise now
// and then with its ETag, which is answered 304 as long as nothing has changed.
type Live struct {
	ID, URL   string
	ETag      string
	ChangesAt int64 // unix seconds; 0: not by itself
	Now       int64 // the server's clock, unix seconds
	Body      template.HTML
}

// Live draws a part of a page. What it is asked for again at url must end with
// SendLive. What is new in every answer (the token and the nonce of its forms) is no
// change, nor is what only runs with the clock, such as the seconds of a countdown:
// ticks are those pieces of the part as they are drawn. changesAt is when it changes
// with nobody doing anything, or nil.
func (s *Site) Live(c *fiber.Ctx, page, part, id, url string, now time.Time, changesAt *time.Time, view any, ticks ...string) (Live, error) {
	body, err := s.draw(LangOf(c), page, part, view)
	if err != nil {
		return Live{}, err
	}
	still := body
	for _, tick := range append(ticks, httpx.CSRFToken(c), Nonce(c)) {
		still = bytes.ReplaceAll(still, []byte(tick), nil)
	}
	sum := sha256.Sum256(still)
	out := Live{ID: id, URL: url, ETag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, Now: now.Unix(), Body: template.HTML(body)}
	if changesAt != nil {
		out.ChangesAt = changesAt.Unix()
	}
	return out, nil
}

// headerNow tells scripts what the server's clock says, also with a 304.
const headerNow = "X-Courtd-Now"

// SendLive answers a live part that asks for itself again.
func (s *Site) SendLive(c *fiber.Ctx, l Live) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(headerNow, strconv.FormatInt(l.Now, 10))
	c.Set(fiber.HeaderETag, l.ETag)
	if c.Get(fiber.HeaderIfNoneMatch) == l.ETag {
		return c.SendStatus(http.StatusNotModified)
	}
	return s.RenderPart(c, http.StatusOK, "live", "live", l)
}

package httpx

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"courtd/app/secret"
	"courtd/domain"
)

// csrfCookie is what the token of a visitor who is not signed in is made from.
const csrfCookie = "courtd_csrf"

// CSRFField is the form field that carries the token.
const CSRFField = "csrf"

type anonymousKey struct{}

// CSRFToken is what a form on a page must send back as CSRFField. It belongs to
// one session, or to one browser while nobody is signed in.
func CSRFToken(c *fiber.Ctx) string {
	base := csrfBase(c)
	if base == "" {
		base, _ = secret.NewToken()
		c.Locals(anonymousKey{}, base)
		c.Cookie(ownCookie(c, csrfCookie, base))
	}
	return csrfFrom(base)
}

// csrfBase is the secret that the browser has, or "".
func csrfBase(c *fiber.Ctx) string {
	if token, _ := c.Locals(tokenKey{}).(string); token != "" {
		return token
	}
	if fresh, _ := c.Locals(anonymousKey{}).(string); fresh != "" {
		return fresh
	}
	return c.Cookies(csrfCookie)
}

func csrfFrom(base string) string {
	m := hmac.New(sha256.New, []byte(base))
	m.Write([]byte("courtd form"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// CheckCSRF refuses unsafe requests of browsers that do not come from a page of
// ours: the form's token must be right and, where the browser says where the
// request comes from, it must be from here.
func CheckCSRF() fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isSafe(c.Method()) {
			return c.Next()
		}
		base := csrfBase(c)
		right := base != "" && hmac.Equal([]byte(c.FormValue(CSRFField)), []byte(csrfFrom(base)))
		if !right || !fromHere(c) {
			return domain.Refuse(domain.Forbidden, "csrf", "the form does not come from a current page of this site")
		}
		return c.Next()
	}
}

func isSafe(method string) bool {
	return method == fiber.MethodGet || method == fiber.MethodHead || method == fiber.MethodOptions
}

func fromHere(c *fiber.Ctx) bool {
	switch c.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" {
		return true
	}
	from, err := url.Parse(origin)
	// Hostname is what a trusted proxy says was asked for, else the request's own.
	return err == nil && from.Host != "" && from.Host == c.Hostname()
}

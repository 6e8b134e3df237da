package httpx

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
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

type (
	anonymousKey struct{}
	madeKey      struct{} // the token of this answer
	outlivedKey  struct{} // whether the form's session is over
)

// CSRFToken is what a form on a page must send back as CSRFField. It belongs to
// one session, or to one browser while nobody is signed in.
func CSRFToken(c *fiber.Ctx) string {
	if made, ok := c.Locals(madeKey{}).(string); ok {
		return made
	}
	base := csrfBase(c)
	if base == "" {
		base, _ = secret.NewToken()
		c.Locals(anonymousKey{}, base)
		c.Cookie(ownCookie(c, csrfCookie, base))
	}
	made := mask(csrfFrom(base))
	c.Locals(madeKey{}, made)
	return made
}

// mask hides a token behind random bytes of the same length, which come before it:
// pages are compressed, and the length of a compressed page would tell a guesser
// how much of a fixed token the guess has hit.
func mask(token []byte) string {
	pad := secret.RandomBytes(len(token))
	masked := make([]byte, len(token))
	subtle.XORBytes(masked, token, pad)
	return base64.RawURLEncoding.EncodeToString(append(pad, masked...))
}

// unmask gives the token that a form has sent back; nil for what cannot be one.
func unmask(sent string) []byte {
	both, err := base64.RawURLEncoding.DecodeString(sent)
	if err != nil || len(both) != 2*sha256.Size {
		return nil
	}
	token := make([]byte, sha256.Size)
	subtle.XORBytes(token, both[sha256.Size:], both[:sha256.Size])
	return token
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

func csrfFrom(base string) []byte {
	m := hmac.New(sha256.New, []byte(base))
	m.Write([]byte("courtd form"))
	return m.Sum(nil)
}

// CheckCSRF refuses unsafe requests of browsers that do not come from a page of
// ours: the form's token must be right and, where the browser says where the
// request comes from, it must be from here.
func CheckCSRF() fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isSafe(c.Method()) {
			return c.Next()
		}
		base, token := csrfBase(c), unmask(string(c.Context().PostArgs().Peek(CSRFField)))
		right := base != "" && hmac.Equal(token, csrfFrom(base))
		if !right || !fromHere(c) {
			c.Locals(outlivedKey{}, token != nil && provablyFromHere(c))
			return domain.Refuse(domain.Forbidden, "csrf", "the form does not come from a current page of this site")
		}
		return c.Next()
	}
}

// Outlived reports whether a form that CheckCSRF refused stands on a page of this
// site, as the browser vouches, whose session has ended or changed since. Such a
// form is not carried out either; but who sent it can be told how to go on.
func Outlived(c *fiber.Ctx) bool {
	outlived, _ := c.Locals(outlivedKey{}).(bool)
	return outlived
}

// provablyFromHere asks for a browser's word; that nothing speaks against it will
// not do.
func provablyFromHere(c *fiber.Ctx) bool {
	return fromHere(c) && (c.Get("Sec-Fetch-Site") == "same-origin" || c.Get(fiber.HeaderOrigin) != "")
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

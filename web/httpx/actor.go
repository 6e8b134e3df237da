package httpx

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
)

// SessionCookie is the cookie that keeps a browser signed in.
const SessionCookie = "courtd_session"

// The keys of what middleware leaves for handlers.
type (
	actorKey   struct{}
	tokenKey   struct{} // the session token of a signed-in browser
	addressKey struct{}
	secureKey  struct{}
)

// Authenticate finds who a Bearer token belongs to. Without one, or with one
// that is not valid any more, the caller is anyone. Cookies are not looked at, so
// that no web page can make a visitor's browser call the API.
func Authenticate(a *app.App) fiber.Handler {
	return func(c *fiber.Ctx) error {
		actor, err := a.WhoIs(c.UserContext(), bearer(c.Get(fiber.HeaderAuthorization)))
		if err != nil {
			return err
		}
		c.Locals(actorKey{}, actor)
		return c.Next()
	}
}

func bearer(header string) string {
	scheme, token, found := strings.Cut(header, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// AuthenticateCookie finds who the session cookie belongs to, for pages. Every
// unsafe request that it serves must pass CheckCSRF too.
func AuthenticateCookie(a *app.App) fiber.Handler {
	return func(c *fiber.Ctx) error {
		token := c.Cookies(SessionCookie)
		actor, err := a.WhoIs(c.UserContext(), token)
		if err != nil {
			return err
		}
		c.Locals(actorKey{}, actor)
		if actor.Role != app.Anyone {
			c.Locals(tokenKey{}, token)
		}
		return c.Next()
	}
}

// IsOwner reports whether the owner sends a request, before anything else is done with
// it: to the API by a token, to the pages by a cookie.
func IsOwner(c *fiber.Ctx, a *app.App) bool {
	token := c.Cookies(SessionCookie)
	if strings.HasPrefix(c.Path(), "/api/") {
		token = bearer(c.Get(fiber.HeaderAuthorization))
	}
	actor, err := a.WhoIs(c.UserContext(), token)
	return err == nil && actor.Role == app.RoleOwner
}

// ActorOf is who sends a request.
func ActorOf(c *fiber.Ctx) app.Actor {
	actor, _ := c.Locals(actorKey{}).(app.Actor)
	return orAnyone(actor)
}

// ActorFrom is who sends the request that a context belongs to.
func ActorFrom(ctx context.Context) app.Actor {
	actor, _ := ctx.Value(actorKey{}).(app.Actor)
	return orAnyone(actor)
}

// Context is the context of a page's request with what middleware has left in it;
// it ends when the request's time is over.
func Context(c *fiber.Ctx) context.Context { return requestContext{c.UserContext(), c} }

type requestContext struct {
	context.Context
	request *fiber.Ctx
}

func (r requestContext) Value(key any) any {
	if value := r.request.Context().Value(key); value != nil {
		return value
	}
	return r.Context.Value(key)
}

func orAnyone(actor app.Actor) app.Actor {
	if actor.Role == "" {
		actor.Role = app.Anyone
	}
	return actor
}

// Cookies says whether cookies are for HTTPS alone.
func Cookies(secure bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Locals(secureKey{}, secure)
		return c.Next()
	}
}

// SetSession keeps a browser signed in as long as a session lasts; an empty token
// signs it out. The browser is told how long and not until when, because its clock
// need not agree with the venue's.
func SetSession(c *fiber.Ctx, token string) {
	cookie := ownCookie(c, SessionCookie, token)
	cookie.MaxAge = int(domain.SessionLife / time.Second)
	if token == "" {
		cookie.MaxAge, cookie.Expires = 0, time.Unix(0, 0)
	}
	c.Cookie(cookie)
}

// ownCookie is a cookie that no script can read and no other site can send along.
func ownCookie(c *fiber.Ctx, name, value string) *fiber.Cookie {
	secure, _ := c.Locals(secureKey{}).(bool)
	return &fiber.Cookie{Name: name, Value: value, Path: "/", HTTPOnly: true, Secure: secure, SameSite: fiber.CookieSameSiteLaxMode}
}

// Zone is the venue's zone; UTC when it cannot be had.
func Zone(ctx context.Context, a *app.App) *time.Location {
	venue, _, _, err := a.Venue(ctx)
	if err != nil || venue.Calendar.Zone == nil {
		return time.UTC
	}
	return venue.Calendar.Zone
}

// KeepChoice keeps a visitor's choice in a cookie for a year.
func KeepChoice(c *fiber.Ctx, name, value string) {
	cookie := ownCookie(c, name, value)
	cookie.MaxAge = int(365 * 24 * time.Hour / time.Second)
	c.Cookie(cookie)
}

// KeepBriefly keeps something in a cookie for some seconds; none take it away.
func KeepBriefly(c *fiber.Ctx, name, value string, seconds int) {
	cookie := ownCookie(c, name, value)
	if cookie.MaxAge = seconds; seconds == 0 {
		cookie.Expires = time.Unix(0, 0)
	}
	c.Cookie(cookie)
}

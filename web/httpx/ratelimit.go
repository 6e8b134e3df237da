package httpx

import (
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/limiter"

	"courtd/app"
	"courtd/domain"
)

// Requests in one window of RateWindow. They are generous to a family behind one
// address and too few for a program that guesses.
const (
	RateWindow       = time.Minute
	MaxPerAddress    = 300  // requests of any kind but for assets
	MaxAssets        = 3000 // requests for assets from one address: a page has a dozen, and they never change
	MaxNotices       = 3000 // notices of payments from one address: a provider has few, and tells of every payment
	MaxPerAccount    = 120  // unsafe requests
	MaxLogins        = 20   // attempts to sign in from one address
	MaxLoginsPerName = 10   // attempts for one phone or user name from one address, or from a browser that is known for it
	MaxLoginsAnyhow  = 60   // attempts for one phone or user name from all addresses
)

// LimitAddress bounds what one address may ask for. Assets are counted by
// themselves: a household that looks at pages must not run out of style sheets. So
// are the notices of payment providers, who come from few addresses.
func LimitAddress() []fiber.Handler {
	const assets, notices, others = "assets", "notices", "others"
	classOf := func(c *fiber.Ctx) string {
		switch path := strings.TrimPrefix(c.Path(), "/api/v1"); {
		case strings.HasPrefix(path, "/static/"):
			return assets
		case strings.HasPrefix(path, "/pay/"):
			return notices
		}
		return others
	}
	of := func(class string) func(*fiber.Ctx) string {
		return func(c *fiber.Ctx) string {
			if c.Locals(countedKey{}) != nil || classOf(c) != class {
				return ""
			}
			return addressGroup(c)
		}
	}
	return []fiber.Handler{limit(MaxPerAddress, of(others)), limit(MaxAssets, of(assets)), limit(MaxNotices, of(notices))}
}

type countedKey struct{}

// Counted notes that LimitAddress has let a request pass, so that it is not counted again
// further down.
func Counted(c *fiber.Ctx) error {
	c.Locals(countedKey{}, true)
	return c.Next()
}

// LimitAccount bounds the unsafe requests of one account; it follows Authenticate
// or AuthenticateCookie.
func LimitAccount() fiber.Handler {
	return limit(MaxPerAccount, func(c *fiber.Ctx) string {
		if actor := ActorOf(c); actor.Role != app.Anyone && !isSafe(c.Method()) {
			return string(actor.Role) + " " + actor.ID
		}
		return ""
	})
}

// LimitLogin bounds attempts to sign in by address, before they are read. By the
// name that is tried they are counted where it is known: see LogIn. A code of WeChat's
// is nothing to guess at, and phones of one network share addresses by the thousand.
func LimitLogin() fiber.Handler {
	return limit(MaxLogins, func(c *fiber.Ctx) string {
		if isSafe(c.Method()) || strings.HasSuffix(c.Path(), "/login/wechat") {
			return ""
		}
		return addressGroup(c)
	})
}

// limit counts requests by a key; the empty key is not counted.
func limit(most int, key func(*fiber.Ctx) string) fiber.Handler {
	return limiter.New(limiter.Config{
		Max:          most,
		Expiration:   RateWindow,
		KeyGenerator: key,
		Next:         func(c *fiber.Ctx) bool { return key(c) == "" },
		LimitReached: func(*fiber.Ctx) error {
			return domain.Refuse(domain.TooMany, "too_many", "too many requests; Retry-After says when to try again")
		},
	})
}

// addressGroup is an IPv4 address, or the network of an IPv6 one: a household has
// more of those than anybody can count.
func addressGroup(c *fiber.Ctx) string {
	return groupOf(ClientIP(c))
}

func groupOf(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil || address.Is4() {
		return ip
	}
	network, err := address.Prefix(64)
	if err != nil {
		return ip
	}
	return network.String()
}

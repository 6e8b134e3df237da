package httpx

import (
	"encoding/json"
	"net/netip"
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
	MaxPerAddress    = 300 // requests of any kind
	MaxPerAccount    = 120 // unsafe requests
	MaxLogins        = 20  // attempts to sign in from one address
	MaxLoginsPerName = 10  // attempts for one phone or user name
)

// LimitAddress bounds what one address may ask for.
func LimitAddress() fiber.Handler {
	return limit(MaxPerAddress, addressGroup)
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

// LimitLogin bounds attempts to sign in, by address and by the phone or user name
// that is tried.
func LimitLogin() []fiber.Handler {
	unsafeOnly := func(key func(*fiber.Ctx) string) func(*fiber.Ctx) string {
		return func(c *fiber.Ctx) string {
			if isSafe(c.Method()) {
				return ""
			}
			return key(c)
		}
	}
	return []fiber.Handler{limit(MaxLogins, unsafeOnly(addressGroup)), limit(MaxLoginsPerName, unsafeOnly(loginName))}
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
	address, err := netip.ParseAddr(ClientIP(c))
	if err != nil || address.Is4() {
		return ClientIP(c)
	}
	network, err := address.Prefix(64)
	if err != nil {
		return ClientIP(c)
	}
	return network.String()
}

// loginName is the phone or user name that a request tries, in JSON or in a form.
func loginName(c *fiber.Ctx) string {
	var tried struct {
		Phone    string `json:"phone"`
		Username string `json:"username"`
	}
	if err := json.Unmarshal(c.Body(), &tried); err != nil {
		tried.Phone, tried.Username = c.FormValue("phone"), c.FormValue("username")
	}
	if phone, err := domain.ParsePhone("phone", tried.Phone); err == nil {
		return "phone " + phone
	}
	if tried.Username != "" && len(tried.Username) <= domain.MaxKeyChars {
		return "username " + tried.Username
	}
	return ""
}

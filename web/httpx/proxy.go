package httpx

import (
	"context"
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Proxies finds the client's address. Only the trusted proxies are believed, and
// only about whom they themselves have seen: anything further left in
// X-Forwarded-For may have been written by the client.
func Proxies(trusted []netip.Prefix) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Locals(addressKey{}, clientAddress(c, trusted))
		return c.Next()
	}
}

func clientAddress(c *fiber.Ctx, trusted []netip.Prefix) string {
	peer, ok := netip.AddrFromSlice(c.Context().RemoteIP())
	if !ok {
		return ""
	}
	address := peer.Unmap()
	var hops []string
	c.Request().Header.VisitAll(func(key, value []byte) {
		if strings.EqualFold(string(key), fiber.HeaderXForwardedFor) {
			hops = append(hops, strings.Split(string(value), ",")...)
		}
	})
	for i := len(hops) - 1; i >= 0 && isTrusted(address, trusted); i-- {
		before, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = before.Unmap().WithZone("")
	}
	return address.String()
}

func isTrusted(address netip.Addr, trusted []netip.Prefix) bool {
	for _, prefix := range trusted {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// ClientIP is the address a request comes from, as Proxies found it.
func ClientIP(c *fiber.Ctx) string {
	address, _ := c.Locals(addressKey{}).(string)
	return address
}

// ClientIPFrom is the address that the request of a context comes from.
func ClientIPFrom(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

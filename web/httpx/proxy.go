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
		hop := strings.TrimSpace(hops[i])
		if hop == "" {
			continue // an empty element of a list says nothing
		}
		before, ok := parseHop(hop)
		if !ok {
			break
		}
		address = before.Unmap().WithZone("")
	}
	return address.String()
}

// parseHop reads an address as proxies write it: bare, in brackets, with a port.
func parseHop(hop string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr(), true
	}
	if inner, ok := strings.CutPrefix(hop, "["); ok {
		hop = strings.TrimSuffix(inner, "]")
	}
	address, err := netip.ParseAddr(hop)
	return address, err == nil
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

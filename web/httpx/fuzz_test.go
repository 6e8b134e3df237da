package httpx_test

import (
	"io"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"courtd/web/httpx"
)

// FuzzForwardedFor has a proxy pass on what a client wrote before it: the address that
// counts is never one that only the client has named.
func FuzzForwardedFor(f *testing.F) {
	serve := fiber.New(fiber.Config{DisableStartupMessage: true})
	serve.Use(httpx.Proxies([]netip.Prefix{netip.MustParsePrefix("0.0.0.0/32"), netip.MustParsePrefix("10.0.0.0/8")}))
	serve.Get("/", func(c *fiber.Ctx) error { return c.SendString(httpx.ClientIP(c)) })
	for _, text := range []string{"", "192.0.2.1", "unknown", "[2001:db8::1]:80", "fe80::1%eth0", "1.2.3.4:5, ,,", "::ffff:192.0.2.1", "10.0.0.1", "10.0.0.1, 192.0.2.7"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return // the server refuses such a header before anybody reads it
		}
		const seen = "203.0.113.9" // by the proxy itself
		for _, forwarded := range []string{text + ", " + seen, text + "," + seen + " , 10.1.2.3"} {
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("X-Forwarded-For", forwarded)
			res, err := serve.Test(r, -1)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode == 200 && string(got) != seen {
				t.Errorf("%q comes from %q, %v", forwarded, got, err)
			}
		}
	})
}

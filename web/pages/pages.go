// Package pages serves the club to people with a browser: pages rendered on the
// server that work without scripts. Every use case is the same as the API's.
package pages

import (
	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/customer"
	"courtd/web/pages/desk"
	"courtd/web/pages/kit"
	"courtd/web/pages/owner"
	"courtd/web/pages/records"
)

// Register adds the pages of everybody and their assets to the server.
func Register(r fiber.Router, cfg kit.Config) error {
	s, err := kit.New(cfg, customer.Pages, desk.Pages, owner.Pages, records.Pages)
	if err != nil {
		return err
	}
	s.Assets.Register(r)
	customer.Register(s, r)
	desk.Register(s, r)
	owner.Register(s, r)
	records.Register(s, r)
	return nil
}

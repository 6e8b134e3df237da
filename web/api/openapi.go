package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The groups of calls in the document.
const (
	tagVenue    = "venue"
	tagLogin    = "login"
	tagOrders   = "orders"
	tagDesk     = "desk"
	tagOwner    = "owner"
	tagReports  = "reports"
	tagProvider = "provider"
	tagDemo     = "demo"
)

const aboutAPI = `Book the courts of one sports venue by the slot.

Times are RFC 3339 with the venue's offset; money is in fen. Refusals are ` + "`application/problem+json`" + ` with a
` + "`reason`" + ` for programs and, where fields are at fault, ` + "`errors`" + `; a conflict names the slot or the goods it is about.
Unknown members are refused, and members that stand twice; whole numbers are written without a point or an exponent.
Every POST that creates something or moves money takes an ` + "`Idempotency-Key`" + `.
Lists are ` + "`{items, next, now}`" + `, the newest first.`

// document is the part of the OpenAPI document that is written by hand.
func document(version string) huma.Config {
	if version == "" {
		version = "0"
	}
	c := huma.DefaultConfig("courtd", version)
	c.Formats = strictFormats()
	c.CreateHooks = nil // no $schema members in answers
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Info.Description = aboutAPI
	c.Info.License = &huma.License{Name: "MIT", Identifier: "MIT"}
	c.Servers = []*huma.Server{{URL: "/", Description: "this venue"}}
	c.Tags = []*huma.Tag{
		{Name: tagVenue, Description: "What anybody may know: the venue and what is free."},
		{Name: tagLogin, Description: "Signing in and out."},
		{Name: tagOrders, Description: "A customer's own orders, payments and notices."},
		{Name: tagDesk, Description: "The desk: the day, the door, bookings for callers, cash."},
		{Name: tagOwner, Description: "The owner: settings, stock, coupons, closures, staff, the reconciler."},
		{Name: tagReports, Description: "The owner: what came in, how full the courts were, what became of orders."},
		{Name: tagProvider, Description: "Payment providers. The signature over the raw body is the login."},
	}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		bearerAuth: {Type: "http", Scheme: "bearer", Description: "the token that signing in gave"},
	}
	return c
}

// allowNull says of members that are null when there is nothing (an order's ticket
// before it is paid) that they may be: the types do not show it for objects.
func allowNull(schemas huma.Registry) {
	const prefix = "#/components/schemas/"
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef(prefix + name)
		for i := range t.NumField() {
			field := t.Field(i)
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			p := schema.Properties[member]
			if field.Type.Kind() != reflect.Pointer || p == nil || p.Ref == "" || strings.Contains(field.Tag.Get("json"), "omitempty") {
				continue
			}
			schema.Properties[member] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Description: p.Description}
		}
	}
}

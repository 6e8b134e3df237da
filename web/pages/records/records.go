// Package records holds the owner's pages about what has happened: the day at a
// glance, reports, what the reconciler does, and who did what.
package records

import (
	"embed"

	"github.com/gofiber/fiber/v2"

	"courtd/web/pages/kit"
)

//go:embed templates/*.html
var sources embed.FS

// Pages are the pages of this package.
var Pages = kit.Pages{
	Source: sources,
	Shared: []string{"templates/chart.html", "templates/report.html"},
	Samples: map[string]func() any{
		"overview":    func() any { return new(overviewPage) },
		"takings":     func() any { return new(takingsPage) },
		"utilisation": func() any { return new(utilisationPage) },
		"rates":       func() any { return new(ratesPage) },
		"top-goods":   func() any { return new(goodsPage) },
		"reconciler":  func() any { return new(reconcilerPage) },
		"foresee":     func() any { return new(foreseePage) },
		"bills":       func() any { return new(billsPage) },
		"clock":       func() any { return new(clockPage) },
		"audit":       func() any { return new(auditPage) },
	},
	Parts: map[string]map[string]func() any{
		"overview":   {"glance": func() any { return new(glance) }},
		"reconciler": {"rounds": func() any { return new(rounds) }},
	},
}

// pages is what all actions share.
type pages struct{ *kit.Site }

// Register adds the pages to the server.
func Register(s *kit.Site, r fiber.Router) {
	p, on := &pages{s}, s.Routes(r)

	on.Get("/owner", kit.OwnerOnly, p.showOverview)
	on.Get("/owner/glance", kit.OwnerOnly, p.sendGlance)

	on.Get("/owner/reports", kit.OwnerOnly, p.showTakings)
	on.Get("/owner/reports/takings.csv", kit.OwnerOnly, p.saveTakings)
	on.Get("/owner/reports/utilisation", kit.OwnerOnly, p.showUtilisation)
	on.Get("/owner/reports/utilisation.csv", kit.OwnerOnly, p.saveUtilisation)
	on.Get("/owner/reports/rates", kit.OwnerOnly, p.showRates)
	on.Get("/owner/reports/rates.csv", kit.OwnerOnly, p.saveRates)
	on.Get("/owner/reports/goods", kit.OwnerOnly, p.showGoods)
	on.Get("/owner/reports/goods.csv", kit.OwnerOnly, p.saveGoods)

	on.Get("/owner/reconciler", kit.OwnerOnly, p.showReconciler)
	on.Get("/owner/reconciler/rounds", kit.OwnerOnly, p.sendRounds)
	on.Get("/owner/reconciler/foresee", kit.OwnerOnly, p.showForesee)
	on.Get("/owner/reconciler/run", kit.ToPageOfForm)
	on.Post("/owner/reconciler/run", kit.OwnerOnly, p.run)
	on.Get("/owner/reconciler/shipped", kit.ToPageOfForm)
	on.Post("/owner/reconciler/shipped", kit.OwnerOnly, p.shipped)
	on.Get("/owner/clock", kit.OwnerOnly, p.showClock)
	on.Get("/owner/clock/accept", kit.ToPageOfForm)
	on.Post("/owner/clock/accept", kit.OwnerOnly, p.acceptClock)

	on.Get("/owner/bills", kit.OwnerOnly, p.showBills)
	on.Get("/owner/bills/differences.csv", kit.OwnerOnly, p.saveDifferences)
	on.Get(kit.BillPath, kit.ToPageOfForm)
	on.PostFile(kit.BillPath, kit.OwnerOnly, p.importBill)
	on.Get("/owner/bills/fetch", kit.ToPageOfForm)
	on.Post("/owner/bills/fetch", kit.OwnerOnly, p.fetchBill)
	on.Get("/owner/bills/explain", kit.ToPageOfForm)
	on.Post("/owner/bills/explain", kit.OwnerOnly, p.explainDifference)

	on.Get("/owner/audit", kit.OwnerOnly, p.showAudit)
	on.Get("/owner/audit.csv", kit.OwnerOnly, p.saveAudit)
}

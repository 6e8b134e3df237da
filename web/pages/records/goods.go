package records

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/csv"
	"courtd/web/pages/kit"
)

// goodsPage shows what was sold besides the courts.
type goodsPage struct {
	reportHead
	Bars   []rankBar
	Report app.GoodsReport
}

// rankBar is one bar of a chart that lies on its side. Its name is text of the page,
// so that it may be as long as it likes.
type rankBar struct {
	Name   string
	Tenths float64 // of the longest, in thousandths: the width of the bar
	Value  string
	Note   kit.Words
}

// mostBars is how many goods are drawn; the table has all of them.
const mostBars = 12

func (p *pages) showGoods(c *fiber.Ctx) error {
	h, err := p.head(c, kit.Words{"商品报表", "Goods"}, "goods")
	if err != nil {
		return err
	}
	page := goodsPage{reportHead: h}
	if h.Ready {
		if page.Report, err = p.App.TopGoods(c.UserContext(), h.days); err != nil {
			return err
		}
		page.fill()
	}
	return p.Render(c, h.status, "top-goods", page)
}

func (p *pages) saveGoods(c *fiber.Ctx) error {
	span, err := p.saved(c)
	if err != nil {
		return err
	}
	report, err := p.App.TopGoods(c.UserContext(), span)
	if err != nil {
		return err
	}
	return sendFile(c, csv.Goods(report))
}

func (g *goodsPage) fill() {
	g.Empty = g.Report.Total == app.GoodsFigures{}
	var most int64
	for _, row := range g.Report.Goods {
		most = max(most, row.Revenue)
	}
	for i, row := range g.Report.Goods {
		if i == mostBars || row.Sold == 0 {
			break
		}
		b := rankBar{Name: row.Name, Value: yuan(row.Revenue), Note: kit.Words{pieces(row.Sold) + " 件", pieces(row.Sold) + " pcs"}}
		if most > 0 {
			b.Tenths = round(1000 * float64(row.Revenue) / float64(most))
		}
		g.Bars = append(g.Bars, b)
	}
}

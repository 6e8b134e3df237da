package office

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// goodsPage lists the goods in the order in which people see them.
type goodsPage struct {
	kit.Frame
	kit.Trouble
	Goods []goodRow
	Name  kit.Field
	Price kit.Field
	Open  bool // the form for a new one
	Nonce string
}

// goodRow is a good with where its pieces are.
type goodRow struct {
	ID, Name    string
	Price       int64
	Active      bool
	Up, Down    int // the places beside it
	First, Last bool
	shelf
}

// shelf is where the pieces of a good are.
type shelf struct {
	Available int // can be sold now
	Kept      int // for orders that have not collected them
	There     int // on the shelf: both of these
	Sold      int // handed over
}

func shelfOf(g sqlite.Good, pieces sqlite.Pieces) shelf {
	return shelf{Available: g.Available(), Kept: pieces.Kept, There: g.Available() + pieces.Kept, Sold: pieces.Sold}
}

var goodsSaid = map[string]kit.Words{
	"added": {"商品已添加。到货后请登记进货", "The good was added. Book a receipt when it has come in"},
	"moved": {"顺序已改", "The order was changed"},
}

func (p *pages) showGoods(c *fiber.Ctx) error { return p.drawGoods(c, http.StatusOK, nil) }

func (p *pages) drawGoods(c *fiber.Ctx, status int, back *refused) error {
	f, _, _, err := p.frame(c, kit.Words{"商品", "Goods"}, goodsSaid)
	if err != nil {
		return err
	}
	page := goodsPage{Frame: f, Open: back != nil && back.form == "add", Nonce: kit.Nonce(c)}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		goods, err := s.Goods()
		if err != nil {
			return err
		}
		pieces, err := s.Pieces()
		for i, g := range goods {
			page.Goods = append(page.Goods, goodRow{ID: g.ID, Name: g.Name, Price: g.PriceFen, Active: g.Active, Up: i, Down: i + 2,
				First: i == 0, Last: i == len(goods)-1, shelf: shelfOf(g, pieces[g.ID])})
		}
		return err
	})
	if err != nil {
		return err
	}
	s := sheetOf(c, "add", back, nil)
	page.Name, page.Price = nameField(s), priceField(s)
	page.Trouble = told(back, s)
	page.Open = page.Open || len(page.Goods) == 0
	return p.Render(c, status, "goods", page)
}

func nameField(s *kit.Sheet) kit.Field {
	return s.Draw(kit.Field{Name: "name", Label: kit.Words{"名称", "Name"}, Most: 2 * domain.MaxNameChars, Required: true})
}

func priceField(s *kit.Sheet) kit.Field {
	return s.Draw(kit.Field{Name: "price", Label: kit.Words{"单价", "Price"}, Unit: kit.Words{"元", "yuan"}, Mode: "decimal", Most: 12, Required: true})
}

// addGood adds a good at the end of the list.
func (p *pages) addGood(c *fiber.Ctx) error {
	in := read(c)
	g := sqlite.Good{Name: kit.Sent(c, "name"), PriceFen: in.yuan("price", true), Active: true}
	_, err := domain.ParseName("name", g.Name)
	in.refuse(err)
	if back := in.back("add"); back != nil {
		return p.drawGoods(c, http.StatusUnprocessableEntity, back)
	}
	g, err = p.App.AddGood(c.UserContext(), httpx.ActorOf(c), g, keyOf(c))
	if err == nil {
		return kit.Done(c, "/owner/goods/"+g.ID, "added")
	}
	return p.goodsBack(c, "add", err)
}

// moveGood moves a good to another place in the list: the page names the one above and
// the one below.
func (p *pages) moveGood(c *fiber.Ctx) error {
	place, err := strconv.Atoi(kit.Sent(c, "place"))
	if err != nil {
		return domain.BadField("place", "must be a whole number")
	}
	if err := p.App.MoveGood(c.UserContext(), httpx.ActorOf(c), c.Params("id"), place); err != nil {
		return p.goodsBack(c, "", err)
	}
	return kit.Done(c, "/owner/goods", "moved")
}

// goodsBack shows the list with why one of its forms was refused.
func (p *pages) goodsBack(c *fiber.Ctx, form string, err error) error {
	return kit.Beside(c, err, func(status int) error {
		return p.drawGoods(c, status, &refused{form: form, wrong: wrongOf(err), err: err})
	})
}

package office

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// mostPieces bounds what one receipt or count can say.
const mostPieces = 1_000_000

// goodAnswer goes back to the page of a good, or shows it with the form refused.
func (p *pages) goodAnswer(c *fiber.Ctx, form, said string, err error) error {
	if err == nil {
		return kit.Done(c, "/owner/goods/"+c.Params("id"), said)
	}
	return kit.Beside(c, err, func(status int) error {
		return p.drawGood(c, status, &refused{form: form, wrong: wrongOf(err), err: err})
	})
}

// changeGood gives a good another name or price, unless somebody else has meanwhile.
func (p *pages) changeGood(c *fiber.Ctx) error {
	in := read(c)
	price := in.yuan("price", true)
	name, err := domain.ParseName("name", kit.Sent(c, "name"))
	in.refuse(err)
	if back := in.back("edit"); back != nil {
		return p.drawGood(c, http.StatusUnprocessableEntity, back)
	}
	_, err = p.App.ChangeGood(c.UserContext(), httpx.ActorOf(c), c.Params("id"), func(g *sqlite.Good) error {
		is := goodParts(*g)
		err := app.Change(&is, goodPart{name, price}, kit.Sent(c, "mark"))
		g.Name, g.PriceFen = is.Name, is.PriceFen
		return err
	})
	return p.goodAnswer(c, "edit", "saved", err)
}

// sellGood takes a good out of sale or puts it back.
func (p *pages) sellGood(c *fiber.Ctx) error {
	active, said := kit.Sent(c, "active") == "1", "out"
	if active {
		said = "back"
	}
	_, err := p.App.ChangeGood(c.UserContext(), httpx.ActorOf(c), c.Params("id"), func(g *sqlite.Good) error {
		g.Active = active
		return nil
	})
	return p.goodAnswer(c, "", said, err)
}

// receiveGood books pieces that have come in.
func (p *pages) receiveGood(c *fiber.Ctx) error {
	in := read(c)
	qty := in.whole("qty", 1, mostPieces, 0)
	if back := in.back("receipt"); back != nil {
		return p.drawGood(c, http.StatusUnprocessableEntity, back)
	}
	_, err := p.App.MoveStock(c.UserContext(), httpx.ActorOf(c), c.Params("id"), "receipt", qty, kit.Sent(c, "note"), keyOf(c))
	return p.goodAnswer(c, "receipt", "received", err)
}

// countGood books the difference between what was counted and what the books said when
// it was: what has been sold meanwhile makes no difference to that.
func (p *pages) countGood(c *fiber.Ctx) error {
	in := read(c)
	counted := in.whole("counted", 0, mostPieces, -1)
	expected, err := strconv.Atoi(kit.Sent(c, "expected"))
	if err != nil || expected < -mostPieces || expected > mostPieces {
		return domain.BadField("expected", "must be a whole number")
	}
	if back := in.back("count"); back != nil {
		return p.drawGood(c, http.StatusUnprocessableEntity, back)
	}
	if counted == expected {
		return kit.Done(c, "/owner/goods/"+c.Params("id"), "same")
	}
	_, err = p.App.MoveStock(c.UserContext(), httpx.ActorOf(c), c.Params("id"), "adjust", counted-expected, kit.Sent(c, "note"), keyOf(c))
	return p.goodAnswer(c, "count", "counted", err)
}

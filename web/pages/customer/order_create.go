package customer

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// createOrder books what was chosen on the grid. A visitor signs in first and
// finds the choice again; a refusal comes back on the grid with the choice kept.
func (p *pages) createOrder(c *fiber.Ctx) error {
	ch := readForm(c.Context().PostArgs())
	actor := httpx.ActorOf(c)
	if err := refuseStaff(c); err != nil {
		return err
	}
	if actor.Role != app.RoleCustomer {
		return kit.ToLogin(c, "/login", ch.address())
	}
	order, err := p.book(c, actor, ch)
	if err == nil {
		return c.Redirect("/orders/"+order.ID, fiber.StatusSeeOther)
	}
	return kit.Beside(c, err, func(status int) error {
		if _, bad := domain.ParseDate("date", ch.Date); status == http.StatusUnprocessableEntity && bad != nil {
			ch.Date = "" // show some day with the refusal rather than none
		}
		return p.drawGrid(c, status, ch, err)
	}, domain.NotFound) // what is not there was chosen on the grid, which stands
}

// book makes the order once for a form, however often the button was pressed, under
// the name that the customer gives there. An
// old form that comes again when its order is over means a new order.
func (p *pages) book(c *fiber.Ctx, actor app.Actor, ch choice) (app.OrderView, error) {
	req, err := ch.request()
	if err != nil {
		return app.OrderView{}, err
	}
	name, another, err := ch.newName(actor.Name)
	if another {
		_, err = p.App.Rename(c.UserContext(), actor, name)
	}
	if err != nil {
		return app.OrderView{}, err
	}
	order, created, err := p.App.CreateOrder(c.UserContext(), actor, req, ch.key())
	if err != nil || created || order.State == string(domain.Held) || order.State == string(domain.Paid) {
		return order, err
	}
	order, _, err = p.App.CreateOrder(c.UserContext(), actor, req, "")
	return order, err
}

// key belongs to one form and one choice on it: after a refusal, or with the
// browser's back button, the same form may carry another choice.
func (ch choice) key() app.Key {
	if ch.Nonce == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(ch.Nonce + "|" + ch.address()))
	return app.Key(hex.EncodeToString(sum[:16]))
}

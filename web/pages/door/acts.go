package door

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// confirmRefund records that the money of a refund has been handed back. Sent twice
// it is one act: a refund is done once.
func (p *pages) confirmRefund(c *fiber.Ctx) error {
	_, err := p.App.ConfirmRefund(c.UserContext(), httpx.ActorOf(c), c.Params("id"))
	return p.after(c, err, "refund")
}

// seeToPayment notes what was done about flagged money.
func (p *pages) seeToPayment(c *fiber.Ctx) error {
	id := c.Params("id")
	err := p.App.SeeToPayment(c.UserContext(), httpx.ActorOf(c), id, kit.Sent(c, "text"), keyAbout(c, "payment|"+id))
	return p.after(c, err, "seen")
}

// seeToRefund notes what was done about money that went back twice.
func (p *pages) seeToRefund(c *fiber.Ctx) error {
	id := c.Params("id")
	err := p.App.SeeToRefund(c.UserContext(), httpx.ActorOf(c), id, kit.Sent(c, "text"), keyAbout(c, "refund|"+id))
	return p.after(c, err, "seen")
}

// keyAbout is a form's key. The forms of one page share a nonce, so that the key is the
// nonce and what the form is about.
func keyAbout(c *fiber.Ctx, about string) app.Key {
	key := kit.KeyOf(c)
	if key != "" {
		key += app.Key("|" + about)
	}
	return key
}

// resendNotice puts a notice back into the outbox.
func (p *pages) resendNotice(c *fiber.Ctx) error {
	id := c.Params("id")
	err := p.App.ResendNoticeOnce(c.UserContext(), httpx.ActorOf(c), id, keyAbout(c, id))
	return p.after(c, err, "resend")
}

// after goes back to the list, or says on it why something cannot be done.
func (p *pages) after(c *fiber.Ctx, err error, said string) error {
	if err == nil {
		return kit.Done(c, "/desk/todo?"+url.Values{"notices": {c.Query("notices", noticeStates[0].state)}}.Encode(), said)
	}
	return kit.Beside(c, err, func(status int) error {
		words := kit.Explain(err, nil)
		return p.drawTodo(c, status, &words)
	}, domain.NotFound) // the list shows what there is now
}

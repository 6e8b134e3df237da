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

// resendNotice puts a notice back into the outbox. The forms of one page share a nonce,
// so that the key is the nonce and the notice together.
func (p *pages) resendNotice(c *fiber.Ctx) error {
	id, key := c.Params("id"), kit.KeyOf(c)
	if key != "" {
		key += app.Key("|" + id)
	}
	err := p.App.ResendNoticeOnce(c.UserContext(), httpx.ActorOf(c), id, key)
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

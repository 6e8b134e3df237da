package customer

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// noticesPage lists what a customer has been told.
type noticesPage struct {
	kit.Frame
	Items []app.NoticeView
	Next  *string
	Later bool // this is not the first page
	// AskEmail is for those whose notices could be mailed if there were an address.
	AskEmail bool
}

// listNotices shows a customer's own notices, newest first.
func (p *pages) listNotices(c *fiber.Ctx) error {
	f, venue, _, err := p.FrameOf(c, kit.Words{"通知", "Notices"})
	if err != nil {
		return err
	}
	cursor := c.Query("cursor")
	list, err := p.App.Notices(c.UserContext(), httpx.ActorOf(c), app.Page{Cursor: cursor, Limit: perPage})
	if err != nil {
		return err
	}
	ask, err := p.asksEmail(c, venue.Messages)
	if err != nil {
		return err
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	return p.Render(c, http.StatusOK, "notices", noticesPage{Frame: f, Items: list.Items, Next: list.Next, Later: cursor != "", AskEmail: ask})
}

// asksEmail reports whether notices go by mail here and the customer has no address for
// them: it can be left on the account's page alone, which nobody would find.
func (p *pages) asksEmail(c *fiber.Ctx, m domain.Messages) (bool, error) {
	mails := slices.ContainsFunc(domain.NoticeKinds, func(kind string) bool { return slices.Contains(m.Ways(kind), domain.ChannelMail) })
	if !mails || !p.App.SendsMailCodes() {
		return false, nil
	}
	me, err := p.App.Me(c.UserContext(), httpx.ActorOf(c))
	return err == nil && me.Customer != nil && me.Customer.Email == "", err
}

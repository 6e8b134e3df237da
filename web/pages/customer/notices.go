package customer

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// noticesPage lists what a customer has been told.
type noticesPage struct {
	kit.Frame
	Items []app.NoticeView
	Next  *string
	Later bool // this is not the first page
}

// listNotices shows a customer's own notices, newest first.
func (p *pages) listNotices(c *fiber.Ctx) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"通知", "Notices"})
	if err != nil {
		return err
	}
	cursor := c.Query("cursor")
	list, err := p.App.Notices(c.UserContext(), httpx.ActorOf(c), app.Page{Cursor: cursor, Limit: perPage})
	if err != nil {
		return err
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	return p.Render(c, http.StatusOK, "notices", noticesPage{Frame: f, Items: list.Items, Next: list.Next, Later: cursor != ""})
}

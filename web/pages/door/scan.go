package door

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/web/pages/kit"
)

// scanPage takes ticket codes from a camera, from a scanner that types, or by hand.
// Without scripts a code is a form, and the answer stands above the next one.
type scanPage struct {
	kit.Frame
	Refusal *kit.Say
	Answer  *answer
	Code    string // was typed and could not be judged
	Nonce   string
	Count   kit.Live
}

// countView is how many of today's bookings have come.
type countView struct{ Expected, In, Missed int }

// showScan is the scanner, ready for a ticket.
func (p *pages) showScan(c *fiber.Ctx) error { return p.drawScan(c, http.StatusOK, nil, nil, "") }

func (p *pages) drawScan(c *fiber.Ctx, status int, said *answer, refusal *kit.Say, code string) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"核销", "Check in"})
	if err != nil {
		return err
	}
	count, err := p.count(c)
	if err != nil {
		return err
	}
	f.Live, f.Scripts, f.Styles = true, []string{"scan.js"}, []string{"door.css"}
	return p.Render(c, status, "scan", scanPage{Frame: f, Refusal: refusal, Answer: said, Code: code, Nonce: kit.Nonce(c), Count: count})
}

func (p *pages) count(c *fiber.Ctx) (kit.Live, error) {
	day, err := p.App.Today(c.UserContext())
	if err != nil {
		return kit.Live{}, err
	}
	return p.Live(c, "scan", "count", "scan-count", "/desk/scan/count", day.Now, day.ChangesAt, countOf(day))
}

func countOf(d app.TodayView) countView {
	return countView{Expected: d.ToCome + d.CheckedIn + d.NoShows, In: d.CheckedIn, Missed: d.NoShows}
}

// sendCount is the count when it asks for itself again.
func (p *pages) sendCount(c *fiber.Ctx) error {
	count, err := p.count(c)
	if err != nil {
		return err
	}
	return p.SendLive(c, count)
}

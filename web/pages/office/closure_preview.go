package office

import (
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// previewPage shows what a closure would hit before it is made.
type previewPage struct {
	kit.Frame
	Refusal      *kit.Say
	When, Courts kit.Words
	Reason       string
	Notes        []kit.Words
	Hits         []app.Hit
	Refund       int64
	Cancel, Keep bool // what was chosen, if anything was
	ChoiceWrong  *kit.Words
	Fields       []hiddenField // what was asked for, to go on with
	Seen, Nonce  string
	Change       string // the form with all of it filled in
}

type hiddenField struct{ Name, Value string }

// previewClosure shows what a closure would hit.
func (p *pages) previewClosure(c *fiber.Ctx) error { return p.drawPreview(c, http.StatusOK, nil, nil) }

// drawPreview shows what the closure that was asked for hits now; what does not make
// sense is told at the form.
func (p *pages) drawPreview(c *fiber.Ctx, status int, refusal *kit.Say, choiceWrong *kit.Words) error {
	req, notes, cal, courts, back, err := p.askedFor(c)
	if err != nil {
		return err
	}
	if back != nil {
		return p.drawClosures(c, http.StatusUnprocessableEntity, back)
	}
	preview, err := p.App.PreviewClosure(c.UserContext(), req)
	if err != nil {
		return p.closureBack(c, err)
	}
	f, _, now, err := p.frame(c, kit.Words{"确认封场", "Confirm the closure"}, nil)
	if err != nil {
		return err
	}
	page := previewPage{Frame: f, Refusal: refusal, ChoiceWrong: choiceWrong, When: spanWords(cal, req.From, req.To, now), Courts: courtWords(courts, req.Courts),
		Reason: req.Reason, Notes: notes, Hits: preview.Hits, Seen: preview.Mark, Nonce: kit.Nonce(c),
		Cancel: typed(c, "bookings") == "cancel", Keep: typed(c, "bookings") == "keep"}
	for _, hit := range preview.Hits {
		page.Refund += hit.Refund
	}
	asked := url.Values{}
	for _, name := range closureFields {
		for _, value := range manyTyped(c, name) {
			page.Fields = append(page.Fields, hiddenField{name, value})
			asked.Add(name, value)
		}
	}
	page.Change = "/owner/closures?" + asked.Encode()
	return p.Render(c, status, "closure_preview", page)
}

// askedFor reads the closure that a form or an address asks for.
func (p *pages) askedFor(c *fiber.Ctx) (app.ClosureRequest, []kit.Words, domain.Calendar, []sqlite.Court, *refused, error) {
	venue, courts, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return app.ClosureRequest{}, nil, venue.Calendar, nil, nil, err
	}
	in := read(c)
	req, notes := in.closure(venue.Calendar, courts)
	return req, notes, venue.Calendar, courts, in.back("closure"), nil
}

// closureBack shows the form with what was asked for and why it was refused.
func (p *pages) closureBack(c *fiber.Ctx, err error) error {
	return kit.Beside(c, err, func(status int) error {
		return p.drawClosures(c, status, &refused{form: "closure", wrong: wrongOf(err, closureNames(c)...), err: err})
	})
}

// makeClosure closes courts as the preview said; one that would say something else by
// now is shown again first.
func (p *pages) makeClosure(c *fiber.Ctx) error {
	req, _, _, _, back, err := p.askedFor(c)
	if err != nil {
		return err
	}
	if back != nil {
		return p.drawClosures(c, http.StatusUnprocessableEntity, back)
	}
	// No mark can be no preview; a form without one is shown what it would have seen.
	req.Seen = kit.Sent(c, "seen")
	if req.Seen == "" {
		return p.drawPreview(c, http.StatusOK, nil, nil)
	}
	choice := kit.Sent(c, "bookings")
	req.CancelBookings = choice == "cancel"
	if choice != "cancel" && choice != "keep" && choice != "none" {
		return p.drawPreview(c, http.StatusUnprocessableEntity, nil, &kit.Words{"请选择怎样处理这些预订", "Choose what becomes of these bookings"})
	}
	made, err := p.App.MakeClosure(c.UserContext(), httpx.ActorOf(c), req, keyOf(c))
	if status, told := kit.ToldBeside(err); told && status == http.StatusServiceUnavailable {
		// Nothing of what was asked for is at fault: it waits to be confirmed again.
		return kit.Beside(c, err, func(status int) error {
			said := kit.Explain(err, nil)
			return p.drawPreview(c, status, &said, nil)
		})
	}
	if reasonOf(err) == "changed_meanwhile" {
		return p.drawPreview(c, http.StatusConflict, &kit.Say{Tone: "warn", Words: kit.Words{"受影响的预订刚刚有变化，请按下面的最新情况再确认一次",
			"The bookings that this hits have just changed; please look at them again and confirm"}}, nil)
	}
	if err != nil {
		return p.closureBack(c, err)
	}
	said := "closed"
	switch {
	case choice == "cancel":
		said = "cancelled"
	case choice == "keep" || len(made.Hits) > 0:
		said = "kept"
	}
	return kit.Done(c, "/owner/closures", said)
}

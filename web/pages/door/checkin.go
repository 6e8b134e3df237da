package door

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

var askForCode = kit.Words{"请扫码或输入核销码", "Scan or type a ticket code"}

// checkIn judges a ticket. Scripts get the answer alone; a form gets the page with the
// answer above the field for the next ticket. The nonce makes whatever is sent twice
// one scan.
func (p *pages) checkIn(c *fiber.Ctx) error {
	alone := c.Get("HX-Request") == "true"
	actor := httpx.ActorOf(c)
	result, err := p.App.CheckIn(c.UserContext(), actor, kit.Sent(c, "code"), kit.Sent(c, "nonce"))
	if refusal, ok := domain.AsError(err); ok && refusal.Kind == domain.Invalid {
		status := httpx.Status(refusal.Kind)
		if alone {
			return p.RenderPart(c, status, "scan", "answer", answer{Result: "nothing", Words: askForCode})
		}
		return p.drawScan(c, status, nil, &kit.Say{Words: askForCode, Tone: "bad"}, "")
	}
	if err != nil && alone {
		return err // the script keeps the code and says that no answer came
	}
	if err != nil {
		return kit.Beside(c, err, func(status int) error {
			words := kit.Explain(err, nil)
			return p.drawScan(c, status, nil, &words, kit.Sent(c, "code"))
		})
	}
	said, err := p.answerOf(c, kit.Sent(c, "code"), result)
	if err != nil {
		return err
	}
	if alone {
		return p.RenderPart(c, http.StatusOK, "scan", "answer", said)
	}
	return p.drawScan(c, http.StatusOK, &said, nil, "")
}

package messages

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// hooksPage lists the addresses of the venue's own software.
type hooksPage struct {
	kit.Frame
	kit.Trouble
	Hooks    []hookRow
	NoKey    bool // the program cannot sign events
	Full     bool
	Most     int
	Open     bool // the form for another one
	Nonce    string
	URL      kit.Field
	Events   eventTicks
	Example  string
	EventIDs []eventLine
}

// hookRow is one address and how it does.
type hookRow struct {
	domain.Webhook
	Card  channelCard
	Kinds []kit.Words
}

// eventTicks are the kinds of events to choose from.
type eventTicks struct {
	ID    string
	Wrong *kit.Words
	Ticks []eventTick
}

type eventTick struct {
	eventLine
	On bool
}

type eventLine struct {
	Kind string
	Name named
}

var hooksSaid = map[string]kit.Words{"removed": {"推送已删除", "The webhook is removed"}}

// exampleEvent is what an event looks like.
const exampleEvent = `{
  "id": "6f1c…",
  "type": "slot.freed",
  "timestamp": "2026-12-10T17:40:00+08:00",
  "order": "0193…",
  "number": "1210-0042",
  "state": "lapsed",
  "slots": [{
    "reservation": "0193…",
    "court": "c1",
    "start": "2026-12-10T19:00:00+08:00",
    "end": "2026-12-10T20:30:00+08:00"
  }]
}`

func (p *pages) showHooks(c *fiber.Ctx) error { return p.drawHooks(c, http.StatusOK, nil) }

func (p *pages) drawHooks(c *fiber.Ctx, status int, b *back) error {
	f, venue, now, err := p.frame(c, kit.Words{"推送", "Webhooks"}, hooksSaid)
	if err != nil {
		return err
	}
	views, _, err := p.App.ChannelViews(c.UserContext())
	if err != nil {
		return err
	}
	hooks := venue.Messages.Webhooks
	page := hooksPage{Frame: f, NoKey: !p.App.TellsWebhooks(), Full: len(hooks) >= domain.MaxWebhooks, Most: domain.MaxWebhooks,
		Open: b != nil || len(hooks) == 0, Nonce: kit.Nonce(c), Example: exampleEvent}
	for _, w := range hooks {
		row := hookRow{Webhook: w, Card: cardOf(channelOf(views, w.Channel()), venue, now)}
		for _, kind := range w.Kinds {
			row.Kinds = append(row.Kinds, kindWords(kind))
		}
		page.Hooks = append(page.Hooks, row)
	}
	for _, kind := range domain.EventKinds {
		page.EventIDs = append(page.EventIDs, eventLine{kind, events[kind]})
	}
	s := b.sheet(c, "add", nil)
	page.URL = urlField(s)
	page.Events = ticksOf(s, "add-kinds", b.kinds(c, "add", nil))
	page.Trouble = kit.TroubleOf(b.cause(), s)
	return p.Render(c, status, "webhooks", page)
}

func urlField(s *kit.Sheet) kit.Field {
	return s.Draw(kit.Field{Name: "url", Label: kit.Words{"网址", "Address"}, Kind: "url", Most: 2 * domain.MaxURLBytes, Required: true,
		Hint: kit.Words{"您的软件接收事件的地址，例如 https://venue.example/events", "Where your software takes events, such as https://venue.example/events"}})
}

// kinds are those ticked in a form: as sent if it came back, else those that are kept.
func (b *back) kinds(c *fiber.Ctx, form string, kept []string) []string {
	if b.is(form) {
		return sentAll(c, "kind")
	}
	return kept
}

func ticksOf(s *kit.Sheet, id string, on []string) eventTicks {
	out := eventTicks{ID: id, Wrong: s.AtID("kinds", id, kit.Words{"告诉它什么", "What it is told"})}
	for _, kind := range domain.EventKinds {
		out.Ticks = append(out.Ticks, eventTick{eventLine{kind, events[kind]}, slices.Contains(on, kind)})
	}
	return out
}

// secretPage shows a secret, which no other page does.
type secretPage struct {
	kit.Frame
	ID, URL string
	Secret  string
	New     bool // the webhook is new, not only its secret
}

// showSecret is the answer to the form itself: the secret is in no address, no cookie and
// no later page.
func (p *pages) showSecret(c *fiber.Ctx, hook app.WebhookShown, isNew bool) error {
	f, _, _, err := p.frame(c, kit.Words{"推送的密钥", "The webhook's secret"}, nil)
	if err != nil {
		return err
	}
	f.Narrow, f.OtherLang = true, kit.OtherLangAt(c, "/owner/webhooks/"+hook.ID) // the page cannot be asked for again
	return p.Render(c, http.StatusOK, "webhook_secret", secretPage{Frame: f, ID: hook.ID, URL: hook.URL, Secret: hook.Secret, New: isNew})
}

// addHook adds an address. The same form again adds none, and shows the same secret.
func (p *pages) addHook(c *fiber.Ctx) error {
	hook, err := p.App.AddWebhook(c.UserContext(), httpx.ActorOf(c), plain(kit.Sent(c, "url")), sentAll(c, "kind"), keyOf(c))
	switch {
	case gone(err):
		return kit.Done(c, "/owner/webhooks", "removed") // sent again after it was removed
	case err != nil:
		err = renamed(err, afterDot)
		return kit.Beside(c, err, func(status int) error { return p.drawHooks(c, status, &back{"add", err}) })
	case hook.Generation > 1:
		return c.Redirect("/owner/webhooks/"+hook.ID, fiber.StatusSeeOther) // sent again after the secret was renewed
	}
	return p.showSecret(c, hook, true)
}

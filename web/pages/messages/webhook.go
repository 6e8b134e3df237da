package messages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// hookPage is one webhook: where it is, what it is told, and telling it again.
type hookPage struct {
	kit.Frame
	kit.Trouble
	Theirs      []kit.Words
	Self        string
	Hook        domain.Webhook
	Card        channelCard
	Mark, Nonce string
	URL         kit.Field
	Events      eventTicks
	From, Until kit.Field
	Zone        string
	MostReplay  int
}

// confirmPage asks before something that cannot be undone.
type confirmPage struct {
	kit.Frame
	Refusal *kit.Say
	Hook    domain.Webhook
	Waiting int
	Remove  bool // otherwise its secret is renewed
	Nonce   string
}

var hookSaid = map[string]kit.Words{
	"saved": {"已保存", "Saved"},
	"on":    {"已启用。停用期间的事件没有推送，可以重新推送", "Switched on. What happened meanwhile was not told; it can be told again below"},
	"off":   {"已停用，不再推送", "Switched off; it is told nothing"},
	"woken": {"暂停已结束，马上重试", "The pause has ended; it is tried again now"},
}

// afterDot takes the name of a field of webhooks[0].url.
func afterDot(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// hookPart is what the form for a webhook shows.
type hookPart struct {
	URL   string
	Kinds []string
}

func hookPartOf(w domain.Webhook) hookPart { return hookPart{w.URL, eventsInOrder(w.Kinds)} }

func eventsInOrder(kinds []string) []string {
	out := []string{}
	for _, kind := range domain.EventKinds {
		if slices.Contains(kinds, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// hookOf finds the webhook that an address names.
func hookOf(c *fiber.Ctx, venue sqlite.Venue) (domain.Webhook, error) {
	id := c.Params("id")
	for _, w := range venue.Messages.Webhooks {
		if w.ID == id {
			return w, nil
		}
	}
	return domain.Webhook{}, domain.Refuse(domain.NotFound, "not_found", "no such webhook")
}

func (p *pages) showHook(c *fiber.Ctx) error { return p.drawHook(c, http.StatusOK, nil) }

func (p *pages) drawHook(c *fiber.Ctx, status int, b *back) error {
	f, venue, now, err := p.frame(c, kit.Words{"推送", "Webhook"}, hookSaid)
	if err != nil {
		return err
	}
	hook, err := hookOf(c, venue)
	if err != nil {
		return err
	}
	views, _, err := p.App.ChannelViews(c.UserContext())
	if err != nil {
		return err
	}
	if f.Said == nil {
		f.Said = replayedOf(c)
	}
	page := hookPage{Frame: f, Self: "/owner/webhooks/" + hook.ID, Hook: hook, Card: cardOf(channelOf(views, hook.Channel()), venue, now),
		Mark: b.mark(c, "edit", hookPartOf(hook)), Nonce: kit.Nonce(c), Zone: venue.Zone, MostReplay: domain.MaxReplay}
	edit := b.sheet(c, "edit", map[string]string{"url": hook.URL})
	page.URL = urlField(edit)
	page.Events = ticksOf(edit, "edit-kinds", b.kinds(c, "edit", hook.Kinds))
	today := venue.Calendar.LocalDate(now).String()
	replay := b.sheet(c, "replay", map[string]string{"from": today, "until": today})
	page.From = replay.Draw(kit.Field{Name: "from", Label: kit.Words{"从哪一天", "From"}, Kind: "date", Required: true})
	page.Until = replay.Draw(kit.Field{Name: "until", Label: kit.Words{"到哪一天（含）", "Until, that day too"}, Kind: "date", Required: true})
	page.Trouble = saidOfTrouble(kit.TroubleOf(b.cause(), edit, replay), b.cause())
	if domain.IsReason(b.cause(), "changed_meanwhile") {
		zh, en := []string{}, []string{}
		for _, kind := range hook.Kinds {
			w := kindWords(kind)
			zh, en = append(zh, w[0]), append(en, w[1])
		}
		page.Theirs = []kit.Words{{hook.URL, hook.URL}, {strings.Join(zh, "、"), strings.Join(en, ", ")}}
	}
	return p.Render(c, status, "webhook", page)
}

// hookAnswer goes back to the page of a webhook, or shows it with the form refused.
func (p *pages) hookAnswer(c *fiber.Ctx, form, said string, err error) error {
	return answerForm(c, "/owner/webhooks/"+url.PathEscape(c.Params("id")), said, err, func(status int) error { return p.drawHook(c, status, &back{form, err}) })
}

// changeHook sets where a webhook is and what it is told.
func (p *pages) changeHook(c *fiber.Ctx) error {
	id := c.Params("id")
	kinds := sentAll(c, "kind")
	wanted := hookPart{plain(kit.Sent(c, "url")), eventsInOrder(kinds)}
	if len(wanted.Kinds) != len(kinds) {
		wanted.Kinds = kinds // for the check to refuse
	}
	_, err := p.App.ChangeMessages(c.UserContext(), httpx.ActorOf(c), "webhooks", func(m *domain.Messages) error {
		i := slices.IndexFunc(m.Webhooks, func(w domain.Webhook) bool { return w.ID == id })
		if i < 0 {
			return domain.Refuse(domain.NotFound, "not_found", "no such webhook")
		}
		is := hookPartOf(m.Webhooks[i])
		if err := app.Change(&is, wanted, kit.Sent(c, "mark")); err != nil {
			return err
		}
		m.Webhooks[i].URL, m.Webhooks[i].Kinds = is.URL, is.Kinds
		return nil
	})
	return p.hookAnswer(c, "edit", "saved", renamed(err, afterDot))
}

// switchHook switches a webhook on or off.
func (p *pages) switchHook(c *fiber.Ctx) error {
	active, said := kit.Sent(c, "active") == "1", "off"
	if active {
		said = "on"
	}
	_, err := p.App.ChangeWebhook(c.UserContext(), httpx.ActorOf(c), c.Params("id"), func(w *domain.Webhook) { w.Active = active })
	return p.hookAnswer(c, "", said, err)
}

func (p *pages) askRenew(c *fiber.Ctx) error  { return p.drawConfirm(c, http.StatusOK, false, nil) }
func (p *pages) askRemove(c *fiber.Ctx) error { return p.drawConfirm(c, http.StatusOK, true, nil) }

func (p *pages) drawConfirm(c *fiber.Ctx, status int, remove bool, err error) error {
	title := kit.Words{"换一个密钥？", "Renew the secret?"}
	if remove {
		title = kit.Words{"删除这个推送？", "Remove this webhook?"}
	}
	f, venue, _, failed := p.frame(c, title, nil)
	if failed != nil {
		return failed
	}
	f.Narrow = true
	hook, failed := hookOf(c, venue)
	if failed != nil {
		return failed
	}
	views, _, failed := p.App.ChannelViews(c.UserContext())
	if failed != nil {
		return failed
	}
	page := confirmPage{Frame: f, Refusal: kit.TroubleOf(err).Refusal, Hook: hook, Waiting: channelOf(views, hook.Channel()).Waiting, Remove: remove, Nonce: kit.Nonce(c)}
	return p.Render(c, status, "webhook_confirm", page)
}

// renewSecret makes another secret and shows it. The same form again shows the same one.
func (p *pages) renewSecret(c *fiber.Ctx) error {
	hook, err := p.App.RenewWebhookSecretOnce(c.UserContext(), httpx.ActorOf(c), c.Params("id"), keyOf(c))
	if err != nil {
		return kit.Beside(c, err, func(status int) error { return p.drawConfirm(c, status, false, err) })
	}
	return p.showSecret(c, hook, false)
}

// removeHook forgets a webhook. One that is not there is forgotten already.
func (p *pages) removeHook(c *fiber.Ctx) error {
	err := p.App.RemoveWebhook(c.UserContext(), httpx.ActorOf(c), c.Params("id"))
	if gone(err) {
		err = nil
	}
	return answerForm(c, "/owner/webhooks", "removed", err, func(status int) error { return p.drawConfirm(c, status, true, err) })
}

// replay tells a webhook once more of some days of the venue's zone.
func (p *pages) replay(c *fiber.Ctx) error {
	id := c.Params("id")
	from, badFrom := domain.ParseDate("from", kit.Sent(c, "from"))
	until, badUntil := domain.ParseDate("until", kit.Sent(c, "until"))
	err := domain.Together(badFrom, badUntil)
	if err == nil && until.Before(from) {
		err = domain.BadField("until", "must not be before from")
	}
	if err != nil {
		return p.hookAnswer(c, "replay", "", err)
	}
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	begin, end := venue.Calendar.Wall(from, 0), venue.Calendar.Wall(until.AddDays(1), 0)
	found, more, err := p.App.EventsToReplay(c.UserContext(), id, begin, end)
	if err != nil {
		return p.hookAnswer(c, "replay", "", err)
	}
	n, err := p.App.ReplayEvents(c.UserContext(), httpx.ActorOf(c), id, begin, end, keyOf(c))
	if err != nil {
		return p.hookAnswer(c, "replay", "", err)
	}
	said := "replayed"
	if more {
		said = "replayed_some"
	}
	// The same form again tells nothing more, and says what it came to.
	return kit.Done(c, fmt.Sprintf("/owner/webhooks/%s?events=%d", url.PathEscape(id), max(n, found)), said)
}

// replayedOf says how many events are told again.
func replayedOf(c *fiber.Ctx) *kit.Say {
	n, err := strconv.Atoi(c.Query("events"))
	if err != nil || n < 0 || n > domain.MaxReplay {
		return nil
	}
	all := kit.Words{fmt.Sprintf("%d 个事件将重新推送", n), fmt.Sprintf("%d events are told again", n)}
	if n == 1 {
		all[1] = "1 event is told again"
	}
	some := kit.Words{fmt.Sprintf("%s；那几天的事件超过 %d 个，只看了最早的这些，其余的请再选后面几天", all[0], domain.MaxReplay),
		fmt.Sprintf("%s; there are more than %d events on those days, and only the oldest of them were looked at: choose later days for the rest", all[1], domain.MaxReplay)}
	return kit.SaidOf(c, map[string]kit.Words{"replayed": all, "replayed_some": some})
}

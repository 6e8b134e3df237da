package messages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// outboxPage lists every message with what became of it.
type outboxPage struct {
	kit.Frame
	Refusal *kit.Say
	Search  outboxSearch
	Ways    []choice
	States  []choice
	Rows    []outboxRow
	Older   string // where the list goes on
	Short   bool   // the list goes on, although this page could have held more
	First   string
	Nonce   string
}

// outboxSearch is what the page is asked for.
type outboxSearch struct{ Channel, State, Cursor string }

// choice is one entry of a list to choose from.
type choice struct {
	Value  string
	Words  kit.Words
	Chosen bool
}

// outboxRow is one message.
type outboxRow struct {
	app.DeliveryView
	What, Way kit.Words
	Is        kit.Words
	Mark      string
	Tone      string
	To        string // the address of a webhook
	Hook      string // its id
	Why       kit.Words
	Tried     kit.Words
	Again     bool // sending it again makes sense
}

// outboxPageSize is how many messages one page lists.
const outboxPageSize = 50

var outboxSaid = map[string]kit.Words{"resend": {"通知已重新排队，会按它的各个渠道再发一次", "The notice is queued again and goes out once more by each of its channels"}}

func searchOf(value func(string) string) outboxSearch {
	return outboxSearch{value("channel"), value("state"), value("cursor")}
}

// address is a page about the same search.
func (s outboxSearch) address(cursor string) string {
	query := url.Values{}
	for name, value := range map[string]string{"channel": s.Channel, "state": s.State, "cursor": cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return "/owner/outbox"
	}
	return "/owner/outbox?" + query.Encode()
}

func (p *pages) showOutbox(c *fiber.Ctx) error {
	return p.drawOutbox(c, http.StatusOK, searchOf(func(name string) string { return c.Query(name) }), nil)
}

func (p *pages) drawOutbox(c *fiber.Ctx, status int, search outboxSearch, refusal error) error {
	f, venue, _, err := p.frame(c, kit.Words{"发送记录", "Outbox"}, outboxSaid)
	if err != nil {
		return err
	}
	page := outboxPage{Frame: f, Refusal: kit.TroubleOf(refusal).Refusal, Search: search, Nonce: kit.Nonce(c)}
	list, err := p.App.Deliveries(c.UserContext(), httpx.ActorOf(c), search.Channel, search.State, app.Page{Cursor: search.Cursor, Limit: outboxPageSize})
	if _, refused := domain.AsError(err); refused && refusal == nil {
		said := kit.Explain(err, nil)
		page.Refusal, status = &said, httpx.ProblemOf(err, time.UTC).Status
	} else if err != nil {
		return err
	}
	page.choices(venue.Messages)
	for _, d := range list.Items {
		page.Rows = append(page.Rows, rowOf(d, venue.Messages))
	}
	if search.Cursor != "" {
		page.First = search.address("")
	}
	if list.Next != nil {
		page.Older, page.Short = search.address(*list.Next), len(list.Items) < outboxPageSize
	}
	return p.Render(c, status, "outbox", page)
}

// choices are the channels and the states.
func (page *outboxPage) choices(m domain.Messages) {
	names := append(slices.Clone(domain.Channels), domain.ChannelLog)
	for _, name := range names {
		page.Ways = append(page.Ways, choice{name, channelWords(name), name == page.Search.Channel})
	}
	for _, w := range m.Webhooks {
		page.Ways = append(page.Ways, choice{w.Channel(), kit.Words{"推送 " + w.URL, "Webhook " + w.URL}, w.Channel() == page.Search.Channel})
	}
	known := slices.ContainsFunc(page.Ways, func(c choice) bool { return c.Chosen })
	if !known && page.Search.Channel != "" {
		page.Ways = append(page.Ways, choice{page.Search.Channel, goneWords(page.Search.Channel), true})
	}
	for _, s := range deliveryStates {
		page.States = append(page.States, choice{s.state, s.words, s.state == page.Search.State})
	}
}

// goneWords name a channel that is no more.
func goneWords(name string) kit.Words {
	if strings.HasPrefix(name, "webhook:") {
		return kit.Words{"已删除的推送", "a webhook that is removed"}
	}
	return channelWords(name)
}

func rowOf(d app.DeliveryView, m domain.Messages) outboxRow {
	row := outboxRow{DeliveryView: d, What: kindWords(d.Kind), Way: channelWords(d.Channel)}
	for _, s := range deliveryStates {
		if s.state == d.State {
			row.Is, row.Mark, row.Tone = s.words, s.mark, s.tone
		}
	}
	if hook, ok := m.WebhookOf(d.Channel); ok {
		row.To, row.Hook = hook.URL, hook.ID
	} else if strings.HasPrefix(d.Channel, "webhook:") {
		row.Way = goneWords(d.Channel)
	}
	if d.Why != "" {
		zh, en := notify.WhyWords(d.Why)
		row.Why = kit.Words{zh, en}
	}
	if d.Tries > 0 && (d.State == "waiting" || d.Tries > 1) {
		row.Tried = kit.Words{fmt.Sprintf("试过 %d 次", d.Tries), fmt.Sprintf("%d tries", d.Tries)}
		if d.Tries == 1 {
			row.Tried[1] = "1 try"
		}
	}
	pointless := d.State == "dropped" && domain.IsStale(d.Why) // however often it is sent
	row.Again = d.Notice != "" && d.Channel != domain.ChannelLog && d.State != "waiting" && !pointless
	if d.Channel == domain.ChannelLog && d.State == "sent" {
		row.Is = kit.Words{"在网页上", "on the page"}
	}
	return row
}

// resend puts a notice back into the outbox, with all of its channels.
func (p *pages) resend(c *fiber.Ctx) error {
	search := searchOf(sent(c))
	err := p.App.ResendNoticeOnce(c.UserContext(), httpx.ActorOf(c), kit.Sent(c, "notice"), keyOf(c))
	return answerForm(c, search.address(search.Cursor), "resend", err, func(status int) error { return p.drawOutbox(c, status, search, err) })
}

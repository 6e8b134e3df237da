package door

import (
	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// channelWords name the channels by which notices go.
var channelWords = map[string]kit.Words{
	domain.ChannelWeChat: {"微信", "WeChat"},
	domain.ChannelSMS:    {"短信", "SMS"},
	domain.ChannelMail:   {"邮件", "mail"},
	domain.ChannelLog:    {"仅网页", "page only"},
}

// outcomes say of each notice what became of it by each of its channels.
func (p *pages) outcomes(c *fiber.Ctx, notices []app.OutboxView) (map[string][]kit.Words, error) {
	var ids []string
	for _, n := range notices {
		ids = append(ids, n.ID)
	}
	found, err := p.App.OutcomesOf(c.UserContext(), httpx.ActorOf(c), ids)
	out := map[string][]kit.Words{}
	for id, rows := range found {
		for _, d := range rows {
			out[id] = append(out[id], outcomeWords(d))
		}
	}
	return out, err
}

// outcomeWords say what became of a message by its channel, and why it did not go out.
func outcomeWords(d app.DeliveryView) kit.Words {
	way, known := channelWords[d.Channel]
	if !known {
		way = kit.Words{d.Channel, d.Channel}
	}
	if d.Channel == domain.ChannelLog && d.State == "sent" {
		return way // there it is read, and nothing was sent
	}
	var what kit.Words
	for _, s := range noticeStates {
		if s.state == d.State {
			what = s.words
		}
	}
	if d.State == "dropped" {
		what = whyWords(d.Why)
	}
	if d.State != "sent" && d.LastError != "" {
		said := kit.ChannelSaid(d.LastError)
		what = kit.Words{what[0] + "（" + said[0] + "）", what[1] + " (" + said[1] + ")"}
	}
	return kit.Words{way[0] + "：" + what[0], way[1] + ": " + what[1]}
}

package messages

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// routesPage is which notices go by which channels, and how those do.
type routesPage struct {
	kit.Frame
	kit.Trouble
	Theirs    []kit.Words
	Self      string
	Channels  []channelCard
	Columns   []column
	Rows      []routeRow
	RouteMark string
	Daily     []kit.Field
	DailyMark string
	Codes     []kit.Field
	CodesMark string
	Shipping  *channelCard // once WeChat has not heard of a shipment
	Ship      bool
	ShipMark  string
	NoCode    bool // a login code cannot go by SMS for want of a template
}

// channelCard is how a channel does.
type channelCard struct {
	app.ChannelView
	Words, State kit.Words
	Mark, Tone   string
	Settings     string // what a channel that is not set up needs
	Sent         kit.Words
	Until, Error string
	Wake         bool
	Open         bool // it has taken, or has something to do
	Gaps         []gap
	Empty        bool   // it needs templates and has none
	Test         string // where a test by it is sent
	NoCodes      *kit.NoCodes
}

// gap is a kind of message that is to go by a channel and cannot for want of a template.
type gap struct {
	Kind  string
	Words kit.Words
}

type column struct {
	Channel string
	Words   kit.Words
	SetUp   bool
	Needs   bool // templates
}

type routeRow struct {
	Kind  string
	Name  named
	Ticks []routeTick
	Own   []kit.Words // what of its own it has
	Lacks []kit.Words // what it goes out without
	Wrong *kit.Words
}

type routeTick struct {
	Channel string
	Label   kit.Words
	On      bool
}

var routesSaid = map[string]kit.Words{
	"saved": {"已保存。新产生的通知按此发送，已经在等待发送的不变", "Saved. New notices go by this; what waits already keeps its way"},
	"daily": {"每日上限已保存", "The daily budgets are saved"},
	"codes": {"验证码的限制已保存", "The limits of login codes are saved"},
	"ship":  {"已保存", "Saved"},
	"woken": {"暂停已结束，马上重试", "The pause has ended; it is tried again now"},
}

// routesOf are the channels of every kind, in the order in which they are shown.
func routesOf(m domain.Messages) map[string][]string {
	out := map[string][]string{}
	for _, kind := range domain.NoticeKinds {
		out[kind] = inOrder(m.Route(kind))
	}
	return out
}

func inOrder(route []string) []string {
	out := []string{}
	for _, c := range domain.Channels {
		if slices.Contains(route, c) {
			out = append(out, c)
		}
	}
	return out
}

func dailyOf(m domain.Messages) map[string]int {
	out := map[string]int{}
	for _, c := range domain.Channels {
		out[c] = m.DailyOf(c)
	}
	return out
}

func (p *pages) showRoutes(c *fiber.Ctx) error { return p.drawRoutes(c, http.StatusOK, nil) }

func (p *pages) drawRoutes(c *fiber.Ctx, status int, b *back) error {
	f, venue, now, err := p.frame(c, kit.Words{"消息", "Messages"}, routesSaid)
	if err != nil {
		return err
	}
	views, _, err := p.App.ChannelViews(c.UserContext())
	if err != nil {
		return err
	}
	m := venue.Messages
	page := routesPage{Frame: f, Self: "/owner/messages", Ship: m.ShipAfterCheckIn,
		RouteMark: b.mark(c, "routes", routesOf(m)), DailyMark: b.mark(c, "daily", dailyOf(m)), ShipMark: b.mark(c, "shipping", m.ShipAfterCheckIn)}
	gaps := p.App.MessageGaps(m)
	page.NoCode = slices.Contains(gaps[domain.ChannelSMS], domain.KindLoginCode)
	for _, name := range domain.Channels {
		view := channelOf(views, name)
		card := cardOf(view, venue, now)
		card.addGaps(m, gaps[name])
		if name == domain.ChannelSMS && !view.SetUp {
			card.NoCodes = p.NoCodes(m)
		}
		page.Channels = append(page.Channels, card)
		page.Columns = append(page.Columns, column{name, channelWords(name), view.SetUp, view.NeedsTemplates})
	}
	routes := b.sheet(c, "routes", nil)
	page.addRows(c, routes, m, b)
	kept := map[string]string{}
	for name, n := range dailyOf(m) {
		kept[name] = strconv.Itoa(n)
	}
	daily := b.sheet(c, "daily", kept)
	for _, name := range domain.Channels {
		w := channelWords(name)
		page.Daily = append(page.Daily, daily.Draw(kit.Field{Name: name, Label: kit.Words{w[0] + "每天最多", "The most by " + w[1] + " on a day"}, Unit: kit.Words{"条", "messages"}, Mode: "numeric", Most: 8}))
	}
	codes := page.addCodes(c, m, b)
	if card := cardOf(channelOf(views, domain.ChannelShipping), venue, now); card.Wake {
		page.Shipping = &card
	}
	if b.is("shipping") {
		page.Ship = kit.Sent(c, "ship") != ""
	}
	page.Theirs = page.others(b, m)
	page.Trouble = saidOfTrouble(kit.TroubleOf(b.cause(), routes, daily, codes), b.cause())
	return p.Render(c, status, "messages", page)
}

// addRows are the kinds with their ticks.
func (page *routesPage) addRows(c *fiber.Ctx, s *kit.Sheet, m domain.Messages, b *back) {
	for _, kind := range domain.NoticeKinds {
		route := m.Route(kind)
		if b.is("routes") {
			route = sentAll(c, kind)
		}
		row := routeRow{Kind: kind, Name: kinds[kind]}
		row.Wrong = s.At(kind, row.Name.Words)
		for _, col := range page.Columns {
			label := kit.Words{row.Name.Words[0] + "：" + col.Words[0], row.Name.Words[1] + ": " + col.Words[1]}
			on := slices.Contains(route, col.Channel)
			row.Ticks = append(row.Ticks, routeTick{col.Channel, label, on})
			if on && col.Needs && templatesOf(m, col.Channel)[kind].ID == "" {
				row.Lacks = append(row.Lacks, kit.Words{col.Words[0] + "：没有模板，发不出去", col.Words[1] + ": no template, does not go out"})
			}
		}
		if _, own := m.Texts[kind]; own {
			row.Own = append(row.Own, kit.Words{"自己的文字", "own words"})
		}
		if _, own := m.WeChat[kind]; own {
			row.Own = append(row.Own, kit.Words{"微信模板", "WeChat template"})
		}
		if _, own := m.SMS[kind]; own {
			row.Own = append(row.Own, kit.Words{"短信模板", "SMS template"})
		}
		page.Rows = append(page.Rows, row)
	}
}

// others are what somebody else has just saved of the part that came back.
func (page *routesPage) others(b *back, m domain.Messages) []kit.Words {
	var routes, daily []kit.Words
	for _, kind := range domain.NoticeKinds {
		zh, en := []string{}, []string{}
		for _, name := range inOrder(m.Route(kind)) {
			w := channelWords(name)
			zh, en = append(zh, w[0]), append(en, w[1])
		}
		name := kinds[kind].Words
		routes = append(routes, kit.Words{name[0] + "：" + cmp.Or(strings.Join(zh, "、"), "仅网页"), name[1] + ": " + cmp.Or(strings.Join(en, ", "), "page only")})
	}
	for _, name := range domain.Channels {
		w, n := channelWords(name), m.DailyOf(name)
		daily = append(daily, kit.Words{fmt.Sprintf("%s：%d", w[0], n), fmt.Sprintf("%s: %d", w[1], n)})
	}
	ship := kit.Words{"核销后不告诉微信", "WeChat is not told after check-in"}
	if m.ShipAfterCheckIn {
		ship = kit.Words{"核销后告诉微信", "WeChat is told after check-in"}
	}
	return slices.Concat(b.theirs("routes", routes...), b.theirs("daily", daily...), b.theirs("codes", linesOfCodes(m)...), b.theirs("shipping", ship))
}

// cardOf is how a channel does, in words.
func cardOf(v app.ChannelView, venue sqlite.Venue, now domain.Instant) channelCard {
	state := channelStates[v.State]
	card := channelCard{ChannelView: v, Words: channelWords(v.Channel), State: state.words, Mark: state.mark, Tone: state.tone, Error: v.LastError,
		Settings: toSetUp[v.Channel], Wake: v.State == "paused" || v.State == "failing", Open: v.SetUp || v.Waiting > 0}
	if v.PausedUntil != nil && v.State == "paused" {
		card.Until = whenWords(*v.PausedUntil, venue, now)
	}
	card.Sent = kit.Words{fmt.Sprintf("今日 %d", v.SentToday), fmt.Sprintf("%d today", v.SentToday)}
	if v.Refusals >= domain.RefusalsToFail && v.State == "failing" {
		card.State = kit.Words{"都被拒收", "refuses everything"}
	}
	if v.Daily > 0 {
		card.Sent = kit.Words{fmt.Sprintf("今日 %d / %d", v.SentToday, v.Daily), fmt.Sprintf("%d of %d today", v.SentToday, v.Daily)}
	}
	return card
}

// addGaps says what a channel cannot carry, however well it does otherwise, and where it
// can be tried out.
func (card *channelCard) addGaps(m domain.Messages, missing []string) {
	own := templatesOf(m, card.Channel)
	for _, kind := range missing {
		card.Gaps = append(card.Gaps, gap{kind, kindWords(kind)})
	}
	card.Empty = card.NeedsTemplates && len(own) == 0
	if card.ChannelView.State == "ok" && (card.Empty || len(missing) > 0) {
		card.State, card.Mark, card.Tone = kit.Words{"缺模板", "lacks templates"}, "!", "held"
	}
	if !card.SetUp {
		return
	}
	kind := notify.KindPaid
	for _, other := range append([]string{kind}, domain.NoticeKinds...) {
		_, has := own[other]
		if slices.Contains(m.Route(other), card.Channel) && (has || !card.NeedsTemplates) {
			kind = other
			break
		}
	}
	card.Test = "/owner/messages/" + kind + "?test=" + card.Channel + "#test"
}

// templatesOf are the templates of a channel.
func templatesOf(m domain.Messages, channel string) map[string]domain.MessageTemplate {
	switch channel {
	case domain.ChannelWeChat:
		return m.WeChat
	case domain.ChannelSMS:
		return m.SMS
	}
	return nil
}

// whenWords is a time of today by the clock, and any other with its date.
func whenWords(at time.Time, venue sqlite.Venue, now domain.Instant) string {
	if venue.Calendar.LocalDate(domain.InstantOf(at)) == venue.Calendar.LocalDate(now) {
		return at.Format("15:04")
	}
	return at.Format("01-02 15:04")
}

// saveRoutes sets which kinds go by which channels.
func (p *pages) saveRoutes(c *fiber.Ctx) error {
	wanted := map[string][]string{}
	for _, kind := range domain.NoticeKinds {
		wanted[kind] = sentAll(c, kind)
	}
	err := p.change(c, func(m *domain.Messages) error {
		is := routesOf(*m)
		asked := map[string][]string{}
		for kind, route := range wanted {
			if asked[kind] = inOrder(route); len(asked[kind]) != len(route) {
				asked[kind] = route // for the check to refuse
			}
		}
		if err := app.Change(&is, asked, kit.Sent(c, "mark")); err != nil {
			return err
		}
		for kind, route := range is {
			if slices.Equal(route, inOrder(m.Route(kind))) {
				continue // the program's own choice stays that
			}
			if m.Routes == nil {
				m.Routes = map[string][]string{}
			}
			m.Routes[kind] = route
		}
		return nil
	})
	err = renamed(err, func(name string) string { return strings.TrimPrefix(name, "routes.") })
	return answerForm(c, "/owner/messages", "saved", err, func(status int) error { return p.drawRoutes(c, status, &back{"routes", err}) })
}

// saveDaily sets how many messages the channels may take on a day.
func (p *pages) saveDaily(c *fiber.Ctx) error {
	wanted := map[string]int{}
	var bad []error
	for _, name := range domain.Channels {
		n, err := strconv.Atoi(plain(kit.Sent(c, name)))
		if err != nil {
			bad = append(bad, domain.BadField(name, "must be a whole number"))
		} else if n < 1 || n > domain.MaxDaily {
			bad = append(bad, domain.BadField(name, "must be between %d and %d", 1, domain.MaxDaily))
		}
		wanted[name] = n
	}
	err := domain.Together(bad...)
	if err == nil {
		err = p.change(c, func(m *domain.Messages) error {
			is := dailyOf(*m)
			if err := app.Change(&is, wanted, kit.Sent(c, "mark")); err != nil {
				return err
			}
			for name, n := range is {
				if n == m.DailyOf(name) {
					continue
				}
				if m.Daily == nil {
					m.Daily = map[string]int{}
				}
				m.Daily[name] = n
			}
			return nil
		})
	}
	return answerForm(c, "/owner/messages", "daily", err, func(status int) error { return p.drawRoutes(c, status, &back{"daily", err}) })
}

// saveShipping sets whether WeChat is told of those who have come.
func (p *pages) saveShipping(c *fiber.Ctx) error {
	err := p.change(c, func(m *domain.Messages) error {
		return app.Change(&m.ShipAfterCheckIn, kit.Sent(c, "ship") != "", kit.Sent(c, "mark"))
	})
	return answerForm(c, "/owner/messages", "ship", err, func(status int) error { return p.drawRoutes(c, status, &back{"shipping", err}) })
}

// wake ends the pause of a channel. One that does not pause is awake already.
func (p *pages) wake(c *fiber.Ctx) error {
	name, page := kit.Sent(c, "channel"), "/owner/messages"
	if id, hook := strings.CutPrefix(name, "webhook:"); hook {
		page = "/owner/webhooks/" + id
	}
	views, _, err := p.App.ChannelViews(c.UserContext())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(views, func(v app.ChannelView) bool { return v.Channel == name })
	if i < 0 {
		return domain.Refuse(domain.NotFound, "not_found", "no such channel")
	}
	if state := views[i].State; state == "paused" || state == "failing" {
		err = p.App.WakeChannel(c.UserContext(), httpx.ActorOf(c), name)
	}
	return answerForm(c, page, "woken", err, func(status int) error { return p.drawRoutes(c, status, &back{"wake", err}) })
}
